// SPDX-License-Identifier: MIT
// Owns the engine's graphs of one plan: the whole graph, and graphs with fewer output keys, made on
// request.
import { runTask } from "../calls/node-task.js";
import { defineGraph } from "../run/start.js";

/** @typedef {import("../plan/definition.js").Plan} Plan */
/** @typedef {import("../run/start.js").EngineGraph} EngineGraph */

export class EngineGraphs {
  #plan;
  /** Graphs by output keys as JSON. @type {Map<string, EngineGraph>} */
  #byOutput = new Map();
  /**
   * The last requested graph, for calls that pass the same list.
   * @type {{ keys: unknown, graph: EngineGraph } | undefined}
   */
  #last;

  /** @param {Plan} plan */
  constructor(plan) {
    this.#plan = plan;
    this.whole = this.#define(plan.definition);
  }

  /** @param {Plan["definition"]} definition @returns {EngineGraph} */
  #define(definition) {
    const plan = this.#plan;
    return defineGraph(definition, {
      channels: plan.channels,
      runTask: (task) => runTask(plan, task),
    });
  }

  /**
   * Returns the graph with these output keys.
   * @param {string | string[] | undefined} keys
   * @returns {EngineGraph}
   * @throws Error for a key that is no channel
   */
  of(keys) {
    if (keys === undefined) return this.whole;
    if (keys === this.#plan.outputKeys && this.#last?.keys === keys) return this.#last.graph;
    const graph = this.#find([...new Set([keys].flat())]);
    this.#last = { keys, graph };
    return graph;
  }

  /** @param {string[]} output */
  #find(output) {
    for (const key of output)
      if (!this.#plan.channelNumbers.has(key)) throw new Error(`Key ${key} not found in channels`);
    if (this.#plan.keys.every((key, at) => key === output[at])) return this.whole;
    const name = JSON.stringify(output);
    let graph = this.#byOutput.get(name);
    if (graph === undefined)
      this.#byOutput.set(name, (graph = this.#define({ ...this.#plan.definition, output })));
    return graph;
  }
}
