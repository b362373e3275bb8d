// SPDX-License-Identifier: MIT
// Implements LangGraph's older builders: Graph, whose nodes pass one value on, and MessageGraph,
// whose state is a list of messages. Does not depend on runs.
import { END, START } from "../base/constants.js";
import {
  ERR_UNKNOWN_EDGE_END,
  ERR_UNKNOWN_EDGE_START,
  ERR_UNKNOWN_INTERRUPT_NODE,
  ERR_UNREACHABLE_NODE,
} from "../base/codes.js";
import { makeError } from "../base/errors.js";
import { Pregel } from "../graph/pregel.js";
import { ChannelWrite, PASSTHROUGH, PregelNode } from "../plan/low-level-node.js";
import { coerce } from "../runnable/runnable.js";
import { Builder, LATE } from "../graph/builder.js";
import { EphemeralValue, Topic } from "../state/channels.js";
import { drawGraph, drawGraphLater } from "../graph/drawing.js";
import { messagesStateReducer } from "../state/messages-reducer.js";
import { StateGraph, checkName, nodesToAdd } from "../graph/state-graph.js";

/** @typedef {import("../state/channels.js").BaseChannel} BaseChannel */
/** @typedef {import("../base/merge-configs.js").Config} Config */
/** @typedef {import("../graph/state-graph.js").NodeSpec} NodeSpec */
/** @typedef {import("../graph/state-graph.js").NodeOptions} NodeOptions */
/** @typedef {import("../base/callable.js").Value} Value */

export class Graph extends Builder {
  /** @type {Record<string, Value>} */
  nodes = {};
  /** @type {Set<[string, string]>} */
  edges = new Set();
  /** @type {string | undefined} */
  entryPoint = undefined;

  /** Counts a StateGraph as an instance. @param {unknown} value */
  static [Symbol.hasInstance](value) {
    return (
      Function.prototype[Symbol.hasInstance].call(this, value) ||
      (this === Graph && value instanceof StateGraph)
    );
  }

  get allEdges() {
    return this.edges;
  }

  /**
   * @param {Record<string, NodeSpec>} nodes a name, an object of nodes, or a list of [name, node,
   *   options]
   * @param {unknown} [action]
   * @param {unknown} [options]
   * @returns {this}
   */
  addNode(nodes, action, options) {
    for (const [key, node, own] of nodesToAdd(
      nodes,
      action,
      /** @type {NodeOptions} */ (options),
    )) {
      checkName(key);
      this.warnIfCompiled("Adding a node to" + LATE);
      if (key === END) throw new Error(`Node \`${key}\` is reserved.`);
      if (key in this.nodes) throw new Error(`Node \`${key}\` already present.`);
      this.nodes[key] = {
        runnable: coerce(node),
        metadata: own?.metadata,
        subgraphs: own?.subgraphs,
        ends: own?.ends,
      };
    }
    return this;
  }

  /** @param {string} from @param {string} to @returns {this} */
  addEdge(from, to) {
    this.warnIfCompiled("Adding an edge to" + LATE);
    if (from === END) throw new Error("END cannot be a start node");
    if (to === START) throw new Error("START cannot be an end node");
    if ([...this.edges].some(([start]) => start === from))
      throw new Error(`Already found path for ${from}. For multiple edges, use StateGraph.`);
    this.edges.add([from, to]);
    return this;
  }

  /** @param {string[]} [interrupt] nodes that must exist */
  validate(interrupt = []) {
    const names = new Set([...Object.keys(this.nodes), START]);
    const starts = [...[...this.edges].map(([from]) => from), ...Object.keys(this.branches)];
    for (const from of starts)
      if (!names.has(from)) throw makeError(ERR_UNKNOWN_EDGE_START, [from]);
    const opens = Object.values(this.branches).some((named) =>
      Object.values(named).some(({ ends }) => ends === undefined),
    );
    const reached = new Set([...this.edges].map(([, to]) => to));
    for (const named of Object.values(this.branches))
      for (const { ends } of Object.values(named))
        for (const end of Object.values(ends ?? {})) reached.add(end);
    for (const name of Object.keys(this.nodes)) {
      if (!opens && !reached.has(name)) throw makeError(ERR_UNREACHABLE_NODE, [name]);
    }
    for (const to of reached)
      if (to !== END && !names.has(to)) throw makeError(ERR_UNKNOWN_EDGE_END, [to]);
    for (const name of interrupt)
      if (!names.has(name)) throw makeError(ERR_UNKNOWN_INTERRUPT_NODE, [name]);
    this.compiled = true;
  }

