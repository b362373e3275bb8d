// SPDX-License-Identifier: MIT
// Estimates the tokens of messages and tools by their characters, as LangChain does. Does not
// depend on models.
import { checkArgument } from "../base/check-arguments.js";

/** @typedef {import("../base/callable.js").Value} Value */

const CHARACTERS_PER_TOKEN = 4;

/**
 * @param {readonly Value[]} messages
 * @param {Value} [options] `{ tools }`, or the list of tools
 * @returns {number}
 */
export function countTokensApproximately(messages, options) {
  checkArgument(
    Array.isArray(messages),
    "countTokensApproximately(messages): messages must be a list",
  );
  const tools = (Array.isArray(options) ? options : options?.tools) ?? [];
  let length = 0;
  for (const tool of tools) length += JSON.stringify(declared(tool)).length;
  for (const message of messages) length += lengthOf(message);
  return Math.ceil(length / CHARACTERS_PER_TOKEN);
}

/** @param {Value} message */
function lengthOf({ content, tool_calls, tool_call_id }) {
  let length = 0;
  for (const block of typeof content === "string" ? [content] : (content ?? [])) {
    if (typeof block === "string") length += block.length;
    else if (block?.type === "text") length += block.text?.length ?? 0;
  }
  if (tool_calls?.length > 0) length += JSON.stringify(tool_calls).length;
  return length + (tool_call_id?.length ?? 0);
}

/**
 * Returns a tool as a model is told of it.
 * @param {Value} tool also a function with a `schema`
 */
function declared(tool) {
  const isFunction = typeof tool === "function";
  if (!isFunction && typeof tool?.invoke !== "function") return tool;
  const name = (isFunction ? tool.toolName : undefined) ?? tool.name;
  const { description = isFunction ? `${name} tool` : undefined, schema } = tool;
  const parameters = typeof schema?.toJSONSchema === "function" ? schema.toJSONSchema() : schema;
  return { type: "function", function: { name, description, parameters } };
}
