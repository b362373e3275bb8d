// SPDX-License-Identifier: MIT
// Draws the start. Must not know: where its figures come from.
import { html, nothing } from "lit-html";
import { SAMPLES } from "../../samples/index.js";
import { LEAD, TITLE } from "./words.js";

/** @typedef {import("../../studio/server/client.js").Drawing} Drawing */
/**
 * @typedef {{ state: import("../../worker/engine.js").EngineState, startMs: number, problem: string
 *   | undefined, measured: import("./index.js").Measured | undefined, drawings: Map<string,
 *   Drawing>, draw: typeof import("./thumbnail.js").thumbnail | undefined, measure: () => void,
 *   restart: () => void, showMe: () => void }} Shown
 */

const NPM = "https://www.npmjs.com/package/weftgraph";
/** Written by the build: where the documentation is. @type {string} */
const DOCS = /** @type {any} */ (globalThis).STUDIO_DOCS;

/** @param {Shown} shown */
export function startView(shown) {
  return html`<div class="top">
      <section class="hero">
        <h1>${TITLE[0]}<em>${TITLE[1]}</em></h1>
        <p class="lead">${LEAD}</p>
        <div class="actions"><button type="button" class="primary" @click=${shown.showMe}>Show me (60 s)</button><a class="button" href="#/work/orders">Open the workbench</a></div>
      </section>
      ${figures(shown)}
    </div>
    <section class="wide" aria-labelledby="samples-title">
      <h2 id="samples-title">Five graphs to play with</h2>
      <p class="hint">Each has fewer than 60 lines, and runs in Node as it is.</p>
      <ul class="samples">${SAMPLES.map((sample) => card(sample, shown))}</ul>
    </section>
    <footer class="wide">
      <a href=${DOCS}>Docs</a><a href="#/code/orders">Source</a><a href=${NPM}>npm</a><a href="use-stream.html">LangGraph’s useStream on this engine</a>
      ${"serviceWorker" in navigator ? ownChat() : nothing}
    </footer>`;
}

/** How a chat that is served below this page reaches the engine, by the service worker. */
function ownChat() {
  const address = new URL("agents", location.href).href;
  return html`<p class="hint">A chat of your own, served below this page, takes the address <code>${address}</code> and the graph <code>orders</code>.</p>`;
}

/** What is measured in this tab. @param {Shown} shown */
function figures({ state, startMs, problem, measured, measure, restart }) {
  if (state === "gone")
    return html`<section class="figures gone" role="alert">
      <p><b>The engine is not running.</b> ${problem ?? "It was stopped."}</p>
      <button type="button" @click=${restart}>Start it again</button>
    </section>`;
  const isReady = state === "ready";
  return html`<section class="figures" aria-label="Measured here and now" aria-busy=${measured === undefined}>
    <dl>
      <div><dt>Engine start</dt><dd>${isReady ? time(startMs) : "…"}</dd></div>
      <div><dt>${measured ? measured.steps.toLocaleString("en") : "1,000"} steps of a graph</dt><dd>${measured ? time(measured.ms) : "…"}</dd></div>
      <div><dt>Requests sent</dt><dd>${measured ? measured.requests : "…"}</dd></div>
    </dl>
    <p class="hint"><span class="pulse" data-state=${state}></span>${isReady ? "Measured here, just now." : "The engine is starting."}
      ${isReady ? html`<button type="button" class="link" ?disabled=${measured === undefined} @click=${measure}>Measure again</button>` : nothing}</p>
  </section>`;
}

/** @param {number} ms */
function time(ms) {
  const digits = ms < 10 ? 1 : 0;
  return html`${ms.toFixed(digits)}<small> ms</small>`;
}

/** @param {import("../../samples/index.js").Sample} sample @param {Shown} shown */
function card({ graph, title, about }, { drawings, draw }) {
  const drawing = drawings.get(graph);
  return html`<li><a class="sample" href="#/work/${graph}">
    <span class="drawing">${draw && drawing ? draw(drawing) : nothing}</span>
    <span class="words"><b>${title}</b><span>${about}</span></span>
  </a></li>`;
}
