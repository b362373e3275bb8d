// SPDX-License-Identifier: MIT
// Converts messages to the form of OpenAI's chat completions, in this direction only. Does not
// depend on HTTP or streams.
import { isRecord } from "../../base/check-arguments.js";
import { messageType, textOf } from "../../messages/index.js";
import {
  callsOf,
  isFrom,
  messageRefused,
  objectIn,
  plainName,
  readResult,
  resultText,
  urlOf,
} from "../message-parts.js";
import { readPart } from "../../messages/media.js";
import { countOrNone, usageOf } from "../shapes.js";

/** @typedef {import("../../messages/base.js").Message} Message */
/** @typedef {import("../../messages/base.js").Content} Content */
/** @typedef {import("../../base/callable.js").Value} Value */
/** @typedef {import("../../messages/media.js").Media} Media */
/** @typedef {import("./services.js").Service} Service */
/** @typedef {Record<string, unknown>} Wire */

/**
 * `provider`: name of the service, what only it understands goes back to it alone; `model`: its
 * name; `idOf`: gives ids of calls that the service takes.
 * @typedef {{ provider: string, model?: string, service?: Service, idOf?: (id: string) => string }}
 *   Target
 */

/** What goes back as it came. */
const RETURNED = ["reasoning_details", "thinking_blocks", "extra_content", "refusal"];

/**
 * @param {readonly unknown[]} messages
 * @param {Target} target
 * @returns {Wire[]}
 */
export function toWireMessages(messages, target) {
  return messages.map((message) => toWire(message, target));
}

/** @param {Value} message @param {Target} target @returns {Wire} */
function toWire(message, target) {
  const type = messageType(message);
  const named = (/** @type {Wire} */ wire) => withName(wire, message, target.service);
  switch (type) {
    case "human":
      return named({ role: "user", content: userContent(message.content) });
    case "system":
      return named({
        role: message.additional_kwargs?.__openai_role__ ?? "system",
        content: textContent(message.content),
      });
    case "ai":
      return named(assistant(message, target));
    case "tool":
      return {
        role: "tool",
        tool_call_id: target.idOf?.(message.tool_call_id) ?? message.tool_call_id,
        content: toolContent(message.content),
      };
    case "function":
      return { role: "function", name: message.name, content: textOf(message.content) };
    case "generic":
      return named({ role: message.role, content: userContent(message.content) });
    default:
      throw messageRefused(type);
  }
}

// Omits names with blanks or markup, which services refuse: a display name must not fail the call.
/** @param {Wire} wire @param {Message} message @param {Service} [service] @returns {Wire} */
function withName(wire, { name }, service) {
  return service?.hasNames !== false && typeof name === "string" && /^[\w-]{1,64}$/.test(name)
    ? { ...wire, name }
    : wire;
}

/** @param {Message} message @param {Target} target @returns {Wire} */
function assistant(message, target) {
  const isOwn = isFrom(message, target.provider);
  const tool_calls = callsOf(message).map((call) => wireCall(call, isOwn, target));
  /** @type {Wire} */
  const wire = { role: "assistant", content: textContent(message.content) };
  if (isOwn) addOwn(wire, message, target);
  return tool_calls.length > 0 ? { ...wire, tool_calls } : wire;
}

/**
 * Adds what goes back to the service that made the message.
 * @param {Wire} wire @param {Message} message @param {Target} target
 */
function addOwn(wire, { additional_kwargs, response_metadata }, { model, service }) {
  /** @type {import("../answer-parts.js").Fields} */
  const kept = additional_kwargs ?? {};
  const { reasoning_content: reasoning, audio } = kept;
  const isTaken = service?.keepsReasoning !== false || response_metadata.model_name === model;
  if (isTaken && typeof reasoning === "string" && reasoning !== "") {
    const field = String(response_metadata.reasoning_field ?? "reasoning_content");
    if (field !== "thinking") wire[field] = reasoning;
    else {
      const thinking = [{ type: "text", text: reasoning }];
      const { content } = wire;
      const text = Array.isArray(content) ? content : [{ type: "text", text: content }];
      wire.content = [{ type: "thinking", thinking }, ...(content === "" ? [] : text)];
    }
  }
  for (const name of RETURNED) if (kept[name] && kept[name].length !== 0) wire[name] = kept[name];
  if (typeof audio?.id === "string") wire.audio = { id: audio.id };
}

/**
 * @param {Value} call
 * @param {boolean} isOwn did this service make it?
 * @param {Target} target
 * @returns {Wire}
 */
