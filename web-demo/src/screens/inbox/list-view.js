// SPDX-License-Identifier: MIT
// Shows the list of requests: what each is about, since when it waits, when it expires; sorted,
// filtered, chosen for rejection. Must not know: how requests are read and answered.
import { html, nothing } from "lit-html";
import { live } from "lit-html/directives/live.js";
import { repeat } from "lit-html/directives/repeat.js";
import { spanOf, expiryView } from "../../studio/questions/facts-view.js";
import { plain, spelled } from "../../studio/text.js";

/** @typedef {import("./waiting.js").Waits} Waits */
/** @typedef {"newest" | "oldest" | "expiry"} Order */
/**
 * What a person has chosen in the list.
 * @typedef {{ order: Order, query: string, graph: string, chosen: Set<string>, reason: string,
 *   isRejecting: boolean, isSending: boolean }} Choice
 */
/** @typedef {(change: Partial<Choice>) => void} Change */
/**
 * @typedef {{ all: readonly Waits[], shown: readonly Waits[], selected: string | undefined, isSent:
 *   (request: Waits) => boolean, redraw: () => void, reject: () => void,
 *   open: (request: Waits) => void }} List
 */

const ORDERS = /** @type {const} */ ([
  ["newest", "Newest first"],
  ["oldest", "Oldest first"],
  ["expiry", "First to expire"],
]);
const NEVER = Number.MAX_SAFE_INTEGER;

/**
 * @param {readonly Waits[]} requests the newest first
 * @param {Pick<Choice, "order" | "query" | "graph">} choice
 * @returns {Waits[]}
 */
export function select(requests, { order, query, graph }) {
  const words = query.trim().toLowerCase();
  const found = requests.filter(
    (one) =>
      (graph === "" || one.graph === graph) &&
      (words === "" || `${one.title} ${one.graph} ${one.thread}`.toLowerCase().includes(words)),
  );
  if (order === "oldest") return found.reverse();
  const time = (/** @type {Waits} */ one) => one.expires?.getTime() ?? NEVER;
  return order === "expiry" ? found.sort((one, other) => time(one) - time(other)) : found;
}

/** @param {Waits} request @returns {string} its own address in the page */
export const addressOf = ({ thread, id }) =>
  `#/inbox/${encodeURIComponent(thread)}/${encodeURIComponent(id)}`;

/** @param {List} list @param {Choice} choice @param {Change} change */
export function listView(list, choice, change) {
  const { all, shown } = list;
  return html`${toolbar(all, choice, change)}
    ${batchBar(list, choice, change)}
    ${shown.length === 0 && all.length > 0 ? html`<p class="hint none">No request fits.</p>` : nothing}
    <ul class="rows" aria-label="Requests" @keydown=${moveFocus}>${repeat(
      shown,
      ({ key }) => key,
      (request) => row(list, request, choice, change),
    )}</ul>`;
}

/** @param {readonly Waits[]} all @param {Choice} choice @param {Change} change */
function toolbar(all, { order, query, graph }, change) {
  const graphs = [...new Set(all.map((one) => one.graph))].sort();
  const value = (/** @type {Event} */ { target }) => /** @type {HTMLInputElement} */ (target).value;
  return html`<div class="tools" role="search">
    <input type="search" aria-label="Filter" placeholder="Filter" .value=${live(query)} @input=${(/** @type {Event} */ event) => change({ query: value(event) })}>
    <select aria-label="Graph" @change=${(/** @type {Event} */ event) => change({ graph: value(event) })}>
      <option value="" ?selected=${graph === ""}>All graphs</option>
      ${graphs.map((one) => html`<option value=${one} ?selected=${one === graph}>${plain(one)}</option>`)}</select>
    <select aria-label="Order" @change=${(/** @type {Event} */ event) => change({ order: /** @type {Order} */ (value(event)) })}>
      ${ORDERS.map(([one, name]) => html`<option value=${one} ?selected=${one === order}>${name}</option>`)}</select>
  </div>`;
}

