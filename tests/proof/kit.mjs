// SPDX-License-Identifier: MIT
// What the proof tests (T1 to T23 in docs/reliability.md) share: the committed figures, the long tier, planted bugs.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

export const LONG = Boolean(process.env.WEFT_LONG);

/** WEFT_BREAK=T9 plants T9's bug: the test must then fail. @param {string} part */
export const isBroken = (part) => process.env.WEFT_BREAK === part;

const committed = JSON.parse(readFileSync(new URL("../figures.json", import.meta.url), "utf8"));

/**
 * Prints what a test counted where it injected its faults; fewer than tests/figures.json has are a failure.
 * @param {string} part
 * @param {Record<string, number>} counts
 */
export function figure(part, counts) {
  for (const [what, least] of Object.entries(committed[part])) {
    assert.ok(counts[what] >= least, `${part}: ${counts[what]} ${what}, tests/figures.json has ${least}`);
  }
  console.log(`${part}: ${Object.entries(counts).map(([what, count]) => `${count.toLocaleString("en")} ${what}`).join(", ")}`);
}
