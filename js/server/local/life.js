// SPDX-License-Identifier: MIT
// Tells programs of one origin (pages, workers) when another one is gone, though it could not say
// so: each holds a lock for as long as it lives, and who gets that lock knows.

const { locks } = globalThis.navigator ?? {};

/** @type {Promise<string | undefined> | undefined} */
let own;

/**
 * @returns {Promise<string | undefined>} this program's lock; undefined: there are no locks here
 */
export function ownLock() {
  own ??= new Promise((resolve) => {
    if (locks === undefined) return resolve(undefined);
    const name = `weft:${crypto.randomUUID()}`;
    const live = () => {
      resolve(name);
      return new Promise(() => {});
    };
    locks.request(name, live).catch(() => resolve(undefined));
  });
  return own;
}

/**
 * @param {string | undefined} lock of the other program
 * @param {AbortSignal} signal ends the waiting
 * @param {() => void} then
 */
export function whenGone(lock, signal, then) {
  if (lock !== undefined) locks?.request(lock, { signal }, async () => then()).catch(() => {});
}
