// SPDX-License-Identifier: MIT
// As much of node:fs as the documents' programs and `weftgraph/savers/file` need, over files in the
// memory of the tab.
import { randomBytes } from "./crypto.js";
import { bytesOf } from "./bytes.js";
import {
  failure,
  entryAt,
  fileAt,
  find,
  folderAt,
  isFolder,
  makeFile,
  makeFolder,
} from "./files.js";
import * as files from "./files.js";
import { dirname, join, resolve } from "./path.js";

/** @typedef {"utf8" | "utf-8" | { encoding?: "utf8" | "utf-8" | null } | null} Encoding */

export const linkSync = files.link;
export const unlinkSync = files.unlink;
export const renameSync = files.rename;

/** @param {string} path */
export const existsSync = (path) => {
  try {
    return find(path) !== undefined;
  } catch {
    return false;
  }
};

/** @param {string} path @param {Encoding} [options] */
export function readFileSync(path, options) {
  const bytes = bytesOf(fileAt(path).bytes);
  const encoding = typeof options === "string" ? options : options?.encoding;
  return encoding ? bytes.toString(encoding) : bytes;
}

/** @param {string} path @param {"r" | "w" | "wx"} [flag] @returns {files.File | files.Folder} */
export function openEntry(path, flag = "r") {
  if (flag === "r") return entryAt(path);
  if (flag === "wx" || find(path) === undefined) return makeFile(path);
  const file = fileAt(path);
  file.bytes = bytesOf("");
  return file;
}

/**
 * @param {string} path
 * @param {string | Uint8Array} data
 * @param {string | { flag?: "w" | "wx" }} [options]
 */
export function writeFileSync(path, data, options) {
  const flag = (typeof options === "string" ? undefined : options?.flag) ?? "w";
  const file = /** @type {files.File} */ (openEntry(path, flag));
  file.bytes = bytesOf(data);
  file.mtimeMs = Date.now();
}

/** @param {string} path @param {{ recursive?: boolean }} [options] @returns {string[]} */
export function readdirSync(path, options) {
  const { entries } = folderAt(path);
  return [...entries].flatMap(([name, entry]) =>
    options?.recursive && isFolder(entry)
      ? [name, ...readdirSync(join(path, name), options).map((below) => `${name}/${below}`)]
      : [name],
  );
}

/** @param {string} path @param {{ recursive?: boolean }} [options] @returns {string | undefined} */
export function mkdirSync(path, options) {
  if (!options?.recursive) return makeFolder(path);
  const entry = find(path);
  if (entry !== undefined && !isFolder(entry)) throw failure("EEXIST", path);
  if (entry !== undefined) return undefined;
  const whole = resolve(path);
  const first = mkdirSync(dirname(whole), options);
  makeFolder(whole);
  return first ?? whole;
}

/** @param {string} prefix */
export function mkdtempSync(prefix) {
  const path = prefix + randomBytes(3).toString("hex");
  makeFolder(path);
  return path;
}

/** @param {string} path @param {{ recursive?: boolean, force?: boolean }} [options] */
export function rmSync(path, { recursive, force } = {}) {
  const entry = find(path);
  if (entry === undefined && force) return;
  if (entry !== undefined && isFolder(entry) && !recursive) throw failure("EISDIR", path);
  files.remove(path);
}

/** @param {string} path */
export function statSync(path) {
  const entry = entryAt(path);
  return {
    mtimeMs: entry.mtimeMs,
    size: isFolder(entry) ? 0 : entry.bytes.length,
    nlink: isFolder(entry) ? 1 : entry.names,
    isFile: () => !isFolder(entry),
    isDirectory: () => isFolder(entry),
  };
}

/** @param {string} path @param {Date} _read @param {Date} written */
export function utimesSync(path, _read, written) {
  entryAt(path).mtimeMs = written.getTime();
}

/** There are no symbolic links. @param {string} path @returns {string} */
export function readlinkSync(path) {
  entryAt(path);
  throw failure("EINVAL", path);
}
