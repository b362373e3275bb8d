// SPDX-License-Identifier: MIT
// The smoke set in Deno and Bun: over the memory saver, the file saver, and Deno KV.
import { test } from "node:test";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { report } from "./smoke-report.mjs";
import { runIn } from "./smoke-runtimes.mjs";

const main = fileURLToPath(new URL("smoke-main.mjs", import.meta.url));

for (const [runtime, kind] of [
  ["Deno", "memory"],
  ["Deno", "deno-kv"],
  ["Bun", "memory"],
  ["Bun", "file"],
]) {
  test(`the smoke set in ${runtime}, over the ${kind} saver`, { timeout: 600_000 }, async (t) => {
    const folder = await fs.mkdtemp(join(tmpdir(), "weft-smoke-"));
    t.after(() => fs.rm(folder, { recursive: true, force: true, maxRetries: 5 }));
    await report(t, JSON.parse(await runIn(runtime, folder, main, kind, folder)));
  });
}
