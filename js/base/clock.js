// SPDX-License-Identifier: MIT
// The clock of runs.

/** Time as a run takes it; a test's own stands still until it is moved. @typedef {{ now: () => number, setTimeout: (call: () => void, ms: number) => any, clearTimeout: (timer: any) => void }} Clock */

/** @type {Clock} */
export const CLOCK = {
  now: () => Date.now(),
  setTimeout: (call, ms) => setTimeout(call, ms),
  clearTimeout: (timer) => clearTimeout(timer),
};
