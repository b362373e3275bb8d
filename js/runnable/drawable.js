// SPDX-License-Identifier: MIT
// Defines LangChain's drawable graph: nodes, edges, merging of graphs, and its JSON. Does not
// depend on what the nodes do.
import { checkArgument, isObject, withoutGaps } from "../base/check-arguments.js";
import { drawMermaid, fetchMermaidPng } from "./mermaid.js";
import { randomUuid } from "../base/uuid.js";

/** @typedef {import("../base/merge-configs.js").Config} Config */
/** @typedef {import("../base/callable.js").RunnableLike} RunnableLike */
/** @typedef {import("../base/callable.js").Value} Value */
/**
 * @typedef {{ id: string, data: unknown, name: string, metadata: Record<string, unknown> |
 *   undefined }} DrawnNode
 */
/**
 * @typedef {{ source: string, target: string, data: string | undefined, conditional: boolean |
 *   undefined }} DrawnEdge
 */
/** @typedef {import("./mermaid.js").MermaidOptions} MermaidOptions */

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Schema of an input or output about which nothing is known. */
export const ANY_SCHEMA = Object.freeze({
  $schema: "https://json-schema.org/draft/2020-12/schema",
});

/** @param {unknown} value @returns {value is import("./runnable.js").Runnable} */
function isRunnable(value) {
  return /** @type {{ lc_runnable?: unknown } | undefined} */ (value)?.lc_runnable === true;
}

/** @param {string | undefined} id @param {unknown} data @returns {string} */
function nameOf(id, data) {
  if (id !== undefined && !UUID.test(id)) return id;
  if (!isRunnable(data))
    return /** @type {{ name?: string } | undefined} */ (data)?.name ?? "UnknownSchema";
  return data.getName().replace(/^Runnable/, "");
}

export class Graph {
  /** @param {{ nodes?: Record<string, DrawnNode>, edges?: DrawnEdge[] }} [parts] */
  constructor(parts) {
    /** @type {Record<string, DrawnNode>} */
    this.nodes = parts?.nodes ?? {};
    /** @type {DrawnEdge[]} */
    this.edges = parts?.edges ?? [];
  }

  toJSON() {
    const ids = Object.fromEntries(
      Object.keys(this.nodes).map((id, index) => [id, UUID.test(id) ? index : id]),
    );
    const nodes = Object.values(this.nodes).map(({ id, data, metadata }) => ({
      id: ids[id],
      ...(isRunnable(data)
        ? { type: "runnable", data: { id: data.lc_id, name: data.getName() } }
        : { type: "schema", data: schemaOf(data) }),
      ...withoutGaps({ metadata }),
    }));
    const edges = this.edges.map(({ source, target, data, conditional }) => ({
      source: ids[source],
      target: ids[target],
      ...withoutGaps({ data, conditional }),
    }));
    return { nodes, edges };
  }

  /**
   * @param {unknown} data a Runnable or `{ name, schema }`
   * @param {string} [id]
   * @param {Record<string, unknown>} [metadata]
   * @returns {DrawnNode}
   */
  addNode(data, id, metadata) {
    checkArgument(
      id === undefined || typeof id === "string",
      "addNode(data, id): id must be a text",
    );
    if (id !== undefined && Object.hasOwn(this.nodes, id))
      throw new Error(`Node with id ${id} already exists`);
    const node = { id: id ?? randomUuid(), data, name: nameOf(id, data), metadata };
    this.nodes[node.id] = node;
    return node;
  }

  /** @param {{ id: string }} node */
  removeNode(node) {
    checkArgument(isObject(node), "removeNode(node): node must be a node of the graph");
    const { id } = node;
    delete this.nodes[id];
    this.edges = this.edges.filter(({ source, target }) => source !== id && target !== id);
  }

  /**
   * @param {{ id: string }} source
   * @param {{ id: string }} target
   * @param {string} [data]
   * @param {boolean} [conditional]
   * @returns {DrawnEdge}
   */
  addEdge(source, target, data, conditional) {
    checkArgument(
      isObject(source) && isObject(target),
      "addEdge(source, target): both must be nodes of the graph",
    );
    if (!Object.hasOwn(this.nodes, source.id))
      throw new Error(`Source node ${source.id} not in graph`);
    if (!Object.hasOwn(this.nodes, target.id))
      throw new Error(`Target node ${target.id} not in graph`);
    const edge = { source: source.id, target: target.id, data, conditional };
    this.edges.push(edge);
    return edge;
  }

  /** Returns the only node without incoming edges. @returns {DrawnNode | undefined} */
  firstNode() {
    return this.#lone("source", "target");
  }

  /** Returns the only node without outgoing edges. @returns {DrawnNode | undefined} */
  lastNode() {
    return this.#lone("target", "source");
  }

