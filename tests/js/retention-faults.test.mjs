// SPDX-License-Identifier: MIT
// Retention while things go wrong: the process dies at any call that its storage gets during a
// compaction, and another writer goes on with the thread at the same time. What is pinned, what
// waits and what is newest is never lost.
// Own process: replaces calls of the file system by ones that fail.
import { test } from "node:test";
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import fs from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Annotation, Command, END, MemorySaver, START, StateGraph, interrupt } from "weftgraph";
import { FileSaver } from "weftgraph/savers/file";
import { IdbfsSaver } from "weftgraph/savers/idbfs";
import { KvSaver } from "weftgraph/savers/kv";
import { WeftSaver } from "weftgraph/savers/own";
import { DenoKvSaver } from "weftgraph/savers/deno-kv";
import { MemoryStore } from "../../js/savers/memory/store.js";
import { createChance, createInstance, createOrigin, injectFault } from "./idbfs-origin.mjs";
import { createDenoKv } from "./deno-kv.mjs";

const on = (more) => ({ configurable: { thread_id: "t", ...more } });
const State = Annotation.Root({
  n: Annotation({ reducer: (a, b) => a + b, default: () => 0 }),
  note: Annotation(),
});
const appOn = (checkpointer) =>
  new StateGraph(State)
    .addNode("work", ({ note }) => ({
      n: 1,
      note: note === "ask" ? `answered ${interrupt("go on?")}` : "x".repeat(300),
    }))
    .addEdge(START, "work")
    .addEdge("work", END)
    .compile({ checkpointer });

/**
 * A thread with a pinned checkpoint, a question that waits on a side branch, and some newer turns.
 */
async function makeThread(saver) {
  const app = appOn(saver);
  await app.invoke({ note: "first" }, on());
  const pinned = (await app.getState(on())).config;
  for (let turn = 0; turn < 3; turn++) await app.invoke({ note: "turn" }, on());
  const side = await app.updateState(pinned, { note: "ask" }, START);
  await app.invoke(null, side);
  const asking = (await app.getState(on())).config;
  await app.updateState(pinned, { n: 10, note: "main" }, "work");
  for (let turn = 0; turn < 3; turn++) await app.invoke({ note: "turn" }, on());
  return {
    pinned,
    asking,
    newest: await app.getState(on()),
    keep: { last: 2, pinned: [pinned.configurable.checkpoint_id] },
  };
}

/** What must be there, whatever happened. */
async function check(saver, { pinned, asking, newest }, what) {
  const app = appOn(saver);
  const same = async (config, expected) =>
    assert.deepEqual((await app.getState(config)).values, expected, what);
  const head = await app.getState(on());
  assert.ok(head.values.n >= newest.values.n, what);
  await same(pinned, { n: 1, note: "x".repeat(300) });
  const waiting = await app.getState(asking);
  assert.deepEqual(
    waiting.tasks.map(({ interrupts }) => interrupts.map(({ value }) => value)),
    [["go on?"]],
    what,
  );
  assert.equal(
    (await app.invoke(new Command({ resume: "late" }), asking)).note,
    "answered late",
    what,
  );
  // The thread goes on, and the next compaction finishes what this one began.
  await app.invoke({ note: "more" }, on());
  const { kept } = await saver.prune("t", { last: 2, pinned: [pinned.configurable.checkpoint_id] });
  assert.ok(kept >= 3 && kept <= 6, `${what}: ${kept} stay`);
  await same(pinned, { n: 1, note: "x".repeat(300) });
}

/** A storage of pairs. `step` is told before each call, and after it with what it did. */
function pairs(held, step = async (_, call) => call()) {
  const same = (a, b) =>
    a === undefined || b === undefined ? a === b : Buffer.compare(a, b) === 0;
  const verbs = {
    get: (key) => held.get(key),
    put: (key, value) => void held.set(key, value.slice()),
    delete: (key) => void held.delete(key),
    list: (prefix) => [...held.keys()].filter((key) => key.startsWith(prefix)),
    cas: (key, expected, value) =>
      same(held.get(key), expected) && Boolean(held.set(key, value.slice())),
  };
  return Object.fromEntries(
    Object.entries(verbs).map(([verb, call]) => [
      verb,
      (...given) => step(verb, () => call(...given)),
    ]),
  );
}

