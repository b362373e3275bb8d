// SPDX-License-Identifier: MIT
// Validates the tool calls of the last message and runs none: answers each with the arguments as
// its schema reads them, or with what is wrong. Matches LangGraph Python's ValidationNode. Does not
// depend on how tools run.
import { ERR_ARGUMENT, OK, PLAN_RAW, PLAN_VALIDATE } from "../../base/codes.js";
import { makeError } from "../../base/errors.js";
import { checkArgument, isObject } from "../../base/check-arguments.js";
import { ToolMessage, messageType } from "../../messages/index.js";
import { Runnable } from "../../runnable/runnable.js";
import { asTool } from "../../tools/function-tool.js";
import { ToolInputParsingException } from "../../tools/tool-result.js";
import { checksItself, engineSchema, readInput } from "../../tools/input.js";
import { callsOf, messagesIn } from "../tool-calls/open-calls.js";
import { withCalls } from "../tool-calls/edited-calls.js";
import { Toolset } from "../tool-calls/toolset.js";

/** @typedef {import("../tool-calls/open-calls.js").OpenCall} OpenCall */
/** @typedef {import("../tool-calls/toolset.js").Outcome} Outcome */
/** @typedef {{ name: string, schema: unknown }} Described */
/**
 * @typedef {{ name?: unknown, schema?: unknown, title?: unknown, meta?: () => { title?: unknown },
 *   description?: unknown }} Titled
 */

const SUFFIX = "\n\nRespond after fixing all validation errors.";

export class ValidationNode extends Runnable {
  lc_namespace = ["langgraph"];

  /**
   * Creates the node.
   * @param {readonly unknown[] | Record<string, unknown>} schemas tools, functions and schemas with
   *   a name, or an object of schemas by name
   * @param {{ name?: string, tags?: string[], messagesKey?: string, formatError?: (error: Error,
   *   call: OpenCall, schema: unknown) => string | Promise<string> }} [options]
   */
  constructor(schemas, options) {
    super();
    checkArgument(
      isObject(schemas),
      "new ValidationNode(schemas): schemas must be a list, or an object of schemas by name",
    );
    this.schemas = Array.isArray(schemas)
      ? schemas.map(describe)
      : Object.entries(schemas).map(([name, schema]) => ({ name, schema }));
    this.name = options?.name ?? "validation";
    this.tags = options?.tags;
    this.messagesKey = options?.messagesKey ?? "messages";
    this.formatError = options?.formatError;
    this.toolset = new Toolset(
      this.schemas.map((described) => ({ name: described.name, schema: engineSchema(described) })),
    );
  }

  /** @param {unknown} input a state or a list of messages @returns {Promise<unknown>} */
  async invoke(input) {
    const messages = messagesIn(input, this.messagesKey);
    if (!Array.isArray(messages) || messages.length === 0)
      throw new Error("No message found in input");
    const message = messages[messages.length - 1];
    if (messageType(message) !== "ai") throw new Error("Last message is not an AIMessage");
    const calls = callsOf(message);
    const outcomes =
      calls.length === 0
        ? []
        : this.toolset.plan(calls, this.formatError ? PLAN_RAW : PLAN_VALIDATE, message.id ?? "");
    const answers = await Promise.all(
      outcomes.map((outcome, index) => this.#answer(calls[index], outcome)),
    );
    if (Array.isArray(input)) return answers;
    const changes = outcomes.flatMap(({ id, reassigned }, index) =>
      reassigned
        ? [
            /** @type {[Record<PropertyKey, unknown>, Record<PropertyKey, unknown>]} */ ([
              calls[index],
              { id },
            ]),
          ]
        : [],
    );
    const repaired =
      changes.length > 0 && message.id !== undefined ? [withCalls(message, new Map(changes))] : [];
    return { [this.messagesKey]: [...repaired, ...answers] };
  }

  /** @param {OpenCall} call @param {Outcome} outcome */
  async #answer(call, outcome) {
    const schema = this.schemas[outcome.tool]?.schema;
    if (outcome.status !== OK) {
      const content = this.formatError
        ? await this.formatError(new ToolInputParsingException(outcome.text), call, schema)
        : outcome.text;
      return answerOf(call, outcome, content, true);
    }
    if (schema === undefined || schema === null || !checksItself(schema))
      return answerOf(call, outcome, outcome.canonical, false);
    try {
      return answerOf(call, outcome, JSON.stringify(await readInput(schema, outcome.args)), false);
    } catch (error) {
      const wrong = /** @type {Error} */ (error);
      return answerOf(
        call,
        outcome,
        this.formatError ? await this.formatError(wrong, call, schema) : wrong.message + SUFFIX,
        true,
      );
    }
  }
}

/**
 * @param {OpenCall} call
 * @param {Outcome} outcome
 * @param {string} content
 * @param {boolean} failed
 */
function answerOf(call, { id }, content, failed) {
  const fields = { content, name: call.name ?? "", tool_call_id: id };
  return new ToolMessage(
    failed ? { ...fields, status: "error", additional_kwargs: { is_error: true } } : fields,
  );
}

/**
 * Reads the name and schema of an entry.
 * @param {unknown} entry a tool, a function with a schema, or a schema with a title
 * @returns {Described}
 */
function describe(entry) {
  const given = /** @type {Titled | null | undefined} */ (asTool(entry));
  const schema =
    given?.schema ?? (checksItself(given ?? {}) || typeof given === "object" ? given : undefined);
  const name =
    typeof given?.name === "string" && given.schema !== undefined
      ? given.name
      : (given?.title ?? given?.meta?.()?.title ?? given?.description);
  if (schema === undefined || typeof name !== "string" || name === "")
    throw makeError(ERR_ARGUMENT, [
      "each schema of a ValidationNode needs a name: give { name, schema }, a tool, or a schema with a title",
    ]);
  return { name, schema };
}
