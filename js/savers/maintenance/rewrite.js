// SPDX-License-Identifier: MIT
// Rewrites logs in an engine instance of its own (wasm/README.md, "Logs"), which is thrown away
// with all data read into it. Does not depend on particular stores.
import { Batch } from "../../engine/batch.js";
import { ERR_ARGUMENT, ERR_NO_MEMORY, OK } from "../../base/codes.js";
import { spareEngine } from "../../engine/instance.js";
import { makeError } from "../../base/errors.js";

export const COPY = 0;
export const IMPORT = 1;
export const TRIM = 2;
const ANSWER_BYTES = 36;
const NO_TIME = 0xffffffff;

/**
 * What to keep. `since`: in 100-ns ticks, as in checkpoint ids.
 * @typedef {{ last: number, since: bigint | undefined, pinned: readonly string[] }} Keep
 */
/**
 * A rewritten log. `before`: end of the log that a TRIM continues.
 * @typedef {{ before: number, seq: number, crc: number, kept: number, dropped: number, frames:
 *   Uint8Array }} Rewritten
 */

/** @param {unknown} saver @returns {import("../../log/log-store.js").LogStore} */
export function storeOf(saver) {
  const store =
    /** @type {{ store?: import("../../log/log-store.js").LogStore } | null | undefined} */ (saver)
      ?.store;
  if (typeof store?.append === "function" && typeof store.read === "function") return store;
  throw makeError(ERR_ARGUMENT, ["threads are copied from and to Weft's own savers"]);
}

/**
 * Rewrites a log.
 * @param {string} threadId of the new log
 * @param {number} mode COPY, IMPORT or TRIM
 * @param {readonly Uint8Array[]} batches as a store returns them
 * @param {Keep} [keep] default: everything
 * @returns {Rewritten}
 */
export function rewriteLog(threadId, mode, batches, keep) {
  const engine = spareEngine();
  const thread = engine.open("weft_thread_open", threadId);
  const request = makeRequest(mode, batches, keep);
  engine.input(request);
  const pointer = engine.call("weft_thread_rewrite", thread, request.length / 4) >>> 0;
  if (pointer === 0) throw engine.refused(ERR_NO_MEMORY);
  engine.refresh();
  const { u32, u8 } = engine;
  const at = pointer >>> 2;
  const number = (/** @type {number} */ word) => u32[at + word] + u32[at + word + 1] * 2 ** 32;
  const status = u32[at] | 0;
  if (status !== OK) throw makeError(status, [threadId, number(3), "it cannot be read"]);
  return {
    before: number(1),
    seq: number(3),
    crc: u32[at + 5],
    kept: u32[at + 6],
    dropped: u32[at + 7],
    frames: u8.slice(pointer + ANSWER_BYTES, pointer + ANSWER_BYTES + u32[at + 8]),
  };
}

/** @param {number} mode @param {readonly Uint8Array[]} batches @param {Keep | undefined} keep */
function makeRequest(mode, batches, keep) {
  const out = new Batch();
  const since = keep?.since;
  const words = [
    mode,
    keep === undefined ? 0 : 1,
    keep?.last ?? 0,
    since === undefined ? NO_TIME : Number(since & 0xffffffffn),
    since === undefined ? NO_TIME : Number(since >> 32n),
  ];
  const pinned = keep?.pinned ?? [];
  for (const word of [...words, pinned.length]) out.word(word);
  for (const id of pinned)
    if (!out.id(id)) throw makeError(ERR_ARGUMENT, [`${JSON.stringify(id)} is no checkpoint id`]);
  out.word(batches.length);
  for (const bytes of batches) {
    out.word(bytes.length);
    out.bytes(bytes);
  }
  return out.written();
}
