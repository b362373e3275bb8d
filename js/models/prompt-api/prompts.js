// SPDX-License-Identifier: MIT
// Converts messages to prompts of the browser's own model: the system text, and turns of a person
// and the model with text, pictures and sound. Does not depend on sessions.
import { messageType, textOf } from "../../messages/index.js";
import { blockRefused, readContent } from "../message-parts.js";

/** @typedef {import("../../messages/index.js").BaseMessage} BaseMessage */
/** @typedef {import("../../messages/base.js").Content} Content */
/**
 * `value`: the text, or the data of a picture or sound in base64.
 * @typedef {{ type: "text" | "image" | "audio", value: string, mimeType?: string }} Part
 * @typedef {{ role: "user" | "assistant", parts: Part[] }} Turn
 * @typedef {{ system: string, turns: Turn[], kinds: string[] }} Conversation
 */

const SERVICE = "the browser's own model";
/** @type {Record<string, string>} */
const USUAL = { image: "image/png", audio: "audio/wav" };

/**
 * @param {readonly BaseMessage[]} messages
 * @returns {Conversation} `kinds`: what its turns have besides text
 */
export function toConversation(messages) {
  /** @type {string[]} */
  const system = [];
  /** @type {Turn[]} */
  const turns = [];
  for (const [at, message] of messages.entries()) {
    const type = messageType(message);
    if (type === "system") system.push(textOf(message.content));
    else {
      const isModel = type === "ai" || (type === "generic" && roleOf(message) === "assistant");
      const parts = isModel ? textParts(textOf(message.content)) : partsOf(message.content, at);
      if (parts.length > 0) turns.push({ role: isModel ? "assistant" : "user", parts });
    }
  }
  if (turns.length === 0)
    throw new TypeError("The browser's own model needs a message besides the system's");
  const kinds = turns.flatMap(({ parts }) => parts.map((part) => part.type));
  return {
    system: system.filter((text) => text !== "").join("\n\n"),
    turns,
    kinds: [...new Set(kinds)].filter((kind) => kind !== "text"),
  };
}

/** @param {object} message @returns {unknown} */
function roleOf(message) {
  return "role" in message ? message.role : undefined;
}

/** @param {string} value @returns {Part[]} */
export function textParts(value) {
  return value === "" ? [] : [{ type: "text", value }];
}

/** @param {Content} content @param {number} at place of the message @returns {Part[]} */
function partsOf(content, at) {
  return readContent(content).flatMap((part) => {
    if (part.kind === "text") return textParts(part.text);
    if (part.kind === "file" && part.text !== undefined) return textParts(part.text);
    const type = part.kind;
    const isTaken = type === "image" || type === "audio";
    if (!isTaken || part.data === undefined) throw blockRefused(SERVICE, at, part.block);
    const { data: value, mimeType = USUAL[type] } = part;
    try {
      atob(value);
    } catch {
      throw new TypeError(`Message ${at} has a block "${part.block?.type}" that is not base64`);
    }
    return [{ type, value, mimeType }];
  });
}

/** Returns the turn as the browser takes it. @param {Turn} turn */
export function toPrompt({ role, parts }) {
  const content = parts.every(({ type }) => type === "text")
    ? parts.map(({ value }) => value).join("\n")
    : parts.map(({ type, value, mimeType }) => {
        if (type === "text") return { type, value };
        const bytes = Uint8Array.from(atob(value), (letter) => letter.charCodeAt(0));
        return {
          type,
          value: type === "image" ? new Blob([bytes], { type: mimeType }) : bytes.buffer,
        };
      });
  return { role, content };
}
