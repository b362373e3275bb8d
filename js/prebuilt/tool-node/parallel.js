// SPDX-License-Identifier: MIT
// Runs several pieces of a node's work at once and combines their failures. Does not depend on
// tools.
import { GraphInterrupt, isGraphInterrupt } from "../../base/errors.js";
import { aside } from "./subtask.js";

/** @typedef {import("../../base/ambient.js").Scope} Scope */
/** @typedef {import("../../base/merge-configs.js").Config} Config */

/**
 * Runs several pieces of work at once and raises their interrupts together.
 * @template Item, Result
 * @param {readonly Item[]} items
 * @param {(item: Item, config?: Config) => Promise<Result>} work
 * @param {{ scope: Scope, nameOf: (item: Item) => string, placeOf?: (item: Item) => number } |
 *   undefined} apart how each piece becomes a separate task
 * @param {number} [limit] maximum number at a time; 0: all
 * @returns {Promise<Result[]>}
 */
export async function doAll(items, work, apart, limit = 0) {
  if (items.length === 1 && apart === undefined) return [await work(items[0])];
  /** @type {GraphInterrupt[]} */
  const asked = [];
  // An error fails everything at once; an interrupt waits for the others, which may interrupt too.
  const later = (/** @type {unknown} */ reason) => {
    if (!isGraphInterrupt(reason)) throw reason;
    asked.push(/** @type {GraphInterrupt} */ (reason));
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
  const results = await (limit > 0 && limit < items.length
    ? inTurn(items, limit, start)
    : Promise.all(items.map(start)));
  if (asked.length > 1 && apart !== undefined)
    throw new GraphInterrupt(asked.flatMap(({ interrupts }) => interrupts ?? []));
  if (asked.length > 0) throw asked[0];
  return /** @type {Result[]} */ (results);
}

/**
 * Runs the items in order, at most `limit` at a time; starts none after a failure.
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
