// SPDX-License-Identifier: MIT
// Replaces the beginning of a long conversation by a summary that a model writes. Calls of tools
// and their results stay together. Does not depend on the agent's own model.
import {
  checkArgument,
  isObject,
  refuseRenamed,
  refuseUnknown,
} from "../../base/check-arguments.js";
import {
  HumanMessage,
  REMOVE_ALL_MESSAGES,
  RemoveMessage,
  countTokensApproximately,
  isHumanMessage,
  isSystemMessage,
  messageType,
  textOf,
  trimMessages,
} from "../../messages/index.js";
import { callsOf } from "../../prebuilt/tool-calls/open-calls.js";
import { createMiddleware } from "../create-middleware.js";
import { modelOf } from "../model-call.js";
import { signalOf } from "./retry.js";
import {
  countTokens,
  endWithin,
  hasReached,
  readKeep,
  readTrigger,
  tokensOf,
} from "./context-size.js";

/** @typedef {import("../../models/base.js").ModelLike} ModelLike */
/** @typedef {import("../../messages/base.js").Message} Message */
/** @typedef {import("./context-size.js").Count} Count */

const CALL = "summarizationMiddleware(options)";
const OPTIONS = [
  "model",
  "trigger",
  "keep",
  "tokenCounter",
  "summaryPrompt",
  "summaryPrefix",
  "trimTokensToSummarize",
];
/** LangChain's older names of options, and the names used here. */
const RENAMED = {
  maxTokensBeforeSummary: "trigger: { tokens }",
  messagesToKeep: "keep: { messages }",
};
const SUMMARY_PREFIX = "Here is a summary of the conversation to date:";
const SUMMARY_PROMPT = `Summarize the conversation below, so that an assistant can go on with it without having seen it. Keep what the user wants, what was decided and found out, names, numbers and other facts that may be needed, and what remains to do. Leave out greetings and detours. Answer with the summary only.

Conversation:
{messages}`;
const KEEP = { messages: 20 };
const TRIM_TOKENS = 4000;
/** Messages that remain when one alone has too many tokens. */
const LAST_MESSAGES = 15;
/** Internal: its tokens are not streamed as the agent's. */
const INSIDE = { tags: ["nostream"], metadata: { lc_source: "summarization" } };

/**
 * Makes a middleware that summarizes a conversation that has become long.
 * @param {import("../../types/agent/middleware.js").SummarizationOptions} options
 */
