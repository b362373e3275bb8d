// SPDX-License-Identifier: MIT
// Knows: what a model is told when a tool fails, in the forms that LangGraph has for it in
// JavaScript and Python. Must not know how tools are run.
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
 * What to say of a failure, or the failure is thrown: at once, so that its call ends no later than
 * one that works.
 * @param {HandleToolErrors} how
 * @param {Value} error
 * @param {Value} call
 * @returns {Promise<Value> | Value} text, content blocks, or the whole answer: a ToolMessage
 */
export function explain(how, error, call) {
  const classes = Array.isArray(how) ? how : isErrorClass(how) ? [how] : undefined;
  // What a limit of the run refuses is not the model's to mend.
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
    ? contentOf(/** @type {(error: Value, call: Value) => Value} */ (how)(error, call))
    : defaultText(error);
}

/** @param {Value} said */
async function contentOf(said) {
  const answer = await said;
  return isToolMessage(answer) ? answer : messageContent(answer);
}

/** @param {unknown} value */
function isToolMessage(value) {
  return isBaseMessage(value) && messageType(value) === "tool";
}

/**
 * What a call that failed answers.
 * @param {HandleToolErrors} how
 * @param {Value} error
 * @param {Value} call
 * @param {string} name of the tool
 * @returns {Value} or a promise of it
 */
export function explained(how, error, call, name) {
  const said = explain(how, error, call);
  return said instanceof Promise
    ? said.then((text) => failed(text, name, call.id))
    : failed(said, name, call.id);
}

/** @param {Value} content or the answer itself @param {string} name @param {string} id */
export function failed(content, name, id) {
  if (isToolMessage(content)) return content;
  return new ToolMessage({ content, name, tool_call_id: id, status: "error" });
}
