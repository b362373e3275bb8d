// SPDX-License-Identifier: MIT
// Keeps a run's request and progress: its clock, namespace, kind and current step. Does not depend
// on how the run proceeds.
import { RUN_INVOKE, RUN_UPDATE } from "../base/codes.js";
import { dueBetween, nextTurn } from "../base/event-loop.js";
import { askNamespace } from "./tasks/engine-queries.js";
import { CLOCK } from "./ids.js";
import { Signalled } from "./tasks/signals.js";

/** @typedef {import("./graph.js").EngineGraph} EngineGraph */
/** @typedef {import("./start.js").RunRequest} RunRequest */
/** @typedef {import("./start.js").Interrupt} Interrupt */
/** @typedef {import("./read-snapshot.js").Snapshot} Snapshot */
/** @typedef {import("./tasks/task.js").NodeTask} Task */

/** Steps after which a run with its own clock lets the event loop turn. */
const OWN_STEPS = 64;

export class BaseRun extends Signalled {
  /** @type {string | undefined} */
  #namespace;
  /** Steps counted by ownTurn(). */
  #steps = 0;
  /**
   * The event-loop turn that it, or the run of a subgraph, waits for: both continue together, so
   * that their order stays.
   * @type {Promise<void> | undefined}
   */
  turning;
  /**
   * Tasks whose updates may still be streamed, if updates are wanted.
   * @type {Map<number, Task> | undefined}
   */
  tasks;
  /** Ids of the step's tasks, if they were reported. @type {Map<number, string> | undefined} */
  planned;
  /**
   * Errors of tasks, thrown when the engine fails the run.
   * @type {Map<number, unknown> | undefined}
   */
  errors;
  /** @type {Interrupt[]} */
  interrupts = [];
  /** @type {Snapshot[]} */
  snapshots = [];
  /** The last append not yet acknowledged. @type {Promise<void> | undefined} */
  saving;
  /** Calls of task(), after the first one. @type {import("./tasks/calls.js").Calls | undefined} */
  calls;
  /**
   * The ledger of tool calls, after the first one.
   * @type {import("./tasks/ledger.js").Ledger | undefined}
   */
  ledger;
  /**
   * Tool calls of unknown outcome, by task of the step, and where they began: 1: in this thread; 2:
   * in a thread of another id.
   * @type {Map<number, Map<string, number>> | undefined}
   */
  unknown;
  /** Does it run the tasks of a named checkpoint that is not the newest? */
  goesBack = false;
  /**
   * Ids of tool calls that somebody was asked about, and whether by a task itself, not by a part of
   * its work.
   * @type {Map<string, boolean>}
   */
  asked = new Map();
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
   * Namespace of its checkpoints. In a subgraph's run it is known from the beginning, if requested
   * before the end.
   */
  get namespace() {
    const { parent, namespace } = this.request;
    return parent === undefined
      ? (namespace ?? "")
      : (this.#namespace ??= askNamespace(
          /** @type {import("./run.js").Run} */ (/** @type {unknown} */ (this)),
        ));
  }

  /** Does this run append to its thread? */
  get writes() {
    return this.request.kind === RUN_INVOKE || this.request.kind === RUN_UPDATE;
  }

  /** The outermost run. @returns {import("./run.js").Run} */
  get top() {
    return (
      this.request.parent?.run.top ??
      /** @type {import("./run.js").Run} */ (/** @type {unknown} */ (this))
    );
  }

  /** Did the caller provide a clock? Then nothing depends on the host's speed. */
  get hasOwnTime() {
    return this.request.ticker !== undefined;
  }

  /**
   * Returns the turn of the event loop to await before the next task of a block, if due.
   * @returns {Promise<void> | undefined}
   */
  dueTurn() {
    return this.hasOwnTime ? undefined : dueBetween();
  }

  /**
   * Returns the turn of the event loop that a run with its own clock takes, if due.
   * @returns {Promise<void> | undefined}
   */
  ownTurn() {
    return ++this.#steps % OWN_STEPS === 0 ? nextTurn() : undefined;
  }

  /**
   * Returns what a run's end awaits: pending saves and cache writes.
   * @returns {Promise<unknown> | undefined}
   */
  lastWrites() {
    const { saving } = this;
    return this.request.caching?.kept(this.request.signal)?.then(() => saving) ?? saving;
  }
}
