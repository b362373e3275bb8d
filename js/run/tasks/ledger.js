// SPDX-License-Identifier: MIT
// Records tool calls in the thread's log: a call begins only after its intent is logged. Made at a
// run's first tool call, or when a call of unknown outcome is found. Does not depend on tools.
import {
  EVENT_INTENT,
  INTENT_ASKS,
  INTENT_DECIDED,
  INTENT_INSIDE,
  RUN_INVOKE,
} from "../../base/codes.js";

/** @typedef {import("../../base/callable.js").Value} Value */
/** @typedef {import("../run.js").Run} Run */
/** @typedef {import("./task.js").Task} Task */

const OTHERS = INTENT_ASKS | INTENT_DECIDED;

export class Ledger {
  /**
   * Callers that wait for INTENDED, in order: of calls that begin, and of other events.
   * @type {((said: unknown, saving: Promise<void> | undefined) => void)[][]}
   */
  #waiting = [[], []];

  /** @param {Run} run */
  constructor(run) {
    this.run = run;
  }

  /**
   * Returns the ledger of a running task, or undefined if it has none: without a thread, or with a
   * checkpointer that is not Weft's.
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
   * Was the call in flight when a process died, and where? True also if a person was asked about it
   * and has answered.
   * @param {Task} task
   * @param {string} callId
   * @returns {number | undefined} 1: in this thread; 2: in a thread of another id
   */
  unknown(task, callId) {
    return this.run.unknown?.get(task.index)?.get(callId);
  }

  /**
   * Resolves when the log has the call's intent, or, for another kind of event, with the content of
   * INTENDED.
   * @param {Task} task
   * @param {string} callId
   * @param {number} [flags] INTENT_DOUBT: it was in flight, and a person is asked about it;
   *   INTENT_*: see wasm/README.md
   * @param {(batch: import("../../engine/batch.js").Batch) => void} [more] writes the event's rest
   * @returns {Promise<Value>}
   */
  async tell({ index, attempt }, callId, flags = 0, more) {
    const { run } = this;
    const { parent, context } = run.request;
    // Under `exit`, the checkpoints that a call belongs to are saved first, from the outermost in.
    if (parent !== undefined && context?.durability === "exit")
      await Ledger.of(parent)?.tell(parent, callId, INTENT_INSIDE);
    return new Promise((resolve, reject) => {
      // A refusal or permission need not be stored before its consequences.
      this.#waiting[(flags & OTHERS) === 0 ? 0 : 1].push((said, saving) =>
        saving === undefined || typeof said === "number"
          ? resolve(said)
          : saving.then(() => resolve(said), reject),
      );
      run.answers.push({
        op: EVENT_INTENT,
        flags,
        put(batch) {
          batch.word(index);
          batch.word(attempt);
          batch.string(callId);
          more?.(batch);
        },
      });
      run.advance();
    });
  }

  /**
   * Carries out INTENDED, whose record is in the current commit.
   * @param {import("../../engine/block.js").Block} block
   */
  intended(block) {
    const words = block.end - block.at;
    const said =
      words === 0
        ? undefined
        : words === 1
          ? block.word()
          : {
              approval: block.hex(),
              question: block.hex(),
              expires: block.long(),
              hasExpired: block.word() === 1,
            };
    this.#waiting[block.opFlags === 0 ? 0 : 1].shift()?.(said, this.run.saving);
  }
}
