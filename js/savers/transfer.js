// SPDX-License-Identifier: MIT
// Threads as files: a thread's whole log in one piece, the same in every runtime and for every saver.
// Knows: the file's first line. Must not know what records mean.
import { ERR_ARGUMENT, ERR_LOG_CORRUPT } from "../engine/codes.js";
import { makeError } from "../errors.js";
import { checkThreadId } from "./log-port.js";
import { COPY, IMPORT, rewriteLog, storeOf } from "./rewrite.js";

/** @typedef {import("./base.js").WeftSaver} WeftSaver */

const MARK = "weft-thread ";
const FORMAT = 1;
const FIRST_LINE = 8192;
/** Bytes that an import takes unless it is told otherwise. */
const MOST_BYTES = 16 * 1024 * 1024;
const encoder = new TextEncoder();

/**
 * @param {WeftSaver} saver
 * @param {string} threadId
 * @returns {Promise<Uint8Array>}
 */
export async function exportThread(saver, threadId) {
  checkThreadId(threadId);
  const batches = await storeOf(saver).read(threadId);
  if (batches.length === 0) throw makeError(ERR_ARGUMENT, [`there is no thread ${JSON.stringify(threadId)} to export`]);
  const { seq, crc, frames } = rewriteLog(threadId, COPY, batches);
  const line = encoder.encode(`${MARK}${FORMAT} ${JSON.stringify({ threadId, records: seq, crc })}\n`);
  const file = new Uint8Array(line.length + frames.length);
  file.set(line);
  file.set(frames, line.length);
  return file;
}

/** @param {string} what */
function notAFile(what) {
  return makeError(ERR_LOG_CORRUPT, ["of the file", 0, what]);
}

/** @param {Uint8Array} file @returns {{ head: { threadId: string, records: number, crc: number }, frames: Uint8Array }} */
function readFile(file) {
  const end = file.subarray(0, FIRST_LINE).indexOf(10);
  const line = end < 0 ? "" : new TextDecoder().decode(file.subarray(0, end));
  const [, format, text] = new RegExp(`^${MARK}(\\d+) (\\{.*\\})$`).exec(line) ?? [];
  if (format === undefined) throw notAFile("its first line is not that of an exported thread");
  if (Number(format) !== FORMAT) throw notAFile(`its format is ${format}, this version reads ${FORMAT}`);
  let head;
  try {
    head = JSON.parse(text);
  } catch {
    throw notAFile("its first line cannot be read");
  }
  return { head, frames: file.subarray(end + 1) };
}

/**
 * @param {WeftSaver} saver
 * @param {Uint8Array} file
 * @param {{ threadId?: string, maxBytes?: number }} [options]
 * @returns {Promise<string>} the thread's id
 */
export async function importThread(saver, file, options) {
  const store = storeOf(saver);
  if (!(file instanceof Uint8Array)) throw makeError(ERR_ARGUMENT, ["an exported thread is a Uint8Array"]);
  const most = options?.maxBytes ?? MOST_BYTES;
  if (file.length > most) throw makeError(ERR_ARGUMENT, [`the file has ${file.length} bytes, an import takes ${most} unless \`maxBytes\` says more`]);
  const { head, frames } = readFile(file);
  const threadId = options?.threadId ?? head.threadId;
  checkThreadId(threadId);
  if ((await store.head(threadId)) !== undefined) throw makeError(ERR_ARGUMENT, [`the thread ${JSON.stringify(threadId)} is there already: delete it, or name another \`threadId\``]);
  // A frame ends with its CRC: a file that was cut between two frames ends with another one.
  const end = frames.length < 4 ? undefined : new DataView(frames.buffer, frames.byteOffset + frames.length - 4).getUint32(0, true);
  if (end !== head.crc) throw notAFile("its end is missing");
  const copied = rewriteLog(threadId, IMPORT, [frames]);
  const { seq, crc } = copied;
  await store.append(threadId, { seq, crc, firstSeq: 1 }, copied.frames, undefined);
  await store.witness(threadId, { seq, crc });
  return threadId;
}

/**
 * @param {WeftSaver} saver
 * @param {string} from
 * @param {string} to
 * @param {WeftSaver} [target] where the copy goes; the same saver unless given
 */
export async function copyThread(saver, from, to, target = saver) {
  await importThread(target, await exportThread(saver, from), { threadId: to, maxBytes: Infinity });
}
