// SPDX-License-Identifier: MIT
// The screen Inbox: every request that waits, of all stored threads, and cards to decide them. Each
// request has its own address.
import { html, nothing, render } from "lit-html";
import { cardsView } from "../../studio/questions/question-view.js";
import { decisionsView } from "../../studio/questions/decisions-view.js";
import { headingOf } from "../../studio/questions/keyboard.js";
import { questionStyle } from "../../studio/questions/style.js";
import { plain } from "../../studio/text.js";
import { keepFocus } from "../keep-focus.js";
import { openPanel } from "../panel.js";
import { deskOf } from "./desk.js";
import { addressOf, listView, select } from "./list-view.js";
import { styleText } from "./style.js";
import { keyOf } from "./waiting.js";

/** @typedef {import("./waiting.js").Waits} Waits */
/** @typedef {import("../../studio/questions/cards.js").Held} Held */
/**
 * @typedef {{ engine: import("./waiting.js").Engine, go: (route: string) => void, route: { params:
 *   string[] } }} Context
 */

/** Cards that stand below each other: who has seen them decides them without a pause. */
const STACK = 12;
const NARROW = "(max-width: 900px)";
/** Between two drawings of ages that grow, in ms. */
const AGE_MS = 30_000;

/**
 * Shows the screen.
 * @param {HTMLElement} main
 * @param {Context} context
 * @returns {{ show: (route: { params: string[] }) => void, close(): void }}
 */
export function open(main, { engine, go, route }) {
  const screen = new Inbox(main, deskOf(engine), go);
  screen.show(route);
  return screen;
}

