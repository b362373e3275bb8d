// SPDX-License-Identifier: MIT
// Facts 18.13 to 18.15: streamEvents of version 3, its transformers and channels, the protocol's
// helpers.
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessageChunk } from "@langchain/core/messages";
import { ChatGenerationChunk } from "@langchain/core/outputs";
import * as theirs from "@langchain/langgraph/stream";
import * as ours from "weftgraph/stream";
import { chain, fact, logState, thread } from "./harness.mjs";

const timeless = ({ params: { timestamp, ...params }, ...event }) => ({
  ...event,
  params: { ...params, timestamp: typeof timestamp },
});

/** Everything of a run: its events, then what else its reader may ask for. */
async function follow(t, run, isFailing = false) {
  const events = [];
  try {
    for await (const event of run) events.push(timeless(event));
  } catch (error) {
    t.note("threw", error);
  }
  // LangGraph.js drops the chunks that wait when an error comes (D5).
  t.note(
    "events",
    isFailing
      ? events.map(({ seq, ...event }) => event).filter(({ method }) => method !== "tasks")
      : events,
  );
  await t.try("output", () => run.output);
  t.note("interrupts", [run.interrupted, run.interrupts]);
  const lives = [];
  try {
    for await (const { timestamp, ...entry } of run.lifecycle) lives.push(entry);
  } catch (error) {
    t.note("lifecycle threw", error.message);
  }
  t.note("lifecycle", lives);
}

const open = async (t, graph, input, options, isFailing) =>
  follow(t, await graph.streamEvents(input, { version: "v3", ...options }), isFailing);

fact("18.13", "events of a run, with and without a saver", async (lib, t) => {
  const nodes = {
    a: (_, config) => (
      config.writer("w"), config.writer({ name: "n", payload: 1 }), { log: ["a"] }
    ),
    b: async () => null,
    c: () =>
      new lib.Command({
        update: [
          ["log", ["1"]],
          ["log", ["2"]],
        ],
      }),
  };
  for (const options of [{}, { checkpointer: new lib.MemorySaver() }]) {
    await open(
      t,
      chain(lib, nodes, options),
      { log: ["in"] },
      thread("1", { tags: ["t"], metadata: { m: 1 } }),
    );
    await open(t, chain(lib, nodes, options), { log: ["again"] }, thread("1"));
  }
});

fact("18.13", "interrupts, breakpoints, errors", async (lib, t) => {
  const asks = chain(
    lib,
    { a: () => ({ log: ["a"] }), q: () => ({ log: [lib.interrupt("why")] }) },
    { checkpointer: new lib.MemorySaver() },
  );
  await open(t, asks, { log: [] }, thread("1"));
  await open(t, asks, new lib.Command({ resume: 1 }), thread("1"));
  const stops = chain(
    lib,
    { a: () => ({ log: ["a"] }), b: () => ({ log: ["b"] }) },
    { checkpointer: new lib.MemorySaver(), interruptBefore: ["b"] },
  );
  await open(t, stops, { log: [] }, thread("1"));
  await open(t, stops, null, thread("1"));
  await open(
    t,
    chain(lib, {
      a: () => ({ log: ["a"] }),
      b: async () => {
        throw new RangeError("bad");
      },
    }),
    { log: [] },
    {},
    true,
  );
  await open(t, chain(lib, { a: () => ({}) }), null);
});

fact("18.13", "lives of graphs that fail", async (lib, t) => {
  const fails = () => new Promise((_, reject) => setTimeout(reject, 5, new RangeError("bad")));
  const inner = (act) => chain(lib, { i: act });
  const graphs = [
    chain(lib, { g: inner(fails) }),
    chain(lib, { g: inner(inner(fails)) }),
    chain(lib, { h: inner(() => ({})), g: inner(fails) }),
    chain(lib, { g: inner(() => ({ log: [lib.interrupt("nobody saves")] })) }),
    chain(lib, { g: [inner(fails), { errorHandler: () => ({}) }], z: () => ({}) }),
  ];
  for (const graph of graphs) {
    const run = await graph.streamEvents({ log: [] }, { version: "v3" });
    const lives = [];
    await t.try("events", async () => {
      for await (const { method, params } of run)
        if (method === "lifecycle" || method === "tasks")
          lives.push([params.namespace, params.data.event ?? params.data.name, params.data.result]);
    });
    t.note("lives", lives);
  }
});

