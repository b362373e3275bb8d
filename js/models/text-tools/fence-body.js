// SPDX-License-Identifier: MIT
// Finds where the body of a fence ends, while it streams: at its last bracket, or at the fence's
// closing mark if it does not begin with a bracket. Looks at each character once. Does not depend
// on what the body says.

/**
 * A way to write calls. `open` and `close` are marks around the body; `lead` matches what may stand
 * before the first bracket; `quotes` are those of texts, in which brackets do not count. A form
 * without `close` ends with its last bracket.
 * @typedef {{ kind: "json" | "named" | "list", open: string, close?: string, lead: RegExp, quotes:
 *   string }} Form
 */

const OPENING = "{[(";
const CLOSING = "}])";

export class FenceBody {
  #quotes;
  #lead;
  #close;
  /** @type {string[]} */
  #pieces = [];
  #level;
  #quote = "";
  #isEscaped = false;
  /** Is the end the closing mark, and not a bracket? */
  #isMarked;
  /** The end of what came, in which the closing mark may have begun. */
  #tail = "";

  /**
   * @param {Form} form
   * @param {{ level?: number, isMarked?: boolean }} [start] `level`: brackets that are open;
   *   `isMarked`: only the closing mark ends it
   */
  constructor({ quotes, lead, close }, { level = 0, isMarked = false } = {}) {
    this.#quotes = quotes;
    this.#lead = lead;
    this.#close = close ?? "\n";
    this.#level = level;
    this.#isMarked = isMarked;
  }

  /** Does the closing mark end it, so that it belongs to the body? */
  get isMarked() {
    return this.#isMarked;
  }

  /** The body so far. */
  get text() {
    return this.#pieces.join("");
  }

  /**
   * Adds a piece.
   * @param {string} piece
   * @returns {number} how much of it belongs to the body; -1: all of it, and more will
   */
  push(piece) {
    let at = 0;
    for (; at < piece.length && !this.#isMarked; at++) {
      this.#look(piece[at]);
      if (this.#isMarked) break;
      if (this.#level === 0 && CLOSING.includes(piece[at]) && this.#quote === "") {
        this.#pieces.push(piece.slice(0, at + 1));
        return at + 1;
      }
    }
    const end = this.#isMarked ? this.#findMark(piece, at) : -1;
    this.#pieces.push(end < 0 ? piece : piece.slice(0, end));
    return end;
  }

  /** @param {string} letter */
  #look(letter) {
    if (this.#quote !== "") {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (letter === "\\") this.#isEscaped = true;
      else if (letter === this.#quote) this.#quote = "";
    } else if (OPENING.includes(letter)) this.#level++;
    else if (this.#level === 0) this.#isMarked = !this.#lead.test(letter);
    else if (CLOSING.includes(letter)) this.#level--;
    else if (this.#quotes.includes(letter)) this.#quote = letter;
  }

  /**
   * Returns the place after the closing mark, which then belongs to the body.
   * @param {string} piece @param {number} from
   */
  #findMark(piece, from) {
    const before = this.#tail;
    const seen = before + piece.slice(from);
    const found = seen.indexOf(this.#close);
    this.#tail = seen.slice(Math.max(0, seen.length - this.#close.length + 1));
    return found < 0 ? -1 : from + found + this.#close.length - before.length;
  }
}
