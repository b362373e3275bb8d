// SPDX-License-Identifier: MIT
// The store contract over the IDBFS store, with IndexedDB in memory. Two stores over one storage
// are two instances of idbfs.wasm, as two tabs are. T21 (key safety).
import { test } from "node:test";
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { IDBFactory, IDBKeyRange } from "fake-indexeddb";
import { storeContract } from "weftgraph/store-contract";
import { IdbfsStore } from "../../js/savers/idbfs/store.js";
import { createInstance } from "../../js/savers/idbfs/module.js";
import { makeFrames } from "./frames.mjs";

globalThis.IDBKeyRange = IDBKeyRange;
const origins = new WeakMap();
function open(origin) {
  const instance = createInstance();
  const store = new IdbfsStore({
    indexedDB: origin.indexedDB,
    localStorage: origin.localStorage,
    instance: () => instance,
  });
  origins.set(store, origin);
  return store;
}

storeContract({
  test,
  assert,
  makeStore: () => open({ indexedDB: new IDBFactory() }),
  reopen: (store) => open(origins.get(store)),
  makeFrames,
  features: { witness: true },
});

test("glue and module stay small, and evaluate no text", async () => {
  const [glue, bytes] = await Promise.all(
    ["glue", "text"].map((name) =>
      readFile(new URL(`../../js/engine/generated/idbfs-${name}.js`, import.meta.url), "utf8"),
    ),
  );
  const size = gzipSync(glue, { level: 9 }).length + gzipSync(bytes, { level: 9 }).length;
  console.log(`idbfs: ${size} bytes gzipped`);
  assert.ok(size < 21_000, `${size} bytes`);
  assert.doesNotMatch(glue, /\beval\(|new Function|XMLHttpRequest\.prototype/);
});
