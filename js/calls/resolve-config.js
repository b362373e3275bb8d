// SPDX-License-Identifier: MIT
// Makes the config that a call runs with: what its caller's config hands down, and its own.
import { SCOPE, configIn, currentScope, scopeOf } from "../base/ambient.js";
import { checkConfig, checkGiven, mergeConfigs, withHeld } from "../base/merge-configs.js";

/** @typedef {import("../base/callable.js").Value} Value */
/** @typedef {import("./config.js").Config} Config */
/** @typedef {import("./call.js").CallContext} CallContext */

/**
 * What a call takes from the task around it, beneath what is given, beside configurable, tags,
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
 * What the streams of the call around it show of this one.
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
 * The config that holds: the graph's own, beneath that of the task which calls, beneath what was
 * given.
 * @param {Config | undefined} own
 * @param {Config | undefined} given
 * @returns {{ config: Config, scope: import("../base/ambient.js").Scope | undefined }} `scope`: of
 *   that task
 */
export function resolveConfig(own, given) {
  // A node's own config holds what was checked, and what nobody asked for yet.
  if (!(/** @type {Record<PropertyKey, Value>} */ (given)?.[SCOPE])) checkGiven(given);
  let scope = scopeOf(given) ?? currentScope();
  if (scope?.task.gone) {
    // What is called when a task has ended stands for itself, on no thread but one that it names.
    scope = undefined;
    if (given?.configurable?.[SCOPE])
      given = { ...given, configurable: { ...given.configurable, thread_id: undefined } };
  }
  /** @type {Config | undefined} */
  let outer;
  if (
    scope &&
    !(/** @type {Record<PropertyKey, Value>} */ (given?.[SCOPE] && given?.configurable?.[SCOPE]))
  ) {
    const config = configIn(scope);
    outer = {};
    for (const key of INHERITED) outer[key] = config[key];
    // These stand alone when they are given; those of withConfig do not.
    given = { ...given, configurable: { ...config.configurable, ...given?.configurable } };
    for (const key of ["callbacks", "tags", "metadata"]) given[key] ??= config[key];
    given.callbacks = withHeld(config.callbacks, given.callbacks);
  }
  return { config: checkConfig(mergeConfigs(outer, mergeConfigs(own, given))), scope };
}
