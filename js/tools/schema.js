// SPDX-License-Identifier: MIT
// Converts a tool's schema, in any form, to JSON Schema for a model. Does not depend on how
// arguments are read and checked (input.js).
import { argumentsSchema, isPlainObject, jsonOf, printPlain } from "./input.js";
import { asTool, isTitledSchema } from "./function-tool.js";
import { fromZod3, isZod3 } from "./zod3.js";
import { fromZod4, isZod4 } from "./zod4.js";

/** @typedef {import("./input.js").SchemaLike} SchemaLike */
/**
 * A tool of any make, by the members that may name its schema.
 * @typedef {{ name?: unknown, description?: string, type?: unknown, invoke?: unknown,
 *   schema?: unknown, inputSchema?: unknown, input_schema?: unknown, parameters?: unknown,
 *   function?: { parameters?: Json } }} Described
 */
/** @typedef {Record<string, unknown>} Json */

/** @param {SchemaLike} schema @returns {Json} */
function print(schema) {
  if (typeof schema.toJSONSchema !== "function" && isZod4(schema)) return fromZod4(schema);
  return isZod3(schema) ? fromZod3(schema) : printPlain(schema);
}

/**
 * Returns the JSON Schema of a schema in any form.
 * @param {unknown} schema
 * @returns {Json}
 * @throws UnsupportedSchemaError
 */
export const jsonSchemaOf = (schema) => jsonOf(schema, print);

/**
 * Returns the JSON Schema of a tool's arguments, for tools of any make: Weft's, LangChain's,
 * OpenAI's declaration, the AI SDK's.
 * @param {unknown} tool
 * @returns {Json}
 */
export function toolJsonSchema(tool) {
  if (tool === null || typeof tool !== "object")
    throw new TypeError(`A tool must be an object, not ${tool === null ? "null" : typeof tool}`);
  const known = /** @type {Described} */ (tool);
  if (known.type === "function" && isPlainObject(known.function))
    return known.function?.parameters ?? { type: "object", properties: {} };
  return argumentsSchema(
    jsonSchemaOf(known.schema ?? known.inputSchema ?? known.input_schema ?? known.parameters),
  );
}

/**
 * Returns the declaration for OpenAI-compatible services, also of a plain function with a `schema`
 * and of a JSON Schema with a title. Declarations, and tools of the service itself, are returned as
 * they are.
 * @param {unknown} given
 * @returns {import("../types/tools/index.js").OpenAITool}
 */
export function toOpenAITool(given) {
  const tool = /** @type {Described | null | undefined} */ (asTool(given));
  if (isTitledSchema(tool)) return fromTitled(/** @type {Json} */ (tool));
  if (typeof tool?.type === "string" && typeof tool.invoke !== "function")
    return /** @type {import("../types/tools/index.js").OpenAITool} */ (given);
  if (typeof tool?.name !== "string" || tool.name === "")
    throw new TypeError("A tool needs a name");
  return {
    type: "function",
    function: {
      name: tool.name,
      description: tool.description ?? "",
      parameters: toolJsonSchema(tool),
    },
  };
}

/** @param {Json} schema @returns {import("../types/tools/index.js").OpenAITool} */
function fromTitled({ title, description = "", ...parameters }) {
  return {
    type: "function",
    function: { name: String(title), description: String(description), parameters },
  };
}
