// SPDX-License-Identifier: MIT
// The start: what runs here, measured here and now, and the sample graphs.
import { render } from "lit-html";
import { SAMPLES } from "../../samples/index.js";
import { keepFocus } from "../keep-focus.js";
import { startView } from "./view.js";

/**
 * `measured`: of the last measurement, undefined while one runs.
 * @typedef {{ steps: number, ms: number, requests: number }} Measured
 */

const SERVER = "http://weft.local";

/**
 * Shows the screen.
 * @param {HTMLElement} main
 * @param {import("../../shell/route.js").Context} context
 */
export function open(main, { engine }) {
  const over = new AbortController();
  const { signal } = over;
  /** @type {import("./view.js").Shown} */
  const shown = {
    state: engine.state,
    startMs: 0,
    problem: undefined,
    measured: undefined,
    drawings: new Map(),
    draw: undefined,
    measure: () => measure(),
    showMe: async () => (await import("./tour.js")).startTour(engine.isKept),
    restart: () => engine.start().catch(() => {}),
  };
  const draw = () => {
    if (!signal.aborted) keepFocus(main, () => render(startView(shown), main));
  };

  async function measure() {
    shown.measured = undefined;
    draw();
    try {
      const measured = await engine.ask("measure");
      const requests = measured.requests + requestsSent();
      shown.measured = { ...measured, requests };
    } catch {
      // The engine went: its state says so.
    }
    draw();
  }

  async function readDrawings() {
    const [{ thumbnail }] = await Promise.all([
      import("./thumbnail.js"),
      ...SAMPLES.map(async ({ graph }) => {
        const response = await engine.server.fetch(
          `${SERVER}/assistants/${encodeURIComponent(graph)}/graph`,
          { signal },
        );
        if (response.ok) shown.drawings.set(graph, await response.json());
      }),
    ]);
    shown.draw = thumbnail;
    draw();
  }

  function follow() {
    shown.state = engine.state;
    shown.problem = engine.problem;
    shown.startMs = engine.started.ms;
    draw();
    if (engine.state !== "ready") return;
    // What is missing of the drawings leaves their places empty.
    if (shown.draw === undefined) readDrawings().catch(() => {});
    if (shown.measured === undefined) measure();
  }
  engine.addEventListener("state", follow, { signal });
  follow();
  return { close: () => over.abort() };
}

/** Counts what this page sent to other origins: not its own files. */
function requestsSent() {
  return performance
    .getEntriesByType("resource")
    .filter(({ name }) => /^http/.test(name) && new URL(name).origin !== location.origin).length;
}
