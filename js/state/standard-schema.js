// SPDX-License-Identifier: MIT
// Knows: Standard Schema (zod, valibot, arktype …) by shape: what is one, its initial value, its
// JSON Schema. Must not know: states, graphs.

/** @typedef {import("../base/callable.js").Value} Value */
/**
 * @typedef {{ "~standard": { validate: (value: unknown) => Value, jsonSchema?: Value } }}
 *   StandardSchema
 */

/**
 * @param {Value} schema an object, or a function as arktype's
 * @returns {schema is StandardSchema} can it validate?
 */
export function isStandardSchema(schema) {
  return typeof schema?.["~standard"]?.validate === "function";
}

/**
 * @param {unknown} schema
 * @returns {schema is StandardSchema} can it validate, and tell its JSON Schema?
 */
export function isSerializableSchema(schema) {
  const json = isStandardSchema(schema) ? schema["~standard"].jsonSchema : undefined;
  return typeof json === "object" && json !== null;
}

/**
 * What a schema makes of nothing, when it takes nothing.
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
