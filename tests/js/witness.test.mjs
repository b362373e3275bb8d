// SPDX-License-Identifier: MIT
// A host's witness tells a store that lost a thread, or all of them, from one that never had it.
// docs/reliability.md 1 (promise 2), T5.
import assert from "node:assert/strict";
import test from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { IDBFactory } from "fake-indexeddb";
import { Annotation, MemorySaver, START, StateGraph } from "weftgraph";
import { emptyCheckpoint } from "weftgraph/checkpoint";
import { IdbfsSaver } from "weftgraph/savers/idbfs";
import { sealSaver } from "weftgraph/savers/sealed";
import {
  copyThread,
  exportThread,
  exportThreads,
  importThread,
  importThreads,
} from "weftgraph/savers/transfer";
import { kvOver } from "./kv-map.mjs";

const State = Annotation.Root({
  count: Annotation({ reducer: (a, b) => a + b, default: () => 0 }),
});
const graphOn = (checkpointer) =>
  new StateGraph(State)
    .addNode("add", () => ({ count: 1 }))
    .addEdge(START, "add")
    .compile({ checkpointer });
const on = (thread_id) => ({ configurable: { thread_id } });

function makeWitness() {
  const heads = new Map();
  return {
    heads,
    get: async (threadId) => heads.get(threadId),
    set: (threadId, head) =>
      head === undefined ? heads.delete(threadId) : heads.set(threadId, { ...head }),
  };
}

/** Per kind: a saver over a place that is empty at first; each call is another page or process. */
const KINDS = {
  idbfs: () => {
    let origin = { indexedDB: new IDBFactory(), localStorage: undefined };
    return {
      open: (witness) => new IdbfsSaver({ ...origin, witness }),
      evict: () => (origin = { indexedDB: new IDBFactory(), localStorage: undefined }),
    };
  },
  kv: () => {
    let map = new Map();
    return {
      open: (witness) => Object.assign(kvOver(map), { witness }),
      evict: () => (map = new Map()),
    };
  },
  "memory, sealed": () => {
    const key = crypto.subtle.generateKey({ name: "HMAC", hash: "SHA-256" }, false, [
      "sign",
      "verify",
    ]);
    return {
      open: async (witness) =>
        sealSaver(Object.assign(new MemorySaver(), { witness }), { key: await key }),
      evict: () => {},
    };
  },
};

for (const [kind, make] of Object.entries(KINDS)) {
  test(`${kind}: an evicted place is DATA_LOSS, 20 of 20, another thread is new, a deleted one too`, async () => {
    // At once: a storage whose reads may lag is waited for before a loss is told.
    const evicted = Array.from({ length: 20 }, async (_, run) => {
      const witness = makeWitness();
      const { open, evict } = make();
      const first = graphOn(await open(witness));
      for (let turn = 0; turn <= run % 3; turn++) await first.invoke({}, on("1"));
      evict();
      const again = await open(witness);
      await assert.rejects(graphOn(again).invoke({}, on("1")), {
        code: "DATA_LOSS",
        message: /lost \d+ acknowledged records/,
      });
      assert.deepEqual(await graphOn(again).invoke({}, on("2")), { count: 1 });
      await again.deleteThread("1");
      assert.equal(witness.heads.has("1"), false);
      assert.deepEqual(await graphOn(again).invoke({}, on("1")), { count: 1 });
    });
    await Promise.all(evicted);
  });
}

test("a rolled back store is DATA_LOSS too; a witness that lags is not", async () => {
  const witness = makeWitness();
  let map = new Map();
  const open = () => graphOn(Object.assign(kvOver(map), { witness }));
  await open().invoke({}, on("1"));
  const [before, lagging] = [new Map(map), witness.heads.get("1")];
  await open().invoke({}, on("1"));
  const full = map;
  map = before;
  await assert.rejects(open().invoke({}, on("1")), { code: "DATA_LOSS" });
  map = full;
  witness.heads.set("1", lagging);
  assert.deepEqual(await open().invoke({}, on("1")), { count: 3 });
});

test("a thread that another process deletes while it is opened is a new one, not a lost one", async () => {
  const map = new Map();
  const [one, other] = [kvOver(map), kvOver(map)];
  const { store } = other;
  const read = store.read.bind(store);
  /** @type {(() => Promise<unknown>) | undefined} */
  let meanwhile;
  store.read = async (...given) => {
    const act = meanwhile;
    meanwhile = undefined;
    await act?.();
    return read(...given);
  };
  for (const id of ["1", "2"]) {
    await graphOn(one).invoke({}, on(id));
    meanwhile = () => one.deleteThread(id);
    const graph = graphOn(other);
    if (id === "1") assert.deepEqual(await graph.invoke({}, on(id)), { count: 1 });
    else assert.deepEqual((await graph.getState(on(id))).values, {});
    assert.equal(meanwhile, undefined);
  }
});

