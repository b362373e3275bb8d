// SPDX-License-Identifier: MIT
// Converts schemas of zod 4 and zod/mini, by their internals (`_zod.def`), to JSON Schema of the
// input that they accept, for schemas that cannot print themselves. Does not depend on zod or
// tools.
import {
  bare,
  intersected,
  joined,
  nullable,
  tupleSchema,
  withoutForeignBounds,
} from "./fragments.js";
import { UnsupportedSchemaError } from "../base/errors.js";
import { enumValues } from "./zod3.js";

/** @typedef {Record<string, unknown>} Json */
/**
 * A schema of zod 4 or zod/mini, by its internals. A definition has the fields of its kind only.
 * @typedef {{ _zod: { def: Definition, optin?: string }, description?: unknown }} Schema
 * @typedef {{ check?: string, minimum?: unknown, maximum?: unknown, length?: unknown,
 *   value?: unknown, inclusive?: boolean, format: string, pattern?: unknown }} Check
 * @typedef {Check & { type: string, checks?: { _zod: { def: Check } }[], values: unknown[],
 *   entries: Record<string, unknown>, element: Schema, items: Schema[], rest?: Schema | null,
 *   shape: Record<string, Schema>, valueType: Schema, options: Schema[], left: Schema,
 *   right: Schema, innerType: Schema, defaultValue: unknown, in: Schema, out: Schema,
 *   getter(): Schema, catchall?: Schema }} Definition
 */

const INTEGER_FORMATS = ["safeint", "int32", "uint32"];
/** @type {Record<string, string>} */
const STRING_FORMATS = {
  email: "email",
  guid: "uuid",
  uuid: "uuid",
  url: "uri",
  datetime: "date-time",
  date: "date",
  time: "time",
  ipv4: "ipv4",
  ipv6: "ipv6",
};

/** @param {unknown} schema @returns {schema is Schema} */
export function isZod4(schema) {
  const known = /** @type {{ _zod?: Partial<Schema["_zod"]> } | null | undefined} */ (schema);
  return typeof known?._zod?.def?.type === "string";
}

/**
 * @param {Schema} schema
 * @param {Set<unknown>} [open] lazy schemas being read, to cut cycles
 * @returns {Json}
 */
export function fromZod4(schema, open = new Set()) {
  const def = schema._zod.def;
  const read = KINDS[def.type];
  if (read === undefined) throw new UnsupportedSchemaError(`zod's ${def.type}`);
  const checks = [def, ...(def.checks ?? []).map((check) => check._zod.def)];
  const inner = read(def, (field) => fromZod4(field, open), open);
  const json = checks.some((check) => check.check)
    ? withoutForeignBounds({ ...inner, ...joined(checks.map(checkSchema)) })
    : inner;
  return typeof schema.description === "string"
    ? { ...json, description: schema.description }
    : json;
}

/**
 * @type {Record<string, (def: Definition, read: (schema: Schema) => Json, open: Set<unknown>) =>
 *   Json>}
 */
const KINDS = {
  string: () => ({ type: "string" }),
  number: () => ({ type: "number" }),
  int: () => ({ type: "integer" }),
  boolean: () => ({ type: "boolean" }),
  null: () => ({ type: "null" }),
  any: () => ({}),
  unknown: () => ({}),
  never: () => ({ not: {} }),
  literal: (def) => (def.values.length === 1 ? { const: def.values[0] } : { enum: def.values }),
  enum: (def) => ({ enum: enumValues(def.entries) }),
  array: (def, read) => ({ type: "array", items: read(def.element) }),
  tuple: (def, read) => tupleSchema(def.items.map(read), def.rest && read(def.rest)),
  object: (def, read) => objectSchema(def, read),
  record: (def, read) => ({ type: "object", additionalProperties: read(def.valueType) }),
  union: (def, read) => ({ anyOf: def.options.map(read) }),
  intersection: (def, read) => intersected(read(def.left), read(def.right)),
  optional: (def, read) => read(def.innerType),
  nonoptional: (def, read) => read(def.innerType),
  nullable: (def, read) => nullable(read(def.innerType)),
  default: (def, read) => ({ ...read(def.innerType), default: def.defaultValue }),
  prefault: (def, read) => ({ ...read(def.innerType), default: def.defaultValue }),
  catch: (def, read) => bare(read(def.innerType)),
  readonly: (def, read) => read(def.innerType),
  pipe: (def, read) => read(def.in._zod.def.type === "transform" ? def.out : def.in),
  lazy: (def, _read, open) => {
    if (open.has(def.getter)) return {};
    const inner = def.getter();
    return fromZod4(inner, new Set(open).add(def.getter));
  },
};

/** @param {Definition} def @param {(schema: Schema) => Json} read @returns {Json} */
function objectSchema(def, read) {
  /** @type {Json} */
  const properties = {};
  const required = [];
  for (const [key, field] of Object.entries(def.shape)) {
    properties[key] = read(field);
    if (field._zod.optin === undefined) required.push(key);
  }
  const rest = def.catchall?._zod.def.type;
  const closed =
    def.catchall === undefined || rest === undefined || rest === "unknown"
      ? {}
      : { additionalProperties: rest === "never" ? false : read(def.catchall) };
  return { type: "object", properties, required, ...closed };
}

/** @param {Check} check @returns {Json} */
function checkSchema(check) {
  switch (check.check) {
    case "min_length":
      return { minLength: check.minimum, minItems: check.minimum };
    case "max_length":
      return { maxLength: check.maximum, maxItems: check.maximum };
    case "length_equals":
      return {
        minLength: check.length,
        maxLength: check.length,
        minItems: check.length,
        maxItems: check.length,
      };
    case "greater_than":
      return check.inclusive ? { minimum: check.value } : { exclusiveMinimum: check.value };
    case "less_than":
      return check.inclusive ? { maximum: check.value } : { exclusiveMaximum: check.value };
    case "multiple_of":
      return { multipleOf: check.value };
    case "number_format":
      return INTEGER_FORMATS.includes(check.format) ? { type: "integer" } : {};
    case "string_format":
      return stringFormat(check);
    default:
      return {};
  }
}

/** @param {Check} check @returns {Json} */
function stringFormat(check) {
  const format = STRING_FORMATS[check.format];
  if (format !== undefined) return { format };
  return check.pattern instanceof RegExp ? { pattern: check.pattern.source } : {};
}
