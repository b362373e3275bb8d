// SPDX-License-Identifier: MIT
// Finds the unanswered tool calls of a conversation: the calls of its last AI message without a
// ToolMessage after it. Looks no further back than that message. Does not depend on tools.
import { isBaseMessage, messageType } from "../../messages/base.js";

/** @typedef {import("../../messages/base.js").Message} Message */
/**
 * A call as a message has it; an invalid one has the model's text as its arguments. `reviewed`: the
 * mark of reviewToolCalls; `repaired`: what was changed before it was judged.
 * @typedef {{ name: string, args: unknown, id?: string, type?: string, reviewed?: string, extras?:
 *   Record<string, unknown>, repaired?:
 *   import("../../types/tools/repair.js").ToolCallRepair[] }} OpenCall
 */
/** @typedef {{ message: Message, calls: OpenCall[] }} Open the calls without an answer */

const NOT_MESSAGES = "ToolNode only accepts BaseMessage[] or { messages: BaseMessage[] } as input.";

/**
 * Returns all calls of a message: first those with readable arguments, then the invalid ones.
 * @param {Message} message
 * @returns {OpenCall[]}
 */
export function callsOf(message) {
  const calls = listOf(message.tool_calls);
  const invalid = listOf(message.invalid_tool_calls);
  return invalid.length > 0 ? [...calls, ...invalid] : calls;
}

// A value that is no list holds no calls; an entry that is no object becomes an empty call.
/** @param {unknown} given @returns {OpenCall[]} */
function listOf(given) {
  if (!Array.isArray(given)) return [];
  return given.every((call) => call !== null && typeof call === "object")
    ? given
    : given.map((call) => (call !== null && typeof call === "object" ? call : {}));
}

/**
 * Finds the unanswered calls of the last AI message.
 * @param {unknown} messages
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
 * Returns the unanswered calls of the last AI message, if there is one.
 * @param {unknown[]} messages
 * @returns {OpenCall[]}
 */
export function unansweredIn(messages) {
  return messages.some((message) => isBaseMessage(message) && messageType(message) === "ai")
    ? openCalls(messages).calls
    : [];
}

/**
 * Returns the messages of a state, or the list itself.
 * @param {unknown} input
 * @param {string} key
 * @returns {unknown}
 */
export function messagesIn(input, key) {
  if (Array.isArray(input)) return input;
  return /** @type {Record<string, unknown> | null | undefined} */ (input)?.[key];
}

/**
 * Returns the calls that a ToolNode must answer.
 * @param {unknown} input a state, a list of messages, or `{ lg_tool_call }`
 * @param {string} key key of the messages in a state
 * @returns {{ message: Message | undefined, calls: OpenCall[] }}
 */
export function callsIn(input, key) {
  return input !== null && typeof input === "object" && "lg_tool_call" in input
    ? {
        message: senderIn(messagesIn(input, key)),
        calls: [/** @type {OpenCall} */ (input.lg_tool_call)],
      }
    : openCalls(messagesIn(input, key));
}

/**
 * Finds the message of a call that was sent alone: answers to other calls may follow it.
 * @param {unknown} messages
 */
function senderIn(messages) {
  return Array.isArray(messages)
    ? messages.findLast((message) => isBaseMessage(message) && messageType(message) === "ai")
    : undefined;
}
