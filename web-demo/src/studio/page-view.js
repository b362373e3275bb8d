// SPDX-License-Identifier: MIT
// Arranges the studio: the bar, and beside each other talk, graph, inspector and timeline, or
// one of them at a time where there is little room.
import { html, nothing } from "lit-html";
import { graphView } from "./graph/graph-view.js";
import { icon } from "./icons.js";
import { railButton, railView } from "./threads/rail-view.js";
import { inspectorView } from "./state/inspector-view.js";
import { talkView } from "./talk/talk-view.js";
import { plain, spelled } from "./text.js";
import { nameOf } from "./threads/threads.js";
import { timelineView } from "./time/timeline-view.js";
import { target } from "./ui.js";

/** @typedef {import("./ui.js").Ui} Ui */

/** @type {readonly [import("./ui.js").Pane, string][]} */
const PANES = Object.freeze([
  ["talk", "Talk"],
  ["graph", "Graph"],
  ["time", "Time"],
  ["inspector", "Inspector"],
]);

/** @param {Ui} ui */
export function pageView(ui) {
  const { store, view, change } = ui;
  const problem = store.trouble ?? store.problem;
  const isRailOpen = view.isRailOpen && ui.cards !== undefined;
  return html`${bar(ui)}
    ${problem === undefined ? nothing : html`<p class="problem" role="alert">${plain(problem)}</p>`}
    <p class="gone" role="status">${store.gone === undefined ? nothing : html`${spelled(store.gone, 160)} <span>Begin a new one, or choose another one in the list of threads.</span>`}</p>
    <nav class="panes" aria-label="Parts of the studio">${PANES.map(([pane, name]) => html`<button type="button" data-pane=${pane} aria-pressed=${view.pane === pane} @click=${() => change({ pane })}>${name}</button>`)}</nav>
    <div class="columns" data-rail=${isRailOpen} data-shown=${view.pane}>
      ${isRailOpen ? railView(ui) : nothing}
      <section class="part part-talk" aria-label="Talk">${talkView(ui)}</section>
      <section class="part part-graph" aria-label="Graph">${graphView(ui)}</section>
      <section class="part part-inspector" aria-label="Inspector">${inspectorView(ui)}</section>
      <section class="part part-time" aria-label="Timeline">${timelineView(ui)}</section>
    </div>
    <p class="unseen" role="status">${spoken(ui)}</p>`;
}

/** What a person who does not look at it is told. @param {Ui} ui */
function spoken({ store }) {
  const { length } = store.threads.questions;
  if (store.trouble !== undefined) return "";
  const run = store.run === undefined ? "Nothing runs." : "A run goes on.";
  return `${run} ${length === 1 ? "1 question waits." : `${length} questions wait.`}`;
}

/** @param {Ui} ui */
function bar(ui) {
  const { store, change } = ui;
  const { graphs, graph, thread } = store;
  const fresh = () => {
    store.newThread();
    change({ pane: "talk" });
  };
  return html`<header class="bar">
    ${railButton(ui)}
    <label class="graph-choice"><span class="unseen">Graph</span><select data-do="graph" @change=${(/** @type {Event} */ event) => store.chooseGraph(target(event).value)}>
      ${graphs.map(({ graph_id }) => html`<option value=${graph_id} ?selected=${graph_id === graph}>${spelled(graph_id, 60)}</option>`)}</select></label>
    <h2 class="title" dir="auto">${spelled(nameOf(store.threads.find(thread)), 80)}</h2>
    <button type="button" data-do="new-thread" ?disabled=${thread === ""} @click=${fresh}>${icon("plus")}<span>New thread</span></button>
    <slot name="tools"></slot>
    ${statusView(store)}
    <button type="button" class="icon-button" data-do="refresh" aria-label="Refresh" title="Read again what other clients did" @click=${() => store.refresh()}>${icon("again")}</button>
  </header>`;
}

/** @param {import("./store.js").Store} store */
function statusView({ trouble, run, isReady, watch }) {
  if (trouble !== undefined)
    return html`<span class="status" data-run="unknown">not connected</span>`;
  if (run !== undefined)
    return html`<span class="status" data-run="going">running, step ${watch.live.steps}</span>`;
  return html`<span class="status" data-run="none">${isReady ? "ready" : "connecting"}</span>`;
}
