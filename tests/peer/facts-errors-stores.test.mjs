// SPDX-License-Identifier: MIT
// Stores and caches that are asked oddly: filters, pages, conditions, paths of an index, operations
// that are none, lifetimes.
import * as theirs from "@langchain/langgraph-checkpoint";
import * as ours from "weftgraph/checkpoint";
import { chain } from "./harness.mjs";
import { same } from "./surface.mjs";

const packageOf = (t) => (t.isPeer ? theirs : ours);
const titleOf = (value) =>
  typeof value === "symbol" || typeof value === "number" ? String(value) : JSON.stringify(value);

/** A program with a store that holds `items` under one namespace. */
function stored(title, items, program, options) {
  same(title, async (lib, t) => {
    const store = new (packageOf(t).InMemoryStore)(options?.());
    for (const [index, value] of items.entries())
      await store.put(["a", String(index % 3)], String(index), value);
    await program(store, t, lib);
  });
}

const ITEMS = [
  { a: 1, s: "b", n: { x: 1 }, l: [1, 2] },
  { a: 2, s: "a" },
  { a: "2" },
  { a: null },
  {},
  { a: [1] },
  { a: undefined },
  { a: NaN },
  { a: "abc" },
];
const GIVEN = [1, "2", "a", null, undefined, true, [1, 2], [], {}, NaN];
for (const operator of [
  "$eq",
  "$ne",
  "$gt",
  "$gte",
  "$lt",
  "$lte",
  "$in",
  "$nin",
  "$exists",
  "$and",
  "eq",
]) {
  stored(`filter ${operator}`, ITEMS, async (store, t) => {
    for (const given of GIVEN)
      await t.try(titleOf(given) ?? "undefined", async () =>
        (await store.search(["a"], { filter: { a: { [operator]: given } } })).map(({ key }) => key),
      );
  });
}

const byLength = {
  embedDocuments: async (texts) => texts.map((text) => [text.length, 1]),
  embedQuery: async (text) => [text.length, 1],
};
stored(
  "pages of a search by meaning: what has no vector comes behind",
  [{ text: "ab" }, { n: 1 }, { text: "abcd" }, { n: 2 }, { n: 3 }],
  async (store, t) => {
    for (const limit of [undefined, 0, 1, 3]) {
      for (const offset of [undefined, 0, 1, 2, 4]) {
        await t.try(`${limit} from ${offset}`, async () =>
          (await store.search(["a"], { limit, offset, query: "abc" })).map(({ key, score }) => [
            key,
            typeof score,
          ]),
        );
      }
    }
  },
  () => ({ index: { dims: 2, embeddings: byLength, fields: ["text"] } }),
);

stored("names of what was deleted, and never there", [{}], async (store, t) => {
  for (const namespace of [["a", "0"], ["b"]]) {
    await store.delete(namespace, "0");
    t.note("names", await store.listNamespaces({}));
  }
});

stored(
  "pages",
  Array.from({ length: 14 }, (_, k) => ({ k })),
  async (store, t) => {
    for (const limit of [undefined, null, 0, 1, 3, -1, 2.5, NaN, Infinity, "2"]) {
      for (const offset of [undefined, null, 0, 1, -1, 1.5, 100, "1"]) {
        await t.try(`${limit} from ${offset}`, async () =>
          (await store.search(["a"], { limit, offset })).map(({ key }) => key),
        );
        await t.try("names", () => store.listNamespaces({ limit, offset }));
      }
    }
  },
);

const CONDITIONS = [
  undefined,
  null,
  [],
  {},
  [{ matchType: "prefix", path: [] }],
  [{ matchType: "prefix", path: ["*", "b"] }],
  [{ matchType: "nope", path: ["a"] }],
  [{ matchType: "suffix", path: ["a", "b", "c", "d"] }],
];
same("conditions of namespaces", async (lib, t) => {
  const store = new (packageOf(t).InMemoryStore)();
  for (const namespace of [["a", "b", "c"], ["e"], ["z", "b"]]) await store.put(namespace, "k", {});
  for (const matchConditions of CONDITIONS)
    await t.try(titleOf(matchConditions) ?? "undefined", () =>
      store.batch([{ matchConditions, limit: 10, offset: 0 }]),
    );
});

