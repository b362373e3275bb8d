// SPDX-License-Identifier: MIT
// Converts messages to the form of Workers AI: that of OpenAI's chat completions, with pictures in
// data URLs alone and reasoning under the service's name. Does not depend on HTTP or answers.
import { messageType } from "../../messages/index.js";
import { blockRefused, readContent } from "../message-parts.js";
import { toWireMessages } from "../openai/wire.js";

/** @typedef {import("../answer-parts.js").Fields} Fields */
/** @typedef {import("../../messages/base.js").Message} Message */

/** Name of the service in its messages. */
export const PROVIDER = "workers-ai";

/**
 * @param {readonly Message[]} messages
 * @returns {Fields[]}
 */
export function toWorkersMessages(messages) {
  const texts = messages.map((message, at) => {
    const type = messageType(message);
    return type === "human" || type === "generic" ? textIn(message.content, at) : undefined;
  });
  return toWireMessages(messages, { provider: PROVIDER }).map((/** @type {Fields} */ wire, at) => {
    const { name } = messages[at];
    // Not every model takes a list.
    if (texts[at] !== undefined) wire.content = texts[at];
    if (wire.role === "tool" && typeof name === "string") wire.name = name;
    const { reasoning_content: reasoning, ...rest } = wire;
    return { ...rest, reasoning };
  });
}

/**
 * Returns the text of a content that is nothing but text; refuses what the service cannot take.
 * @param {Message["content"]} content @param {number} at place of the message
 */
function textIn(content, at) {
  let text = "";
  let isPlain = true;
  for (const part of readContent(content)) {
    if (part.kind !== "other" && part.text !== undefined) text += part.text;
    else if (part.kind === "image" && part.data !== undefined) isPlain = false;
    else throw blockRefused("Workers AI", at, part.block);
  }
  return isPlain ? text : undefined;
}
