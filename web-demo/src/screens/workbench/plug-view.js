// SPDX-License-Identifier: MIT
// Shows the plug: its button, the engine that is gone, what the restart found, and which limit
// stopped a run. Must not know: how it is measured.
import { html, nothing } from "lit-html";
import { ref } from "lit-html/directives/ref.js";
import { plain } from "../../studio/text.js";
import { raised } from "./limits.js";

/** @typedef {import("./bench.js").Bench} Bench */
/** @typedef {import("./restart.js").Restart} Restart */

/** Brings what is new in sight, below the title, and the keyboard to it if what had it is gone. */
const inPlace = ref((element) => {
  // It is in the document when all is drawn.
  queueMicrotask(() => {
    if (!(element instanceof HTMLElement)) return;
    if (document.activeElement === document.body) element.focus();
    scrollTo(0, 0);
  });
});

/** @param {Bench} bench */
export function plugButton(bench) {
  // Where nothing is stored, all threads would end with the engine.
  if (bench.state === "gone" || !bench.isKept) return nothing;
  return html`<button type="button" class="plug" ?disabled=${bench.state !== "ready"} @click=${() => bench.pull()}>Pull the plug</button>`;
}

/** @param {Bench} bench */
export function restartView(bench) {
  const { restart, state } = bench;
  if (state === "gone") return goneView(bench);
  if (restart === undefined || restart.thread !== bench.thread) return nothing;
  if (restart.lost === undefined)
    return html`<section class="bench-note" aria-label="Restart" role="status" tabindex="-1" ${inPlace}><h2>The engine starts …</h2></section>`;
  return html`<section class="bench-note good" aria-label="Restart" role="status" tabindex="-1" ${inPlace}>
    <div><h2>${headline(restart)}</h2><button type="button" class="link" @click=${() => bench.dismiss()}>Close</button></div>
    <p>${restart.cut.stored.length} stored checkpoints were known before, ${restart.cut.stored.length - restart.lost} are there. ${restart.done.size} tasks had a stored result, ${restart.twice.size} of them ran again.
      The engine started in ${Math.round(restart.startMs)} ms${restart.ms === undefined ? "." : html`; ${Math.round(restart.ms)} ms after your click the first node ran.`}</p>
    ${restart.outcome === "asks" ? html`<p><strong>A tool call was cut in the middle.</strong> Whether it took effect nobody can know, so it does not run again by itself: you are asked.</p>` : nothing}
  </section>`;
}

/** @param {Restart} restart */
function headline({ lost, twice, outcome, nodes, ms, hadRun }) {
  const counts = `${lost} lost, ${twice.size} run twice`;
  if (outcome === "nothing")
    return `${counts}. ${hadRun ? "The run had come to its end." : "Nothing was under way."}`;
  if (ms === undefined) return `${counts}. It goes on …`;
  return html`${counts}, resumed at ${plain([...nodes].slice(0, 3).join(", "))} in ${Math.round(ms)} ms`;
}

/** @param {Bench} bench */
function goneView(bench) {
  const { cut } = bench.restart ?? { cut: undefined };
  const running = cut?.running ?? [];
  return html`<section class="bench-note bad" aria-label="The engine is gone" role="alert">
    <h2>The engine is gone</h2>
    <p>${bench.engineProblem === undefined ? html`Its worker was ended ${running.length === 0 ? "while nothing ran" : html`in the middle of ${plain([...new Set(running)].join(", "))}${running.length > 1 ? ` (${running.length} tasks)` : ""}`}. ${cut?.stored.length ?? 0} checkpoints of this thread are known to be stored in this browser.` : plain(bench.engineProblem)}</p>
    ${cut?.isRunning ? html`<p>What was recorded of this run is lost; <a href="#/recordings">kept recordings</a> stay.</p>` : nothing}
    <button type="button" class="primary" ${inPlace} @click=${() => bench.startAgain()}>Start again</button>
  </section>`;
}

/** @param {Bench} bench */
export function stoppedView(bench) {
  const { reached, limits, state } = bench;
  if (reached === undefined || state !== "ready") return nothing;
  const more = raised(reached, limits);
  const limit = limits[reached.key];
  return html`<section class="bench-note warn" aria-label="Stopped by a limit" role="status">
    <h2>Stopped by the limit of ${limit === undefined ? reached.label.toLowerCase() : reached.words(limit)}</h2>
    <p><code>${reached.error}</code> What was done stays, and the run goes on from the same step.</p>
    <button type="button" class="primary" @click=${() => bench.goOn()}>${reached.isPerRun || more[reached.key] === undefined ? "Continue" : `Continue with ${reached.words(Number(more[reached.key]))}`}</button>
  </section>`;
}
