// SPDX-License-Identifier: MIT
// SaverStore over every saver that Node can have: what threads do does not reach it, older
// versions' items are taken over, its log stays short, and processes that share it lose nothing.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { IDBFactory, IDBKeyRange } from "fake-indexeddb";
import { Annotation, MemorySaver, START, StateGraph } from "weftgraph";
import { DenoKvSaver } from "weftgraph/savers/deno-kv";
import { FileSaver } from "weftgraph/savers/file";
import { IdbfsSaver } from "weftgraph/savers/idbfs";
import { KvSaver } from "weftgraph/savers/kv";
import { WeftSaver } from "weftgraph/savers/own";
import { sealSaver } from "weftgraph/savers/sealed";
import {
  copyThread,
  exportThread,
  exportThreads,
  importThread,
  importThreads,
} from "weftgraph/savers/transfer";
import { watchThreads } from "weftgraph/savers/watch";
import { SaverStore } from "weftgraph/stores/saver";
import { MemoryStore } from "../../js/savers/memory/store.js";
import { createDenoKv } from "./deno-kv.mjs";
import { kvOver } from "./kv-map.mjs";

globalThis.IDBKeyRange = IDBKeyRange;
const folders = [];
test.after(() =>
  Promise.all(folders.map((path) => fs.rm(path, { recursive: true, force: true, maxRetries: 5 }))),
);
async function newFolder() {
  const path = await fs.mkdtemp(join(tmpdir(), "weft-store-saver-"));
  folders.push(path);
  return path;
}

const key = crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, [
  "encrypt",
  "decrypt",
]);
/** Each answers how to open the saver of a place that is empty at first. */
const SAVERS = {
  memory: async () => {
    const saver = new MemorySaver();
    return () => saver;
  },
  files: async () => {
    const path = await newFolder();
    return () => new FileSaver({ path });
  },
  pairs: async () => {
    const map = new Map();
    return () => kvOver(map);
  },
  "Deno KV": async () => {
    const kv = createDenoKv(new Map());
    return () => new DenoKvSaver({ kv });
  },
  IndexedDB: async () => {
    const place = { indexedDB: new IDBFactory(), localStorage: undefined };
    return () => new IdbfsSaver(place);
  },
  "sealed pairs": async () => {
    const map = new Map();
    const one = await key;
    return () => sealSaver(kvOver(map), { key: one });
  },
};
const bytesOf = (saver, id = "items") => saver.store.partition("store").byteLength(id);
const itemsOf = async (store) =>
  (await store.search([], { limit: Infinity })).map(({ namespace, key, value }) => [
    namespace.join("/"),
    key,
    value,
  ]);
const graphOn = (checkpointer) =>
  new StateGraph(Annotation.Root({ n: Annotation({ reducer: (a, b) => a + b, default: () => 0 }) }))
    .addNode("add", () => ({ n: 1 }))
    .addEdge(START, "add")
    .compile({ checkpointer });
const on = (thread_id) => ({ configurable: { thread_id } });

/** Ids that might be taken for places of the store. */
const IDS = [
  "weft:store",
  "items",
  "store",
  "items:users",
  "weft:store:users",
  "store/items",
  "=store",
  "=store/items",
  "=store%2Fitems",
  "partitions",
  "../partitions/store",
  "partitions/store",
  ".store",
  "weft.store",
  "/weft.store/",
  "partition",
  "store_",
  "weft_store_head",
  "\u0000store\u0000items",
  "\u00ffstore/items",
  "..",
  ".",
  "x".repeat(1024),
];

