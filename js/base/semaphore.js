// SPDX-License-Identifier: MIT
// Knows: how many nodes of a call may run at once (`maxConcurrency`), and who waits. Must not know:
// what they do.
import { isGraphInterrupt } from "./errors.js";

export class Gate {
  /** @type {Array<() => void>} */
  #waiting = [];
  #free;

  /** @param {number} limit */
  constructor(limit) {
    this.#free = limit;
  }

  /**
   * Runs when there is room, in the order of entering. Who failed keeps its place: for its next
   * attempt or its handler, and when the failure ends the step, nobody else is to begin.
   * @template Result
   * @param {() => Result | Promise<Result>} run
   * @param {boolean} hasPlace
   * @returns {Promise<Result>}
   */
  async enter(run, hasPlace) {
    if (!hasPlace && this.#free > 0) this.#free--;
    else if (!hasPlace)
      await new Promise((/** @type {(value?: unknown) => void} */ resolve) =>
        this.#waiting.push(resolve),
      );
    try {
      const result = await run();
      this.#leave();
      return result;
    } catch (error) {
      if (isGraphInterrupt(error)) this.#leave();
      throw error;
    }
  }

  #leave() {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free++;
    else next();
  }
}
