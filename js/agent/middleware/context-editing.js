// SPDX-License-Identifier: MIT
// Shortens what an agent's model is sent, not the conversation that is kept: old results of tools
// are replaced by a placeholder. Does not depend on models.
import {
  checkArgument,
  isListOf,
  isRecord,
  refuseRenamed,
  refuseUnknown,
} from "../../base/check-arguments.js";
import { ToolMessage, countTokensApproximately, messageType } from "../../messages/index.js";
import { callsOf } from "../../prebuilt/tool-calls/open-calls.js";
import { withCalls } from "../../prebuilt/tool-calls/edited-calls.js";
import { createMiddleware } from "../create-middleware.js";
import { endWithin, hasReached, readKeep, readTrigger, tokensOf } from "./context-size.js";
import { toolFilter } from "./tool-names.js";

/**
 * A model that may count tokens itself.
 * @typedef {{ getNumTokensFromMessages?: (messages: readonly Message[]) => Promise<{ totalCount:
 *   number }> }} Counting
 */
/** @typedef {Pick<ClearToolUsesEdit, "apply">} Edit */
/** @typedef {import("../../messages/base.js").Message} Message */
/** @typedef {import("./context-size.js").Count} Count */
/** @typedef {import("./context-size.js").ContextSize} ContextSize */
/** @typedef {import("../../types/agent/middleware.js").KeepSize} Kept */

const CALL = "contextEditingMiddleware(options)";
const EDIT = "new ClearToolUsesEdit(options)";
const OPTIONS = ["edits", "tokenCountMethod"];
const EDIT_OPTIONS = ["trigger", "keep", "clearToolInputs", "excludeTools", "placeholder"];
/** LangChain's older names of options, and the names used here. */
const RENAMED = {
  triggerTokens: "trigger: { tokens }",
  keepMessages: "keep: { messages }",
  clearAtLeast: "keep",
};
const MARK = { cleared: true, strategy: "clear_tool_uses" };

/** Replaces old results of tools by a placeholder, as Anthropic's context editing does. */
export class ClearToolUsesEdit {
  #triggers;
  #excluded;

  /** @param {import("../../types/agent/middleware.js").ClearToolUsesEditOptions} [options] */
  constructor(options = {}) {
    const {
      trigger = { tokens: 100000 },
      keep = { messages: 3 },
      clearToolInputs = false,
      excludeTools = [],
      placeholder = "[cleared]",
    } = options ?? {};
    refuseRenamed(options, EDIT, RENAMED);
    refuseUnknown(options ?? {}, EDIT, EDIT_OPTIONS);
    this.#triggers = readTrigger(trigger, `${EDIT}: options.trigger`);
    this.trigger = trigger;
    this.keep = /** @type {Kept} */ (readKeep(keep, `${EDIT}: options.keep`));
    checkArgument(
      typeof clearToolInputs === "boolean",
      `${EDIT}: options.clearToolInputs must be true or false`,
    );
    checkArgument(typeof placeholder === "string", `${EDIT}: options.placeholder must be a text`);
    checkArgument(
      isListOf(excludeTools, (name) => typeof name === "string"),
      `${EDIT}: options.excludeTools must be a list of names of tools`,
    );
    this.clearToolInputs = clearToolInputs;
    this.excludeTools = new Set(excludeTools);
    this.placeholder = placeholder;
    this.#excluded = toolFilter(excludeTools, EDIT);
  }

