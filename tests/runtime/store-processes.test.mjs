// SPDX-License-Identifier: MIT
// The store contract in other runtimes: the file store in Bun and Deno, the Deno KV store in Deno,
// each over real files, and what they kept after their process ended (T5: reopening).
import { test } from "node:test";
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const bin = fileURLToPath(new URL("../../node_modules/.bin/", import.meta.url));
const runner = fileURLToPath(new URL("store-runner.mjs", import.meta.url));
const RUNTIMES = {
  deno: [join(bin, "deno"), ["run", "--quiet", "--no-config", "--unstable-kv", "-A"]],
  bun: [join(bin, "bun"), ["run"]],
};

async function runStore(runtime, ...words) {
  const [program, options] = RUNTIMES[runtime];
  const folder = words[1];
  const env = { ...process.env, DENO_DIR: join(folder, "deno"), NO_COLOR: "1" };
  const { stdout } = await run(program, [...options, runner, ...words], {
    env,
    timeout: 600_000,
  }).catch((error) => ({ stdout: `${error.stdout}\n${error.stderr}` }));
  return stdout.trim();
}

for (const [runtime, kind] of [
  ["bun", "file"],
  ["deno", "file"],
  ["deno", "deno-kv"],
]) {
  test(`the ${kind} store in ${runtime}`, { timeout: 1_200_000 }, async (t) => {
    const folder = await fs.mkdtemp(join(tmpdir(), "weft-store-"));
    t.after(() => fs.rm(folder, { recursive: true, force: true, maxRetries: 5 }));
    await t.test("keeps the contract", async () => {
      assert.match(await runStore(runtime, kind, folder), /^\d{2} passed, 0 failed$/);
    });
    await t.test("has what an earlier process stored", async () => {
      assert.equal(await runStore(runtime, kind, folder, "--keep"), "stored");
      const head = { seq: 2, crc: 7 };
      assert.deepEqual(JSON.parse(await runStore(runtime, kind, folder, "--keep")), {
        head,
        bytes: 150_000,
        witness: head,
        threads: ["thread"],
      });
    });
  });
}
