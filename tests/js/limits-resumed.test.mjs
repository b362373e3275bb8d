// SPDX-License-Identifier: MIT
// Limits over the resumes of a run: an answer, null and an edit go on counting, a new input counts
// anew; in every durability, on our savers and on LangGraph.js's, and in another process.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import * as langgraph from "@langchain/langgraph";
import { FakeListChatModel } from "@langchain/core/utils/testing";
import { Annotation, Command, END, MemorySaver, START, StateGraph, interrupt } from "weftgraph";
import { FileSaver } from "weftgraph/savers/file";
import { copyThread } from "weftgraph/savers/transfer";
import { TestClock } from "weftgraph/testing";
import { tool } from "weftgraph/tools";

const State = Annotation.Root({ n: Annotation({ reducer: (a, b) => a + b, default: () => 0 }) });
const model = new FakeListChatModel({ responses: ["a"] });
const look = tool(() => "seen", {
  name: "look",
  description: "Looks.",
  schema: { type: "object" },
});
const thread = (more) => ({ configurable: { thread_id: "1" }, ...more });

/** A node that calls a model and asks, `rounds` times. */
const asks = (checkpointer, options, rounds = 9) =>
  new StateGraph(State)
    .addNode("work", async () => {
      await model.invoke("x");
      return { n: interrupt("go on?") };
    })
    .addEdge(START, "work")
    .addConditionalEdges("work", ({ n }) => (n < rounds ? "work" : END))
    .compile({ checkpointer, ...options });

const answer = new Command({ resume: 1 });

const SAVERS = {
  ours: () => new MemorySaver(),
  "LangGraph.js's": () => new langgraph.MemorySaver(),
};

for (const [label, makeSaver] of Object.entries(SAVERS)) {
  for (const durability of ["sync", "async", "exit"]) {
    test(`an answer goes on counting, a new input counts anew (${label}, ${durability})`, async () => {
      const saver = makeSaver();
      const graph = asks(saver);
      const config = thread({ durability, limits: { modelCalls: 4 } });
      // Each answer makes its node run again, and the next one begin: 1, 3, 5 calls.
      assert.ok((await graph.invoke({ n: 0 }, config)).__interrupt__);
      assert.ok((await graph.invoke(answer, config)).__interrupt__);
      await assert.rejects(graph.invoke(answer, config), { code: "MODEL_CALL_LIMIT", max: 4 });
      await assert.rejects(graph.invoke(null, config), { code: "MODEL_CALL_LIMIT" });
      // Another graph over the same saver, as another process has it.
      await assert.rejects(asks(saver).invoke(null, config), { code: "MODEL_CALL_LIMIT" });
      assert.ok(
        (await asks(saver).invoke(null, { ...config, limits: { modelCalls: 5 } })).__interrupt__,
      );
      await assert.rejects(graph.invoke(answer, { ...config, limits: { modelCalls: 5 } }), {
        code: "MODEL_CALL_LIMIT",
      });
      assert.ok((await graph.invoke({ n: 0 }, config)).__interrupt__);
      assert.ok((await graph.invoke(answer, config)).__interrupt__);
    });
  }

  test(`breakpoints, edits and runs without limits keep the count (${label})`, async () => {
    const saver = makeSaver();
    const graph = new StateGraph(State)
      .addNode("work", async () => (await model.invoke("x"), { n: 1 }))
      .addEdge(START, "work")
      .addConditionalEdges("work", ({ n }) => (n < 9 ? "work" : END))
      .compile({ checkpointer: saver, interruptAfter: ["work"] });
    const config = thread({ limits: { modelCalls: 3 } });
    await graph.invoke({ n: 0 }, config);
    await graph.invoke(null, config);
    await graph.updateState(thread(), { n: 0 });
    await graph.invoke(null, thread());
    await graph.invoke(null, config);
    await assert.rejects(graph.invoke(null, config), { code: "MODEL_CALL_LIMIT" });
    await assert.rejects(graph.invoke(new Command({ goto: "work" }), config), {
      code: "MODEL_CALL_LIMIT",
    });
    await graph.invoke({ n: 0 }, config);
    assert.equal((await graph.getState(thread())).metadata.source, "loop");
  });
}

test("what a step used before it stopped counts, with what it saved before", async () => {
  let fails = true;
  const graph = new StateGraph(State)
    .addNode("a", async () => (await look.invoke({ q: 1 }), { n: 1 }))
    .addNode("b", async () => {
      await look.invoke({ q: 1 });
      if (fails) throw new Error("no network");
      return { n: 1 };
    })
    .addEdge(START, "a")
    .addEdge("a", "b")
    .compile({ checkpointer: new MemorySaver() });
  const config = thread({ limits: { repeatedCalls: 3, toolCalls: 9 } });
  await assert.rejects(graph.invoke({ n: 0 }, config), { message: /no network/ });
  fails = false;
  assert.deepEqual(await graph.invoke(null, config), { n: 2 });
  fails = true;
  await assert.rejects(graph.invoke({ n: 0 }, config), { message: /no network/ });
  await assert.rejects(graph.invoke(null, config), { message: /no network/ });
  await assert.rejects(graph.invoke(null, config), { code: "REPEATED_CALL", max: 3 });
  await assert.rejects(graph.invoke(null, thread({ limits: { toolCalls: 3 } })), {
    code: "TOOL_CALL_LIMIT",
  });
});

