// SPDX-License-Identifier: MIT
// Implements LangGraph's public helpers for texts at paths. The stores' own search supports more
// forms (match.js).

/** @typedef {import("../base/callable.js").Value} Value */

/** Splits a path. @param {string} path @returns {string[]} */
export function tokenizePath(path) {
  return path.split(".");
}

/**
 * Returns the texts at `name`, `name[0]` or `name[*]`, separated by dots; other values are left
 * out.
 * @param {Value} obj
 * @param {string} path
 * @returns {string[]}
 */
export function getTextAtPath(obj, path) {
  let current = obj;
  for (const part of tokenizePath(path)) {
    const [arrayName, rest] = part.split("[");
    if (rest === undefined) {
      current = current[arrayName];
    } else {
      const index = rest.replace("]", "");
      if (index === "*") {
        const texts = [];
        if (current[arrayName])
          for (const item of current[arrayName]) if (typeof item === "string") texts.push(item);
        return texts;
      }
      current = current[arrayName]?.[parseInt(index, 10)];
    }
    if (current === undefined) return [];
  }
  return typeof current === "string" ? [current] : [];
}
