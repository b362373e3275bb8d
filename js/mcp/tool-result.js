// SPDX-License-Identifier: MIT
// Converts the result of an MCP tool to a tool message's content and artifact, as
// @langchain/mcp-adapters does.
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
  let room = most;
  for (const part of Array.isArray(result.content) ? result.content : []) {
    if (!isRecord(part)) continue;
    if (part.type === "resource") {
      artifact.push({ type: "resource", resource: part.resource });
      continue;
    }
    const block = blockOf(part);
    if (block.type === "text") {
      const text = String(block.text);
      block.text = cut(text, room, most);
      room = Math.max(0, room - text.length);
    }
    blocks.push(block);
  }
  if (result.structuredContent !== undefined) {
    artifact.push({ type: "mcp_structured_content", data: result.structuredContent });
    if (blocks.length === 0)
      blocks.push({
        type: "text",
        text: cut(JSON.stringify(result.structuredContent), most, most),
      });
  }
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
  const { type, mimeType } = part;
  if (type === "text") return { type, text: String(part.text ?? "") };
  if (type === "image" || type === "audio")
    return { type, source_type: "base64", data: String(part.data ?? ""), mime_type: mimeType };
  if (type === "resource_link")
    return { type: "file", source_type: "url", url: String(part.uri ?? ""), mime_type: mimeType };
  return { type: "text", text: JSON.stringify(part) };
}

/** @param {string} text @param {number} room @param {number} most */
function cut(text, room, most) {
  if (text.length <= room) return text;
  return `${beginning(text, room)}\u2026 (cut: the result has more than ${most} characters)`;
}
