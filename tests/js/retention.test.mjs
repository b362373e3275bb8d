// SPDX-License-Identifier: MIT
// Retention: what stays reads as before (history, values, parents, forks, open questions,
// subgraph-free threads of random shape), what goes is gone and its bytes with it; the thread goes
// on; an interruption between the two steps loses nothing. Serves docs/reliability.md 1 (promises 2
// and 5), docs/log-format.md 2 (TRIM).
// Own process: takes as long as many other files.
import { test } from "node:test";
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import {
  Annotation,
  Command,
  END,
  HumanMessage,
  MemorySaver,
  MessagesAnnotation,
  RemoveMessage,
  START,
  StateGraph,
  interrupt,
} from "weftgraph";
import { FileSaver } from "weftgraph/savers/file";
import { KvSaver } from "weftgraph/savers/kv";
import { keepPruned, pruneThread, pruneThreads } from "weftgraph/savers/retention";
import { copyThread, exportThread } from "weftgraph/savers/transfer";

const State = Annotation.Root({
  ...MessagesAnnotation.spec,
  n: Annotation({ reducer: (a, b) => a + b, default: () => 0 }),
  note: Annotation(),
});
const appOn = (checkpointer) =>
  new StateGraph(State)
    .addNode("grow", ({ n }) => ({
      n: 1,
      messages: [new HumanMessage({ content: `m${n}`.padEnd(60, "."), id: `m${n}` })],
      note: { big: "x".repeat(80), n },
    }))
    .addNode("edit", ({ n, messages }) =>
      n % 3 === 0 && messages.some(({ id }) => id === `m${n - 2}`)
        ? { messages: [new RemoveMessage({ id: `m${n - 2}` })] }
        : { messages: [new HumanMessage({ content: "edited", id: `m${n - 1}` })] },
    )
    .addNode("ask", () => ({ note: interrupt("go on?") }))
    .addEdge(START, "grow")
    .addEdge("grow", "edit")
    .addConditionalEdges("edit", ({ n, note }) =>
      note === "stop" ? END : n % 5 === 4 ? "ask" : n % 5 === 3 ? END : "grow",
    )
    .addEdge("ask", END)
    .compile({ checkpointer });
const on = (thread_id, more) => ({ configurable: { thread_id, ...more } });
const historyOf = async (app, id) => {
  const seen = [];
  for await (const { values, next, metadata, config, parentConfig, tasks } of app.getStateHistory(
    on(id),
  )) {
    seen.push({
      values: JSON.stringify(values),
      next,
      metadata,
      id: config.configurable.checkpoint_id,
      parent: parentConfig?.configurable.checkpoint_id,
      tasks: tasks.map(({ name, id: task, interrupts }) => [name, task, interrupts]),
    });
  }
  return seen;
};
/** Without what told of a neighbour that went: its tasks' results, and who it was. */
const lone = ({ values, next, metadata, id }) => ({ values, next, metadata, id });

async function grow(app, id, turns) {
  for (let turn = 0; turn < turns; turn++) {
    const { next } = await app.getState(on(id));
    await app.invoke(next.includes("ask") ? new Command({ resume: `answer ${turn}` }) : { n: 0 }, {
      ...on(id),
      recursionLimit: 60,
    });
  }
}

test("the newest stay as they were, the rest goes with its bytes, and the thread goes on", async () => {
  const path = mkdtempSync(join(tmpdir(), "weft-keep-"));
  try {
    for (const make of [() => new MemorySaver(), () => new FileSaver({ path })]) {
      const saver = make();
      const app = appOn(saver);
      await grow(app, "t", 14);
      const before = await historyOf(app, "t");
      const { kept, dropped, bytesBefore, bytesAfter } = await pruneThread(saver, "t", { last: 7 });
      assert.deepEqual([kept, kept + dropped], [7, before.length]);
      assert.ok(bytesAfter < bytesBefore / 2, `${bytesBefore} -> ${bytesAfter}`);
      assert.equal(await saver.byteLength("t"), bytesAfter);
      const after = await historyOf(app, "t");
      assert.deepEqual(after.slice(0, 6), before.slice(0, 6));
      assert.deepEqual(after.slice(6).map(lone), before.slice(6, 7).map(lone));
      assert.equal(after[6].parent, undefined);
      const fresh = appOn(saver instanceof FileSaver ? make() : saver);
      assert.deepEqual(await historyOf(fresh, "t"), after);
      const { id } = after[4];
      assert.equal(
        JSON.stringify((await app.getState(on("t", { checkpoint_id: id }))).values),
        before[4].values,
      );
      await grow(app, "t", 3);
      assert.deepEqual((await historyOf(app, "t")).slice(-7), after);
      assert.deepEqual(await pruneThread(saver, "t", { last: 1000 }).then((one) => one.dropped), 0);
    }
  } finally {
    rmSync(path, { recursive: true, force: true, maxRetries: 5 });
  }
});

