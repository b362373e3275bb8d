// SPDX-License-Identifier: MIT
// Accesses files and folders for the file store. Files are written and synced at a temporary path
// before they get their name.
import { randomBytes } from "node:crypto";
import * as fs from "node:fs/promises";
import { join } from "node:path";
import { withFile } from "./open-files.js";

const MAKES = 3;

/** @param {unknown} error */
export function codeOf(error) {
  return /** @type {{ code?: string }} */ (error)?.code;
}

/**
 * Awaits a result; undefined when the file or folder does not exist.
 * @template T
 * @param {Promise<T>} call
 */
export async function present(call) {
  try {
    return await call;
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return undefined;
    throw error;
  }
}

/**
 * Opens a file for the duration of `work`.
 * @template T
 * @param {string} path
 * @param {string} flags
 * @param {(file: fs.FileHandle) => Promise<T>} work
 * @returns {Promise<T>}
 */
export function opened(path, flags, work) {
  return withFile(async () => {
    const file = await fs.open(path, flags);
    try {
      return await work(file);
    } finally {
      await file.close();
    }
  });
}

/** Lists the names in a folder; undefined when it does not exist. @param {string} path */
export function namesIn(path) {
  return present(withFile(() => fs.readdir(path)));
}

/** Reads a file; undefined when it does not exist. @param {string} path */
export function bytesOf(path) {
  return present(withFile(() => fs.readFile(path)));
}

/**
 * @param {string} path
 * @param {Uint8Array[]} parts
 */
export function writeSynced(path, parts) {
  return opened(path, "wx", async (file) => {
    for (const part of parts) await file.writeFile(part);
    await file.datasync();
  });
}

/**
 * Creates a file or folder at a new path under `tmp`, lets `work` move it to its place, and removes
 * what remains. Retries if another process swept it: one whose clock is an hour ahead, or one that
 * started while this process was frozen for an hour.
 * @param {string} root
 * @param {string} kind prefix of a folder's name; "" for a file
 * @param {(made: string) => Promise<void>} work
 */
export async function makeAside(root, kind, work) {
  for (let tries = 1; ; tries++) {
    const made = join(root, "tmp", kind + randomBytes(12).toString("hex"));
    try {
      return await work(made);
    } catch (error) {
      if (codeOf(error) !== "ENOENT" || tries === MAKES || (await present(fs.stat(made))))
        throw error;
    } finally {
      // What remains is swept when a store opens more than an hour later.
      await (kind === "" ? fs.unlink(made) : fs.rm(made, { recursive: true, force: true })).catch(
        () => {},
      );
    }
  }
}

/**
 * Writes and syncs a temporary file and lets `place` give it its name.
 * @param {string} root
 * @param {Uint8Array[]} parts
 * @param {(made: string) => Promise<void>} place
 */
export function placeFile(root, parts, place) {
  return makeAside(root, "", async (made) => {
    await writeSynced(made, parts);
    await place(made);
  });
}

/** @param {string} path */
export async function syncFolder(path) {
  // Windows has no folder handles to sync; its links are journalled.
  if (globalThis.process?.platform === "win32") return;
  await opened(path, "r", (folder) => folder.sync());
}
