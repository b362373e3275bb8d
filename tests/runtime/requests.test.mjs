// SPDX-License-Identifier: MIT
// A server's request is inside of nobody's task, and sees nobody's AsyncLocalStorage: in Deno an
// import() leaks both.
import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { runIn } from "./smoke-runtimes.mjs";

const main = fileURLToPath(new URL("requests-main.mjs", import.meta.url));

for (const runtime of ["Deno", "Bun"]) {
  test(`requests in ${runtime} stand for themselves`, { timeout: 600_000 }, async (t) => {
    const folder = await fs.mkdtemp(join(tmpdir(), "weft-requests-"));
    t.after(() => fs.rm(folder, { recursive: true, force: true, maxRetries: 5 }));
    assert.deepEqual(JSON.parse(await runIn(runtime, folder, main)), Array(4).fill([null, null]));
  });
}
