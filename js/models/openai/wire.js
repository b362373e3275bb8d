// SPDX-License-Identifier: MIT
// Converts messages to the form of OpenAI's chat completions, in this direction only. Does not
// depend on HTTP or streams.
import { messageType, textOf } from "../../messages/index.js";

/** @typedef {import("../../messages/base.js").Message} Message */
/** @typedef {import("../../messages/tool-calls.js").ToolCall} ToolCall */
/** @typedef {import("../../base/callable.js").Value} Value */
/** @typedef {Record<string, unknown>} Wire */

/**
 * @param {readonly unknown[]} messages
 * @returns {Wire[]}
 */
export function toWireMessages(messages) {
  return messages.map(toWire);
}

/** @param {Value} message @returns {Wire} */
function toWire(message) {
  const type = messageType(message);
  switch (type) {
    case "human":
      return named(message, { role: "user", content: userContent(message.content) });
    case "system":
      return named(message, {
        role: message.additional_kwargs?.__openai_role__ ?? "system",
        content: textOf(message.content),
      });
    case "ai":
      return named(message, assistant(message));
    case "tool":
      return {
        role: "tool",
        tool_call_id: message.tool_call_id,
        content: toolContent(message.content),
      };
    case "function":
      return { role: "function", name: message.name, content: textOf(message.content) };
    case "generic":
      return named(message, { role: message.role, content: userContent(message.content) });
    default:
      throw new TypeError(`A message of the type ${String(type)} cannot be sent to a model`);
  }
}

// Omits names with blanks or markup, which services refuse: a display name must not fail the call.
/** @param {Message} message @param {Wire} wire @returns {Wire} */
function named(message, wire) {
  return typeof message.name === "string" && /^[\w-]{1,64}$/.test(message.name)
    ? { ...wire, name: message.name }
    : wire;
}

/** @param {Message} message @returns {Wire} */
function assistant(message) {
  const calls = (message.tool_calls ?? []).map((/** @type {Value} */ call) =>
    wireCall(call.id, call.name, JSON.stringify(call.args ?? {})),
  );
  // Services parse the arguments of earlier calls; text that is not JSON would fail this request.
  const invalid = (message.invalid_tool_calls ?? [])
    .filter((/** @type {ToolCall} */ call) => call.id)
    .map((/** @type {Value} */ call) => wireCall(call.id, call.name ?? "", "{}"));
  const tool_calls = [...calls, ...invalid];
  const wire = { role: "assistant", content: textOf(message.content) };
  return tool_calls.length > 0 ? { ...wire, tool_calls } : wire;
}

/** @param {string} id @param {string} name @param {string} args */
function wireCall(id, name, args) {
  return { id, type: "function", function: { name, arguments: args } };
}

/** @param {Value} content */
function toolContent(content) {
  if (typeof content === "string") return content;
  const isText = (content ?? []).every((/** @type {any} */ block) => block?.type === "text");
  return isText ? textOf(content) : JSON.stringify(content);
}

/** @param {Value} content */
function userContent(content) {
  if (typeof content === "string") return content;
  return (content ?? []).map(userBlock);
}

/** @param {any} block @returns {Wire} */
function userBlock(block) {
  if (typeof block === "string") return { type: "text", text: block };
  if (block?.type === "text") return { type: "text", text: block.text };
  if (block?.type === "image_url") {
    return {
      type: "image_url",
      image_url: typeof block.image_url === "string" ? { url: block.image_url } : block.image_url,
    };
  }
  if (block?.type === "image") return { type: "image_url", image_url: { url: imageUrl(block) } };
  return block;
}

// Reads LangChain's blocks (old and new) and Anthropic's.
/** @param {any} block @returns {string} */
function imageUrl(block) {
  const source = block.source ?? block;
  const url = source.url;
  if (typeof url === "string") return url;
  const type = source.mimeType ?? source.mime_type ?? source.media_type ?? "image/png";
  if (typeof source.data === "string") return `data:${type};base64,${source.data}`;
  if (source.data instanceof Uint8Array) return `data:${type};base64,${base64(source.data)}`;
  throw new TypeError("An image block needs a url or data");
}

/** @param {Uint8Array} bytes */
function base64(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192)
    text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}

/**
 * @param {Value} value
 * @returns {number | undefined} a number of tokens; undefined for anything else
 */
function countFrom(value) {
  return Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/**
 * @param {Value} usage
 * @returns {unknown}
 */
export function usageFrom(usage) {
  if (usage === null || typeof usage !== "object") return undefined;
  const input = countFrom(usage.prompt_tokens) ?? 0;
  const output = countFrom(usage.completion_tokens) ?? 0;
  const cached = countFrom(usage.prompt_tokens_details?.cached_tokens);
  const reasoning = countFrom(usage.completion_tokens_details?.reasoning_tokens);
  return {
    input_tokens: input,
    output_tokens: output,
    total_tokens: countFrom(usage.total_tokens) ?? input + output,
    ...(cached === undefined ? {} : { input_token_details: { cache_read: cached } }),
    ...(reasoning === undefined ? {} : { output_token_details: { reasoning } }),
  };
}

/**
 * Converts LangChain's choice of a tool to OpenAI's form.
 * @param {unknown} choice
 */
export function wireToolChoice(choice) {
  if (typeof choice !== "string" || ["auto", "none", "required"].includes(choice)) return choice;
  return choice === "any" ? "required" : { type: "function", function: { name: choice } };
}
