// SPDX-License-Identifier: MIT
// Converts a tool's schema, in any form, to JSON Schema for a model. Does not depend on how
// arguments are read and checked (input.js).
import { argumentsSchema, isPlainObject, jsonOf, printPlain } from "./input.js";
import { fromZod3, isZod3 } from "./zod3.js";
import { fromZod4, isZod4 } from "./zod4.js";

/** @typedef {import("../base/callable.js").Value} Value */
/** @typedef {Record<string, unknown>} Json */

/** @param {Value} schema @returns {Json} */
function print(schema) {
  if (isZod4(schema) && typeof schema.toJSONSchema !== "function") return fromZod4(schema);
  return isZod3(schema) ? fromZod3(schema) : printPlain(schema);
}

/**
 * Returns the JSON Schema of a tool's arguments, for tools of any make: Weft's, LangChain's,
 * OpenAI's declaration, the AI SDK's.
 * @param {Value} tool
 * @returns {Json}
 */
export function toolJsonSchema(tool) {
  if (tool === null || typeof tool !== "object")
    throw new TypeError(`A tool must be an object, not ${tool === null ? "null" : typeof tool}`);
  if (tool.type === "function" && isPlainObject(tool.function))
    return tool.function.parameters ?? { type: "object", properties: {} };
  return argumentsSchema(
    jsonOf(tool.schema ?? tool.inputSchema ?? tool.input_schema ?? tool.parameters, print),
  );
}

/**
 * Returns the declaration for OpenAI-compatible services. Declarations, and tools of the service
 * itself, are returned as they are.
 * @param {Value} tool
 * @returns {Value}
 */
export function toOpenAITool(tool) {
  if (typeof tool?.type === "string" && typeof tool.invoke !== "function") return tool;
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
