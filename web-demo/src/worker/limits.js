// SPDX-License-Identifier: MIT
// Keeps the limits that runs in this worker begin with, and runs graphs with them.
import { listener } from "./measures.js";

/**
 * Limits of a run; those that are left out are none. `cost` in dollars, `price` in dollars per
 * million tokens.
 * @typedef {{ steps?: number, tokens?: number, cost?: number, price?: number, seconds?: number }}
 *   RunLimits
 */

const KEYS = /** @type {const} */ (["steps", "tokens", "cost", "price", "seconds"]);

/** @type {RunLimits} */
let chosen = {};

/** @param {unknown} value @returns {RunLimits} what holds now */
export function setLimits(value) {
  const from = /** @type {Record<string, unknown>} */ (value ?? {});
  chosen = {};
  for (const key of KEYS) {
    const limit = from[key];
    if (typeof limit === "number" && limit >= 0 && Number.isFinite(limit)) chosen[key] = limit;
  }
  return chosen;
}

/** @param {any} options @returns {Record<string, unknown>} options of a call of a graph */
function callOptions({ callbacks = [] } = {}) {
  const { steps, tokens, cost, price = 0, seconds } = chosen;
  const limits = {
    ...(tokens === undefined ? {} : { tokens }),
    ...(cost === undefined ? {} : { costMicros: Math.round(cost * 1e6), price: priceOf(price) }),
    ...(seconds === undefined ? {} : { deadlineMs: seconds * 1000 }),
  };
  return {
    // What the page was told of a step is stored before the next one begins.
    durability: "sync",
    callbacks: [...callbacks, listener],
    ...(steps === undefined ? {} : { recursionLimit: Math.max(1, steps) }),
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
  };
}

/** @param {number} price @returns {(usage: { total_tokens: number }) => number} millionths */
function priceOf(price) {
  return ({ total_tokens }) => Math.round(total_tokens * price);
}

/**
 * Gives each run of a graph the limits that hold when it begins, and measures it.
 * @template {object} Graph
 * @param {Graph} graph
 * @returns {Graph}
 */
export function withLimits(graph) {
  return new Proxy(graph, {
    get(of, key) {
      const value = /** @type {any} */ (of)[key];
      if (key === "stream")
        return (/** @type {unknown} */ input, /** @type {object} */ options) =>
          value.call(of, input, { ...options, ...callOptions(options) });
      return typeof value === "function" ? value.bind(of) : value;
    },
  });
}
