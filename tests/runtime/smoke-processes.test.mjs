// SPDX-License-Identifier: MIT
// The smoke set in Deno and Bun: over the memory saver, the file saver, and Deno KV.
import { test } from "node:test";
import { execFile } from "node:child_process";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { report } from "./smoke-report.mjs";

const run = promisify(execFile);
const bin = fileURLToPath(new URL("../../node_modules/.bin/", import.meta.url));
const main = fileURLToPath(new URL("smoke-main.mjs", import.meta.url));
const RUNTIMES = {
  Deno: [join(bin, "deno"), ["run", "--quiet", "--no-lock", "--node-modules-dir=none", "--unstable-kv", "-A"]],
  Bun: [join(bin, "bun"), ["run"]],
};

for (const [runtime, kind] of [["Deno", "memory"], ["Deno", "deno-kv"], ["Bun", "memory"], ["Bun", "file"]]) {
  test(`the smoke set in ${runtime}, over the ${kind} saver`, { timeout: 60_000 }, async (t) => {
    const folder = await fs.mkdtemp(join(tmpdir(), "weft-smoke-"));
    t.after(() => fs.rm(folder, { recursive: true, force: true }));
    const [program, options] = RUNTIMES[runtime];
    const { stdout } = await run(program, [...options, main, kind, folder], { env: { ...process.env, DENO_DIR: join(folder, "deno"), NO_COLOR: "1" } });
    await report(t, JSON.parse(stdout.trim().split("\n").at(-1)));
  });
}
