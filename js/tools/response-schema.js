// SPDX-License-Identifier: MIT
// Prints a schema of zod 3 or mini for the person who answers an interrupt. Does not depend on
// interrupts.
import { isRecord } from "../base/check-arguments.js";
import { KINDS, enumValues, fromZod3, isZod3, objectSchema } from "./zod3.js";
import { fromZod4 } from "./zod4.js";

/** @typedef {import("./zod3.js").Schema} Schema */
/** @typedef {Record<string, unknown>} Json */
/** @typedef {Json & { prefixItems?: Json[], anyOf?: Json[], required?: string[] }} Completed */

const NOTHING = () => ({ not: {} });
const ANYTHING = () => ({});

/** Also has kinds that a tool's arguments cannot have. @type {import("./zod3.js").Kinds} */
const SHOWN = {
  ...KINDS,
  ZodDate: () => ({ type: "string", format: "date-time" }),
  ZodBigInt: () => ({ type: "integer", format: "int64" }),
  ZodUndefined: NOTHING,
  ZodNaN: NOTHING,
  ZodSymbol: ANYTHING,
  ZodVoid: ANYTHING,
  ZodMap: (def, read) => ({
    type: "array",
    maxItems: 125,
    items: {
      type: "array",
      items: [read(def.keyType), read(def.valueType)],
      minItems: 2,
      maxItems: 2,
    },
  }),
  ZodSet: (def, read) => ({ type: "array", uniqueItems: true, items: read(def.valueType) }),
  ZodNativeEnum: (def) => {
    const values = enumValues(def.values);
    const types = ["string", "number"].filter((type) =>
      values.some((value) => typeof value === type),
    );
    return { type: types.length === 1 ? types[0] : types, enum: values };
  },
  ZodArray: (def, read) => {
    const { items, ...array } = KINDS.ZodArray(def, read, new Set(), SHOWN);
    return def.type._def.typeName === "ZodAny" ? array : { ...array, items };
  },
  ZodOptional: (def, read) => ({ anyOf: [{ not: {} }, read(def.innerType)] }),
  ZodCatch: (def, read) => read(def.innerType),
  ZodPipeline: (def, read) => ({ allOf: [read(def.in), read(def.out)] }),
  ZodObject: (def, read) => ({
    ...objectSchema(def, (field) => read(required(field))),
    ...(def.unknownKeys === "passthrough" ? { additionalProperties: true } : {}),
  }),
};

/** Returns the schema of a field that is present. @param {Schema} field @returns {Schema} */
function required(field) {
  const { typeName, innerType } = field._def;
  return typeName === "ZodOptional" ? required(innerType) : field;
}

/** @param {unknown} schema of one of the two */
export function printResponse(schema) {
  if (isZod3(schema))
    return {
      ...closed(fromZod3(schema, new Set(), SHOWN)),
      $schema: "http://json-schema.org/draft-07/schema#",
    };
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    ...fromZod4(/** @type {import("./zod4.js").Schema} */ (schema)),
  };
}

/**
 * Completes JSON Schema as LangChain prints zod 3 (draft 7): objects forbid additional properties,
 * except parts of an allOf; tuples are lists of items.
 * @param {Json} json
 * @param {boolean} [isPart]
 * @returns {Json}
 */
function closed(json, isPart = false) {
  const { prefixItems, anyOf, required, ...inner } = /** @type {Completed} */ (
    Object.fromEntries(
      Object.entries(json).map(([key, value]) => [key, closedPart(value, key === "allOf")]),
    )
  );
  if (prefixItems !== undefined) return tuple(inner, prefixItems);
  if (anyOf !== undefined) return { ...inner, ...union(anyOf) };
  if ("const" in inner) return { type: typeOf(inner.const), ...inner };
  const isOpen =
    !isPart &&
    inner.type === "object" &&
    inner.properties !== undefined &&
    !("additionalProperties" in inner);
  return {
    ...inner,
    ...(required !== undefined && required.length > 0 ? { required } : {}),
    ...(isOpen ? { additionalProperties: false } : {}),
  };
}

/** @param {unknown} json @param {boolean} isPart @returns {unknown} */
function closedPart(json, isPart) {
  if (Array.isArray(json)) return json.map((item) => closedPart(item, isPart));
  return isRecord(json) ? closed(json, isPart) : json;
}

/** @param {unknown} value */
function typeOf(value) {
  return value === null ? "null" : typeof value;
}

/** @param {Json} json @param {unknown[]} items */
function tuple({ items: rest, minItems, ...json }, items) {
  const end =
    rest === undefined || rest === false ? { maxItems: items.length } : { additionalItems: rest };
  return { ...json, minItems: items.length, items, ...end };
}

/** Merges plain types, or literals, into one schema. @param {Json[]} parts */
function union(parts) {
  const types = [...new Set(parts.map(({ type }) => type))];
  const type = types.length > 1 ? types : types[0];
  if (parts.every((part) => Object.keys(part).length === 1 && typeof part.type === "string"))
    return { type };
  if (parts.every((part) => Object.keys(part).length === 2 && "const" in part))
    return { type, enum: parts.map((part) => part.const) };
  return { anyOf: parts };
}
