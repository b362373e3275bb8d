// SPDX-License-Identifier: MIT
// Knows: which tab is at work on a thread, by a Web Lock that goes with its tab. It keeps tabs out
// of each other's way; what keeps the thread whole is the saver's own comparison. Without Web Locks
// every tab may work. Must not know: conversations.

/** @param {string} id */
const nameOf = (id) => `weft-demo-work:${id}`;

/**
 * Marks the thread as worked on by this tab. Answers how to end that; undefined when another tab is
 * at work.
 * @param {string} id
 * @returns {Promise<(() => void) | undefined>}
 */
export async function beginWork(id) {
  if (!navigator.locks) return () => {};
  return new Promise((answer, fail) => {
    const held = navigator.locks.request(nameOf(id), { ifAvailable: true }, (lock) => {
      if (!lock) return answer(undefined);
      return new Promise((end) => answer(() => end(undefined)));
    });
    held.catch(fail);
  });
}

/** @param {string} id @returns {Promise<boolean>} */
export async function isWorkedOn(id) {
  const { held } = (await navigator.locks?.query()) ?? {};
  return held?.some(({ name }) => name === nameOf(id)) ?? false;
}

/** Resolves when no tab is at work on the thread. @param {string} id @returns {Promise<void>} */
export async function whenFree(id) {
  await navigator.locks?.request(nameOf(id), { mode: "shared" }, () => {});
}