stored("operations that are none are passed over", [{ a: 1 }], async (store, t) => {
  const get = { namespace: ["a", "0"], key: "0" };
  for (const operation of [
    {},
    { limit: 5, offset: 0 },
    { maxDepth: 1 },
    { namespace: ["a"] },
    { namespacePrefix: ["a"], ...get, value: { x: 1 } },
  ]) {
    await t.try("answers", async () =>
      (await store.batch([get, operation, get])).map((one) => one?.key ?? one),
    );
  }
});

const VALUE = {
  a: "hello",
  b: 5,
  n: { x: "yo", y: null, z: { d: 1 }, t: true, e: "" },
  l: [{ x: "p" }, { x: "q" }, null, 5],
  ll: [["a"], ["b", "c"]],
  u: null,
};
const PATHS = [
  "n.{x,y}",
  "{a,n.x}",
  "{a,u}",
  "n.{z}.d",
  "n.{y}.d",
  "l[x]",
  "l[]",
  "l[0",
  "l[*",
  "l[1e0]",
  "l[0x0]",
  "l[1.5]",
  "l[ 0 ]",
  "l[-2]",
  "$.a",
  "$",
  "{",
  "{}",
  "toString",
  "n.constructor",
  "..a",
  "a.",
  "l.0.x",
  "ll[*][0]",
  "ll[-1][-1]",
  "*.x",
  "n[*]",
];
for (const path of PATHS) {
  same(`the path ${path}`, async (lib, t) => {
    const asked = [];
    const embeddings = {
      embedDocuments: async (texts) => (asked.push(texts), texts.map(({ length }) => [length, 1])),
      embedQuery: async ({ length }) => [length, 1],
    };
    const store = new (packageOf(t).InMemoryStore)({ index: { dims: 2, embeddings } });
    await t.try("put", () => store.put(["a"], "k", VALUE, [path]));
    t.note("texts", asked);
    await t.try("found", async () =>
      (await store.search(["a"], { query: "he" })).map(({ score }) => score?.toFixed(6)),
    );
  });
}

const EMBEDDINGS = {
  "no embeddings": undefined,
  "too few": { embedDocuments: async () => [], embedQuery: async () => [1, 1] },
  zeros: {
    embedDocuments: async (texts) => texts.map(() => [0, 0]),
    embedQuery: async () => [0, 0],
  },
  holes: {
    embedDocuments: async (texts) => texts.map(() => [1, 1]),
    embedQuery: async () => [undefined, 1],
  },
  "a failure": {
    embedDocuments: async () => Promise.reject(new Error("e")),
    embedQuery: async () => Promise.reject(new Error("q")),
  },
};
for (const [title, embeddings] of Object.entries(EMBEDDINGS)) {
  same(`an index with ${title}`, async (lib, t) => {
    const store = new (packageOf(t).InMemoryStore)({ index: { dims: 2, embeddings } });
    await t.try("put", () => store.put(["a"], "k", { a: "x" }));
    await t.try("put unindexed", () => store.put(["a"], "l", { a: "y" }, false));
    await t.try("found", async () =>
      (await store.search(["a"], { query: "x" })).map(({ key, score }) => [key, score]),
    );
  });
}

