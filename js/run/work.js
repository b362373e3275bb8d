// SPDX-License-Identifier: MIT
// Runs the code of a run's tasks. Owns what became of them until it is fed.
// Must not know what the engine makes of it.
import { TASK_CALL } from "../engine/codes.js";
import { isGraphInterrupt } from "../errors.js";
import { putOutcome } from "./events.js";
import { markError } from "./failures.js";
import { isPromise } from "./thread.js";
import { Attempts } from "./attempts.js";
import { Order } from "./order.js";
import { isFatal } from "./task.js";

/** @typedef {import("./task.js").Task} Task */

/** Fewer than a batch may hold, so that answers fit in too. */
const RESULTS_A_BATCH = 900;

/** Who fails in so many turns after a task is heard too, before the step is given up; one of them is a reader's. */
const GRACE_TURNS = 5;
/** What LangGraph.js takes for a run inside a task, and for each step of it, in turns of the microtask queue. */
const RUN_TURNS = 24;
const STEP_TURNS = 62;

export class Work {
  /** To be fed. @type {Task[]} */
  ended = [];
  /** @type {import("./attempts.js").Attempts | undefined} */
  #attempts;
  /** Of those that ended, where somebody watches. @type {import("./order.js").Order | undefined} */
  order;
  running = 0;
  /** Turns until a failure is fed, once there is one. */
  #grace = -1;
  /** Has a node failed for good, so that the run will? */
  #isLost = false;
  /** How often the last ones were fed. */
  steps = 0;

  /** @param {import("./pump.js").Run} run */
  constructor(run) {
    this.run = run;
  }

  /** The clock of the attempts, made when a task has a policy. */
  get attempts() {
    return (this.#attempts ??= new Attempts(this.run));
  }

  get hasEvents() {
    if (this.#grace > 0 && this.running > 0) return false;
    // Attempts that are looked at have ended before their neighbours are shown.
    if (this.#attempts?.hasNotices) return true;
    this.order?.pick();
    return this.ended.length > 0;
  }

  /** Counts the turns until a failure is fed. @param {number} turns */
  #wait(turns) {
    this.#grace = turns;
    if (turns === 0) this.run.advance();
    else queueMicrotask(() => this.#wait(turns - 1));
  }

  /** What the run took less than in LangGraph.js. */
  get turns() {
    return this.order?.isPaced ? 0 : RUN_TURNS + this.steps * STEP_TURNS;
  }

  /** @param {Task} task */
  start(task) {
    this.running++;
    try {
      const answer = this.run.graph.parts.runTask(task, this.run);
      if (isPromise(answer)) {
        answer.then(() => this.#settled(task), (error) => this.#settled(task, error, true));
        return;
      }
    } catch (error) {
      mark(task, error);
    }
    this.#end(task, 0);
  }

  /** @param {Task} task @param {unknown} [error] @param {boolean} [failed] */
  #settled(task, error, failed = false) {
    // What LangGraph.js takes less where a node waits.
    task.turns--;
    if (failed) mark(task, error);
    this.#endLate(task);
  }

  /** A run inside fails later in LangGraph.js, so that its neighbours are heard before. @param {Task} task */
  #endLate(task) {
    if (this.run.over || this.run.isCancelled) return;
    if (task.failed && task.turns > 0 && (this.running > 1 || this.#grace > 0)) {
      task.turns--;
      return queueMicrotask(() => this.#endLate(task));
    }
    this.#end(task, 1);
    this.order?.count(task.index);
    this.run.advance();
  }

  /** @param {Task} task @param {number} waited turns that a task has not which did not wait */
  #end(task, waited) {
    this.running--;
    task.gone = true;
    // Whoever fails while a reader takes what was shown is too late to be heard.
    const fatal = isFatal(task);
    if (fatal && this.#isLost && !this.#grace) return;
    this.#isLost ||= fatal > task.errorFlags && task.kind !== TASK_CALL;
    if (fatal && this.#grace < 0) this.#wait(GRACE_TURNS + waited - (this.run.request.wantUpdates ? 1 : 0));
    if (task.watch === undefined) this.#take(task);
    else this.attempts.ended(task);
  }

  /** @param {Task} task */
  #take(task) {
    if (this.run.request.wantUpdates && task.kind !== TASK_CALL) (this.order ??= new Order(this)).add(task);
    else this.ended.push(task);
  }

  /** An attempt took too long. @param {number} index @param {number} kind */
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
    }
    if (this.running === 0) this.steps++;
    const ended = this.ended;
    // Those of one batch are shown in its order.
    let count = this.run.calls?.arrange(ended) ?? RESULTS_A_BATCH;
    // The batch with a failure ends the step: what else ended goes before it, so that it is saved.
    if (ended.length > count && count > 1) ended.sort((one, other) => isFatal(one) - isFatal(other));
    while (count-- > 0 && ended.length > 0) putOutcome(batch, slots, /** @type {Task} */ (ended.shift()));
  }

  /** The block behind what was put is carried out: attempts that had ended in time count. */
  settle() {
    this.#attempts?.settle((task) => this.#take(task));
  }

  stop() {
    this.#attempts?.stop();
    this.order?.close();
  }
}

/** @param {Task} task @param {any} error */
function mark(task, error) {
  if (task.watch?.over) return;
  if (isGraphInterrupt(error)) {
    task.interrupts = error.interrupts ?? [];
    task.thrown = error;
  } else markError(task, error);
}
