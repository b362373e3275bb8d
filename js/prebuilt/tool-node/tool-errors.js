// SPDX-License-Identifier: MIT
// Makes a failed tool's answer to the model, in the forms of LangGraph for JavaScript and Python.
// Does not depend on how tools run.
import { isGraphBubbleUp, isGraphInterrupt, isInvalidResume } from "../../base/errors.js";
import { isCommand } from "../../base/constants.js";
import { ToolMessage, isBaseMessage, messageType } from "../../messages/index.js";
import { messageContent } from "../../tools/tool-result.js";

/** @typedef {import("../../messages/tool-calls.js").ToolCall} ToolCall */
/** @typedef {import("../tool-calls/open-calls.js").OpenCall} OpenCall */
/**
 * @typedef {import("../../messages/base.js").Content} Content
 * @typedef {Content | import("../../messages/base.js").Message} Said
 * @typedef {new (...args: never[]) => unknown} ErrorClass
 * @typedef {boolean | string | ((error: unknown, call: ToolCall) => unknown) |
 *   readonly ErrorClass[]} HandleToolErrors
 */

const SUFFIX = "\n Please fix your mistakes.";

/** @param {unknown} error */
function defaultText(error) {
  const { message } = /** @type {{ message?: string }} */ (error ?? {});
  return `Error: ${message ?? String(error)}${SUFFIX}`;
}

// A class is a function too.
/** @param {unknown} value @returns {value is ErrorClass} */
function isErrorClass(value) {
  return value === Error || (typeof value === "function" && value.prototype instanceof Error);
}

/**
 * Explains a failure to the model, or throws it. Throws synchronously, so that a failed call ends
 * no later than a successful one.
 * @param {HandleToolErrors} how
 * @param {unknown} error
 * @param {OpenCall} call
 * @returns {Said | Promise<Said>} text, content blocks, or a complete ToolMessage
 */
export function explain(how, error, call) {
  const classes = Array.isArray(how) ? how : isErrorClass(how) ? [how] : undefined;
  // The model cannot fix what a limit of the run refused.
  const isRefused =
    isGraphBubbleUp(error) && /** @type {{ limit?: unknown }} */ (error).limit !== undefined;
  if (
    !how ||
    isRefused ||
    isGraphInterrupt(error) ||
    isInvalidResume(error) ||
    classes?.every((one) => !(error instanceof one))
  )
    throw error;
  if (typeof how === "string") return how;
  return typeof how === "function" && classes === undefined
    ? contentOf(/** @type {(error: unknown, call: OpenCall) => unknown} */ (how)(error, call))
    : defaultText(error);
}

/** @param {unknown} said @returns {Promise<Said>} */
async function contentOf(said) {
  const answer = await said;
  return isToolMessage(answer) ? answer : messageContent(answer);
}

/** @param {unknown} value @returns {value is import("../../messages/base.js").Message} */
function isToolMessage(value) {
  return isBaseMessage(value) && messageType(value) === "tool";
}

/**
 * Makes the answer of a failed call.
 * @param {HandleToolErrors} how
 * @param {unknown} error
 * @param {OpenCall} call
 * @param {string} name of the tool
 * @returns {unknown} may be a promise
 */
export function explained(how, error, call, name) {
  const said = explain(how, error, call);
  return said instanceof Promise
    ? said.then((text) => failed(text, name, call.id))
    : failed(said, name, call.id);
}

/**
 * @param {Said} content or the complete answer
 * @param {string} name
 * @param {string | undefined} id
 */
export function failed(content, name, id) {
  if (isToolMessage(content)) return content;
  return new ToolMessage({ content, name, tool_call_id: id, status: "error" });
}

/**
 * Makes the answer of a call that succeeded.
 * @param {unknown} output of the tool: a message or a Command is the answer
 * @param {string} name
 * @param {string | undefined} id
 */
export function succeeded(output, name, id) {
  if (isBaseMessage(output) || isCommand(output)) return output;
  const content = messageContent(output);
  return new ToolMessage({ content, name, tool_call_id: id, status: "success" });
}

/** Is it the answer of a failed call? @param {unknown} output */
export function hasFailed(output) {
  return /** @type {{ status?: unknown } | null | undefined} */ (output)?.status === "error";
}
