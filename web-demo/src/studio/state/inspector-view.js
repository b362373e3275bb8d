// SPDX-License-Identifier: MIT
// Shows the state at a checkpoint, what its step changed, what nodes did, and the events of runs.
// Must not know: how they are read.
import { html, nothing } from "lit-html";
import { brief, plain, tree } from "../text.js";
import { target } from "../ui.js";
import { decisionsView } from "../questions/decisions-view.js";
import { MAX_CHANGES, changesBetween } from "../changes.js";
import { editView } from "./edit-view.js";

/** @typedef {import("../ui.js").Ui} Ui */
/** @typedef {import("../ui.js").Tab} Tab */
/** @typedef {import("../changes.js").Change} Change */
/** @typedef {import("../time/branches.js").Mark} Mark */

/** @type {readonly [Tab, string][]} */
const TABS = Object.freeze([
  ["state", "State"],
  ["tasks", "Tasks"],
  ["events", "Events"],
]);
const MAX_TASKS = 100;
const MAX_EVENTS = 200;

/** @param {Ui} ui */
export function inspectorView(ui) {
  const { view, change } = ui;
  const turn = (/** @type {KeyboardEvent} */ event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by === undefined) return;
    const at = TABS.findIndex(([tab]) => tab === view.tab);
    const [next] = TABS[(at + by + TABS.length) % TABS.length];
    change({ tab: next });
    target(event).querySelector(`[data-tab="${next}"]`)?.focus();
  };
  return html`<div class="tabs" role="tablist" aria-label="Inspector" @keydown=${turn}>${TABS.map(
    ([tab, name]) =>
      html`<button role="tab" id="tab-${tab}" aria-selected=${view.tab === tab} aria-controls="panel" tabindex=${view.tab === tab ? 0 : -1} data-tab=${tab} @click=${() => change({ tab })}>${name}</button>`,
  )}</div>
  <div class="inspected" id="panel" role="tabpanel" tabindex="0" aria-labelledby="tab-${view.tab}">${
    view.tab === "state" ? stateView(ui) : view.tab === "tasks" ? tasksView(ui) : eventsView(ui)
  }</div>`;
}

/**
 * Differences by pair of checkpoints.
 * @type {WeakMap<Mark, { before: Mark, changes: Change[] }>}
 */
const known = new WeakMap();

/** @param {Mark} before @param {Mark} shown */
function changesOf(before, shown) {
  const found = known.get(shown);
  if (found !== undefined && found.before === before) return found.changes;
  const changes = changesBetween(before.state.values, shown.state.values);
  known.set(shown, { before, changes });
  return changes;
}

/** @param {Ui} ui */
function stateView(ui) {
  const { store, folds } = ui;
  const { shown, before } = store;
  if (shown === undefined) return html`<p class="hint">No checkpoint yet.</p>`;
  const changes = before === undefined ? [] : changesOf(before, shown);
  return html`${editView(ui)}
    <h3>What this step changed</h3>
    <slot name="checkpoint"></slot>
    ${changes.length === 0 ? html`<p class="hint">${before ? "Nothing." : "It is the first one."}</p>` : nothing}
    <ul class="changes">${changes.map(
      ({ path, kind, before: old, after }) =>
        html`<li data-change=${kind}><code>${plain(path || "/")}</code> ${kind === "added" ? nothing : html`<del>${brief(old)}</del>`} ${kind === "removed" ? nothing : html`<ins>${brief(after)}</ins>`}</li>`,
    )}</ul>
    ${changes.length === MAX_CHANGES ? html`<p class="hint">Only the first ${MAX_CHANGES} are shown.</p>` : nothing}
    <h3>State</h3>
    <div class="tree">${Object.entries(shown.state.values).map(([key, value]) => tree(value, key, folds, "state", true))}</div>
    ${decisionsView(ui.decisions)}
    <p class="hint">Checkpoint <code>${plain(shown.id, 80)}</code></p>`;
}

/** @param {Ui} ui */
function tasksView(ui) {
  const { store, view, change, folds } = ui;
  const { node } = view;
  const isLive = store.selected === undefined;
  const run = isLive ? [...store.watch.live.tasks.values()].reverse() : [];
  const tasks = node === undefined ? run : run.filter((task) => task.node === node);
  const here = (store.shown?.state.tasks ?? []).filter(({ name }) => (node ?? name) === name);
  const ran = (store.before?.state.tasks ?? []).filter(({ name }) => (node ?? name) === name);
  return html`${node === undefined ? html`<p class="hint">A node of the graph shows its tasks alone.</p>` : html`<p class="row"><span class="chip">Node ${plain(node, 80)}</span><button class="small" data-do="all-nodes" @click=${() => change({ node: undefined })}>All nodes</button> <slot name="node"></slot></p>`}
    ${tasks.length === 0 ? nothing : html`<h3>In this run</h3><ol class="tasks-list">${tasks.slice(0, MAX_TASKS).map((task) => taskView(task, folds))}</ol>`}
    ${tasks.length > MAX_TASKS ? html`<p class="hint">Only the last ${MAX_TASKS} of ${tasks.length} are shown.</p>` : nothing}
    ${here.length === 0 ? nothing : html`<h3>Next at this checkpoint</h3><div class="tree">${here.slice(0, MAX_TASKS).map((task) => tree(task, task.name, folds, "next"))}</div>`}
    ${tasks.length > 0 || ran.length === 0 ? nothing : html`<h3>In the step that led here</h3><div class="tree">${ran.slice(0, MAX_TASKS).map((task) => tree(task, task.name, folds, "ran"))}</div>`}
    ${tasks.length + here.length + ran.length === 0 ? html`<p class="hint">${node === undefined ? "No tasks yet." : "It has not run in what is shown."}</p>` : nothing}`;
}

/**
 * @param {import("../graph/live-tasks.js").LiveTask} task
 * @param {import("../text.js").Folds} folds
 */
function taskView({ id, node, state, ms, input, result, error }, folds) {
  return html`<li data-task=${state}><p class="row"><b>${plain(node, 80)}</b> <span class="state">${state}</span>
      ${ms === undefined ? nothing : html`<span class="ms">${ms.toFixed(ms < 10 ? 1 : 0)} ms</span>`}</p>
    ${error === undefined ? nothing : html`<p class="problem">${plain(error)}</p>`}
    <div class="tree">${tree(input ?? null, "input", folds, id)}${result === undefined || error !== undefined ? nothing : tree(result, "output", folds, id)}</div></li>`;
}

/** @param {Ui} ui */
function eventsView({ store, view, change, folds }) {
  const { events } = store.watch;
  const words = view.filter.toLowerCase();
  const found = events.filter(
    ({ event, data }) =>
      words === "" ||
      event.toLowerCase().includes(words) ||
      JSON.stringify(data)?.toLowerCase().includes(words),
  );
  return html`<input type="search" aria-label="Filter events" placeholder="Filter: tasks, a node, a word" .value=${view.filter} @input=${(/** @type {Event} */ event) => change({ filter: target(event).value })} />
    <p class="hint">${events.length === 0 ? "Events of runs appear here as they come." : `${found.length} of ${events.length} events, the newest first`}</p>
    <ol class="events">${found
      .slice(-MAX_EVENTS)
      .reverse()
      .map(
        ({ at, event, data, id }) =>
          html`<li><time>${new Date(at).toISOString().slice(11, 23)}</time> <div class="tree">${tree(data, event, folds, `event${id}`)}</div></li>`,
      )}</ol>`;
}