for (const answer of [undefined, null, [], [null], "x", [[1]]]) {
  same(`a store of one's own whose batch gives ${titleOf(answer)}`, async (lib, t) => {
    const { BaseStore, AsyncBatchedStore } = packageOf(t);
    class Own extends BaseStore {
      async batch() {
        return answer;
      }
    }
    const batched = new AsyncBatchedStore(new Own());
    batched.start();
    for (const store of [new Own(), batched]) {
      await t.try("put", () => store.put(["a"], "k", {}));
      await t.try("delete", () => store.delete(["a"], "k"));
      await t.try("get", () => store.get(["a"], "k"));
    }
    await batched.stop();
  });
}
same("a store without a batch", async (lib, t) => {
  const { BaseStore } = packageOf(t);
  const store = new (class extends BaseStore {})();
  for (const act of [
    () => store.get(["a"], "k"),
    () => store.put(["a"], "k", {}),
    () => store.listNamespaces(),
  ])
    await t.try("asked", act);
});
same("a graph starts a batched store", async (lib, t) => {
  const { InMemoryStore, AsyncBatchedStore } = packageOf(t);
  const node = async (_, { store }) => {
    t.note("put", await store.put(["x"], "k", { v: 1 }));
    return { x: (await store.get(["x"], "k")).value };
  };
  await t.invoke(
    chain(lib, { n: node }, { store: new AsyncBatchedStore(new InMemoryStore()) }),
    {},
  );
});

for (const ttl of [undefined, null, 0, -1, NaN, "x", {}, "1", true, Infinity, 1]) {
  same(`a cache's lifetime of ${titleOf(ttl)}`, async (lib, t) => {
    const cache = new (packageOf(t).InMemoryCache)();
    const key = [["n"], "k"];
    await cache.set([{ key, value: 1, ttl }]);
    t.note("found", await cache.get([key, key, [["n"], "other"]]));
  });
}
// What is no key is refused by name (tests/js/stores.test.mjs); LangGraph.js fails inside, or takes
// it.
for (const key of [
  [[], ""],
  [["n"], 5],
]) {
  same(`a cache's key ${titleOf(key)}`, async (lib, t) => {
    const cache = new (packageOf(t).InMemoryCache)();
    await t.try("set", () => cache.set([{ key, value: 1 }]));
    await t.try("get", () => cache.get([key]));
  });
}
same("a graph's store that is null", async (lib, t) => {
  const node = (_, config) =>
    void t.note("store", ["store" in config, lib.getStore() === undefined]);
  for (const store of [null, undefined]) await t.invoke(chain(lib, { n: node }, { store }), {});
});

same(
  "what nodes ask of a store made for LangGraph.js names valid namespaces, and goes to its batch together",
  async (lib, t) => {
    const asked = [];
    class Foreign extends theirs.BaseStore {
      async batch(operations) {
        asked.push(operations);
        return operations.map(() => null);
      }
    }
    const spaces = [["a.b"], [], [""], [5], ["langgraph"], "x", undefined];
    const act = async (_state, { store }) => {
      for (const space of spaces)
        await t.try(titleOf(space) ?? "undefined", () => store.put(space, "k", { v: 1 }));
      await t.try("together", () =>
        Promise.all([store.get(["a"], "k"), store.search(["a"]), store.delete(["a"], "k")]),
      );
    };
    const edge = async (_state, { store }) =>
      (await store.get(["c"], "k")) === null ? "__end__" : "b";
    const state = lib.Annotation.Root({ x: lib.Annotation });
    const graph = new lib.StateGraph(state)
      .addNode("a", act)
      .addNode("b", act)
      .addEdge("__start__", "a")
      .addConditionalEdges("a", edge, ["b", "__end__"]);
    const inside = chain(lib, { one: [graph.compile()] }, { state, store: new Foreign() });
    await inside.invoke({ x: 0 });
    const thread = { configurable: { thread_id: "1" } };
    await graph
      .compile({ store: new Foreign(), checkpointer: new lib.MemorySaver() })
      .updateState(thread, { x: 1 }, "a");
    await graph.compile().invoke({ x: 0 }, { store: new Foreign() });
    t.note("asked", asked);
  },
);
