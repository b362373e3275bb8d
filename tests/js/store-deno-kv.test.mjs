// SPDX-License-Identifier: MIT
// The store in Deno KV while another process has the database's lock. The store's contract runs in
// Deno (tests/runtime).
import { test } from "node:test";
import assert from "node:assert/strict";
import { DenoKvStore } from "../../js/savers/deno-kv/store.js";
import { createDenoKv } from "./deno-kv.mjs";

const BIG = new Uint8Array(150_000);
/** A store whose writes find the database locked when `isLocked` says so. */
function storeOver(held, isLocked) {
  const step = async (verb, call) => {
    if (["commit", "set", "delete"].includes(verb) && isLocked())
      throw new Error("database is locked");
    return call();
  };
  return new DenoKvStore({ kv: createDenoKv(held, step) });
}

test("a write that finds the database locked is tried again, whatever it writes", async () => {
  const held = new Map();
  let writes = 0;
  const store = storeOver(held, () => ++writes % 2 === 1);
  await store.append("t", { seq: 1, crc: 1, firstSeq: 1 }, BIG, undefined);
  await store.append("t", { seq: 2, crc: 2, firstSeq: 2 }, BIG, { seq: 1, crc: 1 });
  await store.witness("t", { seq: 2, crc: 2 });
  await store.fold("t", { firstSeq: 1, lastSeq: 2 }, BIG);
  assert.deepEqual(
    [await store.head("t"), await store.witness("t"), (await store.read("t")).length],
    [{ seq: 2, crc: 2 }, { seq: 2, crc: 2 }, 1],
  );
  await store.drop("t");
  assert.equal(held.size, 0, "nothing is left behind");
});

test("a database that stays locked is given up: whether it was written, its head tells", async (t) => {
  t.mock.method(globalThis, "setTimeout", (call) => setImmediate(call));
  let tries = 0;
  const store = storeOver(new Map(), () => ++tries > 0);
  await assert.rejects(
    store.append("t", { seq: 1, crc: 1, firstSeq: 1 }, new Uint8Array(9), undefined),
    { code: "STORE", unknown: true },
  );
  assert.equal(tries, 40);
  assert.equal(await store.head("t"), undefined);
});

test("a write that says no to what it did loses nothing", async () => {
  const held = new Map();
  // As a storage elsewhere whose answer got lost, and that tried again by itself.
  const step = async (verb, call) =>
    verb === "commit" ? { ...(await call()), ok: false } : call();
  const store = new DenoKvStore({ kv: createDenoKv(held, step) });
  const sound = new DenoKvStore({ kv: createDenoKv(held) });
  await store.append("t", { seq: 1, crc: 1, firstSeq: 1 }, BIG, undefined);
  await sound.append("t", { seq: 2, crc: 2, firstSeq: 2 }, BIG, { seq: 1, crc: 1 });
  await store.fold("t", { firstSeq: 1, lastSeq: 2 }, new Uint8Array(300_000));
  assert.deepEqual(
    (await sound.read("t")).map(({ length }) => length),
    [300_000],
  );
  await store.append("t", { seq: 3, crc: 3, firstSeq: 3 }, new Uint8Array(9), { seq: 2, crc: 2 });
  assert.deepEqual(
    (await sound.read("t")).map(({ length }) => length),
    [300_000, 9],
  );
});

test("what was stored is known as one's own, whatever others did to it meanwhile, and theirs is not", async () => {
  const head = (seq) => (seq === 0 ? undefined : { seq, crc: seq });
  const append = (store, seq) =>
    store.append("t", { ...head(seq), firstSeq: seq }, new Uint8Array(9), head(seq - 1));
  const meanwhile = {
    nothing: () => {},
    "its answer is an error": () => Promise.reject(new Error("database is locked")),
    "another goes on": (other) => append(other, 3),
    "another folds": (other) => other.fold("t", { firstSeq: 1, lastSeq: 2 }, new Uint8Array(18)),
  };
  for (const [name, happens] of Object.entries(meanwhile)) {
    const held = new Map();
    const sound = new DenoKvStore({ kv: createDenoKv(held) });
    await append(sound, 1);
    let tries = 0;
    const step = async (verb, call) => {
      const answer = await call();
      if (verb !== "commit" || ++tries > 1) return answer;
      await happens(sound);
      return { ...answer, ok: false };
    };
    await append(new DenoKvStore({ kv: createDenoKv(held, step) }), 2);
    assert.equal(
      (await sound.read("t")).reduce((sum, { length }) => sum + length, 0),
      name === "another goes on" ? 27 : 18,
      name,
    );
  }
  // The same bytes under the same head, but another's: as when two answer one question alike.
  const held = new Map();
  const other = new DenoKvStore({ kv: createDenoKv(held) });
  const step = async (verb, call) => {
    if (verb === "commit") await append(other, 1);
    return call();
  };
  await assert.rejects(append(new DenoKvStore({ kv: createDenoKv(held, step) }), 1), {
    code: "FENCED",
  });
});

test("a clock that is hours ahead sweeps no chunks that a log takes", async (t) => {
  const held = new Map();
  const now = Date.now();
  const clock = t.mock.method(Date, "now", () => now);
  const ahead = async (work) => {
    clock.mock.mockImplementation(() => now + 2 * 60 * 60 * 1000);
    await work();
    clock.mock.mockImplementation(() => now);
  };
  let seq = 0;
  const next = (store, bytes = BIG) =>
    store
      .append(
        "t",
        { seq: seq + 1, crc: seq + 1, firstSeq: seq + 1 },
        bytes,
        seq === 0 ? undefined : { seq, crc: seq },
      )
      .then(() => seq++);
  // Another process looks through the marks before each step of a write, and once more while it is
  // looking.
  let commits = 0;
  for (let at = 1; at <= 4; at++) {
    let count = 0;
    let isBusy = false;
    const step = async (verb, call) => {
      if (verb === "commit" && ++count === at && !isBusy) {
        isBusy = true;
        const other = new DenoKvStore({ kv: createDenoKv(held) });
        await ahead(() =>
          other
            .append("t", { seq: 999, crc: 1, firstSeq: 999 }, new Uint8Array(1), {
              seq: 998,
              crc: 1,
            })
            .catch(() => {}),
        );
      }
      return call();
    };
    const store = new DenoKvStore({ kv: createDenoKv(held, step) });
    await next(store).then(
      () => commits++,
      (error) => assert.equal(error.code, "STORE"),
    );
    const sound = new DenoKvStore({ kv: createDenoKv(held) });
    assert.deepEqual(
      (await sound.read("t")).map(({ length }) => length),
      Array(seq).fill(BIG.length),
    );
  }
  assert.deepEqual([commits > 0, commits < 4], [true, true]);
  await next(new DenoKvStore({ kv: createDenoKv(held) }));
  const last = new DenoKvStore({ kv: createDenoKv(held) });
  assert.equal((await last.read("t")).length, seq);
  await last.drop("t");
  assert.equal(held.size, 0, "nothing is left behind");
});
