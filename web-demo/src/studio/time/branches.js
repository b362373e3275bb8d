// SPDX-License-Identifier: MIT
// Lays the checkpoints of a thread out in lanes: a fork begins a lane of its own. Must not know:
// how lanes are drawn.

/** @typedef {import("../server/client.js").ThreadState} ThreadState */
/**
 * `isFollowed`: another checkpoint follows it.
 * @typedef {{ id: string, parent: string | undefined, lane: number, column: number, isFollowed:
 *   boolean, state: ThreadState }} Mark
 */

/**
 * @param {readonly ThreadState[]} history the newest first
 * @returns {Mark[]} the oldest first; columns follow the order of time
 */
export function marksOf(history) {
  /** @type {Map<string, Mark>} */
  const marks = new Map();
  let lanes = 0;
  for (const state of [...history].reverse()) {
    const { checkpoint_id: id } = state.checkpoint;
    const parent = state.parent_checkpoint?.checkpoint_id;
    const before = parent === undefined ? undefined : marks.get(parent);
    // The first that follows a checkpoint stays in its lane.
    const isFork = before === undefined || before.isFollowed;
    if (before !== undefined) before.isFollowed = true;
    const lane = isFork ? lanes++ : before.lane;
    marks.set(id, { id, parent, lane, column: marks.size, isFollowed: false, state });
  }
  return [...marks.values()];
}

/**
 * What a checkpoint says at a glance.
 * @param {Mark} mark
 * @returns {"waiting" | "failed" | "open" | "done"} `open`: it has steps left, or had
 */
export function kindOf({ isFollowed, state: { next, tasks } }) {
  if (tasks.some(({ error }) => error)) return "failed";
  if (!isFollowed && tasks.some(({ interrupts }) => interrupts.length > 0)) return "waiting";
  return next.length > 0 ? "open" : "done";
}

/**
 * @param {readonly Mark[]} marks the oldest first
 * @param {string} from a checkpoint
 * @returns {string} the newest one that came of it, or itself
 */
export function newestBelow(marks, from) {
  const below = new Set([from]);
  let newest = from;
  for (const { id, parent } of marks)
    if (parent !== undefined && below.has(parent)) {
      below.add(id);
      newest = id;
    }
  return newest;
}

/**
 * @param {import("./history.js").History} history
 * @param {Mark | undefined} shown
 * @returns {Mark[]} the checkpoints that led to it, the first one first, and itself
 */
export function pathTo(history, shown) {
  const path = [];
  for (let mark = shown; mark !== undefined; mark = history.find(mark.parent)) path.push(mark);
  return path.reverse();
}

/** Each name once, with how often it comes. @param {readonly string[]} names */
export function namesOf(names) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => (count > 1 ? `${count} × ${name}` : name)).join(", ");
}
