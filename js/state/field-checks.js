// SPDX-License-Identifier: MIT
// Checks writes by the fields of a StateSchema. Imported with Weft's StateSchema; for
// LangGraph.js's it is loaded by the first call with something to check. Does not depend on runs.
import { isOverwrite, overwriteValue, overwriting } from "../base/constants.js";
import { isPromise } from "../base/callable.js";
import { FoldedValue, isUntracked } from "./state-fields.js";

/** @typedef {import("../base/callable.js").Value} Value */
/** @typedef {import("./standard-schema.js").StandardSchema} StandardSchema */

/** @param {Value} schema a StateSchema @returns {import("./annotation.js").Checks} */
export function fieldChecks(schema) {
  const all = (/** @type {unknown} */ input) => schema.validateInput(input);
  return { all, some: all, field: (key, value) => checkField(schema.fields, key, value) };
}

/**
 * Parses a value written to a field by the field's schema.
 * @param {Record<string, Value>} fields
 * @param {string} key
 * @param {unknown} value
 * @returns {unknown} a promise if the schema is asynchronous
 */
export function checkField(fields, key, value) {
  if (!Object.hasOwn(fields, key)) return value;
  const field = fields[key];
  if (!(field instanceof FoldedValue))
    return parse(key, isUntracked(field) ? field.schema : field, value);
  if (!isOverwrite(value)) return parse(key, field.inputSchema, value);
  const parsed = parse(key, field.valueSchema, overwriteValue(value));
  return isPromise(parsed) ? parsed.then(overwriting) : overwriting(parsed);
}

/** @param {string} key @param {StandardSchema | undefined} schema @param {unknown} value */
function parse(key, schema, value) {
  if (schema === undefined) return value;
  const result = schema["~standard"].validate(value);
  return isPromise(result) ? result.then((made) => parsed(key, made)) : parsed(key, result);
}

/** @param {string} key @param {Value} result */
function parsed(key, result) {
  if (result.issues)
    throw new Error(`Validation failed for field "${key}": ${JSON.stringify(result.issues)}`);
  return result.value;
}
