// SPDX-License-Identifier: MIT
// Tests the limits of the contract: unusual thread ids, and arguments that are refused with a typed
// error.

/** @typedef {import("../../log/log-store.js").LogCommit} LogCommit */
/** @typedef {import("../../log/log-store.js").LogHead} LogHead */

const HOSTILE_IDS = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "../../etc/passwd",
  "..",
  ".",
  "/",
  "\\",
  "a/b",
  "con",
  "nul",
  "%2E",
  "%2e%2e",
  "=.",
  "=..",
  "=store",
  "=store/a",
  "partitions/store/a",
  "store",
  "weft:store",
  " ",
  "\u0000",
  "a\u0000b",
  "\n",
  "'; DROP TABLE weft_log; --",
  "%",
  "_",
  "*",
  "é",
  "e\u0301",
  "\u202e",
  "🧵",
  "中".repeat(341),
  "x".repeat(1024),
  "[object Object]",
  "0",
  "A",
  "a",
];

/**
 * @param {import("./contract.js").ContractOptions} options
 * @param {import("./kit.js").Kit} kit
 */
export function limits(
  { test, assert, makeStore, reopen, features = {} },
  { createWriter, expectLog, expectCode },
) {
  const inexact = features.exactBytes === false;
  test("any well-formed thread id is just a name", async () => {
    const before = Object.getOwnPropertyNames(Object.prototype).join();
    const store = await makeStore();
    const writers = [];
    for (const id of HOSTILE_IDS) {
      assert((await store.head(id)) === undefined, `${JSON.stringify(id)} is empty at first`);
      const writer = createWriter(store, id);
      await writer.append([9]);
      await writer.append([8, 7]);
      await store.witness(id, writer.head);
      writers.push(writer);
    }
    for (const writer of writers) await expectLog(store, writer);
    const listed = await store.list();
    assert(
      listed.length === HOSTILE_IDS.length && HOSTILE_IDS.every((id) => listed.includes(id)),
      "each is listed as it is",
    );
    for (const id of HOSTILE_IDS) {
      await store.drop(id);
      assert((await store.head(id)) === undefined, `${JSON.stringify(id)} is dropped`);
    }
    assert((await store.list()).length === 0, "none is left");
    assert(
      Object.getOwnPropertyNames(Object.prototype).join() === before,
      "Object.prototype is as it was",
    );
  });

  test("a partition's threads are its own: no id of the store names them, and no id of theirs one of the store", async () => {
    const store = await makeStore();
    if (store.partition === undefined) return;
    for (const name of [undefined, null, 5, "", "A", "a b", "a/b", "..", "x".repeat(17)])
      await expectCode("BAD_ARGUMENT", () => store.partition?.(/** @type {string} */ (name)));
    const [part, other] = [store.partition("store"), store.partition("other")];
    const ids = [
      "a",
      "store",
      "store/a",
      "/store/a",
      "=store/a",
      ".store",
      "../a",
      "a.store",
      "partition",
      "partitions/store/a",
      "weft.store",
      "other",
    ];
    /** @type {ReturnType<typeof createWriter>[]} */
    const writers = [];
    for (const [at, place] of [store, part, other].entries()) {
      for (const id of ids) {
        assert((await place.head(id)) === undefined, `${id} is empty at first`);
        const writer = createWriter(place, id);
        for (let i = 0; i <= at; i++) await writer.append([at + 5, i]);
        await place.witness(id, writer.head);
        writers.push(writer);
      }
    }
    for (const [at, place] of [store, part, other].entries()) {
      const own = writers.slice(at * ids.length, (at + 1) * ids.length);
      for (const writer of own) await expectLog(place, writer);
      assert(
        (await place.list()).slice().sort().join() === ids.slice().sort().join(),
        "each lists its own",
      );
      if (!inexact)
        assert(
          (await place.byteLength()) ===
            own.reduce(
              (sum, { written }) => sum + written.reduce((all, { length }) => all + length, 0),
              0,
            ),
          "each counts its own bytes",
        );
    }
    // The same partition again, and in another store over the same storage.
    await expectLog(store.partition("store"), writers[ids.length]);
    const again = reopen === undefined ? store : await reopen(store);
    if (again.partition !== undefined)
      await expectLog(again.partition("store"), writers[ids.length]);
    for (const id of ids) await store.drop(id);
    assert((await store.list()).length === 0, "none of the store's is left");
    for (const writer of writers.slice(ids.length, 2 * ids.length)) await expectLog(part, writer);
    for (const id of ids) await part.drop(id);
    assert((await part.list()).length === 0, "none of the partition's is left");
    for (const writer of writers.slice(2 * ids.length)) await expectLog(other, writer);
  });

  test("what is no thread id is refused by every verb", async () => {
    const store = await makeStore();
    const commit = { seq: 1, crc: 1, firstSeq: 1 };
    const bytes = new Uint8Array(4);
    for (const id of [
      undefined,
      null,
      1,
      {},
      ["a"],
      { $gt: "" },
      Symbol("a"),
      "",
      "x".repeat(1025),
      "中".repeat(342),
      "\ud800",
      "a\udc00b",
    ]) {
      const threadId = /** @type {string} */ (/** @type {unknown} */ (id));
      const codes = ["BAD_ARGUMENT", "BAD_STRING"];
      await expectCode(codes, () => store.head(threadId));
      await expectCode(codes, () => store.read(threadId));
      await expectCode(codes, () => store.append(threadId, commit, bytes, undefined));
      await expectCode(codes, () => store.fold(threadId, { firstSeq: 1, lastSeq: 1 }, bytes));
      await expectCode(codes, () => store.drop(threadId));
      await expectCode(codes, () => store.witness(threadId));
      if (id !== undefined) {
        await expectCode(codes, () => store.byteLength(threadId));
        await expectCode(codes, () => store.list({ after: threadId }));
      }
    }
  });

  test("what is no commit is refused, and stores nothing", async () => {
    const store = await makeStore();
    const writer = createWriter(store, "thread");
    await writer.append();
    const { bytes, head, firstSeq } = writer.make();
    const good = { ...head, firstSeq };
    for (const commit of [
      undefined,
      {},
      { ...good, seq: 0 },
      { ...good, seq: 1.5 },
      { ...good, seq: 2 ** 53 },
      { ...good, crc: -1 },
      { ...good, crc: 2 ** 32 },
      { ...good, crc: "1" },
      { ...good, firstSeq: 1 },
      { ...good, firstSeq: 3 },
    ]) {
      await expectCode("BAD_ARGUMENT", () =>
        store.append("thread", /** @type {LogCommit} */ (commit), bytes, writer.head),
      );
    }
    for (const wrong of [undefined, null, "text", [1, 2], new ArrayBuffer(4), new Uint8Array(0)]) {
      await expectCode("BAD_ARGUMENT", () =>
        store.append("thread", good, /** @type {Uint8Array} */ (wrong), writer.head),
      );
    }
    await expectCode("BAD_ARGUMENT", () =>
      store.append(
        "thread",
        good,
        bytes,
        /** @type {LogHead} */ (/** @type {unknown} */ ({ seq: "1", crc: 1 })),
      ),
    );
    await expectCode("BAD_ARGUMENT", () => store.read("thread", { from: -1 }));
    for (const options of [null, 5, "a"])
      await expectCode("BAD_ARGUMENT", () =>
        store.list(/** @type {object} */ (/** @type {unknown} */ (options))),
      );
    for (const limit of [0, -1, 1.5, NaN])
      await expectCode("BAD_ARGUMENT", () => store.list({ limit }));
    await expectCode("BAD_ARGUMENT", () =>
      store.witness("thread", /** @type {LogHead} */ ({ seq: 1 })),
    );
    await expectLog(store, writer);
  });
}
