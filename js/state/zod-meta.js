// SPDX-License-Identifier: MIT
// Keeps metadata that users add to zod schemas (reducer, initial value). Owns that map, for the
// whole process. Does not depend on zod or graphs.

/**
 * @typedef {object} Meta
 * @property {{ schema?: unknown, fn: (left: unknown, right: unknown) => unknown }} [reducer]
 * @property {() => unknown} [default]
 * @property {Record<string, unknown>} [jsonSchemaExtra]
 */

/** @type {Map<object, Meta>} */
export const metas = /* @__PURE__ */ new Map();

/**
 * Sets a schema's metadata, replacing any earlier one.
 * @template T
 * @param {T} schema
 * @param {Meta} meta
 * @returns {T} the schema
 */
export function setMeta(schema, meta) {
  metas.set(/** @type {Record<PropertyKey, unknown>} */ (schema), meta);
  return schema;
}
