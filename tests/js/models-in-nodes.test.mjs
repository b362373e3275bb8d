// SPDX-License-Identifier: MIT
// Serves: docs/semantics.md 19 (implicit context): models and tools of this package that a node
// calls without its config belong to the node's run: tokens, events, callbacks and limits, as those
// of LangChain in LangGraph.js.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import {
  Send,
  Annotation,
  LimitError,
  MessagesAnnotation,
  ModelCallLimitError,
  START,
  StateGraph,
  ToolCallLimitError,
  getConfig,
} from "weftgraph";
import { AIMessage } from "weftgraph/messages";
import { DemoModel } from "weftgraph/models/demo";
import { ChatOpenAICompatible } from "weftgraph/models/openai";
import { ScriptedModel } from "weftgraph/models/scripted";
import { createReactAgent } from "weftgraph/prebuilt";
import { tool } from "weftgraph/tools";

const later = (ms = 1) => new Promise((resolve) => setTimeout(resolve, ms));
const scripted = () => new ScriptedModel({ responses: ["hello there"], loop: true });
const one = (node, options) =>
  new StateGraph(MessagesAnnotation).addNode("own", node).addEdge(START, "own").compile(options);
const TEXT = { type: "object", properties: { q: { type: "string" } } };

function openAI() {
  const body = {
    choices: [{ message: { role: "assistant", content: "hello there" }, finish_reason: "stop" }],
  };
  return new ChatOpenAICompatible({
    model: "m",
    fetch: async () =>
      new Response(JSON.stringify(body), { headers: { "content-type": "application/json" } }),
  });
}

const MODELS = {
  ScriptedModel: scripted,
  DemoModel: () => new DemoModel({ tokenDelayMs: 0 }),
  ChatOpenAICompatible: openAI,
};

for (const [name, make] of Object.entries(MODELS)) {
  test(`${name}: limits hold for calls without config, also after an await`, async () => {
    const llm = make();
    let calls = 0;
    const graph = one(async ({ messages }) => {
      for (let i = 0; i < 3; i++) {
        await later();
        await llm.invoke(messages);
        calls++;
      }
      return {};
    });
    await assert.rejects(
      graph.invoke({ messages: "x" }, { limits: { modelCalls: 1 } }),
      ModelCallLimitError,
    );
    assert.equal(calls, 1);
  });

  test(`${name}: its tokens and events are the node's, by invoke and by stream`, async () => {
    const llm = make();
    const graph = one(async ({ messages }) => {
      await later();
      let text = "";
      for await (const chunk of llm.stream(messages)) text += chunk.content;
      await llm.invoke(messages);
      return { messages: [new AIMessage({ content: text, id: "own" })] };
    });
    const shown = [];
    for await (const [chunk, metadata] of await graph.stream(
      { messages: "x" },
      { streamMode: "messages" },
    ))
      if (chunk.id !== "own") shown.push([chunk.id, metadata.langgraph_node]);
    assert.deepEqual(new Set(shown.map(([, node]) => node)), new Set(["own"]));
    assert.equal(new Set(shown.map(([id]) => id)).size, 2);
    const events = [];
    for await (const { event, metadata } of graph.streamEvents(
      { messages: "x" },
      { version: "v2" },
    ))
      if (event.startsWith("on_chat_model")) events.push([event, metadata.langgraph_node]);
    for (const event of ["start", "stream", "end"])
      assert.ok(
        events.filter(([name, node]) => name === `on_chat_model_${event}` && node === "own")
          .length >= 2,
        event,
      );
  });
}

/** A handler that writes who called whom. */
function recorder() {
  const told = [];
  const names = new Map();
  const handler = {
    name: "recorder",
    handleChainStart(_chain, _input, id, _parent, _tags, _metadata, _type, name) {
      names.set(id, name);
    },
    handleToolStart(_tool, _input, id, parent, _tags, _metadata, name) {
      names.set(id, name);
      told.push([name, names.get(parent)]);
    },
    handleChatModelStart(_model, _messages, id, parent, _extra, tags, metadata) {
      told.push(["model", names.get(parent), tags, metadata.langgraph_node]);
    },
  };
  return { told, handler };
}

test("callbacks hear of a model below the node, the tool and the graph that call it", async () => {
  const llm = scripted();
  const asks = tool(async ({ q }) => (await later(), (await llm.invoke(q)).content), {
    name: "asks",
    description: "Asks.",
    schema: TEXT,
  });
  const inner = one(async ({ messages }) => (await llm.invoke(messages), {}));
  const graph = one(async (state) => {
    await later();
    await llm.invoke("x", { tags: ["given"] });
    await asks.invoke({ q: "x" });
    await asks.invoke({ type: "tool_call", id: "1", name: "asks", args: { q: "x" } });
    await inner.invoke(state);
    return {};
  });
  const { told, handler } = recorder();
  await graph.invoke({ messages: "x" }, { callbacks: [handler], tags: ["outer"] });
  assert.deepEqual(told, [
    ["model", "own", ["outer", "given"], "own"],
    ["asks", "own"],
    ["model", "asks", ["outer"], "own"],
    ["asks", "own"],
    ["model", "asks", ["outer"], "own"],
    ["model", "own", ["outer"], "own"],
  ]);
});

test("a tool of an agent that calls a model counts for the agent's limits", async () => {
  const asking = scripted();
  const asks = tool(async ({ q }) => (await later(), (await asking.invoke(q)).content), {
    name: "asks",
    description: "Asks.",
    schema: TEXT,
  });
  const call = (id) =>
    new AIMessage({ content: "", tool_calls: [{ name: "asks", args: { q: "x" }, id }] });
  const llm = new ScriptedModel({ responses: [call("1"), call("2"), "done"] });
  const agent = createReactAgent({ llm, tools: [asks] });
  await assert.rejects(
    agent.invoke({ messages: "x" }, { limits: { modelCalls: 3 } }),
    ModelCallLimitError,
  );
  assert.equal(asking.calls.length, 1);
});

