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

/** @param {string} name @param {Value} schema @param {Method} method @returns {Form} */
export function formOf(name, schema, method) {
  const json = toolJsonSchema({ schema });
  const wrapped = json.type !== undefined && json.type !== "object" && method !== "text";
  return {
    name,
    schema,
    json: wrapped
      ? { type: "object", properties: { value: json }, required: ["value"] }
      : /** @type {Record<string, Value>} */ (json),
    wrapped,
    method,
  };
}
