// SPDX-License-Identifier: MIT
// Keeps a folder of threads to one server: another one would take runs that are at work for left
// ones. A file names the process; a process that is gone, or has not touched the file for a while,
// holds it no more.
import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { UsageError, codeOf } from "./usage.js";

const BEAT_MS = 2000;
/** Longer than a process does not come to its timers. */
const LEASE_MS = 30_000;

/**
 * @param {string} folder is made where it is not there
 * @returns {() => void} lets go
 * @throws UsageError where another process serves it, or it cannot be written
 */
export function lockFolder(folder) {
  const path = join(folder, "serve.pid");
  try {
    // What people said is for no repository. A folder that was there may have other files.
    if (mkdirSync(folder, { recursive: true }) !== undefined)
      writeFileSync(join(folder, ".gitignore"), "*\n");
    take(path, folder);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(
      `Threads cannot be kept in ${folder} (${codeOf(error)}): choose another folder with --data, or --memory.`,
    );
  }
  const beat = setInterval(() => touch(path), BEAT_MS);
  beat.unref();
  return () => {
    clearInterval(beat);
    if (holderOf(path) === process.pid) rmSync(path, { force: true });
  };
}

/** @param {string} path @param {string} folder */
function take(path, folder) {
  for (;;) {
    try {
      return writeFileSync(path, `${process.pid}\n`, { flag: "wx" });
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
    }
    const holder = holderOf(path);
    if (holder !== undefined && isAtWork(holder) && !isLeft(path))
      throw new UsageError(
        `Process ${holder} serves the threads in ${folder}: end it, or choose another folder with --data.`,
      );
    rmSync(path, { force: true });
  }
}

/** @param {string} path @returns {number | undefined} */
function holderOf(path) {
  try {
    return Number.parseInt(readFileSync(path, "utf8"), 10) || undefined;
  } catch {
    return undefined;
  }
}

/** @param {number} id of a process; in a container each run may have the same */
function isAtWork(id) {
  if (id === process.pid) return false;
  try {
    return process.kill(id, 0);
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}

/** @param {string} path */
function isLeft(path) {
  try {
    return Math.abs(Date.now() - statSync(path).mtimeMs) > LEASE_MS;
  } catch {
    return true;
  }
}

/** @param {string} path */
function touch(path) {
  try {
    utimesSync(path, new Date(), new Date());
  } catch {
    // The folder was removed: what is written next says so.
  }
}
