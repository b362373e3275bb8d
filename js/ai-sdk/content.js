// SPDX-License-Identifier: MIT
// Reads the content of messages for a chat: images and sources of a model's, and what a tool says.

/** @typedef {import("./chunks.js").Message} Message */
/** @typedef {import("./chunks.js").UIChunk} UIChunk */

/** @param {Message} message @returns {UIChunk[]} images and sources that it holds */
export function filesOf({ content }) {
  /** @type {UIChunk[]} */
  const found = [];
  for (const block of Array.isArray(content) ? content : []) {
    const mediaType = block?.mime_type ?? block?.mimeType;
    if (typeof block?.data === "string" && typeof mediaType === "string")
      found.push({ type: "file", mediaType, url: `data:${mediaType};base64,${block.data}` });
    for (const source of Array.isArray(block?.annotations) ? block.annotations : [])
      if (typeof source?.url === "string")
        found.push({
          type: "source-url",
          sourceId: source.id ?? source.url,
          url: source.url,
          ...(typeof source.title === "string" ? { title: source.title } : {}),
        });
  }
  return found;
}

/** @param {Message} message of a tool @returns {unknown} its content, as data where it is JSON */
export function outputOf(message) {
  const { content } = message;
  if (typeof content !== "string") return content;
  if (!/^\s*[[{]/.test(content)) return content;
  try {
    return JSON.parse(content);
  } catch {
    return content;
  }
}
