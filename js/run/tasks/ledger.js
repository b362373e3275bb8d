// SPDX-License-Identifier: MIT
// Calls of tools in the thread's log: a call begins once the log says that it will. A run has this
// room only once a tool was called or a call is found whose fate nobody knows. Must not know tools.
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
   * Who waits for INTENDED, in order: calls that begin, and others.
   * @type {((said: unknown, saving: Promise<void> | undefined) => void)[][]}
   */
  #waiting = [[], []];

  /** @param {Run} run */
  constructor(run) {
    this.run = run;
  }

  /**
   * The ledger of a running task, or undefined when its thread keeps none: there is none, or it is
   * not ours.
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
   * Was the call in flight when a process died, and where? Also when somebody was asked about that
   * and answered.
   * @param {Task} task
   * @param {string} callId
   * @returns {number | undefined} 1, here; 2, in a thread of another id
   */
  unknown(task, callId) {
    return this.run.unknown?.get(task.index)?.get(callId);
  }

  /**
   * Answers when the log says that the call begins; or, of another kind of event, what INTENDED
   * says.
   * @param {Task} task
   * @param {string} callId
   * @param {number} [flags] INTENT_DOUBT: it was in flight, and somebody is asked about it;
   *   INTENT_*: see wasm/README.md
   * @param {(batch: import("../../engine/batch.js").Batch) => void} [more] of the event
   * @returns {Promise<Value>}
   */
  async tell({ index, attempt }, callId, flags = 0, more) {
    const { run } = this;
    const { parent, context } = run.request;
    // Under exit the checkpoints that a call hangs on are saved before it, the outermost first.
    if (parent !== undefined && context?.durability === "exit")
      await Ledger.of(parent)?.tell(parent, callId, INTENT_INSIDE);
    return new Promise((resolve, reject) => {
      // What is refused or allowed need not be stored before what follows from it is.
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
   * INTENDED: its record is in the commit under way.
   * @param {import("../../engine/block.js").Block} block
   */
  intended(block) {
    const words = block.end - block.at;
    const said =
      words === 0
        ? undefined
        : words === 1
          ? block.word()
          : { approval: block.hex(), question: block.hex() };
    this.#waiting[block.opFlags === 0 ? 0 : 1].shift()?.(said, this.run.saving);
  }
}
