// SPDX-License-Identifier: MIT
// Queues work that is no run, such as pruning, among the runs of its thread.
import { takeTurn } from "../../base/thread-queue.js";
import { CLOCK } from "../../run/ids.js";

/** @typedef {import("../../run/run.js").Run} Run */
/** @typedef {Pick<import("../../run/start.js").RunRequest, "store" | "threadId" | "turn">} Place */

/**
 * Works after the earlier runs of a thread, and before the later ones.
 * @template Result
 * @param {Place} request
 * @param {() => Promise<Result>} work
 * @returns {Promise<Result>} rejects with BUSY if it may not wait
 */
export function inTurn(request, work) {
  // What a queue needs of a run. It has no steps that another one could wait for in vain.
  const run = /** @type {Run} */ (
    /** @type {unknown} */ ({
      request,
      clock: CLOCK,
      work: { steps: 0, running: 0 },
      over: false,
    })
  );
  const worked = new Promise((/** @type {(result: Promise<Result>) => void} */ resolve, reject) => {
    run.open = () => resolve(work().finally(run.left));
    run.lose = (error) => {
      run.over = true;
      run.left?.();
      reject(error);
    };
  });
  run.promise = /** @type {Run["promise"]} */ (/** @type {unknown} */ (worked));
  takeTurn(run);
  return /** @type {Promise<Result>} */ (worked);
}
