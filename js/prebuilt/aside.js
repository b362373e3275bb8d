// SPDX-License-Identifier: MIT
// Knows: how a node does parts of its work as tasks of their own: each is saved when it is done, asks under its own id,
// and is not shown as a task. Must not know tools.
import { Calls } from "../run/calls.js";

/** @typedef {import("../pregel/ambient.js").Scope} Scope */

/**
 * @template Result
 * @param {Scope} scope the node's
 * @param {string} name
 * @param {(config: any) => Result | Promise<Result>} work
 * @param {{ retry?: any, timeout?: any }} [policies] of the task
 * @returns {Promise<Result>} from an earlier run, if it was done there
 */
export function aside(scope, name, work, policies) {
  const node = {
    name,
    isAside: true,
    ...policies,
    branches: [],
    call: (/** @type {any} */ _input, /** @type {any} */ config) => work(config),
    write: (/** @type {Scope} */ own, /** @type {any} */ output) => {
      own.task.writes.value = output;
    },
  };
  return Calls.of(scope.task.run).add(scope, node, []);
}
