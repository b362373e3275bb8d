// SPDX-License-Identifier: MIT
// Listeners hear of a thread's changes: those of the saver itself, and over IDBFS those of other
// savers of the origin.
import assert from "node:assert/strict";
import test from "node:test";
import { IDBFactory } from "fake-indexeddb";
import { Annotation, MemorySaver, START, StateGraph } from "weftgraph";
import { IdbfsSaver } from "weftgraph/savers/idbfs";
import { sealSaver } from "weftgraph/savers/sealed";
import { watchThread, watchThreads } from "weftgraph/savers/watch";

const graphOn = (checkpointer) =>
  new StateGraph(Annotation.Root({ n: Annotation }))
    .addNode("count", ({ n }) => ({ n: n + 1 }))
    .addEdge(START, "count")
    .compile({ checkpointer });
const on = (thread_id) => ({ configurable: { thread_id } });
const until = async (condition) => {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
};
const key = await crypto.subtle.generateKey({ name: "HMAC", hash: "SHA-256" }, false, [
  "sign",
  "verify",
]);

const KINDS = {
  memory: () => {
    const saver = new MemorySaver();
    return { mine: saver, other: saver };
  },
  "memory, sealed": () => {
    const saver = sealSaver(new MemorySaver(), { key });
    return { mine: saver, other: saver };
  },
  idbfs: () => {
    const indexedDB = new IDBFactory();
    const open = () => new IdbfsSaver({ indexedDB, prefix: "watched" });
    return { mine: open(), other: open() };
  },
  "idbfs, sealed": () => {
    const indexedDB = new IDBFactory();
    const open = () => sealSaver(new IdbfsSaver({ indexedDB, prefix: "sealed" }), { key });
    return { mine: open(), other: open() };
  },
};

for (const [name, make] of Object.entries(KINDS)) {
  test(`${name}: commits and the end of a thread are told, of the threads that were asked for, until stopped`, {
    timeout: 60_000,
  }, async () => {
    const { mine, other } = make();
    const [one, all, late] = [[], [], []];
    const stop = [
      watchThread(mine, "1", (change) => one.push(change)),
      watchThreads(mine, ({ threadId }) => all.push(threadId)),
    ];
    await graphOn(other).invoke({ n: 1 }, on("1"));
    await graphOn(other).invoke({ n: 1 }, on("2"));
    await other.deleteThread("1");
    await until(() => one.length > 2 && one.at(-1).seq === undefined && all.includes("2"));
    assert.deepEqual(one.pop(), { threadId: "1", seq: undefined });
    assert.deepEqual(
      one,
      one.map((_, index) => ({ threadId: "1", seq: one[0].seq + index })),
    );
    assert.deepEqual([...new Set(all)], ["1", "2"]);
    stop.forEach((end) => end());
    const before = [one.length, all.length];
    const end = watchThread(mine, "3", (change) => late.push(change));
    await graphOn(other).invoke({ n: 1 }, on("1"));
    await graphOn(other).invoke({ n: 1 }, on("3"));
    await until(() => late.length >= 2);
    end();
    assert.deepEqual([one.length, all.length], before);
    await mine.store.close?.();
    await other.store.close?.();
  });
}

test("a listener may stop while it is told; a thread id is checked", async () => {
  const saver = new MemorySaver();
  let told = 0;
  const stop = watchThreads(saver, () => {
    told++;
    stop();
  });
  assert.deepEqual(await graphOn(saver).invoke({ n: 1 }, on("1")), { n: 2 });
  await graphOn(saver).invoke({ n: 1 }, on("1"));
  assert.equal(told, 1);
  assert.throws(() => watchThread(saver, "", () => {}), { code: "BAD_ARGUMENT" });
});
