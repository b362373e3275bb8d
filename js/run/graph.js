// SPDX-License-Identifier: MIT
// Represents a graph that the engine has accepted: its definition, the host's parts of it, and its
// handle in the live instance. Owns the handle. Does not depend on runs.
import { makeError } from "../base/errors.js";
import { ERR_UNKNOWN_INTERRUPT_NODE } from "../base/codes.js";
import { Handle } from "../engine/handle.js";
import { getEngine } from "../engine/instance.js";
import { ABSENT } from "../engine/slots.js";

/** @typedef {import("../state/custom-channels.js").OwnChannel} OwnChannel */
/**
 * @typedef {{ name: string, kind: string, default?: boolean, guard?: boolean, unique?: boolean,
 *   accumulate?: boolean }} ChannelDefinition
 */
/**
 * @typedef {{ name: string, defer?: boolean, cache?: boolean, ends?: string[], handler?: string }}
 *   NodeDefinition
 */
/**
 * @typedef {object} GraphDefinition
 * @property {ChannelDefinition[]} channels
 * @property {NodeDefinition[]} nodes
 * @property {[string, string][]} edges
 * @property {[string[], string][]} joins
 * @property {{ from: string, ends: [string, string][] | null }[]} branches
 * @property {string[]} output
 * @property {string} [input] low-level graphs: the input channels, formatted for errors
 * @property {string} [inputNode] low-level graphs: the node of the same name as the input channel
 * @property {"*" | string[]} [interruptBefore]
 * @property {"*" | string[]} [interruptAfter]
 */
/**
 * @typedef {{ reducer?: (left: unknown, right: unknown) => unknown, makeDefault?: () => unknown,
 *   fold?: (left: unknown, writes: unknown[]) => unknown, own?: OwnChannel, delta?: unknown }}
 *   ChannelPart
 */
/** @typedef {import("./tasks/task.js").NodeTask} Task */
/**
 * @typedef {{ channels: ChannelPart[], runTask: (task: Task, run: import("./run.js").Run) => void |
 *   Promise<void> }} GraphParts
 */

const START_NODE = "__start__";

export class EngineGraph {
  /** @type {string[] | undefined} */
  #triggers;

  /**
   * @param {GraphDefinition} definition
   * @param {GraphParts} parts
   */
  constructor(definition, parts) {
    this.definition = definition;
    this.parts = parts;
    this.names = definition.channels.map((channel) => channel.name);
    /** Is it a list? An empty topic counts as absent. @type {(boolean | "topic")[]} */
    this.lists = definition.channels.map(({ kind }) =>
      kind === "topic" ? kind : kind === "messages",
    );
    /** Is every write saved (no untracked channel)? */
    this.keepsAll = definition.channels.every(({ kind }) => kind !== "untracked");
    /** Channels of a class of the host's. @type {Map<number, OwnChannel>} */
    this.hosts = new Map(
      parts.channels.flatMap(({ own }, channel) => (own === undefined ? [] : [[channel, own]])),
    );
    this.blank = definition.channels.map(() => ABSENT);
    this.nodes = [START_NODE, ...definition.nodes.map((node) => node.name)];
    this.all = this.names.map((_, channel) => channel);
    const byName = new Map(this.names.map((name, channel) => [name, channel]));
    this.output = definition.output
      .map((name) => byName.get(name) ?? -1)
      .filter((channel) => channel >= 0);
    /** Channels whose initial value the host provides. */
    this.defaults = this.all.filter((channel) => definition.channels[channel].default === true);
    this.handle = new Handle("weft_graph_new", "weft_graph_free", definition);
  }

  /** @param {number} channel */
  isList(channel) {
    return this.lists[channel] !== false;
  }

  /**
   * Returns the handle in this instance.
   * @param {import("../engine/engine.js").Engine} engine
   */
  open(engine) {
    return this.handle.open(engine);
  }

  /**
   * Returns the name of any channel, including those that both sides derive.
   * @param {number} channel
   */
  channelName(channel) {
    this.#triggers ??= [
      ...this.names,
      ...(this.definition.input === undefined ? derivedNames(this.definition) : []),
      "__pregel_tasks",
    ];
    return this.#triggers[channel];
  }

  /** Returns the number of any channel, or -1. @param {string} name */
  channelNumber(name) {
    this.channelName(0);
    return /** @type {string[]} */ (this.#triggers).indexOf(name);
  }

  /**
   * Returns the numbers of named nodes.
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

/** Lists the channels that trigger nodes with edges. @param {GraphDefinition} definition */
function derivedNames({ nodes, joins }) {
  return [
    START_NODE,
    ...nodes.map(({ name }) => `branch:to:${name}`),
    ...joins.map(([from, to]) => `join:${from.join("+")}:${to}`),
  ];
}

/**
 * Passes a definition to the engine, which checks it. Throws the errors of building a graph.
 * @param {GraphDefinition} definition
 * @param {GraphParts} parts
 * @returns {EngineGraph}
 */
export function defineGraph(definition, parts) {
  const graph = new EngineGraph(definition, parts);
  graph.open(getEngine());
  return graph;
}
