// SPDX-License-Identifier: MIT
// weftgraph/otel against OpenTelemetry's SDK: which spans there are, below which, with which
// attributes; how they end, whatever becomes of a run.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as api from "@opentelemetry/api";
import { AIMessage as CoreAIMessage } from "@langchain/core/messages";
import { tool as coreTool } from "@langchain/core/tools";
import { FakeStreamingChatModel } from "@langchain/core/utils/testing";
import {
  Annotation,
  END,
  MemorySaver,
  START,
  Send,
  StateGraph,
  entrypoint,
  task,
  tool,
} from "weftgraph";
import { createReactAgent } from "weftgraph/prebuilt";
import { ChatOpenAICompatible } from "weftgraph/models/openai";
import { ScriptedModel } from "weftgraph/models/scripted";
import { otelHandler, otelMetrics } from "weftgraph/otel";
import { tab, traced, treeOf } from "./otel-kit.mjs";

const ERROR = api.SpanStatusCode.ERROR;
const List = Annotation.Root({
  list: Annotation({ reducer: (a, b) => a.concat(b), default: () => [] }),
});
const schema = { type: "object", properties: { a: { type: "number" } } };
const add = tool(({ a }) => a + 1, { name: "add", schema });
const asksToAdd = (id = "c1") => ({
  content: "",
  tool_calls: [{ name: "add", args: { a: 1 }, id }],
});
const tick = (ms = 1) => new Promise((resolve) => setTimeout(resolve, ms));
const activeId = () => api.trace.getSpan(api.context.active())?.spanContext().spanId;

/** An answer of OpenAI's service, with all counts. */
const completion = {
  id: "chatcmpl-7",
  model: "gpt-9-mini",
  choices: [{ index: 0, message: { role: "assistant", content: "Hello" }, finish_reason: "stop" }],
  usage: {
    prompt_tokens: 10,
    completion_tokens: 5,
    total_tokens: 15,
    prompt_tokens_details: { cached_tokens: 4 },
    completion_tokens_details: { reasoning_tokens: 2 },
  },
};

test("an agent is a span of the run, each step, node, model and tool, one below the other", async () => {
  const { handler, spans, named } = traced();
  const llm = new ScriptedModel({ responses: [asksToAdd(), "It is 2."] });
  const agent = createReactAgent({ llm, tools: [add], name: "helper" });
  await agent.invoke(
    { messages: "What is 1 + 1?" },
    { callbacks: [handler], configurable: { thread_id: "t1" } },
  );
  assert.deepEqual(treeOf(spans()), [
    "invoke_agent helper",
    "  step",
    "    node agent",
    "      chat",
    "  step",
    "    node tools",
    "      execute_tool add",
    "  step",
    "    node agent",
    "      chat",
  ]);
  const [run] = named("invoke_agent helper");
  assert.deepEqual(run.attributes, {
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": "helper",
    "gen_ai.conversation.id": "t1",
  });
  assert.equal(run.kind, api.SpanKind.INTERNAL);
  assert.deepEqual(
    named("step").map(({ attributes }) => attributes["langgraph.step"]),
    [1, 2, 3],
  );
  const [node] = named("node tools");
  assert.equal(node.attributes["langgraph.node"], "tools");
  assert.equal(node.attributes["langgraph.step"], 2);
  assert.match(node.attributes["langgraph.checkpoint_ns"], /^tools:[0-9a-f-]+$/);
  const [call] = named("execute_tool add");
  assert.deepEqual(call.attributes, {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": "add",
    "gen_ai.tool.type": "function",
    "gen_ai.tool.call.id": "c1",
    "gen_ai.conversation.id": "t1",
  });
  for (const span of spans()) assert.equal(span.status.code, api.SpanStatusCode.UNSET);
});