for (const [name, make] of Object.entries(SAVERS)) {
  test(`${name}: no thread's id names the store, whatever is done to it, and no list shows it`, async (t) => {
    const open = await make();
    const [store, users] = [new SaverStore(open()), new SaverStore(open(), { name: "users" })];
    await store.put(["u"], "k", { v: 1 });
    await users.put(["u"], "k", { v: 2 });
    const saver = open();
    // A folder is named by a sum of the id.
    const ids = name === "files" ? IDS.slice(0, 8) : IDS;
    const seen = [];
    const stop = watchThreads(saver, ({ threadId }) => seen.push(threadId));
    t.after(stop);
    assert.deepEqual(await saver.listThreads(), []);
    for (const id of ids) {
      assert.deepEqual(await graphOn(saver).invoke({ n: 0 }, on(id)), { n: 1 }, id);
      const { config, checkpoint, metadata } = await saver.getTuple(on(id));
      // With a checkpoint that is put a MemorySaver leaves its logs.
      if (name !== "memory")
        await saver.put(
          config,
          { ...checkpoint, id: "1f000000-0000-6000-8000-000000000000" },
          metadata,
          {},
        );
      if (name !== "memory")
        await saver.putWrites(config, [["n", 1]], "1f000000-0000-5000-8000-000000000000");
      await copyThread(saver, id, `${id.slice(0, 900)} copy`);
    }
    await store.put(["u"], "k", { v: 3 });
    await new Promise(setImmediate);
    stop();
    assert.ok(
      seen.every(
        (id) => ids.includes(id.replace(/ copy$/, "")) || id === `${"x".repeat(900)} copy`,
      ),
      String(seen),
    );
    const listed = await saver.listThreads();
    assert.equal(listed.length, ids.length * 2);
    assert.ok(ids.every((id) => listed.includes(id)));
    await saver.prune(undefined, { last: 1 });
    const other = new MemorySaver();
    assert.equal(
      (await importThreads(other, await exportThreads(saver), { maxBytes: Infinity })).imported
        .length,
      ids.length * 2,
    );
    assert.deepEqual(await itemsOf(new SaverStore(other)), []);
    for (const id of listed) await saver.deleteThread(id);
    assert.deepEqual(await saver.listThreads(), []);
    assert.deepEqual(await itemsOf(new SaverStore(open())), [["u", "k", { v: 3 }]]);
    assert.deepEqual(await itemsOf(new SaverStore(open(), { name: "users" })), [
      ["u", "k", { v: 2 }],
    ]);
    if (name !== "memory") return;
    // In LangGraph's form a MemorySaver has no logs; the store has one all the same.
    assert.deepEqual(Object.keys(saver.storage), []);
    assert.deepEqual(await itemsOf(new SaverStore(saver)), [["u", "k", { v: 3 }]]);
  });

  test(`${name}: 2,000 updates of a key, and many of many keys, take a small multiple of what counts; others follow`, async () => {
    const open = await make();
    const [store, other] = [new SaverStore(open()), new SaverStore(open())];
    const many = { memory: 2000, pairs: 2000 }[name] ?? 200;
    for (let v = 1; v <= many; v++) {
      await store.put(["u"], "k", { v, text: "x".repeat(100) });
      if (v % 97 === 0) assert.equal((await other.get(["u"], "k")).value.v, v);
    }
    assert.ok((await bytesOf(open())) < 25_000, `${await bytesOf(open())} bytes`);
    await store.batch(
      Array.from({ length: 100 }, (_, i) => ({
        namespace: ["m"],
        key: `k${i}`,
        value: { text: "y".repeat(1000) },
      })),
    );
    const { createdAt } = await store.get(["m"], "k0");
    for (let round = 0; round < 4; round++)
      for (let i = 0; i < 40; i++)
        await other.put(["m"], `k${i}`, { round, text: "z".repeat(1000) });
    assert.ok((await bytesOf(open())) < 3 * 110_000 + 25_000, `${await bytesOf(open())} bytes`);
    await other.batch(
      Array.from({ length: 99 }, (_, i) => ({ namespace: ["m"], key: `k${i + 1}`, value: null })),
    );
    await store.put(["u"], "k", { v: 0 });
    assert.ok((await bytesOf(open())) < 25_000, `${await bytesOf(open())} bytes`);
    for (const one of [store, other, new SaverStore(open())]) {
      assert.deepEqual(await itemsOf(one), [
        ["u", "k", { v: 0 }],
        ["m", "k0", { round: 3, text: "z".repeat(1000) }],
      ]);
      assert.deepEqual((await one.get(["m"], "k0")).createdAt, createdAt);
    }
  });
}

