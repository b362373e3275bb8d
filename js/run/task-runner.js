// SPDX-License-Identifier: MIT
// Runs the code of a run's tasks. Owns their outcomes until they are fed. Does not depend on what
// the engine makes of them.
import { TASK_CALL } from "../base/codes.js";
import { isGraphInterrupt } from "../base/errors.js";
import { putOutcome } from "./events.js";
import { markError } from "./tasks/failures.js";
import { isPromise } from "../base/callable.js";
import { Attempts } from "./tasks/attempt-timers.js";
import { isFatal } from "./tasks/task.js";

/** @typedef {import("./tasks/task.js").Task} Task */

/** Maximum outcomes per batch; the engine allows more, so that answers fit in too. */
const RESULTS_A_BATCH = 900;

/**
 * Awaits after which a task that ends no longer counts as ended in the same turn of the event loop
 * as another one.
 */
const TURN_AWAITS = 100;

export class Work {
  /** Tasks to be fed. @type {Task[]} */
  ended = [];
  /** @type {import("./tasks/attempt-timers.js").Attempts | undefined} */
  #attempts;
  /**
   * Tasks ended in this turn of the event loop: fed together, in the order of the step.
   * @type {Task[]}
   */
  #gathered = [];
  /** Counts the turns of the event loop in which tasks ended. */
  #turn = 0;
  /** Is it waiting for other tasks that end in this turn? */
  #isWaiting = false;
  running = 0;
  /** How often all running tasks had ended when they were fed. */
  steps = 0;

  /** @param {import("./run.js").Run} run */
  constructor(run) {
    this.run = run;
  }

  /** Timers of attempts, made when a task has a policy. */
  get attempts() {
    return (this.#attempts ??= new Attempts(this.run));
  }

  get hasEvents() {
    if (this.#gathered.length > 0) this.#gather();
    return this.#attempts?.hasNotices === true || this.ended.length > 0;
  }

  /** @param {Task} task */
  start(task) {
    this.running++;
    try {
      const answer = this.run.graph.parts.runTask(task, this.run);
      if (isPromise(answer)) {
        answer.then(
          () => this.#settled(task),
          (error) => this.#settled(task, error, true),
        );
        return;
      }
    } catch (error) {
      mark(task, error);
    }
    this.#over(task);
  }

  /** @param {Task} task @param {unknown} [error] @param {boolean} [failed] */
  #settled(task, error, failed = false) {
    if (failed) mark(task, error);
    if (!this.#over(task)) return;
    // Nothing is fed before the run continues: tasks that end in several turns until then keep
    // their order.
    if (this.run.isPaused) this.#awaitTurn();
    else this.run.advance();
  }

  /**
   * Ends a task, unless its step was given up.
   * @param {Task} task
   * @returns {boolean} does it count?
   */
  #over(task) {
    if (this.run.over || this.run.isCancelled) return false;
    this.#end(task);
    return true;
  }

  /** @param {Task} task */
  #end(task) {
    task.gone = true;
    task.turn = this.#turn;
    if (task.watch === undefined) this.#take(task);
    else this.attempts.ended(task);
  }

  /**
   * Takes an outcome: a call's at once, since its caller waits, unless it failed.
   * @param {Task} task
   */
  #take(task) {
    this.running--;
    if (task.kind === TASK_CALL && isFatal(task) === 0) this.ended.push(task);
    else this.#gathered.push(task);
  }

  /**
   * Feeds ended tasks if no other task runs, or none of the others ends in the same turn: so tasks
   * are fed in the order of ending, those of one turn in the order of the step, whatever each
   * awaited in it, and failures of one turn are reported together.
   */
  #gather() {
    if (this.running === 0) this.release();
    else this.#awaitTurn();
  }

  async #awaitTurn() {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    for (let i = 0; i < TURN_AWAITS && this.running > 0; i++) await undefined;
    this.#isWaiting = false;
    this.#turn++;
    if (this.run.isPaused || this.run.over) return;
    if (this.release()) this.run.advance();
  }

  /** Moves the gathered tasks to those to be fed. @returns {boolean} were there any? */
  release() {
    const gathered = this.#gathered;
    if (gathered.length === 0) return false;
    if (gathered.length > 1) gathered.sort(inStep);
    const { ended } = this;
    if (ended.length === 0) {
      this.#gathered = ended;
      this.ended = gathered;
    } else for (const task of gathered.splice(0)) ended.push(task);
    return true;
  }

  /** Fails an attempt that exceeded its timeout. @param {number} index @param {number} kind */
  expire(index, kind) {
    this.#take(this.attempts.expired(index, kind));
  }

  /**
   * @param {import("../engine/batch.js").Batch} batch
   * @param {import("../engine/slots.js").Slots} slots
   */
  put(batch, slots) {
    if (this.#attempts?.hasNotices) {
      this.#attempts.put(batch);
      if (!this.#attempts.isLate) return;
      this.release();
    }
    if (this.running === 0) this.steps++;
    const ended = this.ended;
    // Tasks of one batch are streamed in its order.
    let count = this.run.calls?.arrange(ended) ?? RESULTS_A_BATCH;
    // A batch with a failure ends the step: other outcomes go before it, so that they are saved.
    if (ended.length > count && count > 1)
      ended.sort((one, other) => isFatal(one) - isFatal(other));
    while (count-- > 0 && ended.length > 0)
      putOutcome(batch, slots, /** @type {Task} */ (ended.shift()));
  }

  /** After the block of a fed batch was carried out: takes the attempts that had ended in time. */
  settle() {
    this.#attempts?.settle((task) => this.#take(task));
  }

  stop() {
    this.#attempts?.stop();
  }
}

/** @param {Task} task @param {unknown} error */
function mark(task, error) {
  if (task.watch?.over) return;
  if (isGraphInterrupt(error)) {
    task.interrupts = error.interrupts ?? [];
    task.thrown = error;
  } else markError(task, error);
}

/**
 * Compares by turn, then by place in the step; calls come before their callers.
 * @param {Task} one
 * @param {Task} other
 */
function inStep(one, other) {
  return (
    one.turn - other.turn ||
    Number(other.kind === TASK_CALL) - Number(one.kind === TASK_CALL) ||
    one.index - other.index
  );
}
