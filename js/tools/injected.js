// SPDX-License-Identifier: MIT
// Defines arguments that the host injects and the model never sees: the state, a key of it, the
// store, the call's config. Tools without such a mark do not load this module. Does not depend on
// how tools run or schemas are read.
import { isRecord } from "../base/check-arguments.js";
import { INJECTION, refuseMark } from "./tool-result.js";

/** @typedef {Record<string, unknown>} Json */
/**
 * @typedef {{ omit?: Function, shape?: unknown, properties?: unknown, required?: unknown }} Parted
 */
/** @typedef {{ state: unknown, runtime: unknown, messagesKey: string }} Source */

/** Marks an argument that the host injects. */
export class Injected {
  /** @param {"state" | "store" | "runtime"} kind @param {string} [field] of the state */
  constructor(kind, field) {
    this.kind = kind;
    this.field = field;
  }

  get [INJECTION]() {
    return INJECTED;
  }
}

/** Marks the graph's state, or one key of it. @param {string} [field] */
export function InjectedState(field) {
  return new Injected("state", field);
}

/** Marks the store that the graph was compiled or called with. */
export function InjectedStore() {
  return new Injected("store");
}

/** Marks the config that a tool gets as its second argument. */
export function ToolRuntime() {
  return new Injected("runtime");
}

/**
 * Separates the schema for the model from the injected arguments. Marks may also be among the
 * properties of a JSON Schema.
 * @param {unknown} schema
 * @param {Record<string, Injected> | undefined} given
 * @returns {{ schema: unknown, injected: Record<string, Injected> }}
 */
function split(schema, given) {
  const properties = /** @type {Parted | null | undefined} */ (schema)?.properties;
  const marked = Object.entries(isRecord(properties) ? properties : {}).filter(
    ([, value]) => value instanceof Injected,
  );
  const injected = /** @type {Record<string, Injected>} */ ({
    ...Object.fromEntries(marked),
    ...given,
  });
  for (const [key, value] of Object.entries(injected)) {
    if (!(value instanceof Injected)) refuseMark(key);
  }
  return { schema: without(schema, Object.keys(injected)), injected };
}

/** @param {unknown} given the schema @param {string[]} keys @returns {unknown} */
function without(given, keys) {
  const schema = /** @type {Parted | null | undefined} */ (given);
  const shape = schema?.shape;
  if (typeof schema?.omit === "function" && isRecord(shape)) {
    const known = keys.filter((key) => key in shape);
    return known.length === 0
      ? schema
      : schema.omit(Object.fromEntries(known.map((key) => [key, true])));
  }
  if (!isRecord(schema?.properties)) return schema;
  const properties = Object.fromEntries(
    Object.entries(schema.properties).filter(([key]) => !keys.includes(key)),
  );
  const rest = Array.isArray(schema.required)
    ? { required: schema.required.filter((/** @type {string} */ key) => !keys.includes(key)) }
    : {};
  return { ...schema, properties, ...rest };
}

/**
 * Separates the arguments in the schema from those that the host injected.
 * @param {unknown} args
 * @param {Record<string, Injected> | undefined} injected marks by key
 * @returns {[unknown, Record<string, unknown>]}
 */
function part(args, injected) {
  if (!isRecord(args)) return [args, {}];
  const entries = Object.entries(args);
  const isOurs = (/** @type {[string, unknown]} */ [key]) =>
    Object.hasOwn(/** @type {object} */ (injected), key);
  return [
    Object.fromEntries(entries.filter((entry) => !isOurs(entry))),
    Object.fromEntries(entries.filter(isOurs)),
  ];
}

/**
 * Adds the injected arguments, replacing whatever the model passed under those keys.
 * @param {unknown} args
 * @param {Record<string, Injected> | undefined} injected marks by key
 * @param {Source} from
 */
function fill(args, injected, from) {
  const filled = { .../** @type {Json} */ (args) };
  for (const [key, { kind, field }] of Object.entries(injected ?? {})) {
    if (kind === "runtime") filled[key] = from.runtime;
    else if (kind === "store") filled[key] = storeOf(from.runtime);
    else filled[key] = field === undefined ? from.state : fieldOf(from, field);
  }
  return filled;
}

/** @param {unknown} runtime */
function storeOf(runtime) {
  const { store } = /** @type {{ store?: unknown }} */ (runtime);
  if (store !== undefined && store !== null) return store;
  throw new Error(
    "Cannot inject store into tools with InjectedStore annotations - please compile your graph with a store.",
  );
}

/** @param {Source} from @param {string} field @returns {unknown} */
function fieldOf({ state, messagesKey }, field) {
  if (!Array.isArray(state)) return /** @type {Json | null | undefined} */ (state)?.[field];
  if (field === messagesKey) return state;
  throw new Error(
    `Invalid input to ToolNode. Tool needs the state's "${field}", but the node was called with a list of messages.`,
  );
}

export const INJECTED = { split, part, fill };
