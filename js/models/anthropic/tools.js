// SPDX-License-Identifier: MIT
// Converts tools, and the choice among them, to Anthropic's form. Does not depend on messages.
import { readToolChoice, readTools } from "../call-options.js";
import { formSchema } from "./schema.js";

/** @typedef {import("../answer-parts.js").Fields} Fields */

const TOOL_NAME = /^[\w-]{1,128}$/;
/** Of a tool's `extras`, as LangChain has it. */
const EXTRA = [
  "cache_control",
  "defer_loading",
  "input_examples",
  "allowed_callers",
  "eager_input_streaming",
];
/** Keywords that the service refuses at the root of a tool's schema. */
const NOT_AT_ROOT = ["anyOf", "oneOf", "allOf"];

/**
 * Returns the tools of a call. Throws TypeError for one that the service would refuse.
 * @param {Fields} options of the call
 * @returns {Fields[]}
 */
export function wireTools(options) {
  const { functions, others } = readTools(options);
  return [...functions.map(wireTool), ...others];
}

/** @param {import("../call-options.js").FunctionTool} tool @returns {Fields} */
function wireTool({ name, description, parameters, extras = {}, ...rest }) {
  if (!TOOL_NAME.test(name))
    throw new TypeError(
      `Anthropic refuses the name of the tool "${name}": 1 to 128 letters, digits, "_" and "-"`,
    );
  const refused = NOT_AT_ROOT.find((keyword) => parameters[keyword] !== undefined);
  if (refused !== undefined)
    throw new TypeError(
      `Anthropic refuses the schema of the tool "${name}", which has ${refused} at its root: put it under a property`,
    );
  const schema = rest.strict ? formSchema(parameters) : parameters;
  const input_schema = { type: "object", .../** @type {Fields} */ (schema) };
  const told = Object.fromEntries(Object.entries(extras).filter(([key]) => EXTRA.includes(key)));
  return { name, ...(description === "" ? {} : { description }), input_schema, ...rest, ...told };
}

/**
 * Returns the choice of a tool.
 * @param {Fields} options of the call
 * @returns {Fields | undefined} undefined if the call has none
 */
export function wireToolChoice({ tool_choice, parallel_tool_calls }) {
  const choice = readToolChoice(tool_choice);
  const isSingle =
    tool_choice?.disable_parallel_tool_use ??
    (typeof parallel_tool_calls === "boolean" ? !parallel_tool_calls : undefined);
  if (isSingle === undefined || choice?.type === "none") return choice;
  return { ...(choice ?? { type: "auto" }), disable_parallel_tool_use: isSingle };
}
