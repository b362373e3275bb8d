// SPDX-License-Identifier: MIT
// Knows: how many nodes of a call may run at once (`maxConcurrency`), and who waits. Must not know: what they do.
import { isGraphInterrupt } from "../errors.js";

export class Gate {
  /** @type {Array<() => void>} */
  #waiting = [];
  #free;

  /** @param {number} limit */
  constructor(limit) {
    this.#free = limit;
  }

  /**
   * Runs when there is room, in the order of entering. A failure ends the step, so who waits then is forgotten.
   * @template Result
   * @param {() => Result | Promise<Result>} run
   * @returns {Promise<Result>}
   */
  async enter(run) {
    if (this.#free > 0) this.#free--;
    else await new Promise((/** @type {(value?: any) => void} */ resolve) => this.#waiting.push(resolve));
    try {
      const result = await run();
      this.#leave();
      return result;
    } catch (error) {
      if (isGraphInterrupt(error)) this.#leave();
      else this.#waiting.length = 0;
      throw error;
    }
  }

  #leave() {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free++;
    else next();
  }
}
