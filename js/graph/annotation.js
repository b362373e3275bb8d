// SPDX-License-Identifier: MIT
// Knows: how users write a state down (Annotation.Root, a zod object, a StateSchema, LangGraph's older `channels`) and
// which channels and checks that means. Must not know: nodes, edges, runs.
import { BinaryOperatorAggregate, LastValue, isChannel } from "./channels.js";
import { messagesStateReducer } from "./messages-reducer.js";
import { isStateSchema } from "./state-schema.js";

/** @typedef {import("./channels.js").BaseChannel} BaseChannel */
/** @typedef {(update: Record<string, any>) => Record<string, any>} Check parses the fields given, throws on a bad one */
/** @typedef {{ channels: Record<string, BaseChannel>, check: Check | undefined }} Schema */

/** A state as a set of channels by key. */
export class AnnotationRoot {
  lc_graph_name = "AnnotationRoot";

  /** @param {Record<string, any>} spec */
  constructor(spec) {
    this.spec = spec;
  }

  static isInstance = isAnnotationRoot;
}

/** @param {any} value @returns {value is AnnotationRoot} */
export function isAnnotationRoot(value) {
  return typeof value === "object" && value !== null && value.lc_graph_name === "AnnotationRoot";
}

/**
 * One key of a state: the last value, or the fold by `reducer`, beginning with `default()`.
 * @param {{ reducer?: (left: any, right: any) => any, value?: (left: any, right: any) => any, default?: () => any }} [annotation]
 */
export function Annotation(annotation) {
  const reducer = annotation?.reducer ?? annotation?.value;
  return typeof reducer === "function" ? new BinaryOperatorAggregate(reducer, annotation?.default) : new LastValue();
}

/** @param {Record<string, any>} spec */
Annotation.Root = (spec) => new AnnotationRoot(spec);

/** The state of a conversation. */
export const MessagesAnnotation = /* @__PURE__ */ Annotation.Root({
  messages: /* @__PURE__ */ Annotation({ reducer: messagesStateReducer, default: () => [] }),
});

/**
 * The channels and the check of a state in any of its forms, or undefined when it is none.
 * @param {any} definition
 * @returns {Schema | undefined}
 */
export function readSchema(definition) {
  if (typeof definition !== "object" || definition === null) return undefined;
  if (isAnnotationRoot(definition)) return { channels: declared(definition.spec), check: undefined };
  if (isStateSchema(definition)) return { channels: definition.getChannels(), check: (update) => definition.validate(update) };
  if (isZodObject(definition)) return { channels: zodChannels(definition), check: zodCheck(definition) };
  const values = Object.values(definition);
  if (values.length === 0 || !values.every((value) => isChannel(value) || typeof value === "function")) return undefined;
  return { channels: declared(definition), check: undefined };
}

/**
 * LangGraph's older form: null, a `{ value | reducer, default }` or a channel by key.
 * @param {Record<string, any>} definition
 * @returns {Schema}
 */
export function readLegacyChannels(definition) {
  const channels = Object.entries(definition).map(([key, value]) => [key, isChannel(value) ? value : Annotation(value ?? undefined)]);
  return { channels: Object.fromEntries(channels), check: undefined };
}

/** @param {Record<string, any>} spec @returns {Record<string, BaseChannel>} */
function declared(spec) {
  return Object.fromEntries(Object.entries(spec).map(([key, value]) => [key, typeof value === "function" ? value() : value]));
}

/** @param {any} value */
function isZodObject(value) {
  return typeof value.parse === "function" && typeof value.partial === "function" && typeof value.shape === "object";
}

/** @param {any} schema @returns {Record<string, BaseChannel>} */
function zodChannels(schema) {
  return Object.fromEntries(Object.keys(schema.shape).map((key) => [key, new LastValue()]));
}

/**
 * Fields that were not given are not checked; a default stands for a missing field of the input only.
 * @param {any} schema
 * @returns {Check}
 */
function zodCheck(schema) {
  /** @type {any} */
  let partial;
  return (update) => {
    partial ??= schema.partial();
    return partial.parse(update);
  };
}
