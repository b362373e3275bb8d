// SPDX-License-Identifier: MIT
// Makes a message's content a list of blocks. Content in a service's own form is read by what the
// adapters of models bring, so that pages without one do not load it.

/** @typedef {import("./base.js").ContentBlock} ContentBlock */
/** @typedef {import("./base.js").Message} Message */

/** @type {(content: ContentBlock[], message: Message) => ContentBlock[]} */
let readBlocks = (content) => content;

/**
 * Makes `contentBlocks` read content in the forms of services too.
 * @param {typeof readBlocks} read
 */
export function readBlocksWith(read) {
  readBlocks = read;
}

/** @param {Message} message @returns {ContentBlock[]} calls that no block tells last */
export function blocksOf(message) {
  const { content } = message;
  const given = typeof content === "string" ? [{ type: "text", text: content }] : content;
  const blocks = readBlocks([...(given ?? [])], message);
  for (const { id, name, args } of message.tool_calls ?? [])
    if (!blocks.some((block) => block?.type === "tool_call" && block.id === id))
      blocks.push({ type: "tool_call", id, name, args });
  return blocks;
}
