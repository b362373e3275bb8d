// SPDX-License-Identifier: MIT
// Draws the models to choose from and what belongs to the chosen one. Must not know: requests.
import { html, nothing } from "lit-html";
import { live } from "lit-html/directives/live.js";
import { plain } from "../../studio/text.js";
import { SERVICES, serviceOf } from "../../models/services.js";
import { TAB_MODELS } from "./tab-models.js";

/** @typedef {import("./index.js").Shown} Shown */
/** @typedef {import("./index.js").Acts} Acts */
/** @typedef {import("../../models/settings.js").Choice["source"]} Source */

const BROWSER = {
  available: "ready",
  downloadable: "to be downloaded",
  downloading: "on its way",
  unavailable: "not in this browser",
};
const GPU = {
  none: "no WebGPU here",
  small: "WebGPU without 16-bit numbers",
  full: "WebGPU found",
};

/** What the offline switch keeps from a model. @type {Record<string, string>} */
const OFFLINE = {
  service: "A model service needs the network: it is not asked until the switch is off.",
  browser: "A model that the browser has works; none is downloaded until the switch is off.",
  webllm: "A model that was downloaded works; none is downloaded until the switch is off.",
};

/** What buttons of notices do on this screen. */
const HERE = { models: "Check the fields" };

/** @param {Shown} shown @param {Acts} acts */
export function modelsView(shown, acts) {
  const { draft, used, browser, gpu } = shown;
  const state = (
    /** @type {Record<string, string>} */ names,
    /** @type {string | undefined} */ key,
  ) => (key === undefined ? "" : names[key]);
  return html`<div class="model-choice">
    <header>
      <h1>Models</h1>
      <p class="lead">Who answers when the order desk asks? A run that has begun goes on with the new one from its next step. The other samples follow scripts.</p>
    </header>
    <fieldset class="sources">
      <legend class="unseen">What answers</legend>
      ${source("builtin", "Built in", "Scripted stories, and a planner of rules for what you type. No key, no network.", "always here")}
      ${source("service", "A model service", "OpenAI, Anthropic, Gemini, or Ollama and LM Studio on this machine.", used.source === "service" && used.model ? used.model : "your key, your account")}
      ${source("browser", "This browser's own model", "Chrome and Edge bring one on some desktop computers.", state(BROWSER, browser))}
      ${source("webllm", "A small model in this tab", "WebLLM on your graphics card. 250 to 1,000 MB to download.", state(GPU, gpu))}
    </fieldset>
    <section class="details" aria-label="The chosen model">
      ${shown.isOffline && draft.source in OFFLINE ? html`<p class="warn" role="status"><b>The offline switch is on.</b> ${OFFLINE[draft.source]}</p>` : nothing}
      ${draft.source === "service" ? serviceForm(shown, acts) : draft.source === "browser" ? browserPart(shown, acts) : draft.source === "webllm" ? tabPart(shown, acts) : builtInPart()}
      ${buttons(shown, acts)}
      ${result(shown, acts)}
    </section>
    <p class="unseen" role="status">${shown.said}</p>
  </div>`;

  /** @param {Source} value @param {string} name @param {string} about @param {string} badge */
  function source(value, name, about, badge) {
    const isUsed = used.source === value;
    return html`<label class="source">
      <input type="radio" name="source" value=${value} .checked=${live(draft.source === value)} @change=${() => acts.set({ source: value })}>
      <span class="words"><b>${name}</b><span>${about}</span>
        <small>${isUsed ? html`<em>in use</em>` : nothing}${badge === "" ? nothing : html`<i>${plain(badge)}</i>`}</small></span>
    </label>`;
  }
}

function builtInPart() {
  return html`<h2>Built in</h2>
    <p>The stories on the samples' cards always fit. What you type yourself goes to a planner of a few rules: it orders, tells the time, calculates, and says what it did not understand instead of guessing. It is no language model.</p>
    <p class="hint">No request leaves this page's own server.</p>`;
}

