// SPDX-License-Identifier: MIT
// Knows: how a tool's arguments are told to a model, in whichever form they are described.
// Must not know: how arguments are read and checked (input.js).
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
 * The JSON Schema of the arguments of a tool of any make: ours, LangChain's, OpenAI's
 * declaration, the AI SDK's.
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
 * The declaration that OpenAI-compatible services take. What is declared already, or is a tool
 * of the service itself, is passed on.
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
