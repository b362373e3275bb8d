// SPDX-License-Identifier: MIT
// Stores: the same calls to LangGraph's InMemoryStore, to ours and to one that lasts give the same;
// nodes get the store; what was put is there in another process, and beside another writer.
import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import * as peer from "@langchain/langgraph-checkpoint";
import * as weft from "weftgraph";
import * as names from "weftgraph/checkpoint";
import { FileSaver } from "weftgraph/savers/file";
import { SaverStore } from "weftgraph/stores/saver";
import { LogReader } from "../../js/log/reader.js";
import { LogWriter } from "../../js/log/writer.js";

const count = (text, letter) => text.split(letter).length - 1;
const vector = (text) => [count(text, "a"), count(text, "b"), 1];

/** Calls noted in `seen`; what throws is noted too. */
function noting(store, seen) {
  const show = (value) =>
    JSON.parse(
      JSON.stringify(value ?? null, (key, held) =>
        /^(created|updated)At$/.test(key) ? typeof held : held,
      ),
    );
  return async (verb, ...given) => {
    try {
      const answer = await store[verb](...given);
      seen.push([
        verb,
        given,
        show(answer),
        Array.isArray(answer) ? answer.map((item) => item === null || item?.score) : undefined,
      ]);
    } catch (error) {
      seen.push([verb, given, error.name, error.message]);
    }
  };
}

async function plainScript(store) {
  const seen = [];
  const call = noting(store, seen);
  await call("get", ["a"], "k");
  await call("put", ["a", "b"], "k", { x: 1, t: "hello", n: { m: [1, 2] } });
  await call("get", ["a", "b"], "k");
  for (const namespace of [[], ["a.b"], [""], ["langgraph", "x"], [1], ["a", null]])
    await call("put", namespace, "k", { x: 1 });
  await call("put", ["a", "c"], "k2", { x: 5, t: "bye", u: null });
  await call("put", ["d"], "k3", { x: "5", y: [1, 2] });
  await call("put", ["a", "b"], "k4", { x: 2 });
  await call("put", ["ba"], "k5", { x: 3 });
  const filters = [
    undefined,
    {},
    { x: 1 },
    { x: { $eq: 1 } },
    { x: { $ne: 1 } },
    { x: { $gt: 1 } },
    { x: { $gte: 2 } },
    { x: { $lt: 5 } },
    { x: { $lte: 5 } },
    { x: { $in: [1, 5] } },
    { x: { $nin: [1] } },
    { x: { $in: 1 } },
    { x: { $gt: 0, $lt: 3 } },
    { x: { $gt: "1" } },
    { x: { $exists: true } },
    { x: { y: 1 } },
    { x: {} },
    { n: { m: [1, 2] } },
    { x: 1, t: "hello" },
    { u: null },
    { nope: undefined },
    { x: { constructor: 1 } },
  ];
  for (const filter of filters)
    for (const prefix of [["a"], ["d"]]) await call("search", prefix, { filter });
  for (const prefix of [[], ["a"], ["a", "b"], ["a", "b", "c"], ["*"], ["z"]])
    await call("search", prefix);
  for (const page of [
    { limit: 1 },
    { limit: 1, offset: 1 },
    { limit: 0 },
    { offset: 10 },
    { query: "hello" },
  ])
    await call("search", ["a"], page);
  await call("put", ["a", "b", "c", "d"], "q", {});
  await call("put", ["x", "b"], "q", {});
  const listings = [
    undefined,
    { prefix: ["a"] },
    { suffix: ["b"] },
    { prefix: ["*", "b"] },
    { suffix: ["*", "d"] },
    { maxDepth: 1 },
    { maxDepth: 2 },
    { limit: 1 },
    { limit: 1, offset: 1 },
    { prefix: ["a"], suffix: ["d"] },
    { prefix: ["zz"] },
    { prefix: [] },
    { limit: 0 },
  ];
  for (const listing of listings) await call("listNamespaces", listing);
  await call("batch", [
    { namespace: ["a", "b"], key: "k" },
    { namespace: ["a"], key: "new", value: { z: 1 } },
    { namespace: ["a"], key: "new" },
    { namespacePrefix: ["a"], limit: 2, offset: 0 },
    { matchConditions: [{ matchType: "prefix", path: ["a"] }], maxDepth: 1, limit: 10, offset: 0 },
    { namespace: ["a"], key: "new", value: { z: 2 } },
    { limit: 2, offset: 0 },
  ]);
  await call("get", ["a"], "new");
  await call("batch", [{ matchConditions: [{ matchType: "bad", path: [] }], limit: 1, offset: 0 }]);
  await call("delete", ["a", "b"], "k4");
  await call("delete", ["none"], "k");
  await call("search", ["a"]);
  return seen;
}

