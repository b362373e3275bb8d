// SPDX-License-Identifier: MIT
// Reads the option `tools` of middlewares that apply to some tools only.
import { checkArgument, isListOf } from "../../base/check-arguments.js";
import { asTool, isTitledSchema } from "../../tools/function-tool.js";

/**
 * Returns a test for the names of the tools that a middleware applies to.
 * @param {unknown} tools tools or their names; undefined: all tools
 * @param {string} call for the error text
 * @returns {(name: unknown) => boolean}
 * @throws WeftError BAD_ARGUMENT for what is no tool
 */
export function toolFilter(tools, call) {
  if (tools === undefined || tools === null) return () => true;
  checkArgument(
    isListOf(tools, (tool) => nameOf(tool) !== undefined),
    `${call}: options.tools must be a list of tools or of their names`,
  );
  const names = new Set(/** @type {unknown[]} */ (tools).map(nameOf));
  return (name) => names.has(/** @type {string} */ (name));
}

/** @param {unknown} given @returns {string | undefined} */
export function nameOf(given) {
  const tool = asTool(given);
  const known = isTitledSchema(tool) ? tool.title : (tool?.name ?? tool?.function?.name);
  const name = typeof tool === "string" ? tool : known;
  return typeof name === "string" && name !== "" ? name : undefined;
}