/** @param {Shown} shown @param {Acts} acts */
function serviceForm({ draft, key, complaint, names, busy }, acts) {
  const service = serviceOf(draft.service);
  const read = (/** @type {Event} */ event) => /** @type {HTMLInputElement} */ (event.target).value;
  const hint = service.hint?.replace("{origin}", location.origin);
  const wrong = (/** @type {string} */ field) =>
    complaint?.field === field
      ? html`<small class="wrong" id=${`${field}-wrong`}>${plain(complaint.text)}</small>`
      : nothing;
  const about = (/** @type {string} */ field) =>
    complaint?.field === field ? `${field}-wrong` : `${field}-hint`;
  const isWrong = (/** @type {string} */ field) => (complaint?.field === field ? "true" : "false");
  return html`<h2>A model service</h2>
    <div class="fields">
      <div class="field"><label for="service">Service</label>
        <select id="service" @change=${(/** @type {Event} */ event) => acts.service(read(event))}>
          ${group("In the cloud", (one) => one.isLocal !== true && one.url !== "")}
          ${group("On this machine", (one) => one.isLocal === true)}
          ${SERVICES.filter(({ url }) => url === "").map(option)}
        </select></div>
      <div class="field"><label for="url">Address</label>
        <input id="url" type="url" inputmode="url" autocomplete="off" spellcheck="false" placeholder="https://…/v1" .value=${live(draft.url)} aria-invalid=${isWrong("url")} aria-describedby=${about("url")} @input=${(/** @type {Event} */ event) => acts.set({ url: read(event) })}>
        ${wrong("url")}<small id="url-hint">${hint ? plain(hint) : "https, or this machine. It gets the conversation."}</small></div>
      <div class="field"><label for="key">Key ${service.isLocal ? html`<span class="soft">(mostly none)</span>` : nothing}</label>
        <input id="key" type="password" autocomplete="off" spellcheck="false" .value=${live(key)} aria-invalid=${isWrong("key")} aria-describedby=${about("key")} @input=${(/** @type {Event} */ event) => acts.set({}, read(event))}>
        ${wrong("key")}<small id="key-hint">Stays in this tab: forgotten when it closes, sent to this address alone.</small></div>
      <div class="field"><label for="model">Model</label>
        <span class="beside"><input id="model" type="text" list="names" autocomplete="off" spellcheck="false" placeholder=${service.example} .value=${live(draft.model)} aria-invalid=${isWrong("model")} aria-describedby=${about("model")} @input=${(/** @type {Event} */ event) => acts.set({ model: read(event) })}>
        <button type="button" data-do="list" ?disabled=${busy !== undefined} @click=${acts.list}>${busy === "list" ? "Asking…" : "List models"}</button></span>
        <datalist id="names">${(names ?? []).map((name) => html`<option value=${name}></option>`)}</datalist>
        ${wrong("model")}<small id="model-hint">One that can call tools, by the service's own name.</small>
        ${names === undefined ? nothing : list(names)}</div>
    </div>`;

  /**
   * @param {string} label
   * @param {(one: import("../../models/services.js").Service) => boolean} belongs
   */
  function group(label, belongs) {
    return html`<optgroup label=${label}>${SERVICES.filter(belongs).map(option)}</optgroup>`;
  }

  /** @param {import("../../models/services.js").Service} one */
  function option({ id, name }) {
    return html`<option value=${id} .selected=${live(id === draft.service)}>${name}</option>`;
  }

  /** @param {readonly string[]} all */
  function list(all) {
    const typed = draft.model.trim().toLowerCase();
    const fitting = all.filter(
      (name) => name.toLowerCase().includes(typed) && name !== draft.model,
    );
    const some = fitting.length > 0 ? fitting : all;
    return html`<div class="names" role="group" aria-label="Models of the service">
      ${some.slice(0, 60).map((name) => html`<button type="button" aria-pressed=${name === draft.model ? "true" : "false"} @click=${() => acts.set({ model: name })}><span>${plain(name)}</span></button>`)}
      <small>${all.length === 1 ? "1 model" : `${all.length} models`}${some.length > 60 ? ": type a part of a name to see others" : ""}</small></div>`;
  }
}

