// SPDX-License-Identifier: MIT
// Completes JSON that a model broke in a way which leaves its value certain: a fence of Markdown
// around it, brackets missing at its end. Does not depend on schemas.

const FENCED = /^```(?:json)?[ \t]*\r?\n([\s\S]*?)\r?\n?```$/i;
const CLOSING = /** @type {const} */ ({ "{": "}", "[": "]" });

/**
 * @param {string} text
 * @returns {string | undefined} undefined if its value is not certain: it ends within a text, or
 *   with what may go on (a number, a comma, an open bracket)
 */
export function closeJson(text) {
  const trimmed = text.replace(/^\ufeff/, "").trim();
  const fenced = FENCED.exec(trimmed);
  const json = (fenced?.[1] ?? trimmed).trim();
  const open = openBrackets(json);
  if (open === undefined || (open === "" && json === text)) return undefined;
  return open === "" || /["\]}a-z]$/.test(json) ? json + open : undefined;
}

/**
 * @param {string} json
 * @returns {string | undefined} the brackets that are missing at its end; undefined if it ends
 *   within a text, or its brackets do not match
 */
function openBrackets(json) {
  /** @type {string[]} */
  const stack = [];
  // Texts and brackets; a text without its end is a quotation mark alone.
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\[\s\S])*"|["{}[\]]/g)) {
    if (token === '"') return undefined;
    if (token === "{" || token === "[") stack.push(CLOSING[token]);
    else if (token.length === 1 && stack.pop() !== token) return undefined;
  }
  return stack.reverse().join("");
}
