// SPDX-License-Identifier: MIT
// Refuses JSON Schemas of tools that are unusable, as far as that is visible without the engine,
// which may not be loaded when a tool is made. The engine compiles them completely later. Does not
// depend on how arguments are checked.
import { ERR_SCHEMA } from "../base/codes.js";
import { makeError } from "../base/errors.js";
import { isObject } from "../base/check-arguments.js";
import { checksItself } from "./input.js";

/** @typedef {import("./input.js").SchemaLike} SchemaLike */
/** @typedef {Record<string, unknown>} Json */

const TYPES = ["array", "boolean", "integer", "null", "number", "object", "string"];
/** Maximum depth of JSON that the engine reads. */
const MOST_DEPTH = 128;
/** The usual keywords with a schema or a list of them. */
const HOLDERS = ["items", "anyOf", "oneOf", "allOf", "additionalProperties"];

/**
 * Refuses an invalid schema, naming the tool; schemas of libraries (zod, Standard Schema) check
 * themselves.
 * @param {string} name of the tool
 * @param {unknown} given the schema
 */
export function refuseBadSchema(name, given) {
  if (given === undefined || given === null) return;
  if (!isObject(given) || Array.isArray(given)) throw unusable(name, "a schema is an object");
  const schema = /** @type {SchemaLike} */ (given);
  if (checksItself(schema) || schema._zod !== undefined || schema._def !== undefined) return;
  if (
    typeof schema === "function" ||
    typeof (
      schema.toJSONSchema ??
      schema.toJsonSchema ??
      schema["~standard"]?.jsonSchema?.input
    ) === "function"
  )
    return;
  check(name, isObject(schema.jsonSchema) ? schema.jsonSchema : schema, new Set(), 1);
}

/** @param {string} at @param {unknown} given @param {Set<unknown>} seen @param {number} depth */
function check(at, given, seen, depth) {
  if (typeof given === "boolean" || seen.has(given)) return;
  if (!isObject(given) || Array.isArray(given))
    throw unusable(at, "a schema is an object or a boolean");
  if (depth > MOST_DEPTH) throw unusable(at, `it is nested deeper than ${MOST_DEPTH} levels`);
  seen.add(given);
  const schema = /** @type {Json} */ (given);
  if (schema.$ref !== undefined) return;
  const { type } = schema;
  const types = Array.isArray(type) ? type : [type];
  if (type !== undefined && !types.every((one) => TYPES.includes(one)))
    throw unusable(`${at}/type`, "an unknown type");
  for (const key of HOLDERS) {
    const held = schema[key];
    if (Array.isArray(held))
      held.forEach((one, index) => check(`${at}/${key}/${index}`, one, seen, depth + 1));
    else if (held !== undefined) check(`${at}/${key}`, held, seen, depth + 1);
  }
  for (const [field, one] of Object.entries(schema.properties ?? {}))
    check(`${at}/properties/${field}`, one, seen, depth + 1);
}

/** @param {string} at @param {string} why */
function unusable(at, why) {
  return makeError(ERR_SCHEMA, [at, why]);
}
