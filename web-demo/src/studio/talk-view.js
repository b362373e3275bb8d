// SPDX-License-Identifier: MIT
// Shows what was said in a thread, and takes the input of the next run: a message, where the graph
// keeps messages, or JSON. Must not know: how runs are made.
import { html, nothing } from "lit-html";
import { valueOf } from "./questions/open-view.js";
import { messageText, plain } from "./text.js";

/** @typedef {import("./store.js").Store} Store */

/**
 * @param {Store} store
 * @param {{ draft: string, isJson: boolean }} talk
 * @param {(change: Partial<{ draft: string, isJson: boolean }>) => void} change
 */
export function talkView(store, talk, change) {
  const messages = store.shown?.state.values.messages;
  const list = Array.isArray(messages) ? messages : [];
  const said = new Set(list.map((message) => message?.id));
  const spoken = [...store.speech].filter(([id, text]) => !said.has(id) && text !== "");
  return html`<ol class="talk" aria-label="What was said">
      ${list.map((message) => messageView(message))}
      ${store.selected === undefined ? spoken.map(([, text]) => html`<li class="ai live"><b>ai</b> <span>${plain(text)}</span></li>`) : nothing}
    </ol>
    ${composer(store, talk, change)}`;
}

/** @param {any} message */
function messageView(message) {
  const text = messageText(message);
  const calls = Array.isArray(message?.tool_calls) ? message.tool_calls : [];
  const type = String(message?.type ?? "");
  return html`<li class=${type === "human" || type === "ai" || type === "tool" ? type : "other"}>
    <b>${plain(type === "tool" ? `tool ${message.name ?? ""}` : type)}</b>
    ${text === "" ? nothing : html`<span>${plain(text)}</span>`}
    ${calls.map((/** @type {any} */ call) => html`<code class="call">${plain(String(call?.name))} ${plain(JSON.stringify(call?.args) ?? "")}</code>`)}
  </li>`;
}

/**
 * @param {Store} store
 * @param {{ draft: string, isJson: boolean }} talk
 * @param {(change: Partial<{ draft: string, isJson: boolean }>) => void} change
 */
function composer(store, { draft, isJson }, change) {
  const value = isJson ? valueOf(draft) : undefined;
  const isUsable = isJson ? typeof value === "object" && value !== null : draft.trim() !== "";
  const canStart = isUsable && store.run === undefined && store.isReady;
  const start = async () => {
    if (!canStart) return;
    change({ draft: "" });
    await store.start(isJson ? value : { messages: [{ role: "user", content: draft }] });
    if (store.problem !== undefined) change({ draft });
  };
  const press = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    start();
  };
  return html`<form class="composer" @submit=${(/** @type {Event} */ event) => event.preventDefault()}>
    <textarea rows=${isJson ? 4 : 2} aria-label=${isJson ? "Input of the graph, as JSON" : "Message"} placeholder=${isJson ? '{ "topic": "tea" }' : "A message"}
      .value=${draft} @keydown=${isJson ? nothing : press} @input=${(/** @type {InputEvent} */ event) => change({ draft: /** @type {HTMLTextAreaElement} */ (event.target).value })}></textarea>
    <div class="actions">
      ${store.run === undefined ? html`<button class="primary" data-do="start" ?disabled=${!canStart} @click=${start}>Run</button>` : html`<button data-do="stop" @click=${() => store.stop()}>Stop</button>`}
      <label><input type="checkbox" data-do="json" .checked=${isJson} @change=${(/** @type {Event} */ event) => change({ isJson: /** @type {HTMLInputElement} */ (event.target).checked })} /> JSON</label>
    </div>
  </form>`;
}
