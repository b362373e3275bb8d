// SPDX-License-Identifier: MIT
// What a run's request says: its clock, its place, its kind. Must not know how the run goes on.
import { RUN_INVOKE, RUN_UPDATE } from "../base/codes.js";
import { askNamespace } from "./tasks/engine-queries.js";
import { CLOCK } from "./ids.js";
import { Signalled } from "./tasks/signals.js";

/** @typedef {import("./graph.js").EngineGraph} EngineGraph */
/** @typedef {import("./start.js").RunRequest} RunRequest */

export class Requested extends Signalled {
  /** @type {string | undefined} */
  #namespace;

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
}
