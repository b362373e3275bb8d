// SPDX-License-Identifier: MIT
// What weftgraph/otel stores of inputs and outputs: nothing unless the policy says so, never
// credentials, and never more than its limit. Metrics, and what 10,000 runs leave behind.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import * as api from "@opentelemetry/api";
import { Annotation, Command, INTERRUPT, MemorySaver, START, StateGraph, tool } from "weftgraph";
import { createReactAgent } from "weftgraph/prebuilt";
import { ScriptedModel } from "weftgraph/models/scripted";
import { otelHandler, otelMetrics } from "weftgraph/otel";
import { textOf, traced } from "./otel-kit.mjs";

const schema = { type: "object", properties: { item: { type: "string" } } };
const usage_metadata = { input_tokens: 7, output_tokens: 2, total_tokens: 9 };

/** Runs an agent whose every part has a word of its own, with a question. */
async function talk(handler, thread_id = "t") {
  const order = tool(({ item }) => `${item} RESULT`, { name: "order", schema, approval: "ask" });
  const fails = tool(
    () => {
      throw new Error("ERRORTEXT");
    },
    { name: "fails", schema },
  );
  const tool_calls = [
    { name: "order", args: { item: "ARGUMENT", apiKey: "SECRETKEY" }, id: "c1" },
    { name: "fails", args: { item: "ARGUMENT" }, id: "c2" },
  ];
  const llm = new ScriptedModel({
    responses: [
      { content: "THOUGHT", tool_calls, usage_metadata },
      { content: "ANSWER", usage_metadata },
    ],
  });
  const agent = createReactAgent({
    llm,
    tools: [order, fails],
    prompt: "PROMPT",
    checkpointer: new MemorySaver(),
  });
  const config = { callbacks: [handler], configurable: { thread_id, api_token: "SECRETKEY" } };
  const asked = await agent.invoke({ messages: "QUESTION" }, config);
  assert.equal(asked[INTERRUPT].length, 1);
  const resume = { type: "edit", args: { action: "order", args: { item: "EDITED" } } };
  const { messages } = await agent.invoke(new Command({ resume }), config);
  assert.equal(messages.at(-1).content, "ANSWER");
}
const WORDS = /QUESTION|PROMPT|THOUGHT|ARGUMENT|EDITED|RESULT|ANSWER|ERRORTEXT|SECRETKEY/g;
const wordsIn = (spans) => [...new Set(textOf(spans).match(WORDS) ?? [])].sort();

test("by default a trace holds no message, argument, result, state, answer or error text", async () => {
  for (const options of [{}, { content: "none" }, { content: { nodes: {} } }]) {
    const { handler, spans } = traced(options);
    await talk(handler);
    assert.ok(spans().length > 12);
    assert.deepEqual(wordsIn(spans()), []);
  }
});

test("with all of it allowed messages have the conventions' form, and credentials are left out", async () => {
  const { handler, spans, named } = traced({ content: "all" });
  await talk(handler);
  assert.deepEqual(wordsIn(spans()), [
    "ANSWER",
    "ARGUMENT",
    "EDITED",
    "ERRORTEXT",
    "PROMPT",
    "QUESTION",
    "RESULT",
    "THOUGHT",
  ]);
  const [first] = named("chat");
  assert.deepEqual(JSON.parse(first.attributes["gen_ai.input.messages"]), [
    { role: "system", parts: [{ type: "text", content: "PROMPT" }] },
    { role: "user", parts: [{ type: "text", content: "QUESTION" }] },
  ]);
  const [answer] = JSON.parse(first.attributes["gen_ai.output.messages"]);
  assert.equal(answer.role, "assistant");
  assert.deepEqual(answer.parts.slice(0, 2), [
    { type: "text", content: "THOUGHT" },
    {
      type: "tool_call",
      id: "c1",
      name: "order",
      arguments: { item: "ARGUMENT", apiKey: "[redacted]" },
    },
  ]);
  const [second] = JSON.parse(named("chat")[1].attributes["gen_ai.input.messages"]).filter(
    ({ role }) => role === "tool",
  );
  assert.equal(second.parts[0].type, "tool_call_response");
  const [order] = named("execute_tool order");
  assert.equal(order.attributes["gen_ai.tool.call.arguments"], '{"item":"EDITED"}');
  assert.equal(order.attributes["gen_ai.tool.call.result"], "EDITED RESULT");
  assert.match(named("execute_tool fails")[0].status.message, /ERRORTEXT/);
});