  /**
   * Changes the list; its messages stay as they are.
   * @param {{ messages: Message[], countTokens: Count, model?: unknown }} request
   */
  async apply({ messages, countTokens, model }) {
    const tokens = await countTokens(messages);
    if (!hasReached(this.#triggers, tokens, messages.length, model)) return;
    const results = messages.flatMap((message, at) =>
      messageType(message) === "tool" ? [at] : [],
    );
    const from = await this.#keptFrom(results, messages, countTokens, model);
    const callers = callersIn(messages);
    for (const at of results.slice(0, from)) {
      const result = messages[at];
      const caller = callers.get(at);
      if (caller === undefined || editingOf(result).cleared === true) continue;
      const name = result.name ?? caller.name;
      if (this.#excluded(name)) continue;
      messages[at] = /** @type {Message} */ (
        /** @type {unknown} */ (
          new ToolMessage({
            id: result.id,
            content: this.placeholder,
            name: result.name,
            tool_call_id: result.tool_call_id,
            status: result.status,
            additional_kwargs: result.additional_kwargs,
            response_metadata: { ...result.response_metadata, context_editing: MARK },
          })
        )
      );
      if (this.clearToolInputs)
        clearInput(messages, caller.at, /** @type {string} */ (result.tool_call_id));
    }
  }

  /**
   * @param {readonly number[]} results places of the results of tools
   * @param {readonly Message[]} messages
   * @param {Count} count
   * @param {unknown} model
   * @returns {Promise<number>} number of results before those that are kept
   */
  async #keptFrom(results, messages, count, model) {
    const { tokens, messages: last, fraction } = /** @type {ContextSize} */ (this.keep);
    if (last !== undefined) return Math.max(results.length - last, 0);
    const most = tokens ?? tokensOf(/** @type {number} */ (fraction), model);
    if (most === undefined) return 0;
    return endWithin(results, most, (some) => count(some.map((at) => messages[at])));
  }
}

/**
 * Finds the call of each result, with the place of its message: the nearest one before it, since
 * some models name their calls alike in each turn.
 * @param {readonly Message[]} messages
 * @returns {Map<number, { at: number, name: string }>} by the places of the results
 */
function callersIn(messages) {
  /** @type {Map<unknown, { at: number, name: string }>} */
  const last = new Map();
  const callers = new Map();
  for (const [at, message] of messages.entries()) {
    for (const { id, name } of callsOf(message)) last.set(id, { at, name });
    const caller = messageType(message) === "tool" ? last.get(message.tool_call_id) : undefined;
    if (caller !== undefined) callers.set(at, caller);
  }
  return callers;
}

/** @param {Message} message @returns {Record<string, unknown>} */
const editingOf = ({ response_metadata: metadata }) =>
  isRecord(metadata?.context_editing) ? metadata.context_editing : {};

/** @param {Message[]} messages @param {number} at @param {string} id of the call */
function clearInput(messages, at, id) {
  const message = messages[at];
  const changes = new Map(
    callsOf(message).flatMap((call) => (call.id === id ? [[call, { args: {} }]] : [])),
  );
  const cleared = /** @type {Message} */ (withCalls(message, changes));
  const before = editingOf(message);
  cleared.response_metadata = {
    ...cleared.response_metadata,
    context_editing: {
      ...before,
      cleared_tool_inputs: [
        ...(Array.isArray(before.cleared_tool_inputs) ? before.cleared_tool_inputs : []),
        id,
      ],
    },
  };
  messages[at] = cleared;
}

/**
 * Makes a middleware that edits what the model is sent.
 * @param {{ edits?: readonly Edit[], tokenCountMethod?: "approx" | "model" }} [options]
 */
export function contextEditingMiddleware(options = {}) {
  const { edits = [new ClearToolUsesEdit()], tokenCountMethod = "approx" } = options ?? {};
  refuseUnknown(options ?? {}, CALL, OPTIONS);
  checkArgument(
    isListOf(edits, (edit) => typeof edit?.apply === "function"),
    `${CALL}: options.edits must be a list of edits with apply()`,
  );
  checkArgument(
    tokenCountMethod === "approx" || tokenCountMethod === "model",
    `${CALL}: options.tokenCountMethod must be "approx" or "model"`,
  );
  return createMiddleware({
    name: "ContextEditingMiddleware",
    wrapModelCall: async (request, handler) => {
      if (request.messages.length === 0) return handler(request);
      const { systemMessage, tools } = request;
      const model = /** @type {Counting} */ (request.model);
      /** @param {readonly Message[]} messages @returns {Promise<number>} */
      const countTokens = async (messages) => {
        const isWhole = messages === edited;
        const all =
          isWhole && hasContent(systemMessage) ? [systemMessage, ...messages] : [...messages];
        const counted =
          tokenCountMethod === "model" ? await model.getNumTokensFromMessages?.(all) : undefined;
        if (counted !== undefined) return counted.totalCount;
        return countTokensApproximately(all, isWhole ? { tools } : undefined);
      };
      const edited = [...request.messages];
      for (const edit of edits) await edit.apply({ messages: edited, countTokens, model });
      return handler({ ...request, messages: edited });
    },
  });
}

/** @param {Message} message */
const hasContent = ({ content }) => content.length > 0;
