// SPDX-License-Identifier: MIT
// The engine's graphs of one plan: the whole one, and those whose output are fewer keys, made when
// they are asked for. Owns them.
import { runTask } from "../calls/node-task.js";
import { defineGraph } from "../run/start.js";

/** @typedef {import("../plan/definition.js").Plan} Plan */
/** @typedef {import("../run/start.js").EngineGraph} EngineGraph */

export class EngineGraphs {
  #plan;
  /** By their keys, as JSON. @type {Map<string, EngineGraph>} */
  #byOutput = new Map();
  /**
   * What was asked for last, for a call after the other that names the same list.
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
    return defineGraph(/** @type {any} */ (definition), {
      channels: plan.channels,
      runTask: (/** @type {any} */ task) => runTask(plan, task),
    });
  }

  /**
   * The graph whose output are these keys.
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
