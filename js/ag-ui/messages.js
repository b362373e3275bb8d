// SPDX-License-Identifier: MIT
// Converts messages between a graph's state and AG-UI. Optional fields are absent, never null.
import { messageType, textOf } from "../messages/index.js";
import { toBlocks, toParts } from "./content.js";

/** @typedef {Record<string, unknown>} Fields */
/**
 * What is read of a message of a state.
 * @typedef {{ id?: string, content: unknown, name?: string, tool_calls?: { id?: string, name:
 *   string, args: unknown }[], tool_call_id?: string, status?: string }} Message
 */

const ROLES = /** @type {Record<string, string>} */ ({
  human: "user",
  ai: "assistant",
  system: "system",
  tool: "tool",
});

/** @param {Message} message @returns {Fields | undefined} undefined: AG-UI has no such message */
export function toAgUiMessage(message) {
  const role = ROLES[messageType(message) ?? ""];
  if (role === undefined || message.id === undefined) return undefined;
  const content = textOf(message.content);
  if (role === "tool")
    return {
      id: message.id,
      role,
      content,
      toolCallId: message.tool_call_id ?? "",
      ...(message.status === "error" ? { error: content } : {}),
    };
  if (role === "user") return { id: message.id, role, content: toParts(message.content) };
  if (role !== "assistant") return { id: message.id, role, content };
  const toolCalls = (message.tool_calls ?? []).map(({ id, name, args }) => ({
    id: id ?? "",
    type: "function",
    function: { name, arguments: JSON.stringify(args ?? {}) },
  }));
  return {
    id: message.id,
    role,
    ...(content === "" ? {} : { content }),
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
  };
}

/**
 * A message that a client sends: the user's, or the result of a tool that the client ran.
 * @param {Fields} message
 * @returns {Fields | undefined} undefined: a client does not write such messages
 */
export function fromAgUiMessage({ id, role, content, toolCallId, error }) {
  const own = typeof id === "string" && id !== "" ? { id } : {};
  if (role === "tool" && typeof toolCallId === "string")
    return {
      ...own,
      role: "tool",
      tool_call_id: toolCallId,
      content: typeof content === "string" ? content : "",
      ...(typeof error === "string" ? { status: "error" } : {}),
    };
  if (role !== "user") return undefined;
  return { ...own, role: "user", content: toBlocks(content) };
}
