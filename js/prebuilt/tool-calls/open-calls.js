// SPDX-License-Identifier: MIT
// Knows: where tool calls stand in a conversation: in its last AI message, answered by the
// ToolMessages behind it. Looks no further back than that message. Must not know tools.
import { isBaseMessage, messageType } from "../../messages/base.js";

/** @typedef {import("../../messages/base.js").Message} Message */
/** @typedef {import("../../base/callable.js").Value} Value */
/** @typedef {{ message: Message, calls: Value[] }} Open the calls that nobody answered yet */

const NOT_MESSAGES = "ToolNode only accepts BaseMessage[] or { messages: BaseMessage[] } as input.";

/**
 * All calls of a message: those whose arguments could be read, then those that could not.
 * @param {Message} message
 * @returns {Value[]}
 */
export function callsOf(message) {
  const calls = listOf(message.tool_calls);
  const invalid = listOf(message.invalid_tool_calls);
  return invalid.length > 0 ? [...calls, ...invalid] : calls;
}

// A list that is none holds no calls; what is no object is a call of nothing.
/** @param {unknown} given @returns {unknown[]} */
function listOf(given) {
  if (!Array.isArray(given)) return [];
  return given.every((call) => call !== null && typeof call === "object")
    ? given
    : given.map((call) => (call !== null && typeof call === "object" ? call : {}));
}

/**
 * @param {Value} messages
 * @returns {Open}
 */
export function openCalls(messages) {
  if (!Array.isArray(messages)) throw new Error(NOT_MESSAGES);
  const answered = new Set();
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at];
    if (!isBaseMessage(message)) throw new Error(NOT_MESSAGES);
    const type = messageType(message);
    if (type === "tool") answered.add(message.tool_call_id);
    if (type === "ai")
      return { message, calls: callsOf(message).filter((call) => !answered.has(call.id)) };
  }
  throw new Error("ToolNode only accepts AIMessages as input.");
}

/**
 * @param {Value} input
 * @param {string} key
 * @returns {Value} the messages of a state, or the list itself
 */
export function messagesIn(input, key) {
  return Array.isArray(input) ? input : input?.[key];
}

/**
 * @param {Value} input a state, a list of messages, or `{ lg_tool_call }`
 * @param {string} key of the messages in a state
 * @returns {{ message: Value, calls: Value[] }} what a ToolNode is to answer
 */
export function callsIn(input, key) {
  return input !== null && typeof input === "object" && "lg_tool_call" in input
    ? { message: senderIn(input[key]), calls: [input.lg_tool_call] }
    : openCalls(messagesIn(input, key));
}

/**
 * The message whose call was sent: answers of other calls may stand behind it.
 * @param {unknown} messages
 */
function senderIn(messages) {
  return Array.isArray(messages)
    ? messages.findLast((message) => isBaseMessage(message) && messageType(message) === "ai")
    : undefined;
}
