// SPDX-License-Identifier: MIT
// Defines StateSchema, a state whose fields are Standard Schemas (zod, valibot, arktype …), reduced
// or untracked values. Does not depend on nodes or runs.
import { BinaryOperatorAggregate, LastValue, UntrackedValueChannel } from "./channels.js";
import { checkField, fieldChecks } from "./field-checks.js";
import { messagesStateReducer } from "./messages-reducer.js";
import { isStandardSchema, schemaDefault, schemaJson } from "./standard-schema.js";
import { FoldedValue, UNTRACKED, isUntracked } from "./state-fields.js";
import { STATE_SCHEMA, isMarked, isStateSchema, setMark } from "./state-marks.js";

/** @typedef {import("../base/callable.js").Value} Value */

const REDUCED = Symbol.for("langgraph.state.reduced_value");

/** @typedef {import("./standard-schema.js").StandardSchema} StandardSchema */

/** A field folded by a reducer; writes may have another schema than the stored value. */
export class ReducedValue extends FoldedValue {
  /**
   * @param {StandardSchema} valueSchema
   * @param {{ reducer: (left: unknown, right: unknown) => unknown, inputSchema?: StandardSchema,
   *   jsonSchemaExtra?: Record<string, unknown> }} init
   */
  constructor(valueSchema, init) {
    super(valueSchema, init);
    setMark(this, REDUCED);
  }

  get channel() {
    return new BinaryOperatorAggregate(this.reducer, schemaDefault(this.valueSchema));
  }

  /** @param {unknown} value @returns {value is ReducedValue} */
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
    return new UntrackedValueChannel({
      guard: this.guard,
      initialValueFactory: schemaDefault(this.schema),
    });
  }

  /** @param {unknown} value @returns {value is UntrackedValue} */
  static isInstance(value) {
    return isUntracked(value);
  }
}

/**
 * Makes a schema of any value; values that are no messages are refused by the reducer.
 * @param {(value: unknown) => unknown} make
 */
const anything = (make) => ({
  "~standard": {
    version: 1,
    vendor: "weftgraph",
    validate: (/** @type {unknown} */ value) => ({ value: make(value) }),
    jsonSchema: { input: () => ({}), output: () => ({}) },
  },
});

/** Common definition of the fields of a conversation. */
export const MESSAGES_FIELD = {
  valueSchema: /* @__PURE__ */ anything((value) => (value === undefined ? [] : value)),
  inputSchema: /* @__PURE__ */ anything((value) => value),
  jsonSchemaExtra: { langgraph_type: "messages", description: "A list of chat messages" },
};

// Made by a call: bundlers keep a `new` whose arguments read fields, also where nothing uses it.
/** Field of a conversation. */
export const MessagesValue = /* @__PURE__ */ messagesValue();

function messagesValue() {
  const { valueSchema } = MESSAGES_FIELD;
  return new ReducedValue(valueSchema, { ...MESSAGES_FIELD, reducer: messagesStateReducer });
}

export class StateSchema {
  /** @param {Record<string, unknown>} fields */
  constructor(fields) {
    this.fields = fields;
    setMark(this, STATE_SCHEMA);
  }

  /** @returns {Record<string, import("./channels.js").BaseChannel>} */
  getChannels() {
    return Object.fromEntries(
      Object.entries(this.fields).map(([key, field]) => [key, channelOf(key, field)]),
    );
  }

  getChannelKeys() {
    return Object.keys(this.fields);
  }

  getAllKeys() {
    return Object.keys(this.fields);
  }

  /** @returns {Record<string, unknown>} the JSON Schema of the state */
  getJsonSchema() {
    const properties = jsonFields(this.fields, "valueSchema");
    const required = Object.keys(properties).filter(
      (key) => schemaDefault(schemaOf(this.fields[key], "valueSchema")) === undefined,
    );
    return { type: "object", properties, required: required.length === 0 ? undefined : required };
  }

  /** @returns {Record<string, unknown>} the JSON Schema of an update */
  getInputJsonSchema() {
    return { type: "object", properties: jsonFields(this.fields, "inputSchema") };
  }

  /**
   * @param {unknown} data
   * @returns {Promise<unknown>} a copy with its fields parsed; other keys stay, missing ones stay
   *   missing
   */
  async validateInput(data) {
    if (typeof data !== "object" || data === null) return data;
    /** @type {Record<string, unknown>} */
    const checked = {};
    for (const [key, value] of Object.entries(data)) checked[key] = await this._check(key, value);
    return checked;
  }

  /** @param {string} key @param {unknown} value @returns {unknown} the value, parsed */
  _check(key, value) {
    return checkField(this.fields, key, value);
  }

  /**
   * Checks of what is written to a graph of this state.
   * @returns {import("./annotation.js").Checks}
   */
  get _checks() {
    return { ...fieldChecks(this), field: (key, value) => this._check(key, value) };
  }

  /** @param {unknown} value @returns {value is StateSchema} */
  static isInstance(value) {
    return isStateSchema(value);
  }
}

/** @param {string} key @param {unknown} field */
function channelOf(key, field) {
  if (field instanceof FoldedValue || isUntracked(field)) return field.channel;
  if (isStandardSchema(field)) return new LastValue(schemaDefault(field));
  throw new Error(
    `Invalid state field "${key}": must be a schema, ReducedValue, DeltaValue, UntrackedValue, or ManagedValue`,
  );
}

/** @param {Value} field may be undefined @param {"valueSchema" | "inputSchema"} side */
function schemaOf(field, side) {
  return field?.[side] ?? (isUntracked(field) ? field.schema : field);
}

/** @param {Record<string, Value>} fields @param {"valueSchema" | "inputSchema"} side */
function jsonFields(fields, side) {
  /** @type {Record<string, unknown>} */
  const properties = {};
  for (const [key, field] of Object.entries(fields)) {
    const json = schemaJson(schemaOf(field, side));
    if (json !== undefined || field?.jsonSchemaExtra !== undefined)
      properties[key] = { ...json, ...field?.jsonSchemaExtra };
  }
  return properties;
}
