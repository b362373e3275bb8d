// SPDX-License-Identifier: MIT
// The custom element <weft-studio>: watches and drives the graphs of an Agent Server, in the same
// page or behind an address.
import { html, nothing, render } from "lit-html";
import { Client } from "./client.js";
import { graphView } from "./graph-view.js";
import { inspectorView } from "./inspector-view.js";
import { questionsView } from "./question-view.js";
import { Cards } from "./questions/cards.js";
import { Decided, decisionsView } from "./questions/decisions.js";
import { questionStyle } from "./questions/style.js";
import { Store } from "./store.js";
import { styleText } from "./style.js";
import { talkView } from "./talk-view.js";
import { plain } from "./text.js";
import { timelineView } from "./timeline-view.js";

/** @typedef {{ fetch: import("./client.js").Fetch, basePath?: string }} Server */

/**
 * What a person has chosen in the page; nothing of it is stored.
 * @typedef {{ tab: import("./inspector-view.js").Tab, node: string | undefined, edit: { text:
 *   string, asNode: string } | undefined, draft: string, isJson: boolean }} View
 */

/** @type {Readonly<View>} */
const START = Object.freeze({
  tab: "state",
  node: undefined,
  edit: undefined,
  draft: "",
  isJson: false,
});

/** Where a server in the same program is thought to be. */
const LOCAL = "http://weft.local";

/** Where there is no page, the class is only a name. */
const Base = globalThis.HTMLElement ?? class {};

export class WeftStudio extends Base {
  static observedAttributes = ["url", "graph", "thread"];

  #root = this.attachShadow({ mode: "open" });
  /** @type {Server | undefined} */
  #server;
  /** @type {Record<string, string>} */
  #headers = {};
  /** @type {Store | undefined} */
  #store;
  #cards = new Cards(() => this.#draw());
  #decided = new Decided(
    async (thread) => (await this.#store?.decisions(thread)) ?? [],
    () => this.#draw(),
  );
  /** @type {View} */
  #view = { ...START };
  #isDrawn = false;
  /** Graph and thread that were told. */
  #open = { graph: "", thread: "" };

  /** The server in the same program: one of createServer's, or anything with its `fetch`. */
  get server() {
    return this.#server;
  }

  set server(server) {
    if (server !== undefined && typeof server?.fetch !== "function")
      throw new TypeError(
        "<weft-studio>: server must have a function fetch, as createServer's has",
      );
    this.#server = server;
    this.#restart();
  }

  /** Headers of each request, such as `x-api-key`. They are kept nowhere. */
  get headers() {
    return this.#headers;
  }

  set headers(headers) {
    this.#headers = { ...headers };
    this.#restart();
  }

  connectedCallback() {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(styleText + questionStyle);
    this.#root.adoptedStyleSheets = [sheet];
    this.#restart();
  }

  disconnectedCallback() {
    this.#store?.close();
    this.#store = undefined;
  }

  /** @param {string} name @param {string | null} before @param {string | null} after */
  attributeChangedCallback(name, before, after) {
    if (before === after) return;
    if (name === "url") this.#restart();
    else if (name === "thread" && after) this.#store?.chooseThread(after);
    else if (name === "graph" && after) this.#store?.chooseGraph(after);
  }

  /**
   * Runs a graph in a thread of its own.
   * @param {string} graph
   * @param {unknown} input
   */
  async run(graph, input) {
    this.#change({ tab: "state", node: undefined, edit: undefined });
    await this.#store?.chooseGraph(graph);
    await this.#store?.start(input);
  }

  /** Reads threads, questions and the open thread's history again. */
  async refresh() {
    await this.#store?.refresh();
  }

  /**
   * Shows the checkpoint that is so many after the shown one.
   * @param {number} by
   * @returns {boolean} whether another one is shown now
   */
  move(by) {
    const before = this.#store?.shown?.id;
    this.#store?.move(by);
    return before !== this.#store?.shown?.id;
  }

