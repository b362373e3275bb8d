// SPDX-License-Identifier: MIT
// Hears arithmetic, in signs and in words, and calculates it. A sentence that has more than the
// arithmetic in it is not taken for a sum.
import { calculate } from "./calculator.js";
import { bare, withDigits } from "./words.js";

/** @typedef {import("../planner.js").Heard} Heard */
/** @typedef {import("../planner.js").Reply} Reply */

const LEAD =
  /^(?:(?:and|so|now|what(?:'s| is| are)|how much (?:is|are)|how many (?:is|are)|calculate|compute|evaluate|solve|work out|tell me|the (?:result|sum|answer) (?:of|to)|give me|equals?)\s+)+/i;
/** @type {[RegExp, string][]} */
const WORDS = [
  [/(?<=\d),(?=\d{3}\b)/g, ""],
  [/\b(?:the )?sum of ([\d.]+) and ([\d.]+)/gi, "$1+$2"],
  [/\badd ([\d.]+) (?:and|to) ([\d.]+)/gi, "$1+$2"],
  [/\bsubtract ([\d.]+) from ([\d.]+)/gi, "$2-$1"],
  [/\bmultiply ([\d.]+) (?:by|and|with) ([\d.]+)/gi, "$1*$2"],
  [/\bdivide ([\d.]+) by ([\d.]+)/gi, "$1/$2"],
  [/\b(?:the )?square root of ([\d.]+)|√\s*([\d.]+)/gi, "sqrt($1$2)"],
  [/\bhalf of ([\d.]+)/gi, "$1/2"],
  [/([\d.]+)\s*(?:%|per ?cent)\s+of\s+([\d.]+)/gi, "$1/100*$2"],
  [/\bto the power of\b|\*\*/gi, "^"],
  [/\bsquared\b/gi, "^2"],
  [/\bcubed\b/gi, "^3"],
  [/\bdivided by\b|\bover\b|[÷:]/gi, "/"],
  [/\bmultiplied by\b|\btimes\b|[×·]|(?<=[\d)]\s*)x(?=\s*[\d(])/gi, "*"],
  [/\bplus\b/gi, "+"],
  [/\bminus\b|[−–]/gi, "-"],
];

/** @param {Heard} heard @returns {Reply | undefined} */
export function sums({ said }) {
  const words = withDigits(
    bare(said)
      .replace(/\s*=\s*$/, "")
      .replace(LEAD, ""),
  );
  const expression = WORDS.reduce(
    (rest, [pattern, sign]) => rest.replace(pattern, sign),
    words,
  ).trim();
  const isSum = /^[\d\s.+\-*/%^()]*(?:(?:sqrt\(|pi\b)[\d\s.+\-*/%^()]*)*$/i.test(expression);
  if (!isSum || !/\d/.test(expression) || !/[+*/%^(]|[\d)]\s*-/.test(expression)) return undefined;
  if (/^\d{4}-\d{1,2}-\d{1,2}$/.test(expression)) return undefined;
  try {
    return { say: `${expression} = ${calculate(expression)}` };
  } catch (error) {
    return { say: `${expression} cannot be calculated: ${/** @type {Error} */ (error).message}.` };
  }
}
