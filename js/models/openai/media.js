// SPDX-License-Identifier: MIT
// Puts pictures and sound in results of tools, which chat completions take as text alone, into a
// message of the user behind these. Does not depend on requests.
import { AIMessage, HumanMessage, ToolMessage, messageType } from "../../messages/index.js";
import { callsOf, readResult } from "../message-parts.js";
import { formatOf, told } from "./wire.js";

/** @typedef {import("../../messages/base.js").ContentBlock} Block */
/** @typedef {import("../../messages/base.js").Message} Message */
/** @typedef {import("../../messages/media.js").Media} Media */
/** @typedef {import("../../messages/media.js").Part} Part */

const LOADED = /^https?:/i;
const FORMATS = ["wav", "mp3"];

/**
 * @param {readonly Message[]} messages
 * @param {Partial<Record<Media["kind"], boolean>>} takes what of it the model takes from a user
 * @param {boolean} [isAnswered] must an answer stand between results and a message of the user?
 * @returns {Message[]}
 */
export function withMedia(messages, takes, isAnswered = false) {
  /** Names of the tools by the ids of their calls. @type {Map<unknown, string>} */
  const names = new Map();
  /** @type {Message[]} */
  const made = [];
  /** What follows the results. @type {Block[]} */
  let shown = [];
  const show = () => {
    if (shown.length === 0) return;
    if (isAnswered) made.push(new AIMessage("I look at what they returned."));
    made.push(new HumanMessage({ content: shown }));
    shown = [];
  };
  const isTaken = (/** @type {Media} */ media) =>
    media.text !== undefined || (takes[media.kind] === true && isSent(media));
  for (const message of messages) {
    const type = messageType(message);
    const { content, tool_call_id: id } = message;
    // Services take nothing between the results of a turn.
    if (type !== "tool") show();
    for (const call of callsOf(message)) names.set(call.id, call.name);
    const name = names.get(id) ?? message.name;
    const isRead = type === "tool" && (name !== undefined || !takes.image);
    const parts = isRead && Array.isArray(content) ? readResult(content, isTaken, LOADED) : [];
    if (!parts.some(isRewritten)) {
      made.push(message);
      continue;
    }
    made.push(new ToolMessage({ content: parts.map(noted), tool_call_id: id }));
    const media = parts.filter(isShown);
    if (media.length === 0) continue;
    shown.push(
      { type: "text", text: `The tool ${name} returned:` },
      ...media.map(({ block }) => block),
    );
  }
  show();
  return made;
}

/** @param {Media} media of a result @returns {boolean} is it in a form that services take? */
function isSent(media) {
  const { kind, data, url } = media;
  return kind === "image"
    ? (data ?? url) !== undefined
    : data !== undefined && FORMATS.includes(formatOf(media));
}

/** @param {Part} part @returns {part is Media} is it no text? */
function isShown(part) {
  return part.kind === "image" || part.kind === "audio";
}

/** Is it shown, or told as text in place of it? @param {Part} part */
function isRewritten(part) {
  return isShown(part) || (part.kind === "text" && part.block.type !== "text");
}

/** @param {Part} part @returns {Block} the text in the result */
function noted(part) {
  if (part.kind === "other") return { type: "text", text: JSON.stringify(part.block) };
  if (!isShown(part)) return told(part);
  const { kind, mimeType = kind } = part;
  const what = kind === "image" ? "picture" : "sound";
  return { type: "text", text: `[${mimeType}: the ${what} follows the results]` };
}