async function indexedScript(make, fields) {
  const seen = [];
  const embeddings = {
    embedDocuments: async (texts) => (seen.push(["documents", texts]), texts.map(vector)),
    embedQuery: async (text) => (seen.push(["query", text]), vector(text)),
  };
  const store = make({ index: { dims: 3, embeddings, fields } });
  const call = noting(store, seen);
  await call("put", ["n"], "1", {
    text: "aaa",
    meta: { tags: ["b", "bb"], deep: { x: "aab" } },
    list: [{ c: 1 }, { c: "ab" }],
  });
  await call("put", ["n"], "2", { text: "bbb" });
  await call("put", ["n"], "3", { other: "zz", text: null });
  await call("put", ["n"], "4", { text: "aab" }, false);
  await call("put", ["n"], "5", { text: "ab", alt: "aaaa" }, ["alt"]);
  for (const options of [
    { query: "a" },
    { query: "bb", limit: 2 },
    { query: "a", filter: { text: "bbb" } },
    { query: "a", offset: 1 },
    {},
  ])
    await call("search", ["n"], options);
  await call("batch", [
    { namespace: ["n"], key: "1", value: { text: "bbbb" } },
    { namespace: ["n"], key: "6", value: { text: "ba" } },
    { namespacePrefix: ["n"], query: "b", limit: 10, offset: 0 },
    { namespacePrefix: ["n"], query: "b", limit: 1, offset: 0 },
  ]);
  await call("delete", ["n"], "2");
  await call("search", ["n"], { query: "b" });
  return JSON.parse(JSON.stringify(seen));
}

const makers = {
  InMemoryStore: (options) => new weft.InMemoryStore(options),
  SaverStore: (options) => new SaverStore(new weft.MemorySaver(), options),
};
const FIELDS = [
  undefined,
  ["text"],
  ["text", "meta.tags[*]"],
  ["list[*].c", "meta.deep.x"],
  ["list[0].c"],
  ["list[-1].c"],
  ["meta.*", "$"],
  ["meta.{deep,tags}"],
  ["nope"],
];

for (const [name, make] of Object.entries(makers)) {
  test(`${name}: the same calls give what LangGraph's InMemoryStore gives`, async () => {
    const [ours, theirs] = [await plainScript(make()), await plainScript(new peer.InMemoryStore())];
    theirs.forEach((item, index) => assert.deepEqual(ours[index], item));
  });

  test(`${name}: search by nearness, as LangGraph's`, async () => {
    for (const fields of FIELDS) {
      const theirs = await indexedScript((options) => new peer.InMemoryStore(options), fields);
      const ours = await indexedScript(make, fields);
      theirs.forEach((item, index) => assert.deepEqual(ours[index], item, String(fields)));
    }
  });
}

