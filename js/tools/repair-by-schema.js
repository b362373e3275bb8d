// SPDX-License-Identifier: MIT
// Repairs a tool call whose arguments do not fit, by its tool's schema: the function for the option
// `repair` of nodes and agents. Does not depend on how calls run.
import { ENGINE_SCHEMA } from "./tool-result.js";
import { UnsupportedSchemaError } from "../base/errors.js";
import { toolJsonSchema } from "./schema.js";
import { repairArguments } from "./repair-arguments.js";

/** @typedef {import("./tool.js").ToolLike} ToolLike */

/** What services call the end of an answer that they cut. */
const CUT = new Set(["length", "max_tokens", "MAX_TOKENS", "max_output_tokens", "incomplete"]);

/**
 * @param {import("../types/tools/repair.js").ToolCallFailure} failed
 * @returns {import("../types/tools/repair.js").RepairedCall | undefined} undefined if no change
 *   is certain
 */
export function repairBySchema({ call, tool, message }) {
  const schema = schemaOf(/** @type {ToolLike} */ (tool));
  const found = schema && repairArguments(schema, call.args, wasCut(message));
  if (found === undefined || found.repaired.length === 0) return undefined;
  return /** @type {import("../types/tools/repair.js").RepairedCall} */ (found);
}

/** @param {ToolLike} tool @returns {Record<string, unknown> | undefined} */
function schemaOf(tool) {
  const own = tool[ENGINE_SCHEMA]?.();
  if (own || tool.schema === undefined || tool.schema === null)
    return /** @type {Record<string, unknown> | undefined} */ (own ?? undefined);
  try {
    return toolJsonSchema(tool);
  } catch (error) {
    if (error instanceof UnsupportedSchemaError) return undefined;
    throw error;
  }
}

/** @param {{ response_metadata?: Record<string, unknown> } | undefined} message */
function wasCut(message) {
  const said = message?.response_metadata;
  return [said?.finish_reason, said?.stop_reason, said?.finishReason, said?.status].some(
    (reason) => typeof reason === "string" && CUT.has(reason),
  );
}
