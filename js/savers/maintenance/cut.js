// SPDX-License-Identifier: MIT
// Takes back what was stored behind a head of a thread's log. Who writes the thread meanwhile is
// fenced.
import { concat } from "../../log/concat.js";
import { HEADER, crcOf, framesOf } from "../../log/frames.js";
import { storeOf } from "./rewrite.js";

/** @typedef {import("../../log/store-port.js").LogHead} LogHead */

/** Behind each frame. */
const CRC_BYTES = 4;

/**
 * @param {unknown} saver one of Weft's
 * @param {string} threadId
 * @param {LogHead | undefined} head that it had: records behind it go; undefined: all go
 */
export async function cutThread(saver, threadId, head) {
  const store = storeOf(saver);
  const now = await store.head(threadId);
  if (now === undefined || (head !== undefined && now.seq <= head.seq)) return;
  const batches = head === undefined ? [] : await store.read(threadId);
  /** @type {Uint8Array[]} */
  const kept = [];
  let first;
  let last;
  for (const bytes of batches)
    for (const frame of framesOf(bytes)) {
      if (head === undefined || frame.seq > head.seq) break;
      first ??= frame.seq;
      last = { seq: frame.seq, crc: crcOf(frame) };
      kept.push(bytes.subarray(frame.at - HEADER, frame.at + frame.length + CRC_BYTES));
    }
  // What was compacted meanwhile cannot be taken apart.
  if (head !== undefined && (last?.seq !== head.seq || last.crc !== head.crc || first !== 1))
    return;
  await store.drop(threadId);
  if (head !== undefined)
    await store.append(
      threadId,
      { firstSeq: 1, seq: head.seq, crc: head.crc },
      concat(kept),
      undefined,
    );
}
