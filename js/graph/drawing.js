// SPDX-License-Identifier: MIT
// Knows: a graph as nodes and edges for people: LangChain's drawable form and its Mermaid text. Must not know: runs.
import { END, START } from "../constants.js";

/** @typedef {{ id: string, name: string, data: any, metadata: Record<string, any> | undefined }} DrawnNode */
/** @typedef {{ source: string, target: string, data: string | undefined, conditional: boolean }} DrawnEdge */

export class DrawnGraph {
  /** @param {Record<string, DrawnNode>} nodes @param {DrawnEdge[]} edges */
  constructor(nodes, edges) {
    this.nodes = nodes;
    this.edges = edges;
  }

  toJSON() {
    const nodes = Object.values(this.nodes).map(({ id, name }) =>
      id === START || id === END ? { id, type: "schema", data: {} } : { id, type: "runnable", data: { id: ["langgraph", "RunnableCallable"], name } },
    );
    return { nodes, edges: this.edges.map(({ data, ...edge }) => (data === undefined ? edge : { ...edge, data })) };
  }

  /** @returns {string} */
  drawMermaid() {
    const nodes = Object.values(this.nodes).map((node) => `\t${drawNode(node)}`);
    const edges = this.edges.map((edge) => `\t${slug(edge.source)} ${drawArrow(edge)} ${slug(edge.target)};`);
    return [
      "%%{init: {'flowchart': {'curve': 'linear'}}}%%",
      "graph TD;",
      ...nodes,
      ...edges,
      "\tclassDef default fill:#f2f0ff,line-height:1.2;",
      "\tclassDef first fill-opacity:0;",
      "\tclassDef last fill:#bfb6fc;",
      "",
    ].join("\n");
  }
}

/** @param {string} name */
function slug(name) {
  return name.replace(/[^a-zA-Z0-9_-]+/g, "_");
}

/** @param {DrawnNode} node */
function drawNode({ id, name, metadata }) {
  if (id === START) return `${id}([<p>${name}</p>]):::first`;
  if (id === END) return `${id}([<p>${name}</p>]):::last`;
  const notes = Object.entries(metadata ?? {}).map(([key, value]) => `${key} = ${value}`);
  return `${slug(id)}(${name}${notes.length === 0 ? "" : `<hr/><small><em>${notes.join("\n")}</em></small>`})`;
}

/** @param {DrawnEdge} edge */
function drawArrow({ data, conditional }) {
  if (data === undefined) return conditional ? "-.->" : "-->";
  return conditional ? `-. &nbsp;${data}&nbsp; .->` : `-- &nbsp;${data}&nbsp; -->`;
}

/** @param {string} id @param {any} [data] @param {any} [metadata] @returns {DrawnNode} */
function nodeOf(id, data, metadata) {
  return { id, name: id, data, metadata };
}

/**
 * @param {any} builder a StateGraph
 * @param {{ interruptBefore?: any, interruptAfter?: any }} options
 * @returns {DrawnGraph}
 */
export function drawGraph(builder, { interruptBefore, interruptAfter }) {
  /** @type {Record<string, DrawnNode>} */
  const nodes = { [START]: nodeOf(START) };
  for (const [name, { runnable, metadata }] of Object.entries(builder.nodes)) {
    const stops = [...(stopsAt(interruptBefore, name) ? ["before"] : []), ...(stopsAt(interruptAfter, name) ? ["after"] : [])].join();
    nodes[name] = nodeOf(name, runnable, stops === "" ? { ...metadata } : { ...metadata, __interrupt: stops });
  }
  nodes[END] = nodeOf(END);
  return new DrawnGraph(nodes, drawEdges(builder));
}

/** @param {any} list @param {string} name */
function stopsAt(list, name) {
  return list === "*" || (Array.isArray(list) && list.includes(name));
}

/** @param {any} builder @returns {DrawnEdge[]} */
function drawEdges(builder) {
  const names = Object.keys(builder.nodes);
  /** @type {DrawnEdge[]} */
  const edges = [];
  /** @type {(source: string, target: string, conditional: boolean, data?: string) => void} */
  const add = (source, target, conditional, data) => void edges.push({ source, target, data, conditional });
  for (const [source, target] of [...builder.allEdges].sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0))) add(source, target, false);
  for (const [source, branches] of builder.branches) {
    for (const { ends } of branches.values()) {
      const targets = ends ?? Object.fromEntries([...names.filter((name) => name !== source), END].map((name) => [name, name]));
      for (const [label, target] of Object.entries(targets)) add(source, target, true, label === target ? undefined : label);
    }
  }
  for (const name of names) for (const target of builder.nodes[name].ends ?? []) add(name, target, true);
  const leaving = new Set(edges.map((edge) => edge.source));
  for (const name of names) if (!leaving.has(name)) add(name, END, false);
  return edges;
}
