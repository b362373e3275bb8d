// SPDX-License-Identifier: MIT
// Files and folders as the file store needs them: written beside and synced before they are put in
// place.
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
 * What `call` answers, or undefined when the file or folder is not there.
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

/** The names in a folder; undefined: it is not there. @param {string} path */
export function namesIn(path) {
  return present(withFile(() => fs.readdir(path)));
}

/** What is in a file; undefined: it is not there. @param {string} path */
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
 * Makes something in a new place of its own under `tmp`, where `work` gives it its name, and leaves
 * nothing behind. A process whose clock is an hour ahead, or one that was opened while this one was
 * frozen for an hour, sweeps it away: then once more.
 * @param {string} root
 * @param {string} kind what the name of a folder begins with; "": a file
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
      // What stays behind is swept when a store is opened an hour later.
      await (kind === "" ? fs.unlink(made) : fs.rm(made, { recursive: true, force: true })).catch(
        () => {},
      );
    }
  }
}

/**
 * Writes and syncs a file aside and lets `place` give it its name.
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
  // Windows has no handle of a folder to sync; its links are journalled.
  if (globalThis.process?.platform === "win32") return;
  await opened(path, "r", (folder) => folder.sync());
}
