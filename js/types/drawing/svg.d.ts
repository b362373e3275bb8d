// SPDX-License-Identifier: MIT
// Declares the public name of `weftgraph/svg`.
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
 * @throws BAD_ARGUMENT for a value that is no drawn graph
 */
export function drawSvg(
  graph: Pick<DrawnGraph, "nodes" | "edges"> & Partial<Pick<DrawnGraph, "firstNode" | "lastNode">>,
  options?: SvgOptions,
): string;
