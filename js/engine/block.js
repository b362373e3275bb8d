// SPDX-License-Identifier: MIT
// Reads one block of commands from a copy: the engine's memory may move as soon as other code runs.
// Owns the copy. Does not depend on what commands mean.
import { COMMAND_SAVE, COMMAND_TEXT } from "../base/codes.js";
import { hexOf, uuidOf } from "../base/uuid.js";

const decoder = new TextDecoder();
const fatalDecoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** @param {Uint8Array} bytes */
export function decodeText(bytes) {
  return fatalDecoder.decode(bytes);
}

export class Block {
  /** @param {Uint32Array<ArrayBuffer>} [u32] memory to read instead of a copy */
  constructor(u32 = new Uint32Array(128)) {
    this.u32 = u32;
    this.words = 0;
    this.flags = 0;
    this.ticks = 0;
    this.status = 0;
    /** Index of the next word to read, and of the end of the current record's payload. */
    this.at = 0;
    this.end = 0;
    this.op = 0;
    this.opFlags = 0;
    /**
     * Texts that TEXT commands point to, in order; undefined if not UTF-8.
     * @type {(string | undefined)[]}
     */
    this.texts = [];
    this.taken = 0;
    /** Index of the block's SAVE command, -1 if none. */
    this.save = -1;
  }

  /**
   * @param {Uint32Array} u32 the engine's memory
   * @param {Uint8Array} u8 the same memory
   * @param {number} pointer
   */
  copy(u32, u8, pointer) {
    let from = pointer >>> 2;
    const words = u32[from];
    this.words = words;
    this.flags = u32[from + 1];
    this.ticks = u32[from + 2];
    this.status = u32[from + 3] | 0;
    from += 4;
    if (words > this.u32.length) this.u32 = new Uint32Array(Math.max(words, this.u32.length * 2));
    const to = this.u32;
    if (words < 48) for (let i = 0; i < words; i++) to[i] = u32[from + i];
    else to.set(u32.subarray(from, from + words));
    this.at = 0;
    this.end = 0;
    this.taken = 0;
    this.save = -1;
    if (this.texts.length > 0) this.texts = [];
    for (let i = 0; i < words; i += 2 + to[i + 1]) {
      const op = to[i] & 0xffff;
      if (op === COMMAND_TEXT) {
        for (let text = i + 2; text < i + 2 + to[i + 1]; text += 4)
          this.texts.push(textOf(u8, to[text + 1], to[text + 3]));
      } else if (op === COMMAND_SAVE) {
        this.save = i;
      }
    }
  }

  /**
   * Goes to the block's SAVE, wherever it is, so that decisions are stored before anything new
   * happens. The address at its end is valid until other code runs.
   */
  seekSave() {
    const head = this.u32[this.save];
    this.opFlags = head >>> 16;
    this.at = this.save + 2;
  }

  /** Goes to the next record. @returns {boolean} false at the end */
  next() {
    const at = this.end;
    if (at >= this.words) return false;
    const head = this.u32[at];
    this.op = head & 0xffff;
    this.opFlags = head >>> 16;
    this.at = at + 2;
    this.end = at + 2 + this.u32[at + 1];
    return true;
  }

  /** Is the next record of the same kind? */
  get isRepeated() {
    return this.end < this.words && (this.u32[this.end] & 0xffff) === this.op;
  }

  word() {
    return this.u32[this.at++];
  }

  int() {
    return this.u32[this.at++] | 0;
  }

  /** Reads a u64 known to be a safe integer. */
  long() {
    const low = this.u32[this.at++];
    return this.u32[this.at++] * 4294967296 + low;
  }

  double() {
    PAIR[0] = this.u32[this.at++];
    PAIR[1] = this.u32[this.at++];
    return DOUBLE[0];
  }

  /** Reads bytes after their count, padded to whole words; borrowed. */
  bytes() {
    const bytes = this.u32[this.at++];
    if (bytes === 0) return NO_BYTES;
    const start = this.at * 4;
    this.at += (bytes + 3) >>> 2;
    return new Uint8Array(this.u32.buffer, start, bytes);
  }

  /**
   * @param {string} [expected] the most likely text: comparing a short one is faster than decoding
   */
  string(expected = "") {
    const { u32, at } = this;
    const { length } = expected;
    let same = u32[at] === length && length <= SHORT;
    for (let i = 0; same && i < length; i++)
      same = ((u32[at + 1 + (i >> 2)] >>> (8 * i)) & 255) === expected.charCodeAt(i);
    if (!same) return decoder.decode(this.bytes());
    this.at += 1 + ((length + 3) >>> 2);
    return expected;
  }

  #id() {
    this.at += 4;
    return new Uint8Array(this.u32.buffer, this.at * 4 - 16, 16);
  }

  /** Reads an id as 32 hex digits. */
  hex() {
    return hexOf(this.#id());
  }

  /** Reads an id in the form of a UUID. */
  uuid() {
    return uuidOf(this.#id());
  }

  /** Takes the next text of a TEXT command. */
  takeText() {
    this.at += 3;
    return this.texts[this.taken++];
  }
}

const SHORT = 64;
const NO_BYTES = new Uint8Array(0);
const PAIR = new Uint32Array(2);
const DOUBLE = new Float64Array(PAIR.buffer);

/**
 * @param {Uint8Array} u8
 * @param {number} pointer
 * @param {number} length
 */
function textOf(u8, pointer, length) {
  try {
    return decodeText(u8.subarray(pointer, pointer + length));
  } catch {
    return undefined;
  }
}