const State = Annotation.Root({ open: Annotation(), closed: Annotation() });

test("a rule is that of the innermost node that has one, and a function says what is stored", async () => {
  const told = [];
  const inner = new StateGraph(State)
    .addNode("deep", () => ({ closed: "DEEP" }))
    .addNode("shown", () => ({ closed: "SHOWN" }))
    .addEdge(START, "deep")
    .addEdge("deep", "shown")
    .compile();
  const graph = new StateGraph(State)
    .addNode("plan", () => ({ open: "OPEN", closed: "CLOSED" }))
    .addNode("bill", inner)
    .addNode("other", () => ({ open: "OTHER" }))
    .addEdge(START, "plan")
    .addEdge("plan", "bill")
    .addEdge("bill", "other")
    .compile();
  const { handler, named } = traced({
    content: {
      default: "none",
      nodes: {
        plan: (value, about) => {
          told.push(about);
          return about.part === "output" ? { open: value.open } : undefined;
        },
        bill: "none",
        shown: "all",
        other: "all",
      },
    },
  });
  await graph.invoke({ open: "FIRST" }, { callbacks: [handler] });
  const held = (name) => {
    const { attributes } = named(name)[0];
    return [attributes["langgraph.input"], attributes["langgraph.output"]];
  };
  assert.deepEqual(held("invoke_agent"), [undefined, undefined]);
  assert.deepEqual(held("node plan"), [undefined, '{"open":"OPEN"}']);
  assert.deepEqual(held("node bill"), [undefined, undefined]);
  assert.deepEqual(held("node deep"), [undefined, undefined]);
  assert.equal(held("node shown")[1], '{"closed":"SHOWN"}');
  assert.equal(held("node other")[1], '{"open":"OTHER"}');
  assert.deepEqual(told, [
    { kind: "node", name: "plan", node: "plan", part: "input" },
    { kind: "node", name: "plan", node: "plan", part: "output" },
  ]);
});

test("a node's tracePolicy shapes what is stored of it, and stores nothing by itself", async () => {
  const graph = new StateGraph(State)
    .addNode("sign", () => ({ closed: "CLOSED" }), {
      tracePolicy: {
        processInputs: ({ open }) => ({ length: open.length }),
        processOutputs: () => ({ closed: true }),
      },
    })
    .addEdge(START, "sign")
    .compile();
  for (const [content, expected] of [
    ["none", [undefined, undefined]],
    [{ nodes: { sign: "all" } }, ['{"length":4}', '{"closed":true}']],
  ]) {
    const { handler, named } = traced({ content });
    await graph.invoke({ open: "OPEN" }, { callbacks: [handler] });
    const { attributes } = named("node sign")[0];
    assert.deepEqual([attributes["langgraph.input"], attributes["langgraph.output"]], expected);
  }
});

test("a policy that throws stores nothing and fails nothing", async (t) => {
  t.mock.method(console, "warn", () => {});
  const fail = () => {
    throw new Error("CLOSED");
  };
  const graph = new StateGraph(State)
    .addNode("sign", () => ({ closed: "CLOSED" }), {
      tracePolicy: { processInputs: fail, processOutputs: fail },
    })
    .addEdge(START, "sign")
    .compile();
  for (const content of ["all", fail]) {
    const { handler, spans, counts } = traced({ content: { nodes: { sign: content } } });
    assert.equal((await graph.invoke({}, { callbacks: [handler] })).closed, "CLOSED");
    assert.equal(counts.started, counts.ended);
    assert.doesNotMatch(textOf(spans()), /CLOSED/);
  }
});