test("a model's span names model, service, answer and tokens, and what it fetches is below it, also streamed", async () => {
  const seen = [];
  const fetched = async (_, { body }) => {
    seen.push(activeId());
    if (!JSON.parse(body).stream)
      return new Response(JSON.stringify(completion), {
        headers: { "content-type": "application/json" },
      });
    const { choices, ...rest } = completion;
    const chunks = [
      { ...rest, usage: undefined, choices: [{ index: 0, delta: { content: "Hello" } }] },
      { ...rest, choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
    ];
    const text = [...chunks.map((chunk) => JSON.stringify(chunk)), "[DONE]"]
      .map((data) => `data: ${data}\n\n`)
      .join("");
    return new Response(text, { headers: { "content-type": "text/event-stream" } });
  };
  const { handler, spans, named } = traced();
  const llm = new ChatOpenAICompatible({ model: "gpt-9", fetch: fetched });
  const graph = new StateGraph(List)
    .addNode("ask", async () => ({ list: [(await llm.invoke("Hi")).content] }))
    .addNode("stream", async () => {
      let text = "";
      for await (const chunk of await llm.stream("Hi")) text += chunk.content;
      return { list: [text] };
    })
    .addEdge(START, "ask")
    .addEdge("ask", "stream")
    .compile();
  const { list } = await graph.invoke({}, { callbacks: [handler] });
  assert.deepEqual(list, ["Hello", "Hello"]);
  const chats = named("chat gpt-9");
  assert.deepEqual(
    seen,
    chats.map((span) => span.spanContext().spanId),
  );
  for (const { attributes, kind } of chats) {
    assert.equal(kind, api.SpanKind.CLIENT);
    assert.deepEqual(attributes, {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "openai",
      "gen_ai.request.model": "gpt-9",
      "gen_ai.response.model": "gpt-9-mini",
      "gen_ai.response.id": "chatcmpl-7",
      "gen_ai.response.finish_reasons": ["stop"],
      "gen_ai.usage.input_tokens": 10,
      "gen_ai.usage.output_tokens": 5,
      "gen_ai.usage.cache_read.input_tokens": 4,
      "gen_ai.usage.reasoning.output_tokens": 2,
    });
  }
  assert.deepEqual(treeOf(spans())[0], "invoke_agent");
});

/** Graphs side by side, inside each other, by Send and as functions. */
function manyGraphs(look = () => {}) {
  const inner = new StateGraph(List)
    .addNode("deep", async () => {
      await tick();
      look("deep");
      return { list: [await add.invoke({ a: 1 })] };
    })
    .addEdge(START, "deep")
    .compile({ name: "inner" });
  return new StateGraph(List)
    .addNode("left", async (_, config) => {
      await tick();
      look("left");
      return { list: [await add.invoke({ a: 1 }, config)] };
    })
    .addNode("right", inner)
    .addNode("called", async (state, config) => inner.invoke({ list: [] }, config))
    .addNode("one", async () => {
      await tick();
      look("one");
      return {};
    })
    .addEdge(START, "left")
    .addEdge(START, "right")
    .addConditionalEdges("left", () => [1, 2, 3].map((n) => new Send("one", { list: [n] })))
    .addEdge("right", "called")
    .compile({ name: "outer" });
}
const MANY = [
  "invoke_agent outer",
  "  step",
  "    node left",
  "      execute_tool add",
  "    node right",
  "      invoke_agent inner",
  "        step",
  "          node deep",
  "            execute_tool add",
  "  step",
  "    node called",
  "      invoke_agent inner",
  "        step",
  "          node deep",
  "            execute_tool add",
  "    node one",
  "    node one",
  "    node one",
];

test("nodes side by side, graphs inside, Sends and tools are below their own parents, and their span is the active one", async () => {
  const places = [];
  const { handler, spans } = traced();
  const graph = manyGraphs((node) => places.push([node, activeId()]));
  await graph.invoke({}, { callbacks: [handler] });
  assert.deepEqual(treeOf(spans()).sort(), [...MANY].sort());
  const nodes = new Map(spans().map((span) => [span.spanContext().spanId, span.name]));
  assert.deepEqual(
    places.map(([node, id]) => [node, nodes.get(id)]),
    places.map(([node]) => [node, `node ${node}`]),
  );
  assert.equal(new Set(places.map(([, id]) => id)).size, places.length);
});

test("where no context outlives an await, parents are the same", async () => {
  const { handler, spans } = traced({ api: tab });
  await manyGraphs().invoke({}, { callbacks: [handler] });
  assert.deepEqual(treeOf(spans()).sort(), [...MANY].sort());
});

test("many runs at once do not mix, and each is below the span around its call", async () => {
  const { handler, spans, tracer } = traced();
  const graph = manyGraphs();
  await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      tracer.startActiveSpan(`request ${at}`, async (span) => {
        await graph.invoke({}, { callbacks: [handler] });
        span.end();
      }),
    ),
  );
  const traces = Map.groupBy
    ? Map.groupBy(spans(), (span) => span.spanContext().traceId)
    : spans().reduce((map, span) => {
        const { traceId } = span.spanContext();
        return map.set(traceId, [...(map.get(traceId) ?? []), span]);
      }, new Map());
  assert.equal(traces.size, 20);
  for (const of of traces.values())
    assert.deepEqual(treeOf(of).slice(1).sort(), MANY.map((line) => `  ${line}`).sort());
});

