// SPDX-License-Identifier: MIT
// Reads the forms in which users declare a state (Annotation.Root, a zod object, a StateSchema,
// LangGraph's older `channels`) as channels and checks. Does not depend on nodes, edges or runs.
import { BinaryOperatorAggregate, LastValue, isChannel } from "./channels.js";
import { StateGraphInputError } from "../base/errors.js";
import { messagesStateReducer } from "./messages-reducer.js";
import { isStateSchema } from "./state-marks.js";
import { isZodObject, zodChannels } from "./zod.js";
import { zodChecks } from "./checks.js";
import { fieldChecks } from "./field-checks.js";

/** @typedef {import("../base/callable.js").Value} Value */
/** @typedef {import("./channels.js").BaseChannel} BaseChannel */
/**
 * Parsers of values; all throw the schema's error, and may return a promise.
 * @typedef {object} Checks
 * @property {(input: unknown) => unknown} all parses an input that must be complete
 * @property {(input: Value) => unknown} some parses the present fields of an input
 * @property {(key: string, value: unknown) => unknown} field parses one write; one to no field
 *   stays as it is
 */
/** @typedef {{ channels: Record<string, BaseChannel>, checks: Checks | undefined }} Schema */

/** A state as channels by key. */
export class AnnotationRoot {
  lc_graph_name = "AnnotationRoot";

  /** @param {Record<string, unknown>} spec */
  constructor(spec) {
    this.spec = spec;
  }

  static isInstance = isAnnotationRoot;
}

/** @param {Value} value @returns {value is AnnotationRoot} */
export function isAnnotationRoot(value) {
  return typeof value === "object" && value !== null && value.lc_graph_name === "AnnotationRoot";
}

/**
 * Declares one key of a state: the last value, or the fold by `reducer`, starting with `default()`.
 * @param {{ reducer?: (left: unknown, right: unknown) => unknown, value?: (left: unknown, right:
 *   unknown) => unknown, default?: () => unknown }} [annotation]
 */
export function Annotation(annotation) {
  const reducer = annotation?.reducer ?? annotation?.value;
  return reducer ? new BinaryOperatorAggregate(reducer, annotation?.default) : new LastValue();
}

/** @param {Record<string, unknown>} spec */
Annotation.Root = (spec) => new AnnotationRoot(spec);

/** The state of a conversation. */
export const MessagesAnnotation = /* @__PURE__ */ Annotation.Root({
  messages: /* @__PURE__ */ Annotation({ reducer: messagesStateReducer, default: () => [] }),
});

/**
 * Returns the channels and checks of a state in any of its forms, or undefined if it is none.
 * @param {unknown} definition
 * @returns {Schema | undefined}
 */
export function readSchema(definition) {
  if (typeof definition !== "object" || definition === null) return undefined;
  if (isAnnotationRoot(definition))
    return { channels: declared(definition.spec), checks: undefined };
  if (isStateSchema(definition))
    return {
      channels: definition.getChannels(),
      checks: definition._checks ?? fieldChecks(definition),
    };
  if (isZodObject(definition))
    return { channels: zodChannels(definition), checks: zodChecks(definition) };
  const values = Object.values(definition);
  if (
    values.length === 0 ||
    !values.every((value) => isChannel(value) || typeof value === "function")
  )
    return undefined;
  return { channels: declared(definition), checks: undefined };
}

/**
 * Reads LangGraph's older form: null or a `{ value | reducer, default }` by key; as there, anything
 * else keeps the last value.
 * @param {Record<string, Value>} definition
 * @returns {Schema}
 */
export function readLegacyChannels(definition) {
  const channels = Object.entries(definition).map(([key, value]) => [key, Annotation(value)]);
  if (channels.length === 0) throw new StateGraphInputError();
  return { channels: Object.fromEntries(channels), checks: undefined };
}

/** @param {Record<string, Value>} spec @returns {Record<string, BaseChannel>} */
function declared(spec) {
  const channels = Object.entries(spec).map(([key, value]) => [
    key,
    typeof value === "function" ? value() : value,
  ]);
  if (!channels.every(([, channel]) => isChannel(channel))) throw new StateGraphInputError();
  return Object.fromEntries(channels);
}
