// SPDX-License-Identifier: MIT
// One thread that cannot be read keeps no other from a list, an export or a compaction, over every
// store that lists; each such thread is told, with its id where that can be read.
import { test } from "node:test";
import assert from "node:assert/strict";
import fs from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Annotation, MemorySaver, START, StateGraph } from "weftgraph";
import { DenoKvSaver } from "weftgraph/savers/deno-kv";
import { FileSaver } from "weftgraph/savers/file";
import { IdbfsSaver } from "weftgraph/savers/idbfs";
import { WeftSaver } from "weftgraph/savers/own";
import { pruneThreads } from "weftgraph/savers/retention";
import { resealThreads, sealSaver } from "weftgraph/savers/sealed";
import { exportThreads, importThreads } from "weftgraph/savers/transfer";
import { createDenoKv } from "./deno-kv.mjs";
import { createInstance, createOrigin } from "./idbfs-origin.mjs";
import { kvOver } from "./kv-map.mjs";

const IDS = ["a", "b", "c", "d"];
const on = (thread_id) => ({ configurable: { thread_id } });
const appOn = (checkpointer) =>
  new StateGraph(Annotation.Root({ n: Annotation }))
    .addNode("add", ({ n }) => ({ n: n + 1 }))
    .addEdge(START, "add")
    .compile({ checkpointer });
const fill = async (saver) => {
  for (const id of IDS) for (let n = 0; n < 3; n++) await appOn(saver).invoke({ n }, on(id));
};
async function makeFolder(t) {
  const path = await fs.mkdtemp(join(tmpdir(), "weft-listing-"));
  t.after(() => fs.rm(path, { recursive: true, force: true, maxRetries: 5 }));
  return path;
}
/** What each way through all threads gives, and what it tells: [ids, [code, id][]]. */
const ways = {
  async list(saver, options) {
    const ids = new Set();
    for await (const { config } of saver.list({}, options)) ids.add(config.configurable.thread_id);
    return ids;
  },
  async exportThreads(saver, options) {
    const fresh = new MemorySaver();
    return (await importThreads(fresh, await exportThreads(saver, options))).imported;
  },
  async pruneThreads(saver, options) {
    const { threads } = await pruneThreads(saver, { last: 1 }, options);
    return IDS.slice(0, threads);
  },
};

/** Some stores, each with a way to damage the log of thread "b". */
async function damagedLogs(t) {
  const path = await makeFolder(t);
  const [map, held, origin, instance, keys] = [
    new Map(),
    new Map(),
    createOrigin(),
    createInstance(),
    await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, [
      "encrypt",
      "decrypt",
    ]),
  ];
  const flipped = (inner) => {
    const store = Object.fromEntries(
      ["head", "append", "fold", "list", "drop", "witness", "byteLength"].map((verb) => [
        verb,
        (...args) => inner[verb](...args),
      ]),
    );
    const read = async (id, options) => {
      const batches = (await inner.read(id, options)).map((bytes) => bytes.slice());
      if (id === "b") batches[0][60] ^= 1;
      return batches;
    };
    return new WeftSaver({ ...store, read });
  };
  const memory = new MemorySaver();
  const [files, idbfs] = [
    () => new FileSaver({ path }),
    () => new IdbfsSaver({ ...origin, instance: () => instance }),
  ];
  const sealed = new MemorySaver();
  return {
    memory: [() => memory, () => flipped(memory.store)],
    files: [files, () => flipped(files().store)],
    kv: [() => kvOver(map), () => flipped(kvOver(map).store)],
    "Deno KV": [
      () => new DenoKvSaver({ kv: createDenoKv(held) }),
      () => flipped(new DenoKvSaver({ kv: createDenoKv(held) }).store),
    ],
    IndexedDB: [idbfs, () => flipped(idbfs().store)],
    sealed: [
      () => sealSaver(Object.assign(new MemorySaver(), { store: sealed.store }), { key: keys }),
      () => sealSaver(flipped(sealed.store), { key: keys }),
    ],
  };
}

