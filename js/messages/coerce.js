// SPDX-License-Identifier: MIT
// Converts every form in which users and providers write a message, and defines the error for any
// other value. Does not depend on reducers or models.
import { AIMessage, AIMessageChunk } from "./ai.js";
import { isBaseMessage, isBaseMessageChunk, messageType } from "./base.js";
import {
  ChatMessage,
  FunctionMessage,
  HumanMessage,
  RemoveMessage,
  SystemMessage,
} from "./human-system.js";
import { isOpenAIToolCallArray, readOpenAIToolCalls } from "./tool-calls.js";
import { ToolMessage } from "./tool.js";

/**
 * @typedef {import("./base.js").BaseMessage} BaseMessage
 * @typedef {import("./base.js").Content} Content
 * @typedef {import("./base.js").Fields} Fields
 */
/**
 * A message written as an object, unless it is a list.
 * @typedef {Fields & { type?: unknown, role?: unknown, lc?: unknown, _getType?: unknown }} Like
 * @typedef {{ id: string[], kwargs: Fields }} ConstructorRecord
 */

const HELP = "https://docs.langchain.com/oss/javascript/langchain/errors/MESSAGE_COERCION_FAILURE/";

/** The value has none of the forms of a message. */
export class MessageCoercionError extends Error {
  /** @param {unknown} received */
  constructor(received) {
    super(
      "Unable to coerce message from array: only human, AI, system, developer, or tool message coercion is currently supported." +
        `\n\nReceived: ${printed(received)}\n\nTroubleshooting URL: ${HELP}\n`,
    );
    /** @type {"MESSAGE_COERCION_FAILURE"} */
    this.lc_error_code = "MESSAGE_COERCION_FAILURE";
  }
}

/** @param {unknown} value */
function printed(value) {
  try {
    return JSON.stringify(value, null, 2);
  } catch {
    return String(value);
  }
}

/**
 * Makes a message from a string, a [role, content] pair, an object with `role` or `type`, or a
 * LangChain constructor record. Returns any message as it is; makes a message of a copy of one's
 * fields.
 * @param {unknown} like
 * @returns {BaseMessage}
 */
export function coerceMessageLikeToMessage(like) {
  if (typeof like === "string") return new HumanMessage(like);
  if (like === null || typeof like !== "object") throw new MessageCoercionError(like);
  const given = /** @type {Like} */ (like);
  const isCopy = Object.hasOwn(given, "lc_kwargs") && typeof given._getType !== "function";
  if (!isCopy && isBaseMessage(like)) return /** @type {BaseMessage & typeof like} */ (like);
  if (Array.isArray(like)) return fromTyped(like[0], { content: like[1] ?? [] }, like);
  if (isConstructorRecord(given)) return fromConstructorRecord(given);
  if (given.type === "generic") return fromTyped("generic", given, given);
  const type = typeof given.role === "string" ? given.role : given.type;
  return fromTyped(type, fieldsIn(given), given);
}

/**
 * Classes of whole messages by the type of their chunks.
 * @type {Record<string, new (fields: Fields) => BaseMessage>}
 */
const WHOLE = {
  human: HumanMessage,
  ai: AIMessage,
  system: SystemMessage,
  tool: ToolMessage,
  generic: ChatMessage,
  function: FunctionMessage,
};

/**
 * Converts a message to the form that a conversation stores: a chunk, of this package or of
 * LangChain, becomes a whole message.
 * @param {unknown} like
 * @returns {BaseMessage}
 */
export function wholeMessage(like) {
  const message = coerceMessageLikeToMessage(like);
  if (!isBaseMessageChunk(message)) return message;
  const Whole = WHOLE[/** @type {string} */ (messageType(message))];
  if (Whole === undefined) return message;
  const own = Object.entries(message).filter(
    ([key]) => key !== "type" && key !== "tool_call_chunks" && !key.startsWith("lc_"),
  );
  const { tool_call_chunks: _pieces, ...given } = message.lc_kwargs;
  return new Whole({ ...given, ...Object.fromEntries(own) });
}

/** @param {Like} like @returns {Fields} */
function fieldsIn(like) {
  /** @type {Fields} */
  const fields = { content: like.content ?? [] };
  for (const key in like)
    if (key !== "role" && key !== "type" && key !== "content") fields[key] = like[key];
  return fields;
}

// Formats the value for the error as LangChain does: with the type from a pair or from the role.
/** @param {Like | ConstructorRecord | unknown[]} like */
function received(like) {
  if (Array.isArray(like)) return { type: like[0], content: like[1] };
  if (!("role" in like) || typeof like.role !== "string") return like;
  const { role, ...rest } = like;
  return { ...rest, type: role };
}

/**
 * @param {{ lc?: unknown, type?: unknown, id?: unknown, kwargs?: unknown }} like
 * @returns {like is ConstructorRecord}
 */
function isConstructorRecord(like) {
  return (
    like.lc === 1 &&
    like.type === "constructor" &&
    Array.isArray(like.id) &&
    like.kwargs !== null &&
    typeof like.kwargs === "object"
  );
}

/** @param {ConstructorRecord} record @returns {BaseMessage} */
function fromConstructorRecord(record) {
  const name = record.id.at(-1) ?? "";
  const fields = record.kwargs;
  if (name === "AIMessageChunk") return new AIMessageChunk(withCalls(fields));
  if (name === "RemoveMessage") return new RemoveMessage(fields);
  if (name === "ChatMessage") return new ChatMessage(fields);
  if (name === "FunctionMessage") return new FunctionMessage(fields);
  const type = /^(Human|AI|System|Tool)Message(Chunk)?$/.exec(name)?.[1]?.toLowerCase();
  if (type === undefined) throw new MessageCoercionError(record);
  return fromTyped(type, "content" in fields ? fields : { ...fields, content: [] }, record);
}

/**
 * @param {unknown} type
 * @param {Fields} fields
 * @param {Like | ConstructorRecord | unknown[]} like
 * @returns {BaseMessage}
 */
function fromTyped(type, fields, like) {
  switch (type) {
    case "human":
    case "user":
      return new HumanMessage(fields);
    case "ai":
    case "assistant":
      return new AIMessage(withCalls(fields));
    case "system":
      return new SystemMessage(fields);
    case "developer":
      return new SystemMessage({
        ...fields,
        additional_kwargs: { ...fields.additional_kwargs, __openai_role__: "developer" },
      });
    case "generic":
      if (typeof fields.role === "string") return new ChatMessage(fields);
      break;
    case "tool":
      if (typeof fields.tool_call_id === "string") return new ToolMessage(fields);
      break;
    case "remove":
      if (typeof fields.id === "string") return new RemoveMessage(fields);
      break;
  }
  throw new MessageCoercionError(received(like));
}

/** @param {Fields} fields @returns {Fields} */
function withCalls(fields) {
  const { tool_calls: raw } = fields;
  if (!Array.isArray(raw) || raw.length === 0 || !isOpenAIToolCallArray(raw)) return fields;
  const { tool_calls, invalid_tool_calls } = readOpenAIToolCalls(raw);
  return {
    ...fields,
    tool_calls,
    invalid_tool_calls: [...(fields.invalid_tool_calls ?? []), ...invalid_tool_calls],
  };
}
