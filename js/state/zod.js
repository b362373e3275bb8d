// SPDX-License-Identifier: MIT
// Reads zod objects of versions 3, 4 and mini as states, by shape: their channels and parsing. Does
// not depend on graphs or runs.
import { BinaryOperatorAggregate, LastValue } from "./channels.js";
import { schemaDefault } from "./standard-schema.js";
import { metas } from "./zod-meta.js";

/** @typedef {import("../base/callable.js").Value} Value */
/** @typedef {Record<string, Value>} Fields */

/** @param {Value} value @returns {boolean} */
export function isZodObject(value) {
  return value?._zod?.def?.type === "object" || value?._def?.typeName === "ZodObject";
}

/** @param {Value} schema @returns {Fields} */
export function zodFields(schema) {
  return schema._zod?.def.shape ?? schema.shape;
}

/**
 * @param {unknown} schema
 * @param {Map<object, import("./zod-meta.js").Meta>} [said]
 * @returns {Record<string, import("./channels.js").BaseChannel>}
 */
export function zodChannels(schema, said = metas) {
  return Object.fromEntries(
    Object.entries(zodFields(schema)).map(([key, field]) => [
      key,
      channelOf(field, said.get(field)),
    ]),
  );
}

/** @param {unknown} field @param {import("./zod-meta.js").Meta | undefined} meta */
function channelOf(field, meta) {
  if (meta?.reducer === undefined) return new LastValue(meta?.default);
  return new BinaryOperatorAggregate(meta.reducer.fn, meta.default ?? schemaDefault(field));
}

/**
 * Parses a value by a schema. Its error has the name of zod's core, as in LangGraph.
 * @param {Value} schema
 * @param {unknown} value
 */
export function zodParse(schema, value) {
  try {
    return schema.parse(value);
  } catch (/** @type {Value} */ error) {
    if (schema._zod && error.name === "ZodError") error.name = "$ZodError";
    throw error;
  }
}
