// SPDX-License-Identifier: MIT
// T20: a second request on a thread at work waits or is told BUSY, within a saver and between
// savers of one place; no step happens twice. WEFT_INTERLEAVINGS=n runs n random ones; under
// WEFT_LONG others than the long runs before, whose sums build/proof/T20.json keeps.
// Own process: takes as long as many other files.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { Annotation, Command, MemorySaver, START, StateGraph, interrupt } from "weftgraph";
import { FileSaver } from "weftgraph/savers/file";
import { LONG, figure, isBroken, keepSum, readSum } from "../proof/kit.mjs";

const INTERLEAVINGS = Number(process.env.WEFT_INTERLEAVINGS ?? 10_000);
const add = (a, b) => a + b;
const State = Annotation.Root({
  count: Annotation({ reducer: add, default: () => 0 }),
  log: Annotation({ reducer: (a, b) => a.concat(b), default: () => [] }),
});
const thread = { configurable: { thread_id: "1" } };
const busy = { name: "WeftError", code: "BUSY", message: "Another run of thread 1 is under way." };

/** A graph whose node waits until it is let go; `at` tells how many are inside. */
function gated(checkpointer, options = {}) {
  const at = { inside: 0, most: 0, ran: 0, gates: [] };
  const graph = new StateGraph(State)
    .addNode("work", async ({ count }) => {
      at.most = Math.max(at.most, ++at.inside);
      await new Promise((resolve) => at.gates.push(resolve));
      at.inside--;
      at.ran++;
      return { count: 1, log: [`at ${count}`] };
    })
    .addEdge(START, "work")
    .compile({ checkpointer, ...options });
  const settle = async (turns = 8) => {
    for (; turns > 0; turns--) await new Promise((resolve) => setImmediate(resolve));
  };
  const open = async () => {
    while (at.inside > 0) {
      at.gates.splice(0).forEach((gate) => gate());
      await settle();
    }
  };
  return { graph, at, settle, open };
}

test("runs of one thread wait for each other; other threads and readers do not", async () => {
  const { graph, at, settle, open } = gated(new MemorySaver());
  const runs = [1, 2, 3].map(() => graph.invoke({}, thread));
  const other = graph.invoke({}, { configurable: { thread_id: "2" } });
  await settle();
  assert.deepEqual([at.inside, at.gates.length], [2, 2]);
  assert.deepEqual((await graph.getState(thread)).next, ["work"]);
  await open();
  assert.deepEqual(
    (await Promise.all(runs)).map(({ count }) => count),
    [1, 2, 3],
  );
  assert.deepEqual((await other).count, 1);
  assert.deepEqual((await graph.getState(thread)).values.log, ["at 0", "at 1", "at 2"]);
});

for (const how of ["compile", "call", "withConfig"]) {
  test(`"reject" in ${how}: BUSY for invoke and stream, nothing is stored, the first run goes on`, async () => {
    const option = { multitaskStrategy: "reject" };
    const { graph: made, settle, open } = gated(new MemorySaver(), how === "compile" ? option : {});
    const graph = how === "withConfig" ? made.withConfig(option) : made;
    const config = how === "call" ? { ...thread, ...option } : thread;
    const first = graph.invoke({ log: ["first"] }, config);
    await settle();
    await assert.rejects(graph.invoke({ log: ["second"] }, config), busy);
    await assert.rejects(async () => {
      for await (const _ of await graph.stream({ log: ["third"] }, config));
    }, busy);
    await open();
    assert.deepEqual((await first).log, ["first", "at 0"]);
    const next = graph.invoke({}, config);
    await settle();
    await open();
    assert.equal((await next).count, 2);
  });
}

test('"concurrent" begins at once, as in LangGraph.js; other words are refused', async () => {
  const { graph, at, settle, open } = gated(new MemorySaver());
  const config = { ...thread, multitaskStrategy: "concurrent" };
  const runs = [graph.invoke({}, config), graph.invoke({}, config)];
  await settle();
  assert.equal(at.inside, 2);
  await open();
  assert.deepEqual(
    (await Promise.all(runs)).map(({ count }) => count),
    [1, 1],
  );
  await assert.rejects(graph.invoke({}, { ...thread, multitaskStrategy: "rollback" }), {
    code: "BAD_ARGUMENT",
  });
});

test("a run that waits can be given up; those behind it and before it go on", async () => {
  const { graph, at, settle, open } = gated(new MemorySaver());
  const controller = new AbortController();
  const first = graph.invoke({}, thread);
  const given = graph.invoke({ count: 100 }, { ...thread, signal: controller.signal });
  const late = graph.invoke({}, { ...thread, signal: AbortSignal.abort(new Error("late")) });
  const last = graph.invoke({}, thread);
  controller.abort(new Error("no more"));
  await assert.rejects(given, { message: "no more" });
  await assert.rejects(late, { message: "late" });
  await settle();
  assert.equal(at.inside, 1);
  await open();
  assert.deepEqual([(await first).count, (await last).count], [1, 2]);
});