test("nothing starts from a checkpoint that was pruned, and the thread stays what it is", async () => {
  const path = mkdtempSync(join(tmpdir(), "weft-pruned-"));
  try {
    for (const saver of [new MemorySaver(), new FileSaver({ path })]) {
      const app = new StateGraph(State)
        .addNode("count", () => ({ n: 1 }))
        .addEdge(START, "count")
        .compile({ checkpointer: saver });
      await app.invoke({ note: "old" }, on("t"));
      const { config: old } = await app.getState(on("t"));
      for (let round = 0; round < 5; round++) await app.invoke({}, on("t"));
      const unknown = on("t", { checkpoint_id: "1ef00000-0000-6000-8000-000000000000" });
      await pruneThread(saver, "t", { last: 2 });
      for (const config of [old, unknown])
        for (const call of [
          () => app.invoke({ n: 1 }, config),
          () => app.invoke(null, config),
          () => app.updateState(config, { n: 1 }),
        ])
          await assert.rejects(call, {
            code: "BAD_ARGUMENT",
            message: /no such checkpoint any more/,
          });
      assert.deepEqual((await app.getState(on("t"))).values.n, 6);
      assert.deepEqual((await app.getState(old)).values, {});
    }
  } finally {
    rmSync(path, { recursive: true });
  }
});

test("pinned checkpoints, those of some days, forks and open questions stay", async () => {
  const saver = new MemorySaver();
  const app = appOn(saver);
  await grow(app, "t", 4);
  const before = await historyOf(app, "t");
  const pinned = before[before.length - 3];
  // A fork whose question waits, far from the newest.
  const asking = before.find(({ next }) => next.includes("ask"));
  await app.updateState(
    on("t", { checkpoint_id: before[before.length - 6].id }),
    { note: "fork" },
    "grow",
  );
  await app.invoke(null, { ...on("t"), interruptBefore: ["edit"] });
  await app.invoke({ n: 0 }, on("t"));
  const all = await historyOf(app, "t");
  const { kept } = await pruneThread(saver, "t", { last: 2, pinned: [pinned.id] });
  assert.ok(kept >= 3 && kept < all.length);
  const after = await historyOf(app, "t");
  const ids = after.map(({ id }) => id);
  assert.ok(ids.includes(pinned.id));
  assert.deepEqual(after.map(lone), all.filter(({ id }) => ids.includes(id)).map(lone));
  assert.ok(
    asking === undefined ||
      !ids.includes(asking.id) ||
      after.find(({ id }) => id === asking.id).tasks.length > 0,
  );
  assert.equal((await pruneThread(saver, "t", { days: 1 })).dropped, 0);
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert.equal((await pruneThread(saver, "t", { days: 1e-9 })).kept, 1);
});

test("an open question survives and is answered afterwards", async () => {
  const saver = new MemorySaver();
  const app = appOn(saver);
  await grow(app, "t", 1);
  let state = await app.getState(on("t"));
  while (!state.next.includes("ask")) {
    await app.invoke({ n: 0 }, on("t"));
    state = await app.getState(on("t"));
  }
  await pruneThread(saver, "t", { last: 1 });
  assert.deepEqual(
    (await app.getState(on("t"))).tasks.map(({ id, interrupts }) => [id, interrupts]),
    state.tasks.map(({ id, interrupts }) => [id, interrupts]),
  );
  assert.equal((await app.invoke(new Command({ resume: "yes" }), on("t"))).note, "yes");
});

