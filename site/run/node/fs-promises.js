// SPDX-License-Identifier: MIT
// As much of node:fs/promises as the documents' programs and `weftgraph/savers/file` need.
import { concatBytes } from "@noble/hashes/utils.js";
import { bytesOf } from "./bytes.js";
import { failure, isFolder } from "./files.js";
import * as fs from "./fs.js";

/**
 * @template {any[]} A @template R
 * @param {(...values: A) => R} call
 * @returns {(...values: A) => Promise<R>}
 */
const later =
  (call) =>
  async (...values) =>
    call(...values);

export const link = later(fs.linkSync);
export const mkdir = later(fs.mkdirSync);
export const mkdtemp = later(fs.mkdtempSync);
export const readFile = later(fs.readFileSync);
export const readdir = later(fs.readdirSync);
export const rename = later(fs.renameSync);
export const rm = later(fs.rmSync);
export const stat = later(fs.statSync);
export const unlink = later(fs.unlinkSync);
export const utimes = later(fs.utimesSync);
export const writeFile = later(fs.writeFileSync);

/** @param {string} path @param {"r" | "w" | "wx"} [flag] */
export async function open(path, flag) {
  const entry = fs.openEntry(path, flag);
  const file = () => {
    if (isFolder(entry)) throw failure("EISDIR", path);
    return entry;
  };
  return {
    /** @param {Uint8Array} into @param {number} at @param {number} length @param {number} from */
    async read(into, at, length, from) {
      const part = file().bytes.subarray(from, from + length);
      into.set(part, at);
      return { bytesRead: part.length, buffer: into };
    },
    /** Goes on behind what was written. @param {string | Uint8Array} data */
    async writeFile(data) {
      if ((flag ?? "r") === "r") throw failure("EBADF", path);
      const written = file();
      written.bytes = bytesOf(concatBytes(written.bytes, bytesOf(data)));
      written.mtimeMs = Date.now();
    },
    async datasync() {},
    async sync() {},
    async close() {},
  };
}
