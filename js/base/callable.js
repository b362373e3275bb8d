// SPDX-License-Identifier: MIT
// Recognises callables (a function, a Runnable of LangChain or Weft's) and promises. Does not
// depend on graphs or runs.

/**
 * A value of the user's, or an object of another package whose fields are probed. Central objects
 * have types of their own.
 * @typedef {any} Value
 */
/** @typedef {(input: any, config: any) => unknown} Call */
/**
 * A callable in LangChain's shape.
 * @typedef {{ invoke: Call, [key: string]: Value }} RunnableLike
 */

/**
 * Does it have LangChain's shape of a Runnable?
 * @param {unknown} value @returns {value is RunnableLike}
 */
export function isRunnable(value) {
  const given = /** @type {Partial<RunnableLike> | null} */ (value);
  return typeof given === "object" && given !== null && typeof given.invoke === "function";
}

/**
 * @template T
 * @param {T | Promise<T>} value
 * @returns {value is Promise<T>}
 */
export function isPromise(value) {
  return typeof (/** @type {{ then?: unknown } | undefined } */ (value)?.then) === "function";
}
