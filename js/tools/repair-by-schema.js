// SPDX-License-Identifier: MIT
// Repairs a tool call whose arguments do not fit, by its tool's schema: the function for the option
// `repair` of nodes and agents. Does not depend on how calls run.
import { ENGINE_SCHEMA } from "./tool-result.js";
import { UnsupportedSchemaError } from "../base/errors.js";
import { toolJsonSchema } from "./schema.js";
import { repairArguments } from "./repair-arguments.js";

/** @typedef {import("./tool.js").ToolLike} ToolLike */

/** Where services say why an answer ended. */
const REASONS = [
  "finish_reason",
  "stop_reason",
  "finishReason",
  "stopReason",
  "done_reason",
  "status",
];
/** What they say of an answer that is whole; any other reason may have cut its last call. */
const WHOLE = new Set([
  "stop",
  "stop_sequence",
  "end_turn",
  "tool_calls",
  "tool_call",
  "tool_use",
  "function_call",
  "complete",
  "completed",
  "eos",
  "eos_token",
]);

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
  const said = message?.response_metadata ?? {};
  return REASONS.some((name) => {
    const reason = said[name];
    return typeof reason === "string" && !WHOLE.has(reason.toLowerCase().replaceAll("-", "_"));
  });
}
