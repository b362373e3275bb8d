// SPDX-License-Identifier: MIT
// Converts a message to plain data, [kind, fields], and back: the form in which threads store it.
// Nested values are shared with the message, not copied. Defaults (no id, {} and []) are omitted.
// Constructor fields unknown to the class go under `kwargs`, unknown own properties under `own`;
// both are restored to their places. A foreign message's record becomes Weft's class. Does not
// depend on storage, encodings or graphs.
import { AIMessage, AIMessageChunk, keepCalls } from "./ai.js";
import { isBaseMessageChunk, linkChunks, messageType } from "./base.js";
import {
  ChatMessage,
  ChatMessageChunk,
  FunctionMessage,
  FunctionMessageChunk,
  HumanMessage,
  HumanMessageChunk,
  RemoveMessage,
  SystemMessage,
  SystemMessageChunk,
} from "./human-system.js";
import { ToolMessage, ToolMessageChunk } from "./tool.js";

/** @typedef {import("./base.js").Message} Message */
/** @typedef {import("./tool-calls.js").ToolCall} ToolCall */
/**
 * @typedef {import("./base.js").Fields} Fields
 * @typedef {import("./base.js").BaseMessage} BaseMessage
 * @typedef {import("./base.js").MessageClass} MessageClass
 * @typedef {Fields & { own?: Fields, kwargs?: Fields }} StoredFields
 * @typedef {[kind: string, fields: StoredFields]} MessageRecord
 */

const CLASSES = [
  HumanMessage,
  AIMessage,
  SystemMessage,
  ToolMessage,
  ChatMessage,
  FunctionMessage,
  RemoveMessage,
  HumanMessageChunk,
  AIMessageChunk,
  SystemMessageChunk,
  ToolMessageChunk,
  ChatMessageChunk,
  FunctionMessageChunk,
];
/** Made at first use. @type {Map<string, MessageClass>} */
let byKind;
/** Kinds of chunks by the type of their messages. @type {Map<string, string>} */
let chunkKinds;

/**
 * Returns the class of a kind: a type, or the name of a chunk's class.
 * @param {unknown} kind
 * @returns {MessageClass | undefined}
 */
function classOf(kind) {
  if (byKind === undefined) {
    byKind = new Map();
    chunkKinds = new Map();
    for (const cls of /** @type {MessageClass[]} */ (CLASSES)) {
      const type = cls.prototype._type;
      const name = cls.lc_name();
      const isChunk = name.endsWith("Chunk");
      byKind.set(isChunk ? name : type, cls);
      if (isChunk) chunkKinds.set(type, name);
    }
  }
  return byKind.get(/** @type {string} */ (kind));
}

/**
 * Returns the class of this name, as LangChain's records spell it.
 * @param {string} name
 * @returns {MessageClass | undefined}
 */
export function messageClass(name) {
  return /** @type {MessageClass[]} */ (CLASSES).find((cls) => cls.lc_name() === name);
}

const OPTIONAL = ["usage_metadata", "status", "artifact", "metadata", "role"];
const FULL_LISTS = ["tool_calls", "invalid_tool_calls", "tool_call_chunks"];
const KNOWN = /* @__PURE__ */ new Set([
  ...OPTIONAL,
  ...FULL_LISTS,
  "type",
  "content",
  "id",
  "name",
  "additional_kwargs",
  "response_metadata",
  "tool_call_id",
  "lc_serializable",
  "lc_kwargs",
  "lc_namespace",
]);

/** The stored bytes have a message of a kind unknown to this package. */
export class UnknownMessageError extends Error {
  /** @param {unknown} kind */
  constructor(kind) {
    super(`There is no message of the kind ${JSON.stringify(kind)}`);
    this.name = "UnknownMessageError";
    /** @type {"UNKNOWN_MESSAGE"} */
    this.code = "UNKNOWN_MESSAGE";
    this.kind = kind;
  }
}