test("threads of random shape read the same, pruned, copied and exported", async () => {
  const steps = fc.array(fc.constantFrom("run", "update", "fork", "prune", "copy"), {
    minLength: 4,
    maxLength: 14,
  });
  await fc.assert(
    fc.asyncProperty(steps, fc.integer({ min: 1, max: 9 }), async (plan, last) => {
      const saver = new MemorySaver();
      const app = appOn(saver);
      await grow(app, "t", 1);
      for (const [at, step] of plan.entries()) {
        const history = await historyOf(app, "t");
        if (step === "run") await grow(app, "t", 1);
        else if (step === "update") await app.updateState(on("t"), { n: 1, note: "u" }, "grow");
        else if (step === "fork")
          await app.updateState(
            on("t", { checkpoint_id: history[at % history.length].id }),
            { note: "f" },
            "edit",
          );
        else if (step === "copy") {
          await copyThread(saver, "t", `c${at}`);
          const copied = await historyOf(app, `c${at}`);
          assert.deepEqual(
            copied.map(lone).map((one) => ({ ...one, metadata: undefined })),
            history.map(lone).map((one) => ({ ...one, metadata: undefined })),
          );
        } else {
          await pruneThread(saver, "t", { last });
          const after = await historyOf(app, "t");
          const ids = new Set(after.map(({ id }) => id));
          assert.deepEqual(after.map(lone), history.filter(({ id }) => ids.has(id)).map(lone));
          assert.deepEqual(
            after.slice(0, Math.min(last, history.length)).map(lone),
            history.slice(0, last).map(lone),
          );
        }
      }
      assert.ok((await exportThread(saver, "t")).length > 0);
    }),
    process.env.WEFT_LONG ? { numRuns: 400 } : { numRuns: 30, seed: 20_261_120 },
  );
});

test("an interruption between the two steps loses nothing", async () => {
  const saver = new MemorySaver();
  const app = appOn(saver);
  await grow(app, "t", 8);
  const before = await historyOf(app, "t");
  const { fold } = saver.store;
  saver.store.fold = () => {
    throw Object.assign(new Error("power cut"), { code: "STORE" });
  };
  await assert.rejects(pruneThread(saver, "t", { last: 5 }), /power cut/);
  saver.store.fold = fold;
  assert.deepEqual((await historyOf(app, "t")).map(lone), before.slice(0, 5).map(lone));
  await grow(app, "t", 2);
  await pruneThread(saver, "t", { last: 3 });
  await grow(app, "t", 2);
  assert.ok((await historyOf(app, "t")).length >= 3);
});

test("a saver that prunes by itself, when a run is over", async () => {
  const errors = [];
  const saver = keepPruned(new MemorySaver(), {
    last: 4,
    every: 10,
    onError: (error) => errors.push(error),
  });
  const app = appOn(saver);
  let most = 0;
  for (let turn = 0; turn < 30; turn++) {
    await grow(app, "t", 1);
    most = Math.max(most, (await historyOf(app, "t")).length);
  }
  assert.deepEqual(errors, []);
  assert.ok(most < 40, `${most} checkpoints at most`);
  assert.equal((await app.getState(on("t"))).values.n > 20, true);
  const sum = await pruneThreads(saver, { last: 1 });
  assert.equal(sum.threads, 1);
});

test("what to keep must be said, and well", async () => {
  const saver = new MemorySaver();
  for (const keep of [
    undefined,
    {},
    { last: 0 },
    { last: 1.5 },
    { days: 0 },
    { days: "x" },
    { last: 1, pinned: "x" },
  ])
    await assert.rejects(pruneThread(saver, "t", keep), { code: "BAD_ARGUMENT" });
  await grow(appOn(saver), "t", 2);
  await assert.rejects(pruneThread(saver, "t", { last: 1, pinned: ["nonsense"] }), {
    code: "BAD_ARGUMENT",
  });
  assert.equal((await pruneThread(saver, "none", { last: 1 })).kept, 0);
  assert.throws(() => keepPruned(saver, { last: 1, every: 0 }), { code: "BAD_ARGUMENT" });
});

/** A storage of pairs, as KvSaver wants it. */
const pairs = () => {
  const held = new Map();
  const same = (a, b) =>
    a === undefined || b === undefined ? a === b : Buffer.compare(a, b) === 0;
  return {
    get: (key) => held.get(key),
    put: (key, value) => void held.set(key, value.slice()),
    delete: (key) => void held.delete(key),
    list: (prefix) => [...held.keys()].filter((key) => key.startsWith(prefix)),
    cas: (key, expected, value) =>
      same(held.get(key), expected) && Boolean(held.set(key, value.slice())),
  };
};

