// SPDX-License-Identifier: MIT
// Reads the value of a text from the tape that the engine has just made of it (wasm/README.md,
// "Schemas"): faster than parsing the text again by JSON.parse. Does not depend on schemas.
import {
  TAPE_ARRAY,
  TAPE_FALSE,
  TAPE_IS_INTEGER,
  TAPE_NULL,
  TAPE_NUMBER,
  TAPE_OBJECT,
  TAPE_STRING,
  TAPE_TRUE,
} from "../base/codes.js";

/** @typedef {import("../base/callable.js").Value} Value */

/** Maximum length: parts of a text may keep all of it in memory. */
export const LONGEST_TEXT = 4096;
const TOKEN_WORDS = 5;
const SHORT_INTEGER = 9;
const ZERO = 48;
const INTEGER = TAPE_NUMBER | (TAPE_IS_INTEGER << 8);
const KEYS = 63;

export class TapeReader {
  /**
   * Keys of earlier texts, by a quick hash, to be reused.
   * @type {string[]}
   */
  #keys = [];
  /** @type {Uint32Array} */
  #u32 = new Uint32Array(0);
  #text = "";
  #at = 0;

  /**
   * Returns undefined if a key or a string has escapes, or an object has an index or an unsafe key.
   * @param {Uint32Array} u32 the engine's memory
   * @param {number} tape its address
   * @param {string} text source of the tape; ASCII
   * @returns {unknown}
   */
  read(u32, tape, text) {
    this.#u32 = u32;
    this.#text = text;
    this.#at = tape >>> 2;
    return this.#value();
  }

  /** @returns {Value} */
  #value() {
    const u32 = this.#u32;
    const at = this.#at;
    this.#at = at + TOKEN_WORDS;
    switch (u32[at] & 0xffff) {
      case TAPE_ARRAY:
        return this.#items(u32[at + 4]);
      case TAPE_OBJECT:
        return this.#members(u32[at + 4]);
      default:
        return scalar(this.#text, u32, at);
    }
  }

  /** @param {number} count */
  #items(count) {
    const made = [];
    for (; count > 0; count--) {
      const value = this.#value();
      if (value === undefined) return undefined;
      made.push(value);
    }
    return made;
  }

  /** @param {number} count */
  #members(count) {
    const u32 = this.#u32;
    const text = this.#text;
    /** @type {Value} */
    const made = {};
    let at = this.#at;
    for (; count > 0; count--) {
      const key =
        (u32[at] & 0xffff) === TAPE_STRING
          ? this.#key(text, u32[at + 1] + 1, u32[at + 2] - 2)
          : undefined;
      if (key === undefined) return undefined;
      at += TOKEN_WORDS;
      let value = scalar(text, u32, at);
      if (value === undefined) {
        this.#at = at;
        value = this.#value();
        if (value === undefined) return undefined;
        at = this.#at;
      } else at += TOKEN_WORDS;
      made[key] = value;
    }
    this.#at = at;
    return made;
  }

  /** @param {string} text @param {number} from @param {number} length */
  #key(text, from, length) {
    const slot =
      (text.charCodeAt(from) + 2 * text.charCodeAt(from + length - 1) + 5 * length) & KEYS;
    const last = this.#keys[slot];
    if (last !== undefined && last.length === length && text.startsWith(last, from)) return last;
    const key = text.slice(from, from + length);
    // A key of Object.prototype may be frozen there or set the prototype.
    if (key in Object.prototype) return undefined;
    this.#keys[slot] = key;
    return key;
  }
}

/**
 * Reads a value that is no container.
 * @param {string} text
 * @param {Uint32Array} u32
 * @param {number} at
 */
function scalar(text, u32, at) {
  const from = u32[at + 1];
  const end = from + u32[at + 2];
  switch (u32[at] & 0xffff) {
    case TAPE_STRING:
      return text.slice(from + 1, end - 1);
    case INTEGER:
      return end - from <= SHORT_INTEGER && text.charCodeAt(from) >= ZERO
        ? digits(text, from, end)
        : Number(text.slice(from, end));
    case TAPE_NUMBER:
      return Number(text.slice(from, end));
    case TAPE_TRUE:
      return true;
    case TAPE_FALSE:
      return false;
    case TAPE_NULL:
      return null;
  }
}

/** @param {string} text @param {number} at @param {number} end */
function digits(text, at, end) {
  let number = 0;
  for (; at < end; at++) number = number * 10 + (text.charCodeAt(at) - ZERO);
  return number;
}
