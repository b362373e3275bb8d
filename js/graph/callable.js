// SPDX-License-Identifier: MIT
// Knows: what can stand where a node or a condition is expected (function, Runnable, object of them) and how to call it.
// Must not know: graphs, runs.

/** @typedef {(input: any, config: any) => any} Call */

/** @param {any} value @returns {boolean} does it have LangChain's shape of a Runnable? */
export function isRunnable(value) {
  return typeof value === "object" && value !== null && typeof value.invoke === "function";
}

/**
 * One function for any of the three; a Runnable gets the config as it is, an object of them runs all on one input.
 * @param {any} action
 * @returns {Call}
 */
export function toCall(action) {
  if (typeof action === "function") return action;
  if (isRunnable(action)) return (input, config) => action.invoke(input, config);
  if (typeof action === "object" && !Array.isArray(action)) return toMapCall(action);
  throw new Error("Expected a Runnable, function or object.\nInstead got an unsupported type.");
}

/** @param {Record<string, any>} actions @returns {Call} */
function toMapCall(actions) {
  const calls = Object.entries(actions).map(([key, action]) => /** @type {const} */ ([key, toCall(action)]));
  return async (input, config) => {
    const results = await Promise.all(calls.map(async ([key, call]) => [key, await call(input, config)]));
    return Object.fromEntries(results);
  };
}

/** @param {any} value @returns {value is Promise<any>} */
export function isPromise(value) {
  return typeof value === "object" && value !== null && typeof value.then === "function";
}
