// SPDX-License-Identifier: MIT
// A page, which has localStorage, and a worker, which has none, on the threads of one origin: what
// is deleted is new again for both, and what was lost is told to both.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Annotation, START, StateGraph } from "weftgraph";
import { IdbfsSaver } from "weftgraph/savers/idbfs";
import { createOrigin } from "./idbfs-origin.mjs";

const thread = { configurable: { thread_id: "1" } };
const ADD = new StateGraph(
  Annotation.Root({ n: Annotation({ reducer: (a, b) => a + b, default: () => 0 }) }),
)
  .addNode("add", () => ({ n: 1 }))
  .addEdge(START, "add");

/** Each turn is that of a page or worker which has just been opened. */
function open() {
  const { indexedDB, localStorage } = createOrigin();
  const saverOf = (who) =>
    new IdbfsSaver({ indexedDB, localStorage: who === "page" ? localStorage : undefined });
  return {
    /** Over when the witness has been told, too. */
    async turn(who) {
      const checkpointer = saverOf(who);
      const { store } = checkpointer;
      const { witness } = store;
      const told = [];
      store.witness = (...words) => told[told.push(witness.apply(store, words)) - 1];
      const end = await ADD.compile({ checkpointer })
        .invoke({}, thread)
        .then(
          ({ n }) => n,
          ({ code }) => code,
        );
      for (let count = -1; count !== told.length; ) {
        count = told.length;
        await Promise.allSettled(told);
        await new Promise(setImmediate);
      }
      return end;
    },
    remove: (who) => saverOf(who).deleteThread("1"),
    witness: (who) => saverOf(who).store.witness("1"),
    /** Deletes the thread's own database. */
    lose: async () => {
      const names = (await indexedDB.databases())
        .map(({ name }) => name)
        .filter((name) => /[\da-f]{64}$/.test(name));
      assert.equal(names.length, 1);
      await new Promise((resolve) => (indexedDB.deleteDatabase(names[0]).onsuccess = resolve));
    },
  };
}

const both = [
  ["page", "worker"],
  ["worker", "page"],
  ["page", "page"],
  ["worker", "worker"],
];

for (const [one, other] of both) {
  test(`a thread of a ${one} that a ${other} deletes is new for both, and its end is known again`, async () => {
    for (const first of [one, other]) {
      const { turn, remove, witness, lose } = open();
      assert.deepEqual([await turn(one), await turn(other), await turn(one)], [1, 2, 3]);
      await remove(other);
      assert.deepEqual([await witness(one), await witness(other)], [undefined, undefined]);
      assert.deepEqual([await turn(first), await turn(one), await turn(other)], [1, 2, 3]);
      await lose();
      assert.deepEqual([await turn(one), await turn(other)], ["DATA_LOSS", "DATA_LOSS"]);
      await remove(other);
      assert.deepEqual([await turn(one), await turn(other)], [1, 2]);
    }
  });

  test(`a thread of a ${one} whose database is gone is no new one for a ${other}`, async () => {
    const { turn, lose, witness } = open();
    await turn(one);
    await lose();
    assert.equal(await turn(other), "DATA_LOSS");
    assert.ok((await witness(other)).seq > 0);
  });

  test(`what a ${one} and then a ${other} stored is known to both; the newer counts`, async () => {
    const { turn, witness } = open();
    await turn(one);
    await turn(other);
    const { seq } = await witness(other);
    assert.ok(
      other === "page" && one === "worker" ? seq > 0 : (await witness("page")).seq === seq,
      "a page knows what a worker stored",
    );
  });
}

test("a thread that another tab deleted is not lost where this tab's localStorage shows it a little later", async () => {
  const { indexedDB, localStorage } = createOrigin();
  // Tabs are processes of their own, and hear of each other's removals in their own time.
  const late = new Map();
  const other = {
    ...localStorage,
    getItem: (key) => late.get(key) ?? localStorage.getItem(key),
    setItem(key, value) {
      late.delete(key);
      localStorage.setItem(key, value);
    },
  };
  const here = {
    ...localStorage,
    removeItem(key) {
      late.set(key, localStorage.getItem(key));
      setTimeout(() => late.delete(key), 20);
      localStorage.removeItem(key);
    },
  };
  const [one, two] = [here, other].map((storage) => ({
    checkpointer: new IdbfsSaver({ indexedDB, localStorage: storage }),
  }));
  const { n } = await ADD.compile(two).invoke({}, thread);
  assert.equal(n, 1);
  await ADD.compile(one).invoke({}, thread);
  await one.checkpointer.deleteThread("1");
  assert.equal((await ADD.compile(two).invoke({}, thread)).n, 1);
});

test("where the browser lets nobody ask, as in a sandboxed frame, persistence and quota are unknown", async (t) => {
  const { navigator } = globalThis;
  const asked = Object.getOwnPropertyDescriptor(globalThis, "navigator");
  t.after(() =>
    asked ? Object.defineProperty(globalThis, "navigator", asked) : delete globalThis.navigator,
  );
  const saver = new IdbfsSaver({ indexedDB: createOrigin().indexedDB });
  const denied = async () => {
    throw new TypeError("The operation is not supported in this context.");
  };
  const unknown = { usage: undefined, quota: undefined, persistence: "unknown" };
  const rows = [
    [undefined, "unknown", unknown],
    [{ persisted: denied, persist: denied, estimate: denied }, "unknown", unknown],
    [
      {
        persisted: async () => false,
        persist: denied,
        estimate: async () => ({ usage: 1, quota: 2 }),
      },
      "unknown",
      { usage: 1, quota: 2, persistence: "best-effort" },
    ],
    [
      { persisted: async () => false, persist: async () => false, estimate: denied },
      "best-effort",
      { ...unknown, persistence: "best-effort" },
    ],
    [
      { persisted: async () => false, persist: async () => true, estimate: denied },
      "persistent",
      { ...unknown, persistence: "best-effort" },
    ],
  ];
  for (const [storage, persistence, quota] of rows) {
    Object.defineProperty(globalThis, "navigator", {
      value: { ...navigator, storage },
      configurable: true,
    });
    assert.equal(await saver.persistence({ ask: true }), persistence);
    assert.deepEqual(await saver.quota(), quota);
  }
});