test("a node's tracePolicy that gives nothing stores nothing", async () => {
  const graph = new StateGraph(State)
    .addNode("sign", () => ({ closed: "CLOSED" }), {
      tracePolicy: { processInputs: () => undefined, processOutputs: () => undefined },
    })
    .addEdge(START, "sign")
    .compile();
  for (const content of ["all", (value) => value]) {
    const { handler, named } = traced({ content: { nodes: { sign: content } } });
    await graph.invoke({ open: "OPEN" }, { callbacks: [handler] });
    const { attributes } = named("node sign")[0];
    assert.deepEqual(
      [attributes["langgraph.input"], attributes["langgraph.output"]],
      [undefined, undefined],
    );
  }
});

test("an error's text is told above its node as the node's rule allows it", async () => {
  const inner = new StateGraph(State)
    .addNode("sign", () => {
      throw new Error("CLOSED");
    })
    .addEdge(START, "sign")
    .compile();
  const wrapping = async (state, config) => {
    try {
      return await inner.invoke(state, config);
    } catch (error) {
      throw new Error(`it failed: ${error.message}`, { cause: error });
    }
  };
  for (const node of [inner, wrapping])
    for (const [rule, expected] of [
      ["none", []],
      ["all", ["CLOSED"]],
      [(_, { part }) => (part === "error" ? "NO TEXT" : undefined), ["NO TEXT"]],
    ]) {
      const graph = new StateGraph(State).addNode("all", node).addEdge(START, "all").compile();
      const content = { default: "all", nodes: { sign: rule } };
      const { handler, spans } = traced({ content });
      await assert.rejects(graph.invoke({}, { callbacks: [handler] }), /CLOSED/);
      const failed = spans().filter(({ status }) => status.code === 2);
      assert.ok(failed.length >= 5);
      const words = textOf(failed).match(/CLOSED|NO TEXT/g) ?? [];
      assert.deepEqual([...new Set(words)], expected);
      assert.ok(words.length === 0 || failed.every(({ status }) => status.message));
    }
});

test("a value under a Map's key that names a credential is not stored", async () => {
  const graph = new StateGraph(State)
    .addNode("sign", () => ({
      open: new Map([
        ["api_key", "SECRETKEY"],
        ["a", "OPEN"],
      ]),
    }))
    .addEdge(START, "sign")
    .compile();
  const { handler, spans } = traced({ content: "all" });
  await graph.invoke({}, { callbacks: [handler] });
  assert.doesNotMatch(textOf(spans()), /SECRETKEY/);
  assert.match(textOf(spans()), /OPEN/);
});

test("rules that would not be read are refused", () => {
  for (const content of [
    { default: "all", node: { sign: "none" } },
    { default: "all", nodes: new Map([["sign", "none"]]) },
    { default: "all", nodes: [] },
    { default: "all", nodes: null },
  ])
    assert.throws(() => otelHandler({ api, content }), { code: "BAD_ARGUMENT" });
});

test("content is cut at its limit, whatever the value is, in little time", async (t) => {
  t.mock.method(console, "warn", () => {});
  const ring = { name: "ring" };
  ring.self = ring;
  const deep = Array.from({ length: 1000 }).reduce((inner) => ({ inner }), {});
  const values = [
    "x".repeat(5_000_000),
    Array.from({ length: 1_000_000 }, (_, at) => at),
    Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`k${at}`, at])),
    ring,
    deep,
    new Map([["a", new Set([1n])]]),
    new Uint8Array(1_000_000),
    { a: undefined, b: () => {}, c: Symbol("c"), d: null, e: new Date(0), ["__proto__"]: 1 },
    {
      get broken() {
        throw new Error("getter");
      },
    },
    "👍".repeat(5000),
  ];
  const { handler, named, counts } = traced({ content: "all", maxContentLength: 1000 });
  let at = 0;
  const graph = new StateGraph(State)
    .addNode("a", () => ({ open: values[at] }))
    .addEdge(START, "a")
    .compile();
  const begun = performance.now();
  for (; at < values.length; at++) await graph.invoke({}, { callbacks: [handler] });
  assert.ok(performance.now() - begun < 2000);
  assert.equal(counts.started, counts.ended);
  const texts = named("node a").map(({ attributes }) => attributes["langgraph.output"]);
  assert.equal(texts.filter((text) => text !== undefined).length, values.length - 1);
  for (const text of texts) assert.ok((text ?? "").length <= 1000);
  assert.equal(texts[5], '{"open":[["a",["1"]]]}');
  assert.equal(texts[6], '{"open":"1000000 bytes"}');
  assert.equal(texts[7], '{"open":{"d":null,"e":"1970-01-01T00:00:00.000Z","__proto__":1}}');
  assert.ok(texts[0].endsWith('…"}') || texts[0].endsWith("…"));
});

