// SPDX-License-Identifier: MIT
// Waits for a time or for a promise, until a signal is aborted.

/** @param {number} ms @param {AbortSignal} signal */
export function pause(ms, signal) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const over = new Promise((resolve) => (timer = setTimeout(resolve, ms)));
  return unlessAborted(over, signal).finally(() => clearTimeout(timer));
}

/**
 * @param {Promise<unknown>} work
 * @param {AbortSignal} signal
 * @returns {Promise<unknown>} rejects when the signal is aborted before the work is done
 */
export function unlessAborted(work, signal) {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
