// SPDX-License-Identifier: MIT
// What a run is asked and what it has come to so far: its clock, its place, its kind, the step at
// hand. Must not know how the run goes on.
import { RUN_INVOKE, RUN_UPDATE } from "../base/codes.js";
import { dueBetween, nextTurn } from "../base/event-loop.js";
import { askNamespace } from "./tasks/engine-queries.js";
import { CLOCK } from "./ids.js";
import { Signalled } from "./tasks/signals.js";

/** @typedef {import("./graph.js").EngineGraph} EngineGraph */
/** @typedef {import("./start.js").RunRequest} RunRequest */
/** @typedef {import("./start.js").Interrupt} Interrupt */
/** @typedef {import("./read-snapshot.js").Snapshot} Snapshot */
/** @typedef {import("./tasks/task.js").Task} Task */

/** After so many steps a run that has a clock of its own lets the event loop turn. */
const OWN_STEPS = 64;

export class BaseRun extends Signalled {
  /** @type {string | undefined} */
  #namespace;
  /** Steps in a time of its own. */
  #steps = 0;
  /**
   * The turn of the event loop that it, or one inside it, waits for: they go on together, so that
   * their order stays.
   * @type {Promise<void> | undefined}
   */
  turning;
  /**
   * Tasks whose updates may be asked for, if somebody may.
   * @type {Map<number, Task> | undefined}
   */
  tasks;
  /** Ids of the step's tasks, when they were told. @type {Map<number, string> | undefined} */
  planned;
  /**
   * Errors of tasks, to be thrown when the engine says so.
   * @type {Map<number, unknown> | undefined}
   */
  errors;
  /** @type {Interrupt[]} */
  interrupts = [];
  /** @type {Snapshot[]} */
  snapshots = [];
  /** The last append that is not acknowledged yet. @type {Promise<void> | undefined} */
  saving;
  /** Calls of task(), once there was one. @type {import("./tasks/calls.js").Calls | undefined} */
  calls;
  /**
   * The ledger of tool calls, once one was made.
   * @type {import("./tasks/ledger.js").Ledger | undefined}
   */
  ledger;
  /**
   * Calls whose fate nobody knows, by task of the step; and where they began: 1, here; 2, in a
   * thread of another id.
   * @type {Map<number, Map<string, number>> | undefined}
   */
  unknown;
  /** @type {"interrupt_before" | "interrupt_after" | undefined} */
  breakpoint;

  /** @param {EngineGraph} graph @param {RunRequest} request */
  constructor(graph, request) {
    super();
    this.graph = graph;
    this.request = request;
  }

  get clock() {
    return this.request.clock ?? CLOCK;
  }

  /**
   * Where its checkpoints are saved; of a run inside a task: known as soon as it has begun, if it
   * was asked for by its end.
   */
  get namespace() {
    const { parent, namespace } = this.request;
    return parent === undefined
      ? (namespace ?? "")
      : (this.#namespace ??= askNamespace(/** @type {any} */ (this)));
  }

  /** Does this run append to its thread? */
  get writes() {
    return this.request.kind === RUN_INVOKE || this.request.kind === RUN_UPDATE;
  }

  /** The run around all others. @returns {import("./run.js").Run} */
  get top() {
    return this.request.parent?.run.top ?? /** @type {any} */ (this);
  }

  /** Has the caller given it a clock? Then nothing hangs on how fast the host is. */
  get hasOwnTime() {
    return this.request.ticker !== undefined;
  }

  /**
   * What the next task of a block waits for, where that is due.
   * @returns {Promise<void> | undefined}
   */
  dueTurn() {
    return this.hasOwnTime ? undefined : dueBetween();
  }

  /**
   * The turn that a run with a clock of its own lets the event loop take, where that is due.
   * @returns {Promise<void> | undefined}
   */
  ownTurn() {
    return ++this.#steps % OWN_STEPS === 0 ? nextTurn() : undefined;
  }

  /**
   * What a run's end waits for: what it saved, and what its cache keeps.
   * @returns {Promise<unknown> | undefined}
   */
  lastWrites() {
    const { saving } = this;
    return this.request.caching?.kept(this.request.signal)?.then(() => saving) ?? saving;
  }
}
