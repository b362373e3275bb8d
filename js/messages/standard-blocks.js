// SPDX-License-Identifier: MIT
// Reads content in the forms of services (Anthropic's blocks, media as OpenAI and Anthropic write
// them, reasoning beside the content) as LangChain's standard blocks, for `contentBlocks`. Loaded
// with the adapters of models, since content in such a form comes from them.
import { isRecord, withoutGaps } from "../base/check-arguments.js";
import { readPart } from "./media.js";

/** @typedef {import("./base.js").ContentBlock} ContentBlock */
/** @typedef {import("./base.js").Message} Message */
/** @typedef {import("../base/callable.js").Value} Value */
/** @typedef {Record<string, Value>} Fields */

const STANDARD = [
  "text",
  "text-plain",
  "reasoning",
  "image",
  "audio",
  "video",
  "file",
  "tool_call",
  "tool_call_chunk",
  "invalid_tool_call",
  "server_tool_call",
  "server_tool_call_chunk",
  "server_tool_call_result",
  "non_standard",
];
/** Fields of media in other forms than the standard one. */
const FOREIGN = [
  "source_type",
  "source",
  "image_url",
  "input_audio",
  "file",
  "fileData",
  "mime_type",
  "media_type",
  "file_id",
  "file_url",
  "file_data",
  "fileUri",
  "format",
];
const RESULT = "_tool_result";
/** Anthropic's citations: what they are of, and the unit of their places. */
const CITED = /** @type {Record<string, readonly [source: string, unit: string]>} */ ({
  char_location: ["char", "char_index"],
  page_location: ["page", "page_number"],
  content_block_location: ["block", "block_index"],
  search_result_location: ["search", "block_index"],
  web_search_result_location: ["url", "char_index"],
});

/**
 * @param {ContentBlock[]} blocks content of a message
 * @param {Message} message
 * @returns {ContentBlock[]} reasoning from beside the content first; a block in no known form as
 *   `non_standard` if a service wrote it, else as it is
 */
export function standardBlocks(blocks, { additional_kwargs, response_metadata, tool_calls = [] }) {
  if (response_metadata.output_version === "v1") return blocks;
  const isOfService = typeof response_metadata.model_provider === "string";
  const calls = [...tool_calls];
  const read = blocks.map((given) => {
    if (!isRecord(given)) return given;
    const block = standard(given);
    // The arguments in a streamed block may be a text. Services give two calls one id.
    const at = block.type === "tool_call" ? calls.findIndex(({ id }) => id === block.id) : -1;
    if (at !== -1) {
      const [{ name, args }] = calls.splice(at, 1);
      return { ...block, name, args };
    }
    const isKnown = !isOfService || STANDARD.includes(block.type);
    return isKnown ? block : { type: "non_standard", value: given };
  });
  const reasoning = additional_kwargs.reasoning_content;
  const isApart = typeof reasoning === "string" && reasoning !== "";
  if (isApart && !read.some((block) => block?.type === "reasoning"))
    read.unshift({ type: "reasoning", reasoning });
  return /** @type {ContentBlock[]} */ (read);
}

/** @param {Fields} block @returns {Fields} */
function standard(block) {
  const { type, ...rest } = block;
  if (typeof type !== "string") return block;
  if (type === "thinking") {
    const { thinking: reasoning, ...others } = rest;
    return { type: "reasoning", ...others, reasoning };
  }
  if (type === "tool_use") return calling("tool_call", rest);
  if (type === "server_tool_use" || type === "mcp_tool_use")
    return calling("server_tool_call", rest);
  if (type.endsWith(RESULT)) return hostedResult(type.slice(0, -RESULT.length), rest);
  if (type === "text") return withCitations(block);
  if (STANDARD.includes(type) && !FOREIGN.some((key) => Object.hasOwn(rest, key))) return block;
  const part = readPart(block);
  if (part.kind === "text" || part.kind === "other") return block;
  const { kind, mimeType, data, url, fileId, text } = part;
  const { metadata } = rest;
  if (text !== undefined) return withoutGaps({ type: "text-plain", mimeType, text, metadata });
  const place = withoutGaps({ mimeType, data, url, fileId, metadata });
  return data === undefined && url === undefined && fileId === undefined
    ? block
    : { type: kind, ...place };
}

/** @param {string} type @param {Fields} block @returns {Fields} */
function calling(type, { input: args, ...rest }) {
  return { type, ...rest, args };
}

/**
 * The result of a tool that the service itself called.
 * @param {string} name of the tool
 * @param {Fields} block
 * @returns {Fields}
 */
function hostedResult(name, { tool_use_id: toolCallId, content: output, is_error, ...rest }) {
  const failed = is_error === true || output?.error_code !== undefined;
  const status = failed ? "error" : "success";
  return { type: "server_tool_call_result", ...rest, name, toolCallId, status, output };
}

/** @param {Fields} block a text @returns {Fields} */
function withCitations(block) {
  const { citations, annotations = citations, ...rest } = block;
  return Array.isArray(annotations) ? { ...rest, annotations: annotations.map(citation) } : block;
}

/** @param {unknown} given of Anthropic or OpenAI @returns {unknown} anything else as it is */
function citation(given) {
  if (!isRecord(given) || typeof given.type !== "string") return given;
  const { type, url, title, cited_text: citedText } = given;
  if (type === "url_citation" || type === "file_citation") {
    const { index, start_index: startIndex = index, end_index: endIndex = index } = given;
    const { file_id: fileId, filename } = given;
    const named = { url, title: title ?? filename, fileId, startIndex, endIndex };
    return { type: "citation", ...withoutGaps(named) };
  }
  if (!Object.hasOwn(CITED, type)) return given;
  const [source, unit] = CITED[type];
  const named = {
    source,
    url: url ?? given.source,
    title: title ?? given.document_title ?? undefined,
    citedText,
    startIndex: given[`start_${unit}`],
    endIndex: given[`end_${unit}`],
  };
  return { type: "citation", ...withoutGaps(named) };
}
