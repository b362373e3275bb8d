// SPDX-License-Identifier: MIT
// What a search asks for: filters of values, patterns of namespaces, texts at paths, nearness of vectors. Owns nothing.

const OPERATORS = /** @type {Record<string, (held: any, given: any) => boolean>} */ ({
  $eq: (held, given) => held === given,
  $ne: (held, given) => held !== given,
  $gt: (held, given) => Number(held) > Number(given),
  $gte: (held, given) => Number(held) >= Number(given),
  $lt: (held, given) => Number(held) < Number(given),
  $lte: (held, given) => Number(held) <= Number(given),
  $in: (held, given) => Array.isArray(given) && given.includes(held),
  $nin: (held, given) => Array.isArray(given) && !given.includes(held),
});

/** @param {any} value of an item @param {Record<string, any>} filter @returns {boolean} */
export function passes(value, filter) {
  return Object.entries(filter).every(([key, wanted]) => {
    const held = value[key];
    if (typeof wanted !== "object" || wanted === null) return held === wanted;
    return Object.entries(wanted).every(([name, given]) => Object.hasOwn(OPERATORS, name) && OPERATORS[name](held, given));
  });
}

/** @param {string[]} namespace @param {{ matchType: string, path: string[] }} condition @returns {boolean} */
export function matches(namespace, { matchType, path }) {
  if (matchType !== "prefix" && matchType !== "suffix") throw new Error(`Unsupported match type: ${matchType}`);
  if (path.length > namespace.length) return false;
  const start = matchType === "prefix" ? 0 : namespace.length - path.length;
  return path.every((label, index) => label === "*" || label === namespace[start + index]);
}

/** A path's steps: `a.b[0].{c,d}` is a, b, [0], {c,d}. @param {string} path @returns {string[]} */
function stepsOf(path) {
  return path.match(/\[[^\]]*\]|\{[^}]*\}|[^.[{]+/g) ?? [];
}

/** @param {any} value @returns {string[]} */
function textOf(value) {
  if (value === null || value === undefined) return [];
  return [typeof value === "object" ? JSON.stringify(value, null, 2) : String(value)];
}

/**
 * The texts that an item is found by.
 * @param {any} value
 * @param {string} path "$": the whole of it
 * @returns {string[]}
 */
export function textsAt(value, path) {
  if (path === "$" || path === "") return [JSON.stringify(value, null, 2)];
  return walk(value, stepsOf(path));
}

/** @param {any} value @param {string[]} steps @returns {string[]} */
function walk(value, steps) {
  if (steps.length === 0) return textOf(value);
  if (value === null || typeof value !== "object") return [];
  const [step, ...rest] = steps;
  const into = (/** @type {any[]} */ parts) => parts.flatMap((part) => walk(part, rest));
  if (step === "*") return into(Object.values(value));
  if (step[0] === "{") return into(step.slice(1, -1).split(",").map((name) => value[name.trim()]));
  if (step[0] !== "[") return into([value[step]]);
  if (!Array.isArray(value)) return [];
  return step === "[*]" ? into(value) : into([value.at(Number(step.slice(1, -1)))]);
}

/** @param {number[]} a @param {number[]} b @returns {number} the cosine of the angle between them */
export function nearness(a, b) {
  let [product, left, right] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    product += a[i] * b[i];
    left += a[i] * a[i];
    right += b[i] * b[i];
  }
  return left === 0 || right === 0 ? 0 : product / (Math.sqrt(left) * Math.sqrt(right));
}
