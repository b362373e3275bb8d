// SPDX-License-Identifier: MIT
// hold(): who asks for a thread gets it in turn; who gives up leaves the line at once and disturbs
// nobody.
import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { IDBFactory } from "fake-indexeddb";
import { createDenoKv } from "./deno-kv.mjs";
import { DenoKvSaver } from "weftgraph/savers/deno-kv";
import { DurableObjectSaver } from "weftgraph/savers/durable-object";
import { FileSaver } from "weftgraph/savers/file";
import { IdbfsSaver } from "weftgraph/savers/idbfs";

const path = await fs.mkdtemp(join(tmpdir(), "weft-hold-"));
test.after(() => fs.rm(path, { recursive: true, force: true }));
const storage = {
  sql: { exec: () => assert.fail("not asked") },
  transactionSync: () => assert.fail("not asked"),
};
const kv = createDenoKv(new Map());
const SAVERS = {
  FileSaver: () => new FileSaver({ path }),
  DurableObjectSaver: () => new DurableObjectSaver({ storage }),
  DenoKvSaver: () => new DenoKvSaver({ kv }),
};
const state = (promise) =>
  Promise.race([
    promise.then(
      () => "held",
      () => "refused",
    ),
    new Promise((resolve) => setImmediate(resolve, "waits")),
  ]);

for (const [name, open] of Object.entries(SAVERS)) {
  test(`${name}: who aborts while it waits is told at once, and leaves the others their places`, async () => {
    const [one, two] = [open().store, open().store];
    const release = await one.hold("t");
    const controllers = [0, 1, 2, 3].map(() => new AbortController());
    const waiting = controllers.map(({ signal }, i) =>
      [one, two][i % 2].hold("t", { wait: true, signal }),
    );
    waiting.forEach((wait) => wait.catch(() => {}));
    const reason = new Error("given up");
    controllers[1].abort(reason);
    await assert.rejects(waiting[1], (error) => error === reason);
    controllers[0].abort(reason);
    await assert.rejects(waiting[0], (error) => error === reason);
    assert.deepEqual(await Promise.all([2, 3].map((i) => state(waiting[i]))), ["waits", "waits"]);
    assert.equal(await two.hold("t"), undefined);
    release();
    release();
    const next = await waiting[2];
    assert.equal(await state(waiting[3]), "waits");
    // It has begun: its signal is nobody's any more.
    controllers[2].abort(reason);
    assert.equal(await state(waiting[3]), "waits");
    next();
    (await waiting[3])();
    const free = await two.hold("t");
    assert.equal(typeof free, "function");
    free();
  });

  test(`${name}: of 1,000 that wait, all but one of which give up, that one is next`, async () => {
    const { store } = open();
    const release = await store.hold("u");
    const controller = new AbortController();
    const waiting = Array.from({ length: 1000 }, (_, i) =>
      store.hold("u", { wait: true, signal: i === 500 ? undefined : controller.signal }),
    );
    waiting.forEach((wait) => wait.catch(() => {}));
    controller.abort();
    const ends = await Promise.allSettled(waiting.filter((_, i) => i !== 500));
    assert.ok(ends.every(({ reason }) => reason?.name === "AbortError"));
    assert.equal(await state(waiting[500]), "waits");
    release();
    (await waiting[500])();
  });
}

test("a signal that is aborted already is refused, and so is what is no signal, no thread and no option", async () => {
  const idbfs = () => new IdbfsSaver({ indexedDB: new IDBFactory(), localStorage: undefined });
  for (const open of [...Object.values(SAVERS), idbfs]) {
    const { store } = open();
    for (const wait of [true, false])
      await assert.rejects(
        store.hold("t", { wait, signal: AbortSignal.abort("no") }),
        (error) => error === "no",
      );
    for (const signal of ["x", 5, null, {}, () => {}])
      await assert.rejects(store.hold("t", { signal }), {
        code: "BAD_ARGUMENT",
        message: /`signal`/,
      });
    for (const id of [undefined, 5, "", "x".repeat(1025)])
      await assert.rejects(store.hold(id), { code: "BAD_ARGUMENT" });
    for (const options of [null, 5, "wait"])
      await assert.rejects(store.hold("t", options), { code: "BAD_ARGUMENT" });
    const release = await store.hold("t");
    release();
  }
});

