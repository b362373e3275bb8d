// SPDX-License-Identifier: MIT
// Limits of an agent's calls: of its model and of its tools, as langchain has them, and where it
// leaves calls without an answer or a thread for ever at its limit.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as middleware from "weftgraph/agent/middleware";
import {
  OWN,
  Model,
  call,
  calling,
  makeTool,
  onThread,
  outcome,
  same,
} from "./agent-middleware-both.mjs";

const { createAgent, MemorySaver, modelCallLimitMiddleware, toolCallLimitMiddleware } = OWN;
/** Calls tool a again and again. */
const callsOn = () => {
  let turn = 0;
  return new Model([() => calling(call("a", {}, `c${turn++}`))]);
};
const go = (agent) => outcome(agent.invoke({ messages: "go" }, onThread));

test("the limit of a run ends the agent with a message, as in langchain", async () => {
  const { messages } = await same(async ({ createAgent, modelCallLimitMiddleware: limit }) =>
    go(
      createAgent({
        model: callsOn(),
        tools: [makeTool("a")],
        middleware: [limit({ runLimit: 2 })],
      }),
    ),
  );
  assert.match(messages.at(-1)[1], /^Model call limits exceeded: run level/);
  assert.equal(messages.filter(([type]) => type === "ai").length, 3);
});

test("the limit of a thread holds in the next run, and an error ends the run where it is wanted", () =>
  same(async ({ createAgent, modelCallLimitMiddleware: limit, MemorySaver }) => {
    const make = (options) =>
      createAgent({
        model: new Model(["fine"]),
        tools: [],
        middleware: [limit(options)],
        checkpointer: new MemorySaver(),
      });
    const ending = make({ threadLimit: 1, runLimit: 1 });
    const failing = make({ threadLimit: 1, exitBehavior: "error" });
    return [await go(ending), await go(ending), await go(failing), await go(failing)];
  }));

test("calls after which a later middleware jumps back to the model count too", async () => {
  const model = new Model(["no good"]);
  const guard = OWN.createMiddleware({
    name: "Guard",
    afterModel: { hook: () => ({ jumpTo: "model" }), canJumpTo: ["model"] },
  });
  const limit = modelCallLimitMiddleware({ runLimit: 3 });
  const { messages } = await go(createAgent({ model, middleware: [limit, guard] }));
  assert.equal(model.asked.length, 3);
  assert.match(messages.at(-1)[1], /^Model call limits exceeded/);
});

test("a run counts from 0 however the one before it ended", async () => {
  const agent = createAgent({
    model: callsOn(),
    tools: [makeTool("a")],
    middleware: [modelCallLimitMiddleware({ runLimit: 1, exitBehavior: "error" })],
    checkpointer: new MemorySaver(),
  });
  for (let run = 0; run < 2; run++)
    await assert.rejects(agent.invoke({ messages: "go" }, onThread), {
      name: "ModelCallLimitMiddlewareError",
      message: "Model call limits exceeded: run level call limit reached with 1 model calls",
    });
  const { messages } = await agent.getState(onThread).then(({ values }) => values);
  assert.equal(messages.filter(({ type }) => type === "ai").length, 2);
});

test("counters are neither input nor output of the agent", async () => {
  const agent = createAgent({
    model: new Model(["fine"]),
    tools: [],
    middleware: [
      modelCallLimitMiddleware({ runLimit: 1 }),
      toolCallLimitMiddleware({ runLimit: 1 }),
    ],
  });
  const state = await agent.invoke({ messages: "go", _runModelCalls: 7 });
  assert.deepEqual(Object.keys(state), ["messages"]);
  assert.equal(state.messages.at(-1).content, "fine");
});

for (const toolName of [undefined, "a"])
  for (const exitBehavior of ["error", "end"])
    test(`a tool's call above the limit, ${toolName ?? "any tool"}: ${exitBehavior}, as in langchain`, () =>
      same(async ({ createAgent, toolCallLimitMiddleware: limit, MemorySaver }) =>
        go(
          createAgent({
            model: callsOn(),
            tools: [makeTool("a")],
            middleware: [limit({ runLimit: 1, toolName, exitBehavior })],
            checkpointer: new MemorySaver(),
          }),
        ),
      ));

