// SPDX-License-Identifier: MIT
// What the proof tests (T1 to T26 in docs/reliability.md) share: the committed figures, the long
// tier, planted bugs.
import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const LONG = Boolean(process.env.WEFT_LONG);

/** WEFT_BREAK=T9 plants T9's bug: the test must then fail. @param {string} part */
export const isBroken = (part) => process.env.WEFT_BREAK === part;

const committed = JSON.parse(readFileSync(new URL("../figures.json", import.meta.url), "utf8"));

/**
 * Prints what a test counted where it injected its faults; fewer than tests/figures.json has are a
 * failure.
 * @param {string} part
 * @param {Record<string, number>} counts
 */
export function figure(part, counts) {
  for (const [what, least] of Object.entries(committed[part])) {
    assert.ok(
      counts[what] >= least,
      `${part}: ${counts[what]} ${what}, tests/figures.json has ${least}`,
    );
  }
  tell(
    `${part}: ${Object.entries(counts)
      .map(([what, count]) => `${count.toLocaleString("en")} ${what}`)
      .join(", ")}`,
  );
}

/** Prints a figure; a long run repeats it on its last line. @param {string} line */
export function tell(line) {
  console.log(line);
  if (process.env.WEFT_FIGURES) appendFileSync(process.env.WEFT_FIGURES, `${line}\n`);
}

const BUILT = fileURLToPath(new URL("../../build/proof/", import.meta.url));

/** What earlier long runs of a part came to, or {}. @param {string} part */
export function readSum(part, folder = BUILT) {
  try {
    return JSON.parse(readFileSync(`${folder}${part}.json`, "utf8"));
  } catch {
    return {};
  }
}

/** Keeps it, whole or not at all. @param {string} part @param {object} sum */
export function keepSum(part, sum, folder = BUILT) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}${part}.new`, JSON.stringify(sum));
  renameSync(`${folder}${part}.new`, `${folder}${part}.json`);
}

/** Whether the time that WEFT_SECONDS gives a long run is over. */
export function timeLimit(seconds = Number(process.env.WEFT_SECONDS)) {
  const end = seconds ? performance.now() + seconds * 1000 : Infinity;
  return () => performance.now() >= end;
}
