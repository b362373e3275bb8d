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
  const { type, mimeType } = part;
  if (type === "text") return { type, text: String(part.text ?? "") };
  if (type === "image" || type === "audio")
    return { type, source_type: "base64", data: String(part.data ?? ""), mime_type: mimeType };
  if (type === "resource_link")
    return { type: "file", source_type: "url", url: String(part.uri ?? ""), mime_type: mimeType };
  return { type: "text", text: JSON.stringify(part) };
}
