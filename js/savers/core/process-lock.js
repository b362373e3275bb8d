// SPDX-License-Identifier: MIT
// Locks a thread among processes that share a place: waits for the holder, keeps the lock fresh,
// and lets waiting processes have their turns. What the lock is made of is the place's matter
// (file/thread-lock.js, deno-kv/thread-lock.js). The lock only keeps runs from interfering; the
// comparison of heads keeps the thread consistent.

/** Lifetime of an untouched lock, in ms: longer than a process may block its timers. */
export const LEASE_MS = 10_000;
const BEAT_MS = 2_000;
/**
 * Maximum time in ms to wait for one run of another process: a hanging run must not block all later
 * ones.
 */
const WAIT_MS = 600_000;

/**
 * A lock in a place, for one holder. `take`: takes the lock, also from a holder that is gone;
 * answers who holds it if another one does. `ask`: tells that holder that another process waits.
 * `settle`: the lock was taken after `ask`. `touch`: shows that this holder is at work. `letGo`:
 * releases the lock if it is still this holder's; answers whether another process waits. `pollMs`:
 * a waiting process checks again after a random time in this range. `giveWayMs`: for so long a
 * process leaves a wanted lock to others, all of which check meanwhile.
 * @typedef {{ take: () => Promise<string | undefined>, ask: () => Promise<unknown>, settle?: () =>
 *   Promise<unknown>, touch: () => unknown, letGo: () => boolean | Promise<boolean>, pollMs:
 *   number[], giveWayMs: number }} PlacedLock
 */

/** Locks of one kind of place. */
export class ProcessLocks {
  /**
   * Time until which this process leaves a lock to others, by key. All times here are of a clock
   * that nobody sets.
   * @type {Map<string, number>}
   */
  #givesWay = new Map();
  /**
   * Current holder of a lock, and since when this process waits for it.
   * @type {Map<string, { holder: string, since: number }>}
   */
  #found = new Map();

  /**
   * Takes a lock. In this process one caller at a time asks for it.
   * @param {string} key of the lock
   * @param {PlacedLock} lock
   * @param {{ wait?: boolean, signal?: AbortSignal }} options
   * @returns {Promise<(() => void | Promise<void>) | undefined>} releases the lock; undefined when
   *   another process holds it, or held it for WAIT_MS
   */
  async take(key, lock, { wait = false, signal }) {
    let hasAsked = false;
    const until = this.#givesWay.get(key);
    this.#givesWay.delete(key);
    if (wait && until !== undefined) await pause(until - performance.now(), signal);
    for (;;) {
      const holder = await lock.take();
      if (holder === undefined) break;
      if (!wait) return undefined;
      let seen = this.#found.get(key);
      if (seen === undefined || seen.holder !== holder) {
        seen = { holder, since: performance.now() };
        this.#found.set(key, seen);
      }
      if (performance.now() - seen.since > WAIT_MS) return undefined;
      hasAsked = true;
      await lock.ask();
      const [least, most] = lock.pollMs;
      await pause(least + Math.random() * (most - least), signal);
    }
    this.#found.delete(key);
    if (hasAsked) await lock.settle?.();
    const beat = setInterval(() => lock.touch(), BEAT_MS);
    unref(beat);
    return () => {
      clearInterval(beat);
      const wanted = lock.letGo();
      if (typeof wanted !== "boolean") return wanted.then((is) => this.#giveWay(is, key, lock));
      this.#giveWay(wanted, key, lock);
    };
  }

  /** @param {boolean} isWanted @param {string} key @param {PlacedLock} lock */
  #giveWay(isWanted, key, { giveWayMs }) {
    if (!isWanted) return;
    this.#givesWay.set(key, performance.now() + giveWayMs);
    unref(setTimeout(() => this.#givesWay.delete(key), giveWayMs));
  }
}

/** Lets the process end before a timer. @param {unknown} timer a number in Deno */
function unref(timer) {
  /** @type {{ unref?: () => void }} */ (timer).unref?.();
}

/**
 * @param {number} ms
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<void>} rejects with the signal's reason
 */
function pause(ms, signal) {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      if (signal?.aborted) reject(signal.reason);
      else resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener("abort", end, { once: true });
    if (signal?.aborted) end();
  });
}
