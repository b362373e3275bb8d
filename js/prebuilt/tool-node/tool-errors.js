// SPDX-License-Identifier: MIT
// Makes a failed tool's answer to the model, in the forms of LangGraph for JavaScript and Python.
// Does not depend on how tools run.
import { isGraphBubbleUp, isGraphInterrupt, isInvalidResume } from "../../base/errors.js";
import { ToolMessage, isBaseMessage, messageType } from "../../messages/index.js";
import { messageContent } from "../../tools/tool-result.js";

/** @typedef {import("../../messages/tool-calls.js").ToolCall} ToolCall */
/** @typedef {import("../../base/callable.js").Value} Value */
/**
 * @typedef {boolean | string | ((error: unknown, call: ToolCall) => unknown) | readonly (new
 *   (...args: unknown[]) => unknown)[]} HandleToolErrors
 */

const SUFFIX = "\n Please fix your mistakes.";

/** @param {Value} error */
function defaultText(error) {
  return `Error: ${error?.message ?? String(error)}${SUFFIX}`;
}

// A class is a function too.
/** @param {Value} value */
function isErrorClass(value) {
  return value === Error || value?.prototype instanceof Error;
}

/**
 * Explains a failure to the model, or throws it. Throws synchronously, so that a failed call ends
 * no later than a successful one.
 * @param {HandleToolErrors} how
 * @param {unknown} error
 * @param {unknown} call
 * @returns {Promise<unknown> | Value} text, content blocks, or a complete ToolMessage
 */
export function explain(how, error, call) {
  const classes = Array.isArray(how) ? how : isErrorClass(how) ? [how] : undefined;
  // The model cannot fix what a limit of the run refused.
  const isRefused =
    isGraphBubbleUp(error) && /** @type {Record<PropertyKey, Value>} */ (error).limit !== undefined;
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
    ? contentOf(/** @type {(error: unknown, call: unknown) => unknown} */ (how)(error, call))
    : defaultText(error);
}

/** @param {unknown} said */
async function contentOf(said) {
  const answer = await said;
  return isToolMessage(answer) ? answer : messageContent(answer);
}

/** @param {unknown} value */
function isToolMessage(value) {
  return isBaseMessage(value) && messageType(value) === "tool";
}

/**
 * Makes the answer of a failed call.
 * @param {HandleToolErrors} how
 * @param {unknown} error
 * @param {Value} call
 * @param {string} name of the tool
 * @returns {unknown} may be a promise
 */
export function explained(how, error, call, name) {
  const said = explain(how, error, call);
  return said instanceof Promise
    ? said.then((text) => failed(text, name, call.id))
    : failed(said, name, call.id);
}

/** @param {unknown} content or the complete answer @param {string} name @param {string} id */
export function failed(content, name, id) {
  if (isToolMessage(content)) return content;
  return new ToolMessage({ content, name, tool_call_id: id, status: "error" });
}
