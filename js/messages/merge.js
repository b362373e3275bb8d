// SPDX-License-Identifier: MIT
// Joins two chunks of a streamed message field by field, as LangChain does. Does not depend on the
// message classes.
import { checkArgument } from "../base/check-arguments.js";

/** @typedef {import("./base.js").Content} Content */
/** @typedef {import("./base.js").ContentBlock} ContentBlock */
/** @typedef {import("../types/messages/index.js").UsageMetadata} UsageMetadata */

/** Keys of positions and times: their values are kept, not added up. */
const DEFAULT_MERGE_IGNORE_KEYS = Object.freeze(["index", "created", "timestamp"]);
const REPLACED_KEYS = ["id", "name", "output_version", "model_provider"];

/**
 * @param {Content} first
 * @param {Content} second
 * @returns {Content}
 */
export function mergeContent(first, second) {
  if (first === undefined) return second;
  if (second === undefined) return first;
  const areContents = [first, second].every(
    (content) => typeof content === "string" || Array.isArray(content),
  );
  checkArgument(areContents, "the content of a message must be a text or a list of blocks");
  if (typeof first === "string") {
    if (typeof second === "string") return first + second;
    return first === "" ? second : [textBlock(first), ...second];
  }
  if (typeof second === "string") return second === "" ? first : [...first, textBlock(second)];
  return /** @type {Content} */ (mergeLists(first, second));
}

/** @param {string} text */
function textBlock(text) {
  return { type: "text", text };
}

/**
 * @template {object} T
 * @param {T | undefined} left
 * @param {T | undefined} right
 * @returns {T | undefined}
 */