/** @param {List} list @param {Choice} choice @param {Change} change */
function batchBar({ shown, reject }, { chosen, reason, isRejecting, isSending }, change) {
  const able = shown.filter(({ canReject }) => canReject);
  const picked = able.filter(({ key }) => chosen.has(key));
  const isAll = able.length > 0 && picked.length === able.length;
  const all = () =>
    change({ chosen: new Set(isAll ? [] : able.map(({ key }) => key)), isRejecting: false });
  const press = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === "Escape") return leave(event);
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    // A key that is held since the button before it says nothing.
    if (!event.repeat) reject();
  };
  const leave = (/** @type {Event} */ event) => {
    change({ isRejecting: false });
    later(event, "[data-do=batch]");
  };
  const begin = (/** @type {Event} */ event) => {
    change({ isRejecting: true });
    later(event, "#batch-reason");
  };
  const count = picked.length === 1 ? "1 request" : `${picked.length} requests`;
  return html`<div class="batch">
    <label><input type="checkbox" aria-label="Choose all" ?disabled=${able.length === 0} .checked=${live(isAll)} .indeterminate=${picked.length > 0 && !isAll} @change=${all}> ${picked.length === 0 ? "Choose all" : html`${count} chosen`}</label>
    ${
      picked.length === 0
        ? nothing
        : isRejecting
          ? html`<div class="entry"><label for="batch-reason">Why not? <span>The agents are told. (optional)</span></label>
              <input id="batch-reason" maxlength="500" autocomplete="off" .value=${live(reason)} @keydown=${press} @input=${(/** @type {Event} */ { target }) => change({ reason: /** @type {HTMLInputElement} */ (target).value })}></div>
            <div class="actions"><button class="danger" data-do="batch-reject" ?disabled=${isSending} @keydown=${(/** @type {KeyboardEvent} */ event) => event.repeat && event.preventDefault()} @click=${reject}>Reject ${count}</button><button ?disabled=${isSending} @click=${leave}>Back</button></div>`
          : html`<button class="small" data-do="batch" @click=${begin}>Reject…</button>`
    }
  </div>`;
}

/** @param {Event} event @param {string} selector of what gets the keyboard once it is drawn */
function later({ currentTarget }, selector) {
  const root = /** @type {ShadowRoot} */ (/** @type {Element} */ (currentTarget).getRootNode());
  requestAnimationFrame(() =>
    /** @type {HTMLElement | null} */ (root.querySelector(selector))?.focus(),
  );
}

/** @param {List} list @param {Waits} request @param {Choice} choice @param {Change} change */
function row({ selected, isSent, redraw, open }, request, { chosen }, change) {
  const { key, title, graph, since, expires, canReject, asked } = request;
  const toggle = () => {
    const next = new Set(chosen);
    if (!next.delete(key)) next.add(key);
    change({ chosen: next });
  };
  const count = asked.kind === "calls" ? asked.calls.length : 1;
  const follow = (/** @type {MouseEvent} */ event) => {
    const { altKey, ctrlKey, metaKey, shiftKey } = event;
    if (altKey || ctrlKey || metaKey || shiftKey) return;
    event.preventDefault();
    open(request);
  };
  return html`<li class=${isSent(request) ? "sent" : ""} aria-current=${key === selected ? "true" : nothing}>
    <input type="checkbox" aria-label=${`Choose: ${spelled(title)}`} ?disabled=${!canReject} .checked=${live(chosen.has(key) && canReject)} @change=${toggle}>
    <a href=${addressOf(request)} @click=${follow}><span class="title">${plain(title)}</span>
      <span class="facts"><span>${plain(graph)}</span><span>${asked.kind === "open" ? "a question" : count === 1 ? "a call" : `${count} calls`}</span>
      <time datetime=${since.toISOString()} title=${since.toLocaleString()}>${spanOf(Date.now() - since.getTime())} ago</time>${expires ? expiryView(expires, redraw) : nothing}${isSent(request) ? html`<span>sent</span>` : nothing}</span></a>
  </li>`;
}

/** Arrow keys go from row to row. @param {KeyboardEvent} event */
function moveFocus(event) {
  const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (by === 0) return;
  event.preventDefault();
  const links = [.../** @type {Element} */ (event.currentTarget).querySelectorAll("a")];
  const at = links.findIndex((link) =>
    link.closest("li")?.contains(/** @type {Node} */ (event.target)),
  );
  links[Math.max(0, Math.min(links.length - 1, at + by))]?.focus();
}
