// SPDX-License-Identifier: MIT
// Reads the answer of a model that must write one JSON object `{"calls": […], "answer": "…"}`,
// while it streams: the text of `answer` is passed on as it comes. Looks at each character once.
import { isArguments, readToolCall } from "../../messages/tool-arguments.js";

/** @typedef {import("./calls.js").WrittenCalls} WrittenCalls */

const LONGEST_KEY = 16;
const LONGEST_ESCAPE = 6;
/** Brackets around the arguments of a call: the object, the list, the call. */
const LEVEL_OF_CALL = 3;

export class ObjectReader {
  #calls;
  /** @type {string[]} */
  #pieces = [];
  /** "before", "inside" or "after" the object, or "plain" where other text began. */
  #state = "before";
  #level = 0;
  #isString = false;
  /** The letters of an escape so far. */
  #escape = "";
  /** A string at the first level is a key, before its colon. */
  #isKey = true;
  /** @type {string} */
  #key = "";
  #isAnswer = false;
  /** First half of a pair. */
  #half = "";
  #hasShown = false;
  #hasCall = false;

  /** @param {WrittenCalls} calls gets the calls */
  constructor(calls) {
    this.#calls = calls;
  }

  /**
   * Adds a piece of the answer; returns the text to show.
   * @param {string} piece
   */
  push(piece) {
    let shown = "";
    let at = 0;
    for (; at < piece.length; at++) {
      const letter = piece[at];
      if (this.#state === "inside") {
        if (this.#isString) shown += this.#inString(letter);
        else this.#outside(letter);
      } else if (this.#state === "plain" || !this.#isBetween(letter)) break;
    }
    this.#pieces.push(piece.slice(0, at));
    return this.#note(shown + piece.slice(at));
  }

  /** Ends the answer; adds its calls and returns the rest of the text to show. */
  end() {
    const text = this.#pieces.join("");
    const rest = this.#half;
    this.#half = "";
    if (text.trim() === "") return rest;
    const { call, invalid } = readToolCall("", text, "");
    if (call === undefined) {
      // What was cut within the text of the answer is an answer nevertheless.
      const raw = text.slice(text.indexOf('"calls"'));
      if (this.#hasCall) this.#calls.refuse(undefined, raw, String(invalid?.error));
      else if (!this.#hasShown && rest === "") return text;
      return rest;
    }
    const { calls = [], answer } = call.args;
    for (const one of Array.isArray(calls) ? calls : [calls]) this.#add(one);
    if (this.#hasShown || rest !== "" || answer === undefined || answer === null) return rest;
    return typeof answer === "string" ? answer : JSON.stringify(answer);
  }

  /** @param {unknown} given a call */
  #add(given) {
    const { tool, args = {} } = /** @type {Record<string, unknown>} */ (given ?? {});
    // Not JSON by itself, so that a call that cannot be made is not read as its arguments.
    const raw = `"calls":[${JSON.stringify(given)}]`;
    if (isArguments(args)) this.#calls.add(tool, args, raw);
    else this.#calls.refuse(typeof tool === "string" ? tool : "", raw, "`args` must be an object.");
  }

  /** @param {string} text */
  #note(text) {
    if (text !== "") this.#hasShown = true;
    return text;
  }

  /** Takes a letter before or after the object; false if plain text begins. */
  /** @param {string} letter */
  #isBetween(letter) {
    if (letter.trim() === "") return true;
    const begins = this.#state === "before" && letter === "{";
    this.#state = begins ? "inside" : "plain";
    this.#level = 1;
    return begins;
  }

  /** @param {string} letter */
  #outside(letter) {
    if (letter === '"') {
      this.#isString = true;
      if (this.#level === 1 && this.#isKey) this.#key = "";
      this.#isAnswer = this.#level === 1 && !this.#isKey && this.#key === "answer";
    } else if (letter === "{" || letter === "[") {
      this.#level++;
      if (this.#level === LEVEL_OF_CALL && this.#key === "calls") this.#hasCall = true;
    } else if (letter === "}" || letter === "]") {
      this.#level--;
      if (this.#level === 0) this.#state = "after";
    } else if (this.#level === 1 && (letter === ":" || letter === ",")) {
      this.#isKey = letter === ",";
    }
  }

  /** @param {string} letter @returns {string} what of it to show */
  #inString(letter) {
    if (this.#escape !== "") {
      this.#escape += letter;
      const length = this.#escape[1] === "u" ? LONGEST_ESCAPE : 2;
      if (this.#escape.length < length) return "";
      const unit = unescaped(this.#escape);
      this.#escape = "";
      return this.#take(unit);
    }
    if (letter === "\\") {
      this.#escape = letter;
      return "";
    }
    if (letter !== '"') return this.#take(letter);
    this.#isString = false;
    const shown = this.#isAnswer ? this.#half : "";
    if (this.#isAnswer) this.#half = "";
    return shown;
  }

  /** @param {string} unit @returns {string} */
  #take(unit) {
    if (this.#level === 1 && this.#isKey && this.#key.length < LONGEST_KEY) this.#key += unit;
    if (!this.#isAnswer) return "";
    const text = this.#half + unit;
    const code = unit.charCodeAt(0);
    const isFirst = unit.length === 1 && code >= 0xd800 && code < 0xdc00;
    this.#half = isFirst ? unit : "";
    return isFirst ? text.slice(0, -1) : text;
  }
}

/** @param {string} escape */
function unescaped(escape) {
  try {
    return JSON.parse(`"${escape}"`);
  } catch {
    return escape;
  }
}
