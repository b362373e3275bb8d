// SPDX-License-Identifier: MIT
// Knows: how a tool with a timeout or a retry policy is called: each call is a task of its own, whose attempts the engine
// counts and times. Outside of a graph it gets one. Loaded when a tool has such a policy. Must not know messages.
import { timeoutPolicy } from "../constants.js";
import { retryRule } from "../graph/policies.js";
import { scopeOf } from "../pregel/ambient.js";
import { asAttempt, aside, callerOf } from "./aside.js";

/** @typedef {{ timeout?: any, retryPolicy?: any }} Policies of a tool, or of the node for tools without */

/**
 * @template Result
 * @param {any} tool
 * @param {Policies} fallback
 * @param {any} config of the call
 * @param {(config: any) => Result | Promise<Result>} work one attempt
 * @param {typeof import("../graph/state-graph.js").StateGraph} StateGraph for a call outside of a graph
 * @returns {Promise<Result>}
 */
export async function tryCall(tool, fallback, config, work, StateGraph) {
  const policies = { retry: retryRule(tool.retryPolicy ?? fallback.retryPolicy), timeout: timeoutPolicy(tool.timeout ?? fallback.timeout) };
  const attempt = (/** @type {any} */ own) => work(asAttempt(config, own));
  const scope = callerOf(config);
  if (scope !== undefined) return aside(scope, tool.name, attempt, policies);
  const one = (/** @type {any} */ _state, /** @type {any} */ own) => aside(/** @type {any} */ (scopeOf(own)), tool.name, attempt, policies);
  const graph = new StateGraph(/** @type {any} */ ({ channels: { result: null } })).addNode("tool", async (/** @type {any} */ state, /** @type {any} */ own) => ({ result: await one(state, own) }));
  const values = await graph.addEdge("__start__", "tool").compile({ checkpointer: false }).invoke({ result: null }, config?.signal === undefined ? {} : { signal: config.signal });
  return "__interrupt__" in values ? values : values.result;
}
