// SPDX-License-Identifier: MIT
// Deno processes that share a Deno KV and a thread: their runs wait for each other.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { text } from "node:stream/consumers";

const deno = fileURLToPath(new URL("../../node_modules/.bin/deno", import.meta.url));
const user = fileURLToPath(new URL("kv-user.mjs", import.meta.url));
const OPTIONS = ["run", "--quiet", "--no-lock", "--node-modules-dir=none", "--unstable-kv", "-A"];

function start(t, folder, runs, ...strategy) {
  const words = [join(folder, "kv.db"), String(runs), ...strategy];
  const child = spawn(deno, [...OPTIONS, user, ...words], {
    env: { ...process.env, DENO_DIR: join(folder, "deno"), NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  t.after(() => child.kill("SIGKILL"));
  return child;
}

/** What two processes print, and what their runs resolved to: a state or a code. */
async function use(t, folder, runs, ...strategy) {
  const told = await Promise.all(
    [0, 1].map(() => text(start(t, folder, runs, ...strategy).stdout)),
  );
  const results = told.flatMap((lines) =>
    lines
      .trim()
      .split("\n")
      .map((one) => JSON.parse(one)),
  );
  return results.map((result) => result.count ?? result);
}

async function folderOf(t) {
  const folder = await fs.mkdtemp(join(tmpdir(), "weft-kv-"));
  t.after(() => fs.rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

test("two processes, 20 runs each on one thread in Deno KV: all succeed, in turn, each step once; a killed one holds the thread for some seconds only", async (t) => {
  const folder = await folderOf(t);
  const counts = await use(t, folder, 20);
  assert.deepEqual(
    counts.sort((a, b) => a - b),
    Array.from({ length: 40 }, (_, i) => 2 * i + 2),
  );
  const hanging = start(t, folder, 0);
  await once(hanging.stdout, "data");
  hanging.kill("SIGKILL");
  // The killed run has stored its input, no step.
  assert.deepEqual(JSON.parse(await text(start(t, folder, 1).stdout)), { count: 82 });
});

test("two processes that do not wait for each other: a run ends with its state or with FENCED, and the steps of those that ended well are all there", async (t) => {
  const folder = await folderOf(t);
  const counts = await use(t, folder, 10, "concurrent");
  const ended = counts.filter((count) => count !== "FENCED");
  assert.equal(counts.length, 20);
  assert.ok(ended.every(Number.isInteger), String(ended));
  const { count } = JSON.parse(await text(start(t, folder, 1).stdout));
  assert.ok(count >= 2 * ended.length + 2, `${count} after ${ended.length} runs`);
});
