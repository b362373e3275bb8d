// SPDX-License-Identifier: MIT
// Fills in the config of a model's or a tool's call from the code around it, as LangChain's own
// models do. Does not depend on models, tools or runs.
import { withoutGaps } from "./check-arguments.js";
import { innermostConfig, scopeOf } from "./ambient.js";
import { withHeld } from "./merge-configs.js";

/** @typedef {import("./merge-configs.js").Config} Config */
/** @typedef {import("./callable.js").Value} Value */

/** Keys that a call inherits from the code around it unless it passes its own. */
const INHERITED = [
  "configurable",
  "callbacks",
  "tags",
  "metadata",
  "signal",
  "store",
  "context",
  "writer",
  "interrupt",
  "recursionLimit",
  "maxConcurrency",
];

/**
 * Merges the config passed to a call over the surrounding one. Without AsyncLocalStorage the latter
 * is known until a node's first `await`; afterwards only the passed config counts.
 * @param {Value} given
 * @returns {Value} `given` itself if nothing is inherited
 */
export function inheritConfig(given) {
  const own = scopeOf(given);
  const around = own === undefined ? innermostConfig() : own.config;
  if (around === undefined || around === given) return given;
  const callbacks = around.callbacks ?? undefined;
  if (own !== undefined) return given.callbacks === callbacks ? given : heldIn(given, callbacks);
  const known = withoutGaps(given ?? {});
  const task = scopeOf(around)?.task;
  // A call made after its task has ended is traced below the task's graph.
  if (task?.gone) return { callbacks: callbacksOf(task.run.request.context), ...known };
  /** @type {Record<string, unknown>} */
  const config = {};
  for (const key of INHERITED) if (around[key] !== undefined) config[key] = around[key];
  return heldIn({ ...config, ...known }, callbacks);
}

/**
 * Keeps the call's own callbacks, but adds the surrounding ones that enforce the run's limits.
 * @param {Config} config
 * @param {unknown} callbacks of the code around it
 */
function heldIn(config, callbacks) {
  const held = withHeld(callbacks, config.callbacks);
  return held === config.callbacks ? config : { ...config, callbacks: held };
}

/** @param {import("../calls/call.js").CallContext} context of a call of a graph */
function callbacksOf({ run, manager }) {
  return run === undefined ? manager : run.getChild();
}
