// SPDX-License-Identifier: MIT
// Middlewares about tools and instructions: todos, a model that selects tools or plays them,
// instructions of a function; as in langchain, also over models that answer nonsense.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ScriptedModel } from "weftgraph/models/scripted";
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

const { createAgent, todoListMiddleware, llmToolSelectorMiddleware, toolEmulatorMiddleware } = OWN;
const { dynamicSystemPromptMiddleware, MemorySaver } = OWN;
const todos = [{ content: "x", status: "pending" }];

test("write_todos replaces the list in the state and tells the model, as in langchain", () =>
  same(async (api) => {
    const done = [{ content: "x", status: "completed" }];
    const model = new Model([
      calling(call("write_todos", { todos })),
      calling(call("write_todos", { todos: done }, "c2")),
      "ok",
    ]);
    const middleware = [api.todoListMiddleware({ systemPrompt: "TODO" })];
    const agent = api.createAgent({ model, systemPrompt: "base", tools: [], middleware });
    return [await outcome(agent.invoke({ messages: "go" })), model.asked];
  }));

test("two lists in one answer are refused, and the model writes one", async () => {
  const agent = createAgent({
    model: new Model([
      calling(call("write_todos", { todos }), call("write_todos", { todos: [] }, "c2")),
      calling(call("write_todos", { todos }, "c3")),
      "ok",
    ]),
    tools: [],
    middleware: [todoListMiddleware()],
  });
  const said = await outcome(agent.invoke({ messages: "go" }));
  assert.deepEqual(said.todos, todos);
  assert.deepEqual(
    said.messages.filter(([type]) => type === "tool").map((one) => one[4] ?? "success"),
    ["error", "error", "success"],
  );
});

test("a list that is none does not get into the state", async () => {
  const agent = createAgent({
    model: new Model([
      calling(call("write_todos", { todos: [{ content: 7, status: "never" }] })),
      calling(call("write_todos", { todos: "all" }, "c2")),
      "ok",
    ]),
    tools: [],
    middleware: [todoListMiddleware()],
  });
  const said = await outcome(agent.invoke({ messages: "go" }));
  assert.deepEqual(said.todos, []);
  assert.deepEqual(
    said.messages.filter(([type]) => type === "tool").map((one) => one[4]),
    ["error", "error"],
  );
});

test("todos live in the thread", async () => {
  const agent = createAgent({
    model: new Model([calling(call("write_todos", { todos })), "ok", "fine"]),
    tools: [],
    checkpointer: new MemorySaver(),
    middleware: [todoListMiddleware()],
  });
  await agent.invoke({ messages: "go" }, onThread);
  assert.deepEqual((await agent.invoke({ messages: "more" }, onThread)).todos, todos);
});

for (const [title, options, answer] of [
  ["the first of the selected", { maxTools: 1 }, { tools: ["b", "a"] }],
  ["and one always", { alwaysInclude: ["c"] }, { tools: ["a"] }],
  ["none", {}, { tools: [] }],
  ["what is no tool", {}, { tools: ["zz"] }],
])
  test(`a model selects the tools: ${title}, as in langchain`, () =>
    same(async (api) => {
      const selector = new Model([
        (_messages, { tools: [{ function: { name } = {}, ...flat }] }) =>
          calling(call(name ?? flat.name, answer)),
      ]);
      const model = new Model(["ok"]);
      const agent = api.createAgent({
        model,
        tools: ["a", "b", "c"].map((name) => makeTool(name)),
        middleware: [api.llmToolSelectorMiddleware({ model: selector, ...options })],
      });
      return [
        await outcome(agent.invoke({ messages: "hi" })),
        model.options.map(({ tools }) => tools?.map((tool) => tool.name ?? tool.function?.name)),
      ];
    }));

for (const [title, answer] of [
  ["no JSON", "I'd take the first one"],
  ["no list", calling(call("extract", { tools: "a" }))],
  ["other types", calling(call("extract", { tools: [1, null] }))],
  ["an error", new Error("down")],
])
  test(`a model that selects with ${title} ends the run with an error`, async () => {
    const model = new Model(["ok"]);
    const agent = createAgent({
      model,
      tools: [makeTool("a")],
      middleware: [
        llmToolSelectorMiddleware({ model: new ScriptedModel({ responses: [answer] }) }),
      ],
    });
    await assert.rejects(agent.invoke({ messages: "hi" }));
    assert.deepEqual(model.asked, []);
  });

test("a Weft model selects tools too, and its tokens are not the agent's", async () => {
  const selector = new ScriptedModel({
    responses: [calling(call("extract", { tools: ["b", "b"] }))],
  });
  const model = new ScriptedModel({ responses: ["the answer"] });
  const agent = createAgent({
    model,
    tools: [makeTool("a"), makeTool("b")],
    middleware: [llmToolSelectorMiddleware({ model: selector })],
  });
  const pieces = [];
  for await (const [piece] of await agent.stream({ messages: "hi" }, { streamMode: "messages" }))
    pieces.push(piece.content);
  assert.equal(pieces.join(""), "the answer");
  assert.deepEqual(
    model.calls[0].options.tools.map((tool) => tool.function.name),
    ["b"],
  );
});

