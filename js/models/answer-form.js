// SPDX-License-Identifier: MIT
// Describes the form that a model's answer must have. Does not depend on how a model is asked, or
// how its answer is read.
import { toolJsonSchema } from "../tools/index.js";

/** @typedef {import("../base/callable.js").Value} Value */
/** @typedef {Record<string, unknown>} Json */
/** @typedef {"native" | "tool" | "text"} Method */
/**
 * `wrapped`: the schema stands below the property `value`, since the model must get an object's;
 * `fit`: takes back what a service demanded beyond the schema.
 * @typedef {{ name: string, schema: Value, json: Record<string, Value>, wrapped: boolean, method:
 *   Method, fit?: (value: unknown) => unknown }} Form
 */

/** Keywords that say what a value is in place of `type`: services refuse them at the root. */
const OTHER_TYPES = ["anyOf", "oneOf", "allOf", "$ref", "enum", "const"];
/** Beginnings of references: to a definition, and to another part of the schema. */
const DEFINITION = /^#\/(?:\$defs|definitions)\//;
const INNER = /^#(?!\/\$defs\/)(?=$|\/)/;

/** Where a schema has others by name, beside `properties`. */
export const DEFINITIONS = ["$defs", "definitions"];
/** Formats of texts that services take in the form of an answer. */
export const FORMATS = [
  "date-time",
  "time",
  "date",
  "duration",
  "email",
  "hostname",
  "ipv4",
  "ipv6",
  "uuid",
];

/**
 * Changes each of the schemas by name.
 * @template Schema
 * @param {Record<string, Schema>} schemas
 * @param {(schema: Schema, name: string) => unknown} change
 * @returns {Json}
 */
export function eachSchema(schemas, change) {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, change(schema, name)]),
  );
}

/** @param {string} name @param {Value} schema @param {Method} method @returns {Form} */
export function formOf(name, schema, method) {
  const json = toolJsonSchema({ schema });
  const isObject = (json.type ?? "object") === "object";
  const isOther = json.type === undefined && OTHER_TYPES.some((key) => key in json);
  const wrapped = method !== "text" && (isOther || !isObject);
  return { name, schema, json: wrapped ? wrap(json) : json, wrapped, method };
}

/** @param {Json} json @returns {Json} */
function wrap(json) {
  /** @type {Json} */
  const $defs = {};
  const value = embed(json, { place: "#/properties/value", $defs });
  const whole = { type: "object", properties: { value }, required: ["value"] };
  return Object.keys($defs).length === 0 ? whole : { ...whole, $defs };
}

/**
 * Returns a schema as a part of another one, in which its references lead where they led.
 * @param {Json} schema
 * @param {{ place: string, $defs: Json, prefix?: string }} whole `place` of the part; `$defs` gets
 *   the part's definitions, under names that begin with the prefix
 * @returns {Json}
 */
export function embed(schema, { place, $defs, prefix = "" }) {
  const move = (/** @type {string} */ reference) =>
    reference.replace(DEFINITION, () => `#/$defs/${prefix}`).replace(INNER, place);
  /** @type {Json & { $defs?: Json, definitions?: Json }} */
  const moved = JSON.parse(JSON.stringify(schema), (key, one) =>
    key === "$ref" && typeof one === "string" ? move(one) : one,
  );
  const { $defs: recent, definitions, ...part } = moved;
  for (const [name, one] of Object.entries({ ...definitions, ...recent }))
    $defs[prefix + name] = one;
  return part;
}