/** From the n-th call on nothing happens any more; `after`: the n-th still does. */
function dying(n, after) {
  const state = { calls: 0, hit: false };
  const step = async (verb, call) => {
    if (++state.calls < n) return call();
    if (state.calls === n && after) await call();
    state.hit = true;
    throw new Error("the process is gone");
  };
  return { state, step };
}

/** Places for dieEverywhere(): copies of the storage that `open(held, step)` makes a thread in. */
async function copiesOf(open) {
  const origin = new Map();
  const made = await makeThread(open(origin));
  return async () => {
    const held = new Map(origin);
    const unlock = () =>
      held.forEach((_, key) => String(key).includes('"lock"') && held.delete(key));
    unlock();
    // The lock of a process that is gone ends by itself, 10 s later.
    return { saver: (step) => open(held, step), done: async () => unlock(), held, made };
  };
}

const DIED = /the process is gone|STORE|gone/;

/**
 * Tries a compaction that dies at each call in turn; `place` answers { saver(step), done(), made }
 * over a storage of its own that holds the thread `made`.
 */
async function dieEverywhere(place, after) {
  let deaths = 0;
  for (let n = 1; ; n++) {
    const { saver, done, made: thread } = await place();
    const { state, step } = dying(n, after);
    const failed = await saver(step)
      .prune("t", thread.keep)
      .then(
        () => undefined,
        (error) => error,
      );
    await done?.();
    if (!state.hit) {
      assert.equal(failed, undefined);
      await check(saver(), thread, "without a death");
      assert.ok(deaths > 5, `${deaths} deaths`);
      return deaths;
    }
    deaths++;
    if (failed !== undefined) assert.match(failed.message, DIED, `call ${n}`);
    await check(saver(), thread, `death at call ${n}`);
  }
}

for (const after of [false, true]) {
  const when = after ? "after" : "before";

  test(`a compaction in a storage of pairs that dies ${when} any of its calls`, async (t) => {
    const deaths = await dieEverywhere(
      await copiesOf((held, step) => new KvSaver({ ...pairs(held, step), maxValueBytes: 1024 })),
      after,
    );
    t.diagnostic(`${deaths} deaths`);
  });

  test(`a compaction in Deno KV that dies ${when} any of its calls`, async (t) => {
    const deaths = await dieEverywhere(
      await copiesOf((held, step) => new DenoKvSaver({ kv: createDenoKv(held, step) })),
      after,
    );
    t.diagnostic(`${deaths} deaths`);
  });
}

test("a compaction of files that dies at any call that opens, writes or removes one", async (t) => {
  const base = await fs.mkdtemp(join(tmpdir(), "weft-retention-"));
  const verbs = ["open", "link", "rename", "unlink"];
  const real = Object.fromEntries(verbs.map((verb) => [verb, fs[verb]]));
  const restore = () => {
    Object.assign(fs, real);
    syncBuiltinESMExports();
  };
  t.after(() => fs.rm(base, { recursive: true, force: true, maxRetries: 5 }));
  t.after(restore);
  const origin = join(base, "origin");
  const made = await makeThread(new FileSaver({ path: origin }));
  let places = 0;
  const deaths = await dieEverywhere(async () => {
    const path = join(base, `run-${places++}`);
    // A witness may still be on its way: only the threads are whole when a run ends.
    await fs.cp(join(origin, "threads"), join(path, "threads"), { recursive: true });
    const saver = (step) => {
      if (step !== undefined) {
        for (const verb of verbs) fs[verb] = (...given) => step(verb, () => real[verb](...given));
        syncBuiltinESMExports();
      }
      return new FileSaver({ path });
    };
    return { saver, done: async () => restore(), made };
  }, false);
  t.diagnostic(`${deaths} deaths`);
});

test("a compaction in IndexedDB that dies at any request", async () => {
  const instance = createInstance();
  for (let n = 1; ; n++) {
    const origin = createOrigin();
    const open = () => new IdbfsSaver({ ...origin, instance: () => instance });
    const thread = await makeThread(open());
    const state = injectFault(n, () => {
      throw new DOMException("connection lost", "UnknownError");
    });
    await open()
      .prune("t", thread.keep)
      .catch(() => {});
    state.restore();
    await check(open(), thread, `request ${n}`);
    if (!state.hit) {
      assert.ok(n > 4, `${n - 1} requests`);
      return;
    }
  }
});

