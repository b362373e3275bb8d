// SPDX-License-Identifier: MIT
// Calls of tools in the thread's log: a call begins once the log says that it will. A run has this room only once a tool
// was called or a call is found whose fate nobody knows. Must not know tools.
import { EVENT_INTENT, RUN_INVOKE } from "../engine/codes.js";

/** @typedef {import("./pump.js").Run} Run */
/** @typedef {import("./task.js").Task} Task */

export class Ledger {
  /** Who waits for INTENDED, in order. @type {((saving: Promise<void> | undefined) => void)[]} */
  #waiting = [];

  /** @param {Run} run */
  constructor(run) {
    this.run = run;
  }

  /**
   * The ledger of a running task, or undefined when its thread keeps none: there is none, or it is not ours.
   * @param {Task | undefined} task
   * @returns {Ledger | undefined}
   */
  static of(task) {
    const run = task?.run;
    if (run?.thread === undefined || run.over || run.thread.encode !== undefined) return undefined;
    if (run.request.kind !== RUN_INVOKE) return undefined;
    return (run.ledger ??= new Ledger(run));
  }

  /**
   * Was the call in flight when a process died? Also when somebody was asked about that and answered.
   * @param {Task} task @param {string} callId @returns {boolean}
   */
  isUnknown(task, callId) {
    return this.run.unknown?.get(task.index)?.has(callId) === true;
  }

  /**
   * Answers when the log says that the call begins.
   * @param {Task} task
   * @param {string} callId
   * @param {number} [flags] INTENT_DOUBT: it was in flight, and somebody is asked about it
   * @returns {Promise<void>}
   */
  intend({ index, attempt }, callId, flags = 0) {
    const { run } = this;
    return new Promise((resolve, reject) => {
      this.#waiting.push((saving) => (saving === undefined ? resolve() : saving.then(resolve, reject)));
      run.answers.push({
        op: EVENT_INTENT,
        flags,
        put(batch) {
          batch.word(index);
          batch.word(attempt);
          batch.string(callId);
        },
      });
      run.advance();
    });
  }

  /** INTENDED: its record is in the commit under way. */
  intended() {
    this.#waiting.shift()?.(this.run.saving);
  }
}
