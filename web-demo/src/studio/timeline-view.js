// SPDX-License-Identifier: MIT
// Draws the checkpoints of a thread, its forks as lanes, and lets a person go through them. Must
// not know: how they are read.
import { html, nothing, svg } from "lit-html";
import { kindOf } from "./branches.js";

/** @typedef {import("./store.js").Store} Store */
/** @typedef {import("./branches.js").Mark} Mark */

const STEP = 26;
const LANE = 24;
const EDGE = 16;

/** @param {Store} store */
export function timelineView(store) {
  const { marks, shown } = store;
  if (marks.length === 0)
    return html`<p class="hint">Nothing has run yet. Each step of a run leaves a checkpoint here, which one can go back to.</p>`;
  const lanes = Math.max(...marks.map(({ lane }) => lane)) + 1;
  const [width, height] = [marks.length * STEP + 2 * EDGE, lanes * LANE + 2 * EDGE];
  const byId = new Map(marks.map((mark) => [mark.id, mark]));
  return html`<div class="timeline" tabindex="0" role="slider" aria-label="Checkpoints" aria-valuemin="1" aria-valuemax=${marks.length}
      aria-valuenow=${(shown?.column ?? 0) + 1} aria-valuetext=${shown ? wordsOf(shown) : ""} @keydown=${(/** @type {KeyboardEvent} */ event) => turn(store, event)}>
    <svg width=${width} height=${height}>
      ${marks.map((mark) => wayTo(mark, byId))}
      ${marks.map((mark) => markView(store, mark, mark.id === shown?.id))}
    </svg>
  </div>
  <p class="at">${shown ? html`<strong>${shown.column + 1} of ${marks.length}</strong> ${wordsOf(shown)}` : nothing}
    ${store.hasOlder ? html`<button @click=${() => store.older()}>Read older ones</button>` : nothing}</p>`;
}

/** @param {Mark} mark */
const xOf = ({ column }) => EDGE + column * STEP + STEP / 2;
/** @param {Mark} mark */
const yOf = ({ lane }) => EDGE + lane * LANE + LANE / 2;

/** @param {Mark} mark @param {Map<string, Mark>} byId */
function wayTo(mark, byId) {
  const from = byId.get(mark.parent ?? "");
  if (from === undefined) return nothing;
  const [x, y, toX, toY] = [xOf(from), yOf(from), xOf(mark), yOf(mark)];
  return svg`<path class="way" d="M${x} ${y}C${x + STEP / 2} ${toY} ${x + STEP / 2} ${toY} ${toX} ${toY}"></path>`;
}

/** @param {Store} store @param {Mark} mark @param {boolean} isShown */
function markView(store, mark, isShown) {
  return svg`<circle class="mark" data-checkpoint=${mark.id} data-kind=${kindOf(mark)} data-shown=${isShown} cx=${xOf(mark)} cy=${yOf(mark)} r=${isShown ? 9 : 6}
    @click=${() => store.select(mark.id)}><title>${wordsOf(mark)}</title></circle>`;
}

/** @param {Mark} mark */
function wordsOf(mark) {
  const { metadata, next } = mark.state;
  const kind = kindOf(mark);
  const after =
    kind === "done"
      ? "the end"
      : `${kind === "waiting" ? "waits in" : kind === "failed" ? "failed in" : "before"} ${namesOf(next)}`;
  const origin = metadata.source === "update" ? "written by hand, " : "";
  return `step ${metadata.step}, ${origin}${after}`;
}

/** Each name once, with how often it comes. @param {string[]} names */
function namesOf(names) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => (count > 1 ? `${count} × ${name}` : name)).join(", ");
}

/** @param {Store} store @param {KeyboardEvent} event */
function turn(store, event) {
  const by = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key];
  if (by === undefined) return;
  event.preventDefault();
  store.move(by === -Infinity ? -store.marks.length : by === Infinity ? store.marks.length : by);
}
