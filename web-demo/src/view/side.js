// SPDX-License-Identifier: MIT
// The side panel: conversations, what the tools have made, how safe the storage is.
import { html, nothing } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";
import { icon } from "./icons.js";
import { revealed } from "./revealed.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../desk.js").Item} Item */

/** @param {App} app */
export function side(app) {
  return html`<aside class="side" aria-label="Conversations and desk">
    <div class="brand"><img src="icon.svg" alt="" width="28" height="28"><strong>Weft</strong><span>demo</span></div>
    <button class="new" @click=${() => app.newThread()}>${icon("plus")} New conversation</button>
    <nav aria-label="Conversations">
      ${app.threads.length === 0 ? html`<p class="hint">Conversations are kept in this browser. There are none yet.</p>` : nothing}
      <ul class="threads">${repeat(
        app.threads,
        ({ id }) => id,
        (thread) => threadRow(app, thread),
      )}</ul>
    </nav>
    <div class="desk">
      ${shelf(app, { name: "notes", title: "Notes", items: app.notes, icon: icon("note"), tell: ({ value }) => value.text })}
      ${shelf(app, { name: "orders", title: "Orders", items: app.orders, icon: icon("order"), tell: ({ value }) => `${value.quantity} × ${value.item} (${value.number})` })}
    </div>
    ${storageState(app)}
    <p class="hint"><a href="./">Weft Studio</a>: graphs at work in this tab, step by step.</p>
  </aside>`;
}

/** @param {App} app @param {import("../desk.js").ThreadCard} thread */
function threadRow(app, { id, title }) {
  const open = app.conversations.get(id);
  const state = open?.pending.length
    ? "waits for your decision"
    : open?.status === "running"
      ? "is answering"
      : "";
  return html`<li class=${id === app.threadId ? "current" : ""}>
    <a href=${`#/t/${id}`} aria-current=${id === app.threadId ? "true" : "false"}><span class="name">${title}</span>
      ${state ? html`<span class="dot ${open?.pending.length ? "waits" : "runs"}" title=${state}><span class="unseen">(${state})</span></span>` : nothing}</a>
    <button class="plain" aria-label=${`Delete the conversation ${title}`} @click=${() => doom(app, id)}>${icon("trash")}</button>
  </li>`;
}

/** @param {App} app @param {string} id */
function doom(app, id) {
  app.doomed = id;
  app.changed();
}

/**
 * @param {App} app
 * @param {{ name: string, title: string, items: Item[], icon: unknown, tell: (item: Item) => string
 *   }} shelf
 */
function shelf(app, { name, title, items, icon: drawing, tell }) {
  return html`<details class="shelf" id=${name} ?open=${items.length > 0}>
    <summary>${drawing}<span>${title}</span><span class="count">${items.length}</span></summary>
    ${
      items.length === 0
        ? html`<p class="hint">${name === "notes" ? "Say “remember that …” to keep one." : "Say “order two pizzas” to place one."}</p>`
        : html`<ul>${repeat(
            items,
            ({ key }) => key,
            (item) =>
              html`<li><span>${revealed(tell(item))}</span><button class="plain" aria-label=${`Remove: ${tell(item)}`} @click=${() => app.deleteItem(item)}>${icon("close")}</button></li>`,
          )}</ul>`
    }
  </details>`;
}

const PERSISTENCE = /** @type {const} */ ({
  persistent: "Storage is persistent: the browser keeps it until you delete it.",
  "best-effort": "Storage is best-effort: the browser may clear it when space runs out.",
  unknown: "This browser does not say whether it may clear the storage.",
});

/** @param {App} app */
function storageState({ storage: { persistence, bytes } }) {
  return html`<p class="storage" id="storage" data-persistence=${persistence}>${icon("disk")}<span>${PERSISTENCE[/** @type {keyof typeof PERSISTENCE} */ (persistence)]} ${sizeOf(bytes)} in use.</span></p>`;
}

/** @param {number} bytes */
function sizeOf(bytes) {
  return bytes < 1024 * 1024
    ? `${(bytes / 1024).toFixed(bytes < 10240 ? 1 : 0)} KiB`
    : `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}