test("steps can be left out", async () => {
  const { handler, spans } = traced({ steps: false });
  await manyGraphs().invoke({}, { callbacks: [handler] });
  assert.deepEqual(treeOf(spans()).slice(0, 2), ["invoke_agent outer", "  node left"]);
});

test("each attempt at a node has a span with its number and its error", async () => {
  const { handler, spans, named } = traced();
  let tries = 0;
  const graph = new StateGraph(List)
    .addNode(
      "shaky",
      () => {
        if (++tries < 3) throw new RangeError("secret words");
        return { list: [tries] };
      },
      { retryPolicy: { initialInterval: 1, maxAttempts: 3, retryOn: () => true } },
    )
    .addEdge(START, "shaky")
    .compile();
  await graph.invoke({}, { callbacks: [handler] });
  assert.deepEqual(treeOf(spans()), [
    "invoke_agent",
    "  step",
    "    node shaky",
    "    node shaky",
    "    node shaky",
  ]);
  assert.deepEqual(
    named("node shaky").map(({ attributes, status }) => [
      attributes["langgraph.attempt"],
      attributes["error.type"],
      status,
    ]),
    [
      [undefined, "RangeError", { code: ERROR }],
      [2, "RangeError", { code: ERROR }],
      [3, undefined, { code: api.SpanStatusCode.UNSET }],
    ],
  );
});

test("workflows of functions have spans of their tasks", async () => {
  const { handler, spans } = traced();
  const double = task("double", async (n) => {
    await tick();
    return n * 2;
  });
  const flow = entrypoint({ name: "flow" }, async (n) => double(await double(n)));
  assert.equal(await flow.invoke(2, { callbacks: [handler] }), 8);
  const tree = treeOf(spans());
  assert.equal(tree[0], "invoke_agent flow");
  assert.equal(tree.filter((line) => line.endsWith("node double")).length, 2, tree.join("\n"));
});

test("models and tools of LangChain, and a handler in its manager, are traced the same", async () => {
  class Model extends FakeStreamingChatModel {
    calls = 0;
    bindTools() {
      return this;
    }
    _identifyingParams() {
      return {};
    }
    invocationParams() {
      return { model: "fake-1", temperature: 0.5 };
    }
    async _generate() {
      const message = this.calls++
        ? new CoreAIMessage({
            content: "done",
            usage_metadata: { input_tokens: 3, output_tokens: 1, total_tokens: 4 },
          })
        : new CoreAIMessage(asksToAdd("c9"));
      return { generations: [{ text: "", message }] };
    }
  }
  const tools = [coreTool(({ a }) => a + 1, { name: "add", schema })];
  const { handler, spans, named } = traced();
  const agent = createReactAgent({ llm: new Model({}), tools, name: "helper" });
  await agent.invoke({ messages: "Hi" }, { callbacks: [handler] });
  assert.deepEqual(treeOf(spans()), [
    "invoke_agent helper",
    "  step",
    "    node agent",
    "      chat fake-1",
    "  step",
    "    node tools",
    "      execute_tool add",
    "  step",
    "    node agent",
    "      chat fake-1",
  ]);
  const last = named("chat fake-1")[1].attributes;
  assert.equal(last["gen_ai.usage.input_tokens"], 3);
  assert.equal(last["gen_ai.request.temperature"], 0.5);
  assert.equal(named("execute_tool add")[0].attributes["gen_ai.tool.call.id"], "c9");
});

test("a change of a thread's state is a span of its own", async () => {
  const { handler, spans } = traced();
  const graph = new StateGraph(List)
    .addNode("a", () => ({}))
    .addEdge(START, "a")
    .compile({ checkpointer: new MemorySaver() });
  const thread = { configurable: { thread_id: "1" }, callbacks: [handler] };
  await graph.updateState(thread, { list: [1] });
  assert.deepEqual(treeOf(spans()), ["update_state"]);
});

