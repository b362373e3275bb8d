// SPDX-License-Identifier: MIT
// Puts pictures in results of tools, which chat completions take as text alone, into a message of
// the user behind these. Does not depend on requests.
import { AIMessage, HumanMessage, ToolMessage, messageType } from "../../messages/index.js";
import { readResult } from "../message-parts.js";

/** @typedef {import("../../messages/base.js").ContentBlock} Block */
/** @typedef {import("../../messages/base.js").Message} Message */
/** @typedef {import("../message-parts.js").Part} Part */

const LOADED = /^https?:/i;

/**
 * @param {readonly Message[]} messages
 * @param {boolean} isTaken does the model take pictures? If not, the results say what is left out
 * @param {boolean} [isAnswered] must an answer stand between results and a message of the user?
 * @returns {Message[]}
 */
export function withPictures(messages, isTaken, isAnswered = false) {
  /** Names of the tools by the ids of their calls. @type {Map<unknown, string>} */
  const names = new Map();
  /** @type {Message[]} */
  const made = [];
  /** What follows the results. @type {Block[]} */
  let shown = [];
  const show = () => {
    if (shown.length === 0) return;
    if (isAnswered) made.push(new AIMessage("I look at the pictures."));
    made.push(new HumanMessage({ content: shown }));
    shown = [];
  };
  for (const message of messages) {
    const type = messageType(message);
    const { content, tool_call_id: id, tool_calls, invalid_tool_calls } = message;
    // Services take nothing between the results of a turn.
    if (type !== "tool") show();
    for (const call of [...(tool_calls ?? []), ...(invalid_tool_calls ?? [])])
      names.set(call.id, call.name);
    const name = names.get(id) ?? message.name;
    const isRead = type === "tool" && (name !== undefined || !isTaken) && Array.isArray(content);
    const parts = isRead ? readResult(content, LOADED) : [];
    const pictures = parts.filter(isPicture);
    if (pictures.length === 0) {
      made.push(message);
      continue;
    }
    made.push(
      new ToolMessage({ content: parts.map((part) => told(part, isTaken)), tool_call_id: id }),
    );
    if (isTaken)
      shown.push(
        { type: "text", text: `The tool ${name} returned:` },
        ...pictures.map(({ block }) => block),
      );
  }
  show();
  return made;
}

/** @param {Part} part */
function isPicture(part) {
  return part.kind === "image" && (part.data ?? part.url) !== undefined;
}

/** @param {Part} part @param {boolean} isTaken @returns {Block} the text in the result */
function told(part, isTaken) {
  if (part.kind === "text")
    return part.block.type === "text" ? part.block : { type: "text", text: part.text };
  if (!isPicture(part)) return { type: "text", text: JSON.stringify(part.block) };
  const { mimeType = "image" } = /** @type {import("../message-parts.js").Media} */ (part);
  const where = isTaken
    ? "the picture follows the results"
    : "left out: the model takes no pictures";
  return { type: "text", text: `[${mimeType}: ${where}]` };
}
