// SPDX-License-Identifier: MIT
// Converts the result of an MCP tool to a tool message's content and artifact, as
// @langchain/mcp-adapters does, but for pictures, sound and links, in forms that all models take.
import { isRecord } from "../base/check-arguments.js";
import { beginning } from "./mcp-error.js";

/** @typedef {Record<string, unknown>} Block */
/** @typedef {import("../messages/base.js").ContentBlock} ContentBlock */
/** @typedef {{ content: string | ContentBlock[], artifact: Block[] }} Converted */

/**
 * @param {Record<string, unknown>} result of tools/call
 * @param {number} most characters of text
 * @returns {Converted}
 */
export function convertResult(result, most) {
  /** @type {ContentBlock[]} */
  const blocks = [];
  /** @type {Block[]} */
  const artifact = [];
  let length = 0;
  let shown = 0;
  /** The text that was cut. @type {ContentBlock | undefined} */
  let last;
  const push = (/** @type {ContentBlock} */ block) => {
    if (block.type === "text") {
      const text = String(block.text);
      length += text.length;
      // Many short texts must not add up: none follows the cut one, and no empty one another block.
      if (last !== undefined || (text === "" && blocks.length > 0)) return;
      const room = most - shown;
      if (text.length > room) {
        last = block;
        block.text = beginning(text, room);
      }
      shown += String(block.text).length;
    }
    blocks.push(block);
  };
  for (const part of Array.isArray(result.content) ? result.content : []) {
    if (!isRecord(part)) continue;
    if (part.type === "resource") artifact.push({ type: "resource", resource: part.resource });
    else push(blockOf(part));
    if (part.type === "resource_link") artifact.push(part);
  }
  if (result.structuredContent !== undefined) {
    artifact.push({ type: "mcp_structured_content", data: result.structuredContent });
    if (blocks.length === 0) push({ type: "text", text: JSON.stringify(result.structuredContent) });
  }
  if (last !== undefined)
    last.text += `\u2026 (cut: ${length - shown} of ${length} characters are left out)`;
  const meta = metaOf(result);
  if (meta.length > 0) artifact.push({ type: "mcp_meta", data: Object.fromEntries(meta) });
  const isText = blocks.length < 2 && (blocks[0]?.type ?? "text") === "text";
  return { content: isText ? String(blocks[0]?.text ?? "") : blocks, artifact };
}

/** Returns what the result says besides, without the protocol's own. @param {Block} result */
function metaOf({ _meta }) {
  const entries = isRecord(_meta) ? Object.entries(_meta) : [];
  return entries.filter(([key]) => !key.startsWith("io.modelcontextprotocol/"));
}

/** @param {Block} part @returns {ContentBlock} one of LangChain's */
function blockOf(part) {
  const { type } = part;
  if (type === "text") return { type, text: String(part.text ?? "") };
  if (type === "image" || type === "audio") return mediaBlock(part);
  if (type === "resource_link") return { type: "text", text: linkText(part) };
  return { type: "text", text: JSON.stringify(part) };
}

/**
 * Returns a picture in OpenAI's form, which alone all of LangChain's models send, and once: some
 * ignore or double its own. Types that these take for no picture, and sound, have its own.
 * @param {Block} part @returns {ContentBlock}
 */
function mediaBlock({ type, data, mimeType = type === "image" ? "image/png" : undefined }) {
  const kind = mimeType === "image/jpg" ? "image/jpeg" : mimeType;
  const bytes = String(data ?? "");
  return type === "image" && /^image\/\w+$/.test(String(kind))
    ? { type: "image_url", image_url: { url: `data:${kind};base64,${bytes}` } }
    : { type: String(type), mimeType: kind, data: bytes };
}

/**
 * Tells a link as text: models refuse files at addresses that they cannot load.
 * @param {Block} link
 */
function linkText({ name, uri, mimeType, description }) {
  const kind = typeof mimeType === "string" ? ` (${mimeType})` : "";
  const about = typeof description === "string" ? `\n${description}` : "";
  return `Resource "${name ?? ""}"${kind}: ${uri ?? ""}${about}`;
}
