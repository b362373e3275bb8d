// SPDX-License-Identifier: MIT
// How many files and folders this process's stores have open at once: what is over the bound waits.
// A system that has no more to give (others opened them) is asked again for a second or two. Knows
// no file.

/** @typedef {import("../../base/callable.js").Value} Value */

/** A process may have 256 in all (macOS, `ulimit -n`); reading is no faster with more. */
const MOST = 64;
const TRIES = 12;
const NONE_LEFT = ["EMFILE", "ENFILE"];

let open = 0;
/** @type {(() => void)[]} */
const waiting = [];

/**
 * Runs what opens one file or folder and closes it. Not to be called within itself.
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withFile(work) {
  if (open < MOST) open++;
  else
    await new Promise((/** @type {(value?: unknown) => void} */ resolve) => waiting.push(resolve));
  try {
    for (let tries = 1; ; tries++) {
      try {
        return await work();
      } catch (/** @type {Value} */ error) {
        if (!NONE_LEFT.includes(error?.code) || tries === TRIES) throw error;
        await new Promise((resolve) => setTimeout(resolve, 25 * tries));
      }
    }
  } finally {
    const next = waiting.shift();
    if (next === undefined) open--;
    else next();
  }
}