test("a call of another tool is not counted, and runs, as in langchain", () =>
  same(async ({ createAgent, toolCallLimitMiddleware: limit }) => {
    let turn = 0;
    const both = () => calling(call("a", {}, `a${turn}`), call("b", {}, `b${turn++}`));
    const model = new Model([both, both, "done"]);
    const tools = [makeTool("a"), makeTool("b")];
    return go(createAgent({ model, tools, middleware: [limit({ runLimit: 1, toolName: "a" })] }));
  }));

test("when all calls are refused the model gets to know it and ends itself", async () => {
  let turn = 0;
  const model = new Model([
    () => calling(call("a", {}, `c${turn++}`)),
    () => calling(call("a", {}, `c${turn++}`)),
    "then I answer",
  ]);
  const tool = makeTool("a");
  const agent = createAgent({
    model,
    tools: [tool],
    middleware: [toolCallLimitMiddleware({ runLimit: 1 })],
  });
  const { messages } = await go(agent);
  assert.deepEqual(messages.slice(-2), [
    ["tool", "Tool call limit exceeded. Do not make additional tool calls.", "c1", "a", "error"],
    ["ai", "then I answer"],
  ]);
  assert.equal(tool.ran.length, 1);
});

test("an end leaves no call without an answer, and runs none of them", async () => {
  const tools = [makeTool("a"), makeTool("b")];
  const agent = createAgent({
    model: new Model([calling(call("a"), call("b", {}, "c2"))]),
    tools,
    middleware: [toolCallLimitMiddleware({ runLimit: 1, exitBehavior: "end" })],
  });
  const { messages } = await go(agent);
  assert.deepEqual(
    messages.map(([type]) => type),
    ["human", "ai", "tool", "tool", "ai"],
  );
  assert.deepEqual([tools[0].ran, tools[1].ran], [[], []]);
});

test("the limit of a thread counts the calls that ran, of several limits each its own", async () => {
  let turn = 0;
  const model = new Model([
    () => calling(call("a", {}, `c${turn++}`)),
    "one",
    () => calling(call("a", {}, `c${turn++}`), call("b", {}, `c${turn++}`)),
    "two",
  ]);
  const tools = [makeTool("a"), makeTool("b")];
  const agent = createAgent({
    model,
    tools,
    middleware: [
      toolCallLimitMiddleware({ toolName: "a", threadLimit: 1 }),
      toolCallLimitMiddleware({ threadLimit: 5 }),
    ],
    checkpointer: new MemorySaver(),
  });
  await go(agent);
  await go(agent);
  assert.deepEqual([tools[0].ran.length, tools[1].ran.length], [1, 1]);
});

test("a tool named like a property of objects is counted too", async () => {
  const agent = createAgent({
    model: new Model([calling(call("__proto__"), call("__proto__", {}, "c2")), "done"]),
    tools: [makeTool("a")],
    middleware: [toolCallLimitMiddleware({ toolName: "__proto__", runLimit: 1 })],
  });
  const { messages } = await go(agent);
  assert.match(messages.find((one) => one[2] === "c2")[1], /^Tool call limit exceeded/);
});

test("limits that cannot be meant are refused", () => {
  for (const options of [
    { runLimit: -1 },
    { threadLimit: 1.5 },
    { runLimit: "2" },
    { exitBehavior: "stop" },
  ])
    assert.throws(() => middleware.modelCallLimitMiddleware(options), { code: "BAD_ARGUMENT" });
  for (const options of [
    undefined,
    {},
    { runLimit: 2, threadLimit: 1 },
    { runLimit: 1, toolName: "" },
  ])
    assert.throws(() => middleware.toolCallLimitMiddleware(options), { code: "BAD_ARGUMENT" });
});