test("a compaction that was cut short is finished by the next one, also when nothing is left to drop", async () => {
  const path = await fs.mkdtemp(join(tmpdir(), "weft-retention-"));
  try {
    for (const saver of [
      new MemorySaver(),
      new FileSaver({ path }),
      new KvSaver(pairs(new Map())),
      new DenoKvSaver({ kv: createDenoKv(new Map()) }),
    ]) {
      const thread = await makeThread(saver);
      const { store } = saver;
      const fold = store.fold;
      store.fold = () => Promise.reject(new Error("cut short"));
      await assert.rejects(saver.prune("t", thread.keep), /cut short/);
      store.fold = fold;
      const whole = await saver.byteLength("t");
      const { dropped, bytesBefore, bytesAfter } = await saver.prune("t", thread.keep);
      assert.deepEqual([dropped, bytesBefore, bytesAfter], [0, whole, await saver.byteLength("t")]);
      assert.ok(bytesAfter < whole / 2, `${whole} -> ${bytesAfter}`);
      assert.equal((await saver.prune("t", thread.keep)).bytesAfter, bytesAfter);
      await check(saver, thread, saver.constructor.name);
    }
  } finally {
    await fs.rm(path, { recursive: true, force: true, maxRetries: 5 });
  }
});

test("who goes on with a thread before its rest is dropped, and folds, leaves that to the next compaction", async () => {
  const saver = new MemorySaver();
  const thread = await makeThread(saver);
  const { store } = saver;
  const { fold } = store;
  store.fold = async (id, range, bytes) => {
    store.fold = fold;
    await appOn(new WeftSaver(store)).invoke(
      { note: "meanwhile" },
      { ...on(), durability: "exit" },
    );
    const { seq } = store.head(id);
    store.fold(
      id,
      { firstSeq: range.lastSeq - 1, lastSeq: seq },
      Buffer.concat(store.read(id, { from: range.lastSeq - 1 }).map((one) => Buffer.from(one))),
    );
    return store.fold(id, range, bytes);
  };
  const { dropped, bytesBefore } = await saver.prune("t", thread.keep);
  assert.ok(dropped > 0);
  assert.ok((await saver.prune("t", thread.keep)).bytesAfter < bytesBefore);
  await check(saver, thread, "continued meanwhile");
});

test("a thread that lost records stays lost, and is not pruned; the others are", async () => {
  const path = await fs.mkdtemp(join(tmpdir(), "weft-retention-"));
  try {
    const saver = new FileSaver({ path });
    const ids = ["a", "b", "c"];
    for (const thread_id of ids)
      for (let turn = 0; turn < 5; turn++)
        await appOn(saver).invoke({ note: "turn" }, { configurable: { thread_id } });
    const [damaged] = await saver.listThreads();
    const { store } = saver;
    while ((await store.witness(damaged)).seq < (await store.head(damaged)).seq)
      await new Promise((resolve) => setTimeout(resolve, 1));
    const folder = join(path, "threads", createHash("sha256").update(damaged).digest("hex"));
    const [log] = (await fs.readdir(folder)).filter((name) => name.startsWith("log-"));
    const files = (await fs.readdir(join(folder, log))).sort();
    await fs.unlink(join(folder, log, files.at(-1)));
    const lossy = { code: "DATA_LOSS" };
    const fresh = () => new FileSaver({ path });
    const read = () => appOn(fresh()).getState({ configurable: { thread_id: damaged } });
    await assert.rejects(read(), lossy);
    await assert.rejects(fresh().prune(damaged, { last: 1 }), lossy);
    await assert.rejects(fresh().prune(undefined, { last: 1 }), lossy);
    await assert.rejects(read(), lossy);
    for (const id of ids)
      if (id !== damaged)
        assert.deepEqual(
          await fresh()
            .prune(id, { last: 1 })
            .then(({ kept, dropped }) => [kept, dropped]),
          [1, 0],
          id,
        );
  } finally {
    await fs.rm(path, { recursive: true, force: true, maxRetries: 5 });
  }
});

test("a thread that was emptied while a host's witness knows it is lost, not pruned", async () => {
  const known = new Map();
  const saver = new MemorySaver();
  saver.witness = {
    get: (id) => known.get(id),
    set: (id, head) => void (head === undefined ? known.delete(id) : known.set(id, head)),
  };
  await makeThread(saver);
  const { seq } = await saver.store.head("t");
  MemoryStore.prototype.drop.call(saver.store, "t");
  await assert.rejects(saver.prune("t", { last: 1 }), {
    code: "DATA_LOSS",
    message: new RegExp(`lost ${seq} `),
  });
});

