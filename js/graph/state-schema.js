// SPDX-License-Identifier: MIT
// Knows: StateSchema, a state whose fields are Standard Schemas (zod, valibot, arktype …), reduced or untracked values.
// Must not know: nodes, runs.
import { isOverwrite, overwriteValue, overwriting } from "../constants.js";
import { isPromise } from "./callable.js";
import { BinaryOperatorAggregate, LastValue, UntrackedValueChannel } from "./channels.js";
import { messagesStateReducer } from "./messages-reducer.js";
import { isStandardSchema, schemaDefault, schemaJson } from "./standard-schema.js";

const STATE_SCHEMA = Symbol.for("langgraph.state.state_schema");
const REDUCED = Symbol.for("langgraph.state.reduced_value");
const UNTRACKED = Symbol.for("langgraph.state.untracked_value");

/** @typedef {import("./standard-schema.js").StandardSchema} StandardSchema */

/** @param {any} value @param {symbol} mark */
function isMarked(value, mark) {
  return typeof value === "object" && value !== null && value[mark] === true;
}

/** @param {object} target @param {symbol} mark */
function setMark(target, mark) {
  Object.defineProperty(target, mark, { value: true });
}

/**
 * A field with a reducer of any kind: what is kept has one schema, what is written may have another. A subclass says
 * which channel it is.
 */
export class FoldedValue {
  /**
   * @param {StandardSchema} valueSchema
   * @param {{ reducer: (left: any, right: any) => any, inputSchema?: StandardSchema, jsonSchemaExtra?: Record<string, unknown> }} init
   */
  constructor(valueSchema, init) {
    const { reducer, inputSchema, jsonSchemaExtra } = init;
    this.valueSchema = valueSchema;
    this.inputSchema = inputSchema ?? valueSchema;
    this.reducer = reducer;
    this.jsonSchemaExtra = jsonSchemaExtra;
  }

  /** @returns {import("./channels.js").BaseChannel} */
  get channel() {
    throw new TypeError("no channel");
  }
}

/** A field that is folded by a reducer; what is written may have another schema than what is kept. */
export class ReducedValue extends FoldedValue {
  /**
   * @param {StandardSchema} valueSchema
   * @param {{ reducer: (left: any, right: any) => any, inputSchema?: StandardSchema, jsonSchemaExtra?: Record<string, unknown> }} init
   */
  constructor(valueSchema, init) {
    super(valueSchema, init);
    setMark(this, REDUCED);
  }

  get channel() {
    return new BinaryOperatorAggregate(this.reducer, schemaDefault(this.valueSchema));
  }

  /** @param {any} value @returns {value is ReducedValue} */
  static isInstance(value) {
    return isMarked(value, REDUCED);
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
    setMark(this, UNTRACKED);
  }

  get channel() {
    return new UntrackedValueChannel({ guard: this.guard, initialValueFactory: schemaDefault(this.schema) });
  }

  /** @param {any} value @returns {value is UntrackedValue} */
  static isInstance(value) {
    return isUntracked(value);
  }
}

/** Any value: what is no message is refused by the reducer. @param {(value: any) => any} make */
const anything = (make) => ({
  "~standard": {
    version: 1,
    vendor: "weftgraph",
    validate: (/** @type {unknown} */ value) => ({ value: make(value) }),
    jsonSchema: { input: () => ({}), output: () => ({}) },
  },
});

/** What the fields of a conversation have in common. */
export const MESSAGES_FIELD = {
  valueSchema: /* @__PURE__ */ anything((value) => (value === undefined ? [] : value)),
  inputSchema: /* @__PURE__ */ anything((value) => value),
  jsonSchemaExtra: { langgraph_type: "messages", description: "A list of chat messages" },
};

/** The field of a conversation. */
export const MessagesValue = /* @__PURE__ */ new ReducedValue(MESSAGES_FIELD.valueSchema, { ...MESSAGES_FIELD, reducer: messagesStateReducer });

