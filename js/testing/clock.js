// SPDX-License-Identifier: MIT
// Provides a manual clock and reproducible ids for tests of graphs.
import { checkArgument } from "../base/check-arguments.js";
import { randomUuidOf } from "../base/uuid.js";

/** A clock for the option `clock`: timers fire when the time is advanced past them. */
export class TestClock {
  #now;
  #count = 0;
  /** @type {Map<number, { at: number, call: () => void }>} */
  #timers = new Map();

  /** @param {number | string | Date} [start] */
  constructor(start = 0) {
    checkArgument(
      ["number", "string"].includes(typeof start) || start instanceof Date,
      "new TestClock(start): start must be ms since 1970, a text or a Date",
    );
    this.#now = typeof start === "number" ? start : new Date(start).getTime();
  }

  now() {
    return this.#now;
  }

  /** @param {() => void} call @param {number} ms */
  setTimeout(call, ms) {
    checkArgument(typeof call === "function", "setTimeout(call, ms): call must be a function");
    checkArgument(typeof ms === "number", "setTimeout(call, ms): ms must be a number");
    this.#timers.set(++this.#count, { at: this.#now + ms, call });
    return this.#count;
  }

  /** @param {number} timer */
  clearTimeout(timer) {
    this.#timers.delete(timer);
  }

  /** Number of pending timers. */
  get waiting() {
    return this.#timers.size;
  }

  /** Waits until there is a timer: a run loads some of its parts when it begins. */
  async armed() {
    while (this.#timers.size === 0) await turn();
  }

  /**
   * Advances the time and fires due timers in order.
   * @param {number} ms
   */
  async advance(ms) {
    checkArgument(typeof ms === "number", "advance(ms): ms must be a number");
    const end = this.#now + ms;
    for (;;) {
      const [next] = [...this.#timers]
        .filter(([, { at }]) => at <= end)
        .sort(([first, a], [second, b]) => a.at - b.at || first - second);
      if (next === undefined) break;
      this.#timers.delete(next[0]);
      this.#now = next[1].at;
      next[1].call();
      await turn();
    }
    this.#now = end;
    await turn();
  }
}

/** Lets woken tasks run until the next event-loop turn. */
function turn() {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

/**
 * Makes ids for the option `ids`: the same UUIDs in the same order for the same seed.
 * @param {number} [seed]
 * @returns {() => string}
 */
export function testIds(seed = 0) {
  checkArgument(typeof seed === "number", "testIds(seed): seed must be a number");
  let state = seed >>> 0;
  // splitmix32
  const word = () => {
    state = (state + 0x9e3779b9) >>> 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return (z ^ (z >>> 15)) >>> 0;
  };
  return () => randomUuidOf(new Uint8Array(Uint32Array.of(word(), word(), word(), word()).buffer));
}
