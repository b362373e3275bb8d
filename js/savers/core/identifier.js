// SPDX-License-Identifier: MIT
// Refuses invalid ids of threads, checkpoints and tasks, with LangGraph's error texts.

const RESERVED = ["__proto__", "constructor", "prototype"];

/**
 * Throws unless the value is a valid id.
 * @param {string} key
 * @param {unknown} value
 * @param {boolean} [mayBeEmpty]
 * @param {boolean} [isMemory] whether the saver is a MemorySaver
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
  if (RESERVED.includes(/** @type {string} */ (value)))
    refuse(`value "${value}" is reserved (would mutate Object.prototype)${guards}`);
}

/**
 * Returns a required key of the config, else throws.
 * @param {import("../../base/merge-configs.js").Config} config
 * @param {string} key
 * @param {string} what what the saver was to store, for the error text
 */
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
