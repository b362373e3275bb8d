// SPDX-License-Identifier: MIT
// Reads values as models without tools write them in calls: JSON, Python's literals, keys without
// quotes, texts in quotes of either kind or between <|"|> marks. Does not depend on fences.

/** @typedef {{ name: string, args: Record<string, unknown>, raw: string }} Written */

/** Maximum levels of lists and objects. */
const MOST_LEVELS = 100;
const MARK = '<|"|>';
const BLANK = /\s*/y;
const NAME = /[\w.:$-]+/y;
const WORD = /[^\s,:=(){}[\]]+/y;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
/** @type {Record<string, unknown>} */
const WORDS = { true: true, True: true, false: false, False: false, null: null, None: null };
/** @type {Record<string, string>} */
const ESCAPES = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f" };
/** Closing brackets. @type {Record<string, string>} */
const CLOSING = { "{": "}", "[": "]", "(": ")" };

/** Reads one text from its beginning; throws SyntaxError where it is something else. */
export class Literals {
  #text;
  #at = 0;

  /** @param {string} text */
  constructor(text) {
    this.#text = text;
  }

  /** What has not been read. */
  get rest() {
    return this.#text.slice(this.#at);
  }

  /** Takes these characters if they come next, after blanks. @param {string} text */
  take(text) {
    this.#match(BLANK);
    const isNext = this.#text.startsWith(text, this.#at);
    if (isNext) this.#at += text.length;
    return isNext;
  }

  /** Takes these characters. @param {string} text */
  need(text) {
    if (!this.take(text)) throw this.#error(`expected ${text}`);
  }

  /** Demands that nothing follows. */
  end() {
    this.#match(BLANK);
    if (this.#at < this.#text.length) throw this.#error("expected the end");
  }

  /** Reads a name. */
  name() {
    this.#match(BLANK);
    const name = this.#match(NAME);
    if (name === "") throw this.#error("expected a name");
    return name;
  }

  /**
   * Reads `name(key=value, …)`.
   * @returns {Written}
   */
  call() {
    this.#match(BLANK);
    const from = this.#at;
    const name = this.name();
    this.need("(");
    const args = this.#fields("(", 1);
    return { name, args, raw: this.#text.slice(from, this.#at) };
  }

  /** Reads `{ key: value, … }`. */
  object() {
    this.need("{");
    return this.#fields("{", 1);
  }

  /** @param {number} level @returns {unknown} */
  #value(level) {
    if (level > MOST_LEVELS) throw this.#error(`nested deeper than ${MOST_LEVELS} levels`);
    if (this.take(MARK)) return this.#until(MARK);
    for (const quote of ['"', "'"]) if (this.take(quote)) return this.#string(quote);
    if (this.take("{")) return this.#fields("{", level + 1);
    for (const open of ["[", "("]) if (this.take(open)) return this.#list(open, level + 1);
    const word = this.#match(WORD);
    if (Object.hasOwn(WORDS, word)) return WORDS[word];
    const number = NUMBER.test(word) ? Number(word) : Number.NaN;
    if (!Number.isFinite(number)) throw this.#error(`expected a value, found ${word.slice(0, 40)}`);
    return number;
  }

  /** @param {string} open @param {number} level @returns {Record<string, unknown>} */
  #fields(open, level) {
    /** @type {[string, unknown][]} */
    const fields = [];
    const close = CLOSING[open];
    while (!this.take(close)) {
      if (fields.length > 0) {
        this.need(",");
        if (this.take(close)) break;
      }
      const key = this.#key();
      if (!this.take(open === "(" ? "=" : ":")) throw this.#error("expected a value with its name");
      fields.push([key, this.#value(level)]);
    }
    return Object.fromEntries(fields);
  }

  #key() {
    if (this.take(MARK)) return this.#until(MARK);
    for (const quote of ['"', "'"]) if (this.take(quote)) return this.#string(quote);
    this.#match(BLANK);
    const key = this.#match(/[\w$-]+/y);
    if (key === "") throw this.#error("expected a name");
    return key;
  }

  /** @param {string} open @param {number} level */
  #list(open, level) {
    const items = [];
    while (!this.take(CLOSING[open])) {
      if (items.length > 0) {
        this.need(",");
        if (this.take(CLOSING[open])) break;
      }
      items.push(this.#value(level));
    }
    return items;
  }

  /** @param {string} quote */
  #string(quote) {
    const parts = [];
    for (;;) {
      const from = this.#at;
      let code = "";
      for (; this.#at < this.#text.length; this.#at++) {
        code = this.#text[this.#at];
        if (code === quote || code === "\\") break;
      }
      if (this.#at >= this.#text.length) throw this.#error(`expected ${quote}`);
      parts.push(this.#text.slice(from, this.#at++));
      if (code === quote) return parts.join("");
      parts.push(this.#escape());
    }
  }

  #escape() {
    const letter = this.#text[this.#at++] ?? "";
    const digits = { u: 4, x: 2 }[letter];
    if (digits === undefined) return ESCAPES[letter] ?? letter;
    const hex = this.#text.slice(this.#at, this.#at + digits);
    if (hex.length < digits || !/^[0-9a-fA-F]+$/.test(hex))
      throw this.#error(`expected ${digits} digits`);
    this.#at += digits;
    return String.fromCharCode(Number.parseInt(hex, 16));
  }

  /** @param {string} mark */
  #until(mark) {
    const end = this.#text.indexOf(mark, this.#at);
    if (end < 0) throw this.#error(`expected ${mark}`);
    const text = this.#text.slice(this.#at, end);
    this.#at = end + mark.length;
    return text;
  }

  /** @param {RegExp} pattern sticky */
  #match(pattern) {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? "";
    this.#at += found.length;
    return found;
  }

  /** @param {string} what */
  #error(what) {
    return new SyntaxError(`${what} at character ${this.#at}`);
  }
}
