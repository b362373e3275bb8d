// SPDX-License-Identifier: MIT
// A graph that the engine has accepted: its definition, the host's parts of it, and its handle in the living instance.
// Owns the handle (a finalizer frees it). Must not know runs.
import { makeError } from "../errors.js";
import { ERR_UNKNOWN_INTERRUPT_NODE } from "../engine/codes.js";
import { getEngine } from "../engine/realm.js";
import { ABSENT } from "../engine/slots.js";

/** @typedef {{ name: string, kind: string, default?: boolean, guard?: boolean, unique?: boolean, accumulate?: boolean }} ChannelDefinition */
/** @typedef {{ name: string, defer?: boolean, ends?: string[] }} NodeDefinition */
/**
 * @typedef {object} GraphDefinition
 * @property {ChannelDefinition[]} channels
 * @property {NodeDefinition[]} nodes
 * @property {[string, string][]} edges
 * @property {[string[], string][]} joins
 * @property {{ from: string, ends: [string, string][] | null }[]} branches
 * @property {string[]} output
 * @property {"*" | string[]} [interruptBefore]
 * @property {"*" | string[]} [interruptAfter]
 */
/** @typedef {{ reducer?: (left: any, right: any) => any, makeDefault?: () => any }} ChannelPart */
/** @typedef {import("./task.js").Task} Task */
/** @typedef {{ channels: ChannelPart[], runTask: (task: Task, run: import("./pump.js").Run) => void | Promise<void> }} GraphParts */

const START_NODE = "__start__";

export class EngineGraph {
  /**
   * @param {GraphDefinition} definition
   * @param {GraphParts} parts
   */
  constructor(definition, parts) {
    this.definition = definition;
    this.parts = parts;
    this.names = definition.channels.map((channel) => channel.name);
    this.lists = definition.channels.map((channel) => channel.kind === "messages");
    this.blank = definition.channels.map(() => ABSENT);
    this.nodes = [START_NODE, ...definition.nodes.map((node) => node.name)];
    this.all = this.names.map((_, channel) => channel);
    const byName = new Map(this.names.map((name, channel) => [name, channel]));
    this.output = definition.output.map((name) => byName.get(name) ?? -1).filter((channel) => channel >= 0);
    /** Channels whose initial value the host has. */
    this.defaults = this.all.filter((channel) => definition.channels[channel].default === true);
    /** @type {Held} */
    this.held = { engine: undefined, handle: 0 };
    /** @type {string[] | undefined} */
    this.triggers = undefined;
  }

  /** @param {number} channel */
  isList(channel) {
    return this.lists[channel] === true;
  }

  /**
   * The handle in this instance.
   * @param {import("../engine/engine.js").Engine} engine
   */
  open(engine) {
    const { held } = this;
    if (held.engine === engine) return held.handle;
    const handle = engine.open("weft_graph_new", JSON.stringify(this.definition));
    if (held.engine === undefined) watch(this);
    held.engine = engine;
    held.handle = handle;
    return handle;
  }

  /**
   * The name of any channel, of those too that both sides derive.
   * @param {number} channel
   */
  channelName(channel) {
    this.triggers ??= [
      ...this.names,
      START_NODE,
      ...this.definition.nodes.map(({ name }) => `branch:to:${name}`),
      ...this.definition.joins.map(([from, to]) => `join:${from.join("+")}:${to}`),
      "__pregel_tasks",
    ];
    return this.triggers[channel];
  }

  /**
   * Numbers of named nodes.
   * @param {string[]} names
   */
  nodeNumbers(names) {
    return names.map((name) => {
      const node = this.nodes.indexOf(name);
      if (node < 0) throw makeError(ERR_UNKNOWN_INTERRUPT_NODE, [name]);
      return node;
    });
  }
}

/** What the finalizer frees: it must not hold the graph itself. @typedef {{ engine: import("../engine/engine.js").Engine | undefined, handle: number }} Held */

/** @type {FinalizationRegistry<Held> | undefined} */
let registry;

/** @param {EngineGraph} graph */
function watch(graph) {
  if (typeof FinalizationRegistry === "undefined") return;
  registry ??= new FinalizationRegistry(({ engine, handle }) => {
    if (engine !== undefined && !engine.dead) engine.call("weft_graph_free", handle);
  });
  registry.register(graph, graph.held);
}

/**
 * Checks a definition and gives it to the engine. Throws the errors of building a graph.
 * @param {GraphDefinition} definition
 * @param {GraphParts} parts
 * @returns {EngineGraph}
 */
export function defineGraph(definition, parts) {
  const graph = new EngineGraph(definition, parts);
  graph.open(getEngine());
  return graph;
}
