// SPDX-License-Identifier: MIT
// Knows: what users say about a zod schema beside zod (its reducer, its initial value). Owns that
// list, for the whole process. Must not know: zod itself, graphs.

/** @typedef {import("../base/callable.js").Value} Value */
/**
 * @typedef {object} Meta
 * @property {{ schema?: Value, fn: (left: unknown, right: unknown) => unknown }} [reducer]
 * @property {() => unknown} [default]
 * @property {Record<string, Value>} [jsonSchemaExtra]
 */

/** @type {Map<object, Meta>} */
export const metas = /* @__PURE__ */ new Map();

/**
 * Says it of a schema, in place of what was said before.
 * @template T
 * @param {T} schema
 * @param {Meta} meta
 * @returns {T} the schema
 */
export function setMeta(schema, meta) {
  metas.set(/** @type {Record<PropertyKey, Value>} */ (schema), meta);
  return schema;
}
