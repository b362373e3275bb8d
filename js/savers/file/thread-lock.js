// SPDX-License-Identifier: MIT
// Who holds a thread, among the processes that share its folder: a file that only one of them can
// make, and that its holder touches. One that nobody has touched for LEASE_MS, as a killed process
// leaves it, is taken over. It keeps runs out of each other's way; what keeps the thread whole is
// the comparison of heads.
//
//   tmp/lock-<sha-256>         the holder's; swept with the rest of tmp
//   tmp/lock-<sha-256>-wanted  somebody waits for it: the holder does not take it again at once
import { randomBytes } from "node:crypto";
import { readFileSync, unlinkSync } from "node:fs";
import * as fs from "node:fs/promises";
import { present } from "./file-system.js";

/** @typedef {import("../../base/callable.js").Value} Value */

/**
 * For so long a lock that nobody touches counts: longer than a process may not come to its timers.
 */
const LEASE_MS = 10_000;
const BEAT_MS = 2_000;
/** Who waits looks again at a random time in it. */
const POLL_MS = [10, 40];
/**
 * For so long the holder leaves a lock that is wanted to the others: all of them have looked
 * meanwhile.
 */
const GIVE_WAY_MS = 100;

/**
 * For so long a process waits for one run of another: a run that hangs must not hold up all that
 * come later.
 */
const WAIT_MS = 600_000;

/** Until when this process leaves a lock to others. @type {Map<string, number>} */
const givesWay = new Map();
/**
 * Whose lock this process found, and since when it waits for it.
 * @type {Map<string, { holder: string | undefined, since: number }>}
 */
const found = new Map();

/**
 * @param {string} path of the lock
 * @param {{ wait?: boolean, signal?: AbortSignal }} options
 * @returns {Promise<(() => void) | undefined>} lets go; undefined: another process holds it, or has
 *   held it all the while
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
    if (found.get(path)?.holder !== holder) found.set(path, { holder, since: Date.now() });
    if (Date.now() - /** @type {Record<PropertyKey, Value>} */ (found.get(path)).since > WAIT_MS)
      return undefined;
    hasAsked = true;
    await fs.writeFile(wanted, "");
    await pause(POLL_MS[0] + Math.random() * (POLL_MS[1] - POLL_MS[0]), signal);
  }
  found.delete(path);
  // Others that wait ask again.
  if (hasAsked) await present(fs.unlink(wanted));
  const beat = setInterval(() => touch(path), BEAT_MS);
  beat.unref();
  return () => {
    clearInterval(beat);
    letGo(path, mark);
  };
}

/**
 * Makes the lock, also in the place of one that nobody holds any more.
 * @param {string} path
 * @param {string} mark
 * @returns {Promise<boolean>}
 */
async function take(path, mark) {
  for (;;) {
    try {
      await fs.writeFile(path, mark, { flag: "wx" });
      return true;
    } catch (/** @type {Value} */ error) {
      if (error?.code !== "EEXIST") throw error;
    }
    const stat = await present(fs.stat(path));
    if (stat === undefined) continue;
    if (!isLeft(stat)) return false;
    const aside = `${path}-${mark}`;
    if (!(await present(fs.rename(path, aside).then(() => true)))) continue;
    // Another one has taken it over meanwhile: it gets its lock back.
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
 * At once, so that a process which ends behind its run leaves nothing.
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
    // Nobody waits, or others have taken it over.
  }
}

/**
 * @param {number} ms
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<void>} rejects with what the signal was aborted with
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
