// SPDX-License-Identifier: MIT
// Who holds a thread, among the stores of this process that keep their threads in one place. Owns who waits.

/** @type {Map<unknown, Map<string, Promise<void>>>} */
const held = new Map();

/**
 * The `hold` of the LOG port, for a place that has no locks of its own.
 * @param {unknown} place what the stores have in common
 * @returns {NonNullable<import("./log-port.js").LogStore["hold"]>}
 */
export function holdAt(place) {
  return (threadId, options = {}) => hold(place, threadId, options);
}

/** @param {unknown} place @param {string} threadId @param {{ wait?: boolean, signal?: AbortSignal }} options */
async function hold(place, threadId, { wait = false, signal }) {
  const threads = held.get(place) ?? new Map();
  const before = threads.get(threadId);
  if (before !== undefined && !wait) return undefined;
  held.set(place, threads);
  /** @type {() => void} */
  let release = () => {};
  const turn = new Promise((resolve) => (release = () => resolve(undefined)));
  const last = before === undefined ? turn : before.then(() => turn);
  threads.set(threadId, last);
  last.then(() => {
    if (threads.get(threadId) === last) threads.delete(threadId);
    if (threads.size === 0) held.delete(place);
  });
  if (before !== undefined) await before;
  if (signal?.aborted) release();
  signal?.throwIfAborted();
  return release;
}