fact("18.13", "messages are those of the nodes right below", async (lib, t) => {
  const model = new lib.FakeListChatModel({ responses: ["hey", "you"] });
  const talk = async ({ messages }) => ({ messages: [await model.invoke(messages)] });
  const state = lib.MessagesAnnotation;
  const graph = chain(lib, { talk, g: chain(lib, { inside: talk }, { state }) }, { state });
  const shown = async (run) => {
    const texts = [];
    for await (const message of run.messages) texts.push([message.node, await message.text]);
    for await (const inside of run.subgraphs) texts.push([inside.name, await shown(inside)]);
    return texts;
  };
  t.note(
    "messages",
    await shown(
      await graph.streamEvents(
        { messages: [new lib.HumanMessage({ content: "x", id: "x" })] },
        { version: "v3" },
      ),
    ),
  );
  const [start, end] = [
    { event: "message-start", role: "ai", id: "m", run_id: "r" },
    { event: "message-finish", run_id: "r" },
  ];
  for (const path of [[], ["a:1"]])
    for (const namespace of [[], ["a:1"], ["a:1", "b:2"], ["a:1", "b:2", "c:3"], ["z:1"]]) {
      const transformer = lib.createMessagesTransformer(path);
      const { messages } = transformer.init();
      for (const data of [start, end])
        transformer.process({
          type: "event",
          seq: 0,
          method: "messages",
          params: { namespace, timestamp: 1, node: "n", data },
        });
      transformer.finalize();
      let count = 0;
      for await (const _ of messages) count++;
      t.note("at", [path, namespace, count]);
    }
});

fact("18.13", "messages of models and nodes", async (lib, t) => {
  const model = new lib.FakeListChatModel({ responses: ["hey"] });
  const graph = () =>
    chain(
      lib,
      {
        talk: async (state) => ({ messages: [await model.invoke(state.messages)] }),
        give: () => ({
          messages: [
            new lib.AIMessage({
              content: "whole",
              id: "w",
              usage_metadata: { input_tokens: 1, output_tokens: 2, total_tokens: 3 },
            }),
            new lib.HumanMessage({ content: "human", id: "h" }),
            new lib.ToolMessage({ content: "t", tool_call_id: "c", id: "tm" }),
          ],
        }),
      },
      { state: lib.MessagesAnnotation },
    );
  const input = { messages: [new lib.HumanMessage({ content: "x", id: "x" })] };
  const run = await graph().streamEvents(input, { version: "v3" });
  const events = [];
  for await (const event of run) if (event.method === "messages") events.push(timeless(event));
  t.note("events", events);
  for (const pick of [
    (run) => run.messages,
    (run) => run.messagesFrom("talk"),
    (run) => run.messagesFrom("nobody"),
  ]) {
    for await (const message of pick(await graph().streamEvents(input, { version: "v3" }))) {
      const pieces = [];
      for await (const piece of message.text) pieces.push(piece);
      const full = [];
      for await (const piece of message.text.full) full.push(piece);
      const kinds = [];
      for await (const { event } of message) kinds.push(event);
      t.note("message", [
        message.node,
        pieces,
        full,
        kinds,
        await message.text,
        await message.reasoning,
        await message.toolCalls,
        await message.usage,
      ]);
      t.note("output", await message.output);
    }
  }
});

for (const [title, ids] of Object.entries({
  "named, then not": ["z", undefined],
  "not, then named": [undefined, "z", undefined],
  "none named": [undefined, null],
})) {
  fact(
    "18.13",
    `ids of what a node returns, tools' messages among it: ${title}`,
    async (lib, t) => {
      const tool = (id) => new lib.ToolMessage({ content: "t", tool_call_id: `c-${id}` });
      const given = () => ({
        messages: [tool(1), ...ids.map((id) => new lib.AIMessage({ content: "x", id })), tool(2)],
      });
      const graph = chain(lib, { a: given, b: given }, { state: lib.MessagesAnnotation });
      for await (const event of await graph.streamEvents({ messages: [] }, { version: "v3" }))
        t.note("event", timeless(event));
    },
  );
}

