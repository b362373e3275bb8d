// SPDX-License-Identifier: MIT
// Reads values that the log stores as patches of earlier ones (format: src/log/apply_patches.c). A
// patch becomes text when its value is read. Does not depend on records.

/** @typedef {import("../base/callable.js").Value} Value */
/**
 * @typedef {object} Held location of a value's bytes: the whole value, or a patch of an earlier one
 * @property {Uint8Array} bytes of a patch: its splices, from the end backwards
 * @property {number} [length] of a patch: bytes of its text
 * @property {number} [depth] of a patch: number of edits between it and the whole value
 * @property {() => Held} [base]
 * @property {number} [copied] of a patch: bytes that it copies from other values
 * @property {(back: number, index: number) => Held} [source] of a patch: locates such a value,
 *   `back` records before
 * @property {WeakRef<Uint8Array>} [made] of a patch: its text, cached until garbage collection
 */

const UNFIT = "a patch does not fit";
/** Maximum edits of a chain and splices of a patch (src/log/record.h). */
export const DEPTH = 1024,
  SPLICES = 16;
/** Added to a splice's length if its bytes are copied from another, whole value. */
export const COPIED = 2 ** 31;
/** Maximum number of bytes of such a copy. */
export const COPIED_MOST = 1 << 22;
/** Maximum steps over pieces for a text: twice as many as a chain of DEPTH edits takes. */
const WORK = 1 << 22;
/** Maximum bytes of a text that is cached for patches of it. */
const SMALL = 4096;

/**
 * Cost of reading logs in this process: lists assembled from earlier values, states made, and
 * records applied for them.
 */
export const readingCost = { lists: 0, states: 0, steps: 0 };

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** A token whose text is made on demand. */
export class Patch {
  /** @param {Held} held */
  constructor(held) {
    this.held = held;
  }

  /** Returns the text; a long one is made again each time. */
  toString() {
    const { held } = this;
    return decoder.decode(isSmall(held) ? this.bytes() : unfold(held));
  }

  toJSON() {
    return this.toString();
  }

  /** Returns the text's bytes, cached for the next patch of it. */
  bytes() {
    const { held } = this;
    check(held);
    return made(held);
  }
}

/** Codec table after the JSON of a message. */
const TABLE = '\0[["message",[]]]';

/**
 * Values of an earlier record; `into` appends a part of them to a list.
 * @typedef {{ count: number, into: (list?: unknown[], from?: number, to?: number) => Value[] }} Run
 */

/**
 * A list's items, stored in earlier records, and the text of them all (src/log/list_snapshot.c).
 * Both are made on demand.
 */
export class ListSnapshot {
  /** @param {string} name @param {Run[]} runs @param {number} length of the text, in bytes */
  constructor(name, runs, length) {
    this.runs = runs;
    this.length = runs.reduce((sum, { count }) => sum + count, 1);
    const base = () => {
      const texts = this.slice(0, this.length - 1).map(String);
      const first = texts.findIndex((text) => text.endsWith(TABLE));
      const entries = texts.flatMap((text, at) =>
        text.endsWith(TABLE) ? [`["message",["${name}",${at - first}]]`] : [],
      );
      const bytes = new TextEncoder().encode(
        `{"${name}":[${texts.map((text) => text.split("\0", 1)[0])}]}\0${entries.length > 0 ? "[" : ""}${entries}]`,
      );
      if (bytes.length !== length) throw new RangeError(UNFIT);
      return { bytes };
    };
    this.text = new Patch({ bytes: new Uint8Array(), length, base });
  }

  /**
   * Works like Array's slice, over the items of all runs followed by the text of them all.
   * @param {number} first
   * @param {number} end
   * @param {Value[]} [list]
   */
  slice(first, end, list = []) {
    readingCost.lists++;
    for (const { count, into } of this.runs) {
      if (first < count && end > 0) into(list, Math.max(0, first), Math.min(count, end));
      first -= count;
      end -= count;
    }
    if (end > 0) list.push(this.text);
    return list;
  }
}

/** @param {Uint8Array} bytes @param {number} at @returns {[value: number, next: number]} */
function varint(bytes, at) {
  let value = 0;
  for (let scale = 1; ; scale *= 128) {
    if (at >= bytes.length) throw new RangeError(UNFIT);
    const byte = bytes[at++];
    value += (byte & 127) * scale;
    if (byte < 128) return [value, at];
  }
}

/** @param {Held} held */
const wholeOf = ({ base, bytes, made }) => (base === undefined ? bytes : made?.deref());

