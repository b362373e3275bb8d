// SPDX-License-Identifier: MIT
// T9: whole-system simulation. Random programs on one thread, run by processes that crash, on a
// store that fails and loses answers, two at a time; all of it decided by a seed. WEFT_SEED=n runs
// one seed. Under WEFT_LONG there are 1,100 seeds, and then more from where the last run ended, to
// a million in all; build/proof/T9.json keeps the sum. WEFT_SECONDS ends a run earlier.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { LONG, figure, isBroken, keepSum, readSum, timeLimit } from "./kit.mjs";
import { simulate } from "./simulate.mjs";

const SEEDS = 1100;
const FEW = 150;
const MILLION = 1_000_000;
const LOT = 100;
// T9's planted bug: the store writes a head although another is there.
const planted = { ignoreExpected: isBroken("T9") };
// Where what is injected was thrown is asked by whoever runs one seed; it takes a fifth of a seed's
// time.
if (!process.env.WEFT_SEED) Error.stackTraceLimit = 0;

/**
 * @param {number} seed
 * @param {Record<string, number>} sum
 * @param {boolean} twice also that it happens the same way again
 */
async function runSeed(seed, sum, twice) {
  try {
    const { counts, trace } = await simulate(seed, planted);
    for (const [what, count] of Object.entries(counts)) sum[what] = (sum[what] ?? 0) + count;
    if (twice) await runAgain(seed, trace);
  } catch (error) {
    throw new Error(
      `T9: ${error.message} (WEFT_SEED=${seed} node --test tests/proof/simulation.test.mjs)`,
      { cause: error },
    );
  }
  sum.seeds = (sum.seeds ?? 0) + 1;
}

/**
 * A seed decides all that happens, but for what the engine kept when its instance was replaced in
 * the middle of it.
 */
async function runAgain(seed, trace) {
  const second = (await simulate(seed, planted)).trace;
  const other = second.join() === trace.join() ? trace : (await simulate(seed, planted)).trace;
  assert.deepEqual(second, other, "a seed decides all that happens");
}

/**
 * Goes on to `most` seeds or until `isOver`, a lot at a time: a lot that a kill cuts short is run
 * again, and counts once.
 */
async function goOn(folder, most = MILLION, lot = LOT, isOver = timeLimit()) {
  const sum = { seeds: 0, ...readSum("T9", folder) };
  while (sum.seeds < most && !isOver(sum)) {
    for (let i = 0; i < lot; i++) await runSeed(SEEDS + sum.seeds + 1, sum, i === 0);
    keepSum("T9", sum, folder);
  }
  return sum;
}

test("T9: crashes, failing stores and second writers break no promise", {
  timeout: LONG ? Infinity : 1_200_000,
}, async () => {
  const only = Number(process.env.WEFT_SEED);
  if (only > 0) return runSeed(only, {}, true);
  const sum = {};
  for (let seed = 1; seed <= FEW; seed++) await runSeed(seed, sum, seed % 10 === 0);
  figure("T9 in make test", sum);
  if (!LONG) return;
  for (let seed = FEW + 1; seed <= SEEDS; seed++) await runSeed(seed, sum, seed % 10 === 0);
  for (const [what, count] of Object.entries(await goOn())) sum[what] = (sum[what] ?? 0) + count;
  figure("T9", sum);
});

test("T9: a long run that is stopped goes on where it was, and its counts add up", async (t) => {
  const [stopped, whole] = [1, 2].map(() => `${mkdtempSync(join(tmpdir(), "weft-t9-"))}/`);
  t.after(() =>
    [stopped, whole].forEach((folder) => rmSync(folder, { recursive: true, maxRetries: 5 })),
  );
  const first = await goOn(stopped, 12, 4, (sum) => sum.seeds >= 4);
  assert.equal(first.seeds, 4);
  // One that dies keeps the lots that it finished.
  let calls = 0;
  await assert.rejects(
    goOn(stopped, 12, 4, () => calls++ > 0 && assert.fail("stopped")),
    /stopped/,
  );
  assert.equal(readSum("T9", stopped).seeds, 8);
  assert.deepEqual(await goOn(stopped, 12, 4, () => false), readSum("T9", stopped));
  assert.equal(readSum("T9", stopped).seeds, 12);
  assert.equal(
    (await goOn(stopped, 12, 4, () => false)).seeds,
    12,
    "finished: nothing is left to run",
  );
  const once = await goOn(whole, 12, 4, () => false);
  assert.deepEqual(Object.keys(once).toSorted(), Object.keys(readSum("T9", stopped)).toSorted());
  for (const what of ["seeds", "effects", "questions"])
    assert.equal(readSum("T9", stopped)[what], once[what], what);
});
