// SPDX-License-Identifier: MIT
// Knows: what can be called, and what it may give. Must not know: graphs, runs.

/** @typedef {(input: any, config: any) => any} Call */

/** @param {any} value @returns {boolean} does it have LangChain's shape of a Runnable? */
export function isRunnable(value) {
  return typeof value === "object" && value !== null && typeof value.invoke === "function";
}

/** @param {any} value @returns {value is Promise<any>} */
export function isPromise(value) {
  return typeof value?.then === "function";
}
