// SPDX-License-Identifier: MIT
// Reads one part of a message's content: text, pictures, files, sound, in each form that LangChain
// (old and new), OpenAI, Anthropic and Google write them, into one.
import { bytesToText } from "../base/base64.js";

/** @typedef {import("../base/callable.js").Value} Value */
/**
 * One of `data` (base64), `url`, `fileId` and `text` is set, unless nothing of them was given.
 * @typedef {{ kind: "image" | "audio" | "video" | "file", mimeType?: string, data?: string, url?:
 *   string, fileId?: string, text?: string, filename?: string, detail?: string, block: Value }}
 *   Media
 * @typedef {{ kind: "text", text: string, block: Value }} Text
 * @typedef {{ kind: "other", type: string, block: Value }} Other
 * @typedef {Media | Text | Other} Part
 */

/** @type {Record<string, Media["kind"]>} */
const KINDS = {
  image: "image",
  image_url: "image",
  input_image: "image",
  audio: "audio",
  input_audio: "audio",
  video: "video",
  file: "file",
  input_file: "file",
  document: "file",
  "text-plain": "file",
  media: "file",
};
const FAMILIES = /** @type {const} */ (["image", "audio", "video"]);
const DATA = "data:";
const BASE64 = ";base64";
const TEXTS = ["text", "input_text", "output_text"];

/** @param {Value} block @returns {Part} */
export function readPart(block) {
  if (typeof block === "string") return { kind: "text", text: block, block };
  const type = block?.type;
  if (TEXTS.includes(type)) return { kind: "text", text: block.text ?? "", block };
  return Object.hasOwn(KINDS, type ?? "")
    ? readMedia(KINDS[type], block)
    : { kind: "other", type: String(type), block };
}

/** @param {Media["kind"]} kind @param {Value} block @returns {Media} */
function readMedia(kind, block) {
  const inner = innerOf(block);
  const url = textIn(inner.url ?? inner.file_url ?? inner.fileUri);
  const mimeType = typeIn(inner.mimeType ?? inner.mime_type ?? inner.media_type) ?? typeBy(inner);
  const filename = textIn(
    block.filename ?? inner.filename ?? block.metadata?.filename ?? block.metadata?.name,
  );
  const fileId = textIn(inner.fileId ?? inner.file_id ?? (block.source_type === "id" && block.id));
  const detail = textIn(inner.detail ?? block.detail);
  const text =
    block.source_type === "text" || block.type === "text-plain" || inner.type === "text"
      ? textIn(inner.text ?? inner.data)
      : undefined;
  const data = text === undefined ? (inner.data ?? inner.file_data) : undefined;
  const place = fromPlace(data, url, mimeType);
  /** @type {Media} */
  const media = { kind: kind === "file" ? kindOf(place.mimeType) : kind, ...place, block };
  for (const [key, value] of Object.entries({ fileId, text, filename, detail }))
    if (value !== undefined) /** @type {Value} */ (media)[key] = value;
  return media;
}

/** Returns the kind of files of a media type. @param {unknown} mimeType @returns {Media["kind"]} */
export function kindOf(mimeType) {
  const family = String(mimeType).split("/")[0];
  return FAMILIES.find((one) => one === family) ?? "file";
}

/** Returns the object that holds the data or where it is. @param {Value} block */
function innerOf(block) {
  const inner =
    block.image_url ?? block.source ?? block.input_audio ?? block.file ?? block.fileData ?? block;
  return typeof inner === "string" ? { ...block, url: inner } : inner;
}

/** @param {unknown} value @returns {string | undefined} undefined if it is no text, or empty */
export function textIn(value) {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** @param {unknown} value @returns {string | undefined} services refuse the wrong "image/jpg" */
function typeIn(value) {
  const type = textIn(value);
  return type === "image/jpg" ? "image/jpeg" : type;
}

/** OpenAI's name of a sound's format. @param {Value} inner */
function typeBy({ format }) {
  return typeof format === "string" ? `audio/${format}` : undefined;
}

/**
 * @param {Value} data bytes, base64 or a data URL
 * @param {string | undefined} url
 * @param {string | undefined} mimeType
 * @returns {{ data?: string, url?: string, mimeType?: string }}
 */
function fromPlace(data, url, mimeType) {
  const kept = mimeType === undefined ? {} : { mimeType };
  if (data instanceof Uint8Array) return { ...kept, data: bytesToText(data) };
  const found = readDataUrl(textIn(data) ?? url ?? "");
  if (found !== undefined) {
    const [type, base64] = found;
    return { ...kept, ...(type === "" ? {} : { mimeType: typeIn(type) }), data: base64 };
  }
  if (textIn(data) !== undefined) return { ...kept, data };
  return url === undefined ? kept : { ...kept, url };
}

/**
 * Without a regular expression: one that repeats has no room for a URL of millions of parameters.
 * @param {string} text
 * @returns {[type: string, base64: string] | undefined} undefined: it is no data URL in base64
 */
function readDataUrl(text) {
  if (!text.startsWith(DATA)) return undefined;
  const comma = text.indexOf(",");
  if (!text.slice(0, Math.max(comma, 0)).endsWith(BASE64)) return undefined;
  const type = text.slice(DATA.length, text.indexOf(";"));
  return [type, text.slice(comma + 1)];
}
