// SPDX-License-Identifier: MIT
// Shows the state at a checkpoint, what its step changed, what a node did, and the events of runs.
// Must not know: how they are read.
import { html, nothing } from "lit-html";
import { MAX_CHANGES, changesBetween } from "./changes.js";
import { brief, plain, tree } from "./text.js";

/** @typedef {import("./store.js").Store} Store */
/** @typedef {"state" | "node" | "events"} Tab */

/** @type {readonly [Tab, string][]} */
const TABS = Object.freeze([
  ["state", "State"],
  ["node", "Node"],
  ["events", "Events"],
]);

/**
 * @param {Store} store
 * @param {{ tab: Tab, node: string | undefined, edit: { text: string, asNode: string } | undefined
 *   }} view what is chosen
 * @param {(change: Partial<{ tab: Tab, edit: { text: string, asNode: string } | undefined }>) =>
 *   void} change
 */
export function inspectorView(store, view, change) {
  return html`<div class="tabs" role="tablist" aria-label="Inspector">${TABS.map(
    ([tab, name]) =>
      html`<button role="tab" aria-selected=${view.tab === tab} data-tab=${tab} @click=${() => change({ tab })}>${name}</button>`,
  )}</div>
  <div class="panel" role="tabpanel" aria-label=${view.tab}>${
    view.tab === "state"
      ? stateView(store, view.edit, change)
      : view.tab === "node"
        ? nodeView(store, view.node)
        : eventsView(store)
  }</div>`;
}

/**
 * @param {Store} store
 * @param {{ text: string, asNode: string } | undefined} edit
 * @param {(change: { edit: { text: string, asNode: string } | undefined }) => void} change
 */
function stateView(store, edit, change) {
  const { shown, before } = store;
  if (shown === undefined) return html`<p class="hint">No checkpoint yet.</p>`;
  const { values, next, created_at } = shown.state;
  const changes = before === undefined ? [] : changesBetween(before.state.values, values);
  const isOld = store.selected !== undefined;
  return html`<p class="hint">Checkpoint <code>${shown.id}</code>, ${created_at}</p>
    <div class="actions">
      <button data-do="run" ?disabled=${next.length === 0 || store.run !== undefined} @click=${() => store.runFromHere()}>${isOld ? "Fork: run from here" : "Run on"}</button>
      <button data-do="edit" ?disabled=${store.run !== undefined} @click=${() => change({ edit: { text: "{\n}", asNode: "" } })}>Write a state here</button>
    </div>
    ${edit ? editor(store, edit, change) : nothing}
    <h3>What this step changed</h3>
    ${changes.length === 0 ? html`<p class="hint">${before ? "Nothing." : "It is the first one."}</p>` : nothing}
    <ul class="changes">${changes.map(
      ({ path, kind, before: old, after }) =>
        html`<li data-change=${kind}><code>${plain(path || "/")}</code> ${kind === "added" ? nothing : html`<del>${brief(old)}</del>`} ${kind === "removed" ? nothing : html`<ins>${brief(after)}</ins>`}</li>`,
    )}</ul>
    ${changes.length === MAX_CHANGES ? html`<p class="hint">Only the first ${MAX_CHANGES} are shown.</p>` : nothing}
    <h3>State</h3>
    <div class="tree">${Object.entries(values).map(([key, value]) => tree(value, key, true))}</div>`;
}

/**
 * @param {Store} store
 * @param {{ text: string, asNode: string }} edit
 * @param {(change: { edit: { text: string, asNode: string } | undefined }) => void} change
 */
function editor(store, edit, change) {
  const values = parsed(edit.text);
  const write = async () => {
    await store.writeState(values, edit.asNode);
    if (store.problem === undefined) change({ edit: undefined });
  };
  return html`<form class="edit" @submit=${(/** @type {Event} */ event) => event.preventDefault()}>
    <label>What to write, as JSON: an update, as a node returns it
      <textarea rows="6" spellcheck="false" .value=${edit.text} @input=${(/** @type {InputEvent} */ event) => change({ edit: { ...edit, text: /** @type {HTMLTextAreaElement} */ (event.target).value } })}></textarea></label>
    <label>As if node <select @change=${(/** @type {Event} */ event) => change({ edit: { ...edit, asNode: /** @type {HTMLSelectElement} */ (event.target).value } })}>
      <option value="">the last one</option>
      ${store.drawing.nodes.filter(({ id }) => !id.includes(":") && id !== "__end__").map(({ id }) => html`<option value=${id}>${id}</option>`)}</select> had written it</label>
    ${values === undefined ? html`<p class="problem">This is no JSON object yet.</p>` : nothing}
    <div class="actions"><button class="primary" data-do="write" ?disabled=${values === undefined} @click=${write}>Write as a branch</button>
      <button @click=${() => change({ edit: undefined })}>Cancel</button></div>
  </form>`;
}

/** @param {string} text @returns {Record<string, unknown> | undefined} */
function parsed(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** @param {Store} store @param {string | undefined} node */
function nodeView(store, node) {
  if (node === undefined) return html`<p class="hint">Choose a node of the graph.</p>`;
  const activity = store.live.nodes.get(node);
  const tasks = store.shown?.state.tasks.filter(({ name }) => name === node) ?? [];
  return html`<h3>${plain(node)}</h3>
    ${
      activity === undefined
        ? nothing
        : html`<p>${activity.state}${activity.count > 1 ? `, ${activity.count} tasks` : ""}${activity.ms === undefined ? "" : `, the last one took ${activity.ms.toFixed(1)} ms`}</p>
      ${activity.error === undefined ? nothing : html`<p class="problem">${plain(activity.error)}</p>`}
      <div class="tree">${tree(activity.input, "input")}${activity.result === undefined ? nothing : tree(activity.result, "result", true)}</div>`
    }
    ${tasks.length === 0 ? nothing : html`<h3>At this checkpoint</h3><div class="tree">${tasks.map((task) => tree(task, "task", true))}</div>`}
    ${activity === undefined && tasks.length === 0 ? html`<p class="hint">It has not run in what is shown.</p>` : nothing}`;
}

/** @param {Store} store */
function eventsView({ events }) {
  if (events.length === 0)
    return html`<p class="hint">Events of runs appear here as they come.</p>`;
  return html`<ol class="events">${events
    .slice(-200)
    .reverse()
    .map(
      ({ at, event, data }) =>
        html`<li><time>${new Date(at).toISOString().slice(11, 23)}</time> <details><summary><b>${plain(event)}</b> ${brief(data, 80)}</summary><div class="tree">${tree(data, "data", true)}</div></details></li>`,
    )}</ol>`;
}
