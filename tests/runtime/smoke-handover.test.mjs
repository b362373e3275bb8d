// SPDX-License-Identifier: MIT
// One checkpoint format everywhere: a thread begun in Node is answered in Bun, then in Deno, then
// in Node again.
import { test } from "node:test";
import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runIn } from "./smoke-runtimes.mjs";

const main = fileURLToPath(new URL("smoke-handover-main.mjs", import.meta.url));

test("a thread wanders from runtime to runtime", { timeout: 600_000 }, async (t) => {
  const folder = await fs.mkdtemp(join(tmpdir(), "weft-smoke-"));
  t.after(() => fs.rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const threads = join(folder, "threads");
  const turn = async (runtime, answer) =>
    JSON.parse(await runIn(runtime, folder, main, threads, answer));
  const at = (ms) => new Date(ms).toISOString();
  assert.deepEqual(await turn("Node", "-"), {
    before: null,
    log: [],
    seen: [],
    asked: "number 1?",
  });
  assert.deepEqual(await turn("Bun", "bun"), {
    before: "number 1?",
    log: ["bun"],
    seen: [["bun", at(0)]],
    asked: "number 2?",
  });
  assert.deepEqual(await turn("Deno", "deno"), {
    before: "number 2?",
    log: ["bun", "deno"],
    seen: [["deno", at(1)]],
    asked: "number 3?",
  });
  assert.deepEqual(await turn("Node", "node"), {
    before: "number 3?",
    log: ["bun", "deno", "node"],
    seen: [["node", at(2)]],
    asked: null,
  });
});