  #restart() {
    if (!this.isConnected) return;
    this.#store?.close();
    this.#store = undefined;
    const url = this.getAttribute("url");
    const server = this.#server;
    if (server === undefined && !url) return this.#draw();
    const client = new Client({
      fetch: server?.fetch ?? ((input, init) => fetch(input, init)),
      url: server === undefined ? String(url) : LOCAL + (server.basePath ?? ""),
      headers: this.#headers,
    });
    const store = new Store(client);
    this.#store = store;
    this.#view = { ...START };
    store.addEventListener("change", () => {
      if (store !== this.#store) return;
      this.#draw();
      this.#tellOpen(store);
    });
    const graph = this.getAttribute("graph") ?? undefined;
    const thread = this.getAttribute("thread") ?? undefined;
    store.open({ ...(graph && { graph }), ...(thread && { thread }) });
    this.#draw();
  }

  /** Tells `weft-open` when another graph or thread is shown. @param {Store} store */
  #tellOpen({ graph, thread, isReady }) {
    const { graph: before, thread: last } = this.#open;
    if (!isReady || (graph === before && thread === last)) return;
    this.#open = { graph, thread };
    this.dispatchEvent(new CustomEvent("weft-open", { detail: { graph, thread } }));
  }

  /** @param {Partial<View>} change */
  #change(change) {
    Object.assign(this.#view, change);
    this.#draw();
  }

  /** Draws once for all that changes until the next frame. */
  #draw() {
    if (this.#isDrawn) return;
    this.#isDrawn = true;
    requestAnimationFrame(() => {
      this.#isDrawn = false;
      render(this.#page(), this.#root);
    });
  }

  #page() {
    const store = this.#store;
    if (store === undefined)
      return html`<p class="hint">Give this element a server: its property <code>server</code>, or an address as <code>url</code>.</p>`;
    const view = this.#view;
    const change = (/** @type {Partial<View>} */ part) => this.#change(part);
    const { questions } = store;
    return html`<header>${this.#bar(store)}</header>
      ${store.problem === undefined ? nothing : html`<p class="problem" role="alert">${plain(store.problem)}</p>`}
      <div class="columns">
        <section class="left" aria-label="Thread">${talkView(store, view, change)}</section>
        <section class="middle" aria-label="Graph">
          <div class="drawing">${graphView(store, view.node, (node) => change({ node, tab: "node" }))}</div>
          ${timelineView(store)}
        </section>
        <section class="right">
          ${this.hasAttribute("readonly") ? nothing : questionsView(store, this.#cards)}
          ${decisionsView(this.#decided.of(store.thread, `${store.marks.at(-1)?.id} ${store.run}`))}
          ${inspectorView(store, view, change)}
        </section>
      </div>
      <p class="unseen" role="status">${store.run === undefined ? "Nothing runs." : "A run goes on."} ${questions.length} questions wait.</p>`;
  }

  /** @param {Store} store */
  #bar(store) {
    const value = (/** @type {Event} */ event) =>
      /** @type {HTMLSelectElement} */ (event.target).value;
    const open = (/** @type {Event} */ event) => {
      const thread = value(event);
      if (thread === "") store.newThread();
      else store.chooseThread(thread);
    };
    return html`<label>Graph <select data-do="graph" @change=${(/** @type {Event} */ event) => store.chooseGraph(value(event))}>
        ${store.graphs.map(({ graph_id }) => html`<option value=${graph_id} ?selected=${graph_id === store.graph}>${graph_id}</option>`)}</select></label>
      <label>Thread <select data-do="thread" .value=${store.thread} @change=${open}>
        <option value="" ?selected=${store.thread === ""}>a new one</option>
        ${threadsOf(store).map(({ id, status }) => html`<option value=${id} ?selected=${id === store.thread}>${id.slice(0, 18)} (${status})</option>`)}</select></label>
      <button data-do="refresh" @click=${() => store.refresh()}>Refresh</button>
      <span class="status" data-run=${store.run === undefined ? "none" : "going"}>${store.run === undefined ? (store.isReady ? "ready" : "connecting") : `running, ${store.live.steps} steps`}</span>`;
  }
}

/** @param {Store} store @returns {{ id: string, status: string }[]} the open one among them */
function threadsOf({ threads, thread }) {
  const listed = threads.map(({ thread_id: id, status }) => ({ id, status }));
  const isListed = thread === "" || listed.some(({ id }) => id === thread);
  return isListed ? listed : [{ id: thread, status: "new" }, ...listed];
}

/** Makes the element known to the page, once. @param {string} [name] */
export function defineStudio(name = "weft-studio") {
  if (globalThis.customElements === undefined)
    throw new TypeError("defineStudio(): there are custom elements in pages only");
  if (customElements.get(name) === undefined) customElements.define(name, WeftStudio);
}
