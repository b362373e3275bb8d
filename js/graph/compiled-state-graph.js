// SPDX-License-Identifier: MIT
// Holds a compiled StateGraph and presents its nodes, channels and triggers. Does not depend on
// runs.
import { ROOT } from "../base/constants.js";
import { BaseChannel } from "../state/channels.js";
import { Compiled } from "./compiled.js";
import { makePlan } from "../plan/definition.js";
import { drawGraph, drawGraphLater } from "./drawing.js";
import { withDefaults } from "../plan/policies.js";
import { RunnableBinding, RunnableCallable, callOf } from "../runnable/runnable.js";

/** @typedef {import("../base/merge-configs.js").Config} Config */
/** @typedef {import("./state-graph.js").StateGraph} StateGraph */
/**
 * @typedef {RunnableBinding & { triggers: string[] }} ShownNode a node in the form of a PregelNode
 */

const START = "__start__";

/** @extends {Compiled<StateGraph>} */
export class CompiledStateGraph extends Compiled {
  inputChannels = START;
  autoValidate = false;

  get lc_id() {
    return [...this.lc_namespace, "CompiledStateGraph"];
  }

  /** @param {StateGraph} builder @param {import("./thread-state.js").GraphOptions} options */
  _plan(builder, options) {
    return makePlan(builder, options);
  }

  /** @returns {Array<[string[], string]>} */
  get #joins() {
    return [...this.builder.waitingEdges];
  }

  /** The nodes in the form of a PregelNode. @returns {Record<string, ShownNode>} */
  get nodes() {
    const { plan } = this._parts;
    if (!plan.shown) {
      const shown = (plan.shown = this.#showNodes());
      // Calls the presented nodes from now on, since a user may replace them.
      for (const node of plan.nodes)
        if (node.call) node.call = (input, config) => callOf(shown[node.name].bound)(input, config);
    }
    return plan.shown;
  }

  #showNodes() {
    const { builder } = this;
    /** @type {Record<string, ShownNode>} */
    const shown = {
      [START]: nodeShown(new RunnableCallable((input) => input, START), {
        triggers: [START],
        channels: [START],
        tags: ["langsmith:hidden"],
      }),
    };
    for (const [name, { runnable, metadata = {}, input, subgraphs, ...more }] of Object.entries(
      withDefaults(builder.nodes, builder.nodeDefaults),
    )) {
      const triggers = [
        `branch:to:${name}`,
        ...this.#joins.filter(([, end]) => end === name).map(joinName),
      ];
      const keys = Object.keys(input ?? builder._schemaDefinition);
      const channels = keys[0] === ROOT ? keys : Object.fromEntries(keys.map((key) => [key, key]));
      shown[name] = nodeShown(runnable, {
        ...more,
        triggers,
        channels,
        metadata,
        tags: [],
        subgraphs: subgraphs ?? (runnable.lg_is_pregel ? [runnable] : undefined),
      });
    }
    return shown;
  }

  /** @returns {Record<string, BaseChannel>} */
  get channels() {
    const { builder } = this;
    /** @type {Record<string, BaseChannel>} */
    const shown = { ...builder.channels };
    const add = (/** @type {string} */ name, /** @type {string} */ kind) =>
      (shown[name] = Object.assign(new BaseChannel(), { lc_graph_name: kind }));
    add(START, "EphemeralValue");
    add("__pregel_tasks", "Topic");
    for (const name in builder.nodes)
      add(
        `branch:to:${name}`,
        builder.nodes[name].defer ? "LastValueAfterFinish" : "EphemeralValue",
      );
    for (const join of this.#joins)
      add(
        joinName(join),
        builder.nodes[join[1]]?.defer ? "NamedBarrierValueAfterFinish" : "NamedBarrierValue",
      );
    return shown;
  }

  get triggerToNodes() {
    /** @type {Record<string, string[]>} */
    const nodes = {};
    for (const [name, { triggers }] of Object.entries(this.nodes))
      for (const trigger of triggers) (nodes[trigger] ??= []).push(name);
    return nodes;
  }

  get outputChannels() {
    return this._parts.plan.result ?? keysOf(this.builder._outputDefinition);
  }

  set outputChannels(result) {
    this._show({ result });
  }

  get streamChannels() {
    return this._parts.plan.stream ?? keysOf(this.builder.channels);
  }

  set streamChannels(stream) {
    this._show({ stream });
  }

  get streamChannelsAsIs() {
    return this.streamChannels;
  }

  get streamChannelsList() {
    return [this.streamChannels].flat();
  }

  /** Does nothing: compile() has checked the graph. @returns {this} */
  validate() {
    return this;
  }

  get _specs() {
    return this.builder.nodes;
  }

  /**
   * Returns the drawable graph.
   * @param {Config} [config] `xray`: how many levels of subgraphs are expanded, true for all
   * @returns {unknown} nodes and edges for drawing
   */
  getGraph(config) {
    return drawGraph(this.builder, this, config);
  }

  /** @param {Config} [config] */
  async getGraphAsync(config) {
    return drawGraphLater(this.builder, this, config);
  }
}

/**
 * @template {{ tags: string[], triggers: string[] }} Fields
 * @param {unknown} bound @param {Fields} fields
 */
function nodeShown(bound, fields) {
  return Object.assign(
    new RunnableBinding(bound, { tags: fields.tags }),
    { lc_graph_name: "PregelNode", kwargs: {} },
    fields,
  );
}

/** @param {[string[], string]} join */
function joinName([from, to]) {
  return `join:${from.join("+")}:${to}`;
}

/** @param {Record<string, BaseChannel>} channels @returns {string | string[]} */
function keysOf(channels) {
  const keys = Object.keys(channels);
  return keys[0] === ROOT ? ROOT : keys;
}
