// SPDX-License-Identifier: MIT
// What cannot be the id of a thread, a checkpoint or a task, in LangGraph's words. Owns nothing.

/** @typedef {import("../../base/callable.js").Value} Value */

const RESERVED = ["__proto__", "constructor", "prototype"];

/**
 * @param {string} key
 * @param {Value} value
 * @param {boolean} [mayBeEmpty]
 * @param {boolean} [isMemory] is it for a MemorySaver?
 */
export function checkIdentifier(key, value, mayBeEmpty = false, isMemory = true) {
  const refuse = (/** @type {string} */ why) => {
    throw new Error(`Invalid configurable value for key "${key}": ${why}`);
  };
  const guards = isMemory ? ". This guard protects MemorySaver from prototype pollution." : ".";
  if (typeof value !== "string")
    refuse(
      `expected a string identifier (got ${value === null ? "null" : Array.isArray(value) ? "array" : typeof value})${guards}`,
    );
  if (value === "" && !mayBeEmpty)
    refuse("empty string is not permitted as an in-memory storage key.");
  if (RESERVED.includes(value))
    refuse(`value "${value}" is reserved (would mutate Object.prototype)${guards}`);
}

/** @param {any} config @param {string} key @param {string} what is put */
export function required(config, key, what) {
  const value = config.configurable?.[key];
  if (value !== undefined) return value;
  const more =
    ' When using a checkpointer, you must pass a "thread_id" so the checkpointer knows which conversation thread to persist state for.' +
    ' Example: graph.stream(input, { configurable: { thread_id: "my-thread-id" } })';
  throw new Error(
    `Failed to put ${what}. The passed RunnableConfig is missing a required "${key}" field in its "configurable" property.${key === "thread_id" ? more : ""}`,
  );
}