test("a failed run, a failed tool and an aborted run end as failed, with a type and without the error's text", async () => {
  const { handler, named, spans, counts, reset } = traced();
  const broken = tool(
    () => {
      throw Object.assign(new Error("secret words"), { code: "E_BROKEN" });
    },
    { name: "broken", schema },
  );
  const graph = (node) => new StateGraph(List).addNode("a", node).addEdge(START, "a").compile();
  await assert.rejects(graph(() => broken.invoke({ a: 1 })).invoke({}, { callbacks: [handler] }));
  assert.equal(spans().length, 4);
  for (const { attributes, status, name } of spans()) {
    assert.equal(attributes["error.type"], "E_BROKEN", name);
    assert.deepEqual(status, { code: ERROR });
  }
  reset();
  const stop = new AbortController();
  const waits = graph(async () => {
    setTimeout(() => stop.abort(), 2);
    await tick(20);
    return {};
  });
  await assert.rejects(waits.invoke({}, { callbacks: [handler], signal: stop.signal }));
  assert.deepEqual(
    spans()
      .map(({ name, attributes }) => [name, attributes["error.type"]])
      .sort(),
    [
      ["invoke_agent", "AbortError"],
      ["node a", "AbortError"],
      ["step", "AbortError"],
    ],
  );
  await tick(30);
  assert.equal(counts.started, counts.ended);
  assert.equal(named("node a").length, 1);
});

test("a stream that its reader leaves, and a model's stream that its node leaves, end their spans", async () => {
  const { handler, spans, counts, named, reset } = traced();
  const llm = new ScriptedModel({ responses: ["one two three four"], tokenDelayMs: 1, loop: true });
  const left = new StateGraph(List)
    .addNode("a", async () => {
      for await (const chunk of await llm.stream("Hi")) return { list: [chunk.content] };
    })
    .addNode("b", async () => ({ list: [(await llm.invoke("Hi")).content] }))
    .addEdge(START, "a")
    .addEdge("a", "b")
    .compile();
  await left.invoke({}, { callbacks: [handler] });
  assert.equal(counts.started, counts.ended);
  assert.equal(named("chat").length, 2);
  reset();
  for await (const _ of await left.stream({}, { callbacks: [handler], streamMode: "messages" }))
    break;
  await tick(20);
  assert.equal(counts.started, counts.ended);
  const [run] = spans().filter(({ name }) => name === "invoke_agent");
  assert.equal(run.attributes["error.type"], "AbortError");
});

test("a model's stream that is left outside of a graph ends its span", async () => {
  const { handler, spans } = traced();
  const llm = new ScriptedModel({ responses: ["one two"] });
  for await (const _ of await llm.stream("Hi", { callbacks: [handler] })) break;
  assert.deepEqual(
    spans().map(({ name, attributes }) => [name, attributes["error.type"]]),
    [["chat", "AbortError"]],
  );
});

test("a model or tool outside of a graph has a span below the one around it", async () => {
  const { handler, spans, tracer } = traced();
  await tracer.startActiveSpan("request", async (span) => {
    await new ScriptedModel({ responses: ["Hi"] }).invoke("Hi", { callbacks: [handler] });
    await add.invoke({ a: 1 }, { callbacks: [handler] });
    span.end();
  });
  assert.deepEqual(treeOf(spans()), ["request", "  chat", "  execute_tool add"]);
});

test("a handler that is given twice traces once", async () => {
  const { handler, spans } = traced();
  const graph = new StateGraph(List)
    .addNode("a", () => ({}))
    .addEdge(START, "a")
    .compile();
  await graph.withConfig({ callbacks: [handler] }).invoke({}, { callbacks: [handler, handler] });
  assert.deepEqual(treeOf(spans()), ["invoke_agent", "  step", "    node a"]);
});

