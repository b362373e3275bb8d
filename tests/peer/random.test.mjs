// SPDX-License-Identifier: MIT
// Random graphs and random use of their threads through both packages: sections 4 to 13 in all the
// mixtures that nobody thinks of. WEFT_PEER_SEED and WEFT_PEER_RUNS repeat or lengthen a run. Under
// WEFT_LONG it goes on to 10,000 graphs of one seed, a lot at a time (`make check-long
// PART=random`, about ten minutes); build/proof/random.json keeps how far it got.
import assert from "node:assert/strict";
import { setMaxListeners } from "node:events";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { isBroken } from "../proof/kit.mjs";
import { LIBRARIES, compare } from "./harness.mjs";
import { graphs, programOf } from "./random-graphs.mjs";

// LangGraph.js listens to one signal once a task.
setMaxListeners(200);

const LONG_RUNS = 10_000;
const LOT = 250;
const RUNS = 100;
const CI_SEED = 20_261_120;
const BUILT = fileURLToPath(new URL("../../build/proof/", import.meta.url));

const isLong = process.env.WEFT_LONG === "1" && process.env.WEFT_PEER_RUNS === undefined;
const numRuns = Number(process.env.WEFT_PEER_RUNS ?? RUNS);
const seed = Number(process.env.WEFT_PEER_SEED ?? CI_SEED);

/** The planted bug: Weft's Commands go nowhere. */
class Lame extends LIBRARIES.weft.Command {
  constructor({ goto: _, ...rest }) {
    super(rest);
  }
}
if (isBroken("random")) LIBRARIES.weft = { ...LIBRARIES.weft, Command: Lame };

/** @param {number} seed @param {number} numRuns */
async function check(seed, numRuns) {
  const result = await fc.check(
    fc.asyncProperty(graphs, async (spec) => {
      const found = await compare(programOf(spec));
      if (found !== undefined) throw new Error(found);
    }),
    { seed, numRuns, endOnFailure: isBroken("random") },
  );
  if (!result.failed) return;
  const [spec] = result.counterexample;
  assert.fail(
    `random: after ${result.numRuns} graphs (WEFT_PEER_SEED=${result.seed}), shrunk ${result.numShrinks} times:\n` +
      `${JSON.stringify(spec, (_, value) => value, 1)}\n${result.errorInstance?.message}`,
  );
}

/** How far the long run got; a new one begins when it is done, or another seed is wanted. */
function readProgress() {
  const wanted = process.env.WEFT_PEER_SEED;
  try {
    const progress = JSON.parse(readFileSync(`${BUILT}random.json`, "utf8"));
    if (progress.graphs < LONG_RUNS && (wanted === undefined || progress.seed === Number(wanted)))
      return progress;
  } catch {}
  return { seed: Number(wanted ?? Date.now() % 2 ** 31), graphs: 0 };
}

if (isLong) {
  test(`${LONG_RUNS} random graphs`, { timeout: 7_200_000 }, async () => {
    const progress = readProgress();
    mkdirSync(BUILT, { recursive: true });
    for (
      ;
      progress.graphs < LONG_RUNS;
      writeFileSync(`${BUILT}random.new`, JSON.stringify(progress)),
        renameSync(`${BUILT}random.new`, `${BUILT}random.json`)
    ) {
      await check(progress.seed + progress.graphs / LOT, LOT);
      progress.graphs += LOT;
    }
  });
} else {
  test(`${numRuns} random graphs, seed ${seed}`, { timeout: 1_200_000 }, () =>
    check(seed, numRuns),
  );
}
