// SPDX-License-Identifier: MIT
// Real frames for tests of stores that look into them (the format: src/log/frame.h).
import { createHash } from "node:crypto";

const table = Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let i = 0; i < 8; i++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  return crc >>> 0;
});

/** CRC-32C. */
export function crc32c(crc, bytes) {
  crc = ~crc;
  for (const byte of bytes) crc = table[(crc ^ byte) & 255] ^ (crc >>> 8);
  return ~crc >>> 0;
}

let drawn = 0;

/** One frame of kind WRITES with `body`, behind `before`: { bytes, head }. */
export function makeFrame(threadId, before, body) {
  const bytes = new Uint8Array(44 + body.length + 4);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 0x54464557, true);
  view.setUint8(4, 1);
  view.setUint8(5, 2);
  view.setUint32(8, body.length, true);
  view.setBigUint64(12, BigInt(before.seq + 1), true);
  bytes.set(createHash("sha256").update(threadId, "utf8").digest().subarray(0, 16), 20);
  view.setUint32(36, before.crc, true);
  const sealed = crc32c(0, bytes.subarray(0, 40));
  view.setUint32(40, sealed, true);
  bytes.set(body, 44);
  const crc = crc32c(sealed, body);
  view.setUint32(44 + body.length, crc, true);
  return { bytes, head: { seq: before.seq + 1, crc } };
}

/** Frames with bodies of these sizes, as the store contract asks for. */
export function makeFrames(threadId, before, sizes) {
  const parts = [];
  let head = before;
  for (const size of sizes) {
    const body = new Uint8Array(size);
    const mark = ++drawn;
    for (let i = 0; i < size; i++) body[i] = (mark >> (8 * (i & 3))) + i;
    const frame = makeFrame(threadId, head, body);
    parts.push(frame.bytes);
    head = frame.head;
  }
  return { bytes: new Uint8Array(Buffer.concat(parts)), head };
}
