// SPDX-License-Identifier: MIT
// Knows: how to read the beginning of a JSON text, as it is while a model still streams it.
// Owns: nothing. Must not know: messages.
// For showing only; what a tool runs with is read by JSON.parse from the whole text.

const END = Symbol("end of text");
const WORDS = /** @type {const} */ ([["true", true], ["false", false], ["null", null]]);
const MAX_DEPTH = 128;

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
    const reader = { text, at: 0, depth: 0 };
    const value = readValue(reader);
    skipSpace(reader);
    if (reader.at < text.length || value === END) throw wrong(reader);
    return value;
  }
}

/** @typedef {{ text: string, at: number, depth: number }} Reader */

/** @param {Reader} reader */
function wrong(reader) {
  return new SyntaxError(`Not the beginning of a JSON text at position ${reader.at}`);
}

/** @param {Reader} reader */
function skipSpace(reader) {
  while (reader.at < reader.text.length && " \t\n\r".includes(reader.text[reader.at])) reader.at++;
}

/** @param {Reader} reader @returns {any} */
function readValue(reader) {
  skipSpace(reader);
  const char = reader.text[reader.at];
  if (char === undefined) return END;
  if (char === "{") return nested(reader, readObject);
  if (char === "[") return nested(reader, readList);
  if (char === '"') return readString(reader);
  if (char === "-" || (char >= "0" && char <= "9")) return readNumber(reader);
  return readWord(reader);
}

/** @param {Reader} reader @param {(reader: Reader) => any} read */
function nested(reader, read) {
  if (++reader.depth > MAX_DEPTH) throw wrong(reader);
  const value = read(reader);
  reader.depth--;
  return value;
}

/** @param {Reader} reader */
function readObject(reader) {
  /** @type {Record<string, any>} */
  const object = {};
  reader.at++;
  for (let first = true; ; first = false) {
    if (closes(reader, "}", first)) return object;
    if (reader.text[reader.at] === undefined) return object;
    if (reader.text[reader.at] !== '"') throw wrong(reader);
    const key = readString(reader);
    skipSpace(reader);
    if (reader.text[reader.at] === undefined) return object;
    if (reader.text[reader.at++] !== ":") throw wrong(reader);
    const value = readValue(reader);
    if (value === END) return object;
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  }
}

/** @param {Reader} reader */
function readList(reader) {
  const list = [];
  reader.at++;
  for (let first = true; ; first = false) {
    if (closes(reader, "]", first)) return list;
    const value = readValue(reader);
    if (value === END) return list;
    list.push(value);
  }
}

/**
 * Past the closing bracket or the comma before the next member; true when the container ends.
 * @param {Reader} reader @param {string} bracket @param {boolean} first
 */
function closes(reader, bracket, first) {
  skipSpace(reader);
  const char = reader.text[reader.at];
  if (char === undefined) return true;
  if (char === bracket) {
    reader.at++;
    return true;
  }
  if (first) return false;
  if (char !== ",") throw wrong(reader);
  reader.at++;
  skipSpace(reader);
  if (reader.text[reader.at] === bracket) throw wrong(reader);
  return false;
}

/** @param {Reader} reader @returns {string} */
function readString(reader) {
  const start = reader.at++;
  while (reader.at < reader.text.length) {
    const char = reader.text[reader.at++];
    if (char === "\\") reader.at++;
    if (char === '"') return JSON.parse(printable(reader.text.slice(start, reader.at)));
  }
  reader.at = reader.text.length;
  const body = reader.text.slice(start).replace(/(^|[^\\])((?:\\\\)*)\\(?:u[0-9a-fA-F]{0,3})?$/, "$1$2");
  return JSON.parse(`${printable(body)}"`);
}

// Models write raw line breaks inside strings; JSON.parse does not take them.
/** @param {string} text */
function printable(text) {
  return text.replace(/[\u0000-\u001f]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** @param {Reader} reader @returns {number} */
function readNumber(reader) {
  const token = /^-?\d*\.?\d*(?:[eE][+-]?\d*)?/.exec(reader.text.slice(reader.at))?.[0] ?? "";
  reader.at += token.length;
  if (reader.at < reader.text.length) return JSON.parse(token);
  const whole = token.replace(/(?:[eE][+-]?|\.)$/, "");
  return whole === "-" ? 0 : JSON.parse(whole);
}

/** @param {Reader} reader */
function readWord(reader) {
  const rest = reader.text.slice(reader.at);
  for (const [word, value] of WORDS) {
    if (rest.startsWith(word) || (rest !== "" && word.startsWith(rest))) {
      reader.at += Math.min(word.length, rest.length);
      return value;
    }
  }
  throw wrong(reader);
}