/** @param {Shown} shown @param {Acts} acts */
function browserPart({ browser, busy, loading, isOffline }, acts) {
  const canLoad = browser === "downloadable" || browser === "downloading";
  return html`<h2>This browser's own model</h2>
    ${browser === undefined ? html`<p>Asking the browser…</p>` : nothing}
    ${browser === "unavailable" ? html`<p>This browser has none. Chrome and Edge on desktop computers have one, with 22 GB of free disk and enough memory; it works in pages of https.</p>` : nothing}
    ${browser === "available" ? html`<p>It is ready. What you say stays on this computer. It is small: it calls tools by text, and not always rightly.</p>` : nothing}
    ${
      canLoad
        ? html`<p>The browser can download it: some gigabytes, once for all pages. The browser keeps it.</p>
      <button type="button" data-do="prepare" ?disabled=${busy !== undefined || isOffline} @click=${acts.prepare}>Download the browser's model</button>`
        : nothing
    }
    ${progress(loading)}`;
}

/** @param {Shown} shown @param {Acts} acts */
function tabPart({ draft, gpu, busy, loading, isAsked, isLoaded }, acts) {
  const chosen = TAB_MODELS.find(({ id }) => id === draft.webllm) ?? TAB_MODELS[0];
  const isBusy = busy !== undefined;
  return html`<h2>A small model in this tab</h2>
    ${gpu === "none" ? html`<p class="warn">This browser offers no WebGPU, which these models need. Chrome, Edge and Safari have it where the graphics card allows it.</p>` : nothing}
    ${gpu === "small" ? html`<p class="warn">This graphics card has no 16-bit numbers, which these models need.</p>` : nothing}
    <div class="tab-models" role="radiogroup" aria-label="Models">
      ${TAB_MODELS.map(
        ({ id, name, megabytes, memory }) => html`<label class="source">
          <input type="radio" name="webllm" value=${id} .checked=${live(id === chosen.id)} ?disabled=${isBusy} @change=${() => acts.set({ webllm: id })}>
          <span class="words"><b>${name}</b><span>${size(megabytes)} to download, ${size(memory)} of graphics memory</span></span></label>`,
      )}
    </div>
    ${
      isAsked
        ? html`<div class="asked" role="group" aria-label="Download"><p><b>Download about ${size(chosen.megabytes)}?</b> From huggingface.co and raw.githubusercontent.com, once: the browser keeps it. The engine itself is another 6 MB of this site. Nothing that you say is sent.</p>
          <div class="actions"><button type="button" class="primary" data-do="load" @click=${acts.load}>Download ${size(chosen.megabytes)}</button><button type="button" @click=${() => acts.ask(false)}>Not now</button></div></div>`
        : nothing
    }
    ${isAsked || isBusy ? nothing : html`<button type="button" data-do="ask" ?disabled=${gpu !== "full"} @click=${() => acts.ask(true)}>${isLoaded ? "Load again" : `Load ${chosen.name}…`}</button>`}
    ${isLoaded && !isBusy ? html`<p class="good">The model is loaded.</p>` : nothing}
    ${progress(loading)}
    ${busy === "load" ? html`<div class="actions"><button type="button" data-do="cancel" @click=${acts.cancel}>Cancel</button><small class="hint">What has come is kept.</small></div>` : nothing}`;
}

/** @param {number} megabytes */
function size(megabytes) {
  return `${megabytes.toLocaleString("en")} MB`;
}

/** @param {Shown["loading"]} loading */
function progress(loading) {
  if (loading === undefined) return nothing;
  return html`<div class="progress"><progress max="1" .value=${loading.part} aria-label="Download"></progress><small>${Math.round(loading.part * 100)} % ${plain(loading.text)}</small></div>`;
}

/** @param {Shown} shown @param {Acts} acts */
function buttons({ draft, inUse, busy, browser, isLoaded, gpu }, acts) {
  const { source } = draft;
  const isThere =
    source === "builtin" ||
    source === "service" ||
    (source === "browser" && browser === "available") ||
    (source === "webllm" && (isLoaded || gpu === "full"));
  return html`<div class="actions last">
    <button type="button" class="primary" data-do="use" ?disabled=${inUse || !isThere || busy === "load"} @click=${acts.use}>${inUse ? "In use" : "Use this model"}</button>
    ${source === "builtin" ? nothing : html`<button type="button" data-do="test" ?disabled=${busy !== undefined || !isThere} @click=${acts.test}>${busy === "test" ? "Testing…" : "Test"}</button>`}
    ${source === "service" ? html`<small class="hint">A test is one small request.</small>` : nothing}
  </div>`;
}

/** @param {Shown} shown @param {Acts} acts */
function result({ tested, problem }, acts) {
  if (problem !== undefined)
    return html`<weft-notice .names=${HERE} .problem=${problem} @weft-act=${(/** @type {CustomEvent} */ event) => acts.act(event.detail.act)}></weft-notice>`;
  if (tested === undefined) return nothing;
  const { usesTools, text, ms, firstMs, usage, reason } = tested;
  return html`<div class=${`tested ${usesTools ? "good" : "warn"}`} role="status">
    <h3>${usesTools ? "It answers, and calls tools" : "It answers, but called no tool"}</h3>
    ${usesTools ? nothing : html`<p>The samples' agents work with tools: with this model they may only talk.</p>`}
    <dl>
      <div><dt>Time</dt><dd>${seconds(ms)}</dd></div>
      ${firstMs === undefined ? nothing : html`<div><dt>First piece</dt><dd>${seconds(firstMs)}</dd></div>`}
      ${usage === undefined ? html`<div><dt>Tokens</dt><dd>not told</dd></div>` : html`<div><dt>Tokens</dt><dd>${usage.input} in, ${usage.output} out</dd></div>`}
      ${reason === undefined ? nothing : html`<div><dt>Ended by</dt><dd>${plain(reason)}</dd></div>`}
    </dl>
    ${text === "" ? nothing : html`<blockquote dir="auto">${plain(text)}</blockquote>`}
  </div>`;
}

/** @param {number} ms */
function seconds(ms) {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
