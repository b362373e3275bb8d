// SPDX-License-Identifier: MIT
// Lists the characters of the Unicode properties that patterns name (\p{Lu}), by the host's own
// tables, in the engine's form (src/schema/pattern.h). Does not depend on schemas.

/** JSON escapes the backslash. */
const NAMED = /\\\\[pP]\{([\w=]+)\}/g;
/** Maximum per schema: finding the characters of one takes up to 100 ms, once. */
const MOST_NAMED = 16;
const MOST_KEPT = 256;
/** Surrogate halves fill two blocks of this size: no half is next to one that it pairs with. */
const BLOCK = 0x400;
const END = 0x110000;

/** @type {Map<string, number[] | undefined>} */
const kept = new Map();

/**
 * @param {string} name
 * @returns {number[] | undefined} first, last, first, last and so on; undefined if it is no
 *   property
 */
function rangesOf(name) {
  if (kept.has(name)) return kept.get(name);
  if (kept.size === MOST_KEPT) kept.clear();
  const ranges = findRanges(name);
  kept.set(name, ranges);
  return ranges;
}

/** @param {string} name */
function findRanges(name) {
  let runs;
  try {
    runs = new RegExp(`\\p{${name}}+`, "gu");
  } catch {
    return undefined;
  }
  /** @type {number[]} */
  const ranges = [];
  const points = new Array(BLOCK);
  for (let block = 0; block < END; block += BLOCK) {
    for (let i = 0; i < BLOCK; i++) points[i] = block + i;
    const text = String.fromCodePoint(...points);
    const units = text.length / BLOCK;
    for (const { 0: run, index } of text.matchAll(runs)) {
      const first = block + index / units;
      const last = first + run.length / units - 1;
      if (ranges.at(-1) === first - 1) ranges[ranges.length - 1] = last;
      else ranges.push(first, last);
    }
  }
  return ranges;
}

/**
 * Lists the characters of all properties that patterns in this JSON may name.
 * @param {string} json
 * @returns {Record<string, number[]> | undefined} undefined if there are none
 */
export function lettersIn(json) {
  if (!json.includes("\\\\p{") && !json.includes("\\\\P{")) return undefined;
  /** @type {Record<string, number[]>} */
  const letters = {};
  for (const name of [...new Set(Array.from(json.matchAll(NAMED), ([, found]) => found))].slice(
    0,
    MOST_NAMED,
  )) {
    const ranges = rangesOf(name);
    if (ranges !== undefined) letters[name] = ranges;
  }
  return letters;
}
