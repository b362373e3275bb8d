// SPDX-License-Identifier: MIT
// Threads as files: a thread's whole log in one piece, the same in every runtime and for every saver.
// Knows: the file's first line; how a log is chained anew (the engine does). Must not know what records mean.
import { ERR_ARGUMENT, ERR_LOG_CORRUPT, ERR_NO_MEMORY, OK } from "../engine/codes.js";
import { spareEngine } from "../engine/realm.js";
import { makeError } from "../errors.js";
import { checkThreadId } from "./log-port.js";

/** @typedef {import("./base.js").WeftSaver} WeftSaver */
/** @typedef {{ seq: number, crc: number, frames: Uint8Array }} Copied */

const MARK = "weft-thread ";
const FORMAT = 1;
const FIRST_LINE = 8192;
/** Bytes that an import takes unless it is told otherwise. */
const MOST_BYTES = 16 * 1024 * 1024;
const encoder = new TextEncoder();

/** @param {unknown} saver @returns {import("./log-port.js").LogStore} */
function storeOf(saver) {
  const store = /** @type {any} */ (saver)?.store;
  if (typeof store?.append === "function" && typeof store.read === "function") return store;
  throw makeError(ERR_ARGUMENT, ["threads are copied from and to Weft's own savers"]);
}

/** Chains logs anew in an instance of its own, which is thrown away with all that was read into it. */
class Copier {
  /** @param {string} threadId */
  constructor(threadId) {
    this.threadId = threadId;
    this.engine = spareEngine();
    this.thread = this.engine.open("weft_thread_open", threadId);
  }

  /** @param {Uint8Array} bytes @param {boolean} isImport @returns {Copied} */
  copy(bytes, isImport) {
    const { engine } = this;
    engine.input(bytes);
    const pointer = engine.call("weft_thread_copy", this.thread, bytes.length, isImport ? 1 : 0) >>> 0;
    if (pointer === 0) throw engine.refused(ERR_NO_MEMORY);
    engine.refresh();
    const at = pointer >>> 2;
    const { u32, u8 } = engine;
    const seq = u32[at + 1] + u32[at + 2] * 2 ** 32;
    const status = u32[at] | 0;
    if (status !== OK) throw makeError(status, [this.threadId, seq + 1, "it cannot be copied"]);
    return { seq, crc: u32[at + 3], frames: u8.slice(pointer + 20, pointer + 20 + u32[at + 4]) };
  }
}

/**
 * @param {WeftSaver} saver
 * @param {string} threadId
 * @returns {Promise<Uint8Array>}
 */
export async function exportThread(saver, threadId) {
  checkThreadId(threadId);
  const batches = await storeOf(saver).read(threadId);
  if (batches.length === 0) throw makeError(ERR_ARGUMENT, [`there is no thread ${JSON.stringify(threadId)} to export`]);
  const copier = new Copier(threadId);
  const parts = batches.map((bytes) => copier.copy(bytes, false));
  const { seq, crc } = parts[parts.length - 1];
  const line = encoder.encode(`${MARK}${FORMAT} ${JSON.stringify({ threadId, records: seq, crc })}\n`);
  const file = new Uint8Array(line.length + parts.reduce((sum, { frames }) => sum + frames.length, 0));
  file.set(line);
  let at = line.length;
  for (const { frames } of parts) {
    file.set(frames, at);
    at += frames.length;
  }
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
  const copied = new Copier(threadId).copy(frames, true);
  if (copied.seq !== head.records) throw notAFile(`it has ${copied.seq} records, not ${head.records}`);
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
