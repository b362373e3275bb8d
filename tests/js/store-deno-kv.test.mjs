// SPDX-License-Identifier: MIT
// The store in Deno KV while another process has the database's lock. The store's contract runs in Deno (tests/runtime).
import { test } from "node:test";
import assert from "node:assert/strict";
import { DenoKvStore } from "../../js/savers/deno-kv-store.js";
import { createDenoKv } from "./deno-kv.mjs";

const BIG = new Uint8Array(150_000);
/** A store whose writes find the database locked when `isLocked` says so. */
function storeOver(held, isLocked) {
  const step = async (verb, call) => {
    if (["commit", "set", "delete"].includes(verb) && isLocked()) throw new Error("database is locked");
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
  assert.deepEqual([await store.head("t"), await store.witness("t"), (await store.read("t")).length], [{ seq: 2, crc: 2 }, { seq: 2, crc: 2 }, 1]);
  await store.drop("t");
  assert.equal(held.size, 0, "nothing is left behind");
});

test("a database that stays locked is given up: whether it was written, its head tells", async (t) => {
  t.mock.method(globalThis, "setTimeout", (call) => setImmediate(call));
  let tries = 0;
  const store = storeOver(new Map(), () => ++tries > 0);
  await assert.rejects(store.append("t", { seq: 1, crc: 1, firstSeq: 1 }, new Uint8Array(9), undefined), { code: "STORE", unknown: true });
  assert.equal(tries, 40);
  assert.equal(await store.head("t"), undefined);
});
