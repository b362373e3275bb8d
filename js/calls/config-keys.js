// SPDX-License-Identifier: MIT
// Adds the hidden config keys by which LangGraph's own helpers (the generative UI of its SDK) write
// to a task and read its state. They are not enumerable. Does not depend on how a config is made.
import { freshState } from "../plan/task-state.js";
import { writePairs } from "../plan/writes.js";
import { SCOPE } from "../base/ambient.js";

/** @type {Record<string, (scope: import("../base/ambient.js").Scope) => unknown>} */
const MADE = {
  __pregel_task_id: ({ task }) => task.id,
  __pregel_send:
    ({ plan, task }) =>
    (/** @type {[string, unknown][]} */ pairs) =>
      writePairs(plan, task, pairs),
  __pregel_read:
    ({ plan, task }) =>
    (/** @type {string | string[]} */ keys, fresh = false) => {
      const state = fresh ? freshState(plan, task) : task.run.readState();
      if (!Array.isArray(keys)) return state[keys];
      return Object.fromEntries(keys.filter((key) => key in state).map((key) => [key, state[key]]));
    },
};

const KEYS = Object.fromEntries(
  Object.entries(MADE).map(([key, make]) => [
    key,
    {
      /** @this {{ [SCOPE]: import("../base/ambient.js").Scope }} */
      get() {
        return make(this[SCOPE]);
      },
      configurable: true,
    },
  ]),
);

/**
 * Adds the keys to a task's `configurable`.
 * @template {object} Configurable
 * @param {Configurable} configurable of a task
 * @param {() => unknown} map makes its `checkpoint_map`
 * @returns {Configurable} the same object
 */
export function withKeys(configurable, map) {
  return Object.defineProperties(configurable, { ...KEYS, checkpoint_map: { get: map } });
}