test("the option keep: savers prune when runs are over, and neither what is pinned nor a question that waits", async () => {
  const path = mkdtempSync(join(tmpdir(), "weft-keep-"));
  try {
    const makers = [
      (keep) => new MemorySaver(undefined, { keep }),
      (keep) => new FileSaver({ path, keep }),
      (keep) => new KvSaver({ ...pairs(), keep }),
    ];
    for (const make of makers) {
      const errors = [];
      const pinned = [];
      const keep = { last: 4, every: 12, pinned, onError: (error) => errors.push(error) };
      const saver = make(keep);
      const app = appOn(saver);
      await app.invoke({ n: 0 }, { ...on("t"), interruptBefore: ["edit"] });
      const first = (await historyOf(app, "t"))[0];
      pinned.push(first.id);
      while (!(await app.getState(on("t"))).next.includes("ask"))
        await app.invoke({ n: 0 }, on("t"));
      const asked = await app.getState(on("t"));
      // A fork leaves the question behind, where nothing newer hangs on it.
      await app.updateState(on("t", { checkpoint_id: first.id }), { note: "fork" }, "edit");
      let most = 0;
      for (let turn = 0; turn < 12; turn++) {
        await app.updateState(on("t"), { n: 1, note: `u${turn}` }, "edit");
        most = Math.max(most, (await historyOf(app, "t")).length);
      }
      await app.getState(on("t"));
      assert.deepEqual(errors, []);
      assert.ok(most < 30, `${most} checkpoints at most`);
      const { kept } = await saver.prune("t");
      const after = await historyOf(app, "t");
      assert.equal(after.length, kept);
      assert.ok(kept <= 6, `${kept} stay`);
      assert.deepEqual(lone(after.find(({ id }) => id === first.id)), lone(first));
      const waiting = after.find(({ id }) => id === asked.config.configurable.checkpoint_id);
      assert.deepEqual(
        waiting.tasks.map(([, , interrupts]) => interrupts),
        asked.tasks.map(({ interrupts }) => interrupts),
      );
      assert.equal((await app.invoke(new Command({ resume: "late" }), asked.config)).note, "late");
    }
  } finally {
    rmSync(path, { recursive: true, force: true, maxRetries: 5 });
  }
});

test("savers that take turns prune in their own turn", async () => {
  const path = mkdtempSync(join(tmpdir(), "weft-turns-"));
  try {
    const apps = Array.from({ length: 3 }, () =>
      new StateGraph(State)
        .addNode("count", async () => ({ n: 1 }))
        .addNode("more", async () => ({ n: 1 }))
        .addEdge(START, "count")
        .addEdge("count", "more")
        .compile({
          checkpointer: new FileSaver({ path, keep: { last: 2, every: 4 } }),
          multitaskStrategy: "enqueue",
        }),
    );
    await Promise.all(
      apps.map(async (app) => {
        for (let round = 0; round < 15; round++) await app.invoke({}, on("t"));
      }),
    );
    assert.equal((await apps[0].getState(on("t"))).values.n, 90);
    assert.ok((await historyOf(apps[0], "t")).length < 20);
    const saver = new FileSaver({ path });
    const runs = apps.map((app) => app.invoke({}, on("t")));
    for (let round = 0; round < 5; round++) await saver.prune("t", { last: 1 });
    await Promise.all(runs);
  } finally {
    rmSync(path, { recursive: true });
  }
});

test("the option keep is checked at once; prune takes another one and all threads", async () => {
  for (const keep of [
    {},
    null,
    { last: 0 },
    { days: -1 },
    { last: 1, pinned: ["nonsense"] },
    { last: 1, every: 1.5 },
  ]) {
    assert.throws(() => new MemorySaver(undefined, { keep }), { code: "BAD_ARGUMENT" });
    assert.throws(() => new KvSaver({ ...pairs(), keep }), { code: "BAD_ARGUMENT" });
  }
  const saver = new MemorySaver();
  await grow(appOn(saver), "a", 3);
  await grow(appOn(saver), "b", 3);
  await assert.rejects(saver.prune("a"), { code: "BAD_ARGUMENT" });
  await assert.rejects(new MemorySaver().prune(), { code: "BAD_ARGUMENT" });
  assert.equal((await saver.prune("a", { last: 2 })).kept, 2);
  const { threads, kept } = await saver.prune(undefined, { last: 1 });
  assert.deepEqual([threads, kept], [2, 2]);
  const failing = new MemorySaver(undefined, {
    keep: { last: 1, every: 1, onError: (error, id) => told.push([error.message, id]) },
  });
  const told = [];
  failing.store.fold = () => {
    throw new Error("full");
  };
  await grow(appOn(failing), "t", 2);
  assert.ok((await appOn(failing).getState(on("t"))).values.n > 0);
  assert.deepEqual(told[0], ["full", "t"]);
});

