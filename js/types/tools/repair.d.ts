// SPDX-License-Identifier: MIT
// Types of the repair of tool calls.
import type { BaseMessage } from "../messages/index.js";

/** One change of a call's arguments that made them fit the tool's schema. */
export interface ToolCallRepair {
  /** JSON Pointer into the arguments, "" for all of them. */
  path: string;
  /**
   * What was done. repairBySchema writes "text to number", "text to boolean", "text to null",
   * "number to text", "boolean to text", "single value to list", "JSON text to value", "case of an
   * allowed value", "unknown key dropped" or "JSON completed".
   */
  change: string;
  /** What the model wrote, as text of at most 100 characters. */
  from: string;
}
/** A call whose arguments do not fit. */
export interface ToolCallFailure {
  /** `args`: the model's text if it is no JSON. */
  call: { name: string; args: unknown; id?: string };
  tool: { name: string; description?: string; schema?: unknown };
  /** What the model reads if the call is not repaired. */
  error: string;
  /** The message with the call. */
  message?: BaseMessage;
}
/** Other arguments for a call, and how they differ. */
export interface RepairedCall {
  args: Record<string, unknown>;
  /** Told in the answer's `additional_kwargs.repaired` and in an approval request. */
  repaired?: ToolCallRepair[];
}
/**
 * The option `repair` of nodes and agents.
 * @param failed the call, its tool and what is wrong with the arguments; not called for an unknown
 *   tool
 */
export type RepairToolCall = (
  failed: ToolCallFailure,
) => RepairedCall | undefined | Promise<RepairedCall | undefined>;

/**
 * Repairs a call by its tool's schema, where exactly one change makes the arguments fit: a number,
 * a boolean or JSON written as text, a number or a boolean where a text is wanted, a single value
 * where a list is wanted, the case of an enum's value, a key that is forbidden, brackets missing at
 * the end, a fence of Markdown.
 *
 *     new ToolNode(tools, { repair: repairBySchema });
 *     new ToolNode(tools, {
 *       repair: async (failed) => repairBySchema(failed) ?? askModel(failed),
 *     });
 *
 * @param failed the call with its arguments (text if they are no JSON), its tool, and the message:
 *   in one that was cut off nothing is completed
 * @returns undefined if no change is certain, or the schema has no JSON Schema
 * @throws BAD_SCHEMA or BAD_PATTERN for an unusable JSON Schema of the tool
 * @throws TypeError for what is no failed call
 */
export function repairBySchema(failed: ToolCallFailure): RepairedCall | undefined;
