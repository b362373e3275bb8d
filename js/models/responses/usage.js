// SPDX-License-Identifier: MIT
// Converts the token counts of OpenAI's Responses. Does not depend on answers.
import { countOrNone } from "../shapes.js";

/** @typedef {import("../answer-parts.js").Fields} Fields */

/** @param {Fields} usage @returns {Fields} in the form of `usage_metadata` */
export function usageFrom(usage) {
  const input = countOrNone(usage.input_tokens) ?? 0;
  const output = countOrNone(usage.output_tokens) ?? 0;
  const { cached_tokens, cache_write_tokens } = usage.input_tokens_details ?? {};
  const cache_read = countOrNone(cached_tokens);
  const cache_creation = countOrNone(cache_write_tokens);
  const reasoning = countOrNone(usage.output_tokens_details?.reasoning_tokens);
  const input_token_details = {
    ...(cache_read === undefined ? {} : { cache_read }),
    ...(cache_creation === undefined ? {} : { cache_creation }),
  };
  return {
    input_tokens: input,
    output_tokens: output,
    total_tokens: countOrNone(usage.total_tokens) ?? input + output,
    ...(Object.keys(input_token_details).length === 0 ? {} : { input_token_details }),
    ...(reasoning === undefined ? {} : { output_token_details: { reasoning } }),
  };
}
