// SPDX-License-Identifier: MIT
// The lock of a thread among the processes that share its folder: a file that only one of them can
// create and that its holder touches. The file of a process that is gone is taken over: at once if
// it was of this machine, else when it was not touched for LEASE_MS.
//
//   tmp/lock-<sha-256>         held by one process; swept with the rest of tmp
//   tmp/lock-<sha-256>-wanted  another process waits: the holder does not lock again at once
import { randomBytes } from "node:crypto";
import { readFileSync, readlinkSync, unlinkSync } from "node:fs";
import * as fs from "node:fs/promises";
import { hostname } from "node:os";
import { LEASE_MS, ProcessLocks } from "../core/process-lock.js";
import { codeOf, present } from "./file-system.js";
import { withFile } from "./open-files.js";

const locks = /* @__PURE__ */ new ProcessLocks();

/** Where the ids of processes mean the same as here; "" where it is not known. */
const home = /* @__PURE__ */ findHome();

/**
 * Locks a thread.
 * @param {string} path of the lock
 * @param {{ wait?: boolean, signal?: AbortSignal }} options
 * @returns {Promise<(() => void) | undefined>} releases the lock; undefined when another process
 *   holds it, or held it for WAIT_MS
 */
export function lockThread(path, options) {
  const mark = `${randomBytes(12).toString("hex")} ${process.pid} ${home}`;
  const wanted = `${path}-wanted`;
  const lock = {
    take: () => take(path, mark),
    ask: () => withFile(() => fs.writeFile(wanted, "")),
    // Other waiting processes make it again. One that stays only makes this process give way: no
    // reason to fail with the lock taken.
    settle: () => fs.unlink(wanted).catch(() => {}),
    touch: () => touch(path),
    letGo: () => letGo(path, mark),
    pollMs: [10, 40],
    giveWayMs: 100,
  };
  return locks.take(path, lock, options);
}

/**
 * Creates the lock file, also in place of an abandoned one.
 * @param {string} path
 * @param {string} mark
 * @returns {Promise<string | undefined>} the mark of its holder, if it is held
 */
async function take(path, mark) {
  for (;;) {
    try {
      await withFile(() => fs.writeFile(path, mark, { flag: "wx" }));
      return undefined;
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
    }
    const lock = await look(path);
    if (lock === undefined) continue;
    if (!lock.isLeft) return lock.holder;
    const aside = `${path}-${mark.slice(0, 24)}`;
    if (!(await present(fs.rename(path, aside).then(() => true)))) continue;
    // Another process took it over meanwhile: it gets its lock back.
    if (!(await look(aside))?.isLeft) await fs.link(aside, path).catch(() => {});
    await present(fs.unlink(aside));
  }
}

/**
 * Returns who holds a lock, and whether its holder is gone; undefined when there is no such file.
 * @param {string} path
 */
async function look(path) {
  const stat = await present(fs.stat(path));
  const holder = await present(withFile(() => fs.readFile(path, "utf8")));
  if (stat === undefined || holder === undefined) return undefined;
  return { holder, isLeft: Math.abs(Date.now() - stat.mtimeMs) > LEASE_MS || isGone(holder) };
}

/**
 * Is it known that the process of a mark has ended? Other threads of this process, and other copies
 * of this module, have its id.
 * @param {string} mark
 */
function isGone(mark) {
  const [, id, ...place] = mark.split(" ");
  if (home === "" || place.join(" ") !== home || Number(id) === process.pid) return false;
  try {
    return !process.kill(Number(id), 0);
  } catch (error) {
    return codeOf(error) === "ESRCH";
  }
}

/**
 * Names this machine, and in Linux the namespace of process ids. Deno would ask for permissions.
 */
function findHome() {
  if ("Deno" in globalThis) return "";
  try {
    const space = process.platform === "linux" ? readlinkSync("/proc/self/ns/pid") : "";
    return `${hostname()} ${space}`;
  } catch {
    return "";
  }
}

/** @param {string} path */
function touch(path) {
  const now = new Date();
  fs.utimes(path, now, now).catch(() => {});
}

/**
 * Releases the lock synchronously, so that a process that exits after its run leaves no file.
 * @param {string} path
 * @param {string} mark
 * @returns {boolean} whether another process waits
 */
function letGo(path, mark) {
  try {
    if (readFileSync(path, "utf8") === mark) unlinkSync(path);
    unlinkSync(`${path}-wanted`);
    return true;
  } catch {
    // Nobody waits, or another process took the lock over.
    return false;
  }
}
