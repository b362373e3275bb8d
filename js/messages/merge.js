// SPDX-License-Identifier: MIT
// Joins two chunks of a streamed message field by field, as LangChain does. Does not depend on the
// message classes.
import { checkArgument } from "../base/check-arguments.js";

/** @typedef {import("../base/callable.js").Value} Value */
/** @typedef {Record<string, Value>} Fields */

/** Keys of positions and times: their values are kept, not added up. */
const DEFAULT_MERGE_IGNORE_KEYS = Object.freeze(["index", "created", "timestamp"]);
const REPLACED_KEYS = ["id", "name", "output_version", "model_provider"];

/**
 * @param {Value} first
 * @param {Value} second
 * @returns {Value}
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
  return mergeLists(first, second);
}

/** @param {string} text */
function textBlock(text) {
  return { type: "text", text };
}

/**
 * @param {Fields | undefined} left
 * @param {Fields | undefined} right
 * @returns {Value}
 */
export function mergeDicts(left, right) {
  if (left === undefined) return right;
  if (right === undefined) return left;
  /** @type {Fields} */
  const merged = { ...left };
  for (const key of Object.keys(right)) {
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

/** @param {string} key @param {Value} left @param {Value} right @returns {Value} */
function mergeField(key, left, right) {
  if (left === undefined || left === null) return right;
  if (right === undefined || right === null) return left;
  if (typeof left !== typeof right || Array.isArray(left) !== Array.isArray(right)) {
    throw new TypeError(
      `field[${key}] already exists in the message chunk, but with a different type.`,
    );
  }
  if (typeof left === "string") return mergeString(key, left, right);
  if (typeof left === "number")
    return DEFAULT_MERGE_IGNORE_KEYS.includes(key) ? left : left + right;
  if (Array.isArray(left)) return mergeLists(left, right);
  return typeof left === "object" ? mergeDicts(left, right) : left;
}

/** @param {string} key @param {string} left @param {string} right */
function mergeString(key, left, right) {
  if (key === "type" || DEFAULT_MERGE_IGNORE_KEYS.includes(key)) return left;
  if (REPLACED_KEYS.includes(key)) return right || left;
  return left + right;
}

/**
 * Merges lists: items with the same index (or, without one, the same id) become one item.
 * @param {Value[] | undefined} left
 * @param {Value[] | undefined} right
 * @returns {Value}
 */
export function mergeLists(left, right) {
  if (left === undefined) return right;
  if (right === undefined) return left;
  const merged = [...left];
  for (const item of right) {
    const at = merged.findIndex((other) => isSameItem(other, item));
    if (at >= 0) merged[at] = mergeDicts(merged[at], item);
    else if (!isEmptyText(item)) merged.push(item);
  }
  return merged;
}

/** @param {Value} left @param {Value} right */
function isSameItem(left, right) {
  if (left === null || right === null || typeof left !== "object" || typeof right !== "object")
    return false;
  if (left.index !== right.index) return false;
  if (left.type && right.type && left.type !== right.type) return false;
  if (left.index === undefined) return left.id !== undefined && left.id === right.id;
  return !left.id || !right.id || left.id === right.id;
}

/** @param {Value} item */
function isEmptyText(item) {
  return item !== null && typeof item === "object" && item.type === "text" && item.text === "";
}

/**
 * @param {Value} left
 * @param {Value} right
 * @returns {Value}
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

/** @param {Fields | undefined} left @param {Fields | undefined} right */
function sums(left, right) {
  /** @type {Fields} */
  const total = { ...left };
  for (const key of Object.keys(right ?? {})) total[key] = (total[key] ?? 0) + (right?.[key] ?? 0);
  return total;
}

/**
 * Merges any two chunks (artifacts of tools).
 * @param {Value} left
 * @param {Value} right
 * @returns {Value}
 */
export function mergeAny(left, right) {
  if (left === undefined) return right;
  if (right === undefined) return left;
  if (typeof left !== typeof right) {
    throw new TypeError(
      `Cannot merge objects of different types.\nLeft ${typeof left}\nRight ${typeof right}`,
    );
  }
  if (typeof left === "string") return left + right;
  if (Array.isArray(left) && Array.isArray(right)) return mergeLists(left, right);
  if (typeof left === "object") return mergeDicts(left, right);
  if (left === right) return left;
  throw new TypeError(`Can not merge objects of different types.\nLeft ${left}\nRight ${right}`);
}
