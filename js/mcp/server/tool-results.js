// SPDX-License-Identifier: MIT
// Converts a tool message to the result of tools/call: the reverse of what `loadMcpTools` does.
import { isRecord } from "../../base/check-arguments.js";
import { compileSchema, formatErrors } from "../../schema/index.js";

/** @typedef {import("./json-rpc.js").Json} Json */
/** @typedef {{ content: unknown, artifact?: unknown, status?: string }} Answered */

/** @param {string} text @returns {Json} a failed call, which the model may correct */
export function failure(text) {
  return { content: [{ type: "text", text }], isError: true };
}

/**
 * @param {Answered} message
 * @param {unknown} outputSchema
 * @returns {Json}
 */
export function resultOf({ content, artifact, status }, outputSchema) {
  const parts = Array.isArray(artifact) ? artifact.filter(isRecord) : [];
  const blocks = Array.isArray(content) ? content : content === "" ? [] : [textBlock(content)];
  const kept = parts.filter(({ type }) => type === "resource" || type === "resource_link");
  const shown = [...blocks.map(toMcpBlock), ...kept];
  if (status === "error") return { content: shown, isError: true };
  const meta = parts.find(({ type }) => type === "mcp_meta")?.data;
  const structured = structuredIn(parts, content, outputSchema);
  const problem = outputSchema === undefined ? undefined : problemOf(structured, outputSchema);
  if (problem !== undefined) return failure(problem);
  return {
    content: shown,
    ...(structured === undefined ? undefined : { structuredContent: structured }),
    ...(isRecord(meta) ? { _meta: meta } : undefined),
  };
}

/**
 * @param {Json[]} parts @param {unknown} content @param {unknown} outputSchema
 * @returns {unknown}
 */
function structuredIn(parts, content, outputSchema) {
  const part = parts.find(({ type }) => type === "mcp_structured_content");
  if (part !== undefined || outputSchema === undefined || typeof content !== "string")
    return part?.data;
  try {
    // What a tool returns that is no text became JSON.
    return JSON.parse(content);
  } catch {
    return content;
  }
}

/** @param {unknown} data @param {unknown} schema @returns {string | undefined} */
function problemOf(data, schema) {
  const { valid, errors } = compileSchema(schema).validate(data);
  return valid
    ? undefined
    : `The result does not fit the tool's outputSchema: ${formatErrors(errors)}`;
}

/** @param {unknown} value */
function textBlock(value) {
  return { type: "text", text: typeof value === "string" ? value : JSON.stringify(value) };
}

/**
 * @param {unknown} block of LangChain, or of MCP already
 * @returns {Json}
 */
function toMcpBlock(block) {
  if (!isRecord(block)) return textBlock(block);
  const { type, mime_type, mimeType = mime_type, data, url, uri } = block;
  if (type === "text" && typeof block.text === "string") return block;
  if (type === "resource" && isRecord(block.resource)) return block;
  if (type === "resource_link" && typeof uri === "string") return block;
  if ((type === "image" || type === "audio") && typeof data === "string")
    return { type, data, mimeType: mimeType ?? (type === "image" ? "image/png" : "audio/wav") };
  const address = typeof url === "string" ? url : imageUrl(block);
  if (address === undefined) return textBlock(block);
  const [, kind, base64] = /^data:([^;,]+);base64,(.*)$/s.exec(address) ?? [];
  if (kind?.startsWith("image/")) return { type: "image", data: base64, mimeType: kind };
  return {
    type: "resource_link",
    uri: address,
    name: typeof block.name === "string" ? block.name : address.slice(0, 200),
    ...(typeof mimeType === "string" ? { mimeType } : undefined),
  };
}

/** @param {Json} block of OpenAI's form @returns {string | undefined} */
function imageUrl({ type, image_url }) {
  if (type !== "image_url") return undefined;
  const url = isRecord(image_url) ? image_url.url : image_url;
  return typeof url === "string" ? url : undefined;
}

/**
 * Older revisions take objects only as structured content.
 * @param {Json} result
 * @returns {Json}
 */
export function withoutLists(result) {
  const { structuredContent, ...rest } = result;
  return isRecord(structuredContent) ? result : rest;
}
