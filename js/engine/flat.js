// SPDX-License-Identifier: MIT
// Knows: how the value of a small flat object is read from the tape that the engine has just made of its text
// (wasm/README.md, "Schemas"): in less time than JSON.parse needs to read the text once more. Must not know schemas.
import { TAPE_FALSE, TAPE_IS_INTEGER, TAPE_NULL, TAPE_NUMBER, TAPE_OBJECT, TAPE_STRING, TAPE_TRUE } from "./codes.js";

/** Parts of a text may keep the whole of it in memory. */
export const LONGEST_FLAT = 512;
const TOKEN_WORDS = 5;
const SHORT_INTEGER = 9;
const ZERO = 48;
const INTEGER = TAPE_NUMBER | (TAPE_IS_INTEGER << 8);

export class FlatReader {
  /** The keys that the last texts had, by place: an equal one need not be made again. @type {string[]} */
  #keys = [];

  /**
   * Undefined for what is no object, holds another one or a list, or has a key or a text that is not written as it is.
   * @param {Uint32Array} u32 the engine's memory
   * @param {number} tape its address
   * @param {string} text of which the tape was made; ASCII
   * @returns {any}
   */
  read(u32, tape, text) {
    let at = tape >>> 2;
    if ((u32[at] & 0xffff) !== TAPE_OBJECT) return undefined;
    /** @type {any} */
    const made = {};
    const count = u32[at + 4];
    for (let i = 0; i < count; i++) {
      at += TOKEN_WORDS;
      const key = (u32[at] & 0xffff) === TAPE_STRING ? this.#key(text, i, u32[at + 1] + 1, u32[at + 2] - 2) : undefined;
      at += TOKEN_WORDS;
      const value = key === undefined ? undefined : valueOf(text, u32[at] & 0xffff, u32[at + 1], u32[at + 2]);
      if (value === undefined) return undefined;
      made[/** @type {string} */ (key)] = value;
    }
    return made;
  }

  /** @param {string} text @param {number} index @param {number} from @param {number} length */
  #key(text, index, from, length) {
    const last = this.#keys[index];
    if (last !== undefined && last.length === length && text.startsWith(last, from)) return last;
    const key = text.slice(from, from + length);
    // What every object has may be frozen there, or sets the prototype.
    if (key in Object.prototype) return undefined;
    this.#keys[index] = key;
    return key;
  }
}

/** @param {string} text @param {number} kind with its flags @param {number} from @param {number} length */
function valueOf(text, kind, from, length) {
  switch (kind) {
    case TAPE_STRING:
      return text.slice(from + 1, from + length - 1);
    case INTEGER:
      return length <= SHORT_INTEGER && text.charCodeAt(from) >= ZERO ? digits(text, from, length) : Number(text.slice(from, from + length));
    case TAPE_NUMBER:
      return Number(text.slice(from, from + length));
    case TAPE_TRUE:
      return true;
    case TAPE_FALSE:
      return false;
    case TAPE_NULL:
      return null;
    default:
      return undefined;
  }
}

/** @param {string} text @param {number} from @param {number} length */
function digits(text, from, length) {
  let number = 0;
  for (let at = from; at < from + length; at++) number = number * 10 + (text.charCodeAt(at) - ZERO);
  return number;
}
