// SPDX-License-Identifier: MIT
// Exports and imports threads as files: a thread's whole log in one piece, the same in every
// runtime and for every saver. Owns the format of the first line of a file of several threads;
// does not depend on the meaning of records.
import { ERR_ARGUMENT, ERR_LOG_CORRUPT, ERR_LOG_FORMAT } from "../../base/codes.js";
import { hexOf } from "../../base/uuid.js";
import { makeError } from "../../base/errors.js";
import { threadHash } from "../../log/hashed-ids.js";
import { checkThreadId, sameHead } from "../../log/log-store.js";
import { allThreads } from "../core/all-threads.js";
import { readBefore, readLog } from "../../log/read-log.js";
import { IMPORT, rewriteLog, storeOf } from "./rewrite.js";
import { FORMAT, MARK, threadFile } from "./thread-file.js";
import { concat } from "../../log/concat.js";

/** @typedef {import("../weft-saver.js").WeftSaver} WeftSaver */

/** Begins a file of several threads: followed by their lengths, then one file after the other. */
const MARK_ALL = "weft-threads ";
/** Offset of the thread's hash in a frame (src/log/frame.h). */
const THREAD = 20;
const FIRST_LINE = 8192;
/** Default maximum of bytes that an import accepts. */
const MOST_BYTES = 16 * 1024 * 1024;
const encoder = new TextEncoder();

/** @param {WeftSaver} saver */
function logsOf(saver) {
  const store = storeOf(saver);
  // Its threads are not in its store: an export would be empty and an import lost.
  if (saver.logStore === undefined && "storage" in saver)
    throw makeError(ERR_ARGUMENT, [
      "threads of a MemorySaver in LangGraph's form are no logs to copy",
    ]);
  return store;
}

/**
 * Exports a thread.
 * @param {WeftSaver} saver
 * @param {string} threadId
 * @param {{ onDamage?: (error: unknown) => void }} [options]
 * @returns {Promise<Uint8Array>}
 */
export async function exportThread(saver, threadId, options) {
  checkThreadId(threadId);
  const file = await fileOf(saver, threadId, options?.onDamage);
  if (file === undefined)
    throw makeError(ERR_ARGUMENT, [`there is no thread ${JSON.stringify(threadId)} to export`]);
  return file;
}

/**
 * Makes the file of a thread.
 * @param {WeftSaver} saver @param {string} threadId
 * @param {(error: unknown) => void} [onDamage] receives an error about damage; the part before it
 *   is exported then
 * @returns {Promise<Uint8Array | undefined>} undefined when there is no such thread
 */
async function fileOf(saver, threadId, onDamage) {
  const store = logsOf(saver);
  /** @type {{ batches: Uint8Array[], fault?: unknown }} */
  const { batches, fault } = await (onDamage === undefined ? readLog : readBefore)(store, threadId);
  if (batches.length === 0) return undefined;
  const file = threadFile(threadId, batches);
  if (fault !== undefined) onDamage?.(fault);
  return file;
}

/**
 * Exports all threads of a saver into one file.
 * @param {WeftSaver} saver
 * @param {{ onError?: import("../core/all-threads.js").OnError }} [options]
 * @returns {Promise<Uint8Array>}
 */
export async function exportThreads(saver, options) {
  const files = [];
  const tell =
    options?.onError ??
    ((/** @type {unknown} */ error) => {
      throw error;
    });
  for await (const id of allThreads(logsOf(saver), tell)) {
    const file = await fileOf(saver, id).catch((error) => void tell(error, id));
    // A thread deleted since the listing is left out.
    if (file !== undefined) files.push(file);
  }
  return concat([
    encoder.encode(`${MARK_ALL}${FORMAT} ${files.map(({ length }) => length).join(" ")}\n`),
    ...files,
  ]);
}

/**
 * Imports the threads of a file; existing threads are not overwritten.
 * @param {WeftSaver} saver
 * @param {Uint8Array} file
 * @param {{ maxBytes?: number }} [options]
 * @returns {Promise<{ imported: string[], present: string[] }>}
 */
export async function importThreads(saver, file, options) {
  const store = logsOf(saver);
  checkSize(file, options?.maxBytes);
  const [, format, lengths] =
    new RegExp(`^${MARK_ALL}(\\d+) ([\\d ]*)$`).exec(firstLine(file, file.length).line) ?? [];
  checkFormat(format);
  /** All threads are read before any is stored. @type {Imported[]} */
  const threads = [];
  let at = file.indexOf(10) + 1;
  for (const length of lengths.split(" ").filter(Boolean).map(Number)) {
    const one = file.subarray(at, (at += length));
    if (one.length !== length) throw notAFile("its end is missing");
    threads.push(readThread(one));
  }
  if (at !== file.length) throw notAFile("something stands behind its threads");
  /** @type {{ imported: string[], present: string[] }} */
  const told = { imported: [], present: [] };
  for (const thread of threads) {
    const isNew = await storeThread(store, thread).catch((error) => {
      // Another writer stored a thread with this id meanwhile.
      if (error.code !== "FENCED") throw error;
      return false;
    });
    told[isNew ? "imported" : "present"].push(thread.threadId);
  }
  return told;
}

