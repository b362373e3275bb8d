// SPDX-License-Identifier: MIT
// Holds Web Locks for as long as a promise that its holder settles, and tells when a lock is free.

/** @typedef {() => void} Release */

/**
 * @param {string} name
 * @param {LockOptions} [options]
 * @returns {Promise<Release | undefined>} undefined: it was to be available, and is not
 */
export function hold(name, options = {}) {
  return new Promise((resolve, reject) => {
    const granted = (/** @type {Lock | null} */ lock) => {
      if (lock === null) return resolve(undefined);
      return new Promise((end) => resolve(() => end(undefined)));
    };
    navigator.locks.request(name, options, granted).catch(reject);
  });
}

/**
 * @param {string} name
 * @param {AbortSignal} signal ends the waiting
 * @param {() => void} then called when nobody holds the lock
 */
export function whenFree(name, signal, then) {
  hold(name, { signal }).then(
    (release) => {
      release?.();
      then();
    },
    () => {},
  );
}

/** @param {string} prefix @returns {Promise<string[]>} what follows it in names of held locks */
export async function heldBelow(prefix) {
  const { held = [] } = await navigator.locks.query();
  return held.flatMap(({ name = "" }) =>
    name.startsWith(prefix) ? [name.slice(prefix.length)] : [],
  );
}

/** @returns {boolean} Does the platform have what servers of several tabs need? */
export function hasTabs() {
  return globalThis.navigator?.locks !== undefined && typeof BroadcastChannel === "function";
}
