// SPDX-License-Identifier: MIT
// Makes requests that WebLLM takes: system text first, one text in a message, schemas as text.
// Does not depend on the engine.
import { messageType, textOf } from "../../messages/index.js";
import { addGiven, readFormat, readMaxTokens, readTools } from "../call-options.js";
import { blockRefused, readContent, urlOf } from "../message-parts.js";
import { wireToolChoice } from "../openai/tools.js";
import { toWireMessages } from "../openai/wire.js";

/** @typedef {import("../../messages/index.js").BaseMessage} BaseMessage */
/** @typedef {import("../../messages/base.js").Content} Content */
/** @typedef {import("../base.js").Options} Options */

export const PROVIDER = "webllm";
const SERVICE = "WebLLM";
const FIELDS = [
  "temperature",
  "top_p",
  "stop",
  "seed",
  "presence_penalty",
  "frequency_penalty",
  "repetition_penalty",
  "logit_bias",
  "extra_body",
];

/**
 * @param {readonly BaseMessage[]} messages
 * @param {Options} options of the call
 * @param {{ model?: string, usual: Options, isStream: boolean }} way
 */
export function toRequest(messages, options, { model, usual, isStream }) {
  const { functions, others } = readTools(options);
  if (others.length > 0) throw new TypeError("WebLLM takes no tools but functions");
  const hasTools = functions.length > 0;
  const { system, turns } = toTurns(messages);
  const last = turns.at(-1);
  if (last === undefined || last.role === "assistant")
    throw new TypeError("WebLLM answers a person or a tool: theirs must be the last message");
  /** @type {Options} */
  const request = { ...usual, stream: isStream };
  if (model !== undefined) request.model = model;
  addGiven(request, options, FIELDS);
  const max_tokens = readMaxTokens(options, undefined);
  if (max_tokens !== undefined) request.max_tokens = max_tokens;
  if (isStream) request.stream_options = { include_usage: true };
  const response_format = formatOf(options);
  if (response_format !== undefined) request.response_format = response_format;
  if (hasTools) {
    if (response_format !== undefined)
      throw new TypeError("WebLLM's own tools cannot be used with response_format");
    request.tools = options.tools;
    if (options.tool_choice !== undefined)
      request.tool_choice = wireToolChoice(options.tool_choice);
  }
  request.messages = withSystem(turns, system, hasTools);
  return request;
}

/** @param {Options} options */
function formatOf(options) {
  const format = readFormat(options);
  if (format !== undefined) return { type: "json_object", schema: JSON.stringify(format.schema) };
  const given = options.response_format;
  const { schema } = given ?? {};
  return schema !== null && typeof schema === "object"
    ? { ...given, schema: JSON.stringify(schema) }
    : given;
}

/**
 * @param {Options[]} turns @param {string} system
 * @param {boolean} hasTools WebLLM's own tools leave no place for a system text
 */
function withSystem(turns, system, hasTools) {
  if (system === "") return turns;
  if (!hasTools) return [{ role: "system", content: system }, ...turns];
  const at = turns.findIndex(({ role, content }) => role === "user" && typeof content === "string");
  if (at < 0) return [{ role: "user", content: system }, ...turns];
  return turns.with(at, { ...turns[at], content: `${system}\n\n${turns[at].content}` });
}

/** @param {readonly BaseMessage[]} messages */
function toTurns(messages) {
  /** @type {string[]} */
  const system = [];
  /** @type {Options[]} */
  const turns = [];
  for (const [at, message] of messages.entries()) {
    const type = messageType(message);
    if (type === "system") system.push(textOf(message.content));
    else if (type === "human" || type === "generic") {
      const isModel = "role" in message && message.role === "assistant";
      const content = isModel ? textOf(message.content) : contentOf(message.content, at);
      turns.push({ role: isModel ? "assistant" : "user", content });
    } else turns.push(...toWireMessages([message], { provider: PROVIDER }));
  }
  return { system: system.filter((text) => text !== "").join("\n\n"), turns };
}

/** @param {Content} content @param {number} at place of the message */
function contentOf(content, at) {
  /** @type {string[]} */
  const texts = [];
  /** @type {Options[]} */
  const others = [];
  for (const part of readContent(content)) {
    if (part.kind === "text") texts.push(part.text);
    else if (part.kind === "file" && part.text !== undefined) texts.push(part.text);
    else if (part.kind === "image") {
      const url = urlOf({ ...part, mimeType: part.mimeType ?? "image/png" });
      if (url === undefined) throw blockRefused(SERVICE, at, part.block);
      others.push({ type: "image_url", image_url: { url } });
    } else if (part.kind === "audio" && part.data !== undefined)
      others.push({ type: "input_audio", input_audio: { data: part.data, format: "wav" } });
    else throw blockRefused(SERVICE, at, part.block);
  }
  const text = texts.join("\n");
  if (others.length === 0) return text;
  return text === "" ? others : [{ type: "text", text }, ...others];
}
