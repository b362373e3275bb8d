// SPDX-License-Identifier: MIT
// Limits of a run: each stops it with an error of its own, and its thread goes on with other
// limits.
import assert from "node:assert/strict";
import { test } from "node:test";
import { tool as coreTool } from "@langchain/core/tools";
import { FakeListChatModel } from "@langchain/core/utils/testing";
import * as weft from "weftgraph";
import { Annotation, END, MemorySaver, START, StateGraph, entrypoint } from "weftgraph";
import { AIMessage } from "weftgraph/messages";
import { ScriptedModel } from "weftgraph/models/scripted";
import { createReactAgent } from "weftgraph/prebuilt";
import { TestClock } from "weftgraph/testing";
import { tool } from "weftgraph/tools";

const USAGE = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
const call = (id, args) => ({ name: "look", args, id, type: "tool_call" });
const asks = (...calls) => new AIMessage({ content: "", tool_calls: calls, usage_metadata: USAGE });
const thread = (id, more) => ({ configurable: { thread_id: id }, ...more });

/** An agent that looks four times, twice with the same arguments, and then is done. */
function agent(
  saver,
  answers = [
    asks(call("1", { a: 1, b: { c: [2], d: 3 } })),
    asks(call("2", { b: { d: 3, c: [2] }, a: 1 })),
    asks(call("3", { a: 2 })),
    asks(call("4", { a: 3 })),
  ],
) {
  const ran = [];
  const look = tool((args) => (ran.push(args), "seen"), {
    name: "look",
    description: "Looks.",
    schema: { type: "object" },
  });
  const llm = new ScriptedModel({
    responses: [...answers, new AIMessage({ content: "done", usage_metadata: USAGE })],
  });
  return { ran, llm, graph: createReactAgent({ llm, tools: [look], checkpointer: saver }) };
}

const LIMITS = [
  [{ modelCalls: 2 }, "ModelCallLimitError", "MODEL_CALL_LIMIT", "modelCalls", 2, "agent"],
  [{ modelCalls: 0 }, "ModelCallLimitError", "MODEL_CALL_LIMIT", "modelCalls", 0, "agent"],
  [{ toolCalls: 2 }, "ToolCallLimitError", "TOOL_CALL_LIMIT", "toolCalls", 2, "tools"],
  [{ tokens: 31 }, "TokenLimitError", "TOKEN_LIMIT", "tokens", 31, "agent"],
  [
    {
      costMicros: 50,
      price: ({ input_tokens, output_tokens }) => input_tokens * 1 + output_tokens * 2,
    },
    "CostLimitError",
    "COST_LIMIT",
    "costMicros",
    50,
    "agent",
  ],
  [{ repeatedCalls: 1 }, "RepeatedCallError", "REPEATED_CALL", "repeatedCalls", 1, "tools"],
  [{ deadlineMs: 0 }, "DeadlineError", "DEADLINE", "deadlineMs", 0, "__start__"],
];

for (const [limits, name, code, limit, max, next] of LIMITS) {
  for (const durability of ["sync", "async", "exit"]) {
    test(`${limit} ${max} stops a run, and its thread goes on (${durability})`, async () => {
      const { graph, ran } = agent(new MemorySaver());
      const config = thread("1", { durability });
      const error = await graph
        .invoke({ messages: "hi" }, { ...config, limits })
        .catch((reason) => reason);
      assert.deepEqual([error.name, error.code, error.limit, error.max], [name, code, limit, max]);
      assert(
        error instanceof weft[name] && error instanceof weft.LimitError && weft.isLimitError(error),
      );
      assert.match(
        error.message,
        new RegExp(`limits\\.${limit}: ${max}\\).*null as input and a higher limit`),
      );
      const state = await graph.getState(config);
      assert.deepEqual(
        [state.next, state.tasks[0].error, state.tasks[0].interrupts],
        [[next], undefined, []],
      );
      const { messages } = await graph.invoke(null, config);
      assert.deepEqual([messages.length, messages.at(-1).content, ran.length], [10, "done", 4]);
    });
  }
}

test("limits that are not reached change nothing", async () => {
  const { graph } = agent(new MemorySaver());
  const limits = {
    modelCalls: 5,
    toolCalls: 4,
    tokens: 75,
    costMicros: 100,
    price: () => 20,
    deadlineMs: 60_000,
    repeatedCalls: 2,
  };
  assert.equal(
    (await graph.invoke({ messages: "hi" }, thread("1", { limits }))).messages.length,
    10,
  );
});

