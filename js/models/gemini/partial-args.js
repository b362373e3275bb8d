// SPDX-License-Identifier: MIT
// Writes the JSON text of a call's arguments from the pieces that Vertex streams: values at paths,
// in the order of the document. Does not depend on calls and answers.

/** @typedef {import("../answer-parts.js").Fields} Fields */
/**
 * A list or an object that is still open. `key`: where it stands in the one around it; `size`:
 * values in it so far; `keys`: those of an object.
 * @typedef {{ key: string | number, size: number, keys: Set<string> | undefined }} Open
 */

const MOST_LEVELS = 64;
const STEP = /\.([^.[\]]+)|\[(\d+)\]|\[(['"])((?:\\.|(?!\3)[^\\])*)\3\]/gsy;

/** The text begins with `{`, which is not returned by `add`. */
export class ArgumentsWriter {
  /** @type {Open[]} */
  #open = [openAt("", false)];
  /** Path of the text that will be continued. @type {string | undefined} */
  #textAt = undefined;
  /** Did a piece come that cannot be written any more? */
  #isBroken = false;

  /**
   * Returns the text of a piece. A piece out of order leaves the text unfinished, so that the call
   * cannot be read, rather than with a value missing.
   * @param {Fields} piece
   * @returns {string}
   */
  add(piece) {
    if (this.#isBroken) return "";
    const text = this.#write(piece);
    this.#isBroken = text === undefined;
    return text ?? "";
  }

  /** Returns the end of the text. */
  end() {
    return this.#isBroken ? "" : this.#closeText() + this.#closeTo(0);
  }

  /** @param {Fields} piece @returns {string | undefined} */
  #write({ jsonPath, willContinue, ...values }) {
    const value = valueOf(values);
    if (this.#textAt !== undefined && this.#textAt === jsonPath) {
      const more = typeof value === "string" ? JSON.stringify(value).slice(1, -1) : "";
      return willContinue === true ? more : more + this.#closeText();
    }
    const path = pathOf(jsonPath);
    if (path === undefined) return undefined;
    if (value === undefined) return "";
    let text = this.#closeText();
    let shared = 0;
    while (shared < path.length - 1 && this.#open[shared + 1]?.key === path[shared]) shared++;
    text += this.#closeTo(shared + 1);
    for (let at = shared; at < path.length; at++) {
      const begun = this.#begin(path[at]);
      if (begun === undefined) return undefined;
      text += begun;
      if (at === path.length - 1) break;
      const isList = typeof path[at + 1] === "number";
      this.#open.push(openAt(path[at], isList));
      text += isList ? "[" : "{";
    }
    const json = JSON.stringify(value);
    if (typeof value !== "string" || willContinue !== true) return text + json;
    this.#textAt = jsonPath;
    return text + json.slice(0, -1);
  }

  /** Begins a value in the innermost open list or object. @param {string | number} key */
  #begin(key) {
    const inner = this.#open[this.#open.length - 1];
    const { size, keys } = inner;
    if (keys === undefined ? key !== size : typeof key !== "string" || keys.has(key))
      return undefined;
    inner.size++;
    const comma = size === 0 ? "" : ",";
    if (keys === undefined) return comma;
    keys.add(/** @type {string} */ (key));
    return `${comma}${JSON.stringify(key)}:`;
  }

  #closeText() {
    const isOpen = this.#textAt !== undefined;
    this.#textAt = undefined;
    return isOpen ? '"' : "";
  }

  /** Closes lists and objects until this many are open. @param {number} count */
  #closeTo(count) {
    let text = "";
    while (this.#open.length > count) text += this.#open.pop()?.keys === undefined ? "]" : "}";
    return text;
  }
}

/** @param {string | number} key @param {boolean} isList @returns {Open} */
function openAt(key, isList) {
  return { key, size: 0, keys: isList ? undefined : new Set() };
}

/** @param {Fields} values @returns {string | number | boolean | null | undefined} */
function valueOf({ stringValue, numberValue, boolValue, nullValue }) {
  if (typeof stringValue === "string") return stringValue;
  if (typeof numberValue === "number") return numberValue;
  if (typeof boolValue === "boolean") return boolValue;
  return nullValue === undefined ? undefined : null;
}

/**
 * Reads a path as `$.list[0].key`.
 * @param {unknown} text
 * @returns {(string | number)[] | undefined} undefined if it is no path, or too long
 */
function pathOf(text) {
  if (typeof text !== "string" || !text.startsWith("$")) return undefined;
  /** @type {(string | number)[]} */
  const path = [];
  STEP.lastIndex = 1;
  while (STEP.lastIndex < text.length) {
    const found = STEP.exec(text);
    if (found === null || path.length === MOST_LEVELS) return undefined;
    const [, name, index, , quoted] = found;
    path.push(index ? Number(index) : (name ?? quoted.replace(/\\(.)/gs, "$1")));
  }
  return path.length === 0 ? undefined : path;
}
