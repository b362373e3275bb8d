// SPDX-License-Identifier: MIT
// Knows: fields of a state that nobody writes: what a node is told of the run it is part of
// (LangGraph Python has them). They declare only. Must not know: runs.

/** @typedef {import("../base/callable.js").Value} Value */

/** A field that the run fills in for each node. */
export class ManagedValue {
  lg_is_channel = true;
  lc_graph_name = "ManagedValue";

  /** @param {(task: any) => Value} read what a running task finds */
  constructor(read) {
    this.read = read;
  }
}

/** How many steps the recursion limit allows, this one counted. */
export const RemainingSteps = /* @__PURE__ */ new ManagedValue((task) => task.stepsLeft + 1);
/** Is this the last step that the recursion limit allows? */
export const IsLastStep = /* @__PURE__ */ new ManagedValue((task) => task.stepsLeft === 0);

/** @param {Value} value @returns {value is ManagedValue} */
export function isManaged(value) {
  return value?.lc_graph_name === "ManagedValue";
}

/**
 * Takes the managed fields out of a schema's channels.
 * @param {Record<string, Value>} channels
 * @param {Record<string, ManagedValue>} managed to which they are added
 */
export function takeManaged(channels, managed) {
  for (const [key, value] of Object.entries(channels)) {
    if (!isManaged(value)) continue;
    managed[key] = value;
    delete channels[key];
  }
}

/**
 * Puts what managed fields are for this task into what it reads.
 * @param {Record<string, ManagedValue> | undefined} managed
 * @param {any} task
 * @param {Value} state
 */
export function fillManaged(managed, task, state) {
  if (managed === undefined) return state;
  return Object.assign(
    state,
    Object.fromEntries(Object.entries(managed).map(([key, { read }]) => [key, read(task)])),
  );
}
