// SPDX-License-Identifier: MIT
// Converts zod 3's schemas, by their internals (`_def.typeName`), to JSON Schema of the input that
// they accept: fields with defaults are not required. Does not depend on zod itself or tools.
import { bare, intersected, joined, nullable, tupleSchema } from "./fragments.js";
import { UnsupportedSchemaError } from "../base/errors.js";

/** @typedef {Record<string, unknown>} Json */
/**
 * A schema of zod 3, by its internals. A definition has the fields of its kind only.
 * @typedef {{ _def: Definition, isOptional(): boolean }} Schema
 * @typedef {{ value: number }} Bound
 * @typedef {{ kind: string, value: unknown, regex: RegExp, inclusive: boolean }} Check
 * @typedef {{ typeName: string, description?: string, checks: Check[], value: unknown,
 *   values: Record<string, unknown>, type: Schema, items: Schema[], rest?: Schema | null,
 *   keyType: Schema, valueType: Schema, options: Schema[] | Map<unknown, Schema>, left: Schema,
 *   right: Schema, innerType: Schema, schema: Schema, in: Schema, out: Schema,
 *   defaultValue(): unknown, getter(): Schema, shape(): Record<string, Schema>,
 *   unknownKeys?: string, catchall?: Schema, exactLength?: Bound | null, minLength?: Bound | null,
 *   maxLength?: Bound | null }} Definition
 */
/**
 * @typedef {(def: Definition, read: (schema: Schema) => Json, open: Set<unknown>, kinds: Kinds) =>
 *   Json} Convert
 * @typedef {{ [kind: string]: Convert }} Kinds converts each kind of schema
 */

/** @param {unknown} schema @returns {schema is Schema} */
export function isZod3(schema) {
  const known = /** @type {Partial<Schema> | null | undefined} */ (schema);
  return typeof known?._def?.typeName === "string";
}

/**
 * @param {Schema} schema
 * @param {Set<unknown>} [open] lazy schemas being read, to cut cycles
 * @param {Kinds} [kinds]
 * @returns {Json}
 */
export function fromZod3(schema, open = new Set(), kinds = KINDS) {
  const def = schema._def;
  const read = kinds[def.typeName];
  if (read === undefined) throw new UnsupportedSchemaError(`zod's ${def.typeName}`);
  const json = read(def, (inner) => fromZod3(inner, open, kinds), open, kinds);
  return def.description === undefined ? json : { ...json, description: def.description };
}

/** @type {Kinds} */
export const KINDS = {
  ZodString: (def) => ({ type: "string", ...joined(def.checks.map(stringCheck)) }),
  ZodNumber: (def) => ({ type: "number", ...joined(def.checks.map(numberCheck)) }),
  ZodBoolean: () => ({ type: "boolean" }),
  ZodNull: () => ({ type: "null" }),
  ZodAny: () => ({}),
  ZodUnknown: () => ({}),
  ZodNever: () => ({ not: {} }),
  ZodLiteral: (def) => ({ const: def.value }),
  ZodEnum: (def) => ({ type: "string", enum: def.values }),
  ZodNativeEnum: (def) => ({ enum: enumValues(def.values) }),
  ZodArray: (def, read) => ({ type: "array", items: read(def.type), ...arrayBounds(def) }),
  ZodTuple: (def, read) => tupleSchema(def.items.map(read), def.rest && read(def.rest)),
  ZodObject: (def, read) => objectSchema(def, read),
  ZodRecord: (def, read) => ({ type: "object", additionalProperties: read(def.valueType) }),
  ZodUnion: (def, read) => ({ anyOf: [...def.options.values()].map(read) }),
  ZodDiscriminatedUnion: (def, read) => ({ anyOf: [...def.options.values()].map(read) }),
  ZodIntersection: (def, read) => intersected(read(def.left), read(def.right)),
  ZodOptional: (def, read) => read(def.innerType),
  ZodNullable: (def, read) => nullable(read(def.innerType)),
  ZodDefault: (def, read) => ({ ...read(def.innerType), default: def.defaultValue() }),
  ZodCatch: (def, read) => bare(read(def.innerType)),
  ZodReadonly: (def, read) => read(def.innerType),
  ZodBranded: (def, read) => read(def.type),
  ZodEffects: (def, read) => read(def.schema),
  ZodPipeline: (def, read) => read(def.in),
  ZodLazy: (def, _read, open, kinds) => {
    if (open.has(def.getter)) return {};
    const inner = def.getter();
    return fromZod3(inner, new Set(open).add(def.getter), kinds);
  },
};

/** @param {Definition} def @param {(schema: Schema) => Json} read @returns {Json} */
export function objectSchema(def, read) {
  /** @type {Json} */
  const properties = {};
  const required = [];
  for (const [key, field] of Object.entries(def.shape())) {
    properties[key] = read(field);
    if (!field.isOptional()) required.push(key);
  }
  const open = def.unknownKeys === "passthrough";
  const rest =
    def.catchall === undefined || def.catchall._def.typeName === "ZodNever"
      ? def.unknownKeys === "strict"
        ? false
        : undefined
      : read(def.catchall);
  return {
    type: "object",
    properties,
    required,
    ...(open || rest === undefined ? {} : { additionalProperties: rest }),
  };
}

/** @param {Definition} def @returns {Json} */
function arrayBounds(def) {
  if (def.exactLength) return { minItems: def.exactLength.value, maxItems: def.exactLength.value };
  return {
    ...(def.minLength ? { minItems: def.minLength.value } : {}),
    ...(def.maxLength ? { maxItems: def.maxLength.value } : {}),
  };
}

/** @param {Check} check @returns {Json} */
function stringCheck(check) {
  switch (check.kind) {
    case "min":
      return { minLength: check.value };
    case "max":
      return { maxLength: check.value };
    case "length":
      return { minLength: check.value, maxLength: check.value };
    case "regex":
      return { pattern: check.regex.source };
    case "email":
    case "uuid":
    case "date":
    case "time":
      return { format: check.kind };
    case "url":
      return { format: "uri" };
    case "datetime":
      return { format: "date-time" };
    default:
      return {};
  }
}

/** @param {Check} check @returns {Json} */
function numberCheck(check) {
  switch (check.kind) {
    case "int":
      return { type: "integer" };
    case "min":
      return check.inclusive ? { minimum: check.value } : { exclusiveMinimum: check.value };
    case "max":
      return check.inclusive ? { maximum: check.value } : { exclusiveMaximum: check.value };
    case "multipleOf":
      return { multipleOf: check.value };
    default:
      return {};
  }
}

// A numeric TypeScript enum also maps its numbers back to names.
/** @param {Record<string, unknown>} entries */
export function enumValues(entries) {
  const numbers = Object.values(entries).filter((value) => typeof value === "number");
  return Object.entries(entries)
    .filter(([key]) => !numbers.includes(Number(key)))
    .map(([, value]) => value);
}