test("LangGraph's methods, exports and decisions tell of the loss, too, and write nothing behind it", async () => {
  const witness = makeWitness();
  let map = new Map();
  const open = () => Object.assign(kvOver(map), { witness });
  await graphOn(open()).invoke({}, on("1"));
  const { config, checkpoint, metadata } = await open().getTuple(on("1"));
  const before = new Map(map);
  await graphOn(open()).invoke({}, on("1"));
  const full = map;
  const calls = {
    getTuple: (saver) => saver.getTuple(on("1")),
    list: async (saver) => {
      for await (const _ of saver.list(on("1")));
    },
    put: (saver) =>
      saver.put(
        config,
        { ...checkpoint, id: "1f000000-0000-6000-8000-000000000000" },
        metadata,
        {},
      ),
    putWrites: (saver) =>
      saver.putWrites(config, [["count", 1]], "1f000000-0000-5000-8000-000000000000"),
    decisions: (saver) => saver.decisions("1"),
    exportThread: (saver) => exportThread(saver, "1"),
    copyThread: (saver) => copyThread(saver, "1", "2"),
    getState: (saver) => graphOn(saver).getState(on("1")),
  };
  for (const lost of [before, new Map()]) {
    await Promise.all(
      Object.entries(calls).map(async ([name, call]) => {
        const rest = new Map(lost);
        await assert.rejects(
          call(Object.assign(kvOver(rest), { witness })),
          { code: "DATA_LOSS" },
          name,
        );
        assert.deepEqual(rest, lost, name);
      }),
    );
    for (const [name, call] of Object.entries(calls)) {
      map = full;
      await call(open());
      if (name === "copyThread") await open().deleteThread("2");
    }
  }
});

test("put and putWrites alone tell it, one that cannot be told fails neither", async () => {
  const witness = makeWitness();
  let map = new Map();
  const open = () => Object.assign(kvOver(map), { witness });
  const checkpoint = {
    ...emptyCheckpoint(),
    channel_values: { count: 1 },
    channel_versions: { count: 1 },
  };
  const config = await open().put(
    on("1"),
    checkpoint,
    { source: "input", step: -1, parents: {} },
    { count: 1 },
  );
  assert.deepEqual(witness.heads.get("1"), await open().store.head("1"));
  await open().putWrites(config, [["count", 1]], "1f000000-0000-5000-8000-000000000000");
  assert.equal(witness.heads.get("1").seq, 2);
  const refused = Object.assign(kvOver(map), {
    witness: { ...witness, set: () => Promise.reject(new Error("not now")) },
  });
  await refused.putWrites(config, [["count", 2]], "1f000000-0000-5000-8000-000000000001");
  map = new Map();
  await assert.rejects(open().getTuple(on("1")), { code: "DATA_LOSS" });
});

test("a witness that fails to answer fails the run; one that cannot be told does not", async () => {
  const map = new Map();
  const witness = makeWitness();
  await graphOn(
    Object.assign(kvOver(map), {
      witness: { ...witness, set: () => Promise.reject(new Error("away")) },
    }),
  ).invoke({}, on("1"));
  const unreachable = { ...witness, get: () => Promise.reject(new Error("away")) };
  await assert.rejects(
    graphOn(Object.assign(kvOver(map), { witness: unreachable })).invoke({}, on("1")),
    { code: "STORE", message: /away/ },
  );
  assert.deepEqual(await graphOn(Object.assign(kvOver(map), { witness })).invoke({}, on("1")), {
    count: 2,
  });
});

test("what was acknowledged before a thread was deleted and begun anew is not told of the new one", async () => {
  const witness = makeWitness();
  const saver = Object.assign(kvOver(new Map()), { witness });
  for (let turn = 0; turn < 3; turn++) await graphOn(saver).invoke({}, on("1"));
  const late = await saver.store.head("1");
  await saver.deleteThread("1");
  await saver.store.witness("1", late);
  assert.equal(witness.heads.has("1"), false);
  await graphOn(saver).invoke({}, on("1"));
  while (witness.heads.get("1")?.seq !== (await saver.store.head("1")).seq)
    await new Promise(setImmediate);
  await saver.store.witness("1", late);
  assert.ok(witness.heads.get("1")?.seq < late.seq);
  assert.deepEqual(await graphOn(saver).invoke({}, on("1")), { count: 2 });
});

