// SPDX-License-Identifier: MIT
// Converts the content of messages to Anthropic's blocks: text, pictures, documents, results of
// tools. Does not depend on the order of messages.
import { isObject } from "../../base/check-arguments.js";
import { blockRefused, readContent, readResult } from "../message-parts.js";

/** @typedef {import("../answer-parts.js").Fields} Fields */
/** @typedef {import("../../messages/media.js").Media} Media */

const SERVICE = "Anthropic";
/** Blocks in Anthropic's own form, other than text and media, that messages may have. */
const PASSED = [
  "search_result",
  "tool_result",
  "container_upload",
  "tool_reference",
  "tool_addition",
  "tool_removal",
  "browser_state",
];
const OWN_SOURCES = ["base64", "url", "file", "text", "content"];
const TEXT_OPTIONS = ["cache_control"];
const DOCUMENT_OPTIONS = ["title", "context", "citations", "cache_control"];

/**
 * Converts what a person or a program says. The service refuses blank texts, so they are left out.
 * @param {import("../../messages/base.js").Content} content
 * @param {number} at place of the message
 * @returns {Fields[]}
 */
export function inputBlocks(content, at) {
  return blocksOf(readContent(content), (block) => {
    throw blockRefused(SERVICE, at, block);
  });
}

/**
 * Converts the content of a tool's result.
 * @param {import("../../messages/base.js").Content} content
 * @returns {string | Fields[]}
 */
export function resultContent(content) {
  if (typeof content === "string") return content;
  const parts = readResult(content, (media) => mediaBlock(media) !== undefined);
  return blocksOf(parts, (block) => ({ type: "text", text: JSON.stringify(block) }));
}

/**
 * @param {ReturnType<typeof readContent>} parts
 * @param {(block: Fields) => Fields} convert what the service does not take
 * @returns {Fields[]}
 */
function blocksOf(parts, convert) {
  return parts.flatMap((part) => {
    if (part.kind === "text") return textBlocks(part.text, part.block);
    if (part.kind !== "other") return [mediaBlock(part) ?? convert(part.block)];
    if (PASSED.includes(part.type)) return [withoutIndex(part.block)];
    if (part.type === "non_standard" && isObject(part.block.value)) return [part.block.value];
    return [convert(part.block)];
  });
}

/**
 * @param {string} text
 * @param {Fields | string} block
 * @returns {Fields[]} no block for a blank text
 */
export function textBlocks(text, block) {
  return text.trim() === "" ? [] : [{ type: "text", text, ...picked(block, TEXT_OPTIONS) }];
}

/** Leaves out a block's place in a stream. @param {Fields} block @returns {Fields} */
export function withoutIndex({ index: _place, ...rest }) {
  return rest;
}

/** @param {Media} part @returns {Fields | undefined} undefined if the service takes none */
function mediaBlock(part) {
  const { block } = part;
  if (isOwn(block)) return withoutIndex(block);
  if (part.kind === "image") {
    const source = sourceOf(part, part.mimeType ?? "image/png");
    if (source !== undefined) return { type: "image", source, ...picked(block, TEXT_OPTIONS) };
  }
  if (part.kind === "file") {
    const source = documentSource(part);
    const title = part.filename === undefined ? {} : { title: part.filename };
    if (source !== undefined)
      return { type: "document", source, ...title, ...picked(block, DOCUMENT_OPTIONS) };
  }
  return undefined;
}

/** Is it in Anthropic's own form? @param {Fields} block */
function isOwn({ type, source }) {
  return (type === "image" || type === "document") && OWN_SOURCES.includes(source?.type);
}

/** @param {Media} part @param {string} media_type @returns {Fields | undefined} */
function sourceOf({ data, url, fileId }, media_type) {
  if (data !== undefined) return { type: "base64", media_type, data };
  if (url !== undefined) return { type: "url", url };
  return fileId === undefined ? undefined : { type: "file", file_id: fileId };
}

/** @param {Media} part @returns {Fields | undefined} */
function documentSource(part) {
  const { mimeType = "application/pdf", data } = part;
  const isText = mimeType.startsWith("text/");
  const text = part.text ?? (isText && data !== undefined ? decoded(data) : undefined);
  if (text !== undefined) return { type: "text", media_type: "text/plain", data: text };
  if (data !== undefined && mimeType !== "application/pdf") return undefined;
  return sourceOf(part, mimeType);
}

/** @param {string} data base64 @returns {string | undefined} undefined if it is not */
function decoded(data) {
  try {
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
    return new TextDecoder().decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Returns those options that a block, or its metadata, has.
 * @param {Fields | string} block
 * @param {string[]} names
 */
function picked(block, names) {
  /** @type {Fields} */
  const options = {};
  if (typeof block === "string") return options;
  for (const name of names) {
    const value = block[name] ?? block.metadata?.[name] ?? block.extras?.[name];
    if (value !== undefined && value !== null) options[name] = value;
  }
  return options;
}
