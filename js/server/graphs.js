// SPDX-License-Identifier: MIT
// Knows the graphs that a server has, by name, and where their threads are kept. A factory makes a
// graph for each call, of the call's config.
import { MemorySaver } from "../savers/memory/saver.js";
import { checkArgument, isObject } from "../base/check-arguments.js";
import { notFound } from "./http/replies.js";
import { storeFor } from "./user-store.js";

/** @typedef {import("./http/fields.js").Json} Json */
/** @typedef {import("./http/wire.js").Snapshot} Snapshot */
/**
 * What a server calls of a graph.
 * @typedef {{ checkpointer?: unknown, _tellsChunks?: boolean, store?: unknown, stream: (input:
 *   unknown, options: Json) => Promise<AsyncIterable<unknown>>, streamEvents: (input: unknown,
 *   options: Json) => AsyncIterable<{ event: string, run_id: string, data?: { chunk?: unknown } }>,
 *   getState: (config: Json, options?: Json) => Promise<Snapshot>, getStateHistory: (config: Json,
 *   options?: Json) => AsyncIterable<Snapshot>, updateState: (config: Json, values: unknown,
 *   asNode?: string) => Promise<{ configurable: Json }>, bulkUpdateState: (config: Json,
 *   supersteps: unknown) => Promise<{ configurable: Json }>, getGraphAsync: (options?: Json) =>
 *   Promise<{ toJSON: () => Json }>, getSubgraphsAsync: (namespace?: string, recurse?: boolean) =>
 *   AsyncIterable<[string, ServedGraph]>, builder?: unknown }} ServedGraph
 */
/**
 * @typedef {ServedGraph | ((config: Json) => ServedGraph | Promise<ServedGraph>)} GraphOrFactory
 */
/**
 * What a server does with a saver beside running graphs on it.
 * @typedef {{ deleteThread?: (threadId: string) => Promise<unknown>, decisions?: (threadId:
 *   string) => Promise<unknown[]> }} Threads
 */

export class Graphs {
  #graphs;
  #saver;
  #store;
  /** @type {MemorySaver | undefined} */
  #memory;

  /**
   * @param {Record<string, GraphOrFactory>} graphs
   * @param {unknown} saver of all graphs; undefined: each graph's own, or this server's memory
   * @param {unknown} store
   * @throws BAD_ARGUMENT
   */
  constructor(graphs, saver, store) {
    checkArgument(
      isObject(graphs) && Object.keys(graphs).length > 0,
      "createServer({ graphs }): graphs must be graphs by their names",
    );
    for (const [name, graph] of Object.entries(graphs))
      checkArgument(
        isGraph(graph) || typeof graph === "function",
        `createServer({ graphs }): ${JSON.stringify(name)} must be a compiled graph, or a function that makes one`,
      );
    this.#graphs = new Map(Object.entries(graphs));
    this.#saver = saver;
    this.#store = store;
  }

  /** @returns {string[]} */
  get names() {
    return [...this.#graphs.keys()];
  }

  /** @returns {ServedGraph[]} those that no function makes for each call */
  get made() {
    return [...this.#graphs.values()].filter(isGraph);
  }

  /** @param {string} name @returns {boolean} */
  has(name) {
    return this.#graphs.has(name);
  }

  /**
   * @param {string} name
   * @param {Json} config of the call that it is for
   * @returns {Promise<ServedGraph>}
   */
  async open(name, config) {
    const graph = this.#graphs.get(name);
    if (graph === undefined) throw notFound(`graph ${JSON.stringify(name)}`);
    if (isGraph(graph)) return graph;
    const made = await graph(config);
    if (!isGraph(made))
      throw new TypeError(`The function of graph ${name} made no compiled graph.`);
    return made;
  }

  /**
   * @param {ServedGraph} graph
   * @param {string | undefined} user for whom it is called
   * @returns {Json} what each of its calls is given
   */
  callWith(graph, user) {
    const store = storeFor(graph.store ?? this.#store, user);
    return { checkpointer: this.saverOf(graph), ...(store === undefined ? {} : { store }) };
  }

  /** @param {ServedGraph | undefined} graph undefined: it is not known @returns {Threads} */
  saverOf(graph) {
    const own = graph?.checkpointer;
    return /** @type {Threads} */ (
      this.#saver ?? (isObject(own) ? own : (this.#memory ??= new MemorySaver()))
    );
  }
}

/** @param {unknown} value @returns {value is ServedGraph} */
function isGraph(value) {
  const graph = /** @type {Partial<ServedGraph> | undefined} */ (value);
  return typeof graph?.stream === "function" && typeof graph.getState === "function";
}