test("what somebody changed in an item that it got is not stored, also when the log is written anew", async () => {
  const saver = new MemorySaver();
  const store = new SaverStore(saver);
  await store.put(["u"], "k", { v: 1 });
  (await store.get(["u"], "k")).value.v = "changed";
  const before = await bytesOf(saver);
  for (let i = 0; i < 500; i++) await store.put(["u"], "other", { i });
  assert.ok((await bytesOf(saver)) < before + 25_000);
  assert.deepEqual((await new SaverStore(saver).get(["u"], "k")).value, { v: 1 });
});

const golden = JSON.parse(
  readFileSync(new URL("../golden/saver-store.json", import.meta.url), "utf8"),
);
/** What an older version stored over pairs. */
const olderMap = () =>
  new Map(
    Object.entries(golden.keys).map(([name, text]) => [
      name,
      new Uint8Array(Buffer.from(text, "base64")),
    ]),
  );
const OLDER = [
  ["users/anna", "taste", { likes: "aaa", since: new Date(5), set: new Set([1]) }],
  ["users/bo", "taste", { likes: "abab" }],
  ["a:b", "x", { n: 1 }],
  ["a:b", "y", { n: 2 }],
];
const count = (text, letter) => text.split(letter).length - 1;
const index = {
  dims: 3,
  fields: ["likes"],
  embeddings: {
    embedDocuments: async () => assert.fail("it is known"),
    embedQuery: async (text) => [count(text, "a"), count(text, "b"), 1],
  },
};

test("an older version's items are taken over once, with their times and vectors, and its thread is gone", async () => {
  const map = olderMap();
  assert.deepEqual((await kvOver(map).listThreads()).sort(), ["weft:store", "weft:store:users"]);
  for (let time = 0; time < 2; time++) {
    const store = new SaverStore(kvOver(map), { index });
    assert.deepEqual(await itemsOf(store), OLDER);
    const anna = await store.get(["users", "anna"], "taste");
    assert.deepEqual(
      [anna.createdAt.getTime(), anna.updatedAt.getTime()],
      [golden.created, golden.updated],
    );
    assert.deepEqual(
      (await store.search(["users"], { query: "bbb" })).map(({ value }) => value.likes),
      ["abab", "aaa"],
    );
    assert.deepEqual(await kvOver(map).listThreads(), ["weft:store:users"]);
  }
  assert.deepEqual(await itemsOf(new SaverStore(kvOver(map), { name: "users" })), [
    ["n", "k", { v: "named" }],
  ]);
  assert.deepEqual(await kvOver(map).listThreads(), []);
});

test("a conversation of that name is none: it stays, and so does one that went on behind an older store's items", async () => {
  const map = new Map();
  const thread = on("weft:store");
  await graphOn(kvOver(map)).invoke({ n: 0 }, thread);
  const store = new SaverStore(kvOver(map));
  assert.deepEqual(await itemsOf(store), []);
  await store.put(["u"], "k", { v: 1 });
  assert.deepEqual(await graphOn(kvOver(map)).invoke({ n: 0 }, thread), { n: 2 });
  assert.deepEqual(
    [await itemsOf(new SaverStore(kvOver(map))), await kvOver(map).listThreads()],
    [[["u", "k", { v: 1 }]], ["weft:store"]],
  );

  const mixed = olderMap();
  await graphOn(kvOver(mixed)).invoke({ n: 0 }, thread);
  assert.deepEqual(await itemsOf(new SaverStore(kvOver(mixed))), OLDER);
  assert.deepEqual(await graphOn(kvOver(mixed)).invoke({ n: 0 }, thread), { n: 2 });
});

test("what is imported as a thread of that name later is no store's", async () => {
  const file = await exportThread(kvOver(olderMap()), "weft:store");
  const map = new Map();
  await new SaverStore(kvOver(map)).put(["u"], "k", { v: 1 });
  await importThread(kvOver(map), file);
  assert.deepEqual(await itemsOf(new SaverStore(kvOver(map))), [["u", "k", { v: 1 }]]);
  assert.deepEqual(await kvOver(map).listThreads(), ["weft:store"]);
});

