// SPDX-License-Identifier: MIT
// Rewrites a JSON Schema to what Anthropic's structured output takes; what it does not take is told
// to the model in the description. The answer is checked against the schema as it was given.
import { DEFINITIONS, FORMATS, eachSchema } from "../answer-form.js";

/** @typedef {import("../answer-parts.js").Fields} Schema */

const KEPT = ["enum", "const", "title", "required"];
const LISTS = ["anyOf", "allOf"];

/**
 * Returns the schema in the service's form.
 * @param {Schema | boolean} given
 * @returns {Schema | boolean}
 */
export function formSchema(given) {
  if (given === null || typeof given !== "object") return given;
  const { $ref, $schema: _dialect, type, description, ...schema } = given;
  if (schema.oneOf !== undefined && schema.anyOf === undefined) {
    schema.anyOf = schema.oneOf;
    delete schema.oneOf;
  }
  // A list of values says their types itself.
  const isTyped = type !== undefined && schema.enum === undefined && schema.const === undefined;
  /** @type {[string, unknown][]} */
  const kept = isTyped ? [["type", type]] : [];
  /** @type {[string, unknown][]} */
  const told = [];
  for (const [key, value] of Object.entries(schema)) {
    const taken = rewritten(key, value);
    if (taken !== undefined) kept.push([key, taken]);
    else if (key !== "additionalProperties" || typeof value !== "boolean") told.push([key, value]);
  }
  const defined = kept.filter(([key]) => DEFINITIONS.includes(key));
  if ($ref !== undefined) return Object.fromEntries([["$ref", $ref], ...defined]);
  if (type === "object" || schema.properties !== undefined) {
    if (schema.properties === undefined) kept.push(["properties", {}]);
    kept.push(["additionalProperties", false]);
  }
  const words = [description, tellingOf(told)].filter(Boolean).join("\n\n");
  if (words !== "") kept.push(["description", words]);
  return Object.fromEntries(kept);
}

/**
 * Returns the value of a keyword as the service takes it; undefined if it does not.
 * @param {string} key
 * @param {Schema[string]} value
 */
function rewritten(key, value) {
  if (KEPT.includes(key)) return value;
  if (LISTS.includes(key) && Array.isArray(value)) return value.map(formSchema);
  if (key === "properties" || DEFINITIONS.includes(key))
    return eachSchema(value ?? {}, (schema) => formSchema(schema));
  if (key === "items" && !Array.isArray(value)) return formSchema(value);
  if (key === "format" && (value === "uri" || FORMATS.includes(value))) return value;
  if (key === "minItems" && (value === 0 || value === 1)) return value;
  return undefined;
}

/** @param {[string, unknown][]} told */
function tellingOf(told) {
  if (told.length === 0) return "";
  return `{${told.map(([key, value]) => `${key}: ${JSON.stringify(value)}`).join(", ")}}`;
}
