// SPDX-License-Identifier: MIT
// Notices which graphs a program runs, and lays them out for the page to draw.
const MAX_GRAPHS = 4;

/**
 * Watches the graphs that are run from now on.
 * @param {{ CompiledStateGraph: { prototype: object } }} weft the package that the program imports
 * @param {(graph: object) => object} layoutGraph of `weftgraph/svg`
 * @param {(layouts: object[]) => void} show is called with all layouts so far
 */
export function watchGraphs({ CompiledStateGraph }, layoutGraph, show) {
  // All kinds of graphs extend the same class.
  const shared = Object.getPrototypeOf(CompiledStateGraph.prototype);
  const seen = new Set();
  /** @type {object[]} */
  const layouts = [];
  for (const name of ["invoke", "stream", "streamEvents"]) {
    const method = shared[name];
    shared[name] = function (...values) {
      // A graph that a node calls is drawn inside the one around it, or not at all.
      if (!isInside(values[1]) && !seen.has(this) && seen.size < MAX_GRAPHS) {
        seen.add(this);
        const layout = layoutOf(this, layoutGraph);
        if (layout !== undefined && !layouts.some((other) => isSame(other, layout))) {
          layouts.push(layout);
          show(layouts);
        }
      }
      return method.apply(this, values);
    };
  }
}

/** @param {{ configurable?: object } | undefined} config */
const isInside = (config) =>
  Object.keys(config?.configurable ?? {}).some((key) => key.startsWith("__pregel"));

/** @param {object} one @param {object} other */
const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/**
 * @param {{ getGraph(options: object): object }} graph
 * @param {(graph: object) => object} layoutGraph
 */
function layoutOf(graph, layoutGraph) {
  // Of a graph on a server nobody here knows what is inside.
  for (const xray of [true, false])
    try {
      return layoutGraph(graph.getGraph({ xray }));
    } catch {}
  return undefined; // not every program's graph can be drawn; its output matters more
}
