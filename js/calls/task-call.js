// SPDX-License-Identifier: MIT
// Knows: how node code calls what task() made, as a task of its own. Must not know: how calls are
// saved or resumed.
import { checkArgument } from "../base/check-arguments.js";
import { Calls } from "../run/tasks/calls.js";

/** @typedef {import("../base/callable.js").Value} Value */

/**
 * Under this key a function that task() made holds what is called, in the shape of a plan's node.
 */
export const CALLED = /* @__PURE__ */ Symbol("task");

/**
 * @param {import("../base/ambient.js").Scope} scope the caller's
 * @param {Value} step what task() returned
 * @param {unknown[]} args
 * @returns {Promise<unknown>}
 */
export function callTask(scope, step, args) {
  checkArgument(
    typeof step?.[CALLED] === "object",
    "runtime.task(step, ...args): step must be what task() returned",
  );
  return Calls.of(scope.task.run).add(scope, step[CALLED], args);
}
