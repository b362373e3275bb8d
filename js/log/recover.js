// SPDX-License-Identifier: MIT
// Finds the sound part of a log's bytes as src/log/recover.c does, for readers without the engine's
// recovery. Depends on frames and checksums only, not on records' contents or stores.
import { FRAME_MAGIC, HEADER, LIST_SNAPSHOT, SEGMENT_MAGIC, TRIM } from "./frames.js";
import { threadHash } from "./hashed-ids.js";

/** Newest format of a frame (src/log/frame.h). */
const FORMAT = 5;
/** Bytes of a header that its checksum covers. */
const SUMMED = 40;
/** Bytes of a frame besides its body: header and checksum. */
const FRAME = HEADER + 4;

/**
 * `sound`: the longest sound prefix; `anchor`: the record before it; `head`: its end. `stop`: what
 * follows it, if anything: changed bytes ("changed"), an incomplete frame ("cut"), a frame that is
 * not the next one ("chain"), one of another thread ("thread") or of a newer version ("format").
 * `survives`: sound frames follow later. `isHeadless`: the log does not begin with the first
 * record, and no TRIM says why.
 * @typedef {{ sound: Uint8Array[], anchor: { seq: number, crc: number }, head: { seq: number, crc:
 *   number }, stop: undefined | "changed" | "cut" | "chain" | "thread" | "format", survives:
 *   boolean, isHeadless: boolean }} Examined
 */
/** @typedef {{ bytes: Uint8Array, view: DataView, thread: Uint8Array }} Span */

/** @type {Uint32Array | undefined} */
let table;

/**
 * Computes a CRC-32C.
 * @param {number} crc of the preceding bytes
 * @param {Uint8Array} bytes
 * @param {number} at
 * @param {number} end
 */
function crc32c(crc, bytes, at, end) {
  const sums = (table ??= makeTable());
  let sum = ~crc;
  for (; at < end; at++) sum = (sum >>> 8) ^ sums[(sum ^ bytes[at]) & 255];
  return ~sum >>> 0;
}

function makeTable() {
  return Uint32Array.from({ length: 256 }, (_, byte) => {
    for (let bit = 0; bit < 8; bit++) byte = (byte >>> 1) ^ (byte & 1 ? 0x82f63b78 : 0);
    return byte;
  });
}

/** @param {Span} span @param {number} at */
function isHeader({ bytes, view }, at) {
  return (
    bytes.length - at >= HEADER &&
    view.getUint32(at, true) === FRAME_MAGIC &&
    crc32c(0, bytes, at, at + SUMMED) === view.getUint32(at + SUMMED, true)
  );
}

/** @param {Span} span @param {number} at */
const seqAt = ({ view }, at) =>
  view.getUint32(at + 12, true) + view.getUint32(at + 16, true) * 2 ** 32;

/** @param {Span} span @param {number} at */
const isOwn = ({ bytes, thread }, at) => thread.every((byte, i) => bytes[at + 20 + i] === byte);

/**
 * Finds the fault of the frame at `at`; undefined if there is none.
 * @param {Span} span
 * @param {number} at
 * @param {{ seq: number, crc: number }} last
 * @returns {Examined["stop"]}
 */
function faultOf(span, at, last) {
  const { bytes, view } = span;
  const left = bytes.length - at;
  if (left < FRAME) return "cut";
  if (!isHeader(span, at)) return "changed";
  if (!isOwn(span, at)) return "thread";
  if (seqAt(span, at) !== last.seq + 1 || view.getUint32(at + 36, true) !== last.crc)
    return "chain";
  if (
    bytes[at + 4] < 1 ||
    bytes[at + 4] > FORMAT ||
    bytes[at + 5] < 1 ||
    bytes[at + 5] > LIST_SNAPSHOT ||
    view.getUint16(at + 6, true) !== 0
  )
    return "format";
  const length = view.getUint32(at + 8, true);
  if (length > left - FRAME) return "cut";
  const end = at + HEADER + length;
  return crc32c(view.getUint32(at + SUMMED, true), bytes, at + HEADER, end) ===
    view.getUint32(end, true)
    ? undefined
    : "changed";
}

/**
 * Does a complete frame of this thread, newer than `seq`, begin at `at` or later?
 * @param {Span} span
 * @param {number} at
 * @param {number} seq
 */
function survives(span, at, seq) {
  const { bytes, view } = span;
  for (; (at = bytes.indexOf(FRAME_MAGIC & 255, at)) >= 0 && bytes.length - at >= FRAME; at++) {
    if (
      isHeader(span, at) &&
      isOwn(span, at) &&
      seqAt(span, at) > seq &&
      view.getUint32(at + 8, true) <= bytes.length - at - FRAME
    )
      return true;
  }
  return false;
}

/** @param {Uint8Array} bytes @param {Uint8Array} thread @returns {Span} its frames */
function spanOf(bytes, thread) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (bytes.length <= HEADER || view.getUint32(0, true) !== SEGMENT_MAGIC)
    return { bytes, view, thread };
  return spanOf(bytes.subarray(HEADER), thread);
}

/**
 * @param {string} threadId
 * @param {readonly Uint8Array[]} batches of a whole log
 * @returns {Examined}
 */
export function examine(threadId, batches) {
  const thread = threadHash(threadId);
  const spans = batches.map((bytes) => spanOf(bytes, thread));
  const first = spans.find(({ bytes }) => bytes.length > 0);
  const starts =
    first !== undefined && isHeader(first, 0) && isOwn(first, 0) && seqAt(first, 0) > 1;
  const anchor = starts
    ? { seq: seqAt(first, 0) - 1, crc: first.view.getUint32(36, true) }
    : { seq: 0, crc: 0 };
  let head = anchor;
  let isHeadless = starts;
  /** @type {Uint8Array[]} */
  const sound = [];
  for (const [i, span] of spans.entries()) {
    let at = 0;
    /** @type {Examined["stop"]} */
    let stop;
    for (; at < span.bytes.length && (stop = faultOf(span, at, head)) === undefined; ) {
      const end = at + HEADER + span.view.getUint32(at + 8, true);
      head = { seq: head.seq + 1, crc: span.view.getUint32(end, true) };
      if (span.bytes[at + 5] === TRIM) isHeadless = false;
      at = end + 4;
    }
    if (at > 0) sound.push(span.bytes.subarray(0, at));
    if (stop === undefined) continue;
    const later =
      survives(span, stop === "chain" ? at : at + 1, head.seq) ||
      spans.slice(i + 1).some((next) => survives(next, 0, head.seq));
    return { sound, anchor, head, stop, survives: later, isHeadless };
  }
  return { sound, anchor, head, stop: undefined, survives: false, isHeadless };
}
