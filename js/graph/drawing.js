// SPDX-License-Identifier: MIT
// Knows: a StateGraph's nodes and edges in LangChain's drawable form, with its subgraphs opened when asked. Must not know: runs.
import { END, START } from "../constants.js";
import { ANY_SCHEMA, Graph } from "../runnable/drawable.js";

/** @typedef {import("../runnable/drawable.js").DrawnNode} DrawnNode */
/** @typedef {{ id: string, data?: any }} Place */

/**
 * @param {any} builder a StateGraph
 * @param {{ interruptBefore?: any, interruptAfter?: any }} options
 * @param {any} [config] `xray`: how many levels of subgraphs are opened, true for all
 * @param {Map<string, Graph>} [inside] what nodes consist of, where that was asked before
 * @returns {Graph}
 */
export function drawGraph(builder, options, config, inside = openAll(builder, config)) {
  const graph = new Graph();
  /** Where edges to and from a node begin and end. @type {Record<string, [first: Place | undefined, last: Place | undefined]>} */
  const places = {};
  const start = graph.addNode({ schema: ANY_SCHEMA }, START);
  places[START] = [start, start];
  for (const [name, spec] of Object.entries(builder.nodes)) places[name] = drawNode(graph, name, spec, notesOf(name, spec, options), inside.get(name));
  drawEdges(builder, (source, target, data, conditional) => {
    if (target === END && places[END] === undefined) {
      const end = graph.addNode({ schema: ANY_SCHEMA }, END);
      places[END] = [end, end];
    }
    const [from, to] = [places[source]?.[1], places[target]?.[0]];
    return from !== undefined && to !== undefined && graph.addEdge(from, to, data === target ? undefined : data, conditional);
  });
  return graph;
}

/**
 * The same, with graphs inside that must be waited for.
 * @param {any} builder
 * @param {{ interruptBefore?: any, interruptAfter?: any }} options
 * @param {any} [config]
 */
export async function drawGraphLater(builder, options, config) {
  const asked = opened(builder, config).map(async ([name, part, deeper]) => /** @type {[string, Graph]} */ ([name, await (part.getGraphAsync ?? part.getGraph).call(part, deeper)]));
  return drawGraph(builder, options, config, new Map(await Promise.all(asked)));
}

/** @param {any} builder @param {any} config @returns {Map<string, Graph>} */
function openAll(builder, config) {
  return new Map(opened(builder, config).map(([name, part, deeper]) => [name, part.getGraph(deeper)]));
}

/** What is to be opened: by node, with the config for the level below. @param {any} builder @param {any} config @returns {Array<[string, any, any]>} */
function opened(builder, config) {
  const xray = config?.xray ?? false;
  if (!(xray > 0)) return [];
  const deeper = { ...config, xray: typeof xray === "number" ? xray - 1 : xray };
  const parts = Object.entries(builder.nodes).map(([name, spec]) => /** @type {[string, any, any]} */ ([name, spec.subgraphs?.[0] ?? spec.runnable, deeper]));
  return parts.filter(([, part]) => typeof part.getGraph === "function");
}

/** @param {Graph} graph @param {string} name @param {any} spec @param {Record<string, any>} notes @param {Graph | undefined} inner @returns {[Place | undefined, Place | undefined]} */
function drawNode(graph, name, spec, notes, inner) {
  if (inner !== undefined) {
    inner.trimFirstNode();
    inner.trimLastNode();
    if (Object.keys(inner.nodes).length > 1) return /** @type {any} */ (graph.extend(inner, name));
  }
  const node = graph.addNode(spec.runnable, name, notes);
  return [node, node];
}

/** @param {string} name @param {any} spec @param {{ interruptBefore?: any, interruptAfter?: any }} options @returns {Record<string, any>} */
function notesOf(name, { metadata }, { interruptBefore, interruptAfter }) {
  const stops = [...(stopsAt(interruptBefore, name) ? ["before"] : []), ...(stopsAt(interruptAfter, name) ? ["after"] : [])].join();
  return stops === "" ? { ...metadata } : { ...metadata, __interrupt: stops };
}

/** @param {any} list @param {string} name */
function stopsAt(list, name) {
  return Array.isArray(list) && list.includes(name);
}

/** @param {any} builder @param {(source: string, target: string, data: string | undefined, conditional: boolean) => unknown} add is it drawn? */
function drawEdges(builder, add) {
  const names = Object.keys(builder.nodes);
  const leaving = new Set();
  /** @type {typeof add} */
  const draw = (source, ...rest) => {
    const drawn = add(source, ...rest);
    if (drawn) leaving.add(source);
    return drawn;
  };
  const plain = [...builder.allEdges].sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0));
  const reached = plain.filter(([source, target]) => draw(source, target, undefined, false));
  for (const [source, branches] of Object.entries(builder.branches)) {
    for (const { ends } of Object.values(branches)) {
      const targets = ends ?? Object.fromEntries([...names.filter((name) => name !== source), END].map((name) => [name, name]));
      for (const [label, target] of Object.entries(targets)) draw(source, target, label, true);
    }
  }
  for (const name of names) for (const target of builder.nodes[name].ends ?? []) draw(name, target, undefined, true);
  for (const [, target] of reached) if (target !== END && !leaving.has(target)) draw(target, END, undefined, false);
}
