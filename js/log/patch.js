// SPDX-License-Identifier: MIT
// Values that the log holds as patches of earlier ones (src/log/unfold.c says how they are read). A patch becomes a text when
// somebody opens it. Owns nothing; must not know records.

/**
 * @typedef {object} Held where a value's bytes lie: the whole value, or what made it of an earlier one
 * @property {Uint8Array} bytes of a patch: its splices, from the end backwards
 * @property {number} [length] of a patch: bytes of its text
 * @property {() => Held} [base]
 */

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** A token in place of a text. */
export class Patch {
  /** @param {Held} held */
  constructor(held) {
    this.held = held;
  }

  /** The text, made anew each time. */
  toString() {
    return decoder.decode(unfold(this.held));
  }

  toJSON() {
    return this.toString();
  }
}

/** @param {Uint8Array} bytes @param {number} at @returns {[value: number, next: number]} */
function varint(bytes, at) {
  let value = 0;
  for (let scale = 1; ; scale *= 128) {
    if (at >= bytes.length) throw new RangeError("a patch ends too early");
    const byte = bytes[at++];
    value += (byte & 127) * scale;
    if (byte < 128) return [value, at];
  }
}

/**
 * Pieces still wanted are counted from the start before the place of an edit, from the end behind it: an edit between them
 * changes neither.
 * @param {Held} held
 */
function unfold(held) {
  let length = held.length ?? held.bytes.length;
  const text = new Uint8Array(length);
  /** @type {[at: number, length: number, to: number][]} */
  const before = [[0, length, 0]];
  /** @type {[at: number, length: number, to: number][]} */
  const behind = [];
  for (; held.base !== undefined; held = held.base()) {
    const { bytes } = held;
    for (let next = 0, end = 0; next < bytes.length; ) {
      let keep, drop, count;
      [keep, next] = varint(bytes, next);
      [drop, next] = varint(bytes, next);
      [count, next] = varint(bytes, next);
      end += keep;
      const stop = length - end;
      const start = stop - count;
      part(before, behind, length, stop);
      for (let last = before.at(-1); last !== undefined && last[0] + last[1] > start; last = before.at(-1)) {
        const stays = Math.max(0, start - last[0]);
        const from = next + last[0] + stays - start;
        text.set(bytes.subarray(from, from + last[1] - stays), last[2] + stays);
        before.pop();
        if (stays > 0) before.push([last[0], stays, last[2]]);
      }
      next += count;
      length = start + drop + end;
      end += drop;
    }
  }
  const whole = held.bytes;
  for (const [at, count, to] of before) text.set(whole.subarray(at, at + count), to);
  for (const [at, count, to] of behind) text.set(whole.subarray(length - at, length - at + count), to);
  return text;
}

/**
 * @param {[number, number, number][]} before
 * @param {[number, number, number][]} behind
 * @param {number} length of the version
 * @param {number} place
 */
function part(before, behind, length, place) {
  for (let last = before.at(-1); last !== undefined && last[0] + last[1] > place; last = before.at(-1)) {
    const [at, count, to] = last;
    const stays = Math.max(0, place - at);
    before.pop();
    if (stays > 0) before.push([at, stays, to]);
    behind.push([length - at - stays, count - stays, to + stays]);
  }
  for (let first = behind.at(-1); first !== undefined && length - first[0] < place; first = behind.at(-1)) {
    const [at, count, to] = first;
    const goes = Math.min(count, place - length + at);
    behind.pop();
    if (count > goes) behind.push([at - goes, count - goes, to + goes]);
    before.push([length - at, goes, to]);
  }
}
