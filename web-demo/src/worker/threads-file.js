// SPDX-License-Identifier: MIT
// Makes one file of all threads, and takes such a file. Owns its first line, which says of which
// graph each thread is; the rest is the library's. Files come from anywhere.
import { exportThreads, importThreads } from "weftgraph/savers/transfer";
import { hasKey } from "../models/failures.js";

/** @typedef {{ fetch: (input: string, init?: RequestInit) => Promise<Response> }} Server */
/** @typedef {import("weftgraph/savers/own").WeftSaver} Saver */

const MARK = "studio-threads";
const FORMAT = 1;
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_LINE = 4 * 1024 * 1024;
const PAGE = 1000;
const NEWLINE = 10;

/**
 * @param {Saver} saver
 * @param {Server} server
 * @param {readonly string[]} keys of model services, which no file may hold
 * @returns {Promise<{ file: Uint8Array<ArrayBuffer>, threads: number, damaged: number }>}
 *   `damaged`: threads that cannot be read, which are left out
 * @throws TypeError if a thread holds such a key
 */
export async function exportAll(saver, server, keys = []) {
  /** @type {Record<string, unknown>} */
  const metadata = {};
  for (let offset = 0; ; offset += PAGE) {
    const page = await ask(server, "/threads/search", { limit: PAGE, offset });
    for (const { thread_id, metadata: of } of page) metadata[thread_id] = of;
    if (page.length < PAGE) break;
  }
  let holding = 0;
  if (keys.length > 0)
    for (const id in metadata) if (await holdsKey(saver, id, metadata[id], keys)) holding++;
  if (holding > 0)
    throw new TypeError(
      `${holding === 1 ? "A thread holds" : `${holding} threads hold`} the key of a model service, so nothing is saved. Delete what holds it first.`,
    );
  let damaged = 0;
  const threads = await exportThreads(saver, { onError: () => damaged++ });
  const line = JSON.stringify({ weft: MARK, format: FORMAT, metadata });
  const head = new TextEncoder().encode(`${line}\n`);
  const file = new Uint8Array(head.length + threads.length);
  file.set(head);
  file.set(threads, head.length);
  return { file, threads: Object.keys(metadata).length, damaged };
}

/**
 * Stores the threads of such a file that are not there.
 * @param {Saver} saver
 * @param {Server} server
 * @param {unknown} file
 * @returns {Promise<{ imported: number, present: number }>}
 * @throws TypeError for anything else than such a file; errors of the import
 */
export async function importAll(saver, server, file) {
  if (!(file instanceof Uint8Array) || file.length > MAX_BYTES)
    throw new TypeError(`A file of threads has at most ${MAX_BYTES / 1024 / 1024} MB.`);
  const end = file.subarray(0, MAX_LINE).indexOf(NEWLINE);
  const metadata = metadataIn(file.subarray(0, Math.max(0, end)));
  const { imported, present } = await importThreads(saver, file.subarray(end + 1), {
    maxBytes: MAX_BYTES,
  });
  for (const id of imported) {
    const of = Object.hasOwn(metadata, id) ? metadata[id] : undefined;
    const isObject = typeof of === "object" && of !== null && !Array.isArray(of);
    await ask(server, "/threads", {
      thread_id: id,
      if_exists: "do_nothing",
      metadata: isObject ? of : {},
    });
  }
  return { imported: imported.length, present: present.length };
}

/**
 * @param {Saver} saver @param {string} id @param {unknown} metadata of the thread
 * @param {readonly string[]} keys
 */
async function holdsKey(saver, id, metadata, keys) {
  const isIn = (/** @type {unknown} */ value) => {
    const text = JSON.stringify(value);
    return keys.some((key) => hasKey(text, key));
  };
  if (isIn(metadata)) return true;
  try {
    for await (const { checkpoint, metadata, pendingWrites } of saver.list({
      configurable: { thread_id: id },
    }))
      if (isIn([checkpoint, metadata, pendingWrites])) return true;
  } catch {
    // A thread that cannot be read is left out of the file.
  }
  return false;
}

/** @param {Uint8Array} line @returns {Record<string, unknown>} by thread */
function metadataIn(line) {
  try {
    const { weft, format, metadata } = JSON.parse(new TextDecoder().decode(line));
    if (weft === MARK && format === FORMAT && typeof metadata === "object" && metadata !== null)
      return metadata;
  } catch {
    // Reported below, like any other line.
  }
  throw new TypeError("This file holds no threads of the studio.");
}

/** @param {Server} server @param {string} path @param {unknown} body @returns {Promise<any>} */
async function ask(server, path, body) {
  const response = await server.fetch(`http://weft.local${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new TypeError(String(answer?.detail ?? response.status));
  return answer;
}