/** A chat model of LangChain that streams given chunks. */
class Chunks extends BaseChatModel {
  constructor(chunks) {
    super({});
    this.chunks = chunks;
  }
  _llmType() {
    return "chunks";
  }
  async *_streamResponseChunks(_messages, _options, run) {
    for (const fields of this.chunks) {
      const message = new AIMessageChunk(fields);
      const chunk = new ChatGenerationChunk({
        text: typeof fields.content === "string" ? fields.content : "",
        message,
      });
      yield chunk;
      await run?.handleLLMNewToken(chunk.text, undefined, undefined, undefined, undefined, {
        chunk,
      });
    }
  }
}

const ANSWERS = {
  "text and a tool call": [
    { content: "hi", id: "m1" },
    { content: "", tool_call_chunks: [{ index: 0, id: "c1", name: "f", args: "" }] },
    { content: "", tool_call_chunks: [{ index: 0, args: '{"a":' }] },
    { content: "", tool_call_chunks: [{ index: 0, args: "1}" }] },
    {
      content: "",
      usage_metadata: { input_tokens: 1, output_tokens: 2, total_tokens: 3 },
      response_metadata: { finish_reason: "tool_calls" },
    },
  ],
  "two tool calls": [
    { content: "", tool_call_chunks: [{ index: 0, id: "c1", name: "f", args: "{}" }] },
    { content: "", tool_call_chunks: [{ index: 1, id: "c2", name: "g", args: "{}" }] },
  ],
  blocks: [
    { content: [{ type: "text", text: "a", index: 0 }] },
    { content: [{ type: "text", text: "b", index: 0 }] },
    { content: [{ type: "reasoning", reasoning: "think", index: 1 }] },
    { content: [{ type: "text", text: "c", index: 2 }] },
  ],
  nothing: [{ content: "" }],
};

for (const [name, chunks] of Object.entries(ANSWERS)) {
  fact("18.13", `a model's answer in blocks: ${name}`, async (lib, t) => {
    const graph = chain(
      lib,
      { talk: async (state) => ({ messages: [await new Chunks(chunks).invoke(state.messages)] }) },
      { state: lib.MessagesAnnotation },
    );
    const run = await graph.streamEvents({ messages: ["x"] }, { version: "v3" });
    for await (const event of run)
      if (event.method === "messages") t.note("event", event.params.data);
    t.note("what the node returned", await run.output);
    for await (const message of (await graph.streamEvents({ messages: ["x"] }, { version: "v3" }))
      .messages) {
      t.note("calls", [
        await message.text,
        await message.reasoning,
        await message.toolCalls,
        await message.usage,
      ]);
    }
  });
}

fact("18.13", "whole messages in blocks", async (lib, t) => {
  const given = [
    new lib.AIMessage({
      content: "",
      id: "1",
      tool_calls: [{ id: "c", name: "f", args: { a: 1 } }],
    }),
    new lib.AIMessage({
      content: [
        { type: "text", text: "block" },
        { type: "reasoning", reasoning: "r" },
      ],
      id: "2",
      response_metadata: { finish_reason: "x" },
    }),
    new lib.SystemMessage({ content: "s", id: "3" }),
  ];
  const run = await chain(
    lib,
    { a: () => ({ messages: given }) },
    { state: lib.MessagesAnnotation },
  ).streamEvents({ messages: [] }, { version: "v3" });
  for await (const event of run)
    if (event.method === "messages") t.note("event", event.params.data);
});

