// SPDX-License-Identifier: MIT
// Serves: an agent over a binding of Workers AI in workerd: a wrapped binding, as Cloudflare's own
// is one, a service of another Worker, and an object.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { Miniflare } from "miniflare";
import { bundleWorker } from "./smoke-bundle.mjs";

const fileOf = (name) => fileURLToPath(new URL(name, import.meta.url));

test("an agent over a binding of Workers AI in workerd", { timeout: 600_000 }, async (t) => {
  const modules = await bundleWorker(fileOf("workers-ai-worker.mjs"));
  const compatibilityDate = "2026-01-01";
  const fake = await readFile(fileOf("workers-ai-fake.mjs"), "utf8");
  const miniflare = new Miniflare({
    workers: [
      {
        name: "main",
        modules,
        compatibilityDate,
        wrappedBindings: { AI: "fake" },
        serviceBindings: { SERVICE: { name: "main", entrypoint: "FakeAI" } },
      },
      {
        name: "fake",
        modules: [{ type: "ESModule", path: "fake.mjs", contents: fake }],
        compatibilityDate: undefined,
      },
    ],
  });
  t.after(() => miniflare.dispose());
  const ask = async (path) => (await miniflare.dispatchFetch(`http://main/${path}`)).json();
  const said = ["Weather in Oslo?", "", "4 °C in Oslo", "It is cold."];
  for (const form of ["wrapped", "service", "plain"]) {
    for (const model of ["own", "completions", "whole"])
      await t.test(`${form}: ${model}`, async () => {
        const pieces = model === "whole" ? ["It is cold."] : ["It is ", "cold."];
        assert.deepEqual(await ask(`${form}/${model}`), {
          said,
          tokens: ["4 °C in Oslo", ...pieces],
        });
      });
    await t.test(`${form}: no capacity`, async () => {
      const { name, code, status, retryable } = await ask(`${form}/busy`);
      assert.deepEqual([name, code, status, retryable], ["ModelError", "3040", 429, true]);
    });
    await t.test(`${form}: abort`, async () => {
      const { name, count } = await ask(`${form}/abort`);
      assert.deepEqual([name, count], ["AbortError", 5]);
    });
  }
});
