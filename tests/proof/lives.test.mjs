// SPDX-License-Identifier: MIT
// T24: conversations whose process dies again and again, at each call of the store and while tools
// and models are at work, in one process (decided by a seed) and by kill -9 of a process with a
// FileSaver: what getState shows is what goes on, nothing that was told is lost, nothing runs twice
// unasked, no model reads a call without an answer, and the end is that of a conversation without a
// death. Under WEFT_LONG 1,000 lives of both kinds for each program in each durability; what is run
// adds up in build/proof/T24.json, so WEFT_SECONDS may end a run earlier. WEFT_LIVES=n is another
// number of lives, WEFT_PROGRAM=v1/exit one program, WEFT_SEED=n one conversation of it.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { LONG, figure, isBroken, keepSum, readSum, tell, timeLimit } from "./kit.mjs";
import { DURABILITIES, PROGRAMS, lookBroken } from "./lives.mjs";
import { runLives } from "./lives-world.mjs";
import { makeRandom } from "./world.mjs";

const LIVES = Number(process.env.WEFT_LIVES) || 1000;
const FEW = 8;
const LOT = 50;
/**
 * The longest that a process lives once its modules are there, in ms: some 700 go into a
 * conversation.
 */
const LONGEST_MS = 160;
const main = fileURLToPath(new URL("lives-main.mjs", import.meta.url));
const all = PROGRAMS.flatMap((program) =>
  DURABILITIES.map((durability) => `${program}/${durability}`),
);
const chosen = process.env.WEFT_PROGRAM === undefined ? all : [process.env.WEFT_PROGRAM];
// T24's planted bug: of a thread that is not over getState says that nothing is next.
const look = isBroken("T24") ? lookBroken : undefined;
if (!process.env.WEFT_SEED) Error.stackTraceLimit = 0;

/**
 * Conversations from `seed` on, until so many lives were cut short.
 * @returns the next seed, and the counts
 */
async function liveInWorld(name, most, seed) {
  const sum = { lives: 0, effects: 0, questions: 0 };
  for (; sum.lives < most; seed++) {
    try {
      for (const [what, count] of Object.entries(await runLives(...name.split("/"), seed, look)))
        sum[what] += count;
    } catch (error) {
      throw new Error(
        `T24: ${name}: ${error.message} (WEFT_PROGRAM=${name} WEFT_SEED=${seed} node --test tests/proof/lives.test.mjs)`,
        { cause: error },
      );
    }
  }
  return { seed, sum };
}

/**
 * One life of a process that goes on from the conversation `first`, and is killed `ms` after it is
 * ready.
 * @returns {Promise<string | undefined>} what it found
 */
function killAfter(folder, name, first, ms) {
  const child = spawn(
    process.execPath,
    [main, folder, ...name.split("/"), isBroken("T24") ? "broken" : "", String(first)],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  let said = "";
  child.stderr.on("data", (bytes) => (said += bytes));
  child.stdout.once("data", () => setTimeout(() => child.kill("SIGKILL"), ms));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) =>
      resolve(signal === "SIGKILL" ? undefined : said || `it ended with ${code}`),
    );
  });
}

/**
 * Of conversations from number `seed` on.
 * @param {string} name
 * @param {number} kills
 * @param {number} [seed]
 */
async function killLoop(name, kills, seed = 1) {
  const folder = mkdtempSync(join(tmpdir(), "weft-lives-"));
  const random = makeRandom(seed);
  try {
    for (let i = 0; i < kills; i++) {
      const found = await killAfter(folder, name, seed, random.below(LONGEST_MS));
      assert.equal(found, undefined, `T24: ${name}, killed: ${found}`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

const KINDS = {
  async lives(name, sum, most) {
    const { seed, sum: more } = await liveInWorld(name, most, sum.seed);
    sum.seed = seed;
    for (const [what, count] of Object.entries(more)) sum[what] += count;
  },
  async kills(name, sum, most) {
    await killLoop(name, most, sum.kills + 1);
    sum.kills += most;
  },
};

/** Goes on to as many lives as are wanted, a lot of each program at a time. */
async function goOn() {
  const isOver = timeLimit();
  const sums = readSum("T24");
  for (const name of chosen)
    sums[name] ??= { seed: 1000, lives: 0, effects: 0, questions: 0, kills: 0 };
  for (const [kind, run] of Object.entries(KINDS)) {
    for (let wanted = LOT; wanted <= Math.max(LIVES, LOT); wanted += LOT) {
      for (const name of chosen) {
        const most = Math.min(wanted, LIVES) - sums[name][kind];
        if (most <= 0 || isOver()) continue;
        await run(name, sums[name], most);
        keepSum("T24", sums);
      }
    }
  }
  for (const name of chosen)
    tell(`T24 of ${name}: ${sums[name].lives} lives, ${sums[name].kills} kills`);
  return sums;
}

test("T24: whoever dies leaves what the next one goes on from", {
  timeout: LONG ? Infinity : 1_200_000,
}, async () => {
  if (process.env.WEFT_SEED)
    return runLives(...chosen[0].split("/"), Number(process.env.WEFT_SEED), look);
  const sum = { programs: 0, lives: 0, effects: 0, questions: 0 };
  for (const name of chosen) {
    const { sum: one } = await liveInWorld(name, FEW, 1);
    sum.programs++;
    for (const [what, count] of Object.entries(one)) sum[what] += count;
  }
  if (chosen.length === all.length) figure("T24 in make test", sum);
});

test("T24: so it is when the process is killed", { timeout: LONG ? Infinity : 1_200_000 }, () =>
  killLoop("v1/exit", 4),
);

test("T24: a thousand lives of each", {
  timeout: Infinity,
  skip: LONG ? false : "slow: make check-long PART=T24",
}, async () => {
  const sums = await goOn();
  const total = { programs: 0, lives: 0, kills: 0 };
  for (const { lives, kills } of Object.values(sums)) {
    total.programs++;
    total.lives += lives;
    total.kills += kills;
  }
  const isWhole = all.every((name) => sums[name]?.lives >= 1000 && sums[name]?.kills >= 1000);
  if (isWhole) figure("T24", total);
  else tell(`T24 so far: ${total.lives} lives, ${total.kills} kills of ${total.programs} programs`);
});
