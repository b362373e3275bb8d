// SPDX-License-Identifier: MIT
// Finds what a keyword of a JSON Schema says, what it stands in, and values by their JSON Pointers.
import { isRecord } from "../base/check-arguments.js";

/** @typedef {Record<string, unknown>} Json */

/**
 * Collects the names of all properties in a schema.
 * @param {unknown} schema @param {string[]} names of those found so far
 */
export function namesBelow(schema, names = []) {
  if (schema === null || typeof schema !== "object") return names;
  for (const [key, value] of Object.entries(schema)) {
    if (key === "properties" && isRecord(value)) for (const name in value) names.push(name);
    namesBelow(value, names);
  }
  return names;
}

/**
 * Returns the value of a keyword; follows references within the schema.
 * @param {Json} schema @param {string} keyword JSON Pointer that may lead through `$ref`
 */
export function keywordValue(schema, keyword) {
  const [first, ...rest] = keyword.split("/$ref/");
  let value = placeOf(schema, first)?.value;
  for (const part of rest) {
    const target = /** @type {Json | undefined} */ (value)?.$ref;
    if (typeof target !== "string" || !target.startsWith("#/")) return undefined;
    value = placeOf(schema, `${target.slice(1)}/${part}`)?.value;
  }
  return value;
}

/**
 * Does the schema name the value's type? Keywords for texts, say, let every list pass: a text that
 * breaks them is not to become one.
 * @param {Json} root @param {unknown} schema @param {unknown} value
 * @param {Set<unknown>} [seen] parts that references and alternatives led to
 * @returns {boolean}
 */
export function isWanted(root, schema, value, seen = new Set()) {
  if (!isRecord(schema) || seen.has(schema)) return false;
  seen.add(schema);
  const { type, enum: values = "const" in schema ? [schema.const] : undefined, $ref } = schema;
  const types = typesOf(value);
  if (type !== undefined) return [type].flat().some((one) => types.includes(String(one)));
  if (Array.isArray(values)) return values.some((one) => typesOf(one)[0] === types[0]);
  const { anyOf = [], oneOf = [], allOf = [] } = schema;
  const parts = [anyOf, oneOf, allOf].flat();
  if (typeof $ref === "string" && $ref.startsWith("#"))
    parts.push(placeOf(root, $ref.slice(1))?.value);
  return parts.some((part) => isWanted(root, part, value, seen));
}

/** @param {unknown} value of JSON @returns {string[]} its types in a schema */
function typesOf(value) {
  if (value === null) return ["null"];
  if (Array.isArray(value)) return ["array"];
  return Number.isInteger(value) ? ["number", "integer"] : [typeof value];
}

/** @param {string} pointer */
export function tokensOf(pointer) {
  return pointer === ""
    ? []
    : pointer
        .slice(1)
        .split("/")
        .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** @param {unknown} root @param {string} pointer @returns {{ value: unknown } | undefined} */
export function placeOf(root, pointer) {
  let value = root;
  for (const token of tokensOf(pointer)) {
    if (value === null || typeof value !== "object" || !Object.hasOwn(value, token))
      return undefined;
    value = /** @type {Json} */ (value)[token];
  }
  return { value };
}
