// SPDX-License-Identifier: MIT
// Selects the keys of a call's `configurable` that LangChain's tracers (LangSmith's) record as
// metadata of its runs. Other handlers do not receive them. Does not depend on graphs.

/** @typedef {import("./manager.js").Handler} Handler */
/** @typedef {import("./manager.js").CallbackManager} CallbackManager */
/** @typedef {import("../base/merge-configs.js").Config} Config */

const PRIMITIVES = ["string", "number", "boolean"];
/** Matches names of credentials, by LangGraph.js's list. */
const SECRET = /key|token|secret|password|auth/i;

/** @param {Handler} handler @returns {boolean} by its shape, as LangChain itself recognises it */
function isTracer(handler) {
  return (
    handler?.name === "langchain_tracer" && typeof handler.copyWithTracingConfig === "function"
  );
}

/**
 * @param {Config | undefined} config
 * @returns {Record<string, unknown> | undefined} undefined if there is nothing to record
 */
function tracedKeys(config) {
  const { configurable, context } = config ?? {};
  /** @type {Record<string, unknown>} */
  const metadata = {};
  for (const [key, value] of Object.entries(configurable ?? {})) {
    if (key.startsWith("__")) continue;
    // Credentials, and values that the context has too, are not recorded: undefined keeps them out
    // of LangChain's Runnables below as well.
    const isHidden =
      SECRET.test(key) ||
      (context != null && Object.hasOwn(context, key) && Object.is(context[key], value));
    if (isHidden) metadata[key] = undefined;
    else if (PRIMITIVES.includes(typeof value)) metadata[key] = value;
  }
  return Object.keys(metadata).length > 0 ? metadata : undefined;
}

/**
 * Returns the callbacks of a call, with tracers that record the call's `configurable`.
 * @template Callbacks
 * @param {Callbacks} callbacks a manager, a list or nothing
 * @param {Config | undefined} config
 * @returns {Callbacks}
 */
export function withTracedKeys(callbacks, config) {
  const given = /** @type {CallbackManager | undefined} */ (callbacks);
  const handlers = Array.isArray(callbacks) ? callbacks : given?.handlers;
  if (!Array.isArray(handlers) || !handlers.some(isTracer)) return callbacks;
  const metadata = tracedKeys(config);
  if (metadata === undefined) return callbacks;
  const copies = new Map();
  const traced = (/** @type {Handler} */ handler) => {
    if (!isTracer(handler)) return handler;
    if (!copies.has(handler)) copies.set(handler, handler.copyWithTracingConfig({ metadata }));
    return copies.get(handler);
  };
  if (Array.isArray(callbacks)) return /** @type {Callbacks} */ (callbacks.map(traced));
  const copy = /** @type {CallbackManager} */ (given).copy();
  copy.handlers = copy.handlers.map(traced);
  copy.inheritableHandlers = copy.inheritableHandlers.map(traced);
  return /** @type {Callbacks} */ (/** @type {unknown} */ (copy));
}