  /** @param {Value} [options] @returns {CompiledGraph} */
  compile(options = {}) {
    const { interruptBefore: before, interruptAfter: after } = options;
    this.validate([before, after].flatMap((names) => (Array.isArray(names) ? names : [])));
    return new CompiledGraph(fieldsOf(this, options));
  }
}

/**
 * Names the channel by which a condition triggers a node.
 * @param {string} from
 * @param {string} name
 * @param {string} to name of the node
 */
function branchChannel(from, name, to) {
  return `branch:${from}:${name}:${to}`;
}

/** @param {string} channel */
function writerOf(channel) {
  return new ChannelWrite([{ channel, value: PASSTHROUGH, skipNone: false }]);
}

/** @param {string} from @param {string} name @param {Value} branch */
function branchWriter(from, name, { path, ends }) {
  const mapper = coerce(async (/** @type {unknown} */ value, /** @type {Config} */ config) => {
    const results = [await path.invoke(value, config)].flat();
    return results
      .map((result) => (ends === undefined ? result : ends[result]))
      .map((to) => [to === END ? END : branchChannel(from, name, to), value]);
  });
  return new ChannelWrite([{ value: PASSTHROUGH, mapper }]);
}

/** @param {Graph} graph @param {Value} options */
function fieldsOf(graph, options) {
  const { nodes, edges, branches } = graph;
  const names = Object.keys(nodes);
  /** @type {Record<string, BaseChannel>} */
  const channels = {
    [START]: new EphemeralValue(),
    [END]: new EphemeralValue(),
    __pregel_tasks: new Topic(),
  };
  /** @type {Record<string, { triggers: string[], writers: unknown[] }>} */
  const parts = Object.fromEntries(
    names.map((name) => [name, { triggers: [], writers: [writerOf(name)] }]),
  );
  for (const name of names) channels[name] = new EphemeralValue();
  for (const [from, to] of edges) {
    if (to === END) parts[from]?.writers.push(writerOf(END));
    else parts[to].triggers.push(from);
  }
  for (const [from, named] of Object.entries(branches)) {
    for (const [name, branch] of Object.entries(named)) {
      for (const to of branch.ends === undefined
        ? names
        : Object.values(branch.ends).filter((end) => end !== END)) {
        const channel = branchChannel(from, name, to);
        channels[channel] = new EphemeralValue(false);
        if (!parts[to].triggers.includes(channel)) parts[to].triggers.push(channel);
      }
      if (from === START)
        parts[START] = { triggers: [START], writers: [branchWriter(from, name, branch)] };
      else parts[from].writers.push(branchWriter(from, name, branch));
    }
  }
  const made = Object.entries(parts).map(([name, { triggers, writers }]) => {
    const { runnable: bound, metadata, subgraphs } = nodes[name] ?? {};
    return [
      name,
      new PregelNode({ bound, metadata, subgraphs, triggers, channels: triggers, writers }),
    ];
  });
  return {
    ...options,
    graph,
    autoValidate: false,
    nodes: Object.fromEntries(made),
    channels,
    inputChannels: START,
    outputChannels: END,
    streamChannels: names,
    streamMode: "values",
  };
}

export class CompiledGraph extends Pregel {
  get lc_id() {
    return [...this.lc_namespace, "CompiledGraph"];
  }

  get #graph() {
    return /** @type {{ graph: StateGraph }} */ (/** @type {unknown} */ (this.builder)).graph;
  }

  /** @param {Config} [config] */
  getGraph(config) {
    return drawGraph(this.#graph, this, config);
  }

  /** @param {Config} [config] */
  async getGraphAsync(config) {
    return drawGraphLater(this.#graph, this, config);
  }
}

/** A graph whose state is one list of messages. */
export class MessageGraph extends StateGraph {
  constructor() {
    super({ channels: { __root__: { reducer: messagesStateReducer, default: () => [] } } });
  }
}
