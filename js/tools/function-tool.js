// SPDX-License-Identifier: MIT
// Makes a tool of a plain function with a `schema`, and recognises a JSON Schema that names a tool.
// Does not load the Tool class, which pages with tools of other makes do not have. Does not depend
// on ToolNode or models.
import { isRecord } from "../base/check-arguments.js";
import { isCommand } from "../base/constants.js";
import { tellTool } from "../callbacks/tool-run.js";
import { ToolMessage, isDirectToolOutput } from "../messages/index.js";
import { engineSchema, readInput } from "./input.js";
import { ENGINE_SCHEMA, READ_ARGUMENTS, READ_CALLS, messageContent } from "./tool-result.js";

/** @typedef {import("../base/callable.js").Value} Value */

/** One tool per function, the same for models and nodes. @type {WeakMap<object, object>} */
const made = new WeakMap();

/**
 * Returns the tool of a function that has a `schema`; other values as they are. The function's
 * properties are the tool's options; its name is `toolName`, else that of the function.
 * @param {Value} given
 * @returns {Value}
 */
export function asTool(given) {
  if (typeof given !== "function" || given.schema === undefined) return given;
  const known = made.get(given) ?? toolOf(given);
  made.set(given, known);
  return known;
}

/** @param {Value} given */
function toolOf(given) {
  const { toolName: name = given.name, ...options } = given;
  const read = (/** @type {unknown} */ args) => readInput(options.schema, args);
  const tool = {
    description: `${name} tool`,
    ...options,
    name,
    [ENGINE_SCHEMA]: () => engineSchema(options),
    [READ_ARGUMENTS]: read,
    invoke: async (
      /** @type {{ type?: string, args?: unknown, id: string }} */ input,
      /** @type {import("../base/merge-configs.js").Config} */ config,
    ) => {
      const isCall = input?.type === "tool_call";
      const args = isCall ? input.args : input;
      const value = READ_CALLS.has(input) ? args : await read(args);
      const run = async () => {
        const result = await given(value, config);
        if (!isCall || isDirectToolOutput(result) || isCommand(result)) return result;
        const content = messageContent(result);
        return new ToolMessage({ content, tool_call_id: input.id, name, status: "success" });
      };
      return config?.callbacks
        ? tellTool(config.callbacks, tool, args, config, input.id, run)
        : run();
    },
  };
  return tool;
}

/**
 * Is it a JSON Schema of arguments whose title names a tool?
 * @param {unknown} given
 */
export function isTitledSchema(given) {
  return (
    isRecord(given) &&
    typeof given.title === "string" &&
    typeof given.invoke !== "function" &&
    (given.type === "object" || (given.type === undefined && isRecord(given.properties)))
  );
}
