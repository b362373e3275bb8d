// SPDX-License-Identifier: MIT
// Reads from a thread's log by how many bytes it grew with each checkpoint. Knows frames, packed
// bodies and where a checkpoint has its id (docs/log-format.md, sections 1, 2 and 6).

const [FRAME, SEGMENT] = [0x54464557, 0x53464557];
const HEADER = 44;
const SUM = 4;
const [CHECKPOINT, TRIM] = [1, 6];
const PACKED = 4;
/** Of so many records before, so many bytes can be referred to. */
const NEAR = 256;
const KEPT = 512;
/** Bytes of a root graph's checkpoint: no namespace, its id, flags. */
const ID = 1;
const FLAGS = 17;
const HIDDEN = 16;

/** @typedef {{ kind: number, seq: number, size: number, body: Uint8Array }} Frame */

/**
 * A checkpoint grew the log by its own record and by all that was written since the one before:
 * what its tasks wrote, checkpoints of graphs inside, decisions.
 * @param {import("weftgraph/savers/own").WeftSaver} saver
 * @param {unknown} thread
 * @returns {Promise<Map<string, number>>} bytes by checkpoint of the root graph
 */
export async function stepBytes(saver, thread) {
  /** @type {Map<string, number>} */
  const found = new Map();
  let grown = 0;
  for (const { kind, size, body } of wholeFrames(await saver.store.read(String(thread)))) {
    grown += size;
    if (kind !== CHECKPOINT || body[0] !== 0 || body[FLAGS] & HIDDEN) continue;
    const id = idOf(body.subarray(ID, FLAGS));
    found.set(id, (found.get(id) ?? 0) + grown);
    grown = 0;
  }
  return found;
}

/** @param {Uint8Array} bytes */
function idOf(bytes) {
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** @param {Uint8Array[]} batches @returns {Generator<Frame>} with bodies that are not packed */
function* wholeFrames(batches) {
  /** @type {Map<number, Uint8Array>} */
  const near = new Map();
  for (const bytes of batches) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const isFolded = bytes.length > HEADER && view.getUint32(0, true) === SEGMENT;
    for (let at = isFolded ? HEADER : 0; at + HEADER < bytes.length; ) {
      if (view.getUint32(at, true) !== FRAME) throw new TypeError("This is no record of a thread.");
      const [format, kind] = [bytes[at + 4], bytes[at + 5]];
      const length = view.getUint32(at + 8, true);
      const seq = Number(view.getBigUint64(at + 12, true));
      const own = bytes.subarray(at + HEADER, at + HEADER + length);
      const body = format === PACKED ? unpacked(own, seq, near) : own;
      if (kind === TRIM) near.clear();
      near.set(seq, body.subarray(0, KEPT));
      near.delete(seq - NEAR);
      const size = HEADER + length + SUM;
      yield { kind, seq, size, body };
      at += size;
    }
  }
}

/** @param {Uint8Array} packed @param {number} seq @param {Map<number, Uint8Array>} near */
function unpacked(packed, seq, near) {
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = packed[at++];
      value += (byte & 127) * scale;
      if (!(byte > 127)) return value;
    }
  };
  const body = new Uint8Array(Math.min(varint(), 4096));
  let done = 0;
  /** @param {Uint8Array | undefined} from @param {number} first @param {number} count */
  const take = (from, first, count) => {
    const part = from?.subarray(first, first + count) ?? [];
    body.set(part, done);
    done += part.length;
  };
  while (at < packed.length) {
    const own = varint();
    take(packed, at, own);
    at += own;
    if (at < packed.length) take(near.get(seq - varint()), varint(), varint());
  }
  return body;
}