fact("18.13", "values, aborting", async (lib, t) => {
  const graph = chain(lib, { a: () => ({ log: ["a"] }), b: async () => ({ log: ["b"] }) });
  const run = await graph.streamEvents({ log: [] }, { version: "v3" });
  const values = [];
  for await (const state of run.values) values.push(state);
  t.note("values", [values, await run.values, run.path, run.extensions, run.constructor.name]);
  const stop = new AbortController();
  const slow = chain(lib, {
    a: () => new Promise((resolve) => setTimeout(resolve, 60_000, {}).unref()),
  });
  const stopped = await slow.streamEvents({ log: [] }, { version: "v3", signal: stop.signal });
  setTimeout(() => stop.abort(new Error("stop")), 5);
  await t.try("aborted", () => stopped.output);
  t.note("signal", stopped.signal.aborted);
});

async function* source(chunks, error) {
  for (const chunk of chunks) yield chunk;
  if (error) throw error;
}

const CHUNKS = {
  nested: [
    [[], "values", { x: 1 }],
    [["child:1"], "values", { y: 1 }],
    [["child:1"], "updates", { in: { y: 2 } }],
    [["child:1", "deep:2"], "values", { z: 1 }],
    [[], "updates", { child: { x: 2 } }],
    [[], "values", { x: 2 }],
  ],
  tasks: [
    [[], "tasks", { id: "1", name: "child", input: {}, triggers: [], interrupts: [] }],
    [["child:1"], "values", { y: 1 }],
    [[], "tasks", { id: "1", name: "child", result: {}, interrupts: [] }],
    [["child:1"], "values", { y: 5 }],
  ],
  interrupted: [
    [["child:1"], "values", { __interrupt__: [{ id: "i", value: 1 }] }],
    [[], "values", { __interrupt__: [{ id: "i", value: 1 }] }],
  ],
  empty: [],
};

for (const [name, chunks] of Object.entries(CHUNKS)) {
  fact("18.14", `a run stream of given chunks: ${name}`, async (lib, t) => {
    await follow(t, lib.createGraphRunStream(source(chunks)));
    await follow(t, lib.createGraphRunStream(source(chunks, new RangeError("late"))));
    const run = lib.createGraphRunStream(source(chunks));
    for await (const inside of run.subgraphs) {
      const seen = { values: [], events: [], lives: [], inside: [] };
      for await (const value of inside.values) seen.values.push(value);
      for await (const event of inside) seen.events.push(timeless(event));
      for await (const { timestamp, ...entry } of inside.lifecycle) seen.lives.push(entry);
      for await (const { path } of inside.subgraphs) seen.inside.push(path);
      t.note("inside", [
        inside.constructor.name,
        inside.name,
        inside.index,
        inside.path,
        await inside.output,
        seen,
      ]);
    }
  });
}

fact("18.14", "transformers: channels, promises, dropped and made events", async (lib, t) => {
  const make = () => {
    const remote = lib.StreamChannel.remote("far");
    const local = lib.StreamChannel.local();
    let resolve;
    const final = new Promise((done) => (resolve = done));
    let count = 0;
    let emitter;
    return {
      init: () => ({ remote, local, final, plain: 5 }),
      onRegister: (given) => (emitter = given),
      process({ method, params: { data } }) {
        count++;
        remote.push({ method });
        local.push(method);
        if (data?.payload === "go")
          emitter.push(["made:1"], {
            type: "event",
            seq: 99,
            method: "values",
            params: { namespace: ["made:1"], timestamp: 1, data: { made: 1 } },
          });
        return method !== "updates";
      },
      finalize: () => resolve(count),
    };
  };
  const run = lib.createGraphRunStream(
    source([
      [[], "values", { x: 1 }],
      [[], "updates", { a: 1 }],
      [[], "custom", "go"],
    ]),
    [make],
  );
  await follow(t, run);
  const local = [];
  for await (const item of run.extensions.local) local.push(item);
  t.note("extensions", [
    local,
    await run.extensions.final,
    run.extensions.plain,
    Object.keys(run.extensions),
  ]);
  const graph = chain(lib, { a: () => ({ log: ["a"] }) });
  await follow(t, await graph.streamEvents({ log: [] }, { version: "v3", transformers: [make] }));
  t.note(
    "native",
    [
      lib.createLifecycleTransformer(),
      lib.createValuesTransformer([]),
      lib.createMessagesTransformer([]),
    ].map((one) => lib.isNativeTransformer(one)),
  );
});

