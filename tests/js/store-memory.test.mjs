// SPDX-License-Identifier: MIT
// The store contract over the memory store. T21 (key safety), T20 in part (one winner of appends at
// once).
import { test } from "node:test";
import assert from "node:assert/strict";
import { storeContract } from "weftgraph/store-contract";
import { MemoryStore } from "../../js/savers/memory/store.js";
import { MemorySaver } from "weftgraph/savers/memory";

storeContract({ test, assert, makeStore: () => new MemoryStore() });

test("answers directly, without a promise", () => {
  const store = new MemoryStore();
  assert.equal(
    store.append("a", { seq: 1, crc: 2, firstSeq: 1 }, new Uint8Array([1]), undefined),
    undefined,
  );
  assert.deepEqual(store.head("a"), { seq: 1, crc: 2 });
  assert.deepEqual(store.read("a"), [new Uint8Array([1])]);
  assert.equal(store.byteLength("a"), 1);
});

test("the saver counts, lists and deletes", async () => {
  const saver = new MemorySaver();
  saver.store.append("a", { seq: 1, crc: 2, firstSeq: 1 }, new Uint8Array(7), undefined);
  saver.store.append("b", { seq: 1, crc: 2, firstSeq: 1 }, new Uint8Array(5), undefined);
  assert.deepEqual([await saver.byteLength("a"), await saver.byteLength()], [7, 12]);
  assert.deepEqual(await saver.listThreads(), ["a", "b"]);
  await saver.deleteThread("a");
  assert.deepEqual([await saver.byteLength(), await saver.listThreads()], [5, ["b"]]);
});
