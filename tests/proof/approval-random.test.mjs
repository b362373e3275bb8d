// SPDX-License-Identifier: MIT
// T25: random programs about approval (approval-plans.mjs). Whatever the kind of tool, its schema
// and policy, what wraps it, how often and where a person's answers arrive and where the process
// dies: what ran had been shown, and was approved, as it ran. WEFT_SEED=n runs one. Under WEFT_LONG
// there are 100,000, from where the last run ended; build/proof/T25.json keeps the sum,
// WEFT_SECONDS ends a run earlier.
import { test } from "node:test";
import { BUGS, plant } from "./approval-bugs.mjs";
import { LONG, figure, isBroken, keepSum, readSum, tell, timeLimit } from "./kit.mjs";

const FEW = 1000;
const MANY = 100_000;
const LOT = 1000;
const only = Number(process.env.WEFT_SEED);
// Where what is injected was thrown is asked by whoever runs one seed.
if (!only) Error.stackTraceLimit = 0;
const planted = isBroken("T25") ? "1" : Object.keys(BUGS).find((bug) => isBroken(`T25 ${bug}`));
if (planted !== undefined) plant(planted);
const { playSeed } = await import("./approval-programs.mjs");
// What a message of this process cannot keep in the log is told once.
console.warn = () => {};

/** @param {number} seed @param {Record<string, number>} sum */
async function runSeed(seed, sum) {
  try {
    for (const [what, count] of Object.entries(await playSeed(seed)))
      sum[what] = (sum[what] ?? 0) + count;
  } catch (error) {
    const { plan, trace } = error;
    throw new Error(
      `T25: ${error.message}\nWEFT_SEED=${seed} node --test tests/proof/approval-random.test.mjs\n${JSON.stringify(plan)}\n${trace?.join("\n")}`,
      { cause: error },
    );
  }
  sum.programs = (sum.programs ?? 0) + 1;
}

/** Goes on to `most` programs; a lot that a kill cuts short is run again, and counts once. */
async function goOn(most, isOver = timeLimit()) {
  const sum = { programs: 0, ...readSum("T25") };
  while (sum.programs < most && !isOver()) {
    for (let i = 0; i < LOT; i++) await runSeed(sum.programs + 1, sum);
    keepSum("T25", sum);
  }
  return sum;
}

test("T25: what runs was shown and approved as it runs", {
  timeout: LONG ? Infinity : 1_200_000,
}, async () => {
  if (only > 0) return runSeed(only, {});
  if (LONG) {
    const sum = await goOn(MANY);
    if (sum.programs >= MANY) figure("T25", sum);
    else tell(`T25: ${sum.programs.toLocaleString("en")} programs so far`);
    return;
  }
  const sum = {};
  for (let seed = 1; seed <= FEW; seed++) await runSeed(seed, sum);
  figure("T25 in make test", sum);
});
