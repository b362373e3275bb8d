// SPDX-License-Identifier: MIT
// Turns a model's answer into an update of the state: with the structured response, or with what
// was wrong with it for the model to repair. Every structured call gets an answer. Does not depend
// on models or graphs.
import { AIMessage, ToolMessage } from "../messages/index.js";
import { callsOf } from "../prebuilt/tool-calls/open-calls.js";
import { MultipleStructuredOutputsError, StructuredOutputParsingError } from "./errors.js";

/** @typedef {import("../base/callable.js").Value} Value */
/** @typedef {import("../messages/base.js").Message} Message */
/** @typedef {import("../prebuilt/tool-calls/open-calls.js").OpenCall} OpenCall */
/** @typedef {import("./response-format.js").ResponseFormat} ResponseFormat */
/** @typedef {import("./response-format.js").ToolStrategy} ToolStrategy */
/** @typedef {import("./response-format.js").Fit} Fit */
/** @typedef {{ messages: Message[], structuredResponse?: unknown }} Update */

/**
 * Makes the update of an answer.
 * @param {Message} answer
 * @param {ResponseFormat | undefined} format
 * @param {Fit} [fit] of the model
 * @returns {Promise<Update> | Update}
 * @throws StructuredOutputParsingError or MultipleStructuredOutputsError if the model is not asked
 *   again
 */
export function structuredUpdate(answer, format, fit) {
  if (format === undefined) return { messages: [answer] };
  const calls = callsOf(answer);
  const { provider } = format;
  if (provider !== undefined && calls.length === 0)
    return provider
      .parse(answer, fit)
      .then((structuredResponse) => ({ messages: [answer], structuredResponse }));
  const structured = calls.filter(({ name }) => format.tools.has(name));
  if (structured.length === 0) return { messages: [answer] };
  const others = calls.filter((call) => !structured.includes(call));
  return readCalls(answer, structured, others, format.tools);
}

/**
 * @param {Message} answer
 * @param {OpenCall[]} structured
 * @param {OpenCall[]} others
 * @param {ReadonlyMap<string, ToolStrategy>} tools
 * @returns {Promise<Update>}
 */
async function readCalls(answer, structured, others, tools) {
  const [call] = structured;
  const strategy = /** @type {ToolStrategy} */ (tools.get(call.name));
  try {
    if (structured.length > 1)
      throw new MultipleStructuredOutputsError(structured.map(({ name }) => name));
    const value = await strategy.parse(call.args, call.name);
    const json = JSON.stringify(value);
    const told = strategy.options?.toolMessageContent;
    return {
      messages: [
        answer,
        answerOf(call, json),
        ...others.map((other) => answerOf(other, NOT_RUN, "error")),
        /** @type {Message} */ (
          /** @type {unknown} */ (new AIMessage(told ?? `Returning structured response: ${json}`))
        ),
      ],
      structuredResponse: value,
    };
  } catch (error) {
    if (
      !(error instanceof StructuredOutputParsingError) &&
      !(error instanceof MultipleStructuredOutputsError)
    )
      throw error;
    const text = await explain(error, strategy.options?.handleError ?? true);
    return { messages: [answer, ...structured.map((one) => answerOf(one, text, "error"))] };
  }
}

/** Says to the model why a call beside the structured answer has no result. */
const NOT_RUN = "Not run: the structured response ended the run.";

/**
 * @param {Error} error
 * @param {boolean | string | ((error: Error) => string | Promise<string>)} how
 * @returns {Promise<string>}
 */
async function explain(error, how) {
  if (how === false) throw error;
  if (typeof how === "string") return how;
  if (typeof how === "function") return how(error);
  return error.message;
}

/** @param {OpenCall} call @param {string} content @param {"error"} [status] @returns {Message} */
function answerOf({ id, name }, content, status) {
  const fields = { content, name, tool_call_id: id ?? "" };
  return /** @type {Message} */ (
    /** @type {unknown} */ (new ToolMessage(status ? { ...fields, status } : fields))
  );
}