export class StateSchema {
  /** @param {Record<string, any>} fields */
  constructor(fields) {
    this.fields = fields;
    setMark(this, STATE_SCHEMA);
  }

  /** @returns {Record<string, import("./channels.js").BaseChannel>} */
  getChannels() {
    return Object.fromEntries(Object.entries(this.fields).map(([key, field]) => [key, channelOf(key, field)]));
  }

  getChannelKeys() {
    return Object.keys(this.fields);
  }

  getAllKeys() {
    return Object.keys(this.fields);
  }

  /** @returns {Record<string, any>} the JSON Schema of the state */
  getJsonSchema() {
    const properties = jsonFields(this.fields, "valueSchema");
    const required = Object.keys(properties).filter((key) => schemaDefault(schemaOf(this.fields[key], "valueSchema")) === undefined);
    return { type: "object", properties, required: required.length === 0 ? undefined : required };
  }

  /** @returns {Record<string, any>} the JSON Schema of an update */
  getInputJsonSchema() {
    return { type: "object", properties: jsonFields(this.fields, "inputSchema") };
  }

  /**
   * @param {any} data
   * @returns {Promise<any>} the same with its fields parsed; other keys stay, missing ones stay missing
   */
  async validateInput(data) {
    if (typeof data !== "object" || data === null) return data;
    /** @type {Record<string, any>} */
    const checked = {};
    for (const [key, value] of Object.entries(data)) checked[key] = await checkField(this.fields, key, value);
    return checked;
  }

  /** @param {any} value @returns {value is StateSchema} */
  static isInstance(value) {
    return isStateSchema(value);
  }
}

/** @param {any} value @returns {value is UntrackedValue} */
export function isUntracked(value) {
  return isMarked(value, UNTRACKED);
}

/** @param {any} value @returns {value is StateSchema} */
export function isStateSchema(value) {
  return isMarked(value, STATE_SCHEMA);
}

/** @param {string} key @param {any} field */
function channelOf(key, field) {
  if (field instanceof FoldedValue || isUntracked(field)) return field.channel;
  if (isStandardSchema(field)) return new LastValue(schemaDefault(field));
  throw new Error(`Invalid state field "${key}": must be a schema, ReducedValue, DeltaValue, UntrackedValue, or ManagedValue`);
}

/** @param {any} field @param {"valueSchema" | "inputSchema"} side */
function schemaOf(field, side) {
  return field[side] ?? (isUntracked(field) ? field.schema : field);
}

/** @param {Record<string, any>} fields @param {"valueSchema" | "inputSchema"} side */
function jsonFields(fields, side) {
  /** @type {Record<string, any>} */
  const properties = {};
  for (const [key, field] of Object.entries(fields)) {
    const json = schemaJson(schemaOf(field, side));
    if (json !== undefined || field.jsonSchemaExtra !== undefined) properties[key] = { ...json, ...field.jsonSchemaExtra };
  }
  return properties;
}

/**
 * What the schema of a field makes of a value that is written to it.
 * @param {Record<string, any>} fields
 * @param {string} key
 * @param {any} value
 * @returns {any} a promise when the schema is asynchronous
 */
export function checkField(fields, key, value) {
  if (!Object.hasOwn(fields, key)) return value;
  const field = fields[key];
  if (!(field instanceof FoldedValue)) return parse(key, isUntracked(field) ? field.schema : field, value);
  if (!isOverwrite(value)) return parse(key, field.inputSchema, value);
  const parsed = parse(key, field.valueSchema, overwriteValue(value));
  return isPromise(parsed) ? parsed.then(overwriting) : overwriting(parsed);
}

/** @param {string} key @param {StandardSchema | undefined} schema @param {any} value */
function parse(key, schema, value) {
  if (schema === undefined) return value;
  const result = schema["~standard"].validate(value);
  return isPromise(result) ? result.then((made) => parsed(key, made)) : parsed(key, result);
}

/** @param {string} key @param {any} result */
function parsed(key, result) {
  if (result.issues) throw new Error(`Validation failed for field "${key}": ${JSON.stringify(result.issues)}`);
  return result.value;
}