for (const [title, options, answers] of [
  ["by another model", { model: () => new Model(["fake"]) }, [calling(call("a", { x: 1 })), "ok"]],
  ["by the agent's", {}, [calling(call("a", { x: 1 })), "fake", "ok"]],
  ["others run", { model: () => new Model(["fake"]), tools: ["b"] }, [calling(call("a")), "ok"]],
])
  test(`tools are played: ${title}, as in langchain`, () =>
    same(async (api) => {
      const tool = makeTool("a");
      const agent = api.createAgent({
        model: new Model(answers),
        tools: [tool],
        middleware: [api.toolEmulatorMiddleware({ ...options, model: options.model?.() })],
      });
      return [await outcome(agent.invoke({ messages: "hi" })), tool.ran];
    }));

test("with an empty list of tools none is played", async () => {
  const tool = makeTool("a");
  const agent = createAgent({
    model: new Model([calling(call("a")), "ok"]),
    tools: [tool],
    middleware: [toolEmulatorMiddleware({ model: new Model(["fake"]), tools: [] })],
  });
  await agent.invoke({ messages: "hi" });
  assert.equal(tool.ran.length, 1);
});

test("instructions of a function follow the agent's own, as in langchain", () =>
  same(async (api) => {
    const ask = async (options, fn) => {
      const model = new Model(["ok"]);
      const middleware = [api.dynamicSystemPromptMiddleware(fn)];
      const agent = api.createAgent({ model, tools: [], middleware, ...options });
      await agent.invoke({ messages: "go" }, { context: { user: "eve" } });
      return model.asked;
    };
    const text = ({ messages }, { context }) => `${messages.length} ${context.user}`;
    return [
      await ask({ systemPrompt: "base" }, text),
      await ask({}, text),
      await ask({ systemPrompt: "base" }, async () => new api.SystemMessage("more")),
      await ask({}, () => new api.SystemMessage("all")),
    ];
  }));

test("instructions that are no text end the run with an error", async () => {
  const agent = createAgent({
    model: new Model(["ok"]),
    tools: [],
    middleware: [dynamicSystemPromptMiddleware(() => undefined)],
  });
  await assert.rejects(agent.invoke({ messages: "go" }), /must return a text or a SystemMessage/);
});

test("options that cannot be meant are refused", () => {
  for (const make of [
    () => todoListMiddleware({ systemPrompt: 7 }),
    () => llmToolSelectorMiddleware({ maxTools: 0 }),
    () => llmToolSelectorMiddleware({ alwaysInclude: "a" }),
    () => llmToolSelectorMiddleware({ model: 7 }),
    () => toolEmulatorMiddleware({ tools: [7] }),
    () => dynamicSystemPromptMiddleware("text"),
  ])
    assert.throws(make, { code: "BAD_ARGUMENT" });
});

test("options that a middleware does not have are refused by their names", () => {
  const model = new Model(["x"]);
  for (const [make, options, name] of [
    [OWN.summarizationMiddleware, { model }, "triger"],
    [OWN.contextEditingMiddleware, {}, "edit"],
    [(options) => new OWN.ClearToolUsesEdit(options), {}, "keeps"],
    [OWN.anthropicPromptCachingMiddleware, {}, "TTL"],
    [OWN.humanInTheLoopMiddleware, { interruptOn: {} }, "interrupton"],
    [llmToolSelectorMiddleware, {}, "max"],
    [OWN.modelCallLimitMiddleware, {}, "runlimit"],
    [OWN.toolCallLimitMiddleware, { runLimit: 1 }, "tool"],
    [OWN.modelRetryMiddleware, {}, "tools"],
    [OWN.toolRetryMiddleware, { tools: [] }, "retries"],
    [OWN.toolErrorMiddleware, { onError: () => "" }, "tool"],
    [(options) => OWN.piiMiddleware("email", options), {}, "stratgy"],
    [todoListMiddleware, {}, "prompt"],
    [toolEmulatorMiddleware, {}, "llm"],
  ]) {
    make({ ...options, [name]: undefined });
    assert.throws(() => make({ ...options, [name]: 1 }), {
      code: "BAD_ARGUMENT",
      message: new RegExp(`has no option "${name}": it has `),
    });
  }
  const older = /has no option \w+: use (trigger|keep)/;
  for (const name of ["maxTokensBeforeSummary", "messagesToKeep"])
    assert.throws(() => OWN.summarizationMiddleware({ model, [name]: 5 }), older);
  for (const name of ["triggerTokens", "keepMessages", "clearAtLeast"])
    assert.throws(() => new OWN.ClearToolUsesEdit({ [name]: 5 }), older);
});
