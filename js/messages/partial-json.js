// SPDX-License-Identifier: MIT
// Knows: how to read the beginning of a JSON text, as it is while a model still streams it: it is
// completed to a whole text, which JSON.parse judges. Owns: nothing. Must not know: messages.
// For showing only; what a tool runs with is read by JSON.parse from the whole text.

const MAX_DEPTH = 128;
const STRING_OR_BRACKET = /"(?:[^"\\]|\\.?)*"?|[[\]{}]/gs;
const WHOLE_STRING = /^"(?:[^"\\]|\\.)*"$/s;
const CUT_ESCAPE = /(^|[^\\])((?:\\\\)*)\\(?:u[0-9a-fA-F]{0,3})?$/;
const LONE_KEY = /([{,]\s*)"(?:[^"\\]|\\.)*"\s*:?$/s;

/**
 * The value that a cut JSON text stands for so far: open strings, lists and objects are
 * closed, an unfinished key is dropped. Throws SyntaxError when no end could make it valid.
 * @param {string} text
 * @returns {unknown}
 */
export function parsePartialJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return JSON.parse(complete(text));
  }
}

/** @param {string} text */
function complete(text) {
  /** What closes the brackets that are open. @type {string[]} */
  const open = [];
  let whole = text.replace(STRING_OR_BRACKET, (token) => {
    if (token[0] === '"')
      return printable(WHOLE_STRING.test(token) ? token : `${token.replace(CUT_ESCAPE, "$1$2")}"`);
    if (token === "{" || token === "[") open.push(token === "{" ? "}" : "]");
    else open.pop();
    if (open.length > MAX_DEPTH)
      throw new SyntaxError(`JSON nested deeper than ${MAX_DEPTH} levels`);
    return token;
  });
  whole = whole
    .replace(/(^|[[,:\s])(-?\d+)(?:\.|(\.\d+)?[eE][+-]?)$/, "$1$2$3")
    .replace(/(^|[[,:\s])-$/, "$10")
    .replace(
      /\b[a-z]+$/,
      (start) => ["true", "false", "null"].find((word) => word.startsWith(start)) ?? start,
    )
    .trimEnd();
  if (open.at(-1) === "}") whole = whole.replace(LONE_KEY, "$1").trimEnd();
  if (open.length > 0 && /[^[{,:\s]\s*,$/.test(whole)) whole = whole.slice(0, -1);
  return whole + open.reverse().join("");
}

/** Models write line ends into strings as they are. @param {string} text */
function printable(text) {
  return text.replace(/[\u0000-\u001f]/g, (char) => JSON.stringify(char).slice(1, -1));
}
