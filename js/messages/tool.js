// SPDX-License-Identifier: MIT
// Defines a tool's answer to one call (ToolMessage, ToolMessageChunk). Does not depend on tools and
// how they are run.
import { checkArgument, isObject } from "../base/check-arguments.js";
import {
  BaseMessage,
  BaseMessageChunk,
  describeClass,
  fieldsOf,
  joinCommon,
  testFor,
} from "./base.js";
import { mergeAny } from "./merge.js";

/** @typedef {import("./base.js").Content} Content @typedef {import("./base.js").Fields} Fields */

const PRINTED = ["tool_call_id", "artifact"];

export const isToolMessage = /* @__PURE__ */ testFor("tool");
export const isToolMessageChunk = isToolMessage;

/**
 * Is a tool's result added to the conversation as it is?
 * @param {unknown} value
 * @returns {boolean}
 */
export function isDirectToolOutput(value) {
  return (
    value !== null &&
    typeof value === "object" &&
    /** @type {{ lc_direct_tool_output?: unknown }} */ (value).lc_direct_tool_output === true
  );
}

/** A tool's answer to a call. */
export class ToolMessage extends BaseMessage {
  /** @param {Content | Fields} arg @param {string} [toolCallId] @param {string} [name] */
  constructor(arg, toolCallId, name) {
    const fields =
      toolCallId === undefined
        ? fieldsOf(arg)
        : { ...fieldsOf(arg), tool_call_id: toolCallId, name };
    super(fields);
    this.lc_direct_tool_output = true;
    /** @type {string} */
    this.tool_call_id = /** @type {string} */ (fields.tool_call_id);
    /** @type {"success" | "error" | undefined} */
    this.status = fields.status;
    /** @type {unknown} */
    this.artifact = fields.artifact;
    /** @type {Record<string, unknown> | undefined} */
    this.metadata = fields.metadata;
  }
}

/** A chunk of a tool's answer. */
export class ToolMessageChunk extends BaseMessageChunk {
  /** @param {Fields} fields */
  constructor(fields) {
    super(fields);
    /** @type {string} */
    this.tool_call_id = /** @type {string} */ (fields.tool_call_id);
    /** @type {"success" | "error" | undefined} */
    this.status = fields.status;
    /** @type {unknown} */
    this.artifact = fields.artifact;
  }

  /** @param {ToolMessageChunk} chunk */
  concat(chunk) {
    checkArgument(isObject(chunk), "concat(chunk): chunk must be a message");
    const failed = this.status === "error" || chunk.status === "error";
    return new ToolMessageChunk({
      ...joinCommon(this, chunk),
      tool_call_id: this.tool_call_id,
      status: failed ? "error" : "success",
      artifact: mergeAny(this.artifact, chunk.artifact),
    });
  }
}

describeClass(
  ToolMessage,
  "ToolMessage",
  "tool",
  ["tool_call_id", "status", "artifact", "metadata"],
  PRINTED,
);
describeClass(
  ToolMessageChunk,
  "ToolMessageChunk",
  "tool",
  ["tool_call_id", "status", "artifact"],
  PRINTED,
);
