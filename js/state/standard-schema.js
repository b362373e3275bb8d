// SPDX-License-Identifier: MIT
// Reads Standard Schemas (zod, valibot, arktype …) by shape: recognises them, finds their initial
// value and JSON Schema. Does not depend on states or graphs.

/** @typedef {import("../base/callable.js").Value} Value */
/**
 * @typedef {{ "~standard": { validate: (value: unknown) => Value, jsonSchema?: Value } }}
 *   StandardSchema
 */

/**
 * @param {Value} schema an object, or a function as in arktype
 * @returns {schema is StandardSchema} can it validate?
 */
export function isStandardSchema(schema) {
  return typeof schema?.["~standard"]?.validate === "function";
}

/**
 * @param {unknown} schema
 * @returns {schema is StandardSchema} can it validate, and return its JSON Schema?
 */
export function isSerializableSchema(schema) {
  const json = isStandardSchema(schema) ? schema["~standard"].jsonSchema : undefined;
  return typeof json === "object" && json !== null;
}

/**
 * Returns the maker of a schema's value for undefined, if it accepts that.
 * @param {unknown} schema
 * @returns {(() => unknown) | undefined}
 */
export function schemaDefault(schema) {
  if (!isStandardSchema(schema)) return undefined;
  try {
    const made = schema["~standard"].validate(undefined);
    if (typeof made !== "object" || made === null || typeof made.then === "function" || made.issues)
      return undefined;
    return () => schema["~standard"].validate(undefined).value;
  } catch {
    return undefined;
  }
}

/** @param {unknown} schema @returns {Record<string, unknown> | undefined} */
export function schemaJson(schema) {
  if (!isSerializableSchema(schema)) return undefined;
  try {
    return schema["~standard"].jsonSchema.input({ target: "draft-07" });
  } catch {
    return undefined;
  }
}
