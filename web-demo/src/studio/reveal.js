// SPDX-License-Identifier: MIT
// Knows: how to show text that somebody may have made to mislead: what cannot be seen is spelled
// out, letters of several alphabets in one word are named, JSON is laid out without changing a
// token. Must not know: approvals, the page.

// Controls, formats (bidi, zero-width, tags), private and unassigned, separators, other blanks,
// lone surrogates.
const HIDDEN =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{2800}]|(?! )\p{Zs}/gu;
const SCRIPTS = [
  ["Latin", /\p{Script=Latin}/u],
  ["Cyrillic", /\p{Script=Cyrillic}/u],
  ["Greek", /\p{Script=Greek}/u],
  ["Armenian", /\p{Script=Armenian}/u],
  ["Cherokee", /\p{Script=Cherokee}/u],
];

/**
 * The text in parts; hidden ones hold \u{…} in place of what they stand for.
 * @param {string} text
 * @returns {{ text: string, hidden: boolean }[]}
 */
export function reveal(text) {
  const parts = [];
  let from = 0;
  for (const { 0: found, index } of text.matchAll(HIDDEN)) {
    if (found === "\n") continue;
    if (index > from) parts.push({ text: text.slice(from, index), hidden: false });
    parts.push({ text: spell(found), hidden: true });
    from = index + found.length;
  }
  if (from < text.length) parts.push({ text: text.slice(from), hidden: false });
  return parts;
}

/** @param {string} character */
function spell(character) {
  return `\\u{${/** @type {number} */ (character.codePointAt(0)).toString(16).toUpperCase()}}`;
}

/**
 * Words that mix alphabets whose letters look alike.
 * @param {string} text
 * @returns {{ word: string, scripts: string[] }[]}
 */
export function mixedWords(text) {
  const words = new Set(text.match(/[\p{L}\p{M}]+/gu));
  return [...words].flatMap((word) => {
    const scripts = SCRIPTS.filter(([, pattern]) => /** @type {RegExp} */ (pattern).test(word)).map(
      ([name]) => /** @type {string} */ (name),
    );
    return scripts.length > 1 ? [{ word, scripts }] : [];
  });
}

/**
 * JSON text over several lines. Only white space between tokens is added; the tokens stay as they
 * are.
 * @param {string} json
 */
export function layOut(json) {
  let depth = 0;
  let out = "";
  const line = () => `\n${"  ".repeat(depth)}`;
  for (const [token] of json.matchAll(
    /"(?:[^"\\]|\\.)*"|[{[]\s*[}\]]|[{}[\],:]|[^\s{}[\],:"]+/gs,
  )) {
    if (token === "{" || token === "[") {
      depth++;
      out += token + line();
    } else if (token === "}" || token === "]") {
      depth--;
      out += line() + token;
    } else if (token === ",") out += token + line();
    else out += token === ":" ? ": " : token;
  }
  return out;
}