test("tokens and cost add up; equal calls are known by their arguments", async () => {
  const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
  const { AIMessage } = await import("weftgraph/messages");
  const { ScriptedModel } = await import("weftgraph/models/scripted");
  const llm = new ScriptedModel({
    responses: Array.from(
      { length: 9 },
      () => new AIMessage({ content: "a", usage_metadata: usage }),
    ),
  });
  const build = (limits) =>
    new StateGraph(State)
      .addNode("a", async (_, config) => (await llm.invoke("x", config), { n: interrupt("?") }))
      .addEdge(START, "a")
      .compile({ checkpointer: new MemorySaver(), limits });
  for (const [limits, code] of [
    [{ tokens: 25 }, "TOKEN_LIMIT"],
    [{ costMicros: 25, price: (used) => used.total_tokens }, "COST_LIMIT"],
  ]) {
    const graph = build(limits);
    await graph.invoke({ n: 0 }, thread());
    await graph.invoke(answer, thread());
    await graph.invoke({ n: 0 }, thread());
    await graph.invoke(new Command({ update: { n: 1 }, goto: "a" }), thread());
    await assert.rejects(graph.invoke(answer, thread()), { code });
  }
});

test("the deadline counts the time at work, not that of waiting for a person", async () => {
  const saver = new MemorySaver();
  const clock = new TestClock();
  const graph = new StateGraph(State)
    .addNode("a", async (_, { signal }) => {
      await new Promise(
        (resolve) => (signal.addEventListener("abort", resolve), clock.setTimeout(resolve, 40)),
      );
      return { n: interrupt("?") };
    })
    .addEdge(START, "a")
    .compile({ checkpointer: saver });
  const config = thread({ clock, limits: { deadlineMs: 100 } });
  const run = async (input) => {
    const done = graph.invoke(input, config).then(
      () => "ended",
      (error) => error.code,
    );
    // The deadline and the node.
    while (clock.waiting < 2) await new Promise(setImmediate);
    await clock.advance(40);
    return done;
  };
  assert.equal(await run({ n: 0 }), "ended");
  await clock.advance(10_000);
  assert.equal(await run(null), "ended");
  await clock.advance(10_000);
  assert.equal(await run(null), "DEADLINE");
  // No time is left, so nothing begins.
  await assert.rejects(graph.invoke(null, config), { code: "DEADLINE" });
  assert.equal(clock.waiting, 0);
  assert.equal(await run({ n: 0 }), "ended");
});

test("another process goes on counting: after a crash with what was saved, and in a copy", async () => {
  const folder = await mkdtemp(join(tmpdir(), "weft-limits-"));
  try {
    const config = thread({ limits: { modelCalls: 2 }, durability: "sync" });
    const build = (saver, die) =>
      new StateGraph(State)
        .addNode("a", async () => (await model.invoke("x"), { n: 1 }))
        .addNode("b", async () => {
          await model.invoke("x");
          if (die) await new Promise(() => {});
          return { n: 1 };
        })
        .addEdge(START, "a")
        .addEdge("a", "b")
        .addEdge("b", "a")
        .compile({ checkpointer: saver });
    // The first one is abandoned in the middle of "b", whose call nobody saved. It holds no thread.
    void build(new FileSaver({ path: folder }), true)
      .invoke({ n: 0 }, { ...config, multitaskStrategy: "concurrent" })
      .catch(() => {});
    const saver = new FileSaver({ path: folder });
    while ((await build(saver).getState(config)).next[0] !== "b")
      await new Promise((resolve) => setTimeout(resolve, 5));
    await assert.rejects(build(new FileSaver({ path: folder })).invoke(null, config), {
      code: "MODEL_CALL_LIMIT",
    });
    const state = await build(new FileSaver({ path: folder })).getState(config);
    assert.deepEqual([state.values, state.next], [{ n: 2 }, ["a"]]);
    const copy = new MemorySaver();
    await copyThread(new FileSaver({ path: folder }), "1", "1", copy);
    await assert.rejects(build(copy).invoke(null, config), { code: "MODEL_CALL_LIMIT" });
    const kept = new MemorySaver(undefined, { keep: { last: 1 } });
    await copyThread(new FileSaver({ path: folder }), "1", "1", kept);
    await build(kept).updateState(thread(), { n: 1 });
    await assert.rejects(build(kept).invoke(null, config), { code: "MODEL_CALL_LIMIT" });
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
});

test("a graph inside with limits of its own goes on counting too", async () => {
  const outer = new StateGraph(State)
    .addNode("in", asks(undefined, { limits: { modelCalls: 3 } }))
    .addEdge(START, "in")
    .compile({ checkpointer: new MemorySaver() });
  await outer.invoke({ n: 0 }, thread());
  await outer.invoke(answer, thread());
  await assert.rejects(outer.invoke(answer, thread()), { code: "MODEL_CALL_LIMIT", max: 3 });
  await outer.invoke({ n: 0 }, thread());
  await outer.invoke(answer, thread());
});

test("what a thread shows is the same, and one without limits takes no byte more", async () => {
  const sizes = [];
  const shown = [];
  for (const limits of [undefined, { modelCalls: 9 }]) {
    const saver = new MemorySaver();
    const graph = asks(saver, { limits });
    await graph.invoke({ n: 0 }, thread());
    await graph.invoke(answer, thread());
    const states = [];
    for await (const { values, next, tasks, metadata } of graph.getStateHistory(thread()))
      states.push([
        values,
        next,
        tasks.map(({ name, interrupts, result }) => [name, interrupts.length, result]),
        metadata,
      ]);
    shown.push(states);
    sizes.push(
      (await saver.getTuple(thread())).pendingWrites.filter(([, channel]) =>
        channel.startsWith("weft:limits"),
      ).length,
    );
  }
  assert.deepEqual(shown[0], shown[1]);
  assert.deepEqual([sizes[0], sizes[1] > 0], [0, true]);
});
