// SPDX-License-Identifier: MIT
// Tests the main rules of the contract: reads return what was acknowledged, one writer wins,
// folding and reopening change nothing.
import { concat } from "../../log/concat.js";
import { sameBytes } from "./kit.js";

/**
 * @param {import("./contract.js").ContractOptions} options
 * @param {import("./kit.js").Kit} kit
 */
export function laws(
  { test, assert, makeStore, reopen, features = {} },
  { createWriter, expectLog, expectCode },
) {
  const inexact = features.exactBytes === false;
  test("a thread without records has no head, no records and no bytes", async () => {
    const store = await makeStore();
    assert((await store.head("none")) === undefined, "no head");
    assert((await store.read("none")).length === 0, "no records");
    assert((await store.byteLength("none")) === 0, "no bytes");
    assert((await store.byteLength()) === 0, "no bytes at all");
    assert((await store.list()).length === 0, "no threads");
    assert((await store.witness("none")) === undefined, "no witness");
    await store.drop("none");
  });

  test("commits come back in order, each once", async () => {
    const store = await makeStore();
    const writer = createWriter(store, "thread");
    for (const sizes of [[10], [1, 2, 3], [5000], [0, 70], [300]]) await writer.append(sizes);
    await expectLog(store, writer);
    assert(
      inexact || (await store.byteLength("thread")) === concat(writer.written).length,
      "byteLength counts the records",
    );
    assert(
      inexact || (await store.byteLength()) === concat(writer.written).length,
      "byteLength of all threads",
    );
  });

  test("the caller's bytes are free once the append was answered", async () => {
    const store = await makeStore();
    const writer = createWriter(store, "thread");
    const kept = (await writer.append([64])).slice();
    writer.written[0].fill(0xee);
    writer.written[0] = kept;
    await expectLog(store, writer);
  });

  test("read from a sequence number gives it and all behind it", async () => {
    const store = await makeStore();
    const writer = createWriter(store, "thread");
    for (let i = 0; i < 10; i++) await writer.append([20, 20]);
    const whole = concat(writer.written);
    for (const from of [0, 1, 2, 7, 12, 19, 20]) {
      const part = concat(await store.read("thread", { from }));
      assert(
        sameBytes(part, whole.subarray(whole.length - part.length)),
        `from ${from}: the end of the log`,
      );
      const needed = concat(writer.written.slice(Math.max(0, Math.ceil(from / 2) - 1))).length;
      assert(
        part.length >= needed,
        `from ${from}: ${part.length} bytes hold the ${needed} that were asked for`,
      );
    }
    assert((await store.read("thread", { from: 21 })).length === 0, "nothing behind the end");
  });

  test("threads do not see each other", async () => {
    const store = await makeStore();
    const one = createWriter(store, "one");
    const two = createWriter(store, "two");
    for (let i = 0; i < 5; i++) {
      await one.append([i + 1]);
      await two.append([i + 1, 40]);
    }
    await expectLog(store, one);
    await expectLog(store, two);
  });

  test("an append with another head is FENCED and stores nothing", async () => {
    const store = await makeStore();
    const writer = createWriter(store, "thread");
    await writer.append();
    const late = writer.twin(store);
    await writer.append();
    await writer.append();
    await expectCode("FENCED", () => late.append());
    late.head = undefined;
    await expectCode("FENCED", () => late.append());
    late.head = { seq: 3, crc: ((writer.head?.crc ?? 0) ^ 1) >>> 0 };
    await expectCode("FENCED", () => late.append());
    late.head = { seq: 9, crc: 77 };
    await expectCode("FENCED", () => late.append());
    await expectLog(store, writer);
    await writer.append();
    await expectLog(store, writer);
  });

  test("of appends at once behind one head exactly one wins", async () => {
    const store = await makeStore();
    const others = reopen ? [store, await reopen(store), await reopen(store)] : [store];
    const writer = createWriter(store, "thread");
    for (let round = 0; round < 8; round++) {
      const rivals = Array.from({ length: 6 }, (_, i) => writer.twin(others[i % others.length]));
      const results = await Promise.allSettled(
        rivals.map(async (rival, i) => rival.append([i + 1])),
      );
      const winners = rivals.filter((_, i) => results[i].status === "fulfilled");
      assert(winners.length === 1, `round ${round}: ${winners.length} won`);
      for (const result of results)
        assert(
          result.status === "fulfilled" || result.reason.code === "FENCED",
          `${/** @type {PromiseRejectedResult} */ (result).reason?.stack}`,
        );
      writer.head = winners[0].head;
      writer.written = winners[0].written;
      await expectLog(others[round % others.length], writer);
    }
  });

  test("many small commits", async () => {
    const store = await makeStore();
    const writer = createWriter(store, "thread");
    for (let i = 0; i < 200; i++) await writer.append([i % 90]);
    await expectLog(store, writer);
    const part = concat(await store.read("thread", { from: 198 }));
    const whole = concat(writer.written);
    assert(
      part.length > 0 && sameBytes(part, whole.subarray(whole.length - part.length)),
      "the end of the log",
    );
    const late = writer.twin(store);
    late.head = { seq: 3, crc: 5 };
    await expectCode("FENCED", () => late.append());
    await expectLog(store, writer);
  });

  test("a large commit, between small ones", async () => {
    const store = await makeStore();
    const writer = createWriter(store, "thread");
    await writer.append([10]);
    await writer.append([features.bigBytes ?? 5_000_000]);
    await writer.append([10]);
    await writer.append([300_000, 20]);
    await writer.append([10]);
    await expectLog(store, writer);
    assert(
      inexact || (await store.byteLength("thread")) === concat(writer.written).length,
      "byteLength counts the records",
    );
  });

  test("a fold of whole commits changes no byte", async () => {
    const store = await makeStore();
    const writer = createWriter(store, "thread");
    for (let i = 0; i < 12; i++) await writer.append([30, i]);
    await store.fold("thread", { firstSeq: 3, lastSeq: 8 }, concat(writer.written.slice(1, 4)));
    await expectLog(store, writer);
    await store.fold("thread", { firstSeq: 1, lastSeq: 24 }, concat(writer.written));
    await expectLog(store, writer);
    await writer.append([200_000]);
    await store.fold("thread", { firstSeq: 1, lastSeq: 26 - 1 }, concat(writer.written));
    await writer.append([5]);
    await expectLog(store, writer);
    assert(
      inexact || (await store.byteLength("thread")) === concat(writer.written).length,
      "byteLength counts the records",
    );
  });

  test("a fold may drop what its bytes leave out", async () => {
    const store = await makeStore();
    const writer = createWriter(store, "thread");
    for (let i = 0; i < 5; i++) await writer.append([3000, i]);
    const last = await writer.append([500]);
    await store.fold("thread", { firstSeq: 1, lastSeq: 11 }, last);
    writer.written = [last];
    await expectLog(store, writer);
    assert(
      inexact || (await store.byteLength("thread")) === last.length,
      "byteLength counts what is left",
    );
    if (reopen) await expectLog(await reopen(store), writer);
    await writer.append([40]);
    await store.fold("thread", { firstSeq: 1, lastSeq: 12 }, writer.written[1]);
    writer.written.shift();
    await expectLog(store, writer);
  });

  test("a fold of a range that is not whole commits is refused", async () => {
    const store = await makeStore();
    const writer = createWriter(store, "thread");
    for (let i = 0; i < 4; i++) await writer.append([30, 30]);
    for (const [firstSeq, lastSeq] of [
      [2, 4],
      [1, 3],
      [5, 99],
      [7, 2],
    ]) {
      await expectCode("BAD_ARGUMENT", () =>
        store.fold("thread", { firstSeq, lastSeq }, writer.written[0]),
      );
    }
    await expectCode("BAD_ARGUMENT", () =>
      store.fold("nobody", { firstSeq: 1, lastSeq: 2 }, writer.written[0]),
    );
    await expectLog(store, writer);
  });

  test("a dropped thread is gone; its late writer is FENCED; its name can be used again", async () => {
    const store = await makeStore();
    const kept = createWriter(store, "kept");
    await kept.append([50]);
    const writer = createWriter(store, "thread");
    for (let i = 0; i < 70; i++) await writer.append([1]);
    await writer.append([100_000]);
    const late = writer.twin(store);
    await store.witness("thread", writer.head);
    await store.drop("thread");
    assert(
      (await store.head("thread")) === undefined && (await store.read("thread")).length === 0,
      "no records",
    );
    assert((await store.witness("thread")) === undefined, "no witness");
    assert((await store.list()).join() === "kept", "not listed");
    await expectCode("FENCED", () => late.append());
    const again = createWriter(store, "thread");
    for (let i = 0; i < 3; i++) await again.append([7]);
    await expectCode("FENCED", () => late.append());
    await expectLog(store, again);
    await expectLog(store, kept);
  });

  test("list gives each thread once, page by page", async () => {
    const store = await makeStore();
    const ids = Array.from({ length: 25 }, (_, i) => `thread ${i * 37} ${"x".repeat(i)}`);
    for (const id of ids) await createWriter(store, id).append([1]);
    /** @type {string[]} */
    const seen = [];
    for (let after; ; after = seen.at(-1)) {
      const page = await store.list({ limit: 4, after });
      assert(page.length <= 4, "a page is not longer than its limit");
      if (page.length === 0) break;
      seen.push(...page);
    }
    assert(
      seen.length === 25 && new Set(seen).size === 25,
      `${seen.length} ids, ${new Set(seen).size} different`,
    );
    assert(
      ids.every((id) => seen.includes(id)),
      "every thread",
    );
    for (const limit of [undefined, 2 ** 32, Number.MAX_SAFE_INTEGER])
      assert(
        (await store.list({ limit })).join() === seen.join(),
        `the whole list (${limit}) has the order of the pages`,
      );
  });

  if (features.witness) {
    test("the witness is kept beside the log and may lag", async () => {
      const store = await makeStore();
      const writer = createWriter(store, "thread");
      await writer.append();
      const first = writer.head;
      await store.witness("thread", first);
      await writer.append();
      const witness = await store.witness("thread");
      assert(witness?.seq === first?.seq && witness?.crc === first?.crc, "the head that was set");
      await store.witness("thread", writer.head);
      assert((await store.witness("thread"))?.seq === 2, "set again");
      assert((await store.witness("other")) === undefined, "each thread has its own");
      await expectLog(store, writer);
    });
  }

  if (reopen) {
    test("a store opened again finds all of it", async () => {
      const store = await makeStore();
      const writer = createWriter(store, "thread");
      for (let i = 0; i < 70; i++) await writer.append([i]);
      await writer.append([400_000]);
      if (features.witness) await store.witness("thread", writer.head);
      const again = await reopen(store);
      await expectLog(again, writer);
      assert((await again.list()).join() === "thread", "it is listed");
      assert(
        inexact || (await again.byteLength()) === concat(writer.written).length,
        "byteLength counts the records",
      );
      if (features.witness)
        assert((await again.witness("thread"))?.crc === writer.head?.crc, "its witness");
      const next = writer.twin(again);
      for (let i = 0; i < 5; i++) await next.append([i]);
      await expectLog(store, next);
      await expectCode("FENCED", () => writer.append());
      await expectLog(again, next);
    });

    test("two stores over one storage take turns", async () => {
      const stores = [await makeStore()];
      stores.push(await reopen(stores[0]));
      let writer = createWriter(stores[0], "thread");
      for (let i = 0; i < 150; i++) {
        const turn = stores[(i * 7 + (i >> 3)) % 2];
        const stale = writer.twin(stores[i % 2]);
        writer = writer.twin(turn);
        await writer.append([i % 50]);
        if (i % 10 === 9) await expectCode("FENCED", () => stale.append());
      }
      await expectLog(stores[0], writer);
      await expectLog(stores[1], writer);
      await stores[1].drop("thread");
      await expectCode("FENCED", () => writer.twin(stores[0]).append());
      assert((await stores[0].read("thread")).length === 0, "no records");
    });
  }
}
