// SPDX-License-Identifier: MIT
// The frames of a log whose bodies are packed (src/log/pack.h), as they were before. Knows bytes, not what they mean.
import { HEADER, TRIM, framesOf } from "./frames.js";

/** @typedef {import("./frames.js").Frame} Frame */

const PACKED = 4;
/** Bytes of a body that is packed, at most. */
const MOST = 4096;
/** A run goes back no more records than this, begins no later and is no longer. */
const NEAR = 256;

/** Reads a log from its start, batch after batch. */
export class WholeFrames {
  /** How bodies begin, by the number of their record. @type {Map<number, Uint8Array>} */
  #heads = new Map();

  /** The frames of the next batch. @param {Uint8Array} bytes @returns {Generator<Frame, void, void>} */
  *of(bytes) {
    for (const frame of framesOf(bytes)) {
      // What stayed was written anew behind it.
      if (frame.kind === TRIM) this.#heads.clear();
      const whole = bytes[frame.at - HEADER + 4] === PACKED ? this.#unpack(frame) : frame;
      this.#heads.set(frame.seq, whole.bytes.slice(whole.at, whole.at + Math.min(whole.length, 2 * NEAR)));
      this.#heads.delete(frame.seq - NEAR);
      yield whole;
    }
  }

  /** @param {Frame} frame @returns {Frame} */
  #unpack({ bytes: packed, at, length: size, seq, kind }) {
    const end = at + size;
    // Nothing that a packed body says is more than MOST.
    const varint = (/** @type {number} */ limit) => {
      const low = packed[at++];
      const high = low < 128 ? 0 : packed[at++];
      const value = (low & 127) + high * 128;
      if (at > end || high > 127 || (low > 127 && high === 0) || value > limit) throw new RangeError("a record holds no such number");
      return value;
    };
    const length = varint(MOST);
    const bytes = new Uint8Array(length);
    let done = 0;
    /** @param {Uint8Array | undefined} from @param {number} first @param {number} count */
    const take = (from, first, count) => {
      if (from === undefined || first + count > from.length || done + count > length) throw new RangeError("a record refers to bytes that are not there");
      bytes.set(from.subarray(first, first + count), done);
      done += count;
    };
    while (at < end) {
      const own = varint(MOST);
      take(packed.subarray(0, end), at, own);
      at += own;
      if (at === end) break;
      take(this.#heads.get(seq - varint(NEAR)), varint(NEAR), varint(NEAR));
    }
    if (done < length) throw new RangeError("a record ends too early");
    return { bytes, at: 0, length, seq, kind };
  }
}