for (const [name, make] of Object.entries(makers)) {
  test(`${name}: a namespace is its labels, whatever is in them, and so is a prefix`, async () => {
    const embeddings = {
      embedDocuments: async (texts) => texts.map(vector),
      embedQuery: async (text) => vector(text),
    };
    for (const options of [undefined, { index: { dims: 3, embeddings } }]) {
      const store = make(options);
      const spaces = [
        ["users", "1"],
        ["users", "10"],
        ["users", "1", "deep"],
        ["users:1"],
        ["users", "1:deep"],
        ["users", '1","deep'],
        ["users", '1"'],
        ["users", "1\\"],
        ["user"],
        ["s", "users", "1"],
        ["a,b"],
        ["a", "b"],
      ];
      for (const [at, namespace] of spaces.entries()) await store.put(namespace, "k", { at });
      for (const [at, namespace] of spaces.entries()) {
        assert.equal((await store.get(namespace, "k")).value.at, at);
        const below = spaces
          .filter((one) => namespace.every((label, i) => one[i] === label))
          .map((one) => JSON.stringify(one));
        for (const query of [undefined, "a"])
          assert.deepEqual(
            (await store.search(namespace, { limit: 99, query }))
              .map((item) => JSON.stringify(item.namespace))
              .sort(),
            below.slice().sort(),
          );
        const listed = (await store.listNamespaces({ prefix: namespace })).map((one) =>
          JSON.stringify(one),
        );
        assert.deepEqual(listed.sort(), below.sort());
      }
      assert.equal((await store.search([], { limit: 99 })).length, spaces.length);
      assert.deepEqual(
        (await store.listNamespaces({ limit: 99 })).map((one) => JSON.stringify(one)).sort(),
        spaces.map((one) => JSON.stringify(one)).sort(),
      );
      const [one, two] = await store.batch([
        { namespacePrefix: ["a"], limit: 9 },
        { namespace: ["a,b"], key: "k" },
      ]);
      assert.deepEqual(
        [one.map(({ namespace }) => namespace), two.namespace],
        [[["a", "b"]], ["a,b"]],
      );
      await store.delete(["users", "1"], "k");
      assert.equal(await store.get(["users", "1"], "k"), null);
      for (const namespace of spaces.slice(1))
        assert.ok(await store.get(namespace, "k"), String(namespace));
      if (options)
        assert.equal(typeof (await store.search(["users:1"], { query: "a" }))[0].score, "number");
    }
  });

  test(`${name}: arguments of wrong types are errors that name them, and change nothing`, async () => {
    const store = make();
    await store.put(["a"], "k", { v: 1 });
    const refused = { code: "BAD_ARGUMENT" };
    for (const namespace of [undefined, null, "a", 5, {}, Symbol("a")]) {
      for (const call of [
        () => store.put(namespace, "k", {}),
        () => store.get(namespace, "k"),
        () => store.delete(namespace, "k"),
      ])
        await assert.rejects(call, { ...refused, message: /`namespace` is a list of strings/ });
      await assert.rejects(store.search(namespace), {
        ...refused,
        message: /`namespacePrefix` is a list of strings/,
      });
    }
    for (const label of [5, null, undefined, {}, Symbol("a")]) {
      await assert.rejects(store.put(["a", label], "k", {}), { name: "InvalidNamespaceError" });
      for (const call of [
        () => store.get(["a", label], "k"),
        () => store.delete(["a", label], "k"),
        () => store.search([label]),
      ])
        await assert.rejects(call, { name: "InvalidNamespaceError" });
    }
    // Of no namespace nothing is put, read or deleted; all items are searched.
    for (const namespace of [[], [""], ["a.b"]])
      for (const call of [
        () => store.get(namespace, "k"),
        () => store.delete(namespace, "k"),
        () => store.batch([{ namespace, key: "k", value: {} }]),
      ])
        await assert.rejects(call, { name: "InvalidNamespaceError" });
    for (const key of [undefined, null, {}, ["k"], NaN, Symbol("k")])
      for (const call of [
        () => store.put(["a"], key, {}),
        () => store.get(["a"], key),
        () => store.delete(["a"], key),
      ])
        await assert.rejects(call, { ...refused, message: /`key`/ });
    await assert.rejects(store.put(["a"], "k", undefined), { ...refused, message: /`value`/ });
    for (const index of [true, "text", 5, {}, [5]])
      await assert.rejects(store.put(["a"], "k", {}, index), { ...refused, message: /`index`/ });
    for (const options of [null, 5, "x"])
      for (const call of [() => store.search(["a"], options), () => store.listNamespaces(options)])
        await assert.rejects(call, { ...refused, message: /options/ });
    for (const path of [undefined, "a", 5])
      await assert.rejects(
        store.batch([{ matchConditions: [{ matchType: "prefix", path }], limit: 1, offset: 0 }]),
        { ...refused, message: /`path`/ },
      );
    for (const operations of [undefined, null, 5, {}, "x"])
      await assert.rejects(async () => store.batch(operations), {
        ...refused,
        message: /batch\(\)/,
      });
    for (const operation of [undefined, null, 5, "x"])
      await assert.rejects(
        store.batch([{ namespace: ["a"], key: "k", value: { v: 2 } }, operation]),
        { ...refused, message: /batch\(\)/ },
      );
    await assert.rejects(store.search(["a"], { query: 5 }), { ...refused, message: /`query`/ });
    assert.deepEqual(
      (await store.search([])).map(({ value }) => value),
      [{ v: 1 }],
    );
  });
}

