// SPDX-License-Identifier: MIT
// T11: each tests/fuzz/fuzz_*.c under ASan and UBSan, over its kept corpus (tests/fuzz/corpus) and
// a number of inputs made from it, the same each time. Under WEFT_LONG a target goes on to ten
// million inputs, over as many runs as it takes: build/proof/T11.json keeps the sums,
// build/fuzz/corpus what was found. WEFT_SECONDS ends a run earlier, WEFT_TARGET=log takes one
// target.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { LONG, figure, keepSum, readSum, timeLimit } from "../proof/kit.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);
const TEN_MILLION = 10_000_000;
// Inputs in `make test`: a few seconds each.
const RUNS = {
  border: 12_000,
  frames: 4_000,
  json: 60_000,
  log: 6_000,
  plan: 20_000,
  record: 60_000,
  resume: 4_000,
  schema: 15_000,
};
const targets = readdirSync(`${root}tests/fuzz`).flatMap(
  (file) => /^fuzz_(\w+)\.c$/.exec(file)?.[1] ?? [],
);

/** What a fuzzer did: inputs executed. Its failure is the input that it kept in build/fuzz. */
async function fuzz(target, words) {
  // A fuzzer adds what it finds to the first folder.
  const found = LONG ? `build/fuzz/corpus/${target}` : mkdtempSync(join(tmpdir(), "weft-fuzz-"));
  mkdirSync(resolve(root, found), { recursive: true });
  const corpus = [found, `tests/fuzz/corpus/${target}`];
  const limits = [
    "-rss_limit_mb=256",
    "-timeout=60",
    "-print_final_stats=1",
    `-artifact_prefix=build/fuzz/${target}-`,
  ];
  const env = { ...process.env, ASAN_OPTIONS: "quarantine_size_mb=16" };
  const { stderr } = await run(`build/fuzz/fuzz_${target}`, [...limits, ...words, ...corpus], {
    cwd: root,
    env,
    maxBuffer: 1 << 28,
  })
    .catch((error) => {
      const why = error.stderr
        .split("\n")
        .filter((line) => !/^(#\d|\s+NEW_FUNC|INFO)/.test(line))
        .slice(0, 40);
      throw new Error(`T11: ${target}: ${why.join("\n")}`);
    })
    .finally(() => LONG || rmSync(found, { recursive: true }));
  return Number(/stat::number_of_executed_units: (\d+)/.exec(stderr)[1]);
}

/** A minute of each target in turn. */
async function goOn() {
  const sums = readSum("T11");
  const isOver = timeLimit();
  const wanted = targets.filter((name) => (process.env.WEFT_TARGET ?? name) === name);
  const isDone = () => isOver() || wanted.every((name) => (sums[name] ?? 0) >= TEN_MILLION);
  while (!isDone()) {
    for (const name of wanted) {
      const left = TEN_MILLION - (sums[name] ?? 0);
      if (left <= 0 || isOver()) continue;
      sums[name] = (sums[name] ?? 0) + (await fuzz(name, [`-runs=${left}`, "-max_total_time=60"]));
      keepSum("T11", sums);
    }
  }
  for (const name of wanted)
    console.log(
      `${name}: ${(sums[name] ?? 0).toLocaleString("en")} of ${TEN_MILLION.toLocaleString("en")}`,
    );
  return wanted.reduce((sum, name) => sum + (sums[name] ?? 0), 0);
}

test("T11: no input makes the engine read or write where it may not, leak, hang or contradict itself", {
  timeout: LONG ? Infinity : 1_200_000,
}, async () => {
  const counts = [];
  const waiting = [...targets];
  const work = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift())
      counts.push(await fuzz(name, [`-runs=${RUNS[name]}`, "-seed=1"]));
  };
  assert.deepEqual(targets.toSorted(), Object.keys(RUNS));
  await Promise.all([work(), work()]);
  if (LONG) counts.push(await goOn());
  figure("T11", {
    targets: targets.length,
    executions: counts.reduce((sum, count) => sum + count),
  });
});
