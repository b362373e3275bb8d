// SPDX-License-Identifier: MIT
// Knows: which graphs stand inside a graph's nodes, and what their namespaces are called. Must not
// know: runs.
import { innerNamespace } from "../base/namespace.js";

/** @typedef {import("../graph/state-graph.js").NodeSpec} NodeSpec */
/** @typedef {import("../base/callable.js").RunnableLike} RunnableLike */
/** @typedef {import("../base/callable.js").Value} Value */

/**
 * The graph that a node is, or that stands in its sequence.
 * @param {RunnableLike} runnable
 * @returns {Value}
 */
function graphIn(runnable) {
  if (runnable?.lg_is_pregel === true) return runnable;
  const steps = Array.isArray(runnable?.steps) ? runnable.steps : [];
  for (const step of steps) {
    const graph = graphIn(step);
    if (graph !== undefined) return graph;
  }
  return undefined;
}

/**
 * Those that are named, else the one that it is.
 * @param {NodeSpec} spec of a node
 * @returns {Value[]}
 */
function candidates({ subgraphs, runnable }) {
  return Array.isArray(subgraphs) && subgraphs.length > 0 ? subgraphs : [runnable];
}

/** @param {NodeSpec} spec @returns {unknown} the first graph inside a node */
export function subgraphOf(spec) {
  return spec === undefined ? undefined : graphIn(candidates(spec)[0]);
}

/**
 * @param {Record<string, Value>} specs of nodes, by name
 * @param {string} [namespace] only this one
 * @param {boolean} [recurse]
 * @returns {Generator<[string, unknown]>}
 */
export function* listSubgraphs(specs, namespace, recurse) {
  for (const [name, spec] of Object.entries(specs)) {
    if (namespace !== undefined && !namespace.startsWith(name)) continue;
    for (const candidate of candidates(spec)) {
      const graph = graphIn(candidate);
      if (graph === undefined) continue;
      if (name === namespace) return yield [name, graph];
      if (namespace === undefined) yield [name, graph];
      if (recurse !== true) continue;
      for (const [inner, found] of graph.getSubgraphs(namespace?.slice(name.length + 1), recurse))
        yield [innerNamespace(name, inner), found];
    }
  }
}

/**
 * Does a graph inside one of these nodes hold its state's version?
 * @param {Record<string, Value>} specs of nodes, by name
 */
export function areVersioned(specs) {
  return Object.values(specs).some((spec) =>
    candidates(spec).some((candidate) => graphIn(candidate)?._isVersioned),
  );
}
