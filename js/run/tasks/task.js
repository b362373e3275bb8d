// SPDX-License-Identifier: MIT
// Represents one attempt at a task for the host's node runner. Owns what it wrote; fields that a
// node may never read are made on demand. Does not depend on how tasks are planned.
import { TASK_PUSH } from "../../base/codes.js";
import { askCheckpoint, askSteps, askTaskId } from "./engine-queries.js";
import { Entries } from "./entries.js";

/** @typedef {import("../../plan/definition.js").Node} Node */
/** @typedef {import("./interrupts.js").Interrupt} Interrupt */
/**
 * A failed task: its number, node, kind, place among the Sends of its step, error and id.
 * @typedef {{ index: number, node: number, kind: number, push: number, error: unknown, id: string
 *   }} Failure
 */

/**
 * A task as its node sees it: a call's has a node and a namespace of its own, and writes a value in
 * place of entries. `raw`: its writes in order, if they are reported.
 * @typedef {Task & { own?: Node, namespace?: string, raw?: [channel: number, value: unknown][],
 *   writes: { value?: unknown } }} NodeTask
 */

export class Task {
  /**
   * @param {import("../run.js").Run} run
   * @param {number} index
   * @param {number} attempt
   * @param {number} node
   * @param {number} kind TASK_*
   * @param {number} detail number of the triggering channel, or of the Send
   * @param {unknown} given PUSH: the Send's argument, WRITERS: the values of the update, START: the
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
    /** Its interrupts, if it ended with any instead of a result. @type {Interrupt[] | undefined} */
    this.interrupts = undefined;
    /** @type {unknown} */
    this.error = undefined;
    /** The error of its interrupts, for a caller. @type {unknown} */
    this.thrown = undefined;
    this.failed = false;
    /** Has it ended? Then another task may have its number. */
    this.gone = false;
    /** Turn of the event loop in which it ended, counted by its run. */
    this.turn = 0;
    /** ERROR_* */
    this.errorFlags = 0;
    /**
     * Its retry policy, if any.
     * @type {import("./attempt-timers.js").RetryRule | undefined}
     */
    this.retry = undefined;
    /** @type {import("./attempt-timers.js").Watch | undefined} */
    this.watch = undefined;
    /** A Send's own timeout. @type {import("./attempt-timers.js").TimeoutRule | undefined} */
    this.within = undefined;
    /** HANDLER: the failure to handle. @type {Failure | undefined} */
    this.failure = undefined;
    /** ERROR_ENTRIES, ERROR_EDGES: its writes before the failure count if that is handled. */
    this.keeps = 0;
    /**
     * Start of its first attempt, in ms; undefined if not kept.
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

  /** Its place in its step, in LangGraph's form. @returns {unknown[]} */
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

  /** The name of the channel that triggered it. */
  get trigger() {
    return this.kind === TASK_PUSH || this.failure !== undefined
      ? "__pregel_push"
      : this.run.graph.channelName(this.detail);
  }

  /** A new state object, or the argument of a Send or an update. */
  get input() {
    return this.kind === 0 ? this.run.readState() : this.given;
  }

  /** Its UUID; to be queried while it runs, known afterwards if it was. */
  get id() {
    return (this.uuid ??= askTaskId(this.run, this));
  }

  /** The checkpoint that it belongs to; known while it runs. */
  get checkpointId() {
    return askCheckpoint(this.run, this);
  }

  /** The number of its superstep; to be queried while it runs, known afterwards if it was. */
  get step() {
    return (this.count ??= askSteps(this.run, this))?.step;
  }

  /** Supersteps that remain before the recursion limit. */
  get stepsLeft() {
    return (this.count ??= askSteps(this.run, this))?.left;
  }

  /**
   * Sets the policies of this attempt, before it runs.
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

/** Does its failure fail the step? @param {Task} task */
export function isFatal({ failed, keeps, attempt, retry }) {
  return Number(failed && keeps === 0 && attempt >= (retry?.maxAttempts ?? 0));
}
