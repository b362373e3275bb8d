// SPDX-License-Identifier: MIT
// Takes the input of the next run: a message, where the graph keeps messages, a text, where it
// takes any value, or JSON. Must not know: how runs are made.
import { html, nothing } from "lit-html";
import { live } from "lit-html/directives/live.js";
import { icon } from "../icons.js";
import { jsonProblem } from "../state/json-place.js";
import { plain, spelled } from "../text.js";
import { isJson, target } from "../ui.js";

/** @typedef {import("../ui.js").Ui} Ui */

/** @param {Ui} ui */
export function composerView(ui) {
  const { store, view, change } = ui;
  const { draft } = view;
  const asJson = isJson(ui);
  const isText = store.takes === "any";
  const problem = problemOf(ui);
  const isRunning = store.run !== undefined;
  const canRun = () =>
    view.draft.trim() !== "" && !problemOf(ui) && store.run === undefined && store.canRun;
  // A key may come before what was written is drawn.
  const run = async () => {
    if (!canRun()) return;
    const written = view.draft;
    change({ draft: "" });
    await store.start(inputOf(written, asJson, store));
    if (store.problem !== undefined) change({ draft: written });
  };
  const press = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    if (asJson && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    run();
  };
  // One button, so that the focus stays where it was.
  const act = () => (isRunning ? store.stop() : run());
  return html`<form class="composer" @submit=${(/** @type {Event} */ event) => event.preventDefault()}>
    <div class="grow ${asJson ? "json" : ""}" data-text=${`${draft} `}><textarea rows="1" dir="auto" spellcheck=${asJson ? "false" : "true"} autocomplete="off" enterkeyhint="send"
      aria-label=${asJson ? "Input of the graph, as JSON" : isText ? "Input of the graph, a text" : "Message"} placeholder=${asJson ? placeholder(store) : isText ? "Write a text, or choose JSON" : "Write a message"} aria-invalid=${problem !== undefined}
      .value=${live(draft)} @keydown=${press} @input=${(/** @type {Event} */ event) => change({ draft: target(event).value })}></textarea></div>
    ${problem === undefined ? nothing : html`<p class="place">Line ${problem.line}, column ${problem.column}: ${problem.words}</p>`}
    ${asJson ? channels(ui) : nothing}
    <div class="actions">
      <label class="switch"><input type="checkbox" data-do="json" .checked=${live(asJson)} @change=${(/** @type {Event} */ event) => change({ isJson: target(event).checked })} /> JSON</label>
      <span class="hint">${hint(ui)}</span>
      <button type="button" class=${isRunning ? "" : "primary"} data-do=${isRunning ? "stop" : "start"} aria-disabled=${!isRunning && !canRun()} @click=${act}>${icon(isRunning ? "stop" : "send")}<span>${isRunning ? "Stop" : "Run"}</span></button>
    </div>
  </form>`;
}

/**
 * @param {string} written
 * @param {boolean} asJson
 * @param {import("../store.js").Store} store
 * @returns {unknown}
 */
function inputOf(written, asJson, { takes }) {
  if (asJson) return JSON.parse(written);
  return takes === "any" ? written : { messages: [{ role: "user", content: written }] };
}

/** What is wrong with an input as JSON. @param {Ui} ui */
function problemOf(ui) {
  const { takes } = ui.store;
  const { draft } = ui.view;
  const isObject = takes === "messages" || takes === "channels";
  return isJson(ui) && draft.trim() !== "" ? jsonProblem(draft, isObject) : undefined;
}

/** @param {Ui} ui */
function hint(ui) {
  const { store, view } = ui;
  if (store.run !== undefined) return "Escape stops it";
  // A number or a list that is sent as a text is taken for one.
  const isText = store.takes === "any" && !isJson(ui);
  if (isText && /^\s*[{["\d-]/.test(view.draft) && jsonProblem(view.draft, false) === undefined)
    return "Is sent as a text: choose JSON to send the value";
  if (store.selected === undefined) return "";
  return `Goes on from checkpoint ${(store.shown?.column ?? 0) + 1}, as a branch`;
}

/** @param {import("../store.js").Store} store */
function placeholder({ inputs: [first], takes }) {
  if (first !== undefined) return `{ "${spelled(first, 30)}": … }`;
  return takes === "any" ? '"text", 5, [1, 2], { }' : "{ }";
}

/** Channels of the graph; a press writes one into the draft. @param {Ui} ui */
function channels({ store, view, change }) {
  if (store.inputs.length === 0) return nothing;
  return html`<div class="chips" role="group" aria-label="Channels">${store.inputs
    .slice(0, 20)
    .map(
      (name) =>
        html`<button type="button" class="chip" @click=${() => change({ draft: withKey(view.draft, name, "") })}>${plain(name, 40)}</button>`,
    )}</div>`;
}

/**
 * @param {string} text JSON of an object
 * @param {string} key
 * @param {unknown} value
 * @returns {string} with the key; as it was, where it is no object
 */
export function withKey(text, key, value) {
  if (text.trim() !== "" && jsonProblem(text) !== undefined) return text;
  const entries = Object.entries(text.trim() === "" ? {} : JSON.parse(text));
  const others = entries.filter(([name]) => name !== key);
  return JSON.stringify(Object.fromEntries([...others, [key, value]]), null, 2);
}
