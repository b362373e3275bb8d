// SPDX-License-Identifier: MIT
// Waits for a time or for a promise, until a signal is aborted.

/** Longest time of a timer, 24.8 days; a longer one rings at once. */
export const LONGEST_MS = 2 ** 31 - 1;

/** @param {number} ms @param {AbortSignal} signal */
export function pause(ms, signal) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const over = new Promise((resolve) => (timer = setTimeout(resolve, ms)));
  return unlessAborted(over, signal).finally(() => clearTimeout(timer));
}

/**
 * Waits as a part of a call, which ends with an AbortError.
 * @param {number} ms @param {AbortSignal} [signal]
 */
export function pauseCall(ms, signal = new AbortController().signal) {
  return pause(ms, signal).catch(() => {
    throw abortError(signal);
  });
}

/**
 * Makes the error of an aborted call; always named AbortError, whatever the reason was.
 * @param {AbortSignal} signal
 * @returns {Error}
 */
export function abortError(signal) {
  const { reason } = signal;
  if (reason?.name === "AbortError") return reason;
  const error = new Error("The call was aborted", { cause: reason });
  error.name = "AbortError";
  return error;
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

/**
 * What this module reads of the realm, which depends on the runtime.
 * @typedef {{ process?: { getBuiltinModule?: (name: string) => { setMaxListeners?: (most: number,
 *   signal: AbortSignal) => void } | undefined } }} Realm
 */

/**
 * Lets many calls listen to one signal at once. Node takes more than ten listeners for a leak, and
 * warns; each parallel call has one, and takes it away when it ends.
 * @param {AbortSignal} signal
 */
export function allowListeners(signal) {
  const { process } = /** @type {Realm} */ (globalThis);
  process?.getBuiltinModule?.("node:events")?.setMaxListeners?.(0, signal);
}