const folder = (t) => {
  const path = mkdtempSync(join(tmpdir(), "weft-prune-"));
  t.after(() => rmSync(path, { recursive: true, maxRetries: 5 }));
  return path;
};
const slowGraph = (checkpointer, act = async () => {}) =>
  new StateGraph(Annotation.Root({ n: Annotation }))
    .addNode("a", async ({ n }) => (await act(n), { n: n + 1 }))
    .addEdge(START, "a")
    .addConditionalEdges("a", ({ n }) => (n % 10 > 0 ? "a" : END))
    .compile({ checkpointer });

for (const [name, make] of [
  ["MemorySaver", () => new MemorySaver()],
  ["FileSaver", (t) => new FileSaver({ path: folder(t) })],
]) {
  test(`prune() while runs are at work waits for them, and they for it: ${name}`, async (t) => {
    const saver = make(t);
    const begun = [];
    const graph = slowGraph(saver, async (n) => {
      begun.shift()?.();
      await new Promise((resolve) => setTimeout(resolve, n % 3));
    });
    for (let round = 0; round < 3; round++) {
      const isAtWork = new Promise((resolve) => begun.push(resolve));
      const run = graph.invoke({ n: 1 }, on("1"));
      await isAtWork;
      const both = [
        saver.prune("1", { last: 1 }),
        graph.invoke({ n: 11 }, on("1")),
        saver.prune(undefined, { last: 1 }),
      ];
      assert.equal((await run).n, 10);
      const [{ kept }, { n }] = await Promise.all(both);
      assert.deepEqual([kept > 0, n], [true, 20]);
    }
    assert.equal((await graph.getState(on("1"))).values.n, 20);
  });
}

test("a prune() in a node of the thread's own run is told BUSY, of another thread it is done", async () => {
  const saver = new MemorySaver();
  await slowGraph(saver).invoke({ n: 1 }, on("2"));
  const told = [];
  const graph = slowGraph(saver, async (n) => {
    if (n !== 1) return;
    await null;
    for (const id of ["1", "2"])
      told.push(
        await saver.prune(id, { last: 1 }).then(
          ({ kept }) => kept,
          ({ code }) => code,
        ),
      );
  });
  assert.equal((await graph.invoke({ n: 1 }, on("1"))).n, 10);
  assert.deepEqual(told, ["BUSY", 1]);
  assert.equal((await saver.prune("1", { last: 1 })).kept, 1);
});

test("prune() beside what the saver's own `keep` does is done all the same", async (t) => {
  for (const saver of [
    new MemorySaver(undefined, { keep: { last: 2, every: 2 } }),
    new FileSaver({ path: folder(t), keep: { last: 2, every: 2 } }),
  ]) {
    const graph = slowGraph(saver);
    for (let i = 0; i < 20; i++) {
      await graph.invoke({ n: 8 }, on("1"));
      await Promise.all([saver.prune("1"), saver.prune("1", { last: 1 }), saver.prune()]);
    }
    assert.equal((await graph.getState(on("1"))).values.n, 10);
  }
});

test("an onError that fails is told on the console, and the thread goes on", async (t) => {
  const warn = t.mock.method(console, "warn", () => {});
  const onError = () => {
    throw new Error("listener");
  };
  const saver = new MemorySaver(undefined, { keep: { last: 1, every: 1, onError } });
  saver.store.fold = () => {
    throw new Error("full");
  };
  const app = appOn(saver);
  await grow(app, "t", 1);
  const { n } = (await app.getState(on("t"))).values;
  await grow(app, "t", 1);
  assert.ok((await app.getState(on("t"))).values.n > n);
  assert.match(warn.mock.calls[0].arguments[0], /onError of keep failed for thread "t"/);
});
