// SPDX-License-Identifier: MIT
// Takes a state that a person writes at the shown checkpoint, as a branch.
import { html, nothing } from "lit-html";
import { live } from "lit-html/directives/live.js";
import { withKey } from "../talk/composer-view.js";
import { plain, spelled } from "../text.js";
import { target } from "../ui.js";
import { jsonProblem } from "./json-place.js";

/** @typedef {import("../ui.js").Ui} Ui */

/** Opens the editor at the shown checkpoint. @param {Ui} ui */
export function beginEdit({ change }) {
  change({ edit: { text: "{\n}", asNode: "" }, tab: "state", pane: "inspector" });
}

/** @param {Ui} ui */
export function editView({ store, view, change }) {
  const { edit } = view;
  if (edit === undefined) return nothing;
  const { text, asNode } = edit;
  // A workflow of functions has a value for a state, and no channels.
  const hasChannels = store.takes !== "any";
  const problem = jsonProblem(text, hasChannels);
  const canWrite = () =>
    view.edit !== undefined && !jsonProblem(view.edit.text, hasChannels) && store.run === undefined;
  const put = (/** @type {Partial<typeof edit>} */ part) => change({ edit: { ...edit, ...part } });
  const write = async () => {
    if (view.edit === undefined || !canWrite()) return;
    await store.writeState(JSON.parse(view.edit.text), view.edit.asNode);
    if (store.problem === undefined) change({ edit: undefined });
  };
  const values = store.shown?.state.values ?? {};
  const channels = hasChannels ? [...Object.keys(values), ...store.inputs] : [];
  const names = [...new Set(channels)].slice(0, 40);
  const nodes = store.drawing.nodes.filter(({ id }) => !id.includes(":") && id !== "__end__");
  return html`<form class="edit" aria-label="Edit state" @submit=${(/** @type {Event} */ event) => event.preventDefault()}>
    <p class="hint">An update, as a node returns it: reducers apply. It is written as a branch; what there is stays as it is.</p>
    <div class="chips" role="group" aria-label="Channels">${names.map((name) => html`<button type="button" class="chip" @click=${() => put({ text: withKey(text, name, values[name] ?? null) })}>${plain(name, 40)}</button>`)}</div>
    <label>What to write, as JSON <span class="grow json" data-text=${`${text} `}><textarea rows="5" spellcheck="false" aria-invalid=${problem !== undefined} aria-describedby="edit-place"
      .value=${live(text)} @input=${(/** @type {Event} */ event) => put({ text: target(event).value })}></textarea></span></label>
    <div id="edit-place" role="status">${problem === undefined ? nothing : html`<p class="place">Line ${problem.line}, column ${problem.column}: ${problem.words}</p>${pointer(text, problem)}`}</div>
    <label class="row">As if node <select .value=${asNode} @change=${(/** @type {Event} */ event) => put({ asNode: target(event).value })}>
      <option value="">the last one</option>
      ${nodes.map(({ id }) => html`<option value=${id}>${spelled(id, 60)}</option>`)}</select> had written it</label>
    <div class="actions"><button type="button" class="primary" data-do="write" aria-disabled=${!canWrite()} @click=${write}>Write as a branch</button>
      <button type="button" data-do="cancel-state" @click=${() => change({ edit: undefined })}>Cancel</button></div>
  </form>`;
}

/**
 * The line with the fault, and a mark under the place.
 * @param {string} text
 * @param {import("./json-place.js").Problem} problem
 */
function pointer(text, { line, column }) {
  const from = Math.max(0, column - 40);
  const shown = (text.split("\n")[line - 1] ?? "").slice(from, from + 60);
  return html`<pre class="pointer" aria-hidden="true">${plain(shown)}
${" ".repeat(column - 1 - from)}^</pre>`;
}
