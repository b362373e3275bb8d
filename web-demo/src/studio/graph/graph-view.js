// SPDX-License-Identifier: MIT
// Draws a graph and what each of its nodes does. Must not know: where that is known from.
import { html, nothing, svg } from "lit-html";
import { ref } from "lit-html/directives/ref.js";
import { layoutGraph } from "weftgraph/svg";
import { iconButton } from "../icons.js";
import { spelled } from "../text.js";
import { target } from "../ui.js";
import { WORDS, nodeSights, takenEdges } from "./node-state.js";

/** @typedef {import("../ui.js").Ui} Ui */
/** @typedef {import("../server/client.js").Drawing} Drawing */
/** @typedef {ReturnType<typeof layoutGraph>} Layout */

/** Width of a letter in a node, in units of the drawing. */
const LETTER = 8;
/** Drawn in a node's corner: a state is never told by colour alone. */
const SIGNS = Object.freeze({
  idle: "",
  next: "M-3-4L4 0L-3 4z",
  running: "",
  waiting: "M-2.500-4V4M2.500-4V4",
  done: "M-4 0L-1 3.500L4.500-3.500",
  failed: "M-3.500-3.500L3.500 3.500M3.500-3.500L-3.500 3.500",
});

/** Under a node; that it is done its corner says. */
const SHORT = Object.freeze({
  idle: "",
  next: "next",
  running: "running",
  waiting: "waits",
  done: "",
  failed: "failed",
});

/**
 * Layouts by drawing: a drawing does not change. Undefined: it cannot be drawn.
 * @type {WeakMap<Drawing, Layout | undefined>}
 */
const layouts = new WeakMap();

/** @param {Drawing} drawing @returns {Layout | undefined} */
function layoutOf(drawing) {
  if (layouts.has(drawing)) return layouts.get(drawing);
  let made;
  try {
    made = layoutGraph(drawing);
  } catch {
    // What a server calls a graph need not be one.
  }
  layouts.set(drawing, made);
  return made;
}

/** @param {Ui} ui */
export function graphView(ui) {
  const { store, viewport } = ui;
  const layout = layoutOf(store.drawing);
  if (layout === undefined || layout.nodes.length === 0)
    return html`<p class="hint">${layout === undefined ? "This graph cannot be drawn." : "No graph is open."}</p>`;
  const { view, nodes, edges, boxes } = layout;
  const sightOf = nodeSights(store);
  const isTaken = takenEdges(store);
  return html`<div class="drawing" ${ref(viewport.watch)} @keydown=${(/** @type {KeyboardEvent} */ event) => viewport.key(event)}
      @pointerdown=${(/** @type {PointerEvent} */ event) => viewport.down(event)} @pointermove=${(/** @type {PointerEvent} */ event) => viewport.move(event)}
      @pointerup=${(/** @type {PointerEvent} */ event) => viewport.up(event)} @pointercancel=${(/** @type {PointerEvent} */ event) => viewport.up(event)}>
    <svg class="graph" viewBox=${viewport.viewBox(view)} width="100%" height="100%" role="group" aria-label="Graph ${spelled(store.graph)}">
      <defs>${["arrow", "arrow-taken"].map((id) => svg`<marker id=${id} viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8z"></path></marker>`)}</defs>
      ${boxes.map((box) => boxView(box, sightOf(box.id).state))}
      ${edges.map((edge) => edgeView(edge, isTaken(edge.source, edge.target)))}
      ${nodes.map((node) => nodeView(ui, node, sightOf(node.id)))}
    </svg></div>
    ${controls(ui, boxes.length > 0)}
    <ul class="unseen" aria-label="What each node does">${nodes.map(({ id }) => {
      const { state, parallel } = sightOf(id);
      return html`<li data-listed=${id}>${spelled(id)}: ${WORDS[state]}${parallel === undefined ? "" : `, ${parallel} tasks`}</li>`;
    })}</ul>`;
}

/** @param {Ui} ui @param {boolean} hasInside */
function controls({ store, viewport }, hasInside) {
  return html`<div class="controls" role="group" aria-label="View of the graph">
    ${hasInside || !store.isXray ? html`<label class="switch"><input type="checkbox" data-do="xray" .checked=${store.isXray} @change=${(/** @type {Event} */ event) => store.setXray(target(event).checked)} /> Graphs inside</label>` : nothing}
    ${iconButton("minus", "Smaller", () => viewport.zoom(0.8), { name: "smaller" })}
    ${iconButton("plus", "Larger", () => viewport.zoom(1.25), { name: "larger" })}
    ${iconButton("fit", "Show the whole graph", () => viewport.fit(), { name: "fit" })}
  </div>`;
}

/** @param {Layout["boxes"][number]} box @param {string} state */
function boxView({ id, x, y, width, height }, state) {
  return svg`<g class="box" data-inside=${id} data-state=${state}><rect x=${x} y=${y} width=${width} height=${height} rx="14"></rect>
    <text x=${x + 10} y=${y + 15}>${labelOf(id, width - 20)}</text></g>`;
}

/** @param {string} name @param {number} width */
const labelOf = (name, width) =>
  spelled(name.slice(name.lastIndexOf(":") + 1), Math.max(4, Math.floor(width / LETTER)));

/** @param {Layout["edges"][number]} edge @param {boolean} isTaken */
function edgeView({ source, target: to, data, conditional, path, label }, isTaken) {
  return svg`<path class="edge ${conditional ? "conditional" : ""}" data-edge="${source}>${to}" data-taken=${isTaken} d=${path} marker-end="url(#${isTaken ? "arrow-taken" : "arrow"})"></path>
    ${data === undefined ? nothing : svg`<text class="edge-label" x=${label.x} y=${label.y + 4} text-anchor=${label.anchor}>${spelled(data, 40)}</text>`}`;
}

/**
 * @param {Ui} ui
 * @param {Layout["nodes"][number]} node
 * @param {import("./node-state.js").NodeSight} sight
 */
function nodeView({ view, change }, { id, label, x, y, width, height }, { state, parallel }) {
  const isEnd = label === "__start__" || label === "__end__";
  const name = isEnd ? label.slice(2, -2) : labelOf(label, width - 16);
  const choose = () => change({ node: id, tab: "tasks", pane: "inspector" });
  const press = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    choose();
  };
  const said = state === "idle" ? "" : `, ${WORDS[state]}`;
  return svg`<g class="node ${isEnd ? "end" : ""}" data-node=${id} data-state=${state} role="button" tabindex="0" aria-pressed=${view.node === id}
      aria-label="${spelled(label)}${said}${parallel === undefined ? "" : `, ${parallel} tasks`}" @click=${choose} @keydown=${press}>
    <title>${spelled(id)}${said}</title>
    <rect x=${x} y=${y} width=${width} height=${height} rx=${isEnd ? height / 2 : 10}></rect>
    <text x=${x + width / 2} y=${y + height / 2 + 5} text-anchor="middle">${name}</text>
    ${state === "idle" ? nothing : svg`<g class="badge" transform="translate(${x + width - 3} ${y + 3})"><circle r="8.500"></circle>${state === "running" ? svg`<circle class="spin" r="4.500"></circle>` : svg`<path d=${SIGNS[state]}></path>`}</g>`}
    ${said === "" && parallel === undefined ? nothing : svg`<text class="state" x=${x + 8} y=${y + height + 13}>${SHORT[state]}${parallel === undefined ? nothing : svg` <tspan class="tasks">${parallel}</tspan>`}</text>`}
  </g>`;
}