test("of several calls of one message those that may run do, once", async () => {
  const saver = new MemorySaver();
  const { graph, ran } = agent(saver, [
    asks(call("1", { a: 1 }), call("2", { a: 2 }), call("3", { a: 3 })),
  ]);
  await assert.rejects(
    graph.invoke({ messages: "hi" }, thread("1", { limits: { toolCalls: 2 } })),
    { code: "TOOL_CALL_LIMIT" },
  );
  assert.equal(ran.length, 2);
  const { messages } = await graph.invoke(null, thread("1"));
  assert.deepEqual(
    ran.map(({ a }) => a),
    [1, 2, 3],
  );
  assert.deepEqual(
    messages.slice(2, 5).map((message) => [message.tool_call_id, message.status]),
    [
      ["1", "success"],
      ["2", "success"],
      ["3", "success"],
    ].map(([id, status]) => [id, messages[2].status ?? status]),
  );
});

const State = Annotation.Root({
  n: Annotation({ reducer: (left, right) => left + right, default: () => 0 }),
});

test("models and tools of LangChain count, wherever they are called from, over graphs inside", async () => {
  const model = new FakeListChatModel({ responses: ["a"] });
  const look = coreTool(async () => "seen", {
    name: "look",
    description: "Looks.",
    schema: { type: "object", properties: {} },
  });
  const inner = new StateGraph(State)
    .addNode("i", async () => (await model.invoke("x"), await look.invoke({}), { n: 1 }))
    .addEdge(START, "i")
    .compile();
  const outer = new StateGraph(State)
    .addNode("one", inner)
    .addNode("two", async () => (await model.invoke("y"), inner.invoke({})))
    .addEdge(START, "one")
    .addEdge("one", "two")
    .compile();
  for (const modelCalls of [0, 1, 2])
    await assert.rejects(outer.invoke({}, { limits: { modelCalls } }), {
      code: "MODEL_CALL_LIMIT",
      max: modelCalls,
    });
  await assert.rejects(outer.invoke({}, { limits: { modelCalls: 3, toolCalls: 1 } }), {
    code: "TOOL_CALL_LIMIT",
  });
  await assert.rejects(outer.invoke({}, { limits: { repeatedCalls: 1 } }), {
    code: "REPEATED_CALL",
    tool: "look",
  });
  assert.deepEqual(await outer.invoke({}, { limits: { modelCalls: 3, toolCalls: 2 } }), { n: 2 });
});

test("a graph's own limits, those of a call over them, and those of a graph inside", async () => {
  const model = new FakeListChatModel({ responses: ["a"] });
  const build = (options) =>
    new StateGraph(State)
      .addNode("a", async () => (await model.invoke("x"), { n: 1 }))
      .addEdge(START, "a")
      .addConditionalEdges("a", ({ n }) => (n < 4 ? "a" : END))
      .compile(options);
  const graph = build({ limits: { modelCalls: 3 } });
  await assert.rejects(graph.invoke({}), { code: "MODEL_CALL_LIMIT" });
  assert.deepEqual(await graph.invoke({}, { limits: { modelCalls: 4 } }), { n: 4 });
  assert.deepEqual(await graph.withConfig({ limits: { modelCalls: 9 } }).invoke({}), { n: 4 });
  const outer = new StateGraph(State)
    .addNode("sub", graph, {
      errorHandler: () => assert.fail("a limit is no failure"),
      retryPolicy: { maxAttempts: 5 },
    })
    .addEdge(START, "sub")
    .compile();
  await assert.rejects(outer.invoke({}, { limits: { modelCalls: 100 } }), {
    code: "MODEL_CALL_LIMIT",
    max: 3,
  });
  await assert.rejects(
    build()
      .withConfig({ limits: { modelCalls: 1 } })
      .stream({})
      .then((stream) => Array.fromAsync?.(stream) ?? drain(stream)),
    { code: "MODEL_CALL_LIMIT" },
  );
  const flow = entrypoint({ name: "flow", limits: { modelCalls: 0 } }, () => model.invoke("x"));
  await assert.rejects(flow.invoke(1), { code: "MODEL_CALL_LIMIT" });
});

async function drain(stream) {
  for await (const _ of stream);
}

