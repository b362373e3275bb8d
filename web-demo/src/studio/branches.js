// SPDX-License-Identifier: MIT
// Lays the checkpoints of a thread out in lanes: a fork begins a lane of its own. Must not know:
// how lanes are drawn.

/** @typedef {import("./client.js").ThreadState} ThreadState */
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
