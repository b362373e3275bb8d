// SPDX-License-Identifier: MIT
// The workbench: a sample's graph and threads in <weft-studio>, and around it what happens to the
// engine: stories, the plug, meters, limits. Owns its element and its style sheet.
import { html, nothing, render } from "lit-html";
import { nameOf } from "../../models/settings.js";
import { SAMPLES } from "../../samples/index.js";
import { WeftStudio, defineStudio } from "../../studio/element.js";
import { plain } from "../../studio/text.js";
import { keepFocus } from "../keep-focus.js";
import { Bench } from "./bench.js";
import { FailureNotice } from "./failure-notice.js";
import { bytes, limitsView, metersView } from "./meters-view.js";
import { plugButton, restartView, stoppedView } from "./plug-view.js";
import { styleText } from "./style.js";

/** Graphs that ask the chosen model. */
const ASKING = ["orders"];

/** @typedef {{ params: string[] }} Route a graph and one of its threads, or none */
/**
 * @typedef {{ engine: import("../../worker/engine.js").Engine, settings:
 *   import("../../models/settings.js").Settings, go: (address: string, isGone?: boolean) => void,
 *   readonly route: Route }} Context
 */

/** @param {HTMLElement} main @param {Context} context */
export function open(main, context) {
  const { engine } = context;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styleText);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  defineStudio();
  const studio = new WeftStudio();
  const nodePlace = document.createElement("span");
  nodePlace.slot = "node";
  const bytesPlace = document.createElement("span");
  bytesPlace.slot = "checkpoint";
  studio.append(nodePlace, bytesPlace);
  const bench = new Bench(engine);
  new FailureNotice(engine, bench, studio, context).follow();
  let isDue = false;
  /** The node that is chosen. @type {string | undefined} */
  let chosen;

  const draw = () => {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(() => {
      isDue = false;
      keepFocus(main, () => {
        studio.inert = engine.state === "gone";
        render(page(bench, studio, context.settings), main);
      });
      render(aboutNode(bench, chosen), nodePlace);
      const { stepBytes } = bench;
      render(stepBytes === undefined ? nothing : `It stored ${bytes(stepBytes)}.`, bytesPlace);
    });
  };

  /** @param {Route} route */
  const show = ({ params: [graph, thread = ""] }) => {
    const known = SAMPLES.find((sample) => sample.graph === graph) ?? SAMPLES[0];
    studio.server = undefined;
    studio.setAttribute("graph", known.graph);
    studio.setAttribute("thread", thread);
    bench.open(known.graph, thread);
    studio.server = engine.server;
    draw();
  };

  studio.addEventListener("weft-open", (event) => {
    const { graph, thread, isGone } = /** @type {CustomEvent} */ (event).detail;
    bench.open(graph, thread);
    context.go(["#/work", graph, thread].filter(Boolean).map(encodePart).join("/"), isGone);
    draw();
  });
  studio.addEventListener("weft-node", (event) => {
    chosen = /** @type {CustomEvent} */ (event).detail.node;
    draw();
  });
  studio.addEventListener("weft-checkpoint", (event) =>
    bench.look(/** @type {CustomEvent} */ (event).detail.checkpoint),
  );
  studio.addEventListener("weft-spent", (event) =>
    bench.count(/** @type {CustomEvent} */ (event).detail),
  );
  bench.addEventListener("change", draw);
  // What was asked of an engine that ended was not answered.
  bench.addEventListener("restart", () => studio.refresh());
  show(context.route);
  return {
    show,
    close() {
      bench.close();
      render(nothing, main);
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
    },
  };
}

/** @param {string} part of an address @param {number} at */
const encodePart = (part, at) => (at === 0 ? part : encodeURIComponent(part));

/** @param {Bench} bench @param {string | undefined} node that is chosen */
function aboutNode({ graph, attempts }, node) {
  if (node === undefined || node.startsWith("__")) return nothing;
  const tries = Object.hasOwn(attempts, node) ? `${attempts[node]} attempts. ` : nothing;
  return html`${tries}<a href=${`#/code/${graph}/${encodeURIComponent(node)}`}>See the node's code</a>`;
}

/**
 * @param {Bench} bench
 * @param {WeftStudio} studio
 * @param {import("../../models/settings.js").Settings} settings
 */
function page(bench, studio, settings) {
  const { title, about, stories } =
    SAMPLES.find(({ graph }) => graph === bench.graph) ?? SAMPLES[0];
  const isGone = bench.state === "gone";
  return html`<div class="bench" data-engine=${bench.state}>
    <nav class="bench-samples" aria-label="Samples">
      ${SAMPLES.map((sample) => html`<a href="#/work/${sample.graph}" aria-current=${sample.graph === bench.graph ? "page" : nothing}>${sample.title}</a>`)}
    </nav>
    <div class="bench-head">
      <div class="bench-title"><h1>${title}</h1>
        <p>${about} <a href="#/code/${bench.graph}">See its code</a>, <a href="#/recordings">save a run</a>${ASKING.includes(bench.graph) ? html`, <a href="#/models">choose its model</a>: ${plain(nameOf(settings.choice))}` : ""}.</p></div>
      <div class="bench-acts">
        <div class="bench-stories" role="group" aria-label="Stories">
          ${stories.map((story, at) => html`<button type="button" class=${at === 0 ? "primary" : ""} ?disabled=${isGone} @click=${() => studio.run(bench.graph, story.input)}>${story.title}</button>`)}
        </div>
        ${plugButton(bench)}
      </div>
    </div>
    ${bench.problem === undefined ? nothing : html`<p class="bench-note bad" role="alert">${plain(bench.problem)}</p>`}
    ${restartView(bench)} ${stoppedView(bench)}
    <div class="bench-row">${metersView(bench)} ${limitsView(bench)}</div>
    ${studio}
  </div>`;
}
