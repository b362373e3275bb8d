// SPDX-License-Identifier: MIT
// Limits how many nodes of a call run at once (`maxConcurrency`) and queues the others.
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
   * Runs when a slot is free, in the order of entering. A failed task keeps its slot for its retry
   * or its error handler, so that no other task begins if the failure ends the step.
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
