// SPDX-License-Identifier: MIT
// Remembers which calls a policy or a person allowed, by their task, or by the config outside of a
// graph. Does not depend on what the calls do.
import { currentScope, scopeOf } from "../../base/ambient.js";

/** @typedef {import("../../base/merge-configs.js").Config} Config */
/** @typedef {import("./tool-node.js").Job} Job */

const NOWHERE = {};

export class DecidedCalls {
  /** @type {WeakMap<object, Job[]>} */
  #jobs = new WeakMap();

  /**
   * Returns the allowed calls.
   * @param {Config | undefined} config
   * @returns {Job[] | undefined} the calls that may run with this config; undefined when nothing
   *   was decided
   */
  of(config) {
    return this.#jobs.get(keyOf(config));
  }

  /**
   * While `answer` answers the calls of a message, lets runTool run allowed calls only.
   * @param {Config | undefined} config
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
   * Allows a call and returns its request.
   * @param {Job} job
   * @param {Config | undefined} config
   * @returns {import("./tool-node.js").CallRequest} the request by which runTool recognizes the
   *   call
   */
  requestOf(job, config) {
    const key = keyOf(config);
    const jobs = this.#jobs.get(key) ?? [];
    if (!jobs.includes(job)) this.#jobs.set(key, [...jobs, job]);
    return /** @type {import("../approval/bound-call.js").BoundCall} */ (job.bound).request;
  }
}

/**
 * Returns the object that a config and its copies share.
 * @param {Config | undefined} config
 * @returns {object}
 */
function keyOf(config) {
  return scopeOf(config)?.task ?? currentScope()?.task ?? config ?? NOWHERE;
}
