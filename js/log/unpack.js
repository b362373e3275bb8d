// SPDX-License-Identifier: MIT
// Unpacks frames of a log whose bodies are packed (src/log/pack.h). Depends on bytes only, not on
// their meaning.
import { HEADER, TRIM, framesOf } from "./frames.js";

/** @typedef {import("./frames.js").Frame} Frame */

const PACKED = 4;
/** Maximum bytes of a body that is packed. */
const MOST = 4096;
/** Maximum distance in records, offset and length of a copied run. */
const NEAR = 256;

/** Reads a log from its start, batch after batch. */
export class WholeFrames {
  /** Beginnings of bodies, by record number modulo NEAR. @type {Frame[]} */
  #near = [];
  /** Bytes of these and of unpacked bodies, and the place of the next. */
  #room = new Uint8Array();
  #next = 0;

  /**
   * Yields the frames of the next batch, unpacked.
   * @param {Uint8Array} bytes
   * @returns {Generator<Frame, void, void>}
   */
  *of(bytes) {
    for (const frame of framesOf(bytes)) {
      const { at, length, seq, kind } = frame;
      // Remaining records were rewritten after the TRIM.
      if (kind === TRIM) this.#near = [];
      if (bytes[at - HEADER + 4] === PACKED) yield (this.#near[seq % NEAR] = this.#unpack(frame));
      else {
        const kept = Math.min(length, 2 * NEAR);
        const start = this.#place(kept);
        this.#room.set(bytes.subarray(at, at + kept), start);
        this.#near[seq % NEAR] = { bytes: this.#room, at: start, length: kept, seq, kind };
        yield frame;
      }
    }
  }

  /** Reserves bytes in an array that many bodies share. @param {number} length */
  #place(length) {
    if (this.#room.length - this.#next < length) {
      this.#room = new Uint8Array(Math.max(length, Math.min(2 * this.#room.length, 1 << 16)));
      this.#next = 0;
    }
    return (this.#next += length) - length;
  }

  /** @param {Frame} frame @returns {Frame} */
  #unpack({ bytes: packed, at, length: size, seq, kind }) {
    const end = at + size;
    // No number in a packed body is greater than MOST.
    const varint = (/** @type {number} */ limit) => {
      const low = packed[at++];
      const high = low < 128 ? 0 : packed[at++];
      const value = (low & 127) + high * 128;
      if (at > end || high > 127 || (low > 127 && high === 0) || value > limit)
        throw new RangeError("a record holds no such number");
      return value;
    };
    const length = varint(MOST);
    const start = this.#place(length);
    const bytes = this.#room;
    let done = start;
    /** @param {Uint8Array} from @param {number} first @param {number} last @param {number} count */
    const take = (from, first, last, count) => {
      if (first + count > last || done + count > start + length)
        throw new RangeError("a record refers to bytes that are not there");
      while (count-- > 0) bytes[done++] = from[first++];
    };
    while (at < end) {
      const own = varint(MOST);
      take(packed, at, end, own);
      at += own;
      if (at === end) break;
      const far = seq - varint(NEAR);
      const from = this.#near[far % NEAR];
      if (from?.seq !== far) throw new RangeError("a record refers to bytes that are not there");
      const first = from.at + varint(NEAR);
      take(from.bytes, first, from.at + from.length, varint(NEAR));
    }
    if (done < start + length) throw new RangeError("a record ends too early");
    return { bytes, at: start, length, seq, kind };
  }
}
