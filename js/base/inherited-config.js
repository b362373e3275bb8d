// SPDX-License-Identifier: MIT
// Knows: the config that a model's or a tool's call gets where it is given none, or not all: what
// the code around it has, as LangChain's own models find theirs. Must not know: models, tools,
// runs.
import { innermostConfig, scopeOf } from "./ambient.js";
import { withHeld } from "./merge-configs.js";

/** @typedef {import("./merge-configs.js").Config} Config */
/** @typedef {import("./callable.js").Value} Value */

/** What a call takes from the code around it, beneath what it is given. */
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
 * What a call is given, above what the code around it has. Where there is no AsyncLocalStorage that
 * is known until the first `await` elsewhere of a node; after it a call has what it is given.
 * @param {Value} given
 * @returns {Value} `given` itself where nothing comes to it
 */
export function inheritConfig(given) {
  const own = scopeOf(given);
  const around = own === undefined ? innermostConfig() : own.config;
  if (around === undefined || around === given) return given;
  const callbacks = around.callbacks ?? undefined;
  if (own !== undefined) return given.callbacks === callbacks ? given : heldIn(given, callbacks);
  const task = scopeOf(around)?.task;
  // What is called when a task has ended is told below its graph.
  if (task?.gone) return { callbacks: callbacksOf(task.run.request.context), ...known(given) };
  /** @type {Record<string, unknown>} */
  const config = {};
  for (const key of INHERITED) if (around[key] !== undefined) config[key] = around[key];
  return heldIn({ ...config, ...known(given) }, callbacks);
}

/** @param {unknown} given @returns {Record<string, unknown>} */
function known(given) {
  return Object.fromEntries(Object.entries(given ?? {}).filter(([, value]) => value !== undefined));
}

/**
 * Callbacks of a call stand alone, but what holds its run to its limits stays.
 * @param {Config} config
 * @param {unknown} callbacks of the code around it
 */
function heldIn(config, callbacks) {
  const held = withHeld(callbacks, config.callbacks);
  return held === config.callbacks ? config : { ...config, callbacks: held };
}

/** @param {any} context of a call of a graph */
function callbacksOf({ run, manager }) {
  return run === undefined ? manager : run.getChild();
}
