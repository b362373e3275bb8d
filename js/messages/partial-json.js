// SPDX-License-Identifier: MIT
// Reads the beginning of a JSON text that a model is still streaming, by completing it to a whole
// text for JSON.parse. For display only; a tool's arguments are read by JSON.parse from the whole
// text. Does not depend on messages.

const MAX_DEPTH = 128;
const STRING_OR_BRACKET = /"(?:[^"\\]|\\.?)*"?|[[\]{}]/gs;
const WHOLE_STRING = /^"(?:[^"\\]|\\.)*"$/s;
const CUT_ESCAPE = /(^|[^\\])((?:\\\\)*)\\(?:u[0-9a-fA-F]{0,3})?$/;
const LONE_KEY = /([{,]\s*)"(?:[^"\\]|\\.)*"\s*:?$/s;

/**
 * Returns the value of a cut JSON text so far: open strings, lists and objects are closed, an
 * unfinished key is dropped. Throws SyntaxError if no end could make it valid.
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
  /** Closing brackets of the open ones. @type {string[]} */
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

/** Escapes raw line ends, which models write into strings. @param {string} text */
function printable(text) {
  return text.replace(/[\u0000-\u001f]/g, (char) => JSON.stringify(char).slice(1, -1));
}
