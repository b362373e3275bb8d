// SPDX-License-Identifier: MIT
// Names the files of one thread, reads and writes their headers, and finds the log among them.
// Makes no file system calls.
//
//   c-<head>         a commit: named by the head it continues, so that two writers that continue
//   one head conflict
//   s-<head>-<head>  a segment: from the head before its first record to the head after its last
//
// where <head> is seq (14 hex digits) and CRC (8). A commit file starts with 32 bytes that contain
// its own head.

/** @typedef {import("../../log/log-store.js").LogHead} LogHead */
/**
 * @typedef {{ name: string, before: LogHead, last: LogHead, firstSeq: number, lastSeq: number,
 *   commit: boolean }} Piece
 */
/** @typedef {{ pieces: Piece[], head: LogHead, whole: boolean, spare: string[] }} Chain */

import { createHash } from "node:crypto";

export const HEADER_BYTES = 32;
/** Offset of the checksum of the other bytes; 0 in files of older versions. */
const SUM = 20;
const MAGIC = 0x31706657; // "Wfp1"

/** @param {LogHead} head */
function headName({ seq, crc }) {
  return `${seq.toString(16).padStart(14, "0")}-${crc.toString(16).padStart(8, "0")}`;
}

/** @param {string} text */
function headOf(text) {
  return { seq: parseInt(text.slice(0, 14), 16), crc: parseInt(text.slice(15), 16) };
}

/** @param {LogHead} before */
export function commitName(before) {
  return `c-${headName(before)}`;
}

/**
 * @param {LogHead} before
 * @param {LogHead} last
 */
export function segmentName(before, last) {
  return `s-${headName(before)}-${headName(last)}`;
}

/**
 * @param {LogHead} before
 * @param {LogHead} last
 * @param {number} length
 */
export function writeHeader(before, last, length) {
  const header = new Uint8Array(HEADER_BYTES);
  const view = new DataView(header.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, before.crc, true);
  view.setFloat64(8, last.seq, true);
  view.setUint32(16, last.crc, true);
  view.setFloat64(24, length, true);
  view.setUint32(SUM, sumOf(header), true);
  return header;
}

/** @param {Uint8Array} header */
function sumOf(header) {
  const hash = createHash("sha256")
    .update(header.subarray(0, SUM))
    .update(header.subarray(SUM + 4, HEADER_BYTES));
  return hash.digest().readUInt32LE(0) || 1;
}

/**
 * Reads the final head from a commit file's header; undefined when it is not Weft's header or is
 * damaged.
 * @param {Uint8Array} header
 * @returns {{ last: LogHead, length: number } | undefined}
 */
export function readHeader(header) {
  if (header.length < HEADER_BYTES) return undefined;
  const view = new DataView(header.buffer, header.byteOffset, HEADER_BYTES);
  const last = { seq: view.getFloat64(8, true), crc: view.getUint32(16, true) };
  const sum = view.getUint32(SUM, true);
  if (
    view.getUint32(0, true) !== MAGIC ||
    !Number.isSafeInteger(last.seq) ||
    (sum !== 0 && sum !== sumOf(header))
  )
    return undefined;
  return { last, length: view.getFloat64(24, true) };
}

const COMMIT = /^c-([0-9a-f]{14}-[0-9a-f]{8})$/;
const SEGMENT = /^s-([0-9a-f]{14}-[0-9a-f]{8})-([0-9a-f]{14}-[0-9a-f]{8})$/;

/**
 * Finds the log in a folder listing: from the start, each piece is named by the head before it;
 * segments win over commits, longer ones over shorter. `whole` is false when files lie beyond the
 * last head found: the listing raced with changes, or a file is missing. `spare` lists the files
 * that the log does not need.
 * @param {string[]} names
 * @param {LogHead} start
 * @param {(name: string) => Promise<LogHead | undefined>} headOfCommit
 * @returns {Promise<Chain>}
 */
export async function findChain(names, start, headOfCommit) {
  /** @type {Set<string>} */
  const commits = new Set();
  /** @type {Map<string, { name: string, last: LogHead }>} */
  const segments = new Map();
  for (const name of names) {
    const segment = SEGMENT.exec(name);
    if (segment) {
      const last = headOf(segment[2]);
      const known = segments.get(segment[1]);
      if (!known || known.last.seq < last.seq) segments.set(segment[1], { name, last });
    } else if (COMMIT.test(name)) commits.add(name);
  }
  /** @type {Piece[]} */
  const pieces = [];
  let head = start;
  for (;;) {
    const segment = segments.get(headName(head));
    const name = segment ? segment.name : commitName(head);
    if (!segment && !commits.has(name)) break;
    const last = segment ? segment.last : await headOfCommit(name);
    if (!last || last.seq <= head.seq) return { pieces, head, whole: false, spare: [] };
    pieces.push({
      name,
      before: head,
      last,
      firstSeq: head.seq + 1,
      lastSeq: last.seq,
      commit: !segment,
    });
    head = last;
  }
  const used = new Set(pieces.map((piece) => piece.name));
  const spare = names.filter(
    (name) => !used.has(name) && (COMMIT.test(name) || SEGMENT.test(name)),
  );
  const whole = !spare.some((name) => headOf(name.slice(2, 25)).seq > head.seq);
  return { pieces, head, whole, spare };
}