function wireCall({ id, name: given, args: read, extras }, isOwn, { idOf }) {
  const name = String(given ?? "");
  // Services parse the arguments of earlier calls; text that is not JSON would fail this request.
  const args = JSON.stringify(objectIn(read));
  return {
    id: idOf?.(id) ?? id,
    type: "function",
    function: { name: isOwn ? name : plainName(name), arguments: args },
    ...(isOwn && extras?.extra_content && { extra_content: extras.extra_content }),
  };
}

/** @param {Value} content */
function toolContent(content) {
  if (typeof content === "string") return content;
  const blocks = readResult(content, ({ data }) => data === undefined).map(told);
  if (blocks.some(({ type }) => type !== "text")) return JSON.stringify(blocks);
  return blocks.some(isMarked) ? textContent(blocks) : resultText(blocks);
}

/**
 * Returns a block of text for a part of a result, if there is one, else its own.
 * @param {import("../../messages/media.js").Part} part
 * @returns {import("../../messages/base.js").ContentBlock}
 */
export function told(part) {
  const { block } = part;
  const isTold = part.kind !== "other" && part.text !== undefined && block.type !== "text";
  return isTold ? { type: "text", text: part.text } : block;
}

/**
 * Joins texts, but for those of which a gateway is told to keep what they end (`cache_control`).
 * @param {Content} content
 */
function textContent(content) {
  if (!Array.isArray(content) || !content.some(isMarked)) return textOf(content);
  return content.map(readPart).flatMap((part) => (part.kind === "text" ? textBlock(part) : []));
}

/** @param {object} block */
function isMarked(block) {
  return isRecord(block) && "cache_control" in block;
}

/** @param {import("../../messages/media.js").Text} part @returns {Wire} */
function textBlock({ text, block: { cache_control } }) {
  return { type: "text", text, ...(cache_control && { cache_control }) };
}

/** @param {Value} content */
function userContent(content) {
  if (typeof content === "string") return content;
  return (content ?? []).map(userBlock);
}

/** @param {Value} given @returns {Wire} */
function userBlock(given) {
  const part = readPart(given);
  if (part.kind === "text") return textBlock(part);
  if (part.kind === "other" || isOpenAI(given)) return given;
  if (part.kind === "image") return { type: "image_url", image_url: imageOf(part) };
  if (part.kind === "audio" && part.data !== undefined)
    return { type: "input_audio", input_audio: { data: part.data, format: formatOf(part) } };
  if (part.kind === "video") return { type: "video_url", video_url: { url: urlOf(part) } };
  if (part.kind === "file" && part.text !== undefined) return { type: "text", text: part.text };
  if (part.kind === "file") return { type: "file", file: fileOf(part) };
  return given;
}

/** Is it in OpenAI's own form? @param {Value} block */
function isOpenAI({ image_url, input_audio, file }) {
  return [image_url, input_audio, file].some(isRecord);
}

/** @param {Media} part */
function imageOf(part) {
  const url = urlOf({ ...part, mimeType: part.mimeType ?? "image/png" });
  if (url === undefined) throw new TypeError("An image block needs a url or data");
  return { url, ...(part.detail && { detail: part.detail }) };
}

/** Returns OpenAI's name of a sound's type. @param {Media} part */
export function formatOf({ mimeType = "audio/wav" }) {
  const format = mimeType.slice("audio/".length);
  return format === "mpeg" ? "mp3" : format.replace(/^x-/, "");
}

/** @param {Media} part */
function fileOf(part) {
  const { fileId, filename = "file" } = part;
  return fileId === undefined ? { filename, file_data: urlOf(part) } : { file_id: fileId };
}

/**
 * @param {Value} usage
 * @returns {import("../answer-parts.js").Fields | undefined}
 */
export function usageFrom(usage) {
  if (usage === null || typeof usage !== "object") return undefined;
  const { prompt_tokens_details: inputs, completion_tokens_details: outputs } = usage;
  const cached = inputs?.cached_tokens ?? usage.prompt_cache_hit_tokens ?? usage.cached_tokens;
  const sent = countOrNone(usage.prompt_tokens);
  const said = countOrNone(usage.completion_tokens);
  const total = countOrNone(usage.total_tokens);
  const reasoning = countOrNone(outputs?.reasoning_tokens);
  // xAI counts its reasoning beside what was said.
  const all = (said ?? 0) + (reasoning ?? 0);
  return usageOf(
    sent,
    total === (sent ?? 0) + all ? all : said,
    total,
    {
      audio: inputs?.audio_tokens || undefined,
      cache_read: cached,
      cache_creation: inputs?.cache_write_tokens ?? inputs?.cache_creation_input_tokens,
    },
    { audio: outputs?.audio_tokens || undefined, reasoning },
  );
}
