// SPDX-License-Identifier: MIT
// Makes the config of a call from the calling task's config and its own.
import { SCOPE, configIn, currentScope, scopeOf } from "../base/ambient.js";
import { checkConfig, checkGiven, mergeConfigs, withHeld } from "../base/merge-configs.js";

/** @typedef {import("./config.js").Config} Config */
/** @typedef {import("./call.js").CallContext} CallContext */

/**
 * Keys that a call inherits from the calling task, with lower priority, beside configurable, tags,
 * metadata and callbacks.
 */
const INHERITED = [
  "context",
  "store",
  "signal",
  "control",
  "recursionLimit",
  "maxConcurrency",
  "durability",
];

export function ignore() {}

/**
 * Connects a nested call to the streams and saver of the outer call.
 * @param {CallContext} context
 * @param {CallContext} outer
 */
export function takeOver(context, outer) {
  context.messages = outer.messages;
  context.custom = outer.custom;
  context.tap = outer.tap;
  context.stream = outer.stream;
  context.saver = outer.saver;
}

/**
 * Resolves the config of a call: the graph's own, overridden by the calling task's, overridden by
 * the caller's.
 * @param {Config | undefined} own
 * @param {Config | undefined} given
 * @returns {{ config: Config, scope: import("../base/ambient.js").Scope | undefined }} `scope`: of
 *   that task
 */
export function resolveConfig(own, given) {
  // A node's own config was checked before, and its parts may not be computed yet.
  if (!given?.[SCOPE]) checkGiven(given);
  let scope = scopeOf(given) ?? currentScope();
  if (scope?.task.gone) {
    // A call after its task has ended is independent: it uses no thread unless it names one.
    scope = undefined;
    if (given?.configurable?.[SCOPE])
      given = { ...given, configurable: { ...given.configurable, thread_id: undefined } };
  }
  /** @type {Config | undefined} */
  let outer;
  if (scope && !(given?.[SCOPE] && given?.configurable?.[SCOPE])) {
    const config = configIn(scope);
    outer = {};
    for (const key of INHERITED) outer[key] = config[key];
    // Explicit values replace inherited ones; those of withConfig do not.
    given = { ...given, configurable: { ...config.configurable, ...given?.configurable } };
    for (const key of ["callbacks", "tags", "metadata"]) given[key] ??= config[key];
    given.callbacks = withHeld(config.callbacks, given.callbacks);
  }
  return { config: checkConfig(mergeConfigs(outer, mergeConfigs(own, given))), scope };
}
