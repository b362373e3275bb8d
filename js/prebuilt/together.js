// SPDX-License-Identifier: MIT
// Knows: how a node does several things at once, and what it fails with when some of them do. Must not know tools.
import { GraphInterrupt, isGraphInterrupt } from "../errors.js";
import { Later } from "../later.js";

const ASIDE = /* @__PURE__ */ new Later(() => import("./aside.js"));

/** @typedef {import("../pregel/ambient.js").Scope} Scope */

/**
 * Does several things at once. Questions of all of them are asked together.
 * @template Item, Result
 * @param {readonly Item[]} items
 * @param {(item: Item, config?: any) => Promise<Result>} work
 * @param {{ scope: Scope, nameOf: (item: Item) => string } | undefined} apart how each becomes a task of its own
 * @returns {Promise<Result[]>}
 */
export async function doAll(items, work, apart) {
  if (items.length === 1 && apart === undefined) return [await work(items[0])];
  if (apart !== undefined) await ASIDE.need();
  /** @type {any[]} */
  const asked = [];
  // What fails fails the whole at once; who asks waits for the others, that may ask too.
  const later = (/** @type {any} */ reason) => {
    if (!isGraphInterrupt(reason)) throw reason;
    asked.push(reason);
  };
  const start = (/** @type {Item} */ item) => (apart === undefined ? work(item) : ASIDE.now.aside(apart.scope, apart.nameOf(item), (config) => work(item, config)));
  const results = await Promise.all(items.map((item) => start(item).catch(later)));
  if (asked.length > 0) throw asked.length > 1 && apart !== undefined ? allOf(asked) : asked[0];
  return /** @type {Result[]} */ (results);
}

/** @param {any[]} interrupts */
function allOf(interrupts) {
  return new GraphInterrupt(interrupts.flatMap((one) => one.interrupts ?? []));
}
