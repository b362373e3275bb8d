// SPDX-License-Identifier: MIT
// Knows: how a tool with a timeout or a retry policy is called: each call is a task of its own, whose attempts the engine
// counts and times. Outside of a graph it gets one. Loaded when a tool has such a policy. Must not know messages.
import { timeoutPolicy } from "../constants.js";
import { entrypoint } from "../func/entrypoint.js";
import { retryRule } from "../graph/policies.js";
import { scopeOf } from "../pregel/ambient.js";
import { aside } from "./aside.js";
import { asAttempt, callerOf } from "./call-config.js";

/** @typedef {{ timeout?: any, retryPolicy?: any }} Policies of a tool, or of the node for tools without */

/**
 * @template Result
 * @param {any} tool
 * @param {Policies} fallback
 * @param {any} config of the call
 * @param {(config: any) => Result | Promise<Result>} work one attempt
 * @returns {Promise<Result>}
 */
export function tryCall(tool, fallback, config, work) {
  const policies = { retry: retryRule(tool.retryPolicy ?? fallback.retryPolicy), timeout: timeoutPolicy(tool.timeout ?? fallback.timeout) };
  const attempt = (/** @type {any} */ own) => work(asAttempt(config, own));
  const scope = callerOf(config);
  if (scope !== undefined) return aside(scope, tool.name, attempt, policies);
  const alone = entrypoint({ name: tool.name, checkpointer: false }, (/** @type {any} */ _input, /** @type {any} */ own) => aside(/** @type {any} */ (scopeOf(own)), tool.name, attempt, policies));
  return alone.invoke({}, config?.signal === undefined ? {} : { signal: config.signal });
}