test("AsyncBatchedStore and caches: what is no store, no key and no list is refused by name", async () => {
  for (const none of [undefined, null, 5, "x", {}])
    assert.throws(() => new weft.AsyncBatchedStore(none), {
      code: "BAD_ARGUMENT",
      message: /AsyncBatchedStore/,
    });
  const cache = new names.InMemoryCache();
  for (const key of [undefined, null, {}, [], [["n"]], ["n", "k"], [["n"], {}], [[5], "k"]]) {
    await assert.rejects(cache.set([{ key, value: 1 }]), {
      code: "BAD_ARGUMENT",
      message: /of a cache/,
    });
    await assert.rejects(cache.get([key]), { code: "BAD_ARGUMENT", message: /of a cache/ });
  }
  for (const call of [() => cache.get(), () => cache.set(5), () => cache.clear()])
    await assert.rejects(call, { code: "BAD_ARGUMENT", message: /of a cache is a list/ });
  await cache.set([
    { key: [["a,b"], "k"], value: 1 },
    { key: [["a", "b"], "k"], value: 2 },
  ]);
  assert.deepEqual(
    (
      await cache.get([
        [["a,b"], "k"],
        [["a", "b"], "k"],
      ])
    ).map(({ value }) => value),
    [1, 2],
  );
  await cache.clear([["a", "b"]]);
  assert.deepEqual(
    (
      await cache.get([
        [["a,b"], "k"],
        [["a", "b"], "k"],
      ])
    ).map(({ value }) => value),
    [1],
  );
});

test("an item keeps when it was made, and who it is", async () => {
  const store = new weft.InMemoryStore();
  await store.put(["a"], "k", { v: 1 });
  const before = await store.get(["a"], "k");
  const { createdAt } = before;
  await store.put(["a"], "k", { v: 2 });
  const after = await store.get(["a"], "k");
  assert.equal(after, before);
  assert.deepEqual(
    [after.value, after.createdAt, after.updatedAt >= createdAt],
    [{ v: 2 }, createdAt, true],
  );
  assert.ok(
    new names.MemoryStore() instanceof weft.InMemoryStore && store instanceof weft.BaseStore,
  );
  assert.equal(new names.InvalidNamespaceError("x").name, "InvalidNamespaceError");
});

test("BaseStore's methods are made of batches, as LangGraph's", async () => {
  const ask = async (Base) => {
    const seen = [];
    class Own extends Base {
      async batch(operations) {
        seen.push(operations.map((operation) => ({ ...operation })));
        return operations.map(() => "answer");
      }
    }
    const call = noting(new Own(), seen);
    await call("get", ["a"], "k");
    await call("get", [], "k");
    await call("search", ["a"]);
    await call("search", ["a"], { filter: { x: 1 }, limit: 3, offset: 2, query: "q" });
    await call("put", ["a"], "k", { v: 1 });
    await call("put", ["a"], "k", { v: 1 }, ["f"]);
    await call("put", [], "k", {});
    await call("delete", ["a.b"], "k");
    await call("listNamespaces");
    await call("listNamespaces", {
      prefix: ["a"],
      suffix: ["b"],
      maxDepth: 2,
      limit: 5,
      offset: 1,
    });
    return JSON.parse(JSON.stringify(seen));
  };
  assert.deepEqual(await ask(weft.BaseStore), await ask(peer.BaseStore));
});

