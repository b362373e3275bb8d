// SPDX-License-Identifier: MIT
// Stores the JavaScript values behind value handles: even numbers are assigned here, odd ones by
// the engine. Owns the values until the engine releases their numbers. Does not depend on encodings
// or runs.

/** @typedef {import("../base/callable.js").Value} Value */

/** Marks a channel without a value. */
export const ABSENT = Symbol("absent");

/** Marks a free slot. */
const FREE = Symbol("free");

export const WORD_ABSENT = 0;
const WORD_UNDEFINED = 8;
const WORD_NULL = 16;
const WORD_FALSE = 24;
const WORD_TRUE = 32;
const TAG_INT = 1;
const TAG_VALUE = 2;
const INT_LIMIT = 1 << 28;

export class Slots {
  constructor() {
    /** Values by number / 2: of the host, then of the engine. @type {unknown[]} */
    this.own = [];
    /** @type {unknown[]} */
    this.foreign = [];
    /** @type {number[]} */
    this.free = [];
    /** Handles assigned while the caller collects them. @type {number[] | undefined} */
    this.fresh = undefined;
    /** Number of stored values; unchanged after a run has ended. */
    this.live = 0;
  }

  /**
   * Returns the handle of a value: an immediate, or a newly assigned number.
   * @param {unknown} value
   * @returns {number}
   */
  toWord(value) {
    switch (typeof value) {
      case "number":
        if (
          value === (value | 0) &&
          value < INT_LIMIT &&
          value >= -INT_LIMIT &&
          (value !== 0 || 1 / value > 0)
        ) {
          return ((value << 3) | TAG_INT) >>> 0;
        }
        break;
      case "undefined":
        return WORD_UNDEFINED;
      case "boolean":
        return value ? WORD_TRUE : WORD_FALSE;
      case "object":
        if (value === null) return WORD_NULL;
        break;
      case "symbol":
        if (value === ABSENT) return WORD_ABSENT;
    }
    const { free, own } = this;
    const index = free.length > 0 ? /** @type {number} */ (free.pop()) : own.length;
    own[index] = value;
    this.live++;
    const word = ((index << 4) | TAG_VALUE) >>> 0;
    this.fresh?.push(word);
    return word;
  }

  /**
   * @param {number} word
   * @returns {Value} ABSENT for the handle of no value
   */
  toValue(word) {
    switch (word & 7) {
      case TAG_INT:
        return (word | 0) >> 3;
      case TAG_VALUE:
        return (word & 8) === 0 ? this.own[word >>> 4] : this.foreign[word >>> 4];
    }
    switch (word) {
      case WORD_ABSENT:
        return ABSENT;
      case WORD_NULL:
        return null;
      case WORD_FALSE:
        return false;
      case WORD_TRUE:
        return true;
    }
    return undefined;
  }

  /**
   * Stores a value under a handle (odd) that the engine assigned.
   * @param {number} word
   * @param {unknown} value
   */
  keep(word, value) {
    const index = word >>> 4;
    if ((word & 15) !== (TAG_VALUE | 8))
      throw new RangeError(`not a number of the engine: ${word}`);
    while (this.foreign.length <= index) this.foreign.push(FREE);
    if (this.foreign[index] === FREE) this.live++;
    this.foreign[index] = value;
  }

  /** @param {number} word */
  release(word) {
    const index = word >>> 4;
    const list = (word & 8) === 0 ? this.own : this.foreign;
    if (index >= list.length || list[index] === FREE) return;
    list[index] = FREE;
    this.live--;
    if (list === this.own) this.free.push(index);
  }
}
