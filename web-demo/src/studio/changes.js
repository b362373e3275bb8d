// SPDX-License-Identifier: MIT
// Compares two JSON values. Must not know: what they are.

/**
 * `path`: JSON pointer.
 * @typedef {{ path: string, kind: "added" | "removed" | "changed", before?: unknown, after?:
 *   unknown }} Change
 */

/** Changes that are told; more cannot be looked at. */
export const MAX_CHANGES = 200;
const MAX_DEPTH = 40;

/**
 * @param {unknown} before
 * @param {unknown} after
 * @returns {Change[]} at most MAX_CHANGES
 */
export function changesBetween(before, after) {
  /** @type {Change[]} */
  const changes = [];
  compare(before, after, "", 0, changes);
  return changes;
}

/**
 * @param {unknown} before
 * @param {unknown} after
 * @param {string} path
 * @param {number} depth
 * @param {Change[]} changes receives them
 */
function compare(before, after, path, depth, changes) {
  if (Object.is(before, after) || changes.length >= MAX_CHANGES) return;
  const isComparable =
    isObject(before) &&
    isObject(after) &&
    Array.isArray(before) === Array.isArray(after) &&
    depth < MAX_DEPTH;
  if (!isComparable) {
    if (!isObject(before) || JSON.stringify(before) !== JSON.stringify(after))
      changes.push({ path, kind: "changed", before, after });
    return;
  }
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  for (const key of keys) {
    if (changes.length >= MAX_CHANGES) return;
    const inner = `${path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    if (!Object.hasOwn(after, key))
      changes.push({ path: inner, kind: "removed", before: before[key] });
    else if (!Object.hasOwn(before, key))
      changes.push({ path: inner, kind: "added", after: after[key] });
    else compare(before[key], after[key], inner, depth + 1, changes);
  }
}

/** @param {unknown} value @returns {value is Record<string, unknown>} an object or a list */
const isObject = (value) => typeof value === "object" && value !== null;
