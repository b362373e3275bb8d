// SPDX-License-Identifier: MIT
// Reads what the end of a response says of it: why it ended, who made it, token counts. Does not
// depend on the items of the answer.
import { countOrNone, textOrNone, usageOf } from "../shapes.js";

/** @typedef {import("../answer-parts.js").Fields} Fields */

/**
 * Returns the fields of `response_metadata`.
 * @param {Fields} response @param {string} status @param {boolean} hasCalls
 */
export function metadataOf(response, status, hasCalls) {
  const { id: response_id, model: model_name, service_tier, incomplete_details, store } = response;
  const reason = textOrNone(incomplete_details?.reason, "a `reason`");
  /** @type {Fields} */
  const metadata = { status, finish_reason: hasCalls ? "tool_calls" : "stop" };
  for (const [key, value] of Object.entries({ response_id, model_name, service_tier }))
    if (value && typeof value === "string") metadata[key] = value;
  if (status === "incomplete") {
    metadata.finish_reason = reason === "max_output_tokens" ? "length" : (reason ?? status);
    metadata.incomplete_details = { ...(reason && { reason }) };
  }
  if (store === true) metadata.store = true;
  return metadata;
}

/** @param {Fields} usage @returns {Fields} in the form of `usage_metadata` */
export function usageFrom(usage) {
  const { input_tokens_details: inputs, output_tokens_details: outputs } = usage;
  return usageOf(
    countOrNone(usage.input_tokens),
    countOrNone(usage.output_tokens),
    countOrNone(usage.total_tokens),
    {
      cache_read: countOrNone(inputs?.cached_tokens),
      cache_creation: countOrNone(inputs?.cache_write_tokens),
    },
    { reasoning: countOrNone(outputs?.reasoning_tokens) },
  );
}