test("threads that were deleted are kept in mind by nobody", async () => {
  setFlagsFromString("--expose-gc");
  const gc = runInNewContext("gc");
  const saver = Object.assign(new MemorySaver(), {
    witness: { get: () => undefined, set: () => {} },
  });
  const round = async (from) => {
    for (let i = from; i < from + 5000; i++) await saver.store.drop(`${i}`.padEnd(1000, "x"));
    gc();
    return process.memoryUsage().heapUsed;
  };
  const before = await round(0);
  // The ids are 5 MB.
  assert.ok((await round(5000)) - before < 1e6);
});

test("what is no witness is refused", () => {
  for (const witness of [null, 5, "x", {}, { get: () => {} }, { get: 1, set: 2 }])
    assert.throws(() => (new MemorySaver().witness = witness), {
      code: "BAD_ARGUMENT",
      message: /witness/,
    });
});

test("a thread that is deleted while its witness is told stays deleted", async () => {
  const witness = makeWitness();
  const slow = {
    ...witness,
    set: async (threadId, head) => (
      head === undefined || (await new Promise((resolve) => setTimeout(resolve, 5))),
      witness.set(threadId, head)
    ),
  };
  const saver = Object.assign(kvOver(new Map()), { witness: slow });
  await graphOn(saver).invoke({}, on("1"));
  await saver.deleteThread("1");
  await new Promise((resolve) => setTimeout(resolve, 30));
  assert.deepEqual(await graphOn(saver).invoke({}, on("1")), { count: 1 });
});

for (const kind of ["idbfs", "kv"]) {
  test(`${kind}: an import into the place of a lost thread that dies before its witness is told: DATA_LOSS until it is imported again, or all of it`, async () => {
    const found = { lost: 0, whole: 0 };
    const cases = [1, 2, 3, 6].flatMap((turns) =>
      [true, false].flatMap((isHost) =>
        [true, false].map((isOfAll) => ({ turns, isHost, isOfAll })),
      ),
    );
    const imported = cases.map(async ({ turns, isHost, isOfAll }) => {
      const { open, evict } = KINDS[kind]();
      const witness = makeWitness();
      const origin = graphOn(new MemorySaver());
      for (let turn = 0; turn < 3; turn++) await origin.invoke({}, on("1"));
      const [file, all] = [
        await exportThread(origin.checkpointer, "1"),
        await exportThreads(origin.checkpointer),
      ];
      const bring = (saver) => (isOfAll ? importThreads(saver, all) : importThread(saver, file));
      evict();
      /** To its end, which the witness is told of a little later. */
      const run = async () => {
        const saver = open(witness);
        await graphOn(saver).invoke({}, on("1"));
        while (witness.heads.get("1")?.seq !== (await saver.store.head("1")).seq)
          await new Promise(setImmediate);
      };
      for (let turn = 0; turn < turns; turn++) await run();
      evict();
      const died = () => Promise.reject(new Error("the process is gone"));
      const dying = open(isHost ? { ...witness, set: died } : witness);
      const { store } = dying;
      const tell = store.witness;
      if (!isHost)
        store.witness = (threadId, head) =>
          head === undefined ? tell.call(store, threadId) : died();
      await assert.rejects(bring(dying), /the process is gone/);
      const state = () =>
        graphOn(open(witness))
          .getState(on("1"))
          .then(
            ({ values }) => values,
            ({ code }) => code,
          );
      const left = await state();
      found[left === "DATA_LOSS" ? "lost" : "whole"]++;
      if (left === "DATA_LOSS")
        assert.deepEqual(
          await bring(open(witness)),
          isOfAll ? { imported: ["1"], present: [] } : "1",
        );
      assert.deepEqual(await state(), { count: 3 });
      // What is there and whole stays as it is; so does what was lost and is not of this file.
      const again = bring(open(witness));
      await (isOfAll
        ? again.then((told) => assert.deepEqual(told, { imported: [], present: ["1"] }))
        : assert.rejects(again, { code: "BAD_ARGUMENT", message: /there already/ }));
      await run();
      const { seq, crc } = witness.heads.get("1");
      witness.heads.set("1", { seq: seq + 9, crc });
      await bring(open(witness)).catch(() => {});
      assert.equal(await state(), "DATA_LOSS");
    });
    await Promise.all(imported);
    assert.ok(found.lost > 3 && found.whole > 3, JSON.stringify(found));
  });
}
