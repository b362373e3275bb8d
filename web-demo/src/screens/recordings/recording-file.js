// SPDX-License-Identifier: MIT
// Owns the form of a recording's file: what was run, the library's recording, and sums by which a
// change is found and its place is named. Files come from anywhere. Does not depend on what a
// recording holds, except where its entries begin.

/** @typedef {{ graph: string, title: string, at: string, recording: string }} RecordingFile */

/** Bytes of a file that is read. */
export const MAX_BYTES = 32 * 1024 * 1024;
const MARK = "studio-recording";
const FORMAT = 1;
/** Characters that have a sum of their own. */
const BLOCK = 256;
const MAX_WORD = 200;

/** A file that is refused, with the reason for a person. */
export class RecordingError extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = "RecordingError";
  }
}

/** @param {RecordingFile} file @returns {string} */
export function writeFile({ graph, title, at, recording }) {
  const sums = sumsOf(coveredText({ graph, title, at, recording }));
  return JSON.stringify({ weft: MARK, format: FORMAT, graph, title, at, sums, recording });
}

/**
 * @param {string} text
 * @returns {RecordingFile}
 * @throws RecordingError for anything else than an unchanged file
 */
export function readFile(text) {
  const file = parse(text);
  if (file.weft !== MARK) throw new RecordingError("This file is no recording of the studio.");
  if (file.format !== FORMAT)
    throw new RecordingError("This recording has the format of another version of the studio.");
  const { graph, title, at, recording, sums } = file;
  const isWhole =
    [graph, title, at].every((word) => typeof word === "string" && word.length <= MAX_WORD) &&
    typeof recording === "string" &&
    Array.isArray(sums);
  if (!isWhole) throw new RecordingError("Parts of this recording are missing.");
  const read = { graph, title, at, recording };
  const change = firstChange(read, sums);
  if (change !== undefined) throw new RecordingError(change);
  return read;
}

/** @param {Uint8Array} bytes of a file @returns {string} @throws RecordingError */
export function textOf(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new RecordingError("This file is no text, so it is no recording.");
  }
}

/** @param {string} text @returns {Record<string, any>} */
function parse(text) {
  try {
    const value = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Reported below, like any other text that is no object.
  }
  throw new RecordingError("This file is no recording of the studio, or its end is missing.");
}

/** @param {RecordingFile} file */
const coveredText = ({ graph, title, at, recording }) =>
  `${headOf({ graph, title, at })}${recording}`;

/** @param {Omit<RecordingFile, "recording">} file */
const headOf = ({ graph, title, at }) => `${JSON.stringify([graph, title, at])}\n`;

/** @param {string} text @returns {number[]} FNV-1a of each block */
function sumsOf(text) {
  const sums = [];
  for (let from = 0; from < text.length; from += BLOCK) {
    let sum = 0x811c9dc5;
    const to = Math.min(text.length, from + BLOCK);
    for (let at = from; at < to; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
    sums.push(sum >>> 0);
  }
  return sums;
}

/**
 * @param {RecordingFile} file
 * @param {unknown[]} sums that it was saved with
 * @returns {string | undefined} in words, where it was changed first
 */
function firstChange(file, sums) {
  const now = sumsOf(coveredText(file));
  const block = now.findIndex((sum, index) => sum !== sums[index]);
  if (block < 0 && now.length === sums.length) return undefined;
  const from = (block < 0 ? now.length : block) * BLOCK - headOf(file).length;
  if (from + BLOCK <= 0) return "This recording was changed after it was saved, in its heading.";
  const entries = entriesAt(file.recording, from, from + BLOCK);
  const place = `characters ${Math.max(0, from)} to ${from + BLOCK} of ${file.recording.length}`;
  return `This recording was changed after it was saved. The first difference is at ${place}${entries}.`;
}

/**
 * @param {string} recording
 * @param {number} from
 * @param {number} to
 * @returns {string} which entries stand there; nothing, where they cannot be told
 */
function entriesAt(recording, from, to) {
  const before = '"entries":[';
  let at = recording.indexOf(before) + before.length;
  let entries;
  try {
    entries = JSON.parse(recording).entries;
  } catch {
    return "";
  }
  if (!Array.isArray(entries) || at < before.length) return "";
  const there = entries.flatMap((entry, number) => {
    const start = at;
    at += JSON.stringify(entry).length + 1;
    return start < to && at > from ? [number] : [];
  });
  if (there.length === 0) return "";
  const last = there.length > 1 ? ` to ${there.at(-1)}` : "";
  return `, in ${last === "" ? "entry" : "entries"} ${there[0]}${last} of ${entries.length}`;
}
