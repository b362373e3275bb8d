// SPDX-License-Identifier: MIT
// Bounds what an evaluation waits for: a time for each piece of work, and how many run at once.
// Does not depend on what the work is.
import { unlessAborted } from "../base/waits.js";
import { EvalError } from "./eval-error.js";

/** @typedef {import("../run/ids.js").Clock} Clock */
/**
 * `ms`: Infinity for no limit; `what`: names the work in the error.
 * @typedef {{ ms: number, clock: Clock, signal: AbortSignal | undefined, what: string }} Bounds
 */

/** Longest time in ms that timers know. */
const LONGEST = 0x7fffffff;

/**
 * Runs work until its time is over or the signal is aborted. The work gets a signal for both; what
 * ignores it goes on unheard.
 * @template Result
 * @param {(signal: AbortSignal) => Result | Promise<Result>} work
 * @param {Bounds} bounds
 * @returns {Promise<Result>}
 * @throws EvalError EVAL_TIMEOUT, EVAL_ABORTED
 */
export async function within(work, { ms, clock, signal, what }) {
  const control = new AbortController();
  const stop = () => control.abort(aborted(signal));
  if (signal?.aborted) stop();
  signal?.addEventListener("abort", stop, { once: true });
  const timer =
    ms > LONGEST
      ? undefined
      : clock.setTimeout(() => {
          control.abort(new EvalError("EVAL_TIMEOUT", `${what} took longer than ${ms} ms`));
        }, ms);
  try {
    control.signal.throwIfAborted();
    const running = (async () => work(control.signal))();
    return /** @type {Result} */ (await unlessAborted(running, control.signal));
  } catch (error) {
    throw control.signal.aborted ? control.signal.reason : error;
  } finally {
    if (timer !== undefined) clock.clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
}

/** @param {AbortSignal | undefined} signal */
export function aborted(signal) {
  return new EvalError("EVAL_ABORTED", "the evaluation was aborted", { cause: signal?.reason });
}

/** Lets a number of pieces of work run at once, the others in the order in which they came. */
export class Slots {
  #free;
  /** @type {(() => void)[]} */
  #waiting = [];

  /** @param {number} count */
  constructor(count) {
    this.#free = count;
  }

  /**
   * @template Result
   * @param {() => Promise<Result>} work
   * @returns {Promise<Result>}
   */
  async enter(work) {
    if (this.#free > 0) this.#free--;
    else
      await new Promise((resolve) => {
        this.#waiting.push(() => resolve(undefined));
      });
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    }
  }
}
