// SPDX-License-Identifier: MIT
// Rewrites a JSON Schema to the keywords that Gemini knows; the others stand in its description.
// Answers are checked against the original. Does not depend on tools and models.
import { isRecord } from "../../base/check-arguments.js";

/** @typedef {import("../answer-parts.js").Fields} Json */

const KEPT = [
  "$id",
  "$anchor",
  "type",
  "format",
  "title",
  "minItems",
  "maxItems",
  "minimum",
  "maximum",
  "required",
  "propertyOrdering",
];
const LISTS = ["anyOf", "oneOf", "prefixItems"];
const MAPS = ["properties", "$defs"];
/** Below this many levels a schema is `{}`; Gemini refuses schemas far less deep. */
const MOST_LEVELS = 64;
const OLD_REF = /^#\/definitions\//;

/**
 * @param {unknown} given a JSON Schema
 * @returns {Json}
 */
export function geminiSchema(given) {
  return rewritten(given, 0);
}

/** @param {unknown} given @param {number} level @returns {Json} */
function rewritten(given, level) {
  if (!isRecord(given) || level > MOST_LEVELS) return {};
  const { description, ...schema } = joined(given);
  const next = (/** @type {unknown} */ value) => rewritten(value, level + 1);
  /** @type {Json} */
  const made = {};
  /** @type {Json} */
  const told = {};
  for (const [key, value] of Object.entries(schema)) {
    if (KEPT.includes(key)) made[key] = value;
    else if (key === "$ref") made.$ref = String(value).replace(OLD_REF, "#/$defs/");
    else if (key === "definitions") made.$defs = { ...made.$defs, ...mapped(value, next) };
    else if (MAPS.includes(key)) made[key] = { ...made[key], ...mapped(value, next) };
    else if (LISTS.includes(key)) made[key] = listed(value, next);
    else if (key === "items" && Array.isArray(value)) made.prefixItems = listed(value, next);
    else if (key === "items") made.items = next(value);
    else if (key === "additionalProperties")
      made[key] = typeof value === "boolean" ? value : next(value);
    else if (key === "enum" && isPlain(value)) made.enum = value;
    else if (key === "const" && isPlain([value])) made.enum = [value];
    else if (!key.startsWith("$")) told[key] = value;
  }
  // Beside a reference Gemini takes only keywords with a dollar sign.
  if (made.$ref !== undefined)
    return Object.fromEntries(Object.entries(made).filter(([key]) => key.startsWith("$")));
  const words = [description, Object.keys(told).length === 0 ? undefined : JSON.stringify(told)];
  const text = words.filter((word) => typeof word === "string").join("\n");
  return text === "" ? made : { ...made, description: text };
}

/**
 * Joins the schemas of `allOf`, which Gemini does not know, into the one around them; references
 * among several of them stay in it, and so in the description.
 * @param {Json} schema
 * @returns {Json}
 */
function joined({ allOf, ...schema }) {
  if (!Array.isArray(allOf)) return schema;
  const parts = allOf.filter(isRecord);
  if (parts.length === 1 && schema.properties === undefined)
    return joined({ ...parts[0], ...schema });
  const whole = { ...schema };
  for (const part of parts)
    if (part.$ref !== undefined) (whole.allOf ??= []).push(part);
    else
      for (const [key, value] of Object.entries(joined(part)))
        if (key === "properties") whole.properties = { ...value, ...whole.properties };
        else if (key === "required") whole.required = [whole.required ?? [], value].flat();
        else whole[key] ??= value;
  return whole;
}

/** @param {unknown} map @param {(value: unknown) => Json} next */
function mapped(map, next) {
  if (!isRecord(map)) return {};
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, next(value)]));
}

/** @param {unknown} list @param {(value: unknown) => Json} next */
function listed(list, next) {
  return Array.isArray(list) ? list.map(next) : [];
}

/** Gemini's `enum` takes texts and numbers. @param {unknown} list */
function isPlain(list) {
  return Array.isArray(list) && list.every((value) => ["string", "number"].includes(typeof value));
}
