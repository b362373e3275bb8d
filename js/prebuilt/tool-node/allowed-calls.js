// SPDX-License-Identifier: MIT
// Keeps which calls a policy or a person has let run, by the task that they are part of, or by the
// config outside of one. Owns nothing of what the calls are.
import { currentScope, scopeOf } from "../../base/ambient.js";

/** @typedef {import("../../base/merge-configs.js").Config} Config */
/** @typedef {import("../../base/callable.js").Value} Value */
/** @typedef {import("./tool-node.js").Job} Job */

const NOWHERE = {};

export class DecidedCalls {
  /** @type {WeakMap<object, Job[]>} */
  #jobs = new WeakMap();

  /**
   * @param {Value} config
   * @returns {Job[] | undefined} what may run with this config; undefined: nothing was decided
   */
  of(config) {
    return this.#jobs.get(keyOf(config));
  }

  /**
   * While calls of a message are answered runTool runs what was decided about, and nothing else.
   * @param {Config} config
   * @param {() => Promise<unknown>} answer
   */
  async guard(config, answer) {
    const key = keyOf(config);
    const before = this.#jobs.get(key) ?? [];
    this.#jobs.set(key, before);
    try {
      return await answer();
    } finally {
      this.#jobs.set(key, before);
    }
  }

  /**
   * @param {Job} job that may run
   * @param {Value} config
   * @returns {Value} its request: with it runTool runs that call
   */
  requestOf(job, config) {
    const key = keyOf(config);
    const jobs = this.#jobs.get(key) ?? [];
    if (!jobs.includes(job)) this.#jobs.set(key, [...jobs, job]);
    return /** @type {import("../approval/bound-call.js").BoundCall} */ (job.bound).request;
  }
}

/**
 * What a config belongs to: its copies belong to the same.
 * @param {Config} config
 * @returns {object}
 */
function keyOf(config) {
  return scopeOf(config)?.task ?? currentScope()?.task ?? config ?? NOWHERE;
}
