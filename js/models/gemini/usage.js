// SPDX-License-Identifier: MIT
// Reads what Gemini counts of one request. Does not depend on how the answer is read.
import { countOrNone, usageOf } from "../shapes.js";

/** @typedef {import("../../messages/base.js").UsageMetadata} UsageMetadata */

/**
 * @param {import("../answer-parts.js").Fields} usage `usageMetadata`
 * @returns {UsageMetadata | undefined} undefined if nothing is counted: Vertex sends such pieces
 */
export function usageIn(usage) {
  const prompt = countOrNone(usage.promptTokenCount);
  const tools = countOrNone(usage.toolUsePromptTokenCount);
  const candidates = countOrNone(usage.candidatesTokenCount);
  const thoughts = countOrNone(usage.thoughtsTokenCount);
  const cached = countOrNone(usage.cachedContentTokenCount);
  if ((prompt ?? tools ?? candidates ?? thoughts ?? cached) === undefined) return undefined;
  return /** @type {UsageMetadata} */ (
    usageOf(
      (prompt ?? 0) + (tools ?? 0),
      (candidates ?? 0) + (thoughts ?? 0),
      countOrNone(usage.totalTokenCount),
      { audio: soundIn(usage.promptTokensDetails), cache_read: cached || undefined },
      { audio: soundIn(usage.candidatesTokensDetails), reasoning: thoughts || undefined },
    )
  );
}

/** @param {unknown} details by modality @returns {number | undefined} tokens of sound, if any */
function soundIn(details) {
  const found = Array.isArray(details)
    ? details.find((one) => one?.modality === "AUDIO")
    : undefined;
  return countOrNone(found?.tokenCount) || undefined;
}
