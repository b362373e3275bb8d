// SPDX-License-Identifier: MIT
// Draws a graph small and lying, from left to right: its nodes and edges without their names. Must
// not know: which graph.
import { html, svg } from "lit-html";
import { layoutGraph } from "weftgraph/svg";

const ENDS = ["__start__", "__end__"];
/** Along the graph and across it. */
const LONG = 54;
const WIDE = 34;

/** @param {import("../../studio/server/client.js").Drawing} drawing */
export function thumbnail(drawing) {
  const linked = new Set(drawing.edges.flatMap(({ source, target }) => [source, target]));
  const { view, nodes, edges } = layoutGraph({
    nodes: drawing.nodes.filter(({ id }) => linked.has(id)),
    edges: drawing.edges,
  });
  // Turned a quarter to the left: what was below is at the right.
  const box = `${view.y} ${-view.x - view.width} ${view.height} ${view.width}`;
  return html`<svg class="thumbnail" viewBox=${box} aria-hidden="true" focusable="false">
    <g transform="rotate(-90)">${edges.map(({ path, conditional }) => svg`<path class=${conditional ? "edge conditional" : "edge"} d=${path}></path>`)}
    ${nodes.map((node) => nodeView(node))}</g>
  </svg>`;
}

/** @param {ReturnType<typeof layoutGraph>["nodes"][number]} node */
function nodeView({ id, x, y, width, height }) {
  const [middle, centre] = [x + width / 2, y + height / 2];
  if (ENDS.includes(id)) return svg`<circle class="end" cx=${middle} cy=${centre} r="8"></circle>`;
  return svg`<rect class="node" x=${middle - WIDE / 2} y=${centre - LONG / 2} width=${WIDE} height=${LONG} rx="11"></rect>`;
}
