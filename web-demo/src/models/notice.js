// SPDX-License-Identifier: MIT
// The element <weft-notice>: says what went wrong and offers what helps. A wait that a service asks
// for is counted down, and ends in another try. Emits "weft-act" with the chosen act.
import { html, nothing, render } from "lit-html";
import { plain } from "../studio/text.js";
import { ACT_NAMES } from "./problems.js";

/** @typedef {import("./problems.js").Problem} Problem */
/** @typedef {import("./problems.js").Act} Act */

const TICK_MS = 250;
/** Tries that follow a wait by themselves, in a row. */
const MOST_TRIES = 3;
const Base = globalThis.HTMLElement ?? class {};

const styleText = `
:host { display: block; }
section { display: grid; gap: .5rem; padding: .75rem .875rem; border: 1px solid var(--bad-line, var(--bad)); border-inline-start-width: 4px; border-radius: .625rem; background: var(--bad-wash); color: var(--ink); overflow-wrap: anywhere; }
section[data-kind=rate], section[data-tone=info] { border-color: var(--warn-line, var(--warn)); background: var(--warn-wash); }
h3, p, pre { margin: 0; }
h3 { font-size: 1rem; }
p, summary { font-size: .875rem; line-height: 1.5; }
.soft { color: var(--soft); }
.actions { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; }
button { min-height: 2.25rem; padding: .25rem .875rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--raised, var(--paper)); color: inherit; font: inherit; font-size: .9375rem; cursor: pointer; }
button:first-child { border-color: transparent; background: var(--accent); color: var(--on-accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
summary { cursor: pointer; }
pre { max-height: 12rem; margin-top: .375rem; padding: .5rem; overflow: auto; border-radius: .375rem; background: var(--paper); font-family: var(--mono); font-size: .8125rem; white-space: pre-wrap; }
@media (pointer: coarse) { button { min-height: 2.75rem; } }
`;

export class WeftNotice extends Base {
  #root = this.attachShadow({ mode: "open" });
  /** @type {Problem | undefined} */
  #problem;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #timer;
  #tries = 0;
  #waits = false;
  /** Other labels of buttons, by act. @type {Partial<Record<Act, string>>} */
  names = {};

  get problem() {
    return this.#problem;
  }

  /** What went wrong; a new wait begins with a new value. */
  set problem(problem) {
    if (problem === this.#problem) return;
    // Between two tries there is no problem.
    if (problem !== undefined && problem.kind !== "rate") this.#tries = 0;
    this.#problem = problem;
    this.#waits = problem?.waitMs !== undefined && this.#tries < MOST_TRIES;
    this.#begin();
  }

  connectedCallback() {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(styleText);
    this.#root.adoptedStyleSheets = [sheet];
    this.#begin();
  }

  disconnectedCallback() {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #begin() {
    clearInterval(this.#timer);
    this.#timer = undefined;
    if (!this.isConnected) return;
    if (this.#waits) this.#timer = setInterval(() => this.#tick(), TICK_MS);
    this.#draw();
  }

  #tick() {
    if (this.#left() > 0) return this.#draw();
    this.#tries++;
    this.#act("retry");
  }

  /** ms until another try */
  #left() {
    const { waitMs = 0, at = 0 } = this.#problem ?? {};
    return at + waitMs - Date.now();
  }

  /** @param {Act | "wait"} act */
  #act(act) {
    this.#waits = false;
    this.#begin();
    if (act === "wait") return;
    this.dispatchEvent(
      new CustomEvent("weft-act", { detail: { act }, bubbles: true, composed: true }),
    );
  }

  #draw() {
    const problem = this.#problem;
    render(problem === undefined ? nothing : this.#view(problem), this.#root);
  }

  /** @param {Problem} problem */
  #view({ kind, title, text, acts, detail, notKept, isGuess }) {
    const seconds = Math.max(1, Math.ceil(this.#left() / 1000));
    const name = (/** @type {Act} */ act) =>
      act === "retry" && this.#waits ? "Try now" : (this.names[act] ?? ACT_NAMES[act]);
    return html`<section role="alert" data-kind=${kind}>
      <h3>${title}</h3>
      <p>${plain(text)}</p>
      ${notKept ? html`<p class="soft">What had come of the answer is not kept.</p>` : nothing}
      ${this.#waits ? html`<p class="wait" role="timer" aria-live="off">Trying again in <b>${timeText(seconds)}</b>${isGuess ? " (the service did not say how long)" : ""}</p>` : nothing}
      <div class="actions">
        ${acts.map((act) => html`<button data-act=${act} @click=${() => this.#act(act)}>${name(act)}</button>`)}
        ${this.#waits ? html`<button data-act="wait" @click=${() => this.#act("wait")}>Do not try again</button>` : nothing}
      </div>
      ${detail ? html`<details><summary>What was reported</summary><pre>${plain(detail)}</pre></details>` : nothing}
    </section>`;
  }
}

/** @param {number} seconds */
function timeText(seconds) {
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, "0")} s`;
}

/** Makes the element known to the page, once. */
export function defineNotice() {
  if (customElements.get("weft-notice") === undefined)
    customElements.define("weft-notice", WeftNotice);
}
