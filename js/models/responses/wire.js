// SPDX-License-Identifier: MIT
// Converts messages to the input of OpenAI's Responses, in this direction only: what the service
// sent goes back to it as it came, other models' answers without ids. Does not depend on HTTP.
import { messageType, textOf } from "../../messages/index.js";
import {
  blockRefused,
  isFrom,
  messageRefused,
  placedParts,
  readContent,
  readResult,
  urlOf,
} from "../message-parts.js";
import { addHosted } from "./hosted.js";

/** @typedef {import("../../messages/base.js").Message} Message */
/** @typedef {import("../answer-parts.js").Fields} Fields */
/** @typedef {import("../message-parts.js").Media} Media */
/**
 * `provider`: name of the service; `store`: it keeps the answers.
 * @typedef {{ provider: string, store: boolean }} Target
 */

const SERVICE = "the Responses API";
/** Items that the service takes without their ids. */
const WITHOUT_ID = ["message", "function_call", "custom_tool_call"];

/**
 * Returns the fields of the request that say what was said so far.
 * @param {readonly Message[]} messages
 * @param {Target} target
 * @param {string | undefined} previous the answer to continue, if the program names it
 * @returns {Fields}
 */
export function toInput(messages, target, previous) {
  const first = messages.findIndex((message) => messageType(message) !== "system");
  const system = messages.slice(0, first < 0 ? messages.length : first);
  const instructions = system.map(({ content }) => textOf(content)).join("\n\n");
  const known = previous === undefined ? lastStored(messages, target) : undefined;
  const from = known ?? system.length;
  const previous_response_id =
    previous ?? (known && messages[known - 1].response_metadata.response_id);
  const customCalls = new Set(messages.flatMap(customCallsOf));
  return {
    ...(instructions === "" ? {} : { instructions }),
    input: messages
      .slice(from)
      .flatMap((message, at) => toItems(message, from + at, target, customCalls)),
    ...(previous_response_id === undefined ? {} : { previous_response_id }),
  };
}

/**
 * Returns the place after the last answer that the service keeps.
 * @param {readonly Message[]} messages @param {Target} target
 */
function lastStored(messages, target) {
  if (!target.store) return undefined;
  const at = messages.findLastIndex(
    (message) =>
      messageType(message) === "ai" &&
      isFrom(message, target.provider) &&
      message.response_metadata.store === true &&
      typeof message.response_metadata.response_id === "string",
  );
  return at < 0 || at === messages.length - 1 ? undefined : at + 1;
}

/** @param {Message} message @returns {string[]} ids of the calls whose input is plain text */
function customCallsOf({ tool_calls }) {
  return (tool_calls ?? []).filter(isCustom).map((/** @type {Fields} */ call) => call.id);
}

/** @param {Fields} call */
function isCustom({ extras }) {
  return extras?.item?.type === "custom_tool_call";
}

/**
 * @param {Message} message @param {number} at @param {Target} target
 * @param {Set<string>} customCalls
 * @returns {Fields[]}
 */
function toItems(message, at, target, customCalls) {
  const type = messageType(message);
  const { content, role, additional_kwargs, tool_call_id: call_id } = message;
  if (type === "ai" || (type === "generic" && role === "assistant"))
    return answerItems(message, target);
  if (type === "human") return [said("user", content, at)];
  if (type === "generic") return [said(role, content, at)];
  if (type === "system")
    return [said(String(additional_kwargs?.__openai_role__ ?? type), content, at)];
  if (type !== "tool") throw messageRefused(type);
  const kind = customCalls.has(String(call_id)) ? "custom_tool_call" : "function_call";
  return [{ type: `${kind}_output`, call_id, output: outputOf(content, at) }];
}

/** @param {string} role @param {Message["content"]} content @param {number} at */
function said(role, content, at) {
  return {
    type: "message",
    role,
    content: readContent(content).map((part) => inputPart(part, at)),
  };
}

/** @param {Message["content"]} content @param {number} at */
function outputOf(content, at) {
  if (typeof content === "string") return content;
  const blocks = content ?? [];
  const isText = blocks.every((block) => block?.type === "text");
  if (isText) return textOf(blocks);
  return readResult(blocks).map((part) =>
    part.kind === "other" && part.type !== "non_standard"
      ? { type: "input_text", text: JSON.stringify(part.block) }
      : inputPart(part, at),
  );
}

/** @param {import("../message-parts.js").Part} part @param {number} at @returns {Fields} */
function inputPart(part, at) {
  if (part.kind === "text") return { type: "input_text", text: part.text };
  if (part.kind === "other") {
    if (part.type === "non_standard") return part.block.value;
    throw blockRefused(SERVICE, at, part.block);
  }
  const made =
    part.kind === "image" ? imageOf(part) : part.kind === "audio" ? soundOf(part) : fileOf(part);
  if (part.kind === "video" || made === undefined) throw blockRefused(SERVICE, at, part.block);
  return made;
}

