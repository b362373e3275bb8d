// SPDX-License-Identifier: MIT
// Values that the log holds as patches of earlier ones (src/log/apply_patches.c says how they are
// read). A patch becomes a text when somebody opens it. Owns nothing; must not know records.

/** @typedef {import("../base/callable.js").Value} Value */
/**
 * @typedef {object} Held where a value's bytes lie: the whole value, or what made it of an earlier
 *   one
 * @property {Uint8Array} bytes of a patch: its splices, from the end backwards
 * @property {number} [length] of a patch: bytes of its text
 * @property {number} [depth] of a patch: edits between it and the whole value
 * @property {() => Held} [base]
 * @property {number} [copied] of a patch: bytes that it inserts from other values
 * @property {(back: number, index: number) => Held} [source] of these: where one lies, `back`
 *   records before
 * @property {WeakRef<Uint8Array>} [made] of a patch: its text, as long as nobody needs the memory
 */

const UNFIT = "a patch does not fit";
/** Edits of a chain, and of one patch (src/log/record.h). */
export const DEPTH = 1024,
  SPLICES = 16;
/** More than the length of what a splice inserts: it stands in another value, whole. */
export const COPIED = 2 ** 31;
/** Bytes of that. */
export const COPIED_MOST = 1 << 22;
/** Steps over pieces that a text may take: twice what a chain of DEPTH edits does. */
const WORK = 1 << 22;
/** Bytes of a text that is kept for those made of it. */
const SMALL = 4096;

/**
 * What reading logs has cost this process: lists that were put together of earlier values, states
 * that were made, and records that they were made of.
 */
export const readingCost = { lists: 0, states: 0, steps: 0 };

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** A token in place of a text. */
export class Patch {
  /** @param {Held} held */
  constructor(held) {
    this.held = held;
  }

  /** The text: what is long is made anew each time. */
  toString() {
    const { held } = this;
    return decoder.decode(isSmall(held) ? this.bytes() : unfold(held));
  }

  toJSON() {
    return this.toString();
  }

  /** The text's bytes, kept for the next one that is made of it. */
  bytes() {
    const { held } = this;
    check(held);
    return made(held);
  }
}

/** Behind the JSON of a message. */
const TABLE = '\0[["message",[]]]';

/**
 * Values of an earlier record: `into` puts a part of them into a list.
 * @typedef {{ count: number, into: (list?: unknown[], from?: number, to?: number) => Value[] }} Run
 */

/**
 * A list's items, which earlier records hold, and the text of them all (src/log/list_snapshot.c):
 * made when somebody asks for them.
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
   * As an array's, of what others put one behind the other.
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
 * Of small ones those below come first, and stay: an input is an edit of the one before, and its
 * messages of the input.
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

/** Nothing is made for a chain that cannot be one. @param {Held} held */
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
 * Pieces still wanted are counted from the start before the place of an edit, from the end behind
 * it: an edit between them changes neither.
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
