// SPDX-License-Identifier: MIT
// Runs calls of task(): sends them to the engine, runs them as tasks of their own and returns their
// results to the callers. Made by a run's first call. Owns the calls of its run. Does not depend on
// what is called.
import { innerNamespace } from "../../base/namespace.js";
import {
  CALL_ASIDE,
  CALL_CACHED,
  ENTRY_RETURN,
  EVENT_CALL,
  REPLY_RESTORED,
  TASK_CALL,
} from "../../base/codes.js";
import { Task, isFatal } from "./task.js";

/** @typedef {import("../../plan/definition.js").Node} Node */
/** @typedef {import("../run.js").Run} Run */
/** @typedef {import("../read-snapshot.js").PlannedTask} PlannedTask */
/** @typedef {import("../../base/ambient.js").Scope} Scope */
/**
 * @typedef {{ scope: Scope, node: Node, input: unknown, resolve: (value: any) => void, reject:
 *   (error: unknown) => void, place?: import("../../calls/caching.js").Place, isHit?: boolean,
 *   error?: { error: unknown } }} Call `place`: its key in a cache; `error`: of the cache
 */

/** The value that a call returns, as its only entry. */
export class Returned {
  endsHere = false;
  count = 1;
  /** @type {unknown} */
  value = undefined;
  /** @type {[number, unknown][]} */
  list = [];

  /**
   * @param {import("../../engine/batch.js").Batch} batch
   * @param {import("../../engine/slots.js").Slots} slots
   */
  put(batch, slots) {
    batch.word(1);
    batch.word(ENTRY_RETURN);
    batch.word(slots.toWord(this.value));
  }
}

export class CallTask extends Task {
  /**
   * @param {Run} run
   * @param {number} index
   * @param {number} attempt
   * @param {number} number among its caller's calls
   * @param {Call} call
   */
  constructor(run, index, attempt, number, call) {
    super(run, index, attempt, call.scope.task.node, TASK_CALL, number, call.input);
    this.call = call;
    /** Was its result found in a cache? */
    this.isHit = false;
    /** Stores its result in a cache. @type {(() => void) | undefined} */
    this.keep = undefined;
    /** Replaces a node of the plan. */
    this.own = call.node;
    this.back = new Returned();
    this.writes = /** @type {import("./entries.js").Entries & Returned} */ (
      /** @type {unknown} */ (this.back)
    );
  }

  get name() {
    return this.own.name;
  }

  /** The step of its caller, which is running. */
  get step() {
    return this.call.scope.task.step;
  }

  get trigger() {
    return "__pregel_push";
  }

  get input() {
    return this.given;
  }

  /** @returns {unknown[]} */
  get path() {
    return ["__pregel_push", this.call.scope.task.path, this.detail, true];
  }

  get namespace() {
    return innerNamespace(
      this.call.scope.config.configurable.checkpoint_ns,
      `${this.name}:${this.id}`,
    );
  }

  get returned() {
    return this.back.value;
  }
}

export class Calls {
  /** Calls of running tasks, in order. @type {Map<number, { task: Task, list: Call[] }>} */
  #callers = new Map();
  /** @type {Map<number, CallTask>} */
  #tasks = new Map();

  /** @param {Run} run */
  constructor(run) {
    this.run = run;
  }

  /** @param {Run} run @returns {Calls} */
  static of(run) {
    return (run.calls ??= new Calls(run));
  }

  /**
   * Requests a call from the engine.
   * @template Result
   * @param {Scope} scope the caller's
   * @param {Node} node the callee, in the shape of a plan's node
   * @param {unknown} input
   * @returns {Promise<Result>}
   */
  add(scope, node, input) {
    const { run } = this;
    const { index, attempt, gone } = scope.task;
    return new Promise((resolve, reject) => {
      // The caller has ended: the call is made, but not recorded.
      if (gone) return resolve(/** @type {Result} */ (node.call?.(input, undefined)));
      const place = node.cachePolicy ? run.request.caching?.placeOfCall(node, input) : undefined;
      this.#listOf(scope.task).push({ scope, node, input, resolve, reject, place });
      run.answers.push({
        op: EVENT_CALL,
        flags: node.isAside === true ? CALL_ASIDE : place === undefined ? 0 : CALL_CACHED,
        put(batch) {
          batch.word(index);
          batch.word(attempt);
          batch.string(`${node.name}`);
          if (node.isAside === true) batch.word(/** @type {number} */ (node.place));
        },
      });
      run.advance();
    });
  }

