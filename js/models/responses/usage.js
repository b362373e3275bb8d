// SPDX-License-Identifier: MIT
// Converts the token counts of OpenAI's Responses. Does not depend on answers.
import { countOrNone, usageOf } from "../shapes.js";

/** @typedef {import("../answer-parts.js").Fields} Fields */

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
