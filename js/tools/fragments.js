// SPDX-License-Identifier: MIT
// Builds the pieces of JSON Schema that both versions of zod need. Does not depend on zod or tools.

/** @typedef {Record<string, unknown>} Json */

/** @param {Json[]} parts @returns {Json} */
export function joined(parts) {
  return Object.assign({}, ...parts);
}

/** @param {Json} schema @returns {Json} */
export function nullable(schema) {
  if (typeof schema.type === "string" && schema.enum === undefined && schema.const === undefined)
    return { ...schema, type: [schema.type, "null"] };
  return { anyOf: [schema, { type: "null" }] };
}

// Keeps only the description: a value with a fallback is never rejected.
/** @param {Json} schema @returns {Json} */
export function bare(schema) {
  return schema.description === undefined ? {} : { description: schema.description };
}

/** @param {Json} left @param {Json} right @returns {Json} */
export function intersected(left, right) {
  return { allOf: [left, right] };
}

/** @param {Json[]} items @param {Json | null | undefined} rest @returns {Json} */
export function tupleSchema(items, rest) {
  return { type: "array", prefixItems: items, items: rest ?? false, minItems: items.length };
}

// Drops bounds that do not fit the type, as zod's checks of strings and lists are the same.
/** @param {Json} schema @returns {Json} */
export function withoutForeignBounds(schema) {
  const { minLength, maxLength, minItems, maxItems, ...rest } = schema;
  const isList = schema.type === "array";
  /** @type {Json} */
  const bounds = isList
    ? { minItems, maxItems }
    : schema.type === "string"
      ? { minLength, maxLength }
      : {};
  for (const key of Object.keys(bounds)) if (bounds[key] === undefined) delete bounds[key];
  return { ...rest, ...bounds };
}
