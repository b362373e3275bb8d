// SPDX-License-Identifier: MIT
// What a put's config must name. Owns nothing.

/** @param {any} config @param {string} key @param {string} what is put */
export function required(config, key, what) {
  const value = config.configurable?.[key];
  if (value !== undefined) return value;
  const more =
    ' When using a checkpointer, you must pass a "thread_id" so the checkpointer knows which conversation thread to persist state for.' +
    ' Example: graph.stream(input, { configurable: { thread_id: "my-thread-id" } })';
  throw new Error(`Failed to put ${what}. The passed RunnableConfig is missing a required "${key}" field in its "configurable" property.${key === "thread_id" ? more : ""}`);
}
