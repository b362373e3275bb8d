// SPDX-License-Identifier: MIT
// A store of a user's own, as the guide has it (docs/guides/persistence.md): it passes the
// contract, and graphs keep their threads in it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { transformSync } from "esbuild";
import { Annotation, Command, MemorySaver, START, StateGraph, interrupt } from "weftgraph";
import { WeftSaver } from "weftgraph/savers/own";
import { sealSaver } from "weftgraph/savers/sealed";
import { copyThread, exportThread, importThread } from "weftgraph/savers/transfer";
import { storeContract } from "weftgraph/store-contract";
import { SaverStore } from "weftgraph/stores/saver";

const guide = readFileSync(new URL("../../docs/guides/persistence.md", import.meta.url), "utf8");
const [, typed] = /```ts\n(import \{\n {2}WeftSaver[\s\S]*?class MapStore [\s\S]*?\n\}\n)/.exec(
  guide,
);
const { code } = transformSync(typed, { loader: "ts", format: "esm" });
const resolved = `${code}export { MapStore };`.replaceAll(/"(weftgraph[^"]*)"/g, (_, name) =>
  JSON.stringify(import.meta.resolve(name)),
);
const { MapStore } = await import(`data:text/javascript,${encodeURIComponent(resolved)}`);

storeContract({
  test: (name, run) => void test(`the guide's store: ${name}`, run),
  assert,
  makeStore: () => new MapStore(new Map()),
  reopen: ({ storage }) => new MapStore(storage),
  features: { witness: true },
});

const graphOn = (checkpointer) =>
  new StateGraph(
    Annotation.Root({ log: Annotation({ reducer: (a, b) => a.concat(b), default: () => [] }) }),
  )
    .addNode("ask", () => ({ log: [interrupt("so?")] }))
    .addEdge(START, "ask")
    .compile({ checkpointer });
const on = { configurable: { thread_id: "1" } };

test("graphs keep their threads in the guide's store, and all that savers can do is done", async () => {
  const key = await crypto.subtle.generateKey({ name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
    "verify",
  ]);
  for (const seal of [(saver) => saver, (saver) => sealSaver(saver, { key })]) {
    const storage = new Map();
    const open = () => seal(new WeftSaver(new MapStore(storage), undefined, { last: 3 }));
    await graphOn(open()).invoke({ log: ["in"] }, on);
    assert.deepEqual(await graphOn(open()).invoke(new Command({ resume: "yes" }), on), {
      log: ["in", "yes"],
    });
    const other = new MemorySaver();
    await importThread(other, await exportThread(open(), "1"));
    assert.deepEqual((await graphOn(other).getState(on)).values, { log: ["in", "yes"] });
    await copyThread(open(), "1", "2");
    assert.deepEqual(await open().listThreads(), ["1", "2"]);
    const { kept, dropped } = await open().prune("1", { last: 1 });
    assert.deepEqual([kept, dropped > 0], [1, true]);
    assert.deepEqual((await graphOn(open()).getState(on)).values, { log: ["in", "yes"] });
    const items = new SaverStore(open());
    await items.put(["n"], "k", { v: 1 });
    storage.get("threads").get("1").commits.pop();
    await assert.rejects(graphOn(open()).getState(on), { code: "DATA_LOSS" });
    assert.deepEqual((await new SaverStore(open()).get(["n"], "k")).value, { v: 1 });
    await open().deleteThread("1");
    await open().deleteThread("2");
    assert.deepEqual(await open().listThreads(), []);
  }
});