fact("18.14", "native transformers: what they make is the run's own", async (lib, t) => {
  const make = (name, more) => () => {
    const local = lib.StreamChannel.local();
    const remote = lib.StreamChannel.remote(name);
    return {
      ...more,
      init: () => ({ [name]: local, [`${name}Far`]: remote }),
      process: ({ method }) => (local.push(method), remote.push(method), true),
      finalize: () => local.close(),
    };
  };
  const builder = () =>
    new lib.StateGraph(logState(lib)).addNode("a", () => ({ log: ["a"] })).addEdge(lib.START, "a");
  const graph = builder().compile({
    transformers: [make("own", { __native: true }), make("other")],
  });
  const run = await graph.streamEvents(
    { log: [] },
    { version: "v3", transformers: [make("called", { __native: true })] },
  );
  t.note("keys", [Object.keys(run), Object.keys(run.extensions)]);
  const seen = [];
  for await (const method of run.own) seen.push(method);
  t.note("own", seen);
  for await (const event of run) t.note("event", timeless(event));
  await t.try("a name that the run has", () =>
    graph.streamEvents(
      { log: [] },
      { version: "v3", transformers: [make("output", { __native: true })] },
    ),
  );
});

fact("18.14", "channels", async (lib, t) => {
  const channel = lib.StreamChannel.remote("n");
  for (const item of [1, "two\nlines", { three: 3 }]) channel.push(item);
  t.note("state", [
    channel.channelName,
    channel.size,
    channel.done,
    channel.get(0),
    lib.StreamChannel.isInstance(channel),
    lib.StreamChannel.local().channelName,
    lib.EventLog === lib.StreamChannel,
  ]);
  for (const index of [9, -1]) await t.try("get", async () => channel.get(index));
  channel.close();
  channel.close();
  const read = async (items) => {
    const list = [];
    for await (const item of items) list.push(item);
    return list;
  };
  t.note("read", [await read(channel), await read(channel.toAsyncIterable(1)), channel.done]);
  t.note("bytes", await new Response(channel.toEventStream()).text());
  t.note(
    "bytes",
    await new Response(
      channel.toEventStream({
        event: "e",
        startAt: 1,
        serialize: (item) => `v\n${JSON.stringify(item)}`,
      }),
    ).text(),
  );
  const failing = lib.StreamChannel.local();
  failing.push({ a: 1 });
  failing.fail(new RangeError("channel"));
  await t.try("failed", () => read(failing));
  t.note(
    "unnamed bytes",
    await new Response(
      (() => {
        const local = lib.StreamChannel.local();
        local.push(1);
        local.close();
        return local.toEventStream();
      })(),
    ).text(),
  );
});