/**
 * @param {Message} message
 * @returns {MessageRecord}
 */
export function messageToRecord(message) {
  const type = messageType(message);
  if (classOf(type) === undefined) throw new UnknownMessageError(type ?? typeof message);
  linkChunks(message);
  const kind = isBaseMessageChunk(message) ? chunkKinds.get(/** @type {string} */ (type)) : type;
  if (kind === undefined) throw new UnknownMessageError(type);
  /** @type {StoredFields} */
  const fields = { content: message.content };
  if (message.id !== undefined) fields.id = message.id;
  if (message.name !== undefined) fields.name = message.name;
  if (!isEmpty(message.additional_kwargs)) fields.additional_kwargs = message.additional_kwargs;
  if (!isEmpty(message.response_metadata)) fields.response_metadata = message.response_metadata;
  if (type === "ai") putLists(fields, message);
  else if (type === "tool") fields.tool_call_id = message.tool_call_id;
  if (type !== "human" && type !== "system") putOptional(fields, message);
  putUnknown(fields, message);
  return [kind, fields];
}

/** @param {object} object */
function isEmpty(object) {
  for (const key in object) if (Object.hasOwn(object, key)) return false;
  return true;
}

/** @param {Fields} fields @param {Message} message */
function putLists(fields, message) {
  for (const key of FULL_LISTS) {
    if (message[key] !== undefined && message[key].length > 0) fields[key] = message[key];
  }
}

/** @param {Fields} fields @param {Message} message */
function putOptional(fields, message) {
  for (const key of OPTIONAL) if (message[key] !== undefined) fields[key] = message[key];
}

/** @param {StoredFields} fields @param {Message} message */
function putUnknown(fields, message) {
  const own = pickUnknown(message, KNOWN);
  if (own !== undefined) fields.own = own;
  const kwargs = Object.hasOwn(message, "lc_kwargs")
    ? pickUnknown(message.lc_kwargs, message._known ?? KNOWN)
    : undefined;
  if (kwargs !== undefined) fields.kwargs = kwargs;
}

/**
 * @param {Record<string, unknown>} source
 * @param {Set<string>} known
 * @returns {Fields | undefined}
 */
function pickUnknown(source, known) {
  /** @type {Fields | undefined} */
  let unknown;
  for (const key in source) {
    if (
      known.has(key) ||
      key.startsWith("lc_") ||
      key === "content_blocks" ||
      !Object.hasOwn(source, key)
    )
      continue;
    if (source[key] !== undefined && typeof source[key] !== "function")
      (unknown ??= {})[key] = source[key];
  }
  return unknown;
}

/**
 * @param {unknown} record
 * @returns {BaseMessage}
 */
export function messageFromRecord(record) {
  const kind = Array.isArray(record) ? record[0] : undefined;
  const cls = classOf(kind);
  const fields = cls && /** @type {unknown[]} */ (record)[1];
  if (cls === undefined || fields === null || typeof fields !== "object")
    throw new UnknownMessageError(kind);
  const { own, kwargs, ...rest } = /** @type {StoredFields} */ (fields);
  if (kind === "ai" && rest.tool_calls === undefined) rest.tool_calls = [];
  const message = new cls(kwargs === undefined ? rest : { ...kwargs, ...rest });
  if (rest.tool_call_chunks !== undefined) restoreCalls(message, rest);
  if (own !== undefined) assignOwn(message, own);
  return message;
}

/** @param {Message} message @param {Fields} fields */
function restoreCalls(message, fields) {
  message.tool_calls = /** @type {ToolCall[]} */ (fields.tool_calls ?? []);
  message.invalid_tool_calls = fields.invalid_tool_calls ?? [];
  keepCalls(/** @type {AIMessage} */ (message));
}

/** @param {Message} message @param {Fields} own */
function assignOwn(message, own) {
  for (const key of Object.keys(own)) {
    Object.defineProperty(message, key, {
      value: own[key],
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
}
