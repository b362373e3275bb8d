// SPDX-License-Identifier: MIT
// Copies a message with changed tool calls. Does not depend on tools.

/** @typedef {import("../../messages/base.js").Message} Message */
/** @typedef {import("../../messages/tool-calls.js").ToolCall} ToolCall */

/**
 * Copies the message with other ids or arguments in its calls; it keeps the message id, so it
 * replaces the original.
 * @param {Message} message
 * @param {Map<unknown, { id?: string, name?: string, args?: unknown }>} changes by call
 * @returns {unknown}
 */
export function withCalls(message, changes) {
  /** @param {ToolCall[] | undefined} calls */
  const changed = (calls) =>
    (calls ?? []).map((call) => (changes.has(call) ? { ...call, ...changes.get(call) } : call));
  const calls = {
    tool_calls: changed(message.tool_calls),
    invalid_tool_calls: changed(message.invalid_tool_calls),
  };
  const copy = Object.assign(
    Object.create(Object.getPrototypeOf(message), Object.getOwnPropertyDescriptors(message)),
    calls,
  );
  if (Object.hasOwn(message, "lc_kwargs")) copy.lc_kwargs = { ...message.lc_kwargs, ...calls };
  return copy;
}
