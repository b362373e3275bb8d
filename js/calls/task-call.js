// SPDX-License-Identifier: MIT
// Runs a function made by task() as a separate task of the node that calls it. Does not depend on
// how calls are saved or resumed.
import { checkArgument } from "../base/check-arguments.js";
import { Calls } from "../run/tasks/calls.js";

/** @typedef {import("../plan/definition.js").Node} Node */

/** Key under which a function made by task() stores its callee, in the form of a plan's node. */
export const CALLED = /* @__PURE__ */ Symbol("task");

/**
 * Calls a step.
 * @param {import("../base/ambient.js").Scope} scope of the caller
 * @param {unknown} step return value of task()
 * @param {unknown[]} args
 * @returns {Promise<unknown>}
 */
export function callTask(scope, step, args) {
  const node = /** @type {{ [CALLED]?: Node } | undefined} */ (step)?.[CALLED];
  checkArgument(
    typeof node === "object",
    "runtime.task(step, ...args): step must be what task() returned",
  );
  return Calls.of(scope.task.run).add(scope, /** @type {Node} */ (node), args);
}
