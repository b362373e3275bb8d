// SPDX-License-Identifier: MIT
// Reads what the end of a response says of it: why it ended, who made it, token counts. Does not
// depend on the items of the answer.
import { textIn } from "../../messages/media.js";
import { textOrNone, usageOf } from "../shapes.js";

/** @typedef {import("../answer-parts.js").Fields} Fields */

/**
 * Returns the fields of `response_metadata`.
 * @param {Fields} response @param {string} status @param {boolean} hasCalls
 * @returns {Fields}
 */
export function metadataOf(response, status, hasCalls) {
  const reason = textOrNone(response.incomplete_details?.reason, "a `reason`");
  const isCut = status === "incomplete";
  const cut = reason === "max_output_tokens" ? "length" : (reason ?? status);
  return {
    status,
    finish_reason: isCut ? cut : hasCalls ? "tool_calls" : "stop",
    response_id: textIn(response.id),
    model_name: textIn(response.model),
    service_tier: textIn(response.service_tier),
    incomplete_details: isCut ? { ...(reason && { reason }) } : undefined,
    store: response.store === true || undefined,
  };
}

/** @param {Fields} usage @returns {Fields} in the form of `usage_metadata` */
export function usageFrom(usage) {
  const { input_tokens_details: inputs, output_tokens_details: outputs } = usage;
  return usageOf(
    usage.input_tokens,
    usage.output_tokens,
    usage.total_tokens,
    { cache_read: inputs?.cached_tokens, cache_creation: inputs?.cache_write_tokens },
    { reasoning: outputs?.reasoning_tokens },
  );
}
