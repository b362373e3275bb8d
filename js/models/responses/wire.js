// SPDX-License-Identifier: MIT
// Converts messages to the input of OpenAI's Responses, in this direction only: what the service
// sent goes back to it as it came, other models' answers without ids. Does not depend on HTTP.
import { messageType, textOf } from "../../messages/index.js";
import {
  blockRefused,
  isFrom,
  messageRefused,
  objectIn,
  placedParts,
  plainName,
  readContent,
  readResult,
  resultText,
  urlOf,
} from "../message-parts.js";
import { textIn } from "../../messages/media.js";
import { rewritten } from "./arguments.js";
import { addHosted } from "./hosted.js";

/** @typedef {import("../../messages/base.js").Message} Message */
/** @typedef {import("../answer-parts.js").Fields} Fields */
/** @typedef {import("../../messages/media.js").Media} Media */
/** @typedef {import("../../messages/media.js").Part} Part */
/**
 * `provider`: name of the service; `store`: it keeps the answers; `profile`: of the model.
 * @typedef {{ provider: string, store: boolean, profile: Fields }} Target
 */

const SERVICE = "the Responses API";
export const XAI = "api.x.ai";
/** Items that the service takes without their ids. */
const WITHOUT_ID = ["message", "function_call", "custom_tool_call"];
/** Types of items among what a person says: what a program did for the model, an approval. */
const ITEM = /_(response|output|reference)$|^compaction/;
/** Characters of a call's id that the service takes at most. */
const MOST_ID = 64;

/**
 * Returns the fields of the request that say what was said so far.
 * @param {readonly Message[]} messages
 * @param {Target} target
 * @param {string | undefined} previous the answer to continue, if the program names it
 * @returns {Fields}
 */
export function toInput(messages, target, previous) {
  const first = messages.findIndex((message) => messageType(message) !== "system");
  // System messages alone are the input, without which the service refuses a request.
  const system = messages.slice(0, Math.max(first, 0));
  const instructions = system.map(({ content }) => textOf(content)).join("\n\n");
  const known = previous === undefined ? lastStored(messages, target) : -1;
  const previous_response_id = previous ?? messages[known]?.response_metadata.response_id;
  // xAI keeps the instructions of the answer before, and refuses others.
  const isTold = previous_response_id !== undefined && target.provider === XAI;
  /** Items of calls by the ids of the calls. @type {Map<unknown, Fields>} */
  const calls = new Map();
  /** @type {Map<string, string>} */
  const short = new Map();
  const items = messages.map((message, at) =>
    at < system.length
      ? []
      : toItems(message, at, target, calls).map((item) => withShortId(item, short)),
  );
  return {
    instructions: (!isTold && instructions) || undefined,
    input: items.slice(known + 1).flat(),
    previous_response_id,
  };
}

/**
 * Returns the item with an id of its call that is short enough: other services give longer ones.
 * @param {Fields} item @param {Map<string, string>} short the ids so far, by the long ones
 */
function withShortId(item, short) {
  const { call_id } = item;
  if (typeof call_id !== "string" || call_id.length <= MOST_ID) return item;
  if (!short.has(call_id)) short.set(call_id, `weft_call_${short.size}`);
  return { ...item, call_id: short.get(call_id) };
}

/**
 * Returns the place of the last answer that the service keeps and that something follows, or -1.
 * @param {readonly Message[]} messages @param {Target} target
 */
function lastStored(messages, { store, provider }) {
  const at = messages.findLastIndex(
    (message) =>
      isFrom(message, provider) &&
      message.response_metadata.store === true &&
      textIn(message.response_metadata.response_id) !== undefined,
  );
  return store && at < messages.length - 1 ? at : -1;
}

/**
 * @param {Message} message @param {number} at @param {Target} target
 * @param {Map<unknown, Fields>} calls gets the message's calls
 * @returns {Fields[]}
 */
function toItems(message, at, target, calls) {
  const type = messageType(message);
  /** @type {Fields} */
  const { content, role, additional_kwargs, tool_call_id: call_id } = message;
  if (type === "ai" || (type === "generic" && role === "assistant")) {
    const items = answerItems(message, target);
    for (const item of items) calls.set(item.call_id, item);
    return items;
  }
  if (type === "human") return said("user", content, at);
  if (type === "generic") return said(role, content, at);
  if (type === "system") return said(additional_kwargs?.__openai_role__ ?? type, content, at);
  if (type !== "tool") throw messageRefused(type);
  // The caller is set if a program of the service called the tool.
  const { type: asked, caller } = calls.get(call_id) ?? {};
  const kind = asked === "custom_tool_call" ? asked : "function_call";
  return [{ type: `${kind}_output`, call_id, output: outputOf(content), caller }];
}

/**
 * @param {string} role @param {Message["content"]} given @param {number} at
 * @returns {Fields[]}
 */
function said(role, given, at) {
  /** @type {Fields[]} */
  const items = [];
  /** @type {Fields[]} */
  const parts = [];
  for (const part of readContent(given)) {
    const { block } = part;
    const item = block?.type === "non_standard" ? block.value : block;
    if (ITEM.test(item?.type)) items.push(item);
    else {
      const made = formOf(part);
      if (made === undefined) throw blockRefused(SERVICE, at, block);
      parts.push(made);
    }
  }
  // The service refuses a message without parts.
  const content = parts.length > 0 ? parts : "";
  if (content !== "" || items.length === 0) items.push({ type: "message", role, content });
  return items;
}

