// SPDX-License-Identifier: MIT
// Defines read-only fields of a state, with facts about the run (as in LangGraph Python). They are
// declarations only. Does not depend on runs.

/** @typedef {import("../base/callable.js").Value} Value */

/** A field whose value the run sets for each node. */
export class ManagedValue {
  lg_is_channel = true;
  lc_graph_name = "ManagedValue";

  /** @param {(task: any) => unknown} read computes the value for a running task */
  constructor(read) {
    this.read = read;
  }
}

/** Steps that the recursion limit allows, including this one. */
export const RemainingSteps = /* @__PURE__ */ new ManagedValue((task) => task.stepsLeft + 1);
/** Is this the last step that the recursion limit allows? */
export const IsLastStep = /* @__PURE__ */ new ManagedValue((task) => task.stepsLeft === 0);

/** @param {Value} value @returns {value is ManagedValue} */
export function isManaged(value) {
  return value?.lc_graph_name === "ManagedValue";
}

/**
 * Moves the managed fields out of a schema's channels.
 * @param {Record<string, unknown>} channels
 * @param {Record<string, ManagedValue>} managed where they are added
 */
export function takeManaged(channels, managed) {
  for (const [key, value] of Object.entries(channels)) {
    if (!isManaged(value)) continue;
    managed[key] = value;
    delete channels[key];
  }
}

/**
 * Adds the managed fields' values for this task to its input.
 * @param {Record<string, ManagedValue> | undefined} managed
 * @param {unknown} task
 * @param {Value} state
 */
export function fillManaged(managed, task, state) {
  if (managed === undefined) return state;
  return Object.assign(
    state,
    Object.fromEntries(Object.entries(managed).map(([key, { read }]) => [key, read(task)])),
  );
}
