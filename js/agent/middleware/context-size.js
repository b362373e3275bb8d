// SPDX-License-Identifier: MIT
// Measures a conversation, for middlewares that shorten it: whether it has reached a size, and how
// much of its end to keep. Does not depend on what is done to it.
import { checkArgument, isRecord } from "../../base/check-arguments.js";
import { countTokensApproximately } from "../../messages/index.js";

/** @typedef {import("../../messages/base.js").Message} Message */
/**
 * A size; of several parts all must be reached. `fraction`: of what the model takes.
 * @typedef {{ tokens?: number, messages?: number, fraction?: number }} ContextSize
 * @typedef {(messages: readonly Message[]) => number | Promise<number>} Count
 */

const PARTS = ["tokens", "messages", "fraction"];

/**
 * Checks the sizes that trigger a middleware.
 * @param {unknown} given one size, or a list of which one must be reached
 * @param {string} where for the error text
 * @returns {ContextSize[]}
 * @throws WeftError BAD_ARGUMENT for unusable sizes
 */
export function readTrigger(given, where) {
  const sizes = Array.isArray(given) ? given : given === undefined ? [] : [given];
  for (const size of sizes) checkSize(size, where);
  return sizes;
}

/**
 * Checks the size that is kept.
 * @param {unknown} given with one part
 * @param {string} where for the error text
 * @returns {ContextSize}
 * @throws WeftError BAD_ARGUMENT for an unusable size
 */
export function readKeep(given, where) {
  checkSize(given, where);
  const size = /** @type {ContextSize} */ (given);
  checkArgument(
    PARTS.filter((part) => Object.hasOwn(size, part)).length === 1,
    `${where} must have one of tokens, messages and fraction`,
  );
  return size;
}

/** @param {unknown} size @param {string} where */
function checkSize(size, where) {
  checkArgument(
    isRecord(size) &&
      Object.keys(size).length > 0 &&
      Object.entries(size).every(
        ([part, value]) =>
          PARTS.includes(part) &&
          typeof value === "number" &&
          value >= 0 &&
          (part !== "fraction" || (value > 0 && value <= 1)),
      ),
    `${where} must have tokens, messages (numbers from 0 on) or fraction (above 0, at most 1)`,
  );
}

/**
 * Returns how many tokens a share of the model's input is.
 * @param {number} fraction
 * @param {unknown} model
 * @returns {number | undefined} undefined if the model's profile does not say what it takes
 */
export function tokensOf(fraction, model) {
  const given = /** @type {{ profile?: { maxInputTokens?: unknown } } | undefined} */ (model);
  const most = given?.profile?.maxInputTokens;
  return typeof most === "number" && most > 0
    ? Math.max(1, Math.floor(most * fraction))
    : undefined;
}

/**
 * Has the conversation reached one of the sizes?
 * @param {readonly ContextSize[]} sizes
 * @param {number} tokens of the conversation
 * @param {number} count of its messages
 * @param {unknown} model
 */
export function hasReached(sizes, tokens, count, model) {
  return sizes.some(({ tokens: most, messages, fraction }) => {
    const share = fraction === undefined ? undefined : tokensOf(fraction, model);
    if (fraction !== undefined && share === undefined) return false;
    return (
      (most === undefined || tokens >= most) &&
      (messages === undefined || count >= messages) &&
      (share === undefined || tokens >= share)
    );
  });
}

/**
 * Counts the tokens of a conversation: what the service said of its last answer, with the tools
 * and instructions that it was sent, and an estimate of what follows that; at least an estimate of
 * all messages.
 * @param {readonly Message[]} messages
 * @returns {number}
 */
export function countTokens(messages) {
  const estimate = countTokensApproximately(messages);
  for (let at = messages.length - 1; at >= 0; at--) {
    const reported = messages[at].usage_metadata?.total_tokens;
    if (Number.isSafeInteger(reported) && reported > 0)
      return Math.max(estimate, reported + countTokensApproximately(messages.slice(at + 1)));
  }
  return estimate;
}

/**
 * Finds where the end of a list begins that has at most so many tokens.
 * @template Item
 * @param {readonly Item[]} items
 * @param {number} most tokens
 * @param {(items: readonly Item[]) => number | Promise<number>} count
 * @returns {Promise<number>} index of the first item
 */
export async function endWithin(items, most, count) {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((await count(items.slice(middle))) <= most) high = middle;
    else low = middle + 1;
  }
  return low;
}
