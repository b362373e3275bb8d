// SPDX-License-Identifier: MIT
// The frames of a log whose bodies are packed (src/log/pack.h), as they were before. Knows bytes, not what they mean.
import { HEADER, TRIM, framesOf } from "./frames.js";

/** @typedef {import("./frames.js").Frame} Frame */

const PACKED = 4;
/** Bytes of a body that is packed, at most. */
const MOST = 4096;

/** Reads a log from its start, batch after batch. */
export class WholeFrames {
  /** @type {Map<number, Frame>} */
  #frames = new Map();

  /** @param {number} seq @returns {Frame | undefined} */
  get(seq) {
    return this.#frames.get(seq);
  }

  /** The frames of the next batch. @param {Uint8Array} bytes @returns {Generator<Frame, void, void>} */
  *of(bytes) {
    for (const frame of framesOf(bytes)) {
      // What stayed was written anew behind it.
      if (frame.kind === TRIM) this.#frames.clear();
      const whole = bytes[frame.at - HEADER + 4] === PACKED ? this.#unpack(frame) : frame;
      this.#frames.set(frame.seq, whole);
      yield whole;
    }
  }

  /** @param {Frame} frame @returns {Frame} */
  #unpack({ bytes: packed, at, length: size, seq, kind }) {
    const end = at + size;
    const varint = () => {
      let value = 0;
      for (let scale = 1; ; scale *= 128) {
        if (at >= end) throw new RangeError("a record ends too early");
        const byte = packed[at++];
        value += (byte & 127) * scale;
        if (byte < 128) return value;
      }
    };
    const length = varint();
    if (length > MOST) throw new RangeError("a record is packed too small");
    const bytes = new Uint8Array(length);
    let done = 0;
    /** @param {Uint8Array | undefined} from @param {number} first @param {number} count @param {number} last */
    const take = (from, first, count, last) => {
      if (from === undefined || first + count > last || done + count > length) throw new RangeError("a record refers to bytes that are not there");
      bytes.set(from.subarray(first, first + count), done);
      done += count;
    };
    while (at < end) {
      const own = varint();
      take(packed, at, own, end);
      at += own;
      if (at === end) break;
      const source = this.#frames.get(seq - varint());
      const first = (source?.at ?? 0) + varint();
      take(source?.bytes, first, varint(), (source?.at ?? 0) + (source?.length ?? 0));
    }
    if (done < length) throw new RangeError("a record ends too early");
    return { bytes, at: 0, length, seq, kind };
  }
}