/** A process on `map` that dies at its n-th call. */
function dying(map, n, after) {
  let calls = 0;
  const kv = {};
  for (const [verb, call] of Object.entries({
    get: (name) => map.get(name),
    put: (name, value) => void map.set(name, value),
    list: (prefix) => [...map.keys()].filter((name) => name.startsWith(prefix)),
    delete: (name) => void map.delete(name),
    cas: (name, expected, value) => {
      const held = map.get(name);
      if (
        expected === undefined
          ? held !== undefined
          : held === undefined || Buffer.compare(held, expected) !== 0
      )
        return false;
      return (void map.set(name, value), true);
    },
  })) {
    kv[verb] = async (...words) => {
      const dies = ++calls >= n;
      if (dies && (calls > n || !after)) throw new Error("the process is gone");
      const answer = await call(...words);
      if (dies) throw new Error("the process is gone");
      return answer;
    };
  }
  return { saver: new KvSaver(kv), isDead: () => calls >= n };
}

for (const after of [false, true]) {
  test(`a process that dies ${after ? "after" : "before"} any call of the taking over loses nothing, and the next one ends it`, async () => {
    for (let n = 1; ; n++) {
      const map = olderMap();
      const { saver, isDead } = dying(map, n, after);
      await new SaverStore(saver).search([]).catch(() => {});
      // Another one puts meanwhile.
      const next = new SaverStore(kvOver(map), { index });
      await next.put(["new"], "k", { n }, false);
      assert.deepEqual(
        await itemsOf(new SaverStore(kvOver(map))),
        [...OLDER, ["new", "k", { n }]],
        `call ${n}`,
      );
      assert.deepEqual(await kvOver(map).listThreads(), ["weft:store:users"], `call ${n}`);
      if (!isDead()) return assert.ok(n > 8, `${n}`);
    }
  });

  test(`a process that dies ${after ? "after" : "before"} any call while the log is written anew loses nothing that it was told`, async () => {
    let anew = 0;
    for (let n = 1; ; n += 1) {
      const map = new Map();
      const sound = new SaverStore(kvOver(map));
      await sound.batch(
        Array.from({ length: 3 }, (_, i) => ({
          namespace: ["a"],
          key: `k${i}`,
          value: { text: "x".repeat(1000) },
        })),
      );
      for (let i = 0; i < 4; i++) await sound.put(["a"], "big", { i, text: "y".repeat(3000) });
      const { saver, isDead } = dying(map, n, after);
      const store = new SaverStore(saver);
      let told = 3;
      for (let i = 4; i < 12; i++)
        await store.put(["a"], "big", { i, text: "z".repeat(3000) }).then(
          () => (told = i),
          () => {},
        );
      if ([...map.keys()].filter((name) => name.includes("/p/")).length < 5) anew++;
      const [, , , big] = await itemsOf(new SaverStore(kvOver(map)));
      assert.ok(big[2].i === told || big[2].i === told + 1, `call ${n}: ${big[2].i}, told ${told}`);
      assert.equal((await itemsOf(new SaverStore(kvOver(map)))).length, 4, `call ${n}`);
      await new SaverStore(kvOver(map)).put(["a"], "big", { i: 20 });
      assert.deepEqual((await new SaverStore(kvOver(map)).get(["a"], "big")).value, { i: 20 });
      if (!isDead()) break;
    }
    assert.ok(anew > 0);
  });
}

test("two processes take over at once: one does, both have all", async () => {
  for (let turns = 0; turns < 12; turns++) {
    const map = olderMap();
    const stores = [
      dying(map, Infinity, false),
      dying(map, Infinity, false),
      dying(map, Infinity, false),
    ].map(({ saver }) => new SaverStore(saver));
    const pause = async (n) => {
      for (; n > 0; n--) await null;
    };
    await Promise.all(
      stores.map(
        async (store, i) => (await pause(i * turns * 3), store.put(["p"], `k${i}`, { i })),
      ),
    );
    for (const store of [...stores, new SaverStore(kvOver(map))])
      assert.deepEqual(
        new Set((await itemsOf(store)).map(([space, name]) => `${space} ${name}`)),
        new Set([...OLDER.map(([space, name]) => `${space} ${name}`), "p k0", "p k1", "p k2"]),
      );
    assert.deepEqual(await kvOver(map).listThreads(), ["weft:store:users"]);
  }
});