test("a thread whose log is damaged keeps no other from a list, an export or a compaction, over every store", async (t) => {
  for (const [kind, [open, damaged]] of Object.entries(await damagedLogs(t))) {
    await fill(open());
    const code = kind === "sealed" ? "UNSEALED" : "CORRUPT_LOG";
    for (const [name, way] of Object.entries(ways)) {
      const told = [];
      const ids = await way(damaged(), { onError: (error, id) => told.push([error.code, id]) });
      assert.deepEqual(told, [[code, "b"]], `${kind}: ${name}`);
      assert.deepEqual(
        [...ids].sort(),
        name === "pruneThreads" ? ["a", "b", "c"] : ["a", "c", "d"],
        `${kind}: ${name}`,
      );
      await assert.rejects(
        way(damaged()),
        (error) => error.code === code && / b /.test(error.message),
        `${kind}: ${name}`,
      );
    }
    // What was told of comes last: the others were given.
    const seen = new Set();
    await assert.rejects(
      async () => {
        for await (const { config } of damaged().list({})) seen.add(config.configurable.thread_id);
      },
      { code },
    );
    assert.deepEqual([...seen].sort(), ["a", "c", "d"], kind);
    assert.deepEqual((await damaged().listThreads()).sort(), IDS, kind);
    const first = [];
    for await (const { config } of damaged().list({}, { limit: 1 })) first.push(config);
    assert.equal(first.length, 1);
    if (kind !== "sealed") continue;
    const told = [];
    assert.equal(
      (await resealThreads(damaged(), { onError: (error, id) => told.push([error.code, id]) }))
        .threads,
      3,
    );
    assert.deepEqual(told, [["UNSEALED", "b"]]);
  }
});

/**
 * Every way tells of a thread without an id, and gives all others; without somebody to tell, a list
 * warns and the others fail at last.
 */
async function checkNameless(t, open, code, place) {
  const warned = t.mock.method(console, "warn", () => {});
  for (const [name, way] of Object.entries({
    ...ways,
    listThreads: (saver, options) => saver.listThreads(options),
    pages: async (saver, options) => [
      ...(await saver.listThreads({ ...options, limit: 2 })),
      ...(await saver.listThreads({
        ...options,
        limit: 2,
        after: (await saver.listThreads({ ...options, limit: 2 }))[1],
      })),
    ],
  })) {
    const told = [];
    const ids = await way(open(), {
      onError: (error, id) => told.push([error.code, error.message.includes(place), id]),
    });
    assert.ok(
      told.length > 0 &&
        told.every(([one, names, id]) => one === code && names && id === undefined),
      `${name}: ${JSON.stringify(told)}`,
    );
    assert.equal([...ids].length, 3, name);
    if (name in ways) await assert.rejects(way(open()), { code }, name);
  }
  assert.equal(warned.mock.callCount(), 0);
  assert.equal((await open().listThreads()).length, 3);
  assert.equal(warned.mock.callCount(), 1);
  assert.ok(warned.mock.calls[0].arguments[0].includes(place));
  warned.mock.restore();
}

test("files: a damaged, missing or unreadable id is told, the others are there; the thread goes on for who knows its id", async (t) => {
  const { readFile } = fs;
  t.after(() => {
    fs.readFile = readFile;
    syncBuiltinESMExports();
  });
  const whole = await makeFolder(t);
  await fill(new FileSaver({ path: whole }));
  for (const [code, damage] of [
    ["CORRUPT_LOG", (file) => fs.writeFile(file, "x")],
    ["CORRUPT_LOG", (file) => fs.writeFile(file, "")],
    ["CORRUPT_LOG", (file) => fs.unlink(file)],
    ["STORE", async (file) => (await fs.unlink(file), await fs.mkdir(file))],
    [
      "STORE",
      (file) => {
        fs.readFile = async (path, ...rest) =>
          path === file
            ? Promise.reject(Object.assign(new Error("EACCES: injected"), { code: "EACCES" }))
            : readFile(path, ...rest);
        syncBuiltinESMExports();
      },
    ],
  ]) {
    const path = await makeFolder(t);
    const open = () => new FileSaver({ path });
    // A witness may still be on its way: only the threads are whole when a run ends.
    await fs.cp(join(whole, "threads"), join(path, "threads"), { recursive: true });
    const keys = (await fs.readdir(join(path, "threads"))).sort();
    const id = await fs.readFile(join(path, "threads", keys[1], "id"), "utf8");
    await fs.writeFile(join(path, "threads", ".DS_Store"), "another program's");
    await damage(join(path, "threads", keys[1], "id"));
    await checkNameless(t, open, code, keys[1]);
    fs.readFile = readFile;
    syncBuiltinESMExports();
    assert.equal((await appOn(open()).invoke({ n: 7 }, on(id))).n, 8);
  }
});

