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
  const settled = await Promise.allSettled(items.map((item) => (apart === undefined ? work(item) : ASIDE.now.aside(apart.scope, apart.nameOf(item), (config) => work(item, config)))));
  const reasons = settled.filter((one) => one.status === "rejected").map((one) => /** @type {PromiseRejectedResult} */ (one).reason);
  const failure = reasons.find((reason) => !isGraphInterrupt(reason)) ?? (reasons.length > 1 && apart !== undefined ? allOf(reasons) : reasons[0]);
  if (reasons.length > 0) throw failure;
  return settled.map((one) => /** @type {PromiseFulfilledResult<Result>} */ (one).value);
}

/** @param {any[]} interrupts */
function allOf(interrupts) {
  return new GraphInterrupt(interrupts.flatMap((one) => one.interrupts ?? []));
}
