// SPDX-License-Identifier: MIT
// Reads a node's options about failures (retries, timeouts, error handlers, caching), with
// LangGraph's defaults, and completes them by the graph's own defaults. The engine computes the
// delays (src/run/task/policy.c). Does not depend on runs or timers.
import { NodeError } from "../base/errors.js";
import { timeoutPolicy } from "../base/constants.js";
import { scopeOf } from "../base/ambient.js";
import { RunnableCallable } from "../runnable/runnable.js";

/** @typedef {import("../run/tasks/attempt-timers.js").RetryRule} RetryRule */
/** @typedef {import("../graph/state-graph.js").NodeSpec} NodeSpec */
/**
 * Options about failures, in a node's options or a graph's defaults.
 * @typedef {{ retryPolicy?: unknown, timeout?:
 *   import("../run/tasks/attempt-timers.js").TimeoutRule, cachePolicy?:
 *   import("./definition.js").CachePolicy, errorHandler?: Handler }} Policies
 * @typedef {Omit<Policies, "cachePolicy"> & { cachePolicy?: Policies["cachePolicy"] | true }}
 *   GivenPolicies
 * @typedef {(state: unknown, error: NodeError | undefined, config: unknown) => unknown} Handler
 */

const HANDLER = "__error_handler__";
const DEFAULT_HANDLER = "__default_error_handler__";
const RESERVED =
  `Cannot apply a default error handler: the reserved node name \`${DEFAULT_HANDLER}\` is already in use.` +
  " setNodeDefaults({ errorHandler }) registers a node with that name; rename the conflicting node.";
/** @type {RetryRule} */
const RETRY = {
  maxAttempts: 3,
  initialInterval: 500,
  backoffFactor: 2,
  maxInterval: 128_000,
  jitter: true,
  logWarning: true,
  retryOn: isPassing,
};

/**
 * @param {unknown} policy as passed by the user
 * @returns {RetryRule | undefined} with LangGraph's values for absent fields
 */
export function retryRule(policy) {
  if (policy === undefined || policy === null) return undefined;
  const given = Object.entries(policy).filter(([, value]) => value !== undefined && value !== null);
  return { ...RETRY, ...Object.fromEntries(given) };
}

/**
 * Reads the policies among a node's options or a graph's defaults; omits absent ones.
 * @param {unknown} options
 * @returns {Policies}
 */
export function readPolicies(options) {
  const given = /** @type {GivenPolicies | undefined} */ (options);
  const { retryPolicy, cachePolicy, errorHandler } = given ?? {};
  const read = {
    retryPolicy,
    timeout: timeoutPolicy(given?.timeout),
    cachePolicy: cachePolicy === true ? {} : cachePolicy,
    errorHandler,
  };
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value != null));
}

/** @param {string} node */
export function handlerName(node) {
  return HANDLER + node;
}

/**
 * Makes the node of an error handler, which is called with the failed node's input and its error.
 * @param {Handler} handler
 * @param {NodeSpec["input"] | undefined} input the failed node's input schema
 * @param {string} [name] of the handler's node
 * @returns {NodeSpec}
 */
export function handlerSpec(handler, input, name = DEFAULT_HANDLER) {
  const call = (/** @type {unknown} */ state, /** @type {unknown} */ config) =>
    handler(state, errorOf(config), config);
  return { runnable: new RunnableCallable(call, name), input, isErrorHandler: true };
}

/**
 * @param {unknown} config
 * @returns {NodeError | undefined} undefined if an edge led to the handler
 */
function errorOf(config) {
  const { plan, task } = /** @type {import("../base/ambient.js").Scope} */ (scopeOf(config));
  return task.failure === undefined
    ? undefined
    : new NodeError(plan.nodes[task.failure.node].name, task.failure.error);
}

/**
 * Completes the nodes for compilation: the graph's defaults replace absent policies.
 * @param {Record<string, NodeSpec>} nodes
 * @param {Policies} defaults
 * @returns {Record<string, NodeSpec>}
 */
export function withDefaults(nodes, defaults) {
  const { errorHandler, ...policies } = defaults;
  if (Object.keys(defaults).length === 0) return nodes;
  const { retryPolicy } = policies;
  const filled = Object.entries(nodes).map(([name, spec]) => {
    if (spec.isErrorHandler) return [name, { retryPolicy, ...spec }];
    const errorHandlerNode =
      spec.errorHandlerNode ?? (errorHandler === undefined ? undefined : DEFAULT_HANDLER);
    return [name, { ...policies, ...spec, errorHandlerNode }];
  });
  if (errorHandler !== undefined) {
    if (DEFAULT_HANDLER in nodes) throw new Error(RESERVED);
    filled.push([DEFAULT_HANDLER, { retryPolicy, ...handlerSpec(errorHandler, undefined) }]);
  }
  return Object.fromEntries(filled);
}

/**
 * What the rule reads of an error.
 * @typedef {{ message?: unknown, name?: unknown, code?: unknown, status?: unknown, error?: { code?:
 *   unknown }, response?: { status?: unknown } }} Failure
 */
/** HTTP statuses that a retry would not change. */
const LASTING_STATUS = [400, 401, 402, 403, 404, 405, 406, 407, 409];

/** @param {unknown} given an error @returns {boolean} LangGraph's rule for policies without one */
export function isPassing(given) {
  if (typeof given !== "object" || given === null) return false;
  const error = /** @type {Failure} */ (given);
  const message = String(error.message);
  if (
    message.startsWith("Cancel") ||
    message.startsWith("AbortError") ||
    error.name === "AbortError" ||
    error.name === "GraphValueError"
  )
    return false;
  if (error.code === "ECONNABORTED" || error.error?.code === "insufficient_quota") return false;
  return !LASTING_STATUS.includes(Number(error.response?.status ?? error.status));
}