test("files: a thread of which nothing can be read is listed, and told by who reads it", async (t) => {
  const path = await makeFolder(t);
  await fill(new FileSaver({ path }));
  const [key] = (await fs.readdir(join(path, "threads"))).sort();
  const id = await fs.readFile(join(path, "threads", key, "id"), "utf8");
  const { readdir } = fs;
  t.after(() => {
    fs.readdir = readdir;
    syncBuiltinESMExports();
  });
  fs.readdir = async (folder, ...rest) =>
    String(folder).includes(`${key}/log-`)
      ? Promise.reject(Object.assign(new Error("EIO: injected"), { code: "EIO" }))
      : readdir(folder, ...rest);
  syncBuiltinESMExports();
  assert.deepEqual((await new FileSaver({ path }).listThreads()).sort(), IDS);
  const told = [];
  assert.equal(
    (
      await ways.list(new FileSaver({ path }), {
        onError: (error, one) => told.push([error.code, one]),
      })
    ).size,
    3,
  );
  assert.deepEqual(told, [["STORE", id]]);
});

test("Deno KV: an entry that does not say whose it is is told, the others are there", async (t) => {
  for (const value of [
    null,
    { seq: 1, crc: 1, log: "x", size: 1 },
    { threadId: 5 },
    { threadId: "aa", seq: 1, crc: 1, log: "x", size: 1 },
  ]) {
    const held = new Map();
    const open = () => new DenoKvSaver({ kv: createDenoKv(held) });
    await fill(open());
    const key = [...held.keys()].filter((one) => one.includes('"head"')).sort()[1];
    held.set(key, { ...held.get(key), value });
    await checkNameless(t, open, "CORRUPT_LOG", held.get(key).key.at(-1));
    assert.ok((await open().byteLength()) > 0);
  }
});

test("IndexedDB: where the index is lost, a database that does not say whose it is is told by each list, the others are there", async (t) => {
  const origin = createOrigin();
  const instance = createInstance();
  const open = () => new IdbfsSaver({ ...origin, instance: () => instance });
  const first = open();
  await fill(first);
  await first.store.close();
  await new Promise((resolve, reject) =>
    Object.assign(origin.indexedDB.deleteDatabase("/weft/index"), {
      onsuccess: resolve,
      onerror: reject,
    }),
  );
  const [name] = (await origin.indexedDB.databases())
    .map((one) => one.name)
    .filter((one) => /[\da-f]{64}$/.test(one))
    .sort();
  const change = (value) =>
    new Promise((resolve, reject) => {
      const request = origin.indexedDB.open(name);
      request.onsuccess = () => {
        const db = request.result;
        const transaction = db.transaction([...db.objectStoreNames], "readwrite");
        const store = transaction.objectStore(db.objectStoreNames[0]);
        const before = store.get(name);
        before.onsuccess = () =>
          value === undefined ? store.delete(name) : store.put(value, name);
        transaction.oncomplete = () => (db.close(), resolve(before.result));
        transaction.onabort = reject;
      };
    });
  const id = await change(undefined);
  assert.ok(IDS.includes(id));
  await checkNameless(t, open, "CORRUPT_LOG", name);
  await change(id);
  assert.deepEqual((await open().listThreads()).sort(), IDS);
});
