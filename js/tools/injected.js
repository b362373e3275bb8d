// SPDX-License-Identifier: MIT
// Defines arguments that the host injects and the model never sees: the state, a key of it, the
// store, the call's config. Tools without such a mark do not load this module. Does not depend on
// how tools run or schemas are read.
import { isRecord } from "../base/check-arguments.js";
import { INJECTION, refuseMark } from "./tool-result.js";

/** @typedef {import("../base/callable.js").Value} Value */

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
 * @param {Value} schema
 * @param {Record<string, Injected> | undefined} given
 * @returns {{ schema: Value, injected: Record<string, Injected> }}
 */
function split(schema, given) {
  const marked = Object.entries(isRecord(schema?.properties) ? schema.properties : {}).filter(
    ([, value]) => value instanceof Injected,
  );
  const injected = { ...Object.fromEntries(marked), ...given };
  for (const [key, value] of Object.entries(injected)) {
    if (!(value instanceof Injected)) refuseMark(key);
  }
  return { schema: without(schema, Object.keys(injected)), injected };
}

/** @param {Value} schema @param {string[]} keys */
function without(schema, keys) {
  if (typeof schema?.omit === "function" && isRecord(schema.shape)) {
    const known = keys.filter((key) => key in schema.shape);
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
 * @param {Value} args
 * @param {Value} injected marks by key
 * @returns {[unknown, Record<string, unknown>]}
 */
function part(args, injected) {
  if (!isRecord(args)) return [args, {}];
  const entries = Object.entries(args);
  const isOurs = (/** @type {[string, unknown]} */ [key]) => Object.hasOwn(injected, key);
  return [
    Object.fromEntries(entries.filter((entry) => !isOurs(entry))),
    Object.fromEntries(entries.filter(isOurs)),
  ];
}

/**
 * Adds the injected arguments, replacing whatever the model passed under those keys.
 * @param {Value} args
 * @param {Value} injected marks by key
 * @param {{ state: unknown, runtime: unknown, messagesKey: string }} from
 */
function fill(args, injected, from) {
  const filled = { ...args };
  for (const [key, { kind, field }] of Object.entries(injected)) {
    if (kind === "runtime") filled[key] = from.runtime;
    else if (kind === "store") filled[key] = storeOf(from.runtime);
    else filled[key] = field === undefined ? from.state : fieldOf(from, field);
  }
  return filled;
}

/** @param {Value} runtime */
function storeOf(runtime) {
  if (runtime.store !== undefined && runtime.store !== null) return runtime.store;
  throw new Error(
    "Cannot inject store into tools with InjectedStore annotations - please compile your graph with a store.",
  );
}

/** @param {{ state: Value, messagesKey: string }} from @param {string} field */
function fieldOf({ state, messagesKey }, field) {
  if (!Array.isArray(state)) return state?.[field];
  if (field === messagesKey) return state;
  throw new Error(
    `Invalid input to ToolNode. Tool needs the state's "${field}", but the node was called with a list of messages.`,
  );
}

export const INJECTED = { split, part, fill };
