// SPDX-License-Identifier: MIT
// Knows: how a message looks whose tool calls were changed. Must not know tools.

/** @typedef {import("../../messages/base.js").Message} Message */
/** @typedef {import("../../messages/tool-calls.js").ToolCall} ToolCall */

/**
 * A copy of the message whose calls bear other ids or arguments; its own id makes it take the
 * original's place.
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
