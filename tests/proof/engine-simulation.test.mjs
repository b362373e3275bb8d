// SPDX-License-Identifier: MIT
// T9 of the engine alone (simulate.c, under ASan and UBSan): random graphs whose processes, often
// two at once, die between any two events, whose last commit is torn, and to which memory is
// refused. Acknowledged commits stay, of two writers one is fenced, finished tasks never run again,
// calls begin after the log says so and are told of when they were in flight, questions wait, each
// thread ends as it does without faults, nothing leaks; a seed happens the same way again. 8,000
// seeds; under WEFT_LONG a million, in lots that add up in build/proof/T9-engine.json; WEFT_SECONDS
// ends a run earlier.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { LONG, figure, isBroken, keepSum, readSum, tell, timeLimit } from "./kit.mjs";

const program = fileURLToPath(new URL("../../build/native/proof/simulate", import.meta.url));
const SEEDS = 8000;
const LOT = 10_000;
const MILLION = 1_000_000;

/** @param {string[]} planted */
const play = (first, seeds, ...planted) =>
  spawnSync(program, [String(first), String(seeds), ...planted], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });

/** @param {number} first @param {number} seeds @returns {Record<string, number>} */
function simulate(first, seeds) {
  // T9's planted bug: who is late writes all the same.
  const { stdout, stderr, status, error } = play(
    first,
    seeds,
    ...(isBroken("T9") ? ["unfenced"] : []),
  );
  assert.equal(status, 0, `${error ?? ""}${stdout.slice(0, 4000)}${stderr.slice(0, 4000)}`);
  return JSON.parse(stdout);
}

test("T9: the engine keeps its promises while processes die, commits are torn and memory is refused", {
  timeout: LONG ? Infinity : 300_000,
}, () => {
  figure("T9 of the engine", simulate(1, SEEDS));
});

test("T9: what is planted in the engine's world is found", () => {
  for (const planted of ["torn", "unfenced"])
    assert.match(play(1, 100, planted).stdout, /^T9: /, planted);
});

test("T9: a million seeds", {
  timeout: Infinity,
  skip: LONG ? false : "slow: make check-long PART=T9",
}, () => {
  const sum = { seeds: 0, ...readSum("T9-engine") };
  const isOver = timeLimit();
  while (sum.seeds < MILLION && !isOver()) {
    for (const [what, count] of Object.entries(simulate(sum.seeds + 1, LOT)))
      sum[what] = (sum[what] ?? 0) + count;
    keepSum("T9-engine", sum);
  }
  tell(
    `T9 of the engine: ${Object.entries(sum)
      .map(([what, count]) => `${count.toLocaleString("en")} ${what}`)
      .join(", ")}`,
  );
});