/** @param {string} what */
function notAFile(what) {
  return makeError(ERR_LOG_CORRUPT, ["of the file", 0, what]);
}

/** @param {Uint8Array} file @param {number} most */
function firstLine(file, most) {
  const end = file.subarray(0, most).indexOf(10);
  return { end, line: end < 0 ? "" : new TextDecoder().decode(file.subarray(0, end)) };
}

/** @param {string | undefined} format */
function checkFormat(format) {
  if (format === undefined) throw notAFile("its first line is not that of an exported thread");
  if (Number(format) !== FORMAT) throw makeError(ERR_LOG_FORMAT, ["in the file", format, FORMAT]);
}

/** @param {Uint8Array} file @param {number} [most] */
function checkSize(file, most = MOST_BYTES) {
  if (!(file instanceof Uint8Array))
    throw makeError(ERR_ARGUMENT, ["an exported thread is a Uint8Array"]);
  if (file.length > most)
    throw makeError(ERR_ARGUMENT, [
      `the file has ${file.length} bytes, an import takes ${most} unless \`maxBytes\` says more`,
    ]);
}

/**
 * @param {Uint8Array} file
 * @returns {{ head: { threadId: string, records: number, crc: number }, frames: Uint8Array }}
 */
function readFile(file) {
  const { line, end } = firstLine(file, FIRST_LINE);
  const [, format, text] = new RegExp(`^${MARK}(\\d+) (\\{.*\\})$`, "s").exec(line) ?? [];
  checkFormat(format);
  let head;
  try {
    head = JSON.parse(text);
  } catch {
    throw notAFile("its first line cannot be read");
  }
  return { head, frames: file.subarray(end + 1) };
}

/**
 * A thread ready to be stored.
 * @typedef {{ threadId: string, log: import("./rewrite.js").Rewritten }} Imported
 */

/** @param {Uint8Array} file @param {string} [name] new id of the thread @returns {Imported} */
function readThread(file, name) {
  const { head, frames } = readFile(file);
  const threadId = name ?? head.threadId;
  checkThreadId(threadId);
  // A frame ends with its CRC, so a file cut between two frames ends with another CRC.
  const end =
    frames.length < 4
      ? undefined
      : new DataView(frames.buffer, frames.byteOffset + frames.length - 4).getUint32(0, true);
  if (end !== head.crc) throw notAFile("its end is missing");
  if (hexOf(frames.subarray(THREAD, THREAD + 16)) !== hexOf(threadHash(head.threadId)))
    throw notAFile("its first line names another thread");
  return { threadId, log: rewriteLog(threadId, IMPORT, [frames]) };
}

/**
 * Stores a thread unless it exists. An identical log with a newer witness comes from an import that
 * replaced a lost thread and stopped before it updated the witness: it is completed.
 * @param {import("../../log/log-store.js").LogStore} store @param {Imported} thread
 * @returns whether it was stored
 */
async function storeThread(store, { threadId, log: { seq, crc, frames } }) {
  const head = { seq, crc };
  const there = await store.head(threadId);
  if (there === undefined)
    await store.append(threadId, { ...head, firstSeq: 1 }, frames, undefined);
  else if (!sameHead(there, head) || !(await isLost(store, threadId))) return false;
  await store.witness(threadId, head);
  return true;
}

/** @param {import("../../log/log-store.js").LogStore} store @param {string} threadId */
function isLost(store, threadId) {
  return readLog(store, threadId).then(
    () => false,
    ({ code }) => code === "DATA_LOSS",
  );
}

/**
 * Imports a thread.
 * @param {WeftSaver} saver
 * @param {Uint8Array} file
 * @param {{ threadId?: string, maxBytes?: number }} [options]
 * @returns {Promise<string>} id of the thread
 */
export async function importThread(saver, file, options) {
  const store = logsOf(saver);
  checkSize(file, options?.maxBytes);
  const thread = readThread(file, options?.threadId);
  const { threadId } = thread;
  if (!(await storeThread(store, thread)))
    throw makeError(ERR_ARGUMENT, [
      `the thread ${JSON.stringify(threadId)} is there already: delete it, or name another \`threadId\``,
    ]);
  return threadId;
}

/**
 * Copies a thread.
 * @param {WeftSaver} saver
 * @param {string} from
 * @param {string} to
 * @param {WeftSaver} [target] receives the copy; default: the same saver
 */
export async function copyThread(saver, from, to, target = saver) {
  await importThread(target, await exportThread(saver, from), { threadId: to, maxBytes: Infinity });
}
