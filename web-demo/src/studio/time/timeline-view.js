// SPDX-License-Identifier: MIT
// Draws the checkpoints of a thread, its forks as lanes, and lets a person go through them. Must
// not know: how they are read.
import { html, nothing, svg } from "lit-html";
import { guard } from "lit-html/directives/guard.js";
import { iconButton } from "../icons.js";
import { beginEdit } from "../state/edit-view.js";
import { spelled } from "../text.js";
import { kindOf, namesOf } from "./branches.js";

/** @typedef {import("../ui.js").Ui} Ui */
/** @typedef {import("../store.js").Store} Store */
/** @typedef {import("./branches.js").Mark} Mark */

export const STEP = 26;
const LANE = 26;
const EDGE = 14;
/** A mark's form tells its kind, too. */
const FORMS = Object.freeze({
  done: "M-7 0a7 7 0 1 0 14 0a7 7 0 1 0-14 0z",
  open: "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0z",
  waiting: "M0-8L8 0L0 8L-8 0z",
  failed: "M-6-6H6V6H-6z",
});

/** @param {Ui} ui */
export function timelineView(ui) {
  const { store } = ui;
  const { marks, shown } = store;
  if (marks.length === 0 || shown === undefined)
    return html`<p class="hint">Each step of a run leaves a checkpoint here, which one can go back to.</p>`;
  const lanes = Math.max(...marks.map(({ lane }) => lane)) + 1;
  const [width, height] = [marks.length * STEP + 2 * EDGE, lanes * LANE + 2 * EDGE];
  return html`${bar(ui, shown)}
  <div class="timeline" tabindex="0" role="slider" aria-labelledby="checkpoints" aria-valuemin="1" aria-valuemax=${marks.length}
      aria-valuenow=${shown.column + 1} aria-valuetext=${wordsOf(shown)} @keydown=${(/** @type {KeyboardEvent} */ event) => turn(store, event)}>
    <span class="hint" id="checkpoints">Checkpoints</span>
    <svg width=${width} height=${height} aria-hidden="true">
      <circle class="cursor" cx=${xOf(shown)} cy=${yOf(shown)} r="11"></circle>
      ${guard([marks], () => drawn(store, marks))}
    </svg>
  </div>`;
}

/** @param {Ui} ui @param {Mark} shown */
function bar(ui, shown) {
  const { store, view, change } = ui;
  const { marks } = store;
  const isOff = store.run !== undefined;
  const [isFirst, isLast] = [shown.column === 0, shown.column === marks.length - 1];
  const play = () => {
    if (!view.isPlaying && isLast) store.select(marks[0].id);
    change({ isPlaying: !view.isPlaying });
  };
  return html`<div class="time-bar">
    <span class="steps">${iconButton("left", "One step back", () => store.move(-1), { name: "back", isOff: isFirst })}
    ${iconButton(view.isPlaying ? "pause" : "play", view.isPlaying ? "Pause" : "Play the history", play, { name: "play", isOff: marks.length < 2 })}
    ${iconButton("right", "One step on", () => store.move(1), { name: "forward", isOff: isLast })}</span>
    <p class="at"><strong>${shown.column + 1} of ${marks.length}</strong> ${wordsOf(shown)} <time datetime=${spelled(shown.state.created_at)}>${timeOf(shown.state.created_at)}</time></p>
    <span class="actions">
      ${store.history.hasOlder ? html`<button data-do="older" @click=${() => store.older()}>Older</button>` : nothing}
      ${store.selected === undefined ? nothing : html`<button data-do="newest" @click=${() => store.select(undefined)}>Newest</button>`}
      ${iconButton("branch", "Fork here", () => store.copyHere(), { name: "fork", isOff, hasWords: true })}
      ${iconButton("pencil", "Edit state", () => beginEdit(ui), { name: "edit", isOff, hasWords: true })}
      ${iconButton("play", "Run from here", () => store.runFromHere(), { name: "run", isOff: isOff || shown.state.next.length === 0, hasWords: true })}
    </span></div>`;
}

/** @param {string} at @returns {string} in the reader's own form */
function timeOf(at) {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? "" : date.toLocaleTimeString();
}

/** @param {Store} store @param {readonly Mark[]} marks */
function drawn(store, marks) {
  const byId = new Map(marks.map((mark) => [mark.id, mark]));
  return svg`${marks.map((mark) => wayTo(mark, byId))}${marks.map((mark) => markView(store, mark))}`;
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

/** @param {Store} store @param {Mark} mark */
function markView(store, mark) {
  const kind = kindOf(mark);
  return svg`<path class="mark" data-checkpoint=${mark.id} data-kind=${kind} data-lane=${mark.lane} data-source=${spelled(mark.state.metadata.source)} d=${FORMS[kind]} transform="translate(${xOf(mark)} ${yOf(mark)})"
    @click=${() => store.select(mark.id)}><title>${wordsOf(mark)}</title></path>`;
}

/** @param {Mark} mark */
function wordsOf(mark) {
  const { metadata, next } = mark.state;
  const kind = kindOf(mark);
  const after =
    kind === "done"
      ? "the end"
      : `${kind === "waiting" ? "waits in" : kind === "failed" ? "failed in" : "before"} ${spelled(namesOf(next))}`;
  const origin =
    metadata.source === "update"
      ? "written by hand, "
      : metadata.source === "fork"
        ? "forked, "
        : "";
  return `step ${metadata.step}, ${origin}${after}`;
}

/** @param {Store} store @param {KeyboardEvent} event */
function turn(store, event) {
  const by = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 }[event.key];
  const { marks, shown } = store;
  if (by !== undefined) store.move(by);
  else if (event.key === "Home") store.move(-marks.length);
  else if (event.key === "End") store.move(marks.length);
  else if (event.key === "ArrowUp" || event.key === "ArrowDown")
    store.select(nearest(marks, shown, event.key === "ArrowUp" ? -1 : 1)?.id);
  else return;
  event.preventDefault();
}

/** @param {readonly Mark[]} marks @param {Mark | undefined} shown @param {number} by lanes */
function nearest(marks, shown, by) {
  if (shown === undefined) return shown;
  const far = (/** @type {Mark} */ { column }) => Math.abs(column - shown.column);
  const lane = marks.filter((mark) => mark.lane === shown.lane + by);
  return lane.sort((a, b) => far(a) - far(b))[0] ?? shown;
}
