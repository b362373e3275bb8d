// SPDX-License-Identifier: MIT
// Collects the log of a replayed run's thread: what was loaded, and what the engine asks to store.
import { EVENT_LOADED } from "../base/codes.js";
import { savedIn } from "../engine/recorded-calls.js";
import { eventsIn } from "./read-events.js";

/**
 * A thread's log: batches of frames, in order.
 * @typedef {{ id: string, log: Uint8Array[] }} Thread
 */

/** Words of LOADED before the lengths of its batches. */
const BEFORE_LENGTHS = 8;

export class ThreadLog {
  /** Threads by handle. @type {Map<number, Thread>} */
  #threads = new Map();
  /** The thread of each run, by the run's handle. @type {Map<number, Thread | undefined>} */
  #runs = new Map();
  /** What was loaded last. */
  #loaded = new Uint8Array(0);

  /** @param {number} run handle @returns {Thread | undefined} undefined: it has no thread */
  of(run) {
    return this.#runs.get(run);
  }

  /** Takes what was loaded from the store: the whole log. @param {Uint8Array} bytes */
  load(bytes) {
    this.#loaded = bytes.slice();
  }

  /**
   * Follows a call of the engine.
   * @param {string} name
   * @param {number[]} given
   * @param {number} answer
   * @param {Uint8Array} input what was written before the call
   * @param {WebAssembly.Memory} memory
   */
  take(name, given, answer, input, memory) {
    if (name === "weft_thread_open") {
      const id = new TextDecoder().decode(input.subarray(0, given[0]));
      this.#threads.set(answer, { id, log: [] });
    } else if (name === "weft_run_new" || name === "weft_run_child")
      this.#runs.set(answer, this.#threads.get(given[1]));
    else if (name === "weft_feed") {
      const thread = this.#runs.get(given[0]);
      if (thread === undefined) return;
      // A reader of the thread in the same engine may be told less than the run has saved since.
      if (thread.log.length === 0)
        for (const { op, words } of eventsIn(input))
          if (op === EVENT_LOADED) thread.log = this.#cut(words);
      const saved = savedIn(memory, answer >>> 0);
      if (saved !== undefined) thread.log.push(saved);
    }
  }

  /** @param {Uint32Array} words of LOADED @returns {Uint8Array[]} the batches */
  #cut(words) {
    let at = 0;
    return Array.from(words.subarray(BEFORE_LENGTHS), (length) =>
      this.#loaded.subarray(at, (at += length)),
    ).filter(({ length }) => length > 0);
  }
}
