// SPDX-License-Identifier: MIT
// Counts the instructions that the native engine needs for a step of a chain and of a loop
// (callgrind, inside weft_engine_run_feed) and fails where one has grown by more than 2 % over the
// committed count: no feature makes a step dearer unseen. A count that has fallen as much is
// written down, so that it cannot creep back. Usage: node tests/bench/instructions.mjs program
// [--write]
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [program, mode] = process.argv.slice(2);
const file = join(
  import.meta.dirname ?? new URL(".", import.meta.url).pathname,
  "instructions.json",
);
const MOST = 0.02;
// A long run and a short one: what is left of their difference is steps alone.
const [SHORT, LONG] = [100, 600];

function collect(args) {
  const ran = spawnSync(
    "valgrind",
    [
      "--tool=callgrind",
      "--callgrind-out-file=/dev/null",
      "--toggle-collect=weft_engine_run_feed",
      program,
      ...args,
    ],
    { encoding: "utf8", timeout: 120_000 },
  );
  if (ran.error)
    throw new Error("valgrind is needed (Debian 12: valgrind); ./tools/setup.sh test installs it");
  const found = /Collected : (\d+)/.exec(ran.stderr);
  if (ran.status !== 0 || !found || Number(found[1]) === 0)
    throw new Error(`${program} ${args.join(" ")}: ${ran.stderr}`);
  return Number(found[1]);
}

const counted = {};
for (const shape of ["chain", "loop"]) {
  for (const kind of ["plain", "saved"]) {
    const [short, long] = [SHORT, LONG].map((steps) => collect([shape, kind, String(steps)]));
    counted[`${shape}, ${kind}`] = Math.round((long - short) / (LONG - SHORT));
  }
}
if (mode === "--write") {
  writeFileSync(file, `${JSON.stringify(counted, null, 2)}\n`);
  process.exit(0);
}
const committed = JSON.parse(readFileSync(file, "utf8"));
let failed = 0;
for (const [name, count] of Object.entries(counted)) {
  const change = count / committed[name] - 1;
  const verdict = change > MOST ? "  TOO MANY" : change < -MOST ? "  fewer: write it down" : "";
  failed += Number(!(Math.abs(change) <= MOST));
  console.log(
    `${name.padEnd(16)} ${String(count).padStart(7)} instructions a step, committed ${committed[name]} (${(change * 100).toFixed(1)} %)${verdict}`,
  );
}
if (failed) console.error("The new counts are written by: make instructions WRITE=1");
console.log(`${Object.keys(counted).length - failed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