test("a tracer that throws anywhere changes nothing of a run and is reported once", async (t) => {
  const warned = t.mock.method(console, "warn", () => {});
  const parts = [
    "startSpan",
    "setAttribute",
    "setAttributes",
    "setStatus",
    "end",
    "with",
    "setSpan",
    "active",
    "spanContext",
  ];
  for (const part of parts) {
    warned.mock.resetCalls();
    const fail =
      (name, otherwise) =>
      (...args) => {
        if (name === part) throw new Error("broken tracer");
        return otherwise(...args);
      };
    const span = {
      end: fail("end", () => {}),
      setAttribute: fail("setAttribute", () => {}),
      setAttributes: fail("setAttributes", () => {}),
      setStatus: fail("setStatus", () => {}),
      spanContext: fail("spanContext", () => ({})),
    };
    const broken = {
      trace: {
        getTracer: () => ({ startSpan: fail("startSpan", () => span) }),
        setSpan: fail("setSpan", (context) => context),
      },
      context: { active: fail("active", () => ({})), with: fail("with", (_, call) => call()) },
    };
    const handler = otelHandler({ api: broken, content: "all" });
    const llm = new ScriptedModel({ responses: [asksToAdd(), "It is 2."] });
    const asks = tool(({ a }) => a + 1, { name: "add", schema, approval: "ask" });
    const agent = createReactAgent({ llm, tools: [asks], checkpointer: new MemorySaver() });
    const thread = { configurable: { thread_id: part }, callbacks: [handler] };
    await agent.invoke({ messages: "Hi" }, thread);
    const { Command } = await import("weftgraph");
    const { messages } = await agent.invoke(new Command({ resume: { type: "accept" } }), thread);
    assert.equal(messages.at(-1).content, "It is 2.", part);
    const failing = new StateGraph(List)
      .addNode("a", () => {
        throw new Error("own");
      })
      .addEdge(START, "a")
      .compile();
    await assert.rejects(failing.invoke({}, { callbacks: [handler] }), { message: "own" });
    assert.ok(warned.mock.callCount() <= 1, part);
    if (part !== "with") assert.match(warned.mock.calls[0].arguments[0], /broken tracer/, part);
  }
});

test("options that are none of the documented are refused", () => {
  const bad = (options) =>
    assert.throws(() => otelHandler(options), { code: "BAD_ARGUMENT" }, JSON.stringify(options));
  bad(undefined);
  bad({ api: {} });
  bad({ api, tracer: {} });
  bad({ api, content: "some" });
  bad({ api, content: { default: 1 } });
  bad({ api, content: { nodes: { a: "some" } } });
  bad({ api, content: { nodes: "all" } });
  bad({ api, maxContentLength: 0 });
  assert.throws(() => otelMetrics({}), { code: "BAD_ARGUMENT" });
});

test("over random runs every span that began ends, each below a span of its trace", async () => {
  let seed = 7;
  const random = (most) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return Math.floor((seed / 2147483648) * most);
  };
  const { handler, spans, counts, reset } = traced();
  for (let round = 0; round < 100; round++) {
    const stop = new AbortController();
    const behave = async (_, config) => {
      const what = random(9);
      if (random(3) === 0) await tick(random(3));
      if (what === 0) throw new Error("fails");
      if (what === 1) return { list: [await add.invoke({ a: 1 }, config)] };
      if (what === 2)
        return {
          list: [(await new ScriptedModel({ responses: ["x"] }).invoke("", config)).content],
        };
      if (what === 3 && random(2) === 0) stop.abort();
      if (what === 4 && random(2) === 0) config.interrupt("why?");
      return { list: [what] };
    };
    const inner = new StateGraph(List)
      .addNode("in1", behave)
      .addNode("in2", behave)
      .addEdge(START, "in1")
      .addEdge(START, "in2")
      .compile();
    const graph = new StateGraph(List)
      .addNode("a", behave, {
        retryPolicy: { maxAttempts: 2, initialInterval: 1, retryOn: () => true },
      })
      .addNode("b", inner)
      .addNode("c", behave)
      .addEdge(START, "a")
      .addEdge(START, "b")
      .addConditionalEdges("a", () => (random(2) ? "c" : END))
      .compile({ checkpointer: new MemorySaver() });
    const config = {
      callbacks: [handler],
      signal: stop.signal,
      configurable: { thread_id: `${round}` },
    };
    try {
      if (random(2)) await graph.invoke({}, config);
      else {
        let chunks = random(4);
        for await (const _ of await graph.stream({}, config)) if (chunks-- === 0) break;
      }
    } catch {
      // Runs may fail: their spans end all the same.
    }
    await tick(5);
    assert.equal(counts.started, counts.ended, `round ${round}`);
    const known = new Set(spans().map((span) => span.spanContext().spanId));
    const roots = spans().filter(({ parentSpanContext: parent }) => !known.has(parent?.spanId));
    assert.equal(roots.length, 1, `round ${round}: ${roots.map(({ name }) => name)}`);
    reset();
  }
});