/** @param {Held} held */
const isSmall = ({ base, length = 0 }) => base !== undefined && length <= SMALL;

/**
 * Makes a value's bytes. Of small values the base is made first and cached: an input is an edit of
 * the previous one, and its messages are edits of the input.
 * @param {Held} held
 */
function made(held) {
  let whole = wholeOf(held);
  if (whole === undefined) {
    const below = /** @type {() => Held} */ (held.base)();
    const isKept = globalThis.WeakRef !== undefined;
    if (isKept && isSmall(held) && isSmall(below)) made(below);
    whole = unfold(held);
    if (isKept) held.made = new WeakRef(whole);
  }
  return whole;
}

/** Refuses an impossible chain of patches before allocating memory. @param {Held} held */
function check(held) {
  const { length = held.bytes.length } = held;
  let depth = DEPTH + 1;
  let room = 0;
  for (;;) {
    if (held.depth !== undefined && held.depth >= depth) throw new RangeError(UNFIT);
    const whole = wholeOf(held);
    if (whole !== undefined) {
      room += whole.length;
      break;
    }
    depth = held.depth ?? depth;
    room += held.bytes.length + (held.copied ?? 0);
    held = /** @type {() => Held} */ (held.base)();
  }
  if (length > room) throw new RangeError(UNFIT);
}

/**
 * Applies a chain of patches. Missing pieces are counted from the start before an edit's place and
 * from the end after it, so that an edit between them changes neither.
 * @param {Held} held
 */
function unfold(held) {
  let length = held.length ?? held.bytes.length;
  let work = WORK;
  check(held);
  const text = new Uint8Array(length);
  /** @type {[at: number, length: number, to: number][]} */
  const before = [[0, length, 0]];
  /** @type {[at: number, length: number, to: number][]} */
  const behind = [];
  /** @type {Uint8Array | undefined} */
  let whole;
  for (; (whole = wholeOf(held)) === undefined; held = /** @type {() => Held} */ (held.base)()) {
    const { bytes, source } = held;
    for (let next = 0, end = 0; next < bytes.length; ) {
      let keep, drop, count;
      [keep, next] = varint(bytes, next);
      [drop, next] = varint(bytes, next);
      [count, next] = varint(bytes, next);
      let [from, place] = [bytes, next];
      if (count < COPIED) next += count;
      else {
        let back, index;
        [back, next] = varint(bytes, next);
        [index, next] = varint(bytes, next);
        [place, next] = varint(bytes, next);
        const other = /** @type {(back: number, index: number) => Held} */ (source)(back, index);
        if (other.base !== undefined) throw new RangeError(UNFIT);
        from = other.bytes;
        count -= COPIED;
      }
      end += keep;
      const stop = length - end;
      const start = stop - count;
      work -= keep + drop > 0 ? before.length + behind.length : 1;
      if (start < 0 || count > from.length - place || work < 0) throw new RangeError(UNFIT);
      part(before, behind, length, stop);
      for (
        let last = before.at(-1);
        last !== undefined && last[0] + last[1] > start;
        last = before.at(-1)
      ) {
        const stays = Math.max(0, start - last[0]);
        const first = place + last[0] + stays - start;
        text.set(from.subarray(first, first + last[1] - stays), last[2] + stays);
        before.pop();
        if (stays > 0) before.push([last[0], stays, last[2]]);
      }
      length = start + drop + end;
      end += drop;
    }
  }
  if (length !== whole.length) throw new RangeError(UNFIT);
  for (const [at, count, to] of before) text.set(whole.subarray(at, at + count), to);
  for (const [at, count, to] of behind)
    text.set(whole.subarray(length - at, length - at + count), to);
  return text;
}

/**
 * @param {[number, number, number][]} before
 * @param {[number, number, number][]} behind
 * @param {number} length of the version
 * @param {number} place
 */
function part(before, behind, length, place) {
  for (
    let last = before.at(-1);
    last !== undefined && last[0] + last[1] > place;
    last = before.at(-1)
  ) {
    const [at, count, to] = last;
    const stays = Math.max(0, place - at);
    before.pop();
    if (stays > 0) before.push([at, stays, to]);
    behind.push([length - at - stays, count - stays, to + stays]);
  }
  for (
    let first = behind.at(-1);
    first !== undefined && length - first[0] < place;
    first = behind.at(-1)
  ) {
    const [at, count, to] = first;
    const goes = Math.min(count, place - length + at);
    behind.pop();
    if (count > goes) behind.push([at - goes, count - goes, to + goes]);
    before.push([length - at, goes, to]);
  }
}
