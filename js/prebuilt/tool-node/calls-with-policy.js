// SPDX-License-Identifier: MIT
// Calls a tool that has a timeout or a retry policy: each call is a separate task, and the engine
// counts and times its attempts. Outside of a graph the call gets a graph of its own. Loaded when a
// tool has such a policy. Does not depend on messages.
import { timeoutPolicy } from "../../base/constants.js";
import { retryRule } from "../../plan/policies.js";
import { scopeOf } from "../../base/ambient.js";
import { asAttempt, aside, callerOf } from "./subtask.js";

/** @typedef {import("../../base/merge-configs.js").Config} Config */
/** @typedef {import("../../base/ambient.js").Scope} Scope */
/**
 * @typedef {{ timeout?: number | import("../../types/base/common-types.js").TimeoutPolicy,
 *   retryPolicy?: unknown }} Policies policies of a call
 */

/**
 * Runs one call under its policies.
 * @template Result
 * @param {string} name of the tool
 * @param {Policies} policies
 * @param {Config | undefined} config of the call
 * @param {(config: Config) => Result | Promise<Result>} work runs one attempt
 * @param {typeof import("../../graph/state-graph.js").StateGraph} StateGraph builds the graph of a
 *   call outside of a graph
 * @returns {Promise<Result>}
 */
export async function tryCall(name, policies, config, work, StateGraph) {
  const rules = {
    retry: retryRule(policies.retryPolicy),
    timeout: timeoutPolicy(policies.timeout),
  };
  const attempt = (/** @type {Config} */ own) => work(asAttempt(config, own));
  const scope = callerOf(config);
  if (scope !== undefined) return aside(scope, name, attempt, rules);
  const one = (/** @type {unknown} */ _state, /** @type {unknown} */ own) =>
    aside(/** @type {Scope} */ (scopeOf(own)), name, attempt, rules);
  const graph = new StateGraph(/** @type {unknown} */ ({ channels: { result: null } })).addNode(
    "tool",
    async (/** @type {unknown} */ state, /** @type {unknown} */ own) => ({
      result: await one(state, own),
    }),
  );
  const values = await graph
    .addEdge("__start__", "tool")
    .compile({ checkpointer: false })
    .invoke({ result: null }, config?.signal === undefined ? {} : { signal: config.signal });
  return "__interrupt__" in values ? values : values.result;
}