class Inbox {
  #desk;
  #go;
  #panel;
  #life = new AbortController();
  #isDue = false;
  /** @type {import("./list-view.js").Choice} */
  #choice = {
    order: "newest",
    query: "",
    graph: "",
    chosen: new Set(),
    reason: "",
    isRejecting: false,
    isSending: false,
  };
  /** Whether a person has opened a request, or the page the first one by itself. */
  #isOpened = false;
  #thread = "";
  #id = "";
  /** Requests whose cards are shown. @type {Set<string>} */
  #stack = new Set();
  /** Told once, until something else is done. @type {string | undefined} */
  #said = undefined;
  /** @type {string[]} */
  #failures = [];

  /** @param {HTMLElement} main @param {import("./desk.js").Desk} desk @param {Context["go"]} go */
  constructor(main, desk, go) {
    this.#desk = desk;
    this.#go = go;
    this.#panel = openPanel(main, questionStyle + styleText);
    const { signal } = this.#life;
    const draw = () => this.#draw();
    desk.addEventListener("change", draw, { signal });
    matchMedia(NARROW).addEventListener("change", draw, { signal });
    const timer = setInterval(draw, AGE_MS);
    signal.addEventListener("abort", () => clearInterval(timer));
    // What was seen on another screen is not in sight here.
    desk.cards.arm();
  }

  /** @param {{ params: string[] }} route thread and question, or neither */
  show({ params: [thread = "", id = ""] }) {
    if (thread === this.#thread && id === this.#id && this.#isOpened) return;
    Object.assign(this.#choice, { isRejecting: false });
    this.#thread = thread;
    this.#id = id;
    this.#isOpened = thread !== "";
    this.#said = undefined;
    const isShown = this.#stack.has(keyOf(thread, id));
    if (!isShown) this.#stack.clear();
    this.#draw();
    if (isShown) requestAnimationFrame(() => this.#comeTo(thread, id));
  }

  /**
   * Brings a card that is there in sight, with the keyboard.
   * @param {string} thread
   * @param {string} id
   */
  #comeTo(thread, id) {
    const card = [...this.#panel.root.querySelectorAll(".question")].find(
      (one) =>
        one.getAttribute("data-thread") === thread && one.getAttribute("data-question") === id,
    );
    headingOf(card)?.focus({ preventScroll: true });
    card?.scrollIntoView({ block: "nearest" });
  }

  close() {
    this.#life.abort();
    this.#panel.close();
  }

  /** Draws once for all that changes until the next frame. */
  #draw() {
    if (this.#isDue) return;
    this.#isDue = true;
    requestAnimationFrame(() => {
      this.#isDue = false;
      const { root } = this.#panel;
      if (!this.#life.signal.aborted) keepFocus(root, () => render(this.#page(), root));
    });
  }

  /** @param {Partial<import("./list-view.js").Choice>} change */
  #change(change) {
    Object.assign(this.#choice, change);
    this.#draw();
  }

  /** @param {Waits} request */
  #openRequest(request) {
    this.#go(addressOf(request));
    this.show({ params: [request.thread, request.id] });
  }

  async #reject() {
    const { chosen, reason, isSending } = this.#choice;
    const picked = this.#shown().filter(({ key, canReject }) => chosen.has(key) && canReject);
    if (isSending || picked.length === 0) return;
    this.#change({ isSending: true });
    this.#failures = await this.#desk.rejectAll(picked, reason.trim());
    const done = picked.length - this.#failures.length;
    this.#said = `${done === 1 ? "1 request was" : `${done} requests were`} rejected.`;
    this.#change({ isSending: false, isRejecting: false, reason: "", chosen: new Set() });
    requestAnimationFrame(() =>
      /** @type {HTMLElement | null} */ (this.#panel.root.querySelector("h1"))?.focus(),
    );
  }

  #shown() {
    return select(this.#desk.waiting.requests, this.#choice);
  }

  /**
   * The requests whose cards are shown: the open one and those below it, which stay where they are
   * until all are decided.
   * @param {Waits[]} shown
   * @param {boolean} isNarrow
   */
  #fillStack(shown, isNarrow) {
    const { cards, waiting } = this.#desk;
    const isWaiting = waiting.requests.some(
      (one) => this.#stack.has(one.key) && !cards.isSent(one),
    );
    if (isWaiting || (isNarrow && !this.#isOpened)) return;
    const at = shown.findIndex(
      ({ thread, id }) => thread === this.#thread && (id === this.#id || this.#id === ""),
    );
    if (at === -1 && this.#isOpened && this.#stack.size === 0) return;
    const next = shown.slice(Math.max(0, at)).filter((one) => !cards.isSent(one));
    // What is sent keeps its place while nothing comes behind it.
    if (next.length === 0) return;
    this.#stack = new Set(next.slice(0, STACK).map(({ key }) => key));
    const [{ thread, id }] = next;
    this.#thread = thread;
    this.#id = id;
  }

  #page() {
    const { cards, waiting } = this.#desk;
    const isNarrow = matchMedia(NARROW).matches;
    const all = waiting.requests;
    const shown = this.#shown();
    this.#fillStack(shown, isNarrow);
    const isInStack = (/** @type {Held} */ { question: { thread, id } }) =>
      this.#stack.has(keyOf(thread, id));
    const held = cards.show(all, isInStack);
    const order = new Map([...this.#stack].map((key, at) => [key, at]));
    const place = (/** @type {Held} */ { question: { thread, id } }) =>
      order.get(keyOf(thread, id)) ?? STACK;
    const stack = held.filter(isInStack).sort((one, other) => place(one) - place(other));
    const isList = !isNarrow || !this.#isOpened;
    const isCards = !isNarrow || this.#isOpened;
    return html`<div class="screen inbox ${isNarrow ? "narrow" : ""}">
      <div class="head"><h1 tabindex="-1" data-home>Inbox</h1><p class="lead" role="status">${this.#lead()}</p></div>
      ${waiting.problem === undefined ? nothing : html`<p class="notice bad" role="alert">${plain(waiting.problem)}</p>`}
      ${this.#failures.map((failure) => html`<p class="notice warn" role="alert">${plain(failure)}</p>`)}
      <div class="halves">
        ${isList ? html`<section class="list" aria-label="What waits">${all.length === 0 ? this.#nothing() : listView({ all, shown, selected: keyOf(this.#thread, this.#id), isSent: (one) => cards.isSent(one), redraw: () => this.#draw(), reject: () => this.#reject(), open: (one) => this.#openRequest(one) }, this.#choice, (change) => this.#change(change))}</section>` : nothing}
        ${isCards ? html`<div class="cards">${isNarrow ? html`<a class="button back" href="#/inbox">All requests</a>` : nothing}${this.#cards(stack)}</div>` : nothing}
      </div>
    </div>`;
  }

  #lead() {
    const { waiting } = this.#desk;
    const count = waiting.requests.length;
    if (!waiting.isRead) return waiting.problem === undefined ? "Reading what is stored…" : "";
    const threads = new Set(waiting.requests.map(({ thread }) => thread)).size;
    const said = this.#said === undefined ? "" : `${this.#said} `;
    if (count === 0) return `${said}Nothing waits for you.`;
    return `${said}${count === 1 ? "1 request waits" : `${count} requests wait`} in ${threads === 1 ? "1 thread" : `${threads} threads`}.`;
  }

  #nothing() {
    if (!this.#desk.waiting.isRead) return nothing;
    return html`<div class="empty"><p>When a graph asks a person, it is listed here, from every thread that is stored in this browser, also after the tab was closed.</p>
      <p><a class="button" href="#/work/orders">Let an agent order something</a></p></div>`;
  }

  /** @param {Held[]} stack */
  #cards(stack) {
    const { decided, cards, waiting } = this.#desk;
    const thread = this.#thread;
    const host = {
      questions: [],
      // Each card leads to its thread.
      thread: "",
      answer: (/** @type {any} */ question, /** @type {unknown} */ answer) => {
        this.#said = undefined;
        this.#failures = [];
        return this.#desk.answer(question, answer);
      },
      chooseThread: (/** @type {string} */ of) => {
        location.hash = `#/work/${encodeURIComponent(this.#graphOf(of))}/${encodeURIComponent(of)}`;
      },
    };
    const isGone = stack.length === 0 && this.#isOpened && waiting.isRead;
    const record = decided.of(thread, String(this.#versionOf(thread)));
    const isDecided = record.length > 0 || waiting.hasSeen(thread, this.#id);
    const isWanted = (/** @type {Held} */ { question, isOpen }) =>
      isOpen &&
      this.#isOpened &&
      question.thread === thread &&
      (this.#id === "" || question.id === this.#id);
    return html`${isGone ? goneView(isDecided) : nothing}
      ${cardsView({ host, cards }, stack, isWanted)}
      ${decisionsView(record)}`;
  }

  /** @param {string} thread */
  #graphOf(thread) {
    return this.#desk.waiting.requests.find((one) => one.thread === thread)?.graph ?? "";
  }

  /** Another one after each change of the thread. @param {string} thread */
  #versionOf(thread) {
    const found = this.#desk.waiting.requests.find((one) => one.thread === thread);
    return found === undefined ? "done" : `${found.since.getTime()} ${found.isBusy}`;
  }
}

/** @param {boolean} isDecided it is known to have waited */
const goneView = (isDecided) =>
  isDecided
    ? html`<p class="notice good" tabindex="-1">This request waits no more: it was decided.</p>`
    : html`<p class="notice warn" tabindex="-1">There is no such request. Its address is wrong, or it was answered in an earlier visit and left no record.</p>`;
