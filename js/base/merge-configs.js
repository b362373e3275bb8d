// SPDX-License-Identifier: MIT
// Merges and checks configs (LangChain's RunnableConfig). Does not depend on runs.
import { define } from "./constants.js";
import { badArgument, isListOf, isObject, shown } from "./check-arguments.js";

/** @typedef {import("../callbacks/manager.js").CallbackManager} CallbackManager */
/** @typedef {import("../callbacks/manager.js").Handler} Handler */
/** @typedef {import("./callable.js").Value} Value */
/**
 * LangChain's RunnableConfig with LangGraph's and Weft's keys; a model's own options may be added.
 * @typedef {object} ConfigKeys
 * @property {Record<PropertyKey, Value>} [configurable] `thread_id`, `checkpoint_id`,
 *   `checkpoint_ns`; the rest is the caller's
 * @property {string[]} [tags]
 * @property {Record<string, any>} [metadata]
 * @property {Value} [callbacks] a list of handlers, or a manager
 * @property {number} [recursionLimit]
 * @property {number} [maxConcurrency]
 * @property {string} [runName]
 * @property {string} [runId]
 * @property {AbortSignal} [signal]
 * @property {number} [timeout] ms
 * @property {Value} [store]
 * @property {Value} [checkpointer] a saver, or false
 * @property {Value} [context] of the graph's context schema
 * @property {"async" | "sync" | "exit"} [durability]
 * @property {"*" | string[]} [interruptBefore]
 * @property {"*" | string[]} [interruptAfter]
 * @property {string | string[]} [streamMode]
 * @property {boolean} [subgraphs]
 * @property {string | string[]} [outputKeys]
 * @property {"enqueue" | "reject" | "concurrent"} [multitaskStrategy]
 * @property {import("../calls/control.js").RunControl} [control]
 */
/** @typedef {ConfigKeys & Record<PropertyKey, Value>} Config */

/** Keys of `configurable` that LangGraph copies into the metadata of a call. */
export const METADATA_KEYS = [
  "thread_id",
  "checkpoint_id",
  "checkpoint_ns",
  "task_id",
  "run_id",
  "assistant_id",
  "graph_id",
];

/** Keys whose value null counts as absent. */
const OR_NONE = /^(tags|callbacks|signal)$/;

/**
 * Lays one config over another: tags and callbacks are added, metadata and configurable merged, the
 * shorter timeout and both signals apply, other keys are replaced.
 * @param {Config | undefined} under
 * @param {Config | undefined} over
 * @returns {Config}
 */
export function mergeConfigs(under, over) {
  if (under === undefined) return over ?? {};
  if (over === undefined) return under;
  /** @type {Config} */
  const merged = { ...under };
  for (const [key, value] of Object.entries(over)) {
    if (value === undefined || (value === null && OR_NONE.test(key))) continue;
    if (key === "metadata" || key === "configurable") merged[key] = { ...under[key], ...value };
    else if (key === "tags") merged[key] = [...new Set([...(under[key] ?? []), ...value])];
    else if (key === "callbacks") merged[key] = mergeCallbacks(under[key], value);
    else if (key === "timeout") merged[key] = Math.min(under[key] ?? value, value);
    else if (key === "signal" && under[key] && under[key] !== value)
      merged[key] = AbortSignal.any([under[key], value]);
    else define(merged, key, value);
  }
  return merged;
}

/**
 * Adds to a call's callbacks those of the surrounding code that enforce a run's limits: no call can
 * escape them.
 * @param {unknown} around
 * @param {unknown} given
 */
export function withHeld(around, given) {
  const known = handlersOf(given);
  const held = handlersOf(around).filter(
    (handler) => handler?.holds === true && !known.includes(handler),
  );
  return held.length === 0 ? given : mergeCallbacks(given ?? undefined, held);
}

/** @param {unknown} callbacks a manager, a list or nothing @returns {Handler[]} */
function handlersOf(callbacks) {
  const handlers = Array.isArray(callbacks)
    ? callbacks
    : /** @type {Partial<CallbackManager> | undefined} */ (callbacks)?.handlers;
  return Array.isArray(handlers) ? handlers : [];
}

/**
 * @param {unknown} under
 * @param {unknown} over
 * @returns {unknown} both; a manager if one of them is
 */
