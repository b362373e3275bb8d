// SPDX-License-Identifier: MIT
// Declares the public names of `weftgraph/svg`.
import type { DrawnGraph } from "../runnable/types.js";

/** Appearance of a drawing; all options may be omitted. */
export interface SvgOptions {
  /** Title of the picture, for screen readers. */
  title?: string;
  /** CSS colors; omitted ones keep their defaults. */
  colors?: {
    node?: string;
    first?: string;
    last?: string;
    line?: string;
    text?: string;
    box?: string;
    background?: string;
  };
}
/**
 * Draws a graph (`graph.getGraph()`) as SVG text, without network. Conditional edges are dashed,
 * expanded subgraphs are boxed. The text contains no script and no style sheet, and all names are
 * escaped.
 * @param graph result of `getGraph()`
 * @param options title and colors
 * @returns an `<svg>` element as text, to be put into a page or a file
 * @throws BAD_ARGUMENT for a value that is no drawn graph
 */
export function drawSvg(
  graph: Pick<DrawnGraph, "nodes" | "edges"> & Partial<Pick<DrawnGraph, "firstNode" | "lastNode">>,
  options?: SvgOptions,
): string;

/** Where the parts of a graph stand, in the coordinates of an SVG. */
export interface GraphLayout {
  /** The `viewBox`. */
  view: { x: number; y: number; width: number; height: number };
  /** Rectangles of the nodes: their left upper corner and size. `label`: the node's own name. */
  nodes: { id: string; label: string; x: number; y: number; width: number; height: number }[];
  /** `path`: the `d` of an SVG path from source to target; `label`: place for `data`. */
  edges: {
    source: string;
    target: string;
    data?: string;
    conditional: boolean;
    path: string;
    label: { x: number; y: number; anchor: string };
  }[];
  /** Boxes around the nodes of graphs inside (`outer`, `outer:inner`), the outer ones first. */
  boxes: { id: string; x: number; y: number; width: number; height: number }[];
}

/**
 * Computes where the nodes and edges of a graph stand, for a drawing of your own.
 *
 * @param graph a drawn graph, or its JSON as an Agent Server gives it
 * @returns rectangles, paths and boxes in the coordinates of one `viewBox`
 * @throws BAD_ARGUMENT for what is no drawn graph
 * @example
 * ```ts
 * import { Annotation, START, StateGraph } from "weftgraph";
 * import { layoutGraph } from "weftgraph/svg";
 *
 * const app = new StateGraph(Annotation.Root({ text: Annotation<string> }))
 *   .addNode("write", () => ({ text: "done" }))
 *   .addEdge(START, "write")
 *   .compile();
 * const { nodes, edges } = layoutGraph(await app.getGraphAsync());
 * console.log(nodes.length, edges.length);
 * ```
 * ```text
 * 3 2
 * ```
 */
export function layoutGraph(
  graph:
    | Pick<DrawnGraph, "nodes" | "edges">
    | {
        nodes: { id: string }[];
        edges: { source: string; target: string; data?: string; conditional?: boolean }[];
      },
): GraphLayout;
