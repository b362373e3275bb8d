// SPDX-License-Identifier: MIT
// Describes the form that a model's answer must have. Does not depend on how a model is asked, or
// how its answer is read.
import { toolJsonSchema } from "../tools/index.js";

/** @typedef {import("../base/callable.js").Value} Value */
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

/** @param {string} name @param {Value} schema @param {Method} method @returns {Form} */
export function formOf(name, schema, method) {
  const json = /** @type {Record<string, Value>} */ (toolJsonSchema({ schema }));
  const isObject = (json.type ?? "object") === "object";
  const isOther = json.type === undefined && OTHER_TYPES.some((key) => key in json);
  const wrapped = method !== "text" && (isOther || !isObject);
  return { name, schema, json: wrapped ? wrap(json) : json, wrapped, method };
}

/** @param {Record<string, Value>} json @returns {Record<string, Value>} */
function wrap(json) {
  /** @type {Record<string, Value>} */
  const $defs = {};
  const value = embed(json, { place: "#/properties/value", $defs });
  const whole = { type: "object", properties: { value }, required: ["value"] };
  return Object.keys($defs).length === 0 ? whole : { ...whole, $defs };
}

/**
 * Returns a schema as a part of another one, in which its references lead where they led.
 * @param {Record<string, Value>} schema
 * @param {{ place: string, $defs: Record<string, Value>, prefix?: string }} whole `place` of the
 *   part; `$defs` gets the part's definitions, under names that begin with the prefix
 * @returns {Record<string, Value>}
 */
export function embed(schema, { place, $defs, prefix = "" }) {
  const {
    $defs: recent,
    definitions,
    ...part
  } = moved(schema, (reference) =>
    reference
      .replace(DEFINITION, `#/$defs/${prefix}`.replaceAll("$", "$$$$"))
      .replace(INNER, place),
  );
  for (const [name, one] of Object.entries({ ...definitions, ...recent }))
    $defs[prefix + name] = one;
  return part;
}

/**
 * @param {Record<string, Value>} schema @param {(reference: string) => string} move
 * @returns {Record<string, Value>}
 */
function moved(schema, move) {
  return JSON.parse(JSON.stringify(schema), (key, one) =>
    key === "$ref" && typeof one === "string" ? move(one) : one,
  );
}
