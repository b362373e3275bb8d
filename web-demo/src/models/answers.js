// SPDX-License-Identifier: MIT
// Says of a model's answer that it is empty, cut off or filtered: the call succeeded all the same.

/** @typedef {import("./problems.js").Problem} Problem */

const CUT_OFF = ["length", "max_tokens", "MAX_TOKENS", "model_length"];
const FILTERED = [
  "content_filter",
  "refusal",
  "SAFETY",
  "RECITATION",
  "BLOCKLIST",
  "PROHIBITED_CONTENT",
  "SPII",
];

/**
 * What is wrong with a model's answer that is in the thread: it is empty, cut off or filtered.
 * @param {any} message as it is stored
 * @returns {Problem | undefined}
 */
export function explainAnswer(message) {
  const {
    type,
    content,
    tool_calls = [],
    invalid_tool_calls = [],
    additional_kwargs = {},
    response_metadata = {},
  } = Object(message);
  if (type !== "ai") return undefined;
  const reason = String(
    response_metadata?.finish_reason ??
      response_metadata?.stop_reason ??
      response_metadata?.finishReason ??
      "",
  );
  if (CUT_OFF.includes(reason))
    return {
      kind: "length",
      title: "The answer is cut off",
      text: "The model reached the most that it may write. Ask it to go on, or choose another model.",
      acts: ["models"],
      detail: reason,
    };
  if (FILTERED.includes(reason) || typeof additional_kwargs?.refusal === "string")
    return {
      kind: "filter",
      title: "The service's filter stopped the answer",
      text: "It may be shortened or missing. Say it in other words, or choose another model.",
      acts: ["retry", "models"],
      detail: reason || additional_kwargs.refusal.slice(0, 200),
    };
  const isEmpty = Array.isArray(content)
    ? content.every((block) => typeof block?.text !== "string" || block.text.trim() === "")
    : String(content ?? "").trim() === "";
  if (!isEmpty || tool_calls.length > 0 || invalid_tool_calls.length > 0) return undefined;
  return {
    kind: "empty",
    title: "The model answered with nothing",
    text: "It sent an answer without words or calls. Try again, or choose another model.",
    acts: ["retry", "models"],
    ...(reason && { detail: reason }),
  };
}
