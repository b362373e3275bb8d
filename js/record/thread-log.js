// SPDX-License-Identifier: MIT
// Collects the log of a replayed run's thread: what was loaded, and what the engine asks to store.
import { savedIn } from "../engine/recorded-calls.js";

/** A thread's log: batches of frames, in order. @typedef {{ id: string, log: Uint8Array[] }} Thread */

export class ThreadLog {
  /** Threads by handle. @type {Map<number, Thread>} */
  #threads = new Map();
  /** The thread of each run, by the run's handle. @type {Map<number, Thread | undefined>} */
  #runs = new Map();

  /** @param {number} run handle @returns {Thread | undefined} undefined: it has no thread */
  of(run) {
    return this.#runs.get(run);
  }

  /**
   * Takes what was loaded from the store: the whole log.
   * @param {number} run
   * @param {Uint8Array} bytes
   */
  load(run, bytes) {
    const thread = this.#runs.get(run);
    if (thread !== undefined) thread.log = [bytes.slice()];
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
      const saved = savedIn(memory, answer >>> 0);
      if (saved !== undefined) this.#runs.get(given[0])?.log.push(saved);
    }
  }
}