test("a meter counts tokens and durations by model, tool and agent", async () => {
  const seen = [];
  const meter = {
    createHistogram: (name, { unit }) => ({
      record: (value, attributes) => seen.push([name, unit, typeof value, attributes]),
    }),
    createCounter: (name, { unit }) => ({
      add: (value, attributes) => seen.push([name, unit, value, attributes]),
    }),
  };
  const { handler } = traced({ metrics: otelMetrics(meter) });
  await talk(handler);
  const of = (name) => seen.filter(([one]) => one === name);
  const chat = { "gen_ai.operation.name": "chat" };
  assert.deepEqual(of("gen_ai.client.inference.usage.input_tokens"), [
    [
      "gen_ai.client.inference.usage.input_tokens",
      "{token}",
      7,
      { ...chat, "gen_ai.token.modality": "unknown" },
    ],
    [
      "gen_ai.client.inference.usage.input_tokens",
      "{token}",
      7,
      { ...chat, "gen_ai.token.modality": "unknown" },
    ],
  ]);
  assert.equal(of("gen_ai.client.inference.usage.output_tokens").length, 2);
  assert.deepEqual(of("gen_ai.client.inference.duration")[0].slice(1), ["s", "number", chat]);
  assert.equal(of("gen_ai.invoke_agent.duration").length, 2);
  assert.deepEqual(
    of("gen_ai.execute_tool.duration")
      .map(([, , , attributes]) => [attributes["gen_ai.tool.name"], attributes["error.type"]])
      .sort(),
    [
      ["fails", "Error"],
      ["order", undefined],
    ],
  );
});

test("10,000 runs leave nothing behind", async () => {
  let started = 0;
  let ended = 0;
  const span = {
    end: () => ended++,
    setAttribute() {},
    setAttributes() {},
    setStatus() {},
    spanContext: () => ({}),
  };
  const tracer = {
    startSpan: () => {
      started++;
      return span;
    },
  };
  const handler = otelHandler({ api, tracer, content: "all" });
  const graph = new StateGraph(State)
    .addNode("a", (_, config) => {
      if (config.interrupt({ text: "x".repeat(100) })) return {};
    })
    .addEdge(START, "a")
    .compile({ checkpointer: new MemorySaver() });
  const plain = new StateGraph(State)
    .addNode("a", () => ({ open: "x".repeat(100) }))
    .addEdge(START, "a")
    .compile();
  const rounds = async (count) => {
    for (let at = 0; at < count; at++) {
      if (at % 10 > 0) await plain.invoke({}, { callbacks: [handler] });
      else {
        const config = { callbacks: [handler], configurable: { thread_id: `${at}` } };
        await graph.invoke({}, config);
        await graph.invoke(new Command({ resume: "yes" }), config);
        await graph.checkpointer.deleteThread(`${at}`);
      }
    }
  };
  setFlagsFromString("--expose-gc");
  const gc = runInNewContext("gc");
  const used = () => {
    gc();
    return process.memoryUsage().heapUsed;
  };
  await rounds(2000);
  const before = used();
  await rounds(10_000);
  const grown = used() - before;
  assert.equal(started, ended);
  assert.ok(grown < 1_000_000, `${grown} bytes more`);
});
