// SPDX-License-Identifier: MIT
// Knows: how many steps a run has left, as LangGraph Python counts them. Owns the first step it saw of each run.
// Must not know who asks.
import { scopeOf } from "../pregel/ambient.js";

/** @type {WeakMap<object, number>} the last step that a run may take */
const ends = new WeakMap();

/**
 * @param {any} config a node's
 * @returns {number} steps behind the running one
 */
export function remainingSteps(config) {
  const { task } = /** @type {any} */ (scopeOf(config));
  const step = config.metadata.langgraph_step;
  const known = ends.get(task.run);
  if (known !== undefined) return known - step;
  // A resumed run goes on where it stopped; a new one spends its first two steps on the input.
  const { isNull, isCommand } = task.run.request;
  const left = /** @type {number} */ (config.recursionLimit) + (isNull || isCommand ? 1 : -1);
  ends.set(task.run, step + left);
  return left;
}
