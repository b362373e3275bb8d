// SPDX-License-Identifier: MIT
// Converts messages to the prompt of the AI SDK's language models, in the versions 2, 3 and 4 of
// their specification. What a provider needs back goes to it alone. Does not depend on streams.
import { withoutGaps } from "../../base/check-arguments.js";
import { messageType, textOf } from "../../messages/index.js";
import {
  blockRefused,
  isFrom,
  messageRefused,
  objectIn,
  placedParts,
  readContent,
  readResult,
  resultText,
} from "../message-parts.js";
import { readPart } from "../../messages/media.js";

/** @typedef {import("../../base/callable.js").Value} Value */
/** @typedef {Record<string, Value>} Fields */
/** @typedef {import("../../messages/media.js").Media} Media */
/** @typedef {{ version: string, provider: string }} Target `version`: "v2", "v3" or "v4" */

const SERVICE = "a model of the AI SDK";
const USUAL_TYPES = {
  image: "image/*",
  audio: "audio/wav",
  video: "video/mp4",
  file: "application/octet-stream",
};
/** How ToolNode tells a model that a call was not allowed. */
const DENIED = /^The (?:user rejected the )?call of ".*it was not run\. Reason: (.*)$/s;

/**
 * @param {readonly Value[]} messages
 * @param {Target} target
 * @returns {Fields[]}
 */
export function toPrompt(messages, target) {
  /** @type {Fields[]} */
  const prompt = [];
  /** @type {Map<unknown, string>} */
  const names = new Map();
  for (const [at, message] of messages.entries()) {
    const made = toMessage(message, at, target, names);
    const last = prompt[prompt.length - 1];
    // The results of one turn are one message.
    if (made.role === "tool" && last?.role === "tool") last.content.push(...made.content);
    else if (made.content.length > 0) prompt.push(made);
  }
  return prompt;
}

/**
 * @param {Value} message @param {number} at @param {Target} target
 * @param {Map<unknown, string>} names of the tools by the ids of their calls
 * @returns {Fields}
 */
function toMessage(message, at, target, names) {
  const type = messageType(message);
  if (type === "system") {
    const { content } = message;
    return { role: "system", content: textOf(content), ...optionsOf(content?.at(-1)) };
  }
  if (type === "ai") {
    const parts = placedParts(message);
    for (const { call } of parts) if (call !== undefined) names.set(call.id, call.name);
    const isOwn = isFrom(message, target.provider);
    const content = parts.flatMap(({ call, block }) =>
      call === undefined ? blockParts(block, isOwn, at, target) : [callPart(call, isOwn)],
    );
    return { role: "assistant", content };
  }
  if (type === "tool") {
    const toolName = names.get(message.tool_call_id) ?? message.name ?? "";
    const output = outputOf(message, at, target);
    const result = { type: "tool-result", toolCallId: message.tool_call_id, toolName, output };
    return { role: "tool", content: [result] };
  }
  if (type !== "human" && type !== "generic") throw messageRefused(type);
  const content = readContent(message.content).map((part) => {
    if (part.kind === "text") return { type: "text", text: part.text, ...optionsOf(part.block) };
    if (part.kind === "other") throw blockRefused(SERVICE, at, part.block);
    return filePart(part, at, target);
  });
  return { role: "user", content };
}

/** @param {Value} call @param {boolean} isOwn @returns {Fields} */
function callPart({ id, name = "", args, extras }, isOwn) {
  const object = objectIn(args);
  const input = isOwn && extras?.isWords === true ? object.input : object;
  const part = { type: "tool-call", toolCallId: id, toolName: name, input };
  return isOwn ? { ...part, ...optionsOf({ extras }) } : part;
}

/**
 * Converts a block of an answer; reasoning and what the provider's own tools did go back to their
 * provider alone.
 * @param {Value} block @param {boolean} isOwn @param {number} at @param {Target} target
 * @returns {Fields[]}
 */