test("stores that share a folder put at once, and none is refused", async () => {
  const path = await newFolder();
  const stores = [0, 1].map(() => new SaverStore(new FileSaver({ path })));
  await Promise.all(Array.from({ length: 20 }, (_, i) => stores[i % 2].put(["n"], `k${i}`, { i })));
  assert.equal((await itemsOf(new SaverStore(new FileSaver({ path })))).length, 20);
});

test("processes that share a folder put at once, and none is refused; the later one wins", {
  timeout: 120_000,
}, async () => {
  const path = await newFolder();
  const program = `
    import { FileSaver } from "weftgraph/savers/file";
    import { SaverStore } from "weftgraph/stores/saver";
    const store = new SaverStore(new FileSaver({ path: process.argv[1] }));
    const name = process.argv[2];
    for (let i = 0; i < 40; i++) {
      await store.put([name], String(i % 20), { i });
      await store.put(["shared"], "k", { name, i });
    }`;
  const run = (name) =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, ["--input-type=module", "-e", program, path, name], {
        cwd: fileURLToPath(new URL("../..", import.meta.url)),
        stdio: ["ignore", "inherit", "pipe"],
      });
      let errors = "";
      child.stderr.on("data", (text) => (errors += text));
      child.on("exit", (code) => (code === 0 ? resolve() : reject(new Error(errors))));
    });
  const names = ["a", "b", "c"];
  await Promise.all(names.map(run));
  const store = new SaverStore(new FileSaver({ path }));
  for (const name of names)
    assert.deepEqual(
      (await store.search([name], { limit: 99 })).map(({ value }) => value.i).sort((a, b) => a - b),
      Array.from({ length: 20 }, (_, i) => 20 + i),
      name,
    );
  assert.equal((await store.get(["shared"], "k")).value.i, 39);
  assert.deepEqual(await new FileSaver({ path }).listThreads(), []);
});

test("a seal is for the store or for a thread, not for both", async () => {
  const seal = { key: await key };
  const inner = new MemoryStore();
  const saver = sealSaver(new WeftSaver(inner), seal);
  await new SaverStore(saver).put(["u"], "k", { v: 1 });
  const head = inner.partition("store").head("items");
  const [bytes] = inner.partition("store").read("items");
  inner.append("items", { ...head, firstSeq: 1 }, bytes, undefined);
  await assert.rejects(saver.store.read("items"), { code: "UNSEALED" });
  assert.deepEqual(await itemsOf(new SaverStore(saver)), [["u", "k", { v: 1 }]]);
  // A saver without the key does not read it, and says so.
  await assert.rejects(new SaverStore(new WeftSaver(inner)).search([]), { code: "UNSEALED" });
});

test("items go from saver to saver as a file; what is none is refused, and nothing is put", async () => {
  const map = olderMap();
  const from = new SaverStore(kvOver(map), { index });
  const file = await from.exportItems();
  const to = new SaverStore(new MemorySaver(), { index });
  await to.put(["users", "anna"], "taste", { old: true }, false);
  await to.put(["mine"], "k", { v: 1 }, false);
  assert.equal(await to.importItems(file), 4);
  assert.deepEqual(await itemsOf(to), [OLDER[0], ["mine", "k", { v: 1 }], ...OLDER.slice(1)]);
  assert.deepEqual(
    (await to.search(["users"], { query: "bbb" })).map(({ value }) => value.likes),
    ["abab", "aaa"],
  );
  const empty = new SaverStore(new MemorySaver());
  assert.equal(await empty.importItems(await empty.exportItems()), 0);
  for (const [what, code] of [
    [undefined, "BAD_ARGUMENT"],
    ["x", "BAD_ARGUMENT"],
    [new Uint8Array(0), "CORRUPT_LOG"],
    [file.slice(0, -1), "CORRUPT_LOG"],
    [file.map((byte, at) => (at === file.length - 9 ? byte ^ 1 : byte)), "CORRUPT_LOG"],
    [await exportThread(kvOver(olderMap()), "weft:store"), "CORRUPT_LOG"],
  ]) {
    await assert.rejects(empty.importItems(what), { code });
  }
  await assert.rejects(empty.importItems(file, { maxBytes: 10 }), {
    code: "BAD_ARGUMENT",
    message: /maxBytes/,
  });
  assert.deepEqual(await itemsOf(empty), []);
});

