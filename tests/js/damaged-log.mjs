// SPDX-License-Identifier: MIT
// A golden log with one byte changed at a time. As it is, each change is told: its sums do not fit.
// With sums that fit, as only somebody who means it makes them, it reads as something or is told to
// be damaged.
import assert from "node:assert/strict";
import { MemorySaver } from "weftgraph";
import { fillPatched } from "../golden/open.mjs";
import { crc32c } from "./frames.mjs";

const HEADER = 44;

/**
 * Where the bodies of a log's frames are.
 * @param {Uint8Array} log
 * @returns {{ at: number, end: number }[]}
 */
function bodiesOf(log) {
  const view = new DataView(log.buffer, log.byteOffset);
  const bodies = [];
  for (let at = HEADER; at < log.length; at = bodies.at(-1).end + 4 + HEADER)
    bodies.push({ at, end: at + view.getUint32(at - HEADER + 8, true) });
  return bodies;
}

/** Makes each frame's sums fit its bytes. @returns {number} the last frame's */
function sum(log, bodies) {
  const view = new DataView(log.buffer, log.byteOffset);
  let crc = 0;
  for (const { at, end } of bodies) {
    view.setUint32(at - 8, crc, true);
    view.setUint32(at - 4, crc32c(0, log.subarray(at - HEADER, at - 4)), true);
    crc = crc32c(view.getUint32(at - 4, true), log.subarray(at, end));
    view.setUint32(end, crc, true);
  }
  return crc;
}

/**
 * @param {Uint8Array} bytes
 * @param {{ seq: number, crc: number }} head
 * @returns {Promise<boolean>} whether it is read, not refused
 */
async function reads(bytes, head) {
  const saver = new MemorySaver();
  await saver.store.append("t", { firstSeq: 1, ...head }, bytes, undefined);
  try {
    for await (const { checkpoint } of saver.list({ configurable: { thread_id: "t" } }))
      assert.ok(checkpoint);
    return true;
  } catch (error) {
    assert.equal(error.code, "CORRUPT_LOG", error.stack);
    return false;
  }
}

/**
 * @param {any} golden
 * @param {number} stride bytes from one change to the next
 * @returns {Promise<{ read: number, refused: number }>} of those with sums that fit
 */
export async function readDamaged(golden, stride) {
  const whole = new MemorySaver();
  await fillPatched(whole, golden);
  const log = Buffer.concat(whole.store.read("t"));
  const bodies = bodiesOf(log);
  const counts = { read: 0, refused: 0 };
  for (let at = 5; at < log.length; at += stride) {
    const bytes = Uint8Array.from(log);
    bytes[at] ^= at % 2 === 0 ? 0xff : 1 << (at % 8);
    assert.equal(await reads(bytes, golden.head), false, `byte ${at}`);
    if (bodies.some((body) => at >= body.at && at < body.end))
      counts[
        (await reads(bytes, { ...golden.head, crc: sum(bytes, bodies) })) ? "read" : "refused"
      ]++;
  }
  return counts;
}