  /**
   * @param {"source" | "target"} from
   * @param {"source" | "target"} to
   * @param {string} [without] a node to ignore
   */
  #lone(from, to, without) {
    const reached = new Set(
      this.edges.filter((edge) => edge[from] !== without).map((edge) => edge[to]),
    );
    const found = Object.values(this.nodes).filter(({ id }) => id !== without && !reached.has(id));
    return found.length === 1 ? found[0] : undefined;
  }

  /** Removes the first node if exactly one node follows it. */
  trimFirstNode() {
    this.#trim("source", "target");
  }

  /** Removes the last node if exactly one node precedes it. */
  trimLastNode() {
    this.#trim("target", "source");
  }

  /** @param {"source" | "target"} from @param {"source" | "target"} to */
  #trim(from, to) {
    const end = this.#lone(from, to);
    if (end !== undefined && this.#lone(from, to, end.id) !== undefined) this.removeNode(end);
  }

  /**
   * Adds another graph; its ids get a prefix, unless all of them are random.
   * @param {Graph} graph
   * @param {string} [prefix]
   * @returns {Array<{ id: string, data: unknown } | undefined>} its first and its last node, with
   *   their new ids
   */
  extend(graph, prefix = "") {
    checkArgument(isObject(graph?.nodes), "extend(graph): graph must be a drawn graph");
    const isRandom = Object.values(graph.nodes).every(({ id }) => UUID.test(id));
    const prefixed = (/** @type {string} */ id) =>
      isRandom || prefix === "" ? id : `${prefix}:${id}`;
    for (const node of Object.values(graph.nodes))
      this.nodes[prefixed(node.id)] = { ...node, id: prefixed(node.id) };
    for (const edge of graph.edges)
      this.edges.push({ ...edge, source: prefixed(edge.source), target: prefixed(edge.target) });
    return [graph.firstNode(), graph.lastNode()].map(
      (node) => node && { id: prefixed(node.id), data: node.data },
    );
  }

  /** Returns a copy in which unique names replace random ids. @returns {Graph} */
  reid() {
    const names = Object.values(this.nodes).map(({ name }) => name);
    const isOnce = (/** @type {string} */ name) => names.indexOf(name) === names.lastIndexOf(name);
    const idOf = (/** @type {string} */ id) =>
      UUID.test(id) && isOnce(this.nodes[id].name) ? this.nodes[id].name : id;
    const nodes = Object.entries(this.nodes).map(([id, node]) => [
      idOf(id),
      { ...node, id: idOf(id) },
    ]);
    const edges = this.edges.map((edge) => ({
      ...edge,
      source: idOf(edge.source),
      target: idOf(edge.target),
    }));
    return new Graph({ nodes: Object.fromEntries(nodes), edges });
  }

  /** @param {MermaidOptions} [options] @returns {string} */
  drawMermaid(options) {
    const graph = this.reid();
    return drawMermaid(
      graph.nodes,
      graph.edges,
      graph.firstNode()?.id,
      graph.lastNode()?.id,
      options,
    );
  }

  /**
   * Fetches a picture from the service mermaid.ink, as LangChain does: the graph is sent there.
   * @param {MermaidOptions & { backgroundColor?: string }} [options]
   * @returns {Promise<Blob>}
   */
  async drawMermaidPng(options) {
    return fetchMermaidPng(this.drawMermaid(options), options?.backgroundColor);
  }
}

/** @param {Value} data @returns {unknown} JSON Schema, as far as it is one */
function schemaOf({ name, schema }) {
  const isJson =
    schema !== null &&
    typeof schema === "object" &&
    typeof schema.parse !== "function" &&
    !("~standard" in schema);
  return {
    ...(isJson ? schema : schema && ANY_SCHEMA),
    ...withoutGaps({ title: name }),
  };
}

/** @param {RunnableLike} runnable @returns {Graph} its input, the Runnable, its output */
export function drawLone(runnable) {
  const schema = { $schema: "http://json-schema.org/draft-07/schema#" };
  const graph = new Graph();
  const input = graph.addNode({ name: runnable.getName("Input"), schema });
  const self = graph.addNode(runnable);
  const output = graph.addNode({ name: runnable.getName("Output"), schema });
  graph.addEdge(input, self);
  graph.addEdge(self, output);
  return graph;
}

/**
 * @param {Value[]} steps
 * @param {Config} [config]
 * @returns {Graph} their graphs, connected in sequence
 */
export function drawSteps(steps, config) {
  const graph = new Graph();
  let last;
  for (const [index, step] of steps.entries()) {
    const part = step.getGraph(config);
    if (index > 0) part.trimFirstNode();
    if (index < steps.length - 1) part.trimLastNode();
    graph.extend(part);
    const first = part.firstNode();
    if (first === undefined) throw new Error(`Runnable ${step} has no first node`);
    if (last !== undefined) graph.addEdge(last, first);
    last = part.lastNode();
  }
  return graph;
}
