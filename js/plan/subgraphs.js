// SPDX-License-Identifier: MIT
// Finds the subgraphs of a graph's nodes, and their namespaces' names. Does not depend on runs.
import { innerNamespace } from "../base/namespace.js";

/** @typedef {import("../graph/state-graph.js").NodeSpec} NodeSpec */
/** @typedef {import("../base/callable.js").RunnableLike} RunnableLike */
/** @typedef {import("../graph/compiled.js").Compiled} Compiled */
/**
 * Node specifications by name, of which subgraphs are read.
 * @typedef {Record<string, Pick<NodeSpec, "subgraphs" | "runnable">>} Specs
 */

/**
 * Finds the graph that a Runnable is, or contains in its sequence.
 * @param {RunnableLike} runnable
 * @returns {Compiled | undefined}
 */
function graphIn(runnable) {
  if (runnable?.lg_is_pregel === true)
    return /** @type {Compiled} */ (/** @type {unknown} */ (runnable));
  const steps = Array.isArray(runnable?.steps) ? runnable.steps : [];
  for (const step of steps) {
    const graph = graphIn(step);
    if (graph !== undefined) return graph;
  }
  return undefined;
}

/**
 * Lists the subgraphs that a node declares, else its runnable.
 * @param {Pick<NodeSpec, "subgraphs" | "runnable">} spec of a node
 * @returns {RunnableLike[]}
 */
function candidates({ subgraphs, runnable }) {
  return Array.isArray(subgraphs) && subgraphs.length > 0 ? subgraphs : [runnable];
}

/** @param {NodeSpec | undefined} spec of a node; returns its first subgraph */
export function subgraphOf(spec) {
  return spec === undefined ? undefined : graphIn(candidates(spec)[0]);
}

/**
 * @param {Specs} specs
 * @param {string} [namespace] only this one
 * @param {boolean} [recurse]
 * @returns {Generator<[string, Compiled]>}
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
 * Does a subgraph of these nodes store its state's version?
 * @param {Specs} specs
 */
export function areVersioned(specs) {
  return Object.values(specs).some((spec) =>
    candidates(spec).some((candidate) => graphIn(candidate)?._isVersioned),
  );
}
