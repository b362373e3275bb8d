// SPDX-License-Identifier: MIT
// The store contract over the Durable Object store in workerd, without nodejs_compat; and a
// restart, after which all that was acknowledged is there.
import { test } from "node:test";
import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Miniflare } from "miniflare";
import { figure } from "../proof/kit.mjs";
import { bundleWorker } from "./smoke-bundle.mjs";

const entry = fileURLToPath(new URL("store-worker.mjs", import.meta.url));

async function start(modules, persist) {
  const worker = new Miniflare({
    modules,
    compatibilityDate: "2026-01-01",
    durableObjects: { THREAD: { className: "Thread", useSQLite: true } },
    durableObjectsPersist: persist,
  });
  await worker.ready;
  return worker;
}

test("the Durable Object store in workerd", { timeout: 600_000 }, async (t) => {
  const folder = await fs.mkdtemp(join(tmpdir(), "weft-store-"));
  const modules = await bundleWorker(entry);
  let worker = await start(modules, folder);
  t.after(async () => {
    await worker.dispose();
    await fs.rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  const get = (path) => worker.dispatchFetch(`http://store${path}`);

  const names = await (await get("/names")).json();
  assert.ok(names.length > 15);
  for (const name of names) {
    await t.test(name, async () =>
      assert.equal(await (await get(`/run?test=${encodeURIComponent(name)}`)).text(), "ok"),
    );
  }

  await t.test("a restart keeps every acknowledged commit", async () => {
    assert.equal((await (await get("/keep")).json()).head, undefined);
    await worker.dispose();
    worker = await start(modules, folder);
    const found = await (await get("/keep")).json();
    assert.deepEqual(found.head, { seq: 1, crc: 5 });
    assert.deepEqual(found.batches, [
      [2_500_000, 1, 1],
      [2_500_000, 2, 2],
    ]);
    assert.deepEqual([found.bytes, found.threads], [5_000_000, ["kept"]]);
  });

  const sum = { faults: 0, acknowledged: 0 };
  for (const [text, code] of [
    ["database or disk is full: SQLITE_FULL", "QUOTA"],
    ["disk I/O error: SQLITE_IOERR", "STORE"],
  ]) {
    for (const on of ["", "&on"]) {
      await t.test(
        `${code} at each statement${on && " and behind it"}: nothing acknowledged is lost, nothing else is there`,
        async () => {
          const counts = JSON.parse(
            await (await get(`/faults?text=${encodeURIComponent(text)}${on}`)).text(),
          );
          assert.deepEqual(Object.keys(counts.codes ?? counts), [code]);
          for (const what of ["faults", "acknowledged"]) sum[what] += counts[what];
        },
      );
    }
  }

  await t.test("T5: they were all run", () => figure("T5 in a Durable Object", sum));

  await t.test("after the object's deleteAll() threads are new ones", async () => {
    const found = await (await get("/forget")).json();
    assert.deepEqual(found, { head: null, witness: null, seq: 1 });
  });

  await t.test("storage without SQLite is refused by name", async () => {
    assert.equal(await (await get("/refuse")).text(), "BAD_ARGUMENT");
  });
});
