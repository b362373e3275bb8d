// SPDX-License-Identifier: MIT
// Knows: the JSON Schema of an answer that a node waits for, for whoever shows the question. Who
// brings zod brings its printer too. Owns that printer. Must not know: runs, zod.

/** @typedef {import("../base/callable.js").Value} Value */

/** @type {((schema: unknown) => unknown) | undefined} */
let printZod;

/** @param {(schema: unknown) => unknown} print for zod 3 and mini */
export function usePrinter(print) {
  printZod = print;
}

/** @param {Value} schema */
export function isZod(schema) {
  return (schema?._zod ?? schema?._def?.typeName) !== undefined;
}

/**
 * As LangGraph.js prints it: what it takes, with what has a default, and no more than that.
 * @param {{ jsonSchema: Value }} shown
 */
function override({ jsonSchema: json }) {
  const { properties, required } = json;
  const all =
    properties &&
    Object.keys(properties).filter(
      (key) => required?.includes(key) || "default" in properties[key],
    );
  if (all) Object.assign(json, { required: all[0] && all, additionalProperties: false });
}

/** Zod 4 prints itself, JSON Schema is one. @param {Value} schema */
export function responseJson(schema) {
  if (typeof schema?.toJSONSchema === "function")
    return schema.toJSONSchema({ io: "input", override });
  return isZod(schema) ? (printZod?.(schema) ?? {}) : schema;
}
