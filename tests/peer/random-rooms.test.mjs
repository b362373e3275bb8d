// SPDX-License-Identifier: MIT
// Random programs about one room each, beside the graphs of random.test.mjs. WEFT_PEER_ROOM picks
// one, WEFT_PEER_SEED and WEFT_PEER_RUNS repeat or lengthen a run. Under WEFT_LONG there are 3,000
// programs a room, of a new seed (`make check-long PART=random`).
import { test } from "node:test";
import { check } from "./random-kit.mjs";
import * as agent from "./random-agent.mjs";
import * as clock from "./random-clock.mjs";
import * as state from "./random-state.mjs";
import * as store from "./random-store.mjs";
import * as streams from "./random-streams.mjs";
import * as subgraphs from "./random-subgraphs.mjs";
import * as travel from "./random-travel.mjs";
import * as work from "./random-work.mjs";

const rooms = { work, state, subgraphs, clock, agent, travel, streams, store };

const LONG_RUNS = 3000;
const LOT = 250;
const RUNS = 20;
const CI_SEED = 20_261_122;

const isLong = process.env.WEFT_LONG === "1" && process.env.WEFT_PEER_RUNS === undefined;
const numRuns = Number(process.env.WEFT_PEER_RUNS ?? (isLong ? LONG_RUNS : RUNS));
const seed = Number(process.env.WEFT_PEER_SEED ?? (isLong ? Date.now() % 2 ** 31 : CI_SEED));

for (const [name, room] of Object.entries(rooms)) {
  if ((process.env.WEFT_PEER_ROOM ?? name) !== name) continue;
  test(`${numRuns} random programs of ${name}, seed ${seed}`, {
    timeout: isLong ? 3_600_000 : 300_000,
  }, async () => {
    // Lots keep a counterexample's seed near its program.
    for (let done = 0; done < numRuns; done += LOT)
      await check(room, { seed: seed + done / LOT, numRuns: Math.min(LOT, numRuns - done) });
  });
}
