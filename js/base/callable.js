// SPDX-License-Identifier: MIT
// Recognises callables (a function, a Runnable of LangChain or Weft's) and promises. Does not
// depend on graphs or runs.

/**
 * A value of the user's, or an object of another package whose fields are probed. Central objects
 * have types of their own.
 * @typedef {any} Value
 */
/** @typedef {(input: Value, config: Value) => Value} Call */
/**
 * A callable in LangChain's shape.
 * @typedef {{ invoke: Call, [key: string]: Value }} RunnableLike
 */

/** @param {Value} value @returns {boolean} does it have LangChain's shape of a Runnable? */
export function isRunnable(value) {
  return typeof value === "object" && value !== null && typeof value.invoke === "function";
}

/** @param {Value} value @returns {value is Promise<unknown>} */
export function isPromise(value) {
  return typeof value?.then === "function";
}
