// SPDX-License-Identifier: MIT
// Knows: that what few runs need of the engine (runs inside tasks, limits, caches, edits of a thread's state) comes with the first
// call that needs it, where the engine is a core (tools/split.mjs).
import { LazyModule } from "../lazy.js";
import { completeEngines, getEngine } from "./realm.js";

/** Its letters. */
export const MORE = /* @__PURE__ */ new LazyModule("the engine", () => import("#log"));

/** Has the engine of a run, or of the next run, to be completed first? */
export function lacksMore(engine = getEngine()) {
  return engine.lacking.has("log");
}

/** What such a run waits for. @param {{ caller?: { run: { engine: import("./engine.js").Engine } }, config: any }} context the task around it, and its config @param {any} graph */
export function moreFor({ caller, config }, { limits, cache }) {
  return (caller ?? limits ?? config.limits ?? cache) !== undefined && lacksMore(caller?.run.engine) ? [MORE] : [];
}

/** Completes a run's engine, where a call has needed it. @param {import("./engine.js").Engine} engine */
export function completeRuns(engine) {
  if (MORE.loaded !== undefined) completeEngines("log", MORE.loaded.default, engine);
}

/** From so many records on lists are long enough to be numbered. */
const LONG = 32;

/**
 * Numbers spare a long thread bytes with each commit: whoever finds it long waits once for what gives them. Where it can't be had
 * logs are larger, no more.
 * @param {import("./engine.js").Engine} engine
 * @param {any} size how long the thread is, in records
 * @param {any} [answer] what is waited for beside it
 * @returns {any} `answer`, at once or later
 */
export function completeLong(engine, size, answer) {
  return size > LONG && lacksMore(engine) ? Promise.resolve(answer).finally(() => MORE.load().then(() => completeRuns(engine), () => {})) : answer;
}
