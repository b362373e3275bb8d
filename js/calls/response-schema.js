// SPDX-License-Identifier: MIT
// Makes the JSON Schema of the answer that a node waits for, for user interfaces. The zod plugin
// registers a printer, which this module owns. Does not depend on runs or zod.

/**
 * What a schema of zod has; other schemas have none of it.
 * @typedef {{ _zod?: object, _def?: { typeName?: string }, toJSONSchema?: (options: object) =>
 *   object }} Zod
 */

/** @type {((schema: unknown) => unknown) | undefined} */
let printZod;

/** @param {(schema: unknown) => unknown} print for zod 3 and zod mini */
export function usePrinter(print) {
  printZod = print;
}

/** @param {object | undefined} schema */
export function isZod(schema) {
  const zod = /** @type {Zod | undefined} */ (schema);
  return (zod?._zod ?? zod?._def?.typeName) !== undefined;
}

/**
 * Prints like LangGraph.js: the input type, keys with defaults required, no additional properties.
 * @param {{ jsonSchema: { properties?: Record<string, object>, required?: string[] } }} shown
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

/** Returns the JSON Schema of a zod or JSON Schema. Zod 4 prints itself. @param {object} schema */
export function responseJson(schema) {
  const zod = /** @type {Zod | undefined} */ (schema);
  if (typeof zod?.toJSONSchema === "function") return zod.toJSONSchema({ io: "input", override });
  return isZod(schema) ? (printZod?.(schema) ?? {}) : schema;
}
