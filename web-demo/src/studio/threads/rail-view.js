// SPDX-License-Identifier: MIT
// Lists the threads of a server: finds, opens, renames and deletes them.
import { html, nothing } from "lit-html";
import { live } from "lit-html/directives/live.js";
import { repeat } from "lit-html/directives/repeat.js";
import { icon, iconButton } from "../icons.js";
import { spelled } from "../text.js";
import { isWaiting, nameOf } from "./threads.js";
import { target } from "../ui.js";

/** @typedef {import("../ui.js").Ui} Ui */
/** @typedef {import("../server/client.js").Thread} Thread */

/** Where the list lies over the rest: the element's width with its padding, in px (style.js). */
const NARROW = 1120;
/** @type {[seconds: number, unit: Intl.RelativeTimeFormatUnit][]} */
const UNITS = [
  [86_400, "day"],
  [3600, "hour"],
  [60, "minute"],
];

/** @param {Ui} ui */
export function railView(ui) {
  const { store, view, change } = ui;
  const words = view.search.trim().toLowerCase();
  const found = store.threads.list.filter(
    (thread) =>
      words === "" ||
      nameOf(thread).toLowerCase().includes(words) ||
      thread.thread_id.startsWith(words),
  );
  return html`<nav class="part rail" aria-label="Threads">
    <div class="row"><input type="search" aria-label="Find a thread" placeholder="Find a thread" .value=${live(view.search)} @input=${(/** @type {Event} */ event) => change({ search: target(event).value })} />
    ${iconButton("close", "Close the list of threads", () => change({ isRailOpen: false }), { name: "close-threads" })}</div>
    <ul>${repeat(
      found,
      ({ thread_id }) => thread_id,
      (thread) => threadView(ui, thread),
    )}</ul>
    ${found.length === 0 ? html`<p class="hint">${words === "" ? "No threads yet." : "None has this in its title."}</p>` : nothing}
  </nav>`;
}

/** @param {Ui} ui @param {Thread} thread */
function threadView(ui, thread) {
  const { store, view, change } = ui;
  const { thread_id: id, status } = thread;
  const state = stateOf(thread, store.trouble === undefined);
  if (view.renaming?.id === id) return html`<li>${renamer(ui, view.renaming)}</li>`;
  const name = spelled(nameOf(thread), 80);
  const graph = thread.metadata?.graph_id;
  const open = (/** @type {Event} */ event) => {
    const { host } = /** @type {ShadowRoot} */ (target(event).getRootNode());
    change({ removing: undefined, isRailOpen: host.clientWidth > NARROW, pane: "talk" });
    store.chooseThread(id);
  };
  return html`<li data-thread=${id} data-status=${status}>
    <button type="button" class="thread" aria-current=${id === store.thread ? "true" : "false"} data-do="open-thread" @click=${open}>
      <span class="title" dir="auto">${name}</span>
      <span class="hint">${typeof graph === "string" ? spelled(graph, 30) : ""} · ${timeOf(thread.updated_at)}${state === "" ? nothing : html` · <b class="state">${state}</b>`}</span></button>
    ${
      view.removing === id
        ? html`<span class="row"><button class="small bad" data-do="delete-now" @click=${() => store.remove(id)}>Delete</button><button class="small" data-do="keep-thread" @click=${() => change({ removing: undefined })}>Keep</button></span>`
        : html`<span class="tools">${iconButton("pencil", `Rename ${name}`, () => change({ renaming: { id, title: nameOf(thread) } }), { name: "rename" })}
          ${iconButton("trash", `Delete ${name}`, () => change({ removing: id }), { name: "delete", isOff: status === "busy" })}</span>`
    }
  </li>`;
}

/**
 * @param {Thread} thread
 * @param {boolean} isFresh the server answers
 * @returns {string} what it does, in a word
 */
function stateOf(thread, isFresh) {
  if (thread.status === "interrupted") return isWaiting(thread) ? "waits" : "unfinished";
  if (thread.status === "error") return "failed";
  return thread.status === "busy" && isFresh ? "running" : "";
}

/** @param {Ui} ui @param {{ id: string, title: string }} renaming */
function renamer({ store, view, change }, { id, title }) {
  const rename = (/** @type {Event} */ event) => {
    event.preventDefault();
    const written = view.renaming?.title.trim() ?? "";
    change({ renaming: undefined });
    if (written !== "") store.rename(id, written);
  };
  return html`<form class="row" @submit=${rename}><input aria-label="Title of the thread" .value=${live(title)} maxlength="200"
    @input=${(/** @type {Event} */ event) => change({ renaming: { id, title: target(event).value } })} /><button class="small" data-do="rename-now">Save</button></form>`;
}

/** @param {string} at @returns {string} how long ago */
function timeOf(at) {
  const seconds = (Date.now() - new Date(at).getTime()) / 1000;
  if (Number.isNaN(seconds)) return "";
  const [size, unit] = UNITS.find(([least]) => seconds >= least) ?? [0, undefined];
  if (unit === undefined) return "now";
  const words = new Intl.RelativeTimeFormat(undefined, { numeric: "auto", style: "short" });
  return words.format(-Math.floor(seconds / size), unit);
}

/**
 * Tells when the list begins to lie over the rest, because the element was made narrow.
 * @param {HTMLElement} host
 * @param {() => void} begins
 * @returns {ResizeObserver} until it is disconnected
 */
export function watchWidth(host, begins) {
  let isWide = false;
  const observer = new ResizeObserver(() => {
    const { offsetWidth } = host;
    // An element that is not shown has no width.
    if (offsetWidth === 0) return;
    if (isWide && offsetWidth <= NARROW) begins();
    isWide = offsetWidth > NARROW;
  });
  observer.observe(host);
  return observer;
}

/** The button that shows and hides the list. @param {Ui} ui */
export function railButton({ store, view, change }) {
  const waiting = store.threads.list.filter(isWaiting).length;
  return html`<button type="button" data-do="threads" aria-expanded=${view.isRailOpen} @click=${() => change({ isRailOpen: !view.isRailOpen })}>${icon("list")}<span>Threads</span>
    ${waiting === 0 ? nothing : html`<span class="count" title="Threads that wait for an answer">${waiting}<span class="unseen"> wait</span></span>`}</button>`;
}
