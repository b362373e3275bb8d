// SPDX-License-Identifier: MIT
// Refuses a conversation with an unanswered tool call, as model providers do. Remembers the
// messages already checked, so that a step checks only new ones. Does not depend on models.
import { BaseLangGraphError } from "../../base/errors.js";
import { messageType } from "../../messages/base.js";

/** @typedef {import("../../messages/base.js").Message} Message */
/** @typedef {import("../../messages/tool-calls.js").ToolCall} ToolCall */

/** AI messages up to and including which every call is answered. @type {WeakSet<object>} */
const whole = new WeakSet();

/** @param {readonly Message[]} messages */
export function checkHistory(messages) {
  const answered = new Set();
  /** @type {ToolCall[]} */
  const unanswered = [];
  /** @type {Message | undefined} */
  let newest;
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at];
    const type = messageType(message);
    if (type === "tool") answered.add(message.tool_call_id);
    if (type !== "ai") continue;
    if (whole.has(message)) break;
    newest ??= message;
    unanswered.push(...(message.tool_calls ?? []).filter((call) => !answered.has(call.id)));
  }
  if (unanswered.length > 0) throw incomplete(unanswered);
  if (newest !== undefined) whole.add(newest);
}

/** @param {ToolCall[]} calls */
function incomplete(calls) {
  return new BaseLangGraphError(
    "Found AIMessages with tool_calls that do not have a corresponding ToolMessage. " +
      `Here are the first few of those tool calls: ${JSON.stringify(calls.slice(0, 3))}.\n\n` +
      "Every tool call (LLM requesting to call a tool) in the message history MUST have a corresponding ToolMessage (result of a tool invocation to return to the LLM).",
    { lc_error_code: "INVALID_CHAT_HISTORY" },
  );
}
