// SPDX-License-Identifier: MIT
// Converts what a user's message holds between AG-UI's parts and a graph's blocks: text, pictures,
// sound, films and documents. What has no counterpart is left out.
import { isRecord } from "../base/check-arguments.js";
import { textOf } from "../messages/index.js";

/** @typedef {Record<string, unknown>} Fields */
/** @typedef {{ url?: string, data?: string, mimeType?: string }} Source */

/** AG-UI's kinds of media, and the blocks that hold them. Pictures have a form of their own. */
const BLOCKS = /** @type {Record<string, string>} */ ({
  audio: "audio",
  video: "video",
  document: "file",
});
const UNKNOWN = "application/octet-stream";

/** @param {unknown} content a text, or AG-UI's parts @returns {string | Fields[]} */
export function toBlocks(content) {
  if (!Array.isArray(content)) return typeof content === "string" ? content : "";
  return content.filter(isRecord).flatMap(blockOf);
}

/** @param {Fields} part @returns {Fields[]} */
function blockOf(part) {
  if (part.type === "text") return typeof part.text === "string" ? [textBlock(part.text)] : [];
  const { url, data, mimeType } = sourceOf(part);
  if (url === undefined && data === undefined) return [];
  const kind = part.type === "binary" ? kindOf(mimeType ?? UNKNOWN) : String(part.type);
  if (kind === "image")
    return [
      {
        type: "image_url",
        image_url: { url: url ?? `data:${mimeType ?? UNKNOWN};base64,${data}` },
      },
    ];
  if (!Object.hasOwn(BLOCKS, kind)) return [];
  return [
    {
      type: BLOCKS[kind],
      ...(mimeType === undefined ? {} : { mimeType }),
      ...(url === undefined ? { data } : { url }),
    },
  ];
}

/** @param {string} text */
const textBlock = (text) => ({ type: "text", text });

/** @param {string} mimeType of a `binary` part, which the older dialect has */
function kindOf(mimeType) {
  const [kind] = mimeType.split("/");
  return kind === "image" || Object.hasOwn(BLOCKS, kind) ? kind : "document";
}

/** @param {Fields} part whose bytes are beneath `source`, or beside its type @returns {Source} */
function sourceOf(part) {
  const { source } = part;
  const { type, value, mimeType } = isRecord(source) ? source : part;
  const own = /** @type {Fields} */ (isRecord(source) ? { [String(type)]: value } : part);
  return { url: textIn(own.url), data: textIn(own.data), mimeType: textIn(mimeType) };
}

/** @param {unknown} value */
function textIn(value) {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** @param {unknown} content of a user's message in a state @returns {string | Fields[]} AG-UI's */
export function toParts(content) {
  const parts = Array.isArray(content) ? content.flatMap(partOf) : [];
  return parts.some(({ type }) => type !== "text") ? parts : textOf(content);
}

/** @param {unknown} block @returns {Fields[]} */
function partOf(block) {
  if (typeof block === "string") return [textBlock(block)];
  if (!isRecord(block)) return [];
  if (block.type === "text") return [textBlock(String(block.text))];
  const type = /^image(_url)?$/.test(String(block.type))
    ? "image"
    : Object.keys(BLOCKS).find((kind) => BLOCKS[kind] === block.type);
  const image = isRecord(block.image_url) ? block.image_url.url : block.image_url;
  const url = textIn(image) ?? textIn(block.url);
  const [, kind, bytes] = /^data:([^;,]+);base64,(.*)$/s.exec(url ?? "") ?? [];
  const mimeType = kind ?? textIn(block.mimeType) ?? textIn(block.mime_type);
  const data = bytes ?? textIn(block.data);
  if (type === undefined || (url ?? data) === undefined) return [];
  const source =
    data === undefined
      ? { type: "url", value: url, ...(mimeType === undefined ? {} : { mimeType }) }
      : { type: "data", value: data, mimeType: mimeType ?? UNKNOWN };
  return [{ type, source }];
}
