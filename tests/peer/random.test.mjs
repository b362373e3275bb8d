// SPDX-License-Identifier: MIT
// Random graphs and random use of their threads through both packages: sections 4 to 13 in all the mixtures that nobody
// thinks of. WEFT_PEER_SEED and WEFT_PEER_RUNS repeat or lengthen a run; WEFT_LONG=1 is the long programme.
import assert from "node:assert/strict";
import { setMaxListeners } from "node:events";
import { test } from "node:test";
import fc from "fast-check";
import { compare } from "./harness.mjs";
import { graphs, programOf } from "./random-graphs.mjs";

// LangGraph.js listens to one signal once a task.
setMaxListeners(200);

const LONG_RUNS = 10_000;
const RUNS = 300;
const CI_SEED = 20_261_120;

const isLong = process.env.WEFT_LONG === "1";
const numRuns = Number(process.env.WEFT_PEER_RUNS ?? (isLong ? LONG_RUNS : RUNS));
const seed = Number(process.env.WEFT_PEER_SEED ?? (isLong ? Date.now() % 2 ** 31 : CI_SEED));

test(`${numRuns} random graphs, seed ${seed}`, { timeout: isLong ? 3_600_000 : 300_000 }, async () => {
  const result = await fc.check(
    fc.asyncProperty(graphs, async (spec) => {
      const found = await compare(programOf(spec));
      if (found !== undefined) throw new Error(found);
    }),
    { seed, numRuns },
  );
  if (!result.failed) return;
  const [spec] = result.counterexample;
  assert.fail(
    `after ${result.numRuns} graphs (WEFT_PEER_SEED=${result.seed}), shrunk ${result.numShrinks} times:\n` +
      `${JSON.stringify(spec, (_, value) => value, 1)}\n${result.errorInstance?.message}`,
  );
});
