// SPDX-License-Identifier: MIT
// One attempt at one task, as the host's node runner sees it. Owns what it wrote; everything that a
// node may never ask for is made when it is read. Must not know how tasks are planned.
import { TASK_PUSH } from "../../base/codes.js";
import { askCheckpoint, askSteps, askTaskId } from "./engine-queries.js";
import { Entries } from "./entries.js";

/** @typedef {import("../../base/callable.js").Value} Value */
/** @typedef {{ id?: string, value?: unknown }} Interrupt */
/**
 * A task that failed: its number, node, kind, place among the Sends of its step, error and id.
 * @typedef {{ index: number, node: number, kind: number, push: number, error: unknown, id: string
 *   }} Failure
 */

export class Task {
  /**
   * @param {import("../run.js").Run} run
   * @param {number} index
   * @param {number} attempt
   * @param {number} node
   * @param {number} kind TASK_*
   * @param {number} detail number of the triggering channel, or of the Send
   * @param {Value} given PUSH: the Send's argument, WRITERS: the values of the update, START: the
   *   input
   */
  constructor(run, index, attempt, node, kind, detail, given) {
    this.run = run;
    this.index = index;
    this.attempt = attempt;
    this.node = node;
    this.kind = kind;
    this.detail = detail;
    this.given = given;
    this.writes = new Entries(run.graph, run.ids);
    /** What it ended with, when that is no result. @type {Interrupt[] | undefined} */
    this.interrupts = undefined;
    /** @type {unknown} */
    this.error = undefined;
    /** The interrupt that it ended with, for a caller. @type {unknown} */
    this.thrown = undefined;
    this.failed = false;
    /** It came to its end; its number may be another's. */
    this.gone = false;
    /** The turn of the event loop in which it ended, among those of its run. */
    this.turn = 0;
    /** ERROR_* */
    this.errorFlags = 0;
    /**
     * What its policies say, where it has any.
     * @type {import("./attempt-timers.js").RetryRule | undefined}
     */
    this.retry = undefined;
    /** @type {import("./attempt-timers.js").Watch | undefined} */
    this.watch = undefined;
    /** A Send's own timeout. @type {import("./attempt-timers.js").TimeoutRule | undefined} */
    this.within = undefined;
    /** HANDLER: what it handles. @type {Failure | undefined} */
    this.failure = undefined;
    /** ERROR_ENTRIES, ERROR_EDGES: what it wrote before it failed counts when it is handled. */
    this.keeps = 0;
    /**
     * When its first attempt began, in ms; undefined: nobody kept it.
     * @type {number | undefined}
     */
    this.first = undefined;
    /** @type {string | undefined} */
    this.uuid = undefined;
    /** @type {{ step: number, left: number } | undefined} */
    this.count = undefined;
  }

  get name() {
    return this.run.graph.nodes[this.node];
  }

  /** Where it stands in its step, in LangGraph's words. @returns {unknown[]} */
  get path() {
    const { failure } = this;
    if (failure === undefined)
      return this.kind === TASK_PUSH
        ? ["__pregel_push", this.detail, false]
        : ["__pregel_pull", this.name];
    const outer =
      failure.kind === TASK_PUSH
        ? ["__pregel_push", failure.push, false]
        : ["__pregel_pull", this.run.graph.nodes[failure.node]];
    return [...outer, "node_error_handler", false];
  }

  /** The name of the channel that called for it. */
  get trigger() {
    return this.kind === TASK_PUSH || this.failure !== undefined
      ? "__pregel_push"
      : this.run.graph.channelName(this.detail);
  }

  /** A fresh state object, or what a Send or an update carries. */
  get input() {
    return this.kind === 0 ? this.run.readState() : this.given;
  }

  /** Its UUID; asked for while it runs, known afterwards if it was asked for. */
  get id() {
    return (this.uuid ??= askTaskId(this.run, this));
  }

  /** The checkpoint that it hangs on; known as long as it runs. */
  get checkpointId() {
    return askCheckpoint(this.run, this);
  }

  /** The number of its superstep; asked for while it runs, known afterwards if it was asked for. */
  get step() {
    return (this.count ??= askSteps(this.run, this))?.step;
  }

  /** How many supersteps may follow before the recursion limit. */
  get stepsLeft() {
    return (this.count ??= askSteps(this.run, this))?.left;
  }

  /**
   * Before it runs: the policies of this attempt.
   * @param {import("./attempt-timers.js").RetryRule | undefined} retry
   * @param {import("./attempt-timers.js").TimeoutRule | undefined} timeout
   */
  follow(retry, timeout) {
    const { attempts } = this.run.work;
    this.retry = retry;
    this.first ??= this.run.clock.now();
    attempts.tasks.set(this.index, this);
    if (timeout !== undefined) attempts.watch(this, timeout);
  }

  get signal() {
    return this.watch === undefined ? this.run.signal : this.watch.signal;
  }
}

/** Does it make its step fail? @param {Task} task */
export function isFatal({ failed, keeps, attempt, retry }) {
  return Number(failed && keeps === 0 && attempt >= (retry?.maxAttempts ?? 0));
}
