// SPDX-License-Identifier: MIT
// Draws the nodes and edges of a StateGraph in LangChain's drawable form, with subgraphs expanded
// on request. Does not depend on runs.
import { END, START } from "../base/constants.js";
import { ANY_SCHEMA, Graph } from "../runnable/drawable.js";
import { listSubgraphs } from "../plan/subgraphs.js";

/** @typedef {import("./state-graph.js").NodeSpec} NodeSpec */
/** @typedef {import("./state-graph.js").StateGraph} StateGraph */
/** @typedef {import("../tools/tool.js").ToolLike} ToolLike */
/** @typedef {import("../base/callable.js").RunnableLike} RunnableLike */
/** @typedef {import("./compiled.js").Compiled} Compiled */
/** @typedef {import("../base/merge-configs.js").Config} Config */
/** @typedef {import("./thread-state.js").GraphOptions} GraphOptions */
/** @typedef {Pick<GraphOptions, "interruptBefore" | "interruptAfter">} Stops */
/** @typedef {{ id: string, data?: unknown }} Place */

/**
 * Draws a graph.
 * @param {StateGraph} builder
 * @param {Stops} options
 * @param {Config} [config] `xray`: how many levels of subgraphs are expanded, true for all
 * @param {Map<string, Graph>} [inside] expanded subgraphs by node, if known
 * @returns {Graph}
 */
export function drawGraph(
  builder,
  options,
  config,
  inside = new Map(opened(builder, config, "getGraph")),
) {
  const graph = new Graph();
  /**
   * First and last element of each node, where its edges end and begin.
   * @type {Record<string, [first: Place | undefined, last: Place | undefined]>}
   */
  const places = {};
  places[START] = both(graph.addNode({ schema: ANY_SCHEMA }, START));
  for (const [name, spec] of Object.entries(builder.nodes))
    places[idOf(name)] = drawNode(
      graph,
      idOf(name),
      spec,
      notesOf(name, spec, options),
      inside.get(name),
    );
  drawEdges(builder, (source, target, conditional, data) => {
    if (target === END) places[END] ??= both(graph.addNode({ schema: ANY_SCHEMA }, END));
    const [from, to] = [places[source]?.[1], places[target]?.[0]];
    return (
      from !== undefined &&
      to !== undefined &&
      graph.addEdge(from, to, data === target ? undefined : data, conditional)
    );
  });
  return graph;
}

/**
 * Draws a graph whose subgraphs are drawn asynchronously.
 * @param {StateGraph} builder
 * @param {Stops} options
 * @param {Config} [config]
 */
export async function drawGraphLater(builder, options, config) {
  const asked = opened(builder, config, "getGraphAsync").map(
    async ([name, graph]) => /** @type {[string, Graph]} */ ([name, await graph]),
  );
  return drawGraph(builder, options, config, new Map(await Promise.all(asked)));
}

/**
 * Lists the subgraphs to expand, by node.
 * @param {StateGraph} builder
 * @param {Config | undefined} config
 * @param {"getGraph" | "getGraphAsync"} how
 * @returns {Array<[string, any]>} drawings, or promises of them
 */
function opened(builder, config, how) {
  const xray = config?.xray;
  if (!xray) return [];
  const deeper = { ...config, xray: typeof xray === "number" ? xray - 1 : xray };
  /** @type {Map<string, RunnableLike | Compiled>} */
  const parts = new Map(
    Object.entries(builder.nodes).map(([name, { runnable }]) => [name, runnable]),
  );
  for (const [name, graph] of listSubgraphs(builder.nodes)) parts.set(name, graph);
  return [...parts]
    .filter(([, part]) => part.getGraph)
    .map(([name, part]) => [name, (part[how] ?? part.getGraph).call(part, deeper)]);
}

/**
 * Draws a node, or its expanded subgraph.
 * @param {Graph} graph
 * @param {string} name
 * @param {NodeSpec} spec
 * @param {Record<string, unknown>} notes
 * @param {Graph | undefined} inner
 * @returns {[Place | undefined, Place | undefined]}
 */
function drawNode(graph, name, spec, notes, inner) {
  if (inner !== undefined) {
    inner.trimFirstNode();
    inner.trimLastNode();
    if (Object.keys(inner.nodes).length > 1)
      return /** @type {[Place | undefined, Place | undefined]} */ (graph.extend(inner, name));
  }
  return both(graph.addNode(spec.runnable, name, notes));
}

/**
 * Uses one element for incoming and outgoing edges.
 * @param {Place} node
 * @returns {[Place, Place]}
 */
function both(node) {
  return [node, node];
}

/** Makes the element id of a node; quotes Mermaid's keywords. @param {string} name */
function idOf(name) {
  return name === "subgraph" ? `"${name}"` : name;
}

/**
 * Returns the metadata that the drawing shows for a node.
 * @param {string} name
 * @param {NodeSpec} spec
 * @param {Stops} options
 * @returns {Record<string, unknown>}
 */
function notesOf(name, { metadata, runnable }, { interruptBefore, interruptAfter }) {
  const lists = Object.entries({ before: interruptBefore, after: interruptAfter });
  const stops = lists
    .filter(([, list]) => Array.isArray(list) && list.includes(name))
    .map(([when]) => when)
    .join();
  const tools = Array.isArray(runnable?.tools)
    ? runnable.tools.map((/** @type {ToolLike} */ tool) => tool?.name)
    : [];
  return {
    ...metadata,
    ...(tools.length > 0 && { __tools: tools }),
    ...(stops && { __interrupt: stops }),
  };
}

/**
 * Adds all edges in LangGraph's order.
 * @param {StateGraph} builder
 * @param {(source: string, target: string, conditional: boolean, data?: string) => unknown} add
 *   returns whether the edge was drawn
 */
function drawEdges(builder, add) {
  const names = Object.keys(builder.nodes);
  const leaving = new Set();
  /** @type {typeof add} */
  const draw = (source, target, ...rest) => {
    const drawn = add(idOf(source), idOf(target), ...rest);
    if (drawn) leaving.add(idOf(source));
    return drawn;
  };
  const plain = [...builder.allEdges].sort(([left], [right]) =>
    left < right ? -1 : +(left > right),
  );
  const reached = plain.filter(([source, target]) => draw(source, target, false));
  for (const [source, branches] of Object.entries(builder.branches)) {
    for (const { ends } of Object.values(branches)) {
      const targets =
        ends === undefined
          ? [...names, END].filter((name) => name !== source).map((name) => [name, name])
          : Object.entries(ends);
      for (const [label, target] of targets) draw(source, target, true, label);
    }
  }
  for (const name of names)
    for (const target of builder.nodes[name].ends ?? []) draw(name, target, true);
  for (const target of reached.map(([, name]) => idOf(name)).sort())
    if (target !== END && !leaving.has(target)) draw(target, END, false);
}
