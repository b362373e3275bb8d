// SPDX-License-Identifier: MIT
// The custom element <weft-studio>: watches and drives the graphs of an Agent Server, in the same
// page or behind an address.
import { html, render } from "lit-html";
import { Client } from "./server/client.js";
import { Viewport } from "./graph/viewport.js";
import { escapeKey, focusIn, keepFocus } from "./keyboard.js";
import { pageView } from "./page-view.js";
import { Cards } from "./questions/cards.js";
import { Decided } from "./questions/decisions.js";
import { noteStarter } from "./questions/keyboard.js";
import { Scrolling } from "./scrolling.js";
import { Store } from "./store.js";
import { styleText } from "./style.js";
import { watchWidth } from "./threads/rail-view.js";
import { keepDraft, newView, readDraft } from "./ui.js";

/** @typedef {{ fetch: import("./server/client.js").Fetch, basePath?: string }} Server */
/** @typedef {import("./ui.js").View} View */

/** Where a server in the same program is thought to be. */
const LOCAL = "http://weft.local";
/** Between two checkpoints that are played, in ms. */
const PLAY_MS = 700;
/** How long a button says "Copied", in ms. */
const COPIED_MS = 1500;

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
  #viewport = new Viewport(() => this.#draw());
  #scrolling = new Scrolling();
  #view = newView();
  #isDrawn = false;
  /** What "weft-open" told last. */
  #opened = "";
  /** What events about the shown thread told last, by name. @type {Map<string, string>} */
  #told = new Map();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #playing;
  /** @type {ResizeObserver | undefined} */
  #width;

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

  /** The graph that is shown. */
  get graph() {
    return this.#store?.graph || (this.getAttribute("graph") ?? "");
  }

  set graph(graph) {
    if (graph !== this.#store?.graph) this.#store?.chooseGraph(graph);
    this.setAttribute("graph", graph);
  }

  /** The thread that is open; `""`: the next run begins one. */
  get thread() {
    return this.#store?.thread ?? this.getAttribute("thread") ?? "";
  }

  set thread(thread) {
    this.setAttribute("thread", thread);
    if (thread === this.#store?.thread) return;
    if (thread === "") this.#store?.newThread();
    else this.#store?.chooseThread(thread);
  }

  connectedCallback() {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(styleText);
    this.#root.adoptedStyleSheets = [sheet];
    this.addEventListener("keydown", this.#escape);
    this.#width = watchWidth(this, () => this.#change({ isRailOpen: false }));
    this.#restart();
  }

  disconnectedCallback() {
    this.removeEventListener("keydown", this.#escape);
    this.#width?.disconnect();
    clearTimeout(this.#playing);
    this.#store?.close();
    this.#store = undefined;
  }

  /** @param {string} name @param {string | null} before @param {string | null} after */
  attributeChangedCallback(name, before, after) {
    if (before === after) return;
    if (name === "url") this.#restart();
    else if (name === "thread" && after && after !== this.#store?.thread)
      this.#store?.chooseThread(after);
    else if (name === "graph" && after && after !== this.#store?.graph)
      this.#store?.chooseGraph(after);
  }

  /**
   * Runs a graph in a thread of its own.
   * @param {string} graph
   * @param {unknown} input
   */
  async run(graph, input) {
    noteStarter(this.#root);
    this.#change({ tab: "state", node: undefined, edit: undefined });
    await this.#store?.chooseGraph(graph);
    await this.#store?.start(input);
  }

  /** Reads threads, questions, the open thread's history and whether its run goes on. */
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
    this.#opened = "";
    const url = this.getAttribute("url");
    const server = this.#server;
    if (server === undefined && !url) return this.#draw();
    const client = new Client({
      fetch: server?.fetch.bind(server) ?? ((input, init) => fetch(input, init)),
      url: server === undefined ? String(url) : LOCAL + (server.basePath ?? ""),
      headers: this.#headers,
    });
    const store = new Store(client);
    this.#store = store;
    this.#view = newView();
    store.addEventListener("change", () => {
      if (store !== this.#store) return;
      this.#tellOpen(store);
      this.#draw();
    });
    const graph = this.getAttribute("graph") ?? undefined;
    const thread = this.getAttribute("thread") ?? undefined;
    store.open({ ...(graph && { graph }), ...(thread && { thread }) });
    this.#draw();
  }

  /** What was written belongs to its graph and thread. @param {Store} store */
  #tellOpen(store) {
    const { graph, thread, isReady, opening } = store;
    const opened = JSON.stringify([graph, thread]);
    if (!isReady || opening > 0 || opened === this.#opened) return;
    this.#opened = opened;
    this.#scrolling.toEnd();
    const draft = readDraft(store, this.#view.draft);
    Object.assign(this.#view, { draft, editing: undefined, edit: undefined });
    if (this.#view.node && !store.drawing.nodes.some(({ id }) => id === this.#view.node))
      this.#view.node = undefined;
    const detail = { graph, thread, isGone: store.gone !== undefined };
    this.dispatchEvent(new CustomEvent("weft-open", { detail, bubbles: true, composed: true }));
  }

  /** Tells which node and checkpoint are shown and what the thread has cost, when that changes. */
  #tellShown() {
    const checkpoint = this.#store?.shown?.id;
    this.#tell("weft-node", this.#view.node, { graph: this.graph, node: this.#view.node });
    this.#tell("weft-checkpoint", checkpoint, { thread: this.thread, checkpoint });
    if (this.#store) this.#tell("weft-spent", "", this.#store.history.spent);
  }

  /** @param {string} name @param {string | undefined} shown @param {object} detail */
  #tell(name, shown, detail) {
    const told = shown === undefined ? "" : JSON.stringify(detail);
    if (told === (this.#told.get(name) ?? "")) return;
    this.#told.set(name, told);
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  /** @param {Partial<View>} change */
  #change(change) {
    Object.assign(this.#view, change);
    const store = this.#store;
    if (store !== undefined && change.draft !== undefined) keepDraft(store, change.draft);
    if (change.draft === "") this.#scrolling.toEnd();
    if (change.isPlaying !== undefined) this.#play();
    this.#draw();
  }

  /** Goes through the checkpoints until the last one, or until it is paused. */
  #play() {
    clearTimeout(this.#playing);
    if (!this.#view.isPlaying) return;
    this.#playing = setTimeout(() => {
      this.#store?.move(1);
      const isLast = this.#store?.selected === undefined;
      this.#change({ isPlaying: !isLast });
    }, PLAY_MS);
  }

  /** @param {Event} event at a button @param {string} text */
  async #copy(event, text) {
    const button = /** @type {HTMLElement} */ (event.currentTarget);
    let word = "Copied";
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      word = "Not allowed";
    }
    button.dataset.said = word;
    setTimeout(() => delete button.dataset.said, COPIED_MS);
  }

  #escape = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Escape" || event.defaultPrevented || this.#store === undefined) return;
    if (escapeKey(this.#view, this.#store, (part) => this.#change(part))) event.preventDefault();
  };

  /** Draws once for all that changes until the next frame. */
  #draw() {
    if (this.#isDrawn) return;
    this.#isDrawn = true;
    requestAnimationFrame(() => {
      this.#isDrawn = false;
      this.#view.isRailOpen ??= this.clientWidth >= 1280;
      this.#tellShown();
      const place = focusIn(this.#root);
      render(this.#page(), this.#root);
      this.#scrolling.settle(this.#root, this.#store?.shown);
      keepFocus(this.#root, place);
    });
  }

  #page() {
    const store = this.#store;
    if (store === undefined)
      return html`<p class="hint">Give this element a server: its property <code>server</code>, or an address as <code>url</code>.</p>`;
    return pageView({
      store,
      view: this.#view,
      change: (part) => this.#change(part),
      copy: (event, text) => this.#copy(event, text),
      folds: {
        isOpen: (path, byDefault) => this.#view.open.get(path) ?? byDefault,
        turn: (path, isOpen) => {
          this.#view.open.set(path, isOpen);
          this.#draw();
        },
      },
      viewport: this.#viewport,
      cards: this.hasAttribute("readonly") ? undefined : this.#cards,
      decisions: this.#decided.of(store.thread, store.resting),
    });
  }
}

/** Makes the element known to the page, once. @param {string} [name] */
export function defineStudio(name = "weft-studio") {
  if (globalThis.customElements === undefined)
    throw new TypeError("defineStudio(): there are custom elements in pages only");
  if (customElements.get(name) === undefined) customElements.define(name, WeftStudio);
}
