// SPDX-License-Identifier: MIT
// Knows: StateSchema, a state whose fields are Standard Schemas (zod, valibot, arktype …), reduced or untracked values.
// Must not know: nodes, runs.
import { Overwrite, isOverwrite, overwriteValue } from "../constants.js";
import { BinaryOperatorAggregate, LastValue, UntrackedValueChannel } from "./channels.js";
import { messagesStateReducer } from "./messages-reducer.js";

const STATE_SCHEMA = Symbol.for("langgraph.state.state_schema");
const REDUCED = Symbol.for("langgraph.state.reduced_value");
const UNTRACKED = Symbol.for("langgraph.state.untracked_value");

/** @typedef {{ "~standard": { validate: (value: unknown) => any } }} StandardSchema */

/** A field that is folded by a reducer; what is written may have another schema than what is kept. */
export class ReducedValue {
  /**
   * @param {StandardSchema} valueSchema
   * @param {{ reducer: (left: any, right: any) => any, inputSchema?: StandardSchema, jsonSchemaExtra?: Record<string, unknown> }} init
   */
  constructor(valueSchema, init) {
    this.valueSchema = valueSchema;
    this.inputSchema = init.inputSchema ?? valueSchema;
    this.reducer = init.reducer;
    this.jsonSchemaExtra = init.jsonSchemaExtra;
    this[REDUCED] = true;
  }

  /** @param {any} value @returns {value is ReducedValue} */
  static isInstance(value) {
    return typeof value === "object" && value !== null && value[REDUCED] === true;
  }
}

/** A field that is never saved. */
export class UntrackedValue {
  /**
   * @param {StandardSchema} [schema]
   * @param {{ guard?: boolean }} [init]
   */
  constructor(schema, init) {
    this.schema = schema;
    this.guard = init?.guard ?? true;
    this[UNTRACKED] = true;
  }

  /** @param {any} value @returns {value is UntrackedValue} */
  static isInstance(value) {
    return typeof value === "object" && value !== null && value[UNTRACKED] === true;
  }
}

/** Any value, a missing one being the empty list: what is no message is refused by the reducer. */
const anyMessages = {
  "~standard": {
    version: 1,
    vendor: "weftgraph",
    /** @param {unknown} value */
    validate: (value) => ({ value: value === undefined ? [] : value }),
  },
};

/** The field of a conversation. */
export const MessagesValue = /* @__PURE__ */ new ReducedValue(anyMessages, {
  reducer: messagesStateReducer,
  jsonSchemaExtra: { langgraph_type: "messages", description: "A list of chat messages" },
});

export class StateSchema {
  /** @param {Record<string, any>} fields */
  constructor(fields) {
    this.fields = fields;
    this[STATE_SCHEMA] = true;
  }

  /** @returns {Record<string, import("./channels.js").BaseChannel>} */
  getChannels() {
    return Object.fromEntries(Object.entries(this.fields).map(([key, field]) => [key, channelOf(field)]));
  }

  /**
   * @param {Record<string, any>} update the fields to check; others are dropped, missing ones stay missing
   * @returns {Record<string, any>} what the schemas made of them
   */
  validate(update) {
    const entries = Object.entries(update).filter(([key]) => Object.hasOwn(this.fields, key));
    return Object.fromEntries(entries.map(([key, value]) => [key, validateField(key, this.fields[key], value)]));
  }

  /** @param {any} value @returns {value is StateSchema} */
  static isInstance(value) {
    return isStateSchema(value);
  }
}

/** @param {any} value @returns {value is StateSchema} */
export function isStateSchema(value) {
  return typeof value === "object" && value !== null && value[STATE_SCHEMA] === true;
}

/** @param {any} field */
function channelOf(field) {
  if (ReducedValue.isInstance(field)) return new BinaryOperatorAggregate(field.reducer, defaultOf(field.valueSchema));
  if (UntrackedValue.isInstance(field)) {
    return new UntrackedValueChannel({ guard: field.guard, initialValueFactory: field.schema && defaultOf(field.schema) });
  }
  return new LastValue(defaultOf(field));
}

/** What the schema makes of nothing, when that is a value. @param {StandardSchema} schema */
function defaultOf(schema) {
  const made = schema["~standard"].validate(undefined);
  if (typeof made?.then === "function" || made.issues || made.value === undefined) return undefined;
  return () => schema["~standard"].validate(undefined).value;
}

/** @param {string} key @param {any} field @param {any} value @returns {any} */
function validateField(key, field, value) {
  if (ReducedValue.isInstance(field) && isOverwrite(value)) {
    return new Overwrite(validateField(key, field.valueSchema, overwriteValue(value)));
  }
  const schema = ReducedValue.isInstance(field) ? field.inputSchema : UntrackedValue.isInstance(field) ? field.schema : field;
  if (schema === undefined) return value;
  const result = schema["~standard"].validate(value);
  if (typeof result?.then === "function") throw new Error(`The schema of field "${key}" is asynchronous.`);
  if (result.issues) throw new Error(`Validation failed for field "${key}": ${JSON.stringify(result.issues)}`);
  return result.value;
}