/** @param {Media} part @returns {Fields | undefined} */
function imageOf(part) {
  const { fileId: file_id, detail = "auto" } = part;
  if (file_id !== undefined) return { type: "input_image", detail, file_id };
  const image_url = urlOf({ ...part, mimeType: part.mimeType ?? "image/png" });
  return image_url === undefined ? undefined : { type: "input_image", detail, image_url };
}

/** @param {Media} part @returns {Fields | undefined} */
function soundOf({ data, mimeType = "audio/wav" }) {
  if (data === undefined) return undefined;
  const format = mimeType.slice("audio/".length).replace(/^x-/, "");
  const input_audio = { data, format: format === "mpeg" ? "mp3" : format };
  return { type: "input_audio", input_audio };
}

/** @param {Media} part @returns {Fields | undefined} */
function fileOf(part) {
  const { fileId: file_id, url: file_url, text, filename = "file" } = part;
  if (file_id !== undefined) return { type: "input_file", file_id };
  if (text !== undefined) return { type: "input_text", text };
  if (part.data !== undefined) return { type: "input_file", filename, file_data: urlOf(part) };
  return file_url === undefined ? undefined : { type: "input_file", file_url };
}

/** @param {Message} message of a model @param {Target} target @returns {Fields[]} */
function answerItems(message, target) {
  const isOwn = isFrom(message, target.provider);
  const { output } = message.response_metadata ?? {};
  // LangChain's own model keeps the items there.
  if (isOwn && Array.isArray(output) && output.length > 0)
    return sendable(output.filter(Boolean), target);
  /** @type {Fields[]} */
  const items = [];
  for (const part of placed(message, isOwn)) {
    if (part.call !== undefined) items.push(callItem(part.call, isOwn));
    else if (part.type === "text" || part.type === "refusal") addText(part, isOwn, items);
    else if (isOwn && part.type === "reasoning") items.push(part.extras?.item);
    else if (isOwn) addHosted(part, items);
  }
  return sendable(
    items.filter((item) => item !== undefined && item !== null),
    target,
  );
}

/**
 * Leaves out reasoning of which the service would get an id alone: neither kept nor written down.
 * Ids of what followed from it, which would be refused, are left out too.
 * @param {Fields[]} items @param {Target} target
 */
function sendable(items, { store }) {
  const known = items.filter(
    ({ type, encrypted_content, content }) =>
      store || type !== "reasoning" || encrypted_content || content?.length > 0,
  );
  if (known.length === items.length) return items;
  return known.map((item) => {
    const { id: _id, ...rest } = item;
    return WITHOUT_ID.includes(item.type) ? rest : item;
  });
}

/**
 * Returns blocks and calls in the order of the answer's items.
 * @param {Message} message @param {boolean} isOwn
 * @returns {Fields[]}
 */
function placed(message, isOwn) {
  const parts = placedParts(message).map(({ call, block }) => {
    if (call !== undefined) return { call, extras: call.extras };
    return typeof block === "string" ? { type: "text", text: block } : Object(block);
  });
  if (!isOwn) return parts;
  let last = 0;
  const keyed = parts.map((part) => {
    last = part.extras?.output_index ?? last;
    return { part, last };
  });
  return keyed.sort((one, other) => one.last - other.last).map(({ part }) => part);
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
  const isSame = rest?.id !== undefined && last?.type === "message" && last.id === rest.id;
  if (isSame) last.content.push(part);
  else items.push({ type: "message", role: "assistant", ...rest, content: [part] });
}

/** @param {Fields} call @param {boolean} isOwn @returns {Fields} */
function callItem(call, isOwn) {
  const { id: call_id, name = "", args, extras } = call;
  const rest = isOwn ? extras?.item : undefined;
  if (isOwn && isCustom(call)) return { ...rest, call_id, name, input: args?.input ?? "" };
  const text = isOwn ? writtenBy(extras?.arguments, args) : undefined;
  // Services parse the arguments of earlier calls; text that is not JSON would fail this request.
  const usual = args !== null && typeof args === "object" ? JSON.stringify(args) : "{}";
  return { type: "function_call", ...rest, call_id, name, arguments: text ?? usual };
}

/**
 * Returns the service's own text of arguments, unless they were changed since.
 * @param {unknown} text @param {unknown} args
 */
function writtenBy(text, args) {
  if (typeof text !== "string") return undefined;
  const bare = (/** @type {unknown} */ value) =>
    JSON.stringify(value, (_, field) => (field === null ? undefined : field));
  try {
    return bare(JSON.parse(text)) === bare(args) ? text : undefined;
  } catch {
    return undefined;
  }
}
