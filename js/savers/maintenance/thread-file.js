// SPDX-License-Identifier: MIT
// Makes the file of a thread: a line that names it, and its whole log. Owns the format of that
// line; does not depend on the meaning of records.
import { concat } from "../../log/concat.js";
import { COPY, rewriteLog } from "./rewrite.js";

export const MARK = "weft-thread ";
export const FORMAT = 1;

/**
 * Makes the file of a thread.
 * @param {string} threadId
 * @param {readonly Uint8Array[]} batches of its frames, in order
 * @returns {Uint8Array}
 */
export function threadFile(threadId, batches) {
  const { seq, crc, frames } = rewriteLog(threadId, COPY, batches);
  const line = `${MARK}${FORMAT} ${JSON.stringify({ threadId, records: seq, crc })}\n`;
  return concat([new TextEncoder().encode(line), frames]);
}
