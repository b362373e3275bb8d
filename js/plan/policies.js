// SPDX-License-Identifier: MIT
// Reads a node's options about failures (retries, timeouts, error handlers, caching), with
// LangGraph's defaults, and completes them by the graph's own defaults. The engine computes the
// delays (src/run/task/policy.c). Does not depend on runs or timers.
import { NodeError } from "../base/errors.js";
import { timeoutPolicy } from "../base/constants.js";
import { scopeOf } from "../base/ambient.js";
import { RunnableCallable } from "../runnable/runnable.js";

/** @typedef {import("../base/callable.js").Value} Value */
/** @typedef {import("../run/tasks/attempt-timers.js").RetryRule} RetryRule */
/** @typedef {import("../graph/state-graph.js").NodeSpec} NodeSpec */
/**
 * @typedef {{ retryPolicy?: unknown, timeout?: unknown, cachePolicy?: unknown, errorHandler?: Value
 *   }} Policies
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
 * @param {Value} options
 * @returns {Policies}
 */
export function readPolicies(options) {
  const { retryPolicy, cachePolicy, errorHandler } = options ?? {};
  const read = {
    retryPolicy,
    timeout: timeoutPolicy(options?.timeout),
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
 * @param {Value} handler
 * @param {Value} input the failed node's input schema
 * @param {string} [name] of the handler's node
 * @returns {Value} a NodeSpec
 */
export function handlerSpec(handler, input, name = DEFAULT_HANDLER) {
  const call = (/** @type {Value} */ state, /** @type {unknown} */ config) =>
    handler(state, errorOf(config), config);
  return { runnable: new RunnableCallable(call, name), input, isErrorHandler: true };
}

/**
 * @param {unknown} config
 * @returns {NodeError | undefined} undefined if an edge led to the handler
 */
function errorOf(config) {
  const { plan, task } = /** @type {Record<PropertyKey, Value>} */ (scopeOf(config));
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

/** HTTP statuses that a retry would not change. */
const LASTING_STATUS = [400, 401, 402, 403, 404, 405, 406, 407, 409];

/** @param {any} error @returns {boolean} LangGraph's rule for policies without one */
export function isPassing(error) {
  if (typeof error !== "object" || error === null) return false;
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
