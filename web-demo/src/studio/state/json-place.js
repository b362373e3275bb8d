// SPDX-License-Identifier: MIT
// Finds where a text stops being JSON: browsers tell it in words of their own, or not at all. Must
// not know: what the text is for.

/**
 * `line` and `column` from 1.
 * @typedef {{ line: number, column: number, words: string }} Problem
 */

const BLANK = /[ \t\n\r]*/y;
const TOKEN =
  /[{}[\],:]|"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** @typedef {"value" | "first" | "key" | "firstKey" | "colon" | "next" | "end"} Wanted */
/** @type {Record<Wanted, string>} */
const WORDS = {
  value: "a value is expected",
  first: "a value or ] is expected",
  key: "a name in double quotes is expected",
  firstKey: "a name in double quotes or } is expected",
  colon: "a colon is expected",
  next: "a comma or the closing bracket is expected",
  end: "nothing more is expected",
};

/**
 * @param {string} text
 * @param {boolean} [isObject] whether it has to be an object
 * @returns {Problem | undefined} undefined: it is JSON
 */
export function jsonProblem(text, isObject = true) {
  /** @type {string[]} */
  const open = [];
  /** @type {Wanted} */
  let wanted = "value";
  for (let at = 0; ; ) {
    BLANK.lastIndex = at;
    BLANK.test(text);
    at = BLANK.lastIndex;
    if (at === text.length && wanted === "end") break;
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text)?.[0];
    /** @type {Wanted | undefined} */
    const after = token === undefined ? undefined : step(token, wanted, open);
    if (token === undefined || after === undefined) return placeOf(text, at, WORDS[wanted]);
    at += token.length;
    wanted = after;
  }
  if (!isObject || /^\s*\{/.test(text)) return undefined;
  return placeOf(text, 0, "an object is expected: { … }");
}

/**
 * @param {string} token
 * @param {Wanted} wanted
 * @param {string[]} open brackets, changed
 * @returns {Wanted | undefined} undefined: the token is not what is wanted
 */
function step(token, wanted, open) {
  const done = () => (open.length === 0 ? "end" : "next");
  if (wanted === "colon") return token === ":" ? "value" : undefined;
  if (token === "}" || token === "]") {
    const fits = token === "}" ? "{" : "[";
    const canClose = wanted === "next" || wanted === (token === "}" ? "firstKey" : "first");
    if (!canClose || open.at(-1) !== fits) return undefined;
    open.pop();
    return done();
  }
  if (wanted === "next") {
    if (token !== ",") return undefined;
    return open.at(-1) === "{" ? "key" : "value";
  }
  if (wanted === "key" || wanted === "firstKey") return token[0] === '"' ? "colon" : undefined;
  if (wanted === "end" || token === "," || token === ":") return undefined;
  if (token !== "{" && token !== "[") return done();
  open.push(token);
  return token === "{" ? "firstKey" : "first";
}

/** @param {string} text @param {number} at @param {string} words @returns {Problem} */
function placeOf(text, at, words) {
  const before = text.slice(0, at).split("\n");
  return { line: before.length, column: (before.at(-1) ?? "").length + 1, words };
}
