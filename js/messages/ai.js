// SPDX-License-Identifier: MIT
// Defines a model's answer (AIMessage, AIMessageChunk): content, tool calls (readable or not) and
// usage. Does not depend on models, tools or how calls are run.
import { checkArgument, isObject } from "../base/check-arguments.js";
import {
  BaseMessage,
  BaseMessageChunk,
  describeClass,
  joinCommon,
  linkChunks,
  testFor,
} from "./base.js";
import { mergeLists, mergeUsage } from "./merge.js";
import {
  collapseToolCallChunks,
  isOpenAIToolCallArray,
  readOpenAIToolCalls,
} from "./tool-calls.js";

/** @typedef {import("./base.js").Content} Content @typedef {import("./base.js").Fields} Fields */
/** @typedef {import("./base.js").Message} Message */
/** @typedef {import("./base.js").UsageMetadata} UsageMetadata */
/**
 * @typedef {import("./tool-calls.js").ToolCall} ToolCall
 * @typedef {import("./tool-calls.js").InvalidToolCall} InvalidToolCall
 * @typedef {import("./tool-calls.js").ToolCallChunk} ToolCallChunk
 */

const FIELDS = ["tool_calls", "invalid_tool_calls", "usage_metadata"];

export const isAIMessage = /* @__PURE__ */ testFor("ai");
export const isAIMessageChunk = isAIMessage;

/** A model's answer. */
export class AIMessage extends BaseMessage {
  /** @param {Content | Fields} arg */
  constructor(arg) {
    super(arg);
    const fields = typeof arg === "string" || Array.isArray(arg) ? undefined : arg;
    /** @type {ToolCall[]} */
    this.tool_calls = /** @type {ToolCall[]} */ (fields?.tool_calls ?? []);
    /** @type {InvalidToolCall[]} */
    this.invalid_tool_calls = /** @type {InvalidToolCall[]} */ (fields?.invalid_tool_calls ?? []);
    /** @type {UsageMetadata | undefined} */
    this.usage_metadata = /** @type {UsageMetadata | undefined} */ (fields?.usage_metadata);
    if (fields !== undefined && fields.tool_calls === undefined) adoptCalls(this, fields);
    keepCalls(this);
  }
}

/** A piece of a model's answer. */
export class AIMessageChunk extends BaseMessageChunk {
  /** @param {Content | Fields} arg */
  constructor(arg) {
    super(arg);
    const fields = typeof arg === "string" || Array.isArray(arg) ? undefined : arg;
    /** @type {ToolCall[]} */
    this.tool_calls = /** @type {ToolCall[]} */ (fields?.tool_calls ?? []);
    /** @type {InvalidToolCall[]} */
    this.invalid_tool_calls = /** @type {InvalidToolCall[]} */ (fields?.invalid_tool_calls ?? []);
    /** @type {UsageMetadata | undefined} */
    this.usage_metadata = /** @type {UsageMetadata | undefined} */ (fields?.usage_metadata);
    /** @type {ToolCallChunk[]} */
    this.tool_call_chunks = fields?.tool_call_chunks ?? [];
    if (this.tool_call_chunks.length > 0)
      Object.assign(this, collapseToolCallChunks(this.tool_call_chunks));
    this.lc_kwargs.tool_call_chunks = this.tool_call_chunks;
    if (fields !== undefined) this.lc_kwargs.usage_metadata = this.usage_metadata;
    keepCalls(this);
  }

  /** @param {AIMessageChunk} chunk */
  concat(chunk) {
    checkArgument(isObject(chunk), "concat(chunk): chunk must be a message");
    const chunks = mergeLists(this.tool_call_chunks, chunk.tool_call_chunks) ?? [];
    const fields = {
      ...joinCommon(this, chunk),
      tool_call_chunks: chunks,
      usage_metadata: mergeUsage(this.usage_metadata, chunk.usage_metadata),
    };
    if (chunks.length > 0) return new AIMessageChunk(fields);
    return new AIMessageChunk({
      ...fields,
      tool_calls: joinCalls(this.tool_calls, chunk.tool_calls ?? []),
      invalid_tool_calls: [...this.invalid_tool_calls, ...(chunk.invalid_tool_calls ?? [])],
    });
  }
}

// Joins calls: a whole call that arrives twice counts once, in its last version.
/** @param {ToolCall[]} left @param {ToolCall[]} right */
function joinCalls(left, right) {
  const retold = new Set(right.map((call) => call.id));
  return [...left.filter((call) => call.id === undefined || !retold.has(call.id)), ...right];
}

/** @param {AIMessage | AIMessageChunk} message */
export function keepCalls({ lc_kwargs: kwargs, tool_calls, invalid_tool_calls }) {
  kwargs.tool_calls = tool_calls;
  kwargs.invalid_tool_calls = invalid_tool_calls;
}

/** @param {AIMessage} message @param {Fields} fields */
function adoptCalls(message, fields) {
  const blocks =
    fields.content === undefined && Array.isArray(message.content) ? message.content : [];
  const calls = blocks.filter((block) => block?.type === "tool_call");
  const raw = fields.additional_kwargs?.tool_calls;
  if (calls.length > 0) message.tool_calls = /** @type {(ToolCall & typeof calls[0])[]} */ (calls);
  else if (Array.isArray(raw) && raw.length > 0 && isOpenAIToolCallArray(raw))
    Object.assign(message, readOpenAIToolCalls(raw));
}

/**
 * Returns the chunk that a model reported with a token; LangChain's models without one get a new
 * one.
 * @param {string} content
 * @param {unknown} given the fields reported with the token
 * @param {string} [id] of a chunk that is made
 * @returns {Message}
 */
export function pieceOf(content, given, id) {
  const { message } =
    /** @type {{ chunk?: { message?: Message } } | undefined} */ (given)?.chunk ?? {};
  linkChunks(message);
  return message ?? new AIMessageChunk({ content, id });
}

describeClass(AIMessage, "AIMessage", "ai", FIELDS);
describeClass(
  AIMessageChunk,
  "AIMessageChunk",
  "ai",
  [...FIELDS, "tool_call_chunks"],
  ["tool_calls", "tool_call_chunks", "invalid_tool_calls", "usage_metadata"],
);
