// SPDX-License-Identifier: MIT
// Queues work that is no run, such as an update or pruning, among the runs of its thread.
import { takeTurn } from "../../base/thread-queue.js";
import { CLOCK } from "../../run/ids.js";

/** @typedef {import("../../base/ambient.js").Scope} Scope */
/** @typedef {import("../../run/run.js").Run} Run */
/** @typedef {Pick<import("../../run/start.js").RunRequest, "store" | "threadId" | "turn">} Place */

/**
 * Works after the earlier runs of a thread, and before the later ones.
 * @template Result
 * @param {Place} request
 * @param {(run: Pick<Run, "thread">) => Promise<Result>} work `run.thread`: what the saver does for
 *   it afterwards is a part of the turn
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
    run.open = () => resolve(work(run).finally(run.left));
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

/**
 * Edits a thread in its turn. In a node of a run of the thread it would wait for itself: then the
 * edit is made at once.
 * @template Result
 * @param {Place} request
 * @param {Scope | undefined} scope of the caller
 * @param {Parameters<typeof inTurn<Result>>[1]} work
 * @returns {Promise<Result>}
 */
export function editInTurn(request, scope, work) {
  /** @type {Run | undefined} */
  let run = scope?.task.run;
  while (run !== undefined && (run.over || run.request.threadId !== request.threadId))
    run = run.request.parent?.run;
  return request.turn === undefined || run !== undefined
    ? work({ thread: undefined })
    : inTurn(request, work);
}
