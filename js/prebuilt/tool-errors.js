// SPDX-License-Identifier: MIT
// Knows: what a model is told when a tool fails, in the forms that LangGraph has for it in JavaScript and Python.
// Must not know how tools are run.
import { isGraphBubbleUp, isGraphInterrupt } from "../errors.js";
import { ToolMessage, isBaseMessage, messageType } from "../messages/index.js";
import { messageContent } from "../tools/result.js";

/** @typedef {boolean | string | ((error: any, call: any) => any) | readonly (new (...args: any[]) => any)[]} HandleToolErrors */

const SUFFIX = "\n Please fix your mistakes.";

/** @param {any} error */
function defaultText(error) {
  return `Error: ${error?.message ?? String(error)}${SUFFIX}`;
}

// A class is a function too.
/** @param {any} value */
function isErrorClass(value) {
  return value === Error || value?.prototype instanceof Error;
}

/**
 * What to say of a failure; undefined when it is to be thrown.
 * @param {HandleToolErrors} how
 * @param {any} error
 * @param {any} call
 * @returns {Promise<any> | any} text, content blocks, or the whole answer: a ToolMessage
 */
function explainError(how, error, call) {
  // What a limit of the run refuses is not the model's to mend.
  const isRefused = isGraphBubbleUp(error) && /** @type {any} */ (error).limit !== undefined;
  if (how === false || isRefused || isGraphInterrupt(error)) return undefined;
  if (typeof how === "string") return how;
  const classes = Array.isArray(how) ? how : isErrorClass(how) ? [how] : undefined;
  if (classes !== undefined) return classes.some((one) => error instanceof one) ? defaultText(error) : undefined;
  return typeof how === "function" ? contentOf(/** @type {(error: any, call: any) => any} */ (how)(error, call)) : defaultText(error);
}

/** @param {any} said */
async function contentOf(said) {
  const answer = await said;
  return isToolMessage(answer) ? answer : messageContent(answer);
}

/** @param {any} value */
function isToolMessage(value) {
  return isBaseMessage(value) && messageType(value) === "tool";
}

/** What the model is told of a failure, or the failure is thrown. @param {HandleToolErrors} how @param {any} error @param {any} call @returns {Promise<any>} */
export async function explain(how, error, call) {
  const said = await explainError(how, error, call);
  if (said === undefined) throw error;
  return said;
}

/** @param {any} content or the answer itself @param {string} name @param {string} id */
export function failed(content, name, id) {
  if (isToolMessage(content)) return content;
  return new ToolMessage({ content, name, tool_call_id: id, status: "error" });
}
