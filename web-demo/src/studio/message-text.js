// SPDX-License-Identifier: MIT
// What a message says, without its other parts. Must not know: how it is shown.

/** @param {unknown} message of a model or person @returns {string} */
export function messageText(message) {
  const { content } = /** @type {{ content?: unknown }} */ (message ?? {});
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((block) => (typeof block?.text === "string" ? block.text : "")).join("");
}
