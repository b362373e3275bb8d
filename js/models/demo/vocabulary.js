// SPDX-License-Identifier: MIT
// Defines the few English words that the demo planner knows: verbs by meaning, numbers, and
// arithmetic in words. Does not depend on tools or messages.

/** @type {Readonly<Record<string, readonly string[]>>} */
const VERBS = {
  save: ["save", "add", "write", "remember", "store", "note", "keep", "create", "put", "jot"],
  list: ["list", "show", "read", "display", "all", "which", "what"],
  find: ["find", "search", "look", "lookup", "about"],
  delete: ["delete", "remove", "forget", "erase", "clear"],
  order: ["order", "buy", "purchase", "place"],
};
const NUMBERS = [
  "zero",
  "one",
  "two",
  "three",
  "four",
  "five",
  "six",
  "seven",
  "eight",
  "nine",
  "ten",
  "eleven",
  "twelve",
];
const NUMBER_WORDS = new RegExp(`\\b(?:${NUMBERS.join("|")})\\b`, "gi");
const STOP_WORDS = new Set(
  "a an the is are was be to of in on at for and or my me i you your it its this that with please can could would what how do does have by from as some any tool tools given user users".split(
    " ",
  ),
);

/** @type {readonly (readonly [RegExp, string])[]} */
const ARITHMETIC = [
  [/\badd\s+(\d+(?:\.\d+)?)\s+(?:and|to)\s+(\d+(?:\.\d+)?)/gi, "$1+$2"],
  [/\bsquare root of\s+(\d+(?:\.\d+)?)/gi, "sqrt($1)"],
  [/(\d+(?:\.\d+)?)\s*(?:%|percent)\s+of\s+/gi, "$1/100*"],
  [/\bto the power of\b/gi, "^"],
  [/\bsquared\b/gi, "^2"],
  [/\bcubed\b/gi, "^3"],
  [/\b(?:divided by|over)\b|÷/gi, "/"],
  [/\b(?:multiplied by|times)\b|[×·]|(?<=\d)\s*x\s*(?=\d)/gi, "*"],
  [/\bplus\b/gi, "+"],
  [/\bminus\b|−/gi, "-"],
];

/**
 * Splits a text into words in lower case, without plurals and simple endings.
 * @param {string} text
 * @returns {string[]}
 */
export function words(text) {
  return (
    text
      .replace(/([a-z])([A-Z])/g, "$1 $2")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).map(stem);
}

/** @param {string} word */
function stem(word) {
  if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (word.length > 3 && word.endsWith("s") && !word.endsWith("ss")) return word.slice(0, -1);
  return word;
}

/** Returns the significant words. @param {string} text @returns {Set<string>} */
export function tellingWords(text) {
  return new Set(words(text).filter((word) => word.length > 2 && !STOP_WORDS.has(word)));
}

/**
 * Returns the meanings of the verbs among these words.
 * @param {Iterable<string>} list
 * @returns {Set<string>}
 */
export function meanings(list) {
  const found = new Set();
  for (const word of list) {
    for (const [meaning, verbs] of Object.entries(VERBS))
      if (verbs.includes(word)) found.add(meaning);
  }
  return found;
}

/**
 * Returns what a clause asks to do. "Note" is a verb only as the first word.
 * @param {string} clause
 * @returns {Set<string>}
 */
export function askedMeanings(clause) {
  const spoken = words(clause.replace(/^\s*please\b/i, ""));
  return meanings(spoken.filter((word, at) => word !== "note" || at === 0));
}

/** Lists all verbs of these meanings. @param {Iterable<string>} wanted @returns {string[]} */
export function verbsOf(wanted) {
  return [...wanted].flatMap((meaning) => VERBS[meaning] ?? []);
}

/**
 * Finds the arithmetic in a text, including words of arithmetic.
 * @param {string} text
 * @returns {string[]}
 */
export function expressions(text) {
  const digits = text.replace(NUMBER_WORDS, (word) => String(NUMBERS.indexOf(word.toLowerCase())));
  const plain = ARITHMETIC.reduce((rest, [pattern, sign]) => rest.replace(pattern, sign), digits);
  const runs =
    plain.match(/(?:sqrt\(|[-(\d.])[\d\s.+\-*/^%()]*(?:sqrt\([\d.]+\)[\d\s.+\-*/^%()]*)*/g) ?? [];
  return runs
    .map((run) =>
      run
        .trim()
        .replace(/[\s.+\-*/^]+$/, "")
        .replace(/\s+/g, " "),
    )
    .filter(isExpression);
}

/** @param {string} text */
function isExpression(text) {
  if (/^\d{4}-\d{1,2}-\d{1,2}$/.test(text)) return false;
  return text.startsWith("sqrt(") || /[\d)]\s*[+\-*/^%]\s*[-(\d]/.test(text);
}

/** Lists the numbers in a text, in order. @param {string} text @returns {number[]} */
export function numbers(text) {
  const found = text.toLowerCase().match(/-?\d+(?:\.\d+)?|\b[a-z]+\b/g) ?? [];
  return found.flatMap((token) => {
    if (/^-?\d/.test(token)) return [Number(token)];
    const at = NUMBERS.indexOf(token);
    return at < 0 ? [] : [at];
  });
}

/** Removes the first number of a text. @param {string} text */
export function withoutFirstNumber(text) {
  const first = new RegExp(
    `(?<![\\w.])-?\\d+(?:\\.\\d+)?(?![\\w.])|\\b(?:${NUMBERS.join("|")})\\b`,
    "i",
  );
  return text.replace(first, " ").replace(/\s+/g, " ").trim();
}
