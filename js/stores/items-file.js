// SPDX-License-Identifier: MIT
// Exports and imports a store's items as a file: a first line with length and checksum, then one
// record with all items. The same for every saver.
import { HASH_CRC32C } from "../base/codes.js";
import { hexOf } from "../base/uuid.js";
import { hashOf } from "../log/hash.js";
import { LogReader } from "../log/reader.js";
import { START, badArgument, corruptLog } from "../log/log-store.js";
import { concat } from "../log/concat.js";
import { changeOf, recordOf } from "./items-log.js";

/** @typedef {import("../base/callable.js").Value} Value */

const LINE = /^weft-items 1 (\d+) ([0-9a-f]{8})$/;
const LONGEST_LINE = 64;
/** Default maximum of bytes that an import accepts. */
const MOST_BYTES = 16 * 1024 * 1024;

/** @param {import("../log/record.js").WriteRecord[]} writes @returns {Uint8Array} */
export function itemsFile(writes) {
  const { bytes } = recordOf(START, writes, true);
  return concat([
    new TextEncoder().encode(`weft-items 1 ${bytes.length} ${hexOf(hashOf(HASH_CRC32C, bytes))}\n`),
    bytes,
  ]);
}

/** @param {unknown} file @param {{ maxBytes?: number }} [options] */
export function readItemsFile(file, options) {
  if (!(file instanceof Uint8Array)) throw badArgument("exported items are a Uint8Array");
  const { maxBytes = MOST_BYTES } = options ?? {};
  if (typeof maxBytes !== "number" || !(maxBytes >= 0)) throw badArgument("`maxBytes` is a number");
  if (file.length > maxBytes)
    throw badArgument(
      `the file has ${file.length} bytes, an import takes ${maxBytes} unless \`maxBytes\` says more`,
    );
  const end = file.subarray(0, LONGEST_LINE).indexOf(10);
  const [, length, sum] =
    LINE.exec(new TextDecoder().decode(file.subarray(0, Math.max(0, end)))) ?? [];
  if (length === undefined)
    throw corruptLog("of the file", 0, "its first line is not that of exported items");
  const bytes = file.slice(end + 1);
  if (bytes.length !== Number(length) || hexOf(hashOf(HASH_CRC32C, bytes)) !== sum)
    throw corruptLog("of the file", 0, "it was cut or changed");
  try {
    const writes = [...new LogReader().read(bytes)].flatMap(({ tasks }) =>
      tasks.flatMap(({ writes }) => writes),
    );
    const changes = writes.map(changeOf);
    if (!changes.every(isItem)) throw new TypeError("it holds what is no item");
    return { writes, changes };
  } catch (/** @type {Value} */ error) {
    throw corruptLog("of the file", 0, error.message);
  }
}

/** @param {unknown} value */
function isTime(value) {
  return value instanceof Date && !Number.isNaN(value.getTime());
}

/** Checks an item of a file, which may come from another program. @param {Value} change */
function isItem({ namespace, key, value, at, since = at, vectors }) {
  const isPlace =
    Array.isArray(namespace) &&
    namespace.every((label) => typeof label === "string") &&
    (typeof key === "string" || Number.isFinite(key));
  const isVector = (/** @type {unknown} */ pair) =>
    Array.isArray(pair) &&
    typeof pair[0] === "string" &&
    (Array.isArray(pair[1]) || ArrayBuffer.isView(pair[1])) &&
    Array.from(/** @type {ArrayLike<number>} */ (pair[1])).every(Number.isFinite);
  return (
    isPlace &&
    value !== undefined &&
    value !== null &&
    isTime(at) &&
    isTime(since) &&
    Array.isArray(vectors) &&
    vectors.every(isVector)
  );
}
