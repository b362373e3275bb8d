// SPDX-License-Identifier: MIT
// Locks a thread among the processes that share its folder, by a file that only one of them can
// create and that its holder touches. A file not touched for LEASE_MS, left by a killed process, is
// taken over. The lock only keeps runs from interfering; the comparison of heads keeps the thread
// consistent.
//
//   tmp/lock-<sha-256>         held by one process; swept with the rest of tmp
//   tmp/lock-<sha-256>-wanted  another process waits: the holder does not lock again at once
import { randomBytes } from "node:crypto";
import { readFileSync, unlinkSync } from "node:fs";
import * as fs from "node:fs/promises";
import { present } from "./file-system.js";

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
 * @type {Map<string, { holder: string | undefined, since: number }>}
 */
const found = new Map();

/**
 * Locks a thread.
 * @param {string} path of the lock
 * @param {{ wait?: boolean, signal?: AbortSignal }} options
 * @returns {Promise<(() => void) | undefined>} releases the lock; undefined when another process
 *   holds it, or held it for WAIT_MS
 */
export async function lockThread(path, { wait = false, signal }) {
  const mark = randomBytes(12).toString("hex");
  const wanted = `${path}-wanted`;
  let hasAsked = false;
  const until = givesWay.get(path);
  givesWay.delete(path);
  if (wait && until !== undefined) await pause(until - Date.now(), signal);
  while (!(await take(path, mark))) {
    if (!wait) return undefined;
    const holder = await present(fs.readFile(path, "utf8"));
    let seen = found.get(path);
    // The lock may be gone by now: then the holder is undefined.
    if (seen === undefined || seen.holder !== holder) {
      seen = { holder, since: Date.now() };
      found.set(path, seen);
    }
    if (Date.now() - seen.since > WAIT_MS) return undefined;
    hasAsked = true;
    await fs.writeFile(wanted, "");
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
 * @returns {Promise<boolean>}
 */
async function take(path, mark) {
  for (;;) {
    try {
      await fs.writeFile(path, mark, { flag: "wx" });
      return true;
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EEXIST") throw error;
    }
    const stat = await present(fs.stat(path));
    if (stat === undefined) continue;
    if (!isLeft(stat)) return false;
    const aside = `${path}-${mark}`;
    if (!(await present(fs.rename(path, aside).then(() => true)))) continue;
    // Another process took it over meanwhile: it gets its lock back.
    if (!isLeft(await fs.stat(aside))) await fs.link(aside, path).catch(() => {});
    await present(fs.unlink(aside));
  }
}

/** @param {{ mtimeMs: number }} stat */
function isLeft({ mtimeMs }) {
  return Math.abs(Date.now() - mtimeMs) > LEASE_MS;
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