test("what is no saver, has no place beside its threads, or is no name is refused by name", () => {
  for (const saver of [undefined, null, 5, {}, { store: {} }])
    assert.throws(() => new SaverStore(saver), {
      code: "BAD_ARGUMENT",
      message: /one of Weft's savers/,
    });
  assert.throws(
    () =>
      new SaverStore(
        new WeftSaver({ ...new MemoryStore(), append: () => {}, partition: undefined }),
      ),
    { code: "BAD_ARGUMENT", message: /`partition`/ },
  );
  for (const name of [5, {}, null, "x".repeat(300), "\ud800"])
    assert.throws(() => new SaverStore(new MemorySaver(), { name }), {
      name: /./,
      code: /BAD_ARGUMENT|BAD_STRING/,
    });
});

test("a log of which records are missing or damaged is CORRUPT_LOG, and not an empty store", async () => {
  for (const damage of [
    (bytes) => bytes.fill(0, 0, 4),
    (bytes) => bytes.fill(255, 60, 90),
    (bytes) => bytes.fill(0, bytes.length - 30),
  ]) {
    const map = new Map();
    const store = new SaverStore(kvOver(map));
    await store.put(["u"], "k", { v: 1 });
    const piece = [...map.keys()].find((name) => name.includes("/p/"));
    const bytes = map.get(piece).slice();
    damage(bytes);
    map.set(piece, bytes);
    const again = new SaverStore(kvOver(map));
    const found = await itemsOf(again).then(
      (items) => items,
      ({ code }) => code,
    );
    assert.ok(found === "CORRUPT_LOG", JSON.stringify(found));
  }
});

/**
 * Pairs whose reads show what was there before, `often` times, and whose compare-and-set says no to
 * each third thing that it did.
 */
function misleading(map, often) {
  const before = new Map();
  let sets = 0;
  const note = (name) =>
    before.has(name) || before.set(name, { value: map.get(name), left: often });
  return {
    get: async (name) => {
      const old = before.get(name);
      if (old === undefined || old.left-- <= 0) before.delete(name);
      return before.has(name) ? old.value : map.get(name);
    },
    put: async (name, value) => void (note(name), map.set(name, value)),
    list: async (prefix) => [...map.keys()].filter((name) => name.startsWith(prefix)),
    delete: async (name) => void map.delete(name),
    cas: async (name, expected, value) => {
      note(name);
      const held = map.get(name);
      if (
        expected === undefined
          ? held !== undefined
          : held === undefined || Buffer.compare(held, expected) !== 0
      )
        return false;
      map.set(name, value);
      return ++sets % 3 !== 0;
    },
  };
}

test("over a storage that misleads, what writers at once were told is stored, also when the log is written anew", async () => {
  const map = new Map();
  const stores = [0, 1, 2].map((often) => new SaverStore(new KvSaver(misleading(map, often))));
  const told = new Map();
  const work = stores.map(async (store, s) => {
    for (let i = 0; i < 20; i++) {
      const name = `k${s}-${i % 3}`;
      await store.put(["n"], name, { i, text: "x".repeat(1000) }).then(
        () => told.set(name, i),
        () => told.delete(name),
      );
    }
  });
  await Promise.all(work);
  assert.ok(told.size > 6, `${told.size}`);
  for (const store of [...stores, new SaverStore(kvOver(map))])
    for (const [name, i] of told) assert.equal((await store.get(["n"], name)).value.i, i, name);
});
