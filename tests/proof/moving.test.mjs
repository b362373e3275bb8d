// SPDX-License-Identifier: MIT
// T19: the tests of the package pass while the engine's memory moves at every call: nobody uses a
// view of it afterwards.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { LONG, figure } from "./kit.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const QUICK = [
  "invoke",
  "stream",
  "interrupt",
  "thread",
  "state-graph",
  "pump",
  "history",
  "ledger",
  "prebuilt-tool-node",
  "schema",
  "codec",
];
// They measure instances, or start processes that do not preload this.
const NOT = ["bundle", "engine", "entries", "readme", "schema-suite", "json-suite", "slots"];

test("T19: the tests pass while memory moves at every call", {
  timeout: LONG ? Infinity : 1_200_000,
}, async (t) => {
  const folder = await fs.mkdtemp(join(tmpdir(), "weft-moving-"));
  t.after(() => fs.rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const all = (await fs.readdir(join(root, "tests/js")))
    .filter((name) => name.endsWith(".test.mjs"))
    .map((name) => name.slice(0, -".test.mjs".length));
  const files = (LONG ? all.filter((name) => !NOT.includes(name)) : QUICK).map(
    (name) => `tests/js/${name}.test.mjs`,
  );
  const moves = join(folder, "moves");
  const { NODE_TEST_CONTEXT: _, WEFT_LONG: __, ...env } = process.env;
  const options = {
    cwd: root,
    env: {
      ...env,
      WEFT_MOVES: moves,
      NODE_OPTIONS: `--import ${join(root, "tests/proof/moving.mjs")}`,
    },
    maxBuffer: 1 << 28,
  };
  const run = promisify(execFile)(
    process.execPath,
    ["--test", "--test-reporter=tap", "--test-concurrency=2", ...files],
    options,
  );
  const { stdout, failed } = await run.catch((error) => ({ stdout: error.stdout, failed: true }));
  const bad = stdout.split("\n").filter((line) => /^\s*not ok/.test(line));
  assert.ok(!failed, `T19: ${bad.slice(0, 10).join("; ")}`);
  const calls = (await fs.readFile(moves, "utf8"))
    .trim()
    .split("\n")
    .reduce((sum, line) => sum + Number(line), 0);
  figure("T19", {
    files: files.length,
    tests: Number(/^# pass (\d+)/m.exec(stdout)[1]),
    moves: 2 * calls,
  });
});
