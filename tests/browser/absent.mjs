// SPDX-License-Identifier: MIT
// Knows: when a browser may be missing. Tests of one that a machine does not have are skipped, and
// say so; where CI is set, tools/setup.sh has installed them all, and a missing one is a failure.

/**
 * @param {boolean} isHere
 * @param {string} browser its name, and where it should be
 * @param {{ isInstalled?: boolean }} [options] `isInstalled`: by the set-up of this kind of run
 * @throws Error for a browser that is missing where it was installed
 */
export function mayBeMissing(isHere, browser, { isInstalled = true } = {}) {
  if (!isHere && process.env.CI && isInstalled)
    throw new Error(`There is no ${browser}: run tools/setup.sh, which CI needs to test in it.`);
}