test("a failing run lets the next one begin", async () => {
  let fails = true;
  const graph = new StateGraph(State)
    .addNode("work", async () => {
      if (fails) throw new Error(`broken ${(fails = false)}`);
      return { count: 1 };
    })
    .addEdge(START, "work")
    .compile({ checkpointer: new MemorySaver() });
  const ends = await Promise.allSettled([graph.invoke({}, thread), graph.invoke({}, thread)]);
  assert.deepEqual(
    ends.map(({ status }) => status),
    ["rejected", "fulfilled"],
  );
});

test("two answers to one question: the second finds it answered", async () => {
  const answers = [];
  const graph = new StateGraph(State)
    .addNode("ask", async () => {
      const answer = interrupt("place it?");
      answers.push(answer);
      return { log: [answer] };
    })
    .addEdge(START, "ask")
    .compile({ checkpointer: new MemorySaver() });
  const {
    __interrupt__: [{ id }],
  } = await graph.invoke({}, thread);
  await Promise.allSettled(
    ["yes", "no"].map((answer) => graph.invoke(new Command({ resume: { [id]: answer } }), thread)),
  );
  assert.deepEqual(answers, ["yes"]);
  assert.deepEqual((await graph.getState(thread)).values.log, ["yes"]);
});

test("savers over one place: in turn, or BUSY, when the runs say so", async () => {
  const path = mkdtempSync(join(tmpdir(), "weft-turns-"));
  const made = ["enqueue", "reject"].map((multitaskStrategy) =>
    gated(new FileSaver({ path }), { multitaskStrategy }),
  );
  const until = async (condition) => {
    while (!condition()) await new Promise((resolve) => setTimeout(resolve, 1));
  };
  try {
    const first = made[0].graph.invoke({}, thread);
    await until(() => made[0].at.inside === 1);
    await assert.rejects(made[1].graph.invoke({}, thread), busy);
    const second = made[1].graph.invoke({}, { ...thread, multitaskStrategy: "enqueue" });
    await made[0].settle();
    assert.equal(made[1].at.inside, 0);
    await made[0].open();
    assert.equal((await first).count, 1);
    await until(() => made[1].at.inside === 1);
    await made[1].open();
    assert.equal((await second).count, 2);
  } finally {
    rmSync(path, { recursive: true, maxRetries: 5 });
  }
});

test(`${INTERLEAVINGS} interleavings of requests: each step once, none lost, never two at work`, async () => {
  const before = { interleavings: 0, done: 0, busy: 0, ...(LONG ? readSum("T20") : {}) };
  let seed = 20 + before.interleavings;
  const random = (below) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  const pass = async () => {
    for (let turns = random(12); turns > 0; turns--) await undefined;
  };
  const told = { done: 0, busy: 0 };
  // T20's planted bug: each request has a saver of its own.
  const saver = new MemorySaver();
  for (let round = 0; round < INTERLEAVINGS; round++) {
    const config = { configurable: { thread_id: `${round}` } };
    const state = { inside: 0, ran: 0 };
    const step = async () => {
      assert.equal(++state.inside, 1, `T20: two at work in round ${round}`);
      await pass();
      state.inside--;
      state.ran++;
      return { count: 1 };
    };
    const builder = new StateGraph(State)
      .addNode("a", step)
      .addNode("b", step)
      .addEdge(START, "a")
      .addEdge("a", "b");
    const graph = builder.compile({ checkpointer: saver });
    const requests = [];
    for (let i = 0; i < 3; i++) {
      const own = isBroken("T20") ? builder.compile({ checkpointer: new MemorySaver() }) : graph;
      requests.push(
        own.invoke(
          {},
          {
            ...config,
            multitaskStrategy: random(2) ? "reject" : undefined,
            durability: ["async", "sync", "exit"][random(3)],
          },
        ),
      );
      await pass();
    }
    const ends = await Promise.allSettled(requests);
    const done = ends.filter(({ status }) => status === "fulfilled");
    for (const { reason } of ends)
      if (reason !== undefined) assert.equal(reason.code, "BUSY", reason);
    assert.equal(state.ran, done.length * 2, `T20: round ${round}`);
    assert.equal(
      (await graph.getState(config)).values.count,
      done.length * 2,
      `T20: round ${round}`,
    );
    told.done += done.length;
    told.busy += ends.length - done.length;
    await saver.deleteThread(`${round}`);
    // What is freed when it is gone is freed in a task of its own, and graphs over memory alone
    // make none.
    if (round % 1000 === 999) await new Promise((resolve) => setImmediate(resolve));
  }
  assert.ok(told.busy > INTERLEAVINGS / 10 && told.done > INTERLEAVINGS, "both happen");
  const sum = {
    interleavings: before.interleavings + INTERLEAVINGS,
    done: before.done + told.done,
    busy: before.busy + told.busy,
  };
  if (LONG) keepSum("T20", sum);
  figure("T20", sum);
});