  /** Lists the calls of an attempt so far. @param {Task} task */
  #listOf(task) {
    let caller = this.#callers.get(task.index);
    if (caller === undefined || caller.task !== task)
      this.#callers.set(task.index, (caller = { task, list: [] }));
    return caller.list;
  }

  /**
   * Begins an attempt at a call.
   * @param {number} index
   * @param {number} attempt
   * @param {number} caller
   * @param {number} number
   */
  begin(index, attempt, caller, number) {
    // Each step numbers its tasks anew: only a later attempt belongs to a known call.
    const isFirst = attempt === 1;
    const call = isFirst ? this.#callOf(caller, number) : this.#tasks.get(index)?.call;
    if (call === undefined) return;
    const task = new CallTask(this.run, index, attempt, number, call);
    const isTold = !isFirst || call.place !== undefined;
    if (isTold) task.uuid = this.#tasks.get(index)?.uuid;
    this.#tasks.set(index, task);
    if (!isTold) this.#tellPlanned(task);
    if (this.run.request.wantUpdates) (this.run.tasks ??= new Map()).set(index, task);
    queueMicrotask(() => this.#start(task));
  }

  /**
   * Prepares a call for its look-up in a cache.
   * @param {number} index
   * @param {number} caller
   * @param {number} number among its caller's calls
   */
  lookUp(index, caller, number) {
    const call = /** @type {Call} */ (this.#callOf(caller, number));
    const task = new CallTask(this.run, index, 0, number, call);
    this.#tasks.set(index, task);
    this.#tellPlanned(task);
    return call;
  }

  /** @param {CallTask} task */
  #start(task) {
    if (this.run.over) return;
    const { error } = task.call;
    if (error !== undefined)
      task.own = { ...task.own, retry: undefined, call: () => Promise.reject(error.error) };
    this.run.work.start(task);
    this.run.advance();
  }

  /** Does a call run? A tool node's calls count as its own work. */
  get areRunning() {
    return [...this.#tasks.values()].some(
      (task) => !task.own.isAside && !task.gone && !task.failed && task.attempt > 0,
    );
  }

  /**
   * Sorts calls that ended together: they return one by one, first those interrupted, then those
   * with a value, in the order of ending; failed ones return last and together.
   * @param {Task[]} ended
   * @returns {number | undefined} how many return now, if they are calls
   */
  arrange(ended) {
    if (ended[0]?.kind !== TASK_CALL) return undefined;
    ended.sort((one, other) => rankOf(one) - rankOf(other));
    return isFatal(ended[0]) ? undefined : 1;
  }

  /** @param {number} caller @param {number} number among its calls @returns {Call | undefined} */
  #callOf(caller, number) {
    return this.#callers.get(caller)?.list[number];
  }

  /** @param {CallTask} task */
  #tellPlanned(task) {
    const { request } = this.run;
    if (request.wantTasks && !task.own.isAside)
      request.sink?.planned?.(/** @type {number} */ (task.step), [
        /** @type {PlannedTask} */ (/** @type {unknown} */ (task)),
      ]);
  }

  /** @param {import("../../engine/block.js").Block} block at a REPLY's payload */
  reply(block) {
    if ((block.opFlags & REPLY_RESTORED) !== 0) return this.#replyRestored(block);
    while (block.at < block.end) {
      const task = this.#tasks.get(block.word());
      if (task === undefined) continue;
      const { resolve, reject } = task.call;
      if (task.failed) reject(task.error);
      else if (task.interrupts !== undefined) reject(task.thrown);
      else resolve(task.returned);
      // Into the cache at once: the run may be over by the next microtask.
      task.keep?.();
    }
  }

  /** @param {import("../../engine/block.js").Block} block */
  #replyRestored(block) {
    const { run } = this;
    const index = block.word();
    const caller = block.word();
    const number = block.word();
    const value = run.engine.slots.toValue(block.word());
    const call = this.#callOf(caller, number);
    if (call === undefined) return;
    const task = new CallTask(run, index, 0, number, call);
    task.back.value = value;
    task.isHit = call.isHit === true;
    if (!task.isHit) this.#tellPlanned(task);
    if (!task.own.isAside) {
      run.streamed ||= run.request.wantUpdates === true;
      run.request.sink?.updates?.(task, true);
    }
    call.resolve(value);
  }
}

/** Ranks a call among those that ended with it. @param {Task} task */
function rankOf(task) {
  return task.interrupts === undefined ? 1 + isFatal(task) : 0;
}