test("AsyncBatchedStore gathers what is asked in one turn", async () => {
  const batches = [];
  class Spy extends weft.InMemoryStore {
    async batch(operations) {
      batches.push(operations.length);
      if (operations.some(({ key }) => key === "bad")) throw new RangeError("bad key");
      return super.batch(operations);
    }
  }
  const store = new weft.AsyncBatchedStore(new Spy());
  const early = store.put(["a"], "k", { v: 0 });
  await null;
  assert.deepEqual([batches, store.isRunning], [[], false]);
  store.start();
  await early;
  const answers = await Promise.all([
    store.put(["a"], "k", { v: 1 }),
    store.get(["a"], "k"),
    store.search(["a"], { limit: 3 }),
  ]);
  assert.deepEqual(
    [answers[0], answers[1].value, answers[2].length, batches],
    [null, { v: 1 }, 1, [1, 3]],
  );
  await assert.rejects(store.get(["a"], "bad"), /bad key/);
  await assert.rejects(store.batch([]), /not implemented on `AsyncBatchedStore`/);
  assert.equal(
    JSON.stringify(store),
    JSON.stringify({ queue: {}, nextKey: 5, running: true, store: "[LangGraphStore]" }),
  );
  await store.stop();
  assert.equal(store.isRunning, false);
});

test("nodes get the store: by their config, by getStore, in tools' configs and as the call's", async () => {
  const State = weft.Annotation.Root({ found: weft.Annotation });
  const build = (options) =>
    new weft.StateGraph(State)
      .addNode("a", async (_, config) => {
        assert.equal(weft.getStore(), config.store);
        const [, , before] = await Promise.all([
          config.store.put(["n"], "k", { v: 7 }),
          null,
          config.store.get(["n"], "k"),
        ]);
        return { found: [before, (await config.store.get(["n"], "k")).value.v] };
      })
      .addEdge(weft.START, "a")
      .compile(options);
  const store = new weft.InMemoryStore();
  assert.deepEqual(await build({ store }).invoke({}), { found: [null, 7] });
  assert.deepEqual((await store.get(["n"], "k")).value, { v: 7 });
  assert.deepEqual(await build({}).invoke({}, { store: new weft.InMemoryStore() }), {
    found: [null, 7],
  });
});

test("SaverStore lasts: another process, another writer, another store of the same saver, its vectors", async () => {
  const path = await fs.mkdtemp(join(tmpdir(), "weft-stores-"));
  try {
    let embedded = 0;
    const index = {
      dims: 3,
      embeddings: {
        embedDocuments: async (texts) => ((embedded += texts.length), texts.map(vector)),
        embedQuery: async (text) => vector(text),
      },
    };
    const open = (options) => new SaverStore(new FileSaver({ path }), options);
    const [one, two] = [open({ index }), open({ index })];
    await one.put(["users"], "anna", { likes: "aaa", since: new Date(5) });
    await two.put(["users"], "bo", { likes: "bbb" });
    await one.put(["users"], "bo", { likes: "ab" });
    await Promise.all(
      Array.from({ length: 10 }, (_, i) => (i % 2 === 0 ? one : two).put(["many"], `k${i}`, { i })),
    );
    assert.equal((await two.search(["many"], { limit: 20 })).length, 10);
    assert.deepEqual((await two.get(["users"], "bo")).value, { likes: "ab" });
    await two.delete(["many"], "k0");
    const before = embedded;
    const later = open({ index });
    assert.deepEqual(
      (await later.search(["users"], { query: "a" })).map(({ key }) => key),
      ["anna", "bo"],
    );
    const anna = await later.get(["users"], "anna");
    assert.ok(
      anna.value.since instanceof Date &&
        anna.createdAt.getTime() === (await one.get(["users"], "anna")).createdAt.getTime(),
    );
    assert.equal(await later.get(["many"], "k0"), null);
    assert.equal(embedded, before);
    assert.deepEqual(await open({ name: "other" }).search([]), []);
  } finally {
    await fs.rm(path, { recursive: true, force: true, maxRetries: 5 });
  }
});

