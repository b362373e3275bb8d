// SPDX-License-Identifier: MIT
// Evaluates searches: filters of values, patterns of namespaces, texts at paths, similarity of
// vectors.
import { badArgument } from "../log/log-store.js";

/** @typedef {import("../base/callable.js").Value} Value */

const OPERATORS = /** @type {Record<string, (held: unknown, given: unknown) => boolean>} */ ({
  $eq: (held, given) => held === given,
  $ne: (held, given) => held !== given,
  $gt: (held, given) => Number(held) > Number(given),
  $gte: (held, given) => Number(held) >= Number(given),
  $lt: (held, given) => Number(held) < Number(given),
  $lte: (held, given) => Number(held) <= Number(given),
  $in: (held, given) => Array.isArray(given) && given.includes(held),
  $nin: (held, given) => !Array.isArray(given) || !given.includes(held),
});

/** @param {Value} value of an item @param {Record<string, unknown>} filter @returns {boolean} */
export function passes(value, filter) {
  return Object.entries(filter).every(([key, wanted]) => {
    const held = value[key];
    if (typeof wanted !== "object" || wanted === null) return held === wanted;
    return Object.entries(wanted).every(
      ([name, given]) => Object.hasOwn(OPERATORS, name) && OPERATORS[name](held, given),
    );
  });
}

/**
 * Checks a namespace against a condition.
 * @param {string[]} namespace
 * @param {{ matchType: string, path: string[] }} condition
 * @returns {boolean}
 */
export function matches(namespace, { matchType, path }) {
  if (matchType !== "prefix" && matchType !== "suffix")
    throw new Error(`Unsupported match type: ${matchType}`);
  if (!Array.isArray(path)) throw badArgument("`path` of a condition is a list of labels");
  if (path.length > namespace.length) return false;
  const start = matchType === "prefix" ? 0 : namespace.length - path.length;
  return path.every((label, index) => label === "*" || label === namespace[start + index]);
}

/**
 * Splits a path into steps: `a.b[0].{c,d}` is a, b, [0], {c,d}; an unclosed bracket matches
 * nothing.
 * @param {string} path
 * @returns {string[]}
 */
function stepsOf(path) {
  return path.match(/\[[^\]]*\]|\{[^}]*\}|[[{].*|[^.[{]+/g) ?? [];
}

/** @param {unknown} value @returns {string[]} */
function textOf(value) {
  if (value === null || value === undefined || typeof value === "function") return [];
  return [typeof value === "object" ? JSON.stringify(value, null, 2) : String(value)];
}

/**
 * Returns the texts that make an item searchable.
 * @param {unknown} value
 * @param {string} path "$": the whole value
 * @returns {string[]}
 */
export function textsAt(value, path) {
  if (path === "" || path.startsWith("$")) return [JSON.stringify(value, null, 2)];
  return walk(value, stepsOf(path));
}

/** @param {Value} value @param {string[]} steps @returns {string[]} */
function walk(value, steps) {
  if (steps.length === 0) return textOf(value);
  if (value === null || typeof value !== "object") return [];
  const [step, ...rest] = steps;
  const into = (/** @type {unknown[]} */ parts) => parts.flatMap((part) => walk(part, rest));
  if (step === "*") return into(Object.values(value));
  if (step[0] === "{") return step.endsWith("}") ? fieldsOf(value, step) : [];
  if (step[0] !== "[") return into([value[step]]);
  if (!Array.isArray(value) || !step.endsWith("]")) return [];
  const index = parseInt(step.slice(1), 10);
  if (Number.isNaN(index)) return step === "[*]" ? into(value) : [];
  return into([value.at(index)]);
}

/**
 * Returns the texts of `{c,d.e}` at the end of a path; null counts as a text.
 * @param {Value} value
 * @param {string} step
 * @returns {string[]}
 */
function fieldsOf(value, step) {
  const held = step
    .slice(1, -1)
    .split(",")
    .map((path) =>
      path
        .trim()
        .split(".")
        .reduce((part, name) => part?.[name], value),
    );
  return held.flatMap((part) => (part === null ? "null" : textOf(part)));
}

/**
 * Computes the similarity of two vectors.
 * @param {number[]} a
 * @param {number[]} b
 * @returns {number} cosine of the angle between them
 */
export function nearness(a, b) {
  const product = b.reduce((sum, one, i) => sum + one * a[i], 0);
  const [left, right] = [a, b].map((vector) =>
    Math.sqrt(vector.reduce((sum, one) => sum + one * one, 0)),
  );
  return left && right ? product / (left * right) : 0;
}
