// SPDX-License-Identifier: MIT
// A golden log with one byte changed at a time: it reads as something, or is told to be damaged.
import assert from "node:assert/strict";
import { MemorySaver } from "weftgraph";
import { fillPatched } from "../golden/open.mjs";

/** @param {any} golden @param {number} stride bytes from one change to the next @returns {Promise<{ read: number, refused: number }>} */
export async function readDamaged(golden, stride) {
  const whole = new MemorySaver();
  await fillPatched(whole, golden);
  const log = Buffer.concat(whole.store.read("t"));
  const counts = { read: 0, refused: 0 };
  for (let at = 5; at < log.length; at += stride) {
    const bytes = Uint8Array.from(log);
    bytes[at] ^= at % 2 === 0 ? 0xff : 1 << at % 8;
    const saver = new MemorySaver();
    await saver.store.append("t", { firstSeq: 1, ...golden.head }, bytes, undefined);
    try {
      for await (const { checkpoint } of saver.list({ configurable: { thread_id: "t" } })) assert.ok(checkpoint);
      counts.read++;
    } catch (error) {
      assert.equal(error.code, "CORRUPT_LOG", error.stack);
      counts.refused++;
    }
  }
  return counts;
}
