// SPDX-License-Identifier: MIT
// Limits how many files and folders this process's stores have open at once; further calls wait.
// Retries for a second or two when the system has no more file handles. Does not depend on
// particular files.

/** Limit of open files. A process may have 256 (macOS, `ulimit -n`); more would not read faster. */
const MOST = 64;
const TRIES = 12;
const NONE_LEFT = ["EMFILE", "ENFILE"];

let open = 0;
/** @type {(() => void)[]} */
const waiting = [];

/**
 * Runs work that opens one file or folder and closes it. Must not be nested.
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
      } catch (error) {
        const { code } = /** @type {NodeJS.ErrnoException} */ (error);
        if (!NONE_LEFT.includes(code ?? "") || tries === TRIES) throw error;
        await new Promise((resolve) => setTimeout(resolve, 25 * tries));
      }
    }
  } finally {
    const next = waiting.shift();
    if (next === undefined) open--;
    else next();
  }
}