/** @param {Message["content"]} content */
function outputOf(content) {
  const blocks = content ?? "";
  if (typeof blocks === "string") return blocks;
  if (blocks.every((block) => block?.type === "text")) return resultText(blocks);
  const isTaken = (/** @type {Media} */ media) =>
    media.kind !== "audio" && formOf(media) !== undefined;
  return readResult(blocks, isTaken).map(
    (part) => formOf(part) ?? { type: "input_text", text: JSON.stringify(part.block) },
  );
}

/** @param {Part} part @returns {Fields | undefined} undefined if the service takes none */
function formOf(part) {
  if (part.kind === "other") return part.type === "non_standard" ? part.block.value : undefined;
  if (part.kind === "text" || part.text !== undefined)
    return { type: "input_text", text: part.text };
  const { kind, data, url, fileId: file_id, filename = "file", detail = "auto" } = part;
  const type = `input_${kind}`;
  switch (kind) {
    case "image": {
      const image_url = file_id ? undefined : urlOf({ mimeType: "image/png", ...part });
      return file_id || image_url ? { type, detail, file_id, image_url } : undefined;
    }
    case "file":
      if (file_id !== undefined) return { type, file_id };
      if (data !== undefined) return { type, filename, file_data: urlOf(part) };
      return url === undefined ? undefined : { type, file_url: url };
    case "audio": {
      const { mimeType = "audio/wav" } = part;
      const format = mimeType.replace(/^audio\/(x-)?/, "").replace("mpeg", "mp3");
      return data === undefined ? undefined : { type, input_audio: { data, format } };
    }
  }
}

/** @param {Message} message of a model @param {Target} target @returns {Fields[]} */
function answerItems(message, target) {
  const isOwn = isFrom(message, target.provider);
  const { output } = message.response_metadata ?? {};
  // LangChain's own model keeps the items there.
  if (isOwn && Array.isArray(output) && output.length > 0) return sendable(output, target);
  /** @type {Fields[]} */
  const items = [];
  for (const part of placed(message)) {
    if (part.call !== undefined) items.push(callItem(part.call, isOwn));
    else if (part.type === "text" || part.type === "refusal") addText(part, isOwn, items);
    else if (isOwn && part.type === "reasoning") items.push(part.extras?.item);
    else if (isOwn) addHosted(part, items);
  }
  return sendable(items, target);
}

/**
 * Leaves out reasoning of which the service would get an id alone: neither kept nor written down.
 * Ids of what followed from it, which would be refused, are left out too. Reasoning that nothing
 * followed, of an answer that was cut off, is refused as well, and all of it by other models.
 * @param {Fields[]} given @param {Target} target
 */
function sendable(given, { store, profile }) {
  const all = given.filter(Boolean);
  const items = all.slice(0, all.findLastIndex(({ type }) => type !== "reasoning") + 1);
  const reasons = profile.reasoningOutput !== false;
  const known = items.filter(
    ({ type, encrypted_content, content }) =>
      type !== "reasoning" || (reasons && (store || encrypted_content || content?.length > 0)),
  );
  if (known.length === items.length) return items;
  return known.map((item) => (WITHOUT_ID.includes(item.type) ? { ...item, id: undefined } : item));
}

/**
 * Returns blocks and calls in the order of the answer's items.
 * @param {Message} message
 * @returns {Fields[]}
 */
function placed(message) {
  let last = 0;
  return placedParts(message)
    .map(({ call, block }) => {
      const part = block ?? { call, extras: call.extras };
      last = part.extras?.output_index ?? last;
      return { part, last };
    })
    .sort((one, other) => one.last - other.last)
    .map(({ part }) => part);
}

/** @param {Fields} block @param {boolean} isOwn @param {Fields[]} items */
function addText(block, isOwn, items) {
  const { text = "", refusal, annotations = [], extras } = block;
  const rest = isOwn ? extras?.item : undefined;
  if (text === "" && refusal === undefined && rest === undefined) return;
  const part =
    refusal === undefined
      ? { type: "output_text", text, annotations: isOwn ? annotations : [] }
      : { type: "refusal", refusal };
  const last = items[items.length - 1];
  const isSame = rest?.id !== undefined && last?.id === rest.id;
  if (isSame) last.content.push(part);
  else items.push({ type: "message", role: "assistant", ...rest, content: [part] });
}

/** @param {Fields} call @param {boolean} isOwn @returns {Fields} */
function callItem(call, isOwn) {
  const { id: call_id, args } = call;
  const name = isOwn ? call.name : plainName(call.name);
  const { item, arguments: text } = (isOwn && call.extras) || {};
  if (item?.type === "custom_tool_call")
    return { ...item, call_id, name, input: args?.input ?? "" };
  // Services parse the arguments of earlier calls; text that is not JSON would fail this request.
  const written = writtenBy(text, args) ?? JSON.stringify(objectIn(args));
  return { type: "function_call", ...item, call_id, name, arguments: written };
}

/**
 * Returns the service's own text of arguments, unless they were changed since.
 * @param {unknown} text @param {unknown} args
 */
function writtenBy(text, args) {
  const bare = (/** @type {unknown} */ value) =>
    JSON.stringify(value, (_, field) => field ?? undefined);
  return typeof text === "string" && rewritten(text, bare) === JSON.stringify(bare(args))
    ? text
    : undefined;
}
