// SPDX-License-Identifier: MIT
// Tells what changed between two states in plain data, as a JSON Patch (RFC 6902) of additions,
// removals and replacements. A list that changed in more than its end is replaced.
import { isRecord } from "../base/check-arguments.js";

/** @typedef {{ op: "add" | "remove" | "replace", path: string, value?: unknown }} Operation */

/**
 * @param {unknown} before
 * @param {unknown} after
 * @param {string} [path] JSON Pointer of both
 * @returns {Operation[]} which make the one of the other
 */
export function diff(before, after, path = "") {
  if (before === after) return [];
  if (Array.isArray(before) && Array.isArray(after)) return diffLists(before, after, path);
  if (!isRecord(before) || !isRecord(after)) return [{ op: "replace", path, value: after }];
  const removed = Object.keys(before)
    .filter((key) => !Object.hasOwn(after, key))
    .map((key) => /** @type {Operation} */ ({ op: "remove", path: `${path}/${escaped(key)}` }));
  const changed = Object.keys(after).flatMap((key) => {
    const place = `${path}/${escaped(key)}`;
    return Object.hasOwn(before, key)
      ? diff(before[key], after[key], place)
      : [/** @type {Operation} */ ({ op: "add", path: place, value: after[key] })];
  });
  return [...removed, ...changed];
}

/**
 * @param {unknown[]} before
 * @param {unknown[]} after
 * @param {string} path
 * @returns {Operation[]}
 */
function diffLists(before, after, path) {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const isLonger =
    after.length > before.length &&
    JSON.stringify(after.slice(0, before.length)) === JSON.stringify(before);
  if (!isLonger) return [{ op: "replace", path, value: after }];
  return after
    .slice(before.length)
    .map((value) => /** @type {Operation} */ ({ op: "add", path: `${path}/-`, value }));
}

/** @param {string} key */
function escaped(key) {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}
