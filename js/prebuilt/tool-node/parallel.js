// SPDX-License-Identifier: MIT
// Knows: how a node does several things at once, and what it fails with when some of them do. Must
// not know tools.
import { GraphInterrupt, isGraphInterrupt } from "../../base/errors.js";
import { aside } from "./subtask.js";

/** @typedef {import("../../base/callable.js").Value} Value */
/** @typedef {import("../../base/ambient.js").Scope} Scope */

/**
 * Does several things at once. Questions of all of them are asked together.
 * @template Item, Result
 * @param {readonly Item[]} items
 * @param {(item: Item, config?: unknown) => Promise<Result>} work
 * @param {{ scope: Scope, nameOf: (item: Item) => string, placeOf?: (item: Item) => number } |
 *   undefined} apart how each becomes a task of its own
 * @param {number} [limit] at most so many at a time
 * @returns {Promise<Result[]>}
 */
export async function doAll(items, work, apart, limit) {
  if (items.length === 1 && apart === undefined) return [await work(items[0])];
  /** @type {Value[]} */
  const asked = [];
  // What fails fails the whole at once; who asks waits for the others, that may ask too.
  const later = (/** @type {unknown} */ reason) => {
    if (!isGraphInterrupt(reason)) throw reason;
    asked.push(reason);
  };
  const start = (/** @type {Item} */ item) =>
    (apart === undefined
      ? work(item)
      : aside(
          apart.scope,
          apart.nameOf(item),
          (config) => work(item, config),
          undefined,
          apart.placeOf?.(item),
        )
    ).catch(later);
  const results = await (limit !== undefined && limit > 0 && limit < items.length
    ? inTurn(items, limit, start)
    : Promise.all(items.map(start)));
  if (asked.length > 0) throw asked.length > 1 && apart !== undefined ? allOf(asked) : asked[0];
  return /** @type {Result[]} */ (results);
}

/**
 * In order; none is begun after a failure.
 * @template Item
 * @param {readonly Item[]} items
 * @param {number} limit
 * @param {(item: Item) => Promise<unknown>} start
 */
async function inTurn(items, limit, start) {
  /** @type {unknown[]} */
  const results = [];
  let next = 0;
  const work = async () => {
    while (next < items.length) {
      const at = next++;
      try {
        results[at] = await start(items[at]);
      } catch (error) {
        next = items.length;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: limit }, work));
  return results;
}

/** @param {Value[]} interrupts */
function allOf(interrupts) {
  return new GraphInterrupt(interrupts.flatMap((one) => one.interrupts ?? []));
}
