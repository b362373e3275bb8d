// SPDX-License-Identifier: MIT
// Draws a graph and what each of its nodes does now. Must not know: where that is known from.
import { html, nothing, svg } from "lit-html";
import { layoutGraph } from "weftgraph/svg";

/** @typedef {import("./store.js").Store} Store */
/** @typedef {import("./client.js").Drawing} Drawing */

/**
 * Layouts by drawing: a drawing does not change.
 * @type {WeakMap<Drawing, ReturnType<typeof layoutGraph>>}
 */
const layouts = new WeakMap();

/** @param {Drawing} drawing */
function layoutOf(drawing) {
  const known = layouts.get(drawing);
  if (known !== undefined) return known;
  const made = layoutGraph(drawing);
  layouts.set(drawing, made);
  return made;
}

/** What a node does, in words. */
const WORDS = Object.freeze({
  idle: "",
  next: "next",
  running: "running",
  waiting: "waits for an answer",
  done: "done",
  failed: "failed",
});

/**
 * What a node shows: of the run that goes on or ended here, or at the checkpoint that is looked at.
 * @param {Store} store
 * @param {string} id
 * @returns {keyof typeof WORDS}
 */
export function nodeState(store, id) {
  const { shown, selected, live } = store;
  if (selected === undefined && (store.run !== undefined || live.nodes.size > 0)) {
    const state = live.stateOf(id);
    if (state !== "idle") return state;
  }
  const task = shown?.state.tasks.find(({ name }) => name === id);
  if (task?.error) return "failed";
  if (task && task.interrupts.length > 0) return "waiting";
  return shown?.state.next.includes(id) ? "next" : "idle";
}

/**
 * @param {Store} store
 * @param {string | undefined} chosen node
 * @param {(id: string) => void} choose
 */
export function graphView(store, chosen, choose) {
  const { view, nodes, edges, boxes } = layoutOf(store.drawing);
  if (nodes.length === 0) return html`<p class="hint">No graph is open.</p>`;
  const box = `${view.x} ${view.y} ${view.width} ${view.height}`;
  return html`<svg class="graph" viewBox=${box} width=${view.width} height=${view.height} role="group" aria-label="Graph ${store.graph}">
      <defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z"></path></marker></defs>
      ${boxes.map(({ x, y, width, height }) => svg`<rect class="box" x=${x} y=${y} width=${width} height=${height} rx="12"></rect>`)}
      ${edges.map((edge) => edgeView(edge))}
      ${nodes.map((node) => nodeView(store, node, node.id === chosen, choose))}
    </svg>
    <ul class="unseen" aria-label="What each node does">${nodes.map(({ id }) => html`<li>${id}: ${WORDS[nodeState(store, id)] || "idle"}</li>`)}</ul>`;
}

/** @param {ReturnType<typeof layoutGraph>["edges"][number]} edge */
function edgeView({ source, target, data, conditional, path, label }) {
  return svg`<path class="edge ${conditional ? "conditional" : ""}" data-edge="${source}>${target}" d=${path} marker-end="url(#arrow)"></path>
    ${data === undefined ? nothing : svg`<text class="edge-label" x=${label.x} y=${label.y + 4} text-anchor=${label.anchor}>${data}</text>`}`;
}

/**
 * @param {Store} store
 * @param {ReturnType<typeof layoutGraph>["nodes"][number]} node
 * @param {boolean} isChosen
 * @param {(id: string) => void} choose
 */
function nodeView(store, { id, label, x, y, width, height }, isChosen, choose) {
  const state = nodeState(store, id);
  const activity = store.selected === undefined ? store.live.nodes.get(id) : undefined;
  const count = activity === undefined || activity.count < 2 ? undefined : activity.count;
  const press = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    choose(id);
  };
  return svg`<g class="node" data-node=${id} data-state=${state} role="button" tabindex="0" aria-pressed=${isChosen}
      aria-label="${label}${WORDS[state] ? `, ${WORDS[state]}` : ""}" @click=${() => choose(id)} @keydown=${press}>
    <rect x=${x} y=${y} width=${width} height=${height} rx="9"></rect>
    <text x=${x + width / 2} y=${y + height / 2 + 5} text-anchor="middle">${label}</text>
    ${count === undefined ? nothing : svg`<text class="tasks" x=${x + width - 4} y=${y - 4} text-anchor="end">${activity?.running ? `${activity.running} of ${count}` : `${count}×`}</text>`}
    ${WORDS[state] ? svg`<text class="state" x=${x + 4} y=${y + height + 12}>${state === "waiting" ? "waits" : state}</text>` : nothing}
  </g>`;
}