fact("18.15", "chunks as events, envelopes, subscriptions", async (lib, t) => {
  const stream = t.isPeer ? theirs : ours;
  t.note("names", Object.keys(stream).sort());
  t.note("lists", [lib.STREAM_EVENTS_V3_MODES, [...stream.SUPPORTED_CHANNELS].sort()]);
  const tool = { toolCallId: "c", name: "n" };
  const chunks = [
    ["values", { x: 1 }],
    ["values", 5],
    ["updates", { a: { x: 1 } }],
    ["updates", { a: 1, b: 2 }],
    ["updates", { a: 1, __metadata__: { cached: true } }],
    ["updates", { __interrupt__: [] }],
    ["updates", {}],
    ["updates", 5],
    ["updates", null],
    ["custom", "w"],
    ["custom", { name: "n", data: 1 }],
    ["custom", { payload: 1 }],
    ["custom", null],
    ["tasks", { id: "t" }],
    ["tools", { event: "on_tool_start", ...tool, input: "{}" }],
    ["tools", { event: "on_tool_event", ...tool, data: 1 }],
    ["tools", { event: "on_tool_event", ...tool, data: "text" }],
    ["tools", { event: "on_tool_end", ...tool, output: "o" }],
    ["tools", { event: "on_tool_error", ...tool, error: new Error("e") }],
    ["tools", { event: "on_tool_error", ...tool, error: "text" }],
    ["tools", { event: "nope" }],
    ["tools", { event: "on_tool_start", name: "n", input: 1 }],
    [
      "messages",
      [
        { event: "message-start", id: "x" },
        { langgraph_node: "n", run_id: "r" },
      ],
    ],
    ["messages", { event: "message-start" }],
    ["messages", [new lib.AIMessage({ content: "x", id: "1" }), { langgraph_node: "n" }]],
    ["checkpoints", { id: "x", step: 0, source: "loop" }],
    ["checkpoints", { config: {}, values: {} }],
    ["debug", {}],
    ["nope", 1],
  ];
  for (const [mode, payload] of chunks)
    t.note(
      mode,
      lib.convertToProtocolEvent({ namespace: ["a:1"], mode, payload, seq: 5 }).map(timeless),
    );
  const envelope = { id: "a", step: 1, source: "loop" };
  for (const payload of [
    envelope,
    { id: "a" },
    { id: "a", step: 1 },
    { id: "a", source: "loop" },
    { ...envelope, id: 1 },
    { ...envelope, values: {} },
    { ...envelope, config: {} },
    null,
    5,
    [],
  ])
    t.note("envelope", [payload, lib.isCheckpointEnvelope(payload)]);
  for (const segment of ["a:b:c", "a", ":x", ""])
    t.note("segment", stream.normalizeNamespaceSegment(segment));
  for (const pair of [
    [["a:1", "b"], ["a"]],
    [["a:1"], ["a:1"]],
    [["a:1"], ["a:2"]],
    [["a"], ["a:1"]],
    [["a"], []],
    [[], ["a"]],
    [
      ["a:1", "b:2"],
      ["a", "b"],
    ],
  ])
    t.note("prefix", stream.isPrefixMatch(...pair));
  for (const name of [
    "values",
    "custom:x",
    "custom:",
    "custom",
    "nope",
    "debug",
    "input",
    "input.requested",
    "input.answered",
    "lifecycle",
    "checkpoints",
  ])
    t.note("supported", [name, stream.isSupportedChannel(name)]);
  const event = (method, namespace = [], seq = 3, data = undefined) => ({
    method,
    seq,
    params: { namespace, data },
  });
  for (const one of [
    event("values"),
    event("custom"),
    event("custom", [], 1, { name: "n" }),
    event("custom", [], 1, { payload: 1 }),
    event("custom:foo"),
    event("input.requested"),
    event("input.answered"),
    event("nope"),
    event("debug"),
  ])
    t.note("channel", stream.inferChannel(one) ?? "none");
  const named = event("custom", [], 3, { name: "x" });
  const inside = event("values", ["a:1", "b:1"]);
  const subscriptions = [
    [event("values"), { channels: ["values"] }],
    [event("values"), { channels: ["updates"] }],
    [event("values"), { channels: [] }],
    [event("nope"), { channels: ["nope"] }],
    [named, { channels: ["custom"] }],
    [named, { channels: ["custom:x"] }],
    [named, { channels: ["custom:y"] }],
    [event("custom"), { channels: ["custom:x"] }],
    [inside, { channels: ["values"], namespaces: [["a"]] }],
    [inside, { channels: ["values"], namespaces: [["b"], ["a:1"]] }],
    [inside, { channels: ["values"], namespaces: [["b"]] }],
    [inside, { channels: ["values"], namespaces: [["a"]], depth: 0 }],
    [inside, { channels: ["values"], namespaces: [["a"]], depth: 1 }],
    [inside, { channels: ["values"], depth: 0 }],
    [inside, { channels: ["values"], namespaces: [] }],
    [event("values"), { channels: ["values"], since: 3 }],
    [event("values", [], 4), { channels: ["values"], since: 3 }],
  ];
  for (const [one, definition] of subscriptions)
    t.note("matches", [definition, stream.matchesSubscription(one, definition)]);
});
