// SPDX-License-Identifier: MIT
// Converts tools, the choice among them and the form of the answer to OpenAI's chat completions.
// Does not depend on messages.
import { EXTRAS, parametersOf, readToolChoice } from "../call-options.js";
import { strictSchema } from "./strict-schema.js";

/** @typedef {import("../../base/callable.js").Value} Value */
/** @typedef {import("../answer-parts.js").Fields} Fields */

/** @param {Fields} tool @returns {Fields} */
export function wireTool(tool) {
  const called = tool?.function;
  if (typeof called?.name !== "string") return tool;
  const { defer_loading } = /** @type {Record<symbol, Fields>} */ (tool)[EXTRAS] ?? {};
  const parameters = closed(parametersOf(called.parameters), called.strict);
  const made = { ...tool, function: { ...called, parameters } };
  return defer_loading === undefined ? made : { ...made, defer_loading };
}

/**
 * Returns the form of the answer.
 * @param {NonNullable<ReturnType<typeof import("../call-options.js").readFormat>>} format
 * @param {Fields} given as it was given
 */
export function wireFormat(format, { type, json_schema }) {
  const schema = closed(format.schema, format.strict);
  return { type, json_schema: { ...json_schema, ...format, schema } };
}

/**
 * Returns the schema as strict mode demands it, if that takes the same values: what only a
 * nullable property could express is sent as it is, for services that demand less.
 * @param {Fields} schema @param {boolean | undefined} isStrict
 */
function closed(schema, isStrict) {
  return (isStrict ? strictSchema(schema, false) : undefined) ?? schema;
}

/** Choices that are read, in whatever form; the others are OpenAI's own, such as allowed_tools. */
const READ = ["any", "auto", "none", "required", "tool"];

/**
 * Converts LangChain's choice of a tool, or another service's, to OpenAI's form.
 * @param {Value} choice
 * @param {Fields[]} [tools] that are offered
 */
export function wireToolChoice(choice, tools = []) {
  if (typeof choice === "object" && !READ.includes(choice?.type)) return choice;
  const read = readToolChoice(choice);
  if (read?.type === "tool") {
    const { name } = read;
    const isCustom = tools.some(({ custom }) => custom?.name === name);
    return isCustom
      ? { type: "custom", custom: { name } }
      : { type: "function", function: { name } };
  }
  return read?.type === "any" ? "required" : read?.type;
}