test("a thread that was deleted and began anew is pruned as often as another", async () => {
  const saver = new MemorySaver(undefined, { keep: { last: 2, every: 20 } });
  const app = appOn(saver);
  for (let turn = 0; turn < 60; turn++) await app.invoke({ note: "turn" }, on());
  await saver.deleteThread("t");
  let most = 0;
  for (let turn = 0; turn < 30; turn++) {
    await app.invoke({ note: "turn" }, on());
    let checkpoints = 0;
    for await (const _ of app.getStateHistory(on())) checkpoints++;
    most = Math.max(most, checkpoints);
  }
  assert.ok(most < 30, `${most} checkpoints at most`);
});

for (const after of [false, true]) {
  test(`a deletion in a storage of pairs that dies ${after ? "after" : "before"} any of its calls leaves no loss behind`, async () => {
    const place = await copiesOf((held, step) => new KvSaver(pairs(held, step)));
    for (let n = 1; ; n++) {
      const { saver, held, made: thread } = await place();
      const { state, step } = dying(n, after);
      await saver(step)
        .deleteThread("t")
        .catch(() => {});
      if ([...held.keys()].some((key) => key.endsWith("/head")))
        await check(saver(), thread, `call ${n}`);
      else assert.equal((await appOn(saver()).invoke({ note: "anew" }, on())).n, 1, `call ${n}`);
      if (!state.hit) return assert.ok(n > 3 && held.size > 0);
    }
  });
}

test("another writer at work during a compaction: what it was told is stored, and nothing that must stay goes", async (t) => {
  let [fenced, acknowledged, pruned] = [0, 0, 0];
  const place = await copiesOf((held, step) => new KvSaver(pairs(held, step)));
  for (let seed = 1; seed <= Number(process.env.WEFT_SCHEDULES ?? 80); seed++) {
    const chance = createChance(seed);
    const { saver, made: thread } = await place();
    const slow = () =>
      saver(async (_, call) => {
        for (let turns = chance(6); turns > 0; turns--) await Promise.resolve();
        return call();
      });
    const told = [];
    const writer = async () => {
      const app = appOn(slow());
      for (let turn = 0; turn < 4; turn++) {
        for (let turns = chance(400); turns > 0; turns--) await Promise.resolve();
        const answer = await app
          .invoke({ note: "turn" }, { ...on(), durability: "sync" })
          .catch((error) => void (fenced++, assert.equal(error.code, "FENCED", error.stack)));
        if (answer !== undefined) told.push(answer.n);
      }
    };
    const pruner = async () => {
      const mine = slow();
      for (let turn = 0; turn < 3; turn++) {
        const done = await mine
          .prune("t", thread.keep)
          .catch((error) => void (fenced++, assert.equal(error.code, "FENCED", error.stack)));
        if (done?.dropped > 0) pruned++;
      }
    };
    await Promise.all([writer(), pruner()]);
    const { values } = await appOn(saver()).getState(on());
    assert.ok(values.n >= (told.at(-1) ?? 0), `seed ${seed}: ${values.n} stored, ${told} told`);
    assert.deepEqual(
      told,
      [...new Set(told)].sort((a, b) => a - b),
      `seed ${seed}`,
    );
    await check(saver(), thread, `seed ${seed}`);
    acknowledged += told.length;
  }
  const said = `${fenced} fenced, ${acknowledged} acknowledged, ${pruned} compactions`;
  assert.ok(fenced > 5 && acknowledged > 20 && pruned > 20, said);
  t.diagnostic(said);
});

test("a thread that is deleted while its witness is told is gone, and may begin anew", async () => {
  const late = (name) => async (verb, call) => {
    if (verb === name) await new Promise((resolve) => setTimeout(resolve, 5));
    return call();
  };
  const makers = [
    (held) => new KvSaver(pairs(held, late("put"))),
    (held) => new DenoKvSaver({ kv: createDenoKv(held, late("set")) }),
  ];
  for (const make of makers) {
    const saver = make(new Map());
    const app = appOn(saver);
    for (let turn = 0; turn < 3; turn++) await app.invoke({ note: "turn" }, on());
    await saver.deleteThread("t");
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(await saver.store.witness("t"), undefined);
    assert.equal((await app.invoke({ note: "anew" }, on())).n, 1);
  }
});
