// SPDX-License-Identifier: MIT
// The settings: which model answers. Nothing changes until Save.
import { html } from "lit-html";
import { live } from "lit-html/directives/live.js";
import { PACES } from "../settings.js";
import { closeSettings } from "./dialogs.js";
import { icon } from "./icons.js";

/** @typedef {import("../app.js").App} App */

/** What the person has filled in so far. @type {import("../settings.js").Settings | undefined} */
let draft;
/** @type {import("../settings.js").Complaint | undefined} */
let complaint;

/** @param {App} app */
export function settingsDialog(app) {
  const values = draft ?? app.settings;
  const isDemo = values.source === "demo";
  const set = (/** @type {Partial<import("../settings.js").Settings>} */ change) => {
    // Two changes may come between two renderings: each adds to what is there now, not to what was
    // drawn.
    draft = { ...(draft ?? app.settings), ...change };
    complaint = undefined;
    app.changed();
  };
  return html`<dialog id="settings" aria-labelledby="settings-title" @close=${() => forget(app)}>
    <form method="dialog" @submit=${(/** @type {Event} */ event) => save(app, event)}>
      <header><h2 id="settings-title">Settings</h2><button type="button" class="plain" aria-label="Close the settings" @click=${closeSettings}>${icon("close")}</button></header>
      <fieldset class="choices">
        <legend>Who answers?</legend>
        ${choice("demo", "Demo planner", "Embedded, rule-based, needs no key and no network. Not a language model.", isDemo, set)}
        ${choice("endpoint", "OpenAI-compatible service", "OpenAI, OpenRouter, Ollama, LM Studio, vLLM, llama.cpp and others.", !isDemo, set)}
      </fieldset>
      ${isDemo ? paceField(values, set) : endpointFields(values, set)}
      <div class="actions"><button type="button" class="quiet" @click=${closeSettings}>Cancel</button><button type="submit" class="primary">Save</button></div>
    </form>
  </dialog>`;
}

/** @typedef {(change: Partial<import("../settings.js").Settings>) => void} Set */

/**
 * @param {"demo" | "endpoint"} value
 * @param {string} name
 * @param {string} text
 * @param {boolean} checked
 * @param {Set} set
 */
function choice(value, name, text, checked, set) {
  return html`<label class="choice"><input type="radio" name="source" value=${value} .checked=${live(checked)} @change=${() => set({ source: value })}><span><strong>${name}</strong><small>${text}</small></span></label>`;
}

/** @param {import("../settings.js").Settings} values @param {Set} set */
function paceField({ pace }, set) {
  return html`<label class="line"><span>Words appear</span>
    <select id="pace" @change=${(/** @type {Event} */ event) => set({ pace: Number(/** @type {HTMLSelectElement} */ (event.target).value) })}>
      ${PACES.map(({ value, name }) => html`<option value=${value} ?selected=${value === pace}>${name}</option>`)}
    </select></label>`;
}

/** @param {import("../settings.js").Settings} values @param {Set} set */
function endpointFields({ url, key, model }, set) {
  const read = (/** @type {"url" | "key" | "model"} */ name) => (/** @type {Event} */ event) =>
    set({ [name]: /** @type {HTMLInputElement} */ (event.target).value });
  return html`
    ${field({ name: "url", label: "Address", type: "url", value: url, hint: "Up to and including the version. https, or this machine." }, read("url"))}
    ${field({ name: "key", label: "Key", type: "password", value: key, hint: "Stays in this tab: it is forgotten when the tab closes, and sent to this address only." }, read("key"))}
    ${field({ name: "model", label: "Model", type: "text", value: model, hint: "One that can call tools, by the service's name for it." }, read("model"))}`;
}

/**
 * @param {{ name: string, label: string, type: string, value: string, hint: string }} field
 * @param {(event: Event) => void} read
 */
function field({ name, label, type, value, hint }, read) {
  const wrong = complaint?.field === name ? complaint.text : undefined;
  return html`<div class="entry">
    <label for=${`set-${name}`}>${label}</label>
    <input id=${`set-${name}`} type=${type} .value=${live(value)} autocomplete="off" spellcheck="false" aria-describedby=${`hint-${name}`} aria-invalid=${wrong ? "true" : "false"} @input=${read}>
    <small id=${`hint-${name}`} class=${wrong ? "wrong" : ""}>${wrong ?? hint}</small>
  </div>`;
}

/** @param {App} app @param {Event} event */
function save(app, event) {
  event.preventDefault();
  const values = draft ?? app.settings;
  complaint = app.applySettings({
    ...values,
    url: values.url.trim(),
    model: values.model.trim(),
    key: values.key.trim(),
  });
  if (!complaint) return closeSettings();
  app.changed();
  document.getElementById(`set-${complaint.field}`)?.focus();
}

/** @param {App} app */
function forget(app) {
  draft = undefined;
  complaint = undefined;
  app.changed();
}
