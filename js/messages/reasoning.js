// SPDX-License-Identifier: MIT
// Reads the reasoning of a model's message, in each form that models use.

/**
 * @param {{ content: unknown, additional_kwargs?: Record<string, unknown> }} message
 * @returns {string} the text of its reasoning blocks, else `reasoning_content`
 */
export function reasoningOf({ content, additional_kwargs }) {
  const blocks = Array.isArray(content) ? content : [];
  const texts = blocks
    .filter((block) => block?.type === "reasoning" || block?.type === "thinking")
    .map((block) => block.reasoning ?? block.thinking ?? "");
  const given = additional_kwargs?.reasoning_content;
  return texts.join("") || (typeof given === "string" ? given : "");
}
