// SPDX-License-Identifier: MIT
// Knows: how a node does parts of its work as tasks of their own: each is saved when it is done, asks under its own id,
// and is not shown as a task. Must not know tools.
import { Calls } from "../run/calls.js";
import { GraphInterrupt, isGraphInterrupt } from "../errors.js";

/** @typedef {import("../pregel/ambient.js").Scope} Scope */

/**
 * @template Result
 * @param {Scope} scope the node's
 * @param {string} name
 * @param {(config: any) => Result | Promise<Result>} work
 * @returns {Promise<Result>} from an earlier run, if it was done there
 */
function aside(scope, name, work) {
  const node = {
    name,
    isAside: true,
    branches: [],
    call: (/** @type {any} */ _input, /** @type {any} */ config) => work(config),
    write: (/** @type {Scope} */ own, /** @type {any} */ output) => {
      own.task.writes.value = output;
    },
  };
  return Calls.of(scope.task.run).add(scope, node, []);
}

/**
 * Does several things at once. Questions of all of them are asked together.
 * @template Item, Result
 * @param {readonly Item[]} items
 * @param {(item: Item, config?: any) => Promise<Result>} work
 * @param {{ scope: Scope, nameOf: (item: Item) => string } | undefined} apart how each becomes a task of its own
 * @returns {Promise<Result[]>}
 */
export async function doAll(items, work, apart) {
  const settled = await Promise.allSettled(items.map((item) => (apart === undefined ? work(item) : aside(apart.scope, apart.nameOf(item), (config) => work(item, config)))));
  const reasons = settled.filter((one) => one.status === "rejected").map((one) => /** @type {PromiseRejectedResult} */ (one).reason);
  const failure = reasons.find((reason) => !isGraphInterrupt(reason)) ?? (reasons.length > 1 && apart !== undefined ? allOf(reasons) : reasons[0]);
  if (reasons.length > 0) throw failure;
  return settled.map((one) => /** @type {PromiseFulfilledResult<Result>} */ (one).value);
}

/** @param {any[]} interrupts */
function allOf(interrupts) {
  return new GraphInterrupt(interrupts.flatMap((one) => one.interrupts ?? []));
}