test("tools that a node calls without config count, and know the node's config", async () => {
  const seen = [];
  const looks = tool(
    async (_args, config) =>
      void seen.push(
        config.configurable.thread_id,
        config.metadata.langgraph_node,
        getConfig().configurable.thread_id,
      ),
    { name: "looks", description: "Looks.", schema: TEXT },
  );
  const graph = one(async () => {
    await later();
    await looks.invoke({});
    await looks.invoke({});
    return {};
  });
  await assert.rejects(
    graph.invoke({ messages: "x" }, { limits: { toolCalls: 1 }, configurable: { thread_id: "7" } }),
    ToolCallLimitError,
  );
  assert.deepEqual(seen, ["7", "own", "7"]);
});

test("callbacks of a call's own stand alone, but free no model, tool or graph of the run's limits", async () => {
  const llm = scripted();
  const mine = recorder();
  const around = recorder();
  const looks = tool(() => "x", { name: "looks", description: "Looks.", schema: TEXT });
  const inner = one(async ({ messages }) => (await llm.invoke(messages), {}));
  const own = { callbacks: [mine.handler] };
  const ways = {
    model: () => llm.invoke("x", own),
    "a model with the node's config": (config) => llm.invoke("x", { ...config, ...own }),
    "a model in pieces": async () => {
      for await (const _ of llm.stream("x", own));
    },
    "a bound model": () => llm.withConfig(own).invoke("x"),
    tool: () => looks.invoke({}, own),
    graph: (config, state) => inner.invoke(state, own),
  };
  for (const [name, way] of Object.entries(ways)) {
    const graph = one(
      async (state, config) => (
        await later(), await way(config, state), await way(config, state), {}
      ),
    );
    const limits = name === "tool" ? { toolCalls: 1 } : { modelCalls: 1 };
    await assert.rejects(
      graph.invoke({ messages: "x" }, { limits, callbacks: [around.handler] }),
      LimitError,
      name,
    );
  }
  assert.equal(llm.calls.length, 5);
  assert.ok(mine.told.length > 5);
  // What is bound to a model is added, so that both calls of that way are told; what a call is
  // given replaces.
  assert.equal(around.told.length, 2);
});

test("a call that goes on when its task has ended counts as long as the run does", async () => {
  const llm = scripted();
  let late;
  const graph = new StateGraph(Annotation.Root({ n: Annotation() }))
    .addNode("begins", () => {
      late = later().then(() => llm.invoke("x"));
      late.catch(() => {});
      return {};
    })
    .addNode("waits", async () => (await late.catch(() => {}), await llm.invoke("x"), {}))
    .addEdge(START, "begins")
    .addEdge("begins", "waits")
    .compile();
  await assert.rejects(graph.invoke({ n: 1 }, { limits: { modelCalls: 1 } }), ModelCallLimitError);
  assert.equal(llm.calls.length, 1);
});

test("a model's options are its own and those of the node's config, which it cannot change", async () => {
  let seen;
  const answer = (_, options) => {
    options.temperature = 2;
    seen = { options, all: { ...options }, printed: inspect(options) };
    return "fine";
  };
  const look = tool(() => "", { name: "look", schema: TEXT });
  for (const own of [{}, { tags: ["of the model"] }]) {
    const llm = new ScriptedModel({ responses: [answer] }).bindTools([look], own);
    let config;
    const graph = one(async ({ messages }, given) => {
      config = given;
      return { messages: await llm.invoke(messages, given) };
    });
    await graph.invoke({ messages: "x" }, { configurable: { thread_id: "7" }, tags: ["a"] });
    const { all, options, printed } = seen;
    assert.ok(["tools", "metadata", "temperature"].every((key) => printed.includes(`${key}: `)));
    assert.deepEqual(all.tags, [...(own.tags ?? []), "a"]);
    assert.deepEqual([all.tools[0].function.name, all.temperature], ["look", 2]);
    assert.equal(all.configurable.thread_id, "7");
    assert.equal(all.metadata.langgraph_node, "own");
    assert.ok(all.signal instanceof AbortSignal);
    assert.deepEqual(["tools" in options, "stop" in options], [true, false]);
    assert.equal(new Set(Object.keys(options)).size, Object.keys(options).length);
    assert.deepEqual(["tools" in config, config.temperature], [false, undefined]);
  }
});

test("a model outside of a graph has what it is given", async () => {
  const llm = scripted();
  await llm.invoke("x", { signal: undefined });
  await llm.invoke("x");
  assert.deepEqual(
    llm.calls.map(({ options }) => options),
    [{}, {}],
  );
});

test("many models that answer at once under one signal print no warning of Node's", async (t) => {
  const told = [];
  const hear = ({ name }) => told.push(name);
  process.on("warning", hear);
  t.after(() => process.off("warning", hear));
  const llm = openAI();
  const { signal } = new AbortController();
  assert.equal((await llm.batch(new Array(20).fill("hi"), { signal })).length, 20);
  const app = new StateGraph(MessagesAnnotation)
    .addNode("all", () => ({}))
    .addNode("own", async ({ messages }, config) => ({
      messages: [await llm.invoke(messages, config)],
    }))
    .addEdge(START, "all")
    .addConditionalEdges("all", () => new Array(20).fill(new Send("own", { messages: ["hi"] })))
    .compile();
  assert.equal((await app.invoke({ messages: ["hi"] })).messages.length, 21);
  await later(10);
  assert.deepEqual(told, []);
});
