// SPDX-License-Identifier: MIT
// Keeps work that is asked for often from running beside itself.

/**
 * Runs work that was asked for while it ran once more after it, not beside it.
 * @param {() => Promise<unknown>} work
 * @returns {() => Promise<void>}
 */
export function once(work) {
  let isRunning = false;
  let isWanted = false;
  return async () => {
    isWanted = true;
    if (isRunning) return;
    isRunning = true;
    try {
      while (isWanted) {
        isWanted = false;
        await work();
      }
    } finally {
      isRunning = false;
    }
  };
}
