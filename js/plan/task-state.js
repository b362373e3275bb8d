// SPDX-License-Identifier: MIT
// Computes the state that a task would leave: what it reads, with its own writes. Does not depend
// on nodes or runs.
import { ROOT } from "../base/constants.js";
import { ENTRY_MESSAGES, ENTRY_OVERWRITE } from "../base/codes.js";
import { fillManaged } from "../state/managed.js";
import { joinMessages } from "../state/messages-reducer.js";

/** @typedef {import("../run/tasks/task.js").Task} Task */
/** @typedef {import("./definition.js").Plan} Plan */
/** @typedef {import("./definition.js").Node} Node */

/**
 * Returns the state with this task's own writes, and no other task's.
 * @param {Plan} plan
 * @param {Task} task
 */
export function freshState(plan, task) {
  const state = task.run.readState();
  const { state: writes } = task.writes;
  let isNew = false;
  for (let i = 0; i < writes.length; i += 4) {
    const channel = writes[i + 1];
    const key = plan.keys[channel];
    const { reducer, isMessages, own } = plan.channels[channel];
    const value = writes[i + 2];
    isNew ||= !(key in state);
    if (own !== undefined) {
      task.run.mirror.preview(channel, writes, state, key);
      continue;
    }
    if (writes[i] === ENTRY_MESSAGES)
      state[key] = joinOwn(task, /** @type {unknown[]} */ (state[key] ?? []), writes, i);
    else if (isMessages) continue;
    else if (reducer === undefined || writes[i] === ENTRY_OVERWRITE || state[key] === undefined)
      state[key] = value;
    else if ((state[key] = reducer(state[key], value)) === undefined) delete state[key];
  }
  return fillManaged(plan.managed, task, isNew ? pick(state, plan.keys) : state);
}

/**
 * Joins a task's own messages to the list it reads. The usual case, one entry of new messages,
 * costs these messages only.
 * @param {Task} task
 * @param {unknown[]} list a copy, modified in place
 * @param {Task["writes"]["state"]} writes
 * @param {number} i
 */
function joinOwn(task, list, writes, i) {
  const added = writes[i + 2];
  if (isOverwritten(writes, i)) return joinMessages([], added);
  const isFirst =
    writes.findIndex(
      (part, at) => at % 4 === 0 && part === ENTRY_MESSAGES && writes[at + 1] === writes[i + 1],
    ) === i;
  if (!isFirst || !task.run.mirror.takesAtEnd(writes[i + 1], added))
    return joinMessages(list, added);
  list.push(...added);
  return list;
}

/**
 * Is the MESSAGES entry at `i` the value of the OVERWRITE before it?
 * @param {unknown[]} writes
 * @param {number} i
 */
function isOverwritten(writes, i) {
  return i >= 4 && writes[i - 4] === ENTRY_OVERWRITE && writes[i - 3] === writes[i + 1];
}

/** Returns a node's view of the state. @param {Node} node @param {Record<string, unknown>} state */
export function nodeInput(node, state) {
  if (node.read !== undefined) return node.read(state);
  if (node.keys === undefined) return state;
  return node.keys === ROOT ? state[ROOT] : pick(state, /** @type {string[]} */ (node.keys));
}

/** @param {Record<string, unknown>} state @param {string[]} keys */
function pick(state, keys) {
  /** @type {Record<string, unknown>} */
  const picked = {};
  for (const key of keys) if (Object.hasOwn(state, key)) picked[key] = state[key];
  return picked;
}