export function summarizationMiddleware(options) {
  checkArgument(isObject(options), `${CALL}: options must be an object`);
  refuseRenamed(options, CALL, RENAMED);
  refuseUnknown(options, CALL, OPTIONS);
  const {
    model: given,
    trigger,
    keep = KEEP,
    tokenCounter,
    summaryPrompt = SUMMARY_PROMPT,
    summaryPrefix = SUMMARY_PREFIX,
    trimTokensToSummarize = TRIM_TOKENS,
  } = options;
  const triggers = readTrigger(trigger, `${CALL}: options.trigger`);
  const kept = readKeep(keep, `${CALL}: options.keep`);
  checkArgument(
    tokenCounter === undefined || typeof tokenCounter === "function",
    `${CALL}: options.tokenCounter must be a function`,
  );
  for (const [name, text] of Object.entries({ summaryPrompt, summaryPrefix }))
    checkArgument(typeof text === "string", `${CALL}: options.${name} must be a text`);
  checkArgument(
    typeof trimTokensToSummarize === "number" && trimTokensToSummarize > 0,
    `${CALL}: options.trimTokensToSummarize must be a number above 0`,
  );
  if (typeof given !== "string") modelOf(given);
  const counter = /** @type {Count | undefined} */ (/** @type {unknown} */ (tokenCounter));
  /** @type {Count} */
  const count = counter ?? countTokensApproximately;
  const countAll = counter ?? countTokens;

  return createMiddleware({
    name: "SummarizationMiddleware",
    beforeModel: async (state, runtime) => {
      const { messages } = state;
      const model = modelOf(given);
      if (!hasReached(triggers, await countAll(messages), messages.length, model)) return;
      const head = isSystemMessage(messages[0]) ? messages.slice(0, 1) : [];
      const rest = messages.slice(head.length);
      const at = wholeFrom(rest, await cutOf(rest, kept, model, count));
      if (at <= 0) return;
      const summary = await summarize(rest.slice(0, at), model, runtime);
      return {
        messages: [
          new RemoveMessage({ id: REMOVE_ALL_MESSAGES }),
          ...head,
          new HumanMessage({
            content: `${summaryPrefix}\n\n${summary}`,
            additional_kwargs: { lc_source: "summarization" },
          }),
          ...rest.slice(at),
        ],
      };
    },
  });

  /**
   * @param {readonly Message[]} messages
   * @param {ModelLike} model
   * @param {unknown} runtime
   * @returns {Promise<string>}
   */
  async function summarize(messages, model, runtime) {
    let shown = await trimMessages([...messages], {
      maxTokens: trimTokensToSummarize,
      tokenCounter: count,
      strategy: "last",
      allowPartial: true,
    });
    if (shown.length === 0) shown = messages.slice(-LAST_MESSAGES);
    const text = shown.map(lineOf).join("\n");
    // A function: the conversation may contain "$&".
    const prompt = summaryPrompt.includes("{messages}")
      ? summaryPrompt.replace("{messages}", () => text)
      : `${summaryPrompt}\n\n${text}`;
    const answer = await model.invoke([new HumanMessage(prompt)], {
      ...INSIDE,
      signal: signalOf(runtime),
    });
    const summary = textOf(answer?.content).trim();
    // Nothing replaces the conversation unless there is a summary of it.
    if (summary === "") throw new Error("The model that summarizes answered without text.");
    return summary;
  }
}

/**
 * Returns how many messages the size leaves out.
 * @param {readonly Message[]} messages
 * @param {import("./context-size.js").ContextSize} keep
 * @param {ModelLike} model
 * @param {Count} count
 * @returns {Promise<number>}
 */
async function cutOf(messages, { tokens, messages: last, fraction }, model, count) {
  if (last !== undefined) return messages.length - last;
  const most = tokens ?? tokensOf(/** @type {number} */ (fraction), model);
  if (most === undefined) return messages.length - KEEP.messages;
  return Math.min(await endWithin(messages, most, count), messages.length - 1);
}

/**
 * Moves a cut so that no call is on one side and its result on the other. A result is that of the
 * nearest call before it: some models name their calls alike in each turn.
 * @param {readonly Message[]} messages
 * @param {number} wanted index of the first message that is kept
 * @returns {number} at most `wanted`
 */
function wholeFrom(messages, wanted) {
  let at = Math.min(wanted, messages.length);
  /** @type {Set<unknown>} ids of results that are kept, whose calls are not found yet */
  const kept = new Set();
  /** @type {Set<unknown>} the same of those before the cut */
  const before = new Set();
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index];
    const ids = callsOf(message).map(({ id }) => id);
    if (index < at && ids.some((id) => kept.has(id))) {
      for (const id of before) kept.add(id);
      before.clear();
      at = index;
    }
    const side = index < at ? before : kept;
    for (const id of ids) side.delete(id);
    if (messageType(message) === "tool") side.add(message.tool_call_id);
  }
  return at;
}

/** Writes a message as the summarizing model reads it. @param {Message} message */
function lineOf(message) {
  const type = messageType(message);
  const who = isHumanMessage(message) ? "Human" : type === "ai" ? "AI" : type;
  const calls = callsOf(message).map(({ name, args }) => `${name}(${JSON.stringify(args)})`);
  const text = textOf(message.content);
  const said = calls.length === 0 ? text : `${text} [calls ${calls.join(", ")}]`.trim();
  return `${who === "tool" ? `Result of ${message.name ?? "a tool"}` : who}: ${said}`;
}