export function mergeCallbacks(under, over) {
  if (under === undefined) return over;
  if (Array.isArray(under) && Array.isArray(over)) return [...under, ...over];
  const known = /** @type {Partial<CallbackManager>} */ (under);
  const [manager, handlers] = Array.isArray(over)
    ? [under, over]
    : [over, Array.isArray(under) ? under : (known.handlers ?? [])];
  const copy = /** @type {CallbackManager} */ (manager).copy();
  for (const handler of handlers) copy.addHandler(handler, true);
  return copy;
}

/** @param {unknown} value */
const isPlain = (value) => typeof value !== "symbol" && !isObject(value);
/** @param {unknown} value */
const isFunction = (value) => typeof value === "function";
/** @param {unknown} value */
const isIterable = (value) =>
  typeof (/** @type {Partial<Iterable<unknown>> | undefined} */ (value)?.[Symbol.iterator]) ===
  "function";
/** @param {unknown} value */
const areNames = (value) => typeof value === "string" || isListOf(value, isPlain);
/** @param {unknown} value */
const isNumber = (value) => isPlain(value) && !Number.isNaN(Number(value));
/**
 * A checkpointer of Weft's or LangGraph's, one with a Weft store (`{ store }`), or a boolean:
 * whether there is to be one.
 * @param {Value} value
 */
const isSaver = (value) =>
  !value ||
  value === true ||
  (typeof value === "object" &&
    (isObject(value.store) ||
      (isFunction(value.getTuple) && isFunction(value.put) && isFunction(value.putWrites))));
/**
 * Accepted values of a config's keys, besides null and undefined.
 * @type {Array<[key: string, isRight: (value: Value) => boolean, expected: string]>}
 */
const EXPECTED = [
  ["tags", isIterable, "a list of texts"],
  [
    "callbacks",
    (value) => isListOf(value?.handlers ?? value, isObject),
    "a list of handlers or a callback manager",
  ],
  ["signal", (value) => typeof value?.addEventListener === "function", "an AbortSignal"],
  ["recursionLimit", isNumber, "a number"],
  // A number that is not positive is refused later, with the host's or LangGraph.js's text.
  [
    "timeout",
    (value) => isPlain(value) && typeof value !== "bigint" && value !== true,
    "a number of ms",
  ],
  ["maxConcurrency", isPlain, "a number"],
  ["streamMode", areNames, "a mode or a list of modes"],
  ["outputKeys", areNames, "a key or a list of keys"],
  ["interruptBefore", isIterable, '"*" or a list of nodes'],
  ["interruptAfter", isIterable, '"*" or a list of nodes'],
  [
    "durability",
    (value) => isPlain(value) && /^(async|sync|exit)$/.test(value),
    '"async", "sync" or "exit"',
  ],
  ["checkpointer", isSaver, "a checkpointer, as new MemorySaver(), or a boolean"],
  ["record", (value) => isFunction(value.open), "a recording: record() of weftgraph/record"],
  [
    "transformers",
    (value) => isListOf(value, isFunction),
    "a list of functions that make transformers",
  ],
  [
    "streamTransformers",
    (value) => isListOf(value, isFunction),
    "a list of functions that make transformers",
  ],
];

/**
 * Refuses values that no call can use, naming their key; ignores null and undefined, as
 * LangGraph.js does.
 * @param {unknown} config
 * @param {string} [what] it is called
 */
export function checkGiven(config, what = "config") {
  if (config === undefined || config === null) return;
  for (const [key, isRight, expected] of EXPECTED) {
    const value = /** @type {Config} */ (config)[key];
    if (value !== undefined && value !== null && !isRight(value))
      throw badArgument(`${what}.${key} must be ${expected}, not ${shown(value)}`);
  }
}

/**
 * Normalises a call's config: distinct tags, no contradicting keys.
 * @param {Config} config
 * @returns {Config}
 */
export function checkConfig(config) {
  if (config.timeout !== undefined && !(config.timeout > 0))
    throw new Error("Timeout must be a positive number");
  const { checkpointDuring, tags } = config;
  if (checkpointDuring !== undefined && config.durability !== undefined)
    throw new Error("Cannot use both `durability` and `checkpointDuring` at the same time.");
  if (tags === undefined && checkpointDuring === undefined) return config;
  const durability =
    checkpointDuring === undefined ? config.durability : checkpointDuring ? "async" : "exit";
  return { ...config, durability, ...(tags === undefined ? {} : { tags: [...new Set(tags)] }) };
}

/**
 * Is the thread or checkpoint id missing or no string?
 * @param {Config} config
 * @returns {boolean}
 */
export function isUnnamed({ configurable }) {
  return [configurable?.thread_id || 0, configurable?.checkpoint_id || ""].some(
    (id) => typeof id !== "string",
  );
}