/** Stores of two processes over one Deno KV, each with a memory of its own. */
async function kvProcesses(held, step) {
  const locks = await Promise.all(
    ["one", "two"].map((name) => import(`../../js/savers/deno-kv/thread-lock.js?${name}`)),
  );
  const kv = createDenoKv(held, step);
  return locks.map(
    ({ lockThread }) =>
      (options) =>
        lockThread(kv, ["lock", "t"], options),
  );
}

test("Deno KV: a thread that another process holds is waited for, and that process does not take it again before", async () => {
  const held = new Map();
  const [one, two] = await kvProcesses(held);
  const order = [];
  const release = await one({});
  assert.equal(await two({}), undefined);
  const second = two({ wait: true }).then((free) => (order.push("two"), free));
  while (![...held.values()].some(({ value }) => value.wanted)) await new Promise(setImmediate);
  release();
  const third = one({ wait: true }).then((free) => (order.push("one"), free));
  (await second)();
  (await third)();
  assert.deepEqual(order, ["two", "one"]);
  while (held.size > 0) await new Promise(setImmediate);
});

test("Deno KV: a thread released a moment ago can be had at once by the same process", async () => {
  const [one] = await kvProcesses(new Map());
  for (let i = 0; i < 3; i++) (await one({}))();
});

test("Deno KV: the lock of a process that is gone, and an entry that is none, are taken over; a run overtaken so does not release the other's", async (t) => {
  const held = new Map();
  const [one, two] = await kvProcesses(held);
  const late = await one({});
  const { now } = Date;
  const clock = t.mock.method(Date, "now", () => now() + 10_001);
  const release = await two({});
  assert.equal(typeof release, "function");
  late();
  await new Promise(setImmediate);
  assert.equal(held.size, 1);
  assert.equal(await one({}), undefined);
  clock.mock.restore();
  release();
  while (held.size > 0) await new Promise(setImmediate);
  for (const value of [5, "held", { mark: "x", at: "never" }, { at: 2 ** 60 }]) {
    held.set('[["s","lock"],["s","t"]]', { key: ["lock", "t"], value, versionstamp: "1" });
    (await one({}))();
  }
});

test("Deno KV: a process that gives way does so for a moment, whatever happens to the clock", async (t) => {
  const held = new Map();
  const [one, two] = await kvProcesses(held);
  const release = await one({});
  const second = two({ wait: true });
  while (![...held.values()].some(({ value }) => value.wanted)) await new Promise(setImmediate);
  release();
  (await second)();
  while (held.size > 0) await new Promise(setImmediate);
  const { now } = Date;
  t.mock.method(Date, "now", () => now() - 3_600_000);
  (await one({ wait: true }))();
});

test("Deno KV: a lock that was stored although the database said that it is busy is had", async () => {
  let isBusy = true;
  const [one] = await kvProcesses(new Map(), async (verb, call) => {
    const answer = await call();
    if (verb !== "commit" || !isBusy) return answer;
    isBusy = false;
    throw new Error("database is locked");
  });
  const release = await one({});
  assert.equal(typeof release, "function");
  release();
});

test("Deno KV: who cannot release its lock is told nothing, and the lock ends by itself", async () => {
  let fails = false;
  const [one] = await kvProcesses(new Map(), async (_, call) => {
    if (fails) throw new Error("unreachable");
    return call();
  });
  const release = await one({});
  fails = true;
  release();
  await assert.rejects(one({}), /unreachable/);
});
