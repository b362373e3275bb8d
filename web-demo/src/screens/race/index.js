// SPDX-License-Identifier: MIT
// The screen Race: the same graph with Weft and with LangGraph.js, measured in this tab.
import { html, nothing, render } from "lit-html";
import { plain } from "../../studio/text.js";
import { keepFocus } from "../keep-focus.js";
import { openPanel } from "../panel.js";
import { chartView } from "./chart.js";
import { LEAST_MS, SIDES, STEPS, SideError, race } from "./race.js";
import { styleText } from "./style.js";

/** @typedef {import("./race.js").Result} Result */

const NAMES = Object.freeze({ weft: "Weft", langgraph: "LangGraph.js" });

const ms = (/** @type {number} */ value) =>
  `${value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString("en")} ms`;
const perSecond = (/** @type {number} */ value) => `${Math.round(value).toLocaleString("en")} / s`;
const bytes = (/** @type {number} */ value) =>
  `${Math.round(value / 1024).toLocaleString("en")} kB`;

/**
 * Shows the screen.
 * @param {HTMLElement} main
 * @returns {{ close(): void }}
 */
export function open(main) {
  const { root, close } = openPanel(main, styleText);
  /** @type {{ result?: Result, part?: string, problem?: string, running?: AbortController }} */
  const view = {};
  let isOpen = true;
  const show = (/** @type {Partial<typeof view>} */ change = {}) => {
    Object.assign(view, change);
    if (isOpen) keepFocus(root, () => render(page(), root));
  };

  const start = async () => {
    const running = new AbortController();
    show({ running, result: undefined, problem: undefined });
    try {
      const result = await race((so, part) => show({ result: so, part }), running.signal);
      show({ result, part: "Both are done." });
    } catch (error) {
      show(
        running.signal.aborted
          ? { part: "Cancelled." }
          : { part: undefined, problem: wordsOf(error) },
      );
    }
    show({ running: undefined });
  };
  const cancel = () => view.running?.abort(new Error("cancelled"));

  const page = () => html`<div class="screen">
    <header><h1>Race</h1>
      <p class="lead">The same graph with Weft and with LangGraph.js, here and now. All numbers are measured in this tab while you watch.</p></header>
    <div class="actions">
      ${actButton()}
      <span class="hint" role="status" data-part>${view.part ?? "LangGraph.js is loaded when you press the button, not before."}</span>
    </div>
    ${view.problem === undefined ? nothing : html`<p class="notice bad" role="alert">${plain(view.problem)}</p>`}
    ${view.result === undefined ? nothing : charts(view.result)}
    <section aria-labelledby="rules"><h2 id="rules">How it is measured</h2>
      <ul class="rules">
        <li>One program, given the names of either library: a node that counts, adds a sentence to a list of the state, and is run again until it has counted to ${STEPS}, with the library's own <code>MemorySaver</code>.</li>
        <li>Each library has a worker of its own. One runs at a time; who goes first changes with each round.</li>
        <li>First answer: a new worker is made, loads the library from the browser's cache, and runs two steps.</li>
        <li>The first round of each part warms up and is not counted. Bars are medians of five rounds; the thin line is their spread.</li>
        <li>Steps per second: runs of ${STEPS} steps, one after the other for ${LEAST_MS} ms at least.</li>
        <li>Stored: the bytes that each <code>MemorySaver</code> holds at the end.</li>
      </ul></section>
  </div>`;

  // One button, so that the focus stays where it was.
  const actButton = () => {
    const [act, words, press] =
      view.running !== undefined
        ? ["cancel", "Cancel", cancel]
        : ["race", view.result === undefined ? "Start the race" : "Race again", start];
    return html`<button class=${act === "race" ? "primary" : ""} data-do=${act} @click=${press}>${words}</button>`;
  };

  show();
  return {
    close: () => {
      isOpen = false;
      cancel();
      close();
    },
  };
}

/** @param {Result} result */
function charts(result) {
  const bars = (/** @type {(side: Result["weft"]) => number[]} */ values) =>
    SIDES.map((side) => ({ name: NAMES[side], side, values: values(result[side]) }));
  return html`<div class="charts">
    ${chartView({
      title: "First answer",
      about: "From making a worker to the answer of a run of two steps; less is better.",
      bars: bars(({ first }) => first),
      format: ms,
    })}
    ${chartView({
      title: "Steps per second",
      about: `Over ${STEPS} steps, each of them saved; more is better.`,
      bars: bars(({ perSecond: values }) => values),
      format: perSecond,
    })}
    ${chartView({
      title: "Stored",
      about: `All checkpoints of one thread after ${STEPS} steps; less is better.`,
      bars: bars(({ bytes: value }) => (value === undefined ? [] : [value])),
      format: bytes,
    })}
  </div>`;
}

/** @param {unknown} error @returns {string} */
function wordsOf(error) {
  if (!(error instanceof SideError)) return String(/** @type {Error} */ (error)?.message ?? error);
  if (!navigator.onLine)
    return "LangGraph.js is not kept for use without a network, and there is no race without it. Go online and start again.";
  return `${NAMES[error.side]}: ${error.message}`;
}
