// SPDX-License-Identifier: MIT
// The public name of `weftgraph/svg`.
import type { DrawnGraph } from "../runnable/types.js";

/** How `drawSvg` paints; all of it may be left out. */
export interface SvgOptions {
  /** What the picture is called, for who cannot see it. */
  title?: string;
  /** CSS colors; those that are not given keep their defaults. */
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
 * A drawn graph (`graph.getGraph()`) as SVG text, laid out here: no network. Conditional edges are
 * dashed, opened subgraphs stand in boxes. The text holds neither script nor style sheet, and all
 * names in it are escaped.
 */
export function drawSvg(
  graph: Pick<DrawnGraph, "nodes" | "edges"> & Partial<Pick<DrawnGraph, "firstNode" | "lastNode">>,
  options?: SvgOptions,
): string;
