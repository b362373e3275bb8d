// SPDX-License-Identifier: MIT
// The smoke set in workerd, without nodejs_compat: in a Worker over the memory saver, in a Durable
// Object over its storage. Bundled as wrangler does; the engine is an imported module, since bytes
// may not be compiled there.
import { test } from "node:test";
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { Miniflare } from "miniflare";
import { report } from "./smoke-report.mjs";
import { bundleWorker } from "./smoke-bundle.mjs";

test("the smoke set in workerd", { timeout: 600_000 }, async (t) => {
  const modules = await bundleWorker(fileURLToPath(new URL("smoke-worker.mjs", import.meta.url)));
  assert.equal(modules.filter(({ type }) => type === "CompiledWasm").length, 1);
  const worker = new Miniflare({
    modules,
    compatibilityDate: "2026-01-01",
    durableObjects: { SMOKE: { className: "Smoke", useSQLite: true } },
  });
  t.after(() => worker.dispose());
  for (const [name, path] of [
    ["in a Worker, over the memory saver", "/memory"],
    ["in a Durable Object, over its storage", "/object"],
  ]) {
    await t.test(name, async (sub) =>
      report(sub, await (await worker.dispatchFetch(`http://smoke${path}`)).json()),
    );
  }
  await t.test("an agent that was made while the Worker started", async () => {
    assert.deepEqual(await (await worker.dispatchFetch("http://smoke/early")).json(), [
      "twice 21?",
      "",
      "42",
      "done",
    ]);
  });
});
