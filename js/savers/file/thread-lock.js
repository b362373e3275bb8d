// SPDX-License-Identifier: MIT
// Locks a thread among the processes that share its folder, by a file that only one of them can
// create and that its holder touches. The file of a process that is gone is taken over: at once if
// it was of this machine, else when it was not touched for LEASE_MS. The lock only keeps runs from
// interfering; the comparison of heads keeps the thread consistent.
//
//   tmp/lock-<sha-256>         held by one process; swept with the rest of tmp
//   tmp/lock-<sha-256>-wanted  another process waits: the holder does not lock again at once
import { randomBytes } from "node:crypto";
import { readFileSync, readlinkSync, unlinkSync } from "node:fs";
import * as fs from "node:fs/promises";
import { hostname } from "node:os";
import { codeOf, present } from "./file-system.js";
import { withFile } from "./open-files.js";

/** Lifetime of an untouched lock, in ms: longer than a process may block its timers. */
const LEASE_MS = 10_000;
const BEAT_MS = 2_000;
/** A waiting process checks again after a random time in this range, in ms. */
const POLL_MS = [10, 40];
/** Time in ms for which a holder leaves a wanted lock to others: all of them check meanwhile. */
const GIVE_WAY_MS = 100;

/**
 * Maximum time in ms to wait for one run of another process: a hanging run must not block all later
 * ones.
 */
const WAIT_MS = 600_000;

/** Time until which this process leaves a lock to others, by path. @type {Map<string, number>} */
const givesWay = new Map();
/**
 * Current holder of a lock, and since when this process waits for it.
 * @type {Map<string, { holder: string, since: number }>}
 */
const found = new Map();

/** Where the ids of processes mean the same as here; "" where it is not known. */
const home = /* @__PURE__ */ findHome();

/**
 * Locks a thread.
 * @param {string} path of the lock
 * @param {{ wait?: boolean, signal?: AbortSignal }} options
 * @returns {Promise<(() => void) | undefined>} releases the lock; undefined when another process
 *   holds it, or held it for WAIT_MS
 */
export async function lockThread(path, { wait = false, signal }) {
  const mark = `${randomBytes(12).toString("hex")} ${process.pid} ${home}`;
  const wanted = `${path}-wanted`;
  let hasAsked = false;
  const until = givesWay.get(path);
  givesWay.delete(path);
  if (wait && until !== undefined) await pause(until - Date.now(), signal);
  for (;;) {
    const holder = await take(path, mark);
    if (holder === undefined) break;
    if (!wait) return undefined;
    let seen = found.get(path);
    if (seen === undefined || seen.holder !== holder) {
      seen = { holder, since: Date.now() };
      found.set(path, seen);
    }
    if (Date.now() - seen.since > WAIT_MS) return undefined;
    hasAsked = true;
    await withFile(() => fs.writeFile(wanted, ""));
    await pause(POLL_MS[0] + Math.random() * (POLL_MS[1] - POLL_MS[0]), signal);
  }
  found.delete(path);
  // Other waiting processes make it again.
  if (hasAsked) await present(fs.unlink(wanted));
  const beat = setInterval(() => touch(path), BEAT_MS);
  beat.unref();
  return () => {
    clearInterval(beat);
    letGo(path, mark);
  };
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
 */
function letGo(path, mark) {
  try {
    if (readFileSync(path, "utf8") === mark) unlinkSync(path);
    unlinkSync(`${path}-wanted`);
    givesWay.set(path, Date.now() + GIVE_WAY_MS);
    setTimeout(() => givesWay.delete(path), GIVE_WAY_MS).unref();
  } catch {
    // Nobody waits, or another process took the lock over.
  }
}

/**
 * @param {number} ms
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<void>} rejects with the signal's reason
 */
function pause(ms, signal) {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      if (signal?.aborted) reject(signal.reason);
      else resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener("abort", end, { once: true });
    if (signal?.aborted) end();
  });
}
