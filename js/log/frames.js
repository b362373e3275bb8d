// SPDX-License-Identifier: MIT
// Finds the records of a thread's log in a batch (src/log/frame.h). Does not depend on records'
// contents.

export const FRAME_MAGIC = 0x54464557;
export const SEGMENT_MAGIC = 0x53464557;
export const HEADER = 44;
/** Kinds of frames. */
export const CHECKPOINT = 1,
  WRITES = 2,
  DECISION = 5,
  TRIM = 6,
  LIST_SNAPSHOT = 7;

/**
 * A frame inside its batch.
 * @typedef {{ bytes: Uint8Array, at: number, length: number, seq: number, kind: number }} Frame
 */

/**
 * Yields the complete frames of a batch, up to the first torn one.
 * @param {Uint8Array} bytes
 * @returns {Generator<Frame, void, void>}
 */
export function* framesOf(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = bytes.length > HEADER && view.getUint32(0, true) === SEGMENT_MAGIC ? HEADER : 0;
  while (at + HEADER < bytes.length && view.getUint32(at, true) === FRAME_MAGIC) {
    const length = view.getUint32(at + 8, true);
    if (length > bytes.length - at - HEADER - 4) return;
    const seq = view.getUint32(at + 12, true) + view.getUint32(at + 16, true) * 4294967296;
    yield { bytes, at: at + HEADER, length, seq, kind: bytes[at + 5] };
    at += HEADER + length + 4;
  }
}

/** Reads the checksum after a frame, by which the next one refers to it. @param {Frame} frame */
export function crcOf({ bytes, at, length }) {
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(at + length, true);
}