test("InMemoryCache: what LangGraph's does; prototype keys are keys", async () => {
  const script = async (cache) => {
    const seen = [];
    const all = [
      [["a"], "k"],
      [["zz"], "k"],
      [["a", "b"], "k"],
      [[], "k"],
      [["a"], "old"],
    ];
    const value = { map: new Map([[1, new Set([2])]]), none: undefined };
    await cache.set([
      { key: [["a"], "k"], value, ttl: 100 },
      { key: [["a", "b"], "k"], value: 1 },
      { key: [[], "k"], value: null },
      { key: [["a"], "old"], value: 2, ttl: 0 },
    ]);
    value.map.set(9, 9);
    seen.push(await cache.get(all), await cache.get([]));
    await cache.clear([["a"]]);
    seen.push(await cache.get(all));
    await cache.clear([]);
    seen.push(await cache.get(all), Object.keys(cache.cache));
    return seen;
  };
  assert.deepEqual(await script(new names.InMemoryCache()), await script(new peer.InMemoryCache()));
  const cache = new names.InMemoryCache();
  await cache.set([{ key: [["__proto__"], "__proto__"], value: 1 }]);
  assert.deepEqual(
    await cache.get([
      [["__proto__"], "__proto__"],
      [["constructor"], "name"],
    ]),
    [{ key: [["__proto__"], "__proto__"], value: 1 }],
  );
  assert.equal({}.polluted, undefined);
});

test("SaverStore keeps what is there, not what was replaced", async () => {
  setFlagsFromString("--expose-gc");
  const gc = runInNewContext("gc");
  const saver = new weft.MemorySaver();
  const [writer, reader] = [new SaverStore(saver), new SaverStore(saver)];
  const value = (at) => ({ text: String.fromCharCode(97 + (at % 26)).repeat(200_000) });
  const round = async (at) => {
    await writer.put(["a"], "k", value(at));
    assert.equal((await reader.get(["a"], "k")).value.text[0], value(at).text[0]);
  };
  await round(0);
  gc();
  const before = process.memoryUsage().heapUsed;
  for (let at = 1; at < 100; at++) await round(at);
  gc();
  // All of them are 20 MB.
  assert.ok(process.memoryUsage().heapUsed - before < 5e6);
});

test("SaverStore reads what is told as an edit of what it read before", async () => {
  const { store } = new weft.MemorySaver();
  const [writer, reader] = [new SaverStore({ store }), new SaverStore({ store })];
  await writer.put(["a"], "k", { text: "as before ".repeat(20) });
  await reader.get(["a"], "k");
  const head = store.partition("store").head("items");
  const [{ tasks }] = new LogReader().read(store.partition("store").read("items")[0]);
  const { value } = tasks[0].writes[0];
  const log = new LogWriter("items", head);
  const base = { value, place: { seq: head.seq, index: 0 } };
  log.add({
    ns: "",
    id: "00000000-0000-0000-0000-000000000000",
    tasks: [
      {
        ...tasks[0],
        writes: [{ ...tasks[0].writes[0], value: value.replace("as before", "as later"), base }],
      },
    ],
  });
  store
    .partition("store")
    .append("items", { seq: log.seq, crc: log.crc, firstSeq: log.firstSeq }, log.take(), head);
  assert.equal((await reader.get(["a"], "k")).value.text, `as later ${"as before ".repeat(19)}`);
});

test("what is put in a store without an index can be read at once", async () => {
  const store = new weft.InMemoryStore();
  store.put(["a"], "1", { v: 1 });
  assert.deepEqual((await store.get(["a"], "1")).value, { v: 1 });
  const [, , found] = await Promise.all([
    store.put(["a"], "2", { v: 2 }),
    store.put(["a"], "3", { v: 3 }),
    store.search(["a"]),
  ]);
  assert.equal(found.length, 3);
});