function blockParts(block, isOwn, at, target) {
  const options = isOwn ? optionsOf(block) : {};
  const part = readPart(block);
  if (part.kind === "text")
    return part.text === "" && options.providerOptions === undefined
      ? []
      : [{ type: "text", text: part.text, ...options }];
  if (part.kind !== "other") return [{ ...filePart(part, at, target), ...options }];
  if (!isOwn) return [];
  switch (block.type) {
    case "reasoning":
      return [{ type: "reasoning", text: block.reasoning ?? "", ...options }];
    case "server_tool_call":
      return [{ ...callPart(block, true), input: block.args ?? {}, providerExecuted: true }];
    case "server_tool_call_result": {
      const output = {
        type: block.status === "error" ? "error-json" : "json",
        value: block.output ?? null,
      };
      const { toolCallId, toolName } = block;
      return [{ type: "tool-result", toolCallId, toolName, output, ...options }];
    }
    case "non_standard":
      // Asked of a person, not a part of the conversation.
      if (block.value?.type === "tool-approval-request") return [];
      return [{ ...block.value, ...options }];
    default:
      return [];
  }
}

/** @param {Value} block @returns {{ providerOptions?: Fields }} */
function optionsOf(block) {
  const given = block?.extras?.providerMetadata ?? block?.providerOptions;
  return given === undefined ? {} : { providerOptions: given };
}

/** @param {Media} part @param {number} at @param {Target} target @returns {Fields} */
function filePart(part, at, { version, provider }) {
  const { kind, mimeType: mediaType = USUAL_TYPES[kind], filename, block } = part;
  const data = dataOf(part, version, provider);
  if (data === undefined) throw blockRefused(SERVICE, at, block);
  return withoutGaps({ type: "file", mediaType, data, filename, ...optionsOf(block) });
}

/** Returns the name under which a provider reads options. @param {string} provider */
export function nameOf(provider) {
  return provider.split(".")[0];
}

/** @param {Media} part @param {string} version @param {string} provider */
function dataOf({ data, url, text, fileId }, version, provider) {
  const address = url === undefined ? undefined : new URL(url);
  if (version !== "v4")
    return data ?? address ?? (text === undefined ? fileId : new TextEncoder().encode(text));
  if (data !== undefined) return { type: "data", data };
  if (address !== undefined) return { type: "url", url: address };
  if (text !== undefined) return { type: "text", text };
  return fileId && { type: "reference", reference: { [nameOf(provider)]: fileId } };
}

/** @param {Value} message @param {number} at @param {Target} target @returns {Fields} */
function outputOf({ content, status }, at, target) {
  const text = textOf(content);
  const denied = target.version === "v2" ? null : DENIED.exec(text);
  if (denied !== null) return { type: "execution-denied", reason: denied[1] };
  if (status === "error") return { type: "error-text", value: text };
  const parts = readResult(content, isResult);
  if (parts.every((part) => part.kind === "text"))
    return { type: "text", value: resultText(parts) };
  const value = parts.map((part) => {
    if (part.kind === "other") return { type: "text", text: JSON.stringify(part.block) };
    if (part.kind === "text" || part.text !== undefined) return { type: "text", text: part.text };
    return outputFile(part, at, target);
  });
  return { type: "content", value };
}

/** Providers drop sound and videos, or send them as files, which is refused. @param {Media} part */
function isResult({ kind, data, url, text, fileId }) {
  return kind !== "audio" && kind !== "video" && (data ?? url ?? text ?? fileId) !== undefined;
}

/** @param {Media} part @param {number} at @param {Target} target @returns {Fields} */
function outputFile(part, at, target) {
  const file = filePart(part, at, target);
  if (target.version === "v4") return file;
  const { mediaType, filename } = file;
  const { kind, data, url, fileId } = part;
  if (target.version === "v3") {
    // Providers take a picture as nothing else.
    const family = kind === "image" ? "image" : "file";
    if (fileId !== undefined)
      return { type: family === "image" ? "image-file-id" : "file-id", fileId };
    const type = `${family}-${url === undefined ? "data" : "url"}`;
    return withoutGaps({ type, data, url, mediaType, filename });
  }
  // Version 2 has no addresses there.
  return data === undefined
    ? { type: "text", text: JSON.stringify(part.block) }
    : { type: "media", data, mediaType };
}
