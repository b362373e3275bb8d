// SPDX-License-Identifier: MIT
// Knows: what a StateGraph is once it is compiled: its plan, its nodes and channels, its drawing. Must not know: runs.
import { Compiled } from "./compiled.js";
import { makePlan } from "./definition.js";
import { drawGraph, drawGraphLater } from "./drawing.js";
import { withDefaults } from "./policies.js";

export class CompiledStateGraph extends Compiled {
  get lc_id() {
    return [...this.lc_namespace, "CompiledStateGraph"];
  }

  /** @param {any} builder @param {any} options */
  _plan(builder, options) {
    return makePlan(builder, options);
  }

  get nodes() {
    const { nodes, nodeDefaults } = this.builder;
    const specs = withDefaults(nodes, nodeDefaults);
    return Object.fromEntries(["__start__", ...Object.keys(specs)].map((name) => [name, specs[name]?.runnable]));
  }

  get channels() {
    return this.builder.channels;
  }

  get _specs() {
    return this.builder.nodes;
  }

  /** @param {any} [config] `xray`: how many levels of subgraphs are opened, true for all @returns {any} nodes and edges for drawing */
  getGraph(config) {
    return drawGraph(this.builder, this, config);
  }

  /** @param {any} [config] */
  async getGraphAsync(config) {
    return drawGraphLater(this.builder, this, config);
  }
}