export function mergeDicts(left, right) {
  if (left === undefined) return right;
  if (right === undefined) return left;
  const merged = { ...left };
  for (const key of /** @type {(keyof T & string)[]} */ (Object.keys(right))) {
    const value = mergeField(key, merged[key], right[key]);
    Object.defineProperty(merged, key, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return merged;
}

/** @param {string} key @param {unknown} left @param {unknown} right @returns {unknown} */
function mergeField(key, left, right) {
  if (left === undefined || left === null) return right;
  if (right === undefined || right === null) return left;
  if (typeof left !== typeof right || Array.isArray(left) !== Array.isArray(right)) {
    throw new TypeError(
      `field[${key}] already exists in the message chunk, but with a different type.`,
    );
  }
  if (typeof left === "string") return mergeString(key, left, /** @type {string} */ (right));
  if (typeof left === "number")
    return DEFAULT_MERGE_IGNORE_KEYS.includes(key) ? left : left + /** @type {number} */ (right);
  if (Array.isArray(left)) return mergeLists(left, /** @type {unknown[]} */ (right));
  return typeof left === "object" ? mergeDicts(left, /** @type {object} */ (right)) : left;
}

/** @param {string} key @param {string} left @param {string} right */
function mergeString(key, left, right) {
  if (key === "type" || DEFAULT_MERGE_IGNORE_KEYS.includes(key)) return left;
  if (REPLACED_KEYS.includes(key)) return right || left;
  return left + right;
}

/**
 * Merges lists: items with the same index (or, without one, the same id) become one item.
 * @template T
 * @param {T[] | undefined} left
 * @param {T[] | undefined} right
 * @returns {T[] | undefined}
 */
export function mergeLists(left, right) {
  if (left === undefined) return right;
  if (right === undefined) return left;
  const merged = [...left];
  for (const item of right) {
    const at = merged.findIndex((other) => isSameItem(other, item));
    if (at >= 0)
      merged[at] = /** @type {T} */ (
        mergeDicts(/** @type {object} */ (merged[at]), /** @type {object} */ (item))
      );
    else if (!isEmptyText(item)) merged.push(item);
  }
  return merged;
}

/** @param {unknown} left @param {unknown} right */
function isSameItem(left, right) {
  if (!isItem(left) || !isItem(right)) return false;
  if (left.index !== right.index) return false;
  if (left.type && right.type && left.type !== right.type) return false;
  if (left.index === undefined) return left.id !== undefined && left.id === right.id;
  return !left.id || !right.id || left.id === right.id;
}

/**
 * @param {unknown} item
 * @returns {item is { index?: unknown, type?: unknown, id?: unknown, text?: unknown }}
 */
function isItem(item) {
  return item !== null && typeof item === "object";
}

const BARE = ["type", "text", "index"];

// An empty text may carry what its service needs back: a signature, an item's id.
/** @param {unknown} item */
function isEmptyText(item) {
  return (
    isItem(item) &&
    item.type === "text" &&
    item.text === "" &&
    Object.keys(item).every((key) => BARE.includes(key))
  );
}

/**
 * @param {UsageMetadata | undefined} left
 * @param {UsageMetadata | undefined} right
 * @returns {UsageMetadata | undefined}
 */
export function mergeUsage(left, right) {
  if (left === undefined && right === undefined) return undefined;
  return {
    input_tokens: (left?.input_tokens ?? 0) + (right?.input_tokens ?? 0),
    output_tokens: (left?.output_tokens ?? 0) + (right?.output_tokens ?? 0),
    total_tokens: (left?.total_tokens ?? 0) + (right?.total_tokens ?? 0),
    input_token_details: sums(left?.input_token_details, right?.input_token_details),
    output_token_details: sums(left?.output_token_details, right?.output_token_details),
  };
}

/**
 * @param {Record<string, number> | undefined} left
 * @param {Record<string, number> | undefined} right
 */
function sums(left, right) {
  /** @type {Record<string, number>} */
  const total = { ...left };
  for (const key of Object.keys(right ?? {})) total[key] = (total[key] ?? 0) + (right?.[key] ?? 0);
  return total;
}

/**
 * Merges any two chunks (artifacts of tools).
 * @param {unknown} left
 * @param {unknown} right
 * @returns {unknown}
 */
export function mergeAny(left, right) {
  if (left === undefined) return right;
  if (right === undefined) return left;
  if (typeof left !== typeof right) {
    throw new TypeError(
      `Cannot merge objects of different types.\nLeft ${typeof left}\nRight ${typeof right}`,
    );
  }
  if (typeof left === "string") return left + /** @type {string} */ (right);
  if (Array.isArray(left) && Array.isArray(right)) return mergeLists(left, right);
  if (typeof left === "object")
    return mergeDicts(/** @type {object} */ (left), /** @type {object} */ (right));
  if (left === right) return left;
  throw new TypeError(`Can not merge objects of different types.\nLeft ${left}\nRight ${right}`);
}

/**
 * Returns what is new in the usage of an answer so far: the chunks of a stream sum up.
 * @param {UsageMetadata | undefined} before
 * @param {UsageMetadata} total since the answer began
 * @returns {UsageMetadata}
 */
export function usageSince(before, total) {
  if (before === undefined) return total;
  /** @type {UsageMetadata} */
  const rest = {
    input_tokens: total.input_tokens - before.input_tokens,
    output_tokens: total.output_tokens - before.output_tokens,
    total_tokens: total.total_tokens - before.total_tokens,
  };
  const inputs = countsSince(before.input_token_details, total.input_token_details);
  if (inputs !== undefined) rest.input_token_details = inputs;
  const outputs = countsSince(before.output_token_details, total.output_token_details);
  if (outputs !== undefined) rest.output_token_details = outputs;
  return rest;
}

/**
 * @param {Record<string, number> | undefined} before
 * @param {Record<string, number> | undefined} total
 */
function countsSince(before, total) {
  if (before === undefined) return total;
  /** @type {Record<string, number>} */
  const rest = {};
  for (const key in { ...before, ...total }) rest[key] = (total?.[key] ?? 0) - (before[key] ?? 0);
  return rest;
}