test("a node may catch what it is refused, and do without", async () => {
  const model = new FakeListChatModel({ responses: ["a"] });
  const graph = new StateGraph(Annotation.Root({ answer: Annotation() }))
    .addNode("a", async () => ({
      answer: await model.invoke("x").then(
        ({ content }) => content,
        (error) => error.code,
      ),
    }))
    .addEdge(START, "a")
    .compile();
  assert.deepEqual(await graph.invoke({}, { limits: { modelCalls: 0 } }), {
    answer: "MODEL_CALL_LIMIT",
  });
});

test("a deadline stops nodes that never wait; what they did by then stays", async () => {
  const graph = new StateGraph(State)
    .addNode("a", () => ({ n: 1 }))
    .addEdge(START, "a")
    .addConditionalEdges("a", () => "a")
    .compile({ checkpointer: new MemorySaver() });
  await assert.rejects(
    graph.invoke({}, thread("1", { limits: { deadlineMs: 20 }, recursionLimit: 1e8 })),
    { code: "DEADLINE" },
  );
  const { values, metadata, next } = await graph.getState(thread("1"));
  assert.deepEqual([values.n, next], [metadata.step, ["a"]]);
});

test("at the deadline what runs is aborted, and what ended is kept", async () => {
  for (const durability of ["sync", "async", "exit"]) {
    let aborted = 0;
    let calls = 0;
    let begin;
    const begun = new Promise((resolve) => (begin = resolve));
    const wait = (signal) =>
      new Promise(
        (resolve) => (signal.addEventListener("abort", () => resolve(aborted++)), begin()),
      );
    const graph = new StateGraph(State)
      .addNode("quick", async () => (calls++, { n: 1 }))
      .addNode("slow", async (_, { signal }) => (aborted === 0 && (await wait(signal)), { n: 10 }))
      .addEdge(START, "quick")
      .addEdge(START, "slow")
      .compile({ checkpointer: new MemorySaver() });
    const config = thread("1", { durability });
    const clock = new TestClock();
    const late = assert.rejects(
      graph.invoke({}, { ...config, clock, limits: { deadlineMs: 10 } }),
      { code: "DEADLINE" },
    );
    await begun;
    await clock.advance(0);
    await clock.advance(10);
    await late;
    assert.equal(aborted, 1);
    assert.deepEqual(
      (await graph.getState(config)).tasks.map(({ name, result }) => [name, result]),
      [
        ["quick", { n: 1 }],
        ["slow", undefined],
      ],
    );
    assert.deepEqual(await graph.invoke(null, { ...config, limits: { deadlineMs: 600_000 } }), {
      n: 11,
    });
    assert.equal(calls, 1);
  }
});

test("with a deadline of 0 nothing begins, and what came waits", async () => {
  for (const durability of ["sync", "async", "exit"]) {
    const ran = [];
    const act = (n) => (ran.push(n), { n });
    const graphs = {
      workflow: entrypoint({ name: "work", checkpointer: new MemorySaver() }, act),
      graph: new StateGraph(State)
        .addNode("a", () => act(1))
        .addEdge(START, "a")
        .compile({ checkpointer: new MemorySaver() }),
    };
    for (const [name, graph] of Object.entries(graphs)) {
      const config = thread(name, { durability });
      const late = { ...config, limits: { deadlineMs: 0 } };
      await assert.rejects(graph.invoke({ n: 7 }, late), { code: "DEADLINE" });
      await assert.rejects(graph.invoke(null, late), { code: "DEADLINE" });
      assert.deepEqual([name, ran], [name, []]);
      await graph.invoke(null, config);
      assert.equal(ran.splice(0).length, 1);
      assert.deepEqual((await graph.getState(config)).next, []);
    }
  }
});

test("what is no limit is refused", async () => {
  const { graph } = agent(undefined);
  for (const limits of [
    { calls: 1 },
    { tokens: "many" },
    { tokens: -1 },
    { toolCalls: NaN },
    { costMicros: 5 },
    { costMicros: 5, price: 3 },
    5,
    "5",
    true,
    [5],
  ]) {
    await assert.rejects(graph.invoke({ messages: "hi" }, { limits }), { code: "BAD_ARGUMENT" });
  }
  await assert.rejects(
    graph.invoke({ messages: "hi" }, { limits: { costMicros: 5, price: () => -1 } }),
    { code: "BAD_ARGUMENT" },
  );
});
