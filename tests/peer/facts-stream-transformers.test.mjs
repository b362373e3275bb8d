// SPDX-License-Identifier: MIT
// Facts 18.13 to 18.15: several transformers at once, what they see, drop and add; lives of graphs
// by what is told of their tasks; a run of version 3 as server-sent events.
import { chain, fact, thread } from "./harness.mjs";
import { ScriptedModel, drain } from "./scripted-model.mjs";

async function* source(chunks, error) {
  yield* chunks;
  if (error !== undefined) throw error.thrown;
}

const read = async (items) => {
  const list = [];
  for await (const item of items) list.push(item);
  return list;
};

/** A task of the graph `name` begins, or ends. */
const begin = (id, name, namespace = []) => [
  namespace,
  "tasks",
  { id, name, input: {}, triggers: [], interrupts: [] },
];
const end = (id, name, namespace = []) => [
  namespace,
  "tasks",
  { id, name, result: {}, interrupts: [] },
];
const inside = (...namespace) => [namespace, "values", { y: 1 }];
const updates = (name, namespace = []) => [namespace, "updates", { [name]: 1 }];
const other = [[], "custom", "x"];
const INSIDE = [
  [[], "values", { x: 1 }],
  begin("1", "g"),
  [["g:1"], "values", { y: 1 }],
  [["g:1"], "values", { y: 2 }],
  updates("y", ["g:1"]),
  [["g:1"], "values", { y: 3 }],
  updates("g"),
  end("1", "g"),
  other,
];

fact(
  "18.14",
  "several transformers: the order of their calls, and what they see",
  async (lib, t) => {
    const calls = [];
    const make = (name, answer) => () => ({
      init: () => (calls.push(`${name} init`), { [name]: 1 }),
      onRegister: () => calls.push(`${name} registered`),
      process: (event) => (
        calls.push(`${name} ${event.method} ${event.seq} ${event.params.namespace}`), answer(event)
      ),
      finalize: () => calls.push(`${name} ended`),
    });
    for (const answer of [
      () => true,
      () => undefined,
      () => null,
      () => 0,
      () => "yes",
      () => ({}),
      ({ method }) => method !== "values",
      ({ params }) => params.namespace.length === 0,
    ]) {
      const run = lib.createGraphRunStream(source([...INSIDE, [[], "bogus", 1], other]), [
        make("first", answer),
        make("second", () => true),
      ]);
      t.note(
        "events",
        (await drain(run)).map(({ seq, method, params }) => [seq, method, params.namespace]),
      );
      t.note("calls", calls.splice(0));
      t.note("extensions", run.extensions);
    }
  },
);

fact(
  "18.14",
  "what a transformer throws at the end of a run that went well leaves its values",
  async (lib, t) => {
    for (const thrown of [new Error("late"), undefined, null, 0, ""]) {
      const make = () => ({
        init: () => ({ n: 1 }),
        process: () => true,
        finalize: () => {
          throw thrown;
        },
      });
      const run = lib.createGraphRunStream(source(INSIDE), [make]);
      await t.try("output", () => run.output);
      await t.try("values", () => drain(run.values));
      t.note("extensions", [run.extensions, run.interrupted]);
    }
  },
);

fact(
  "18.14",
  "events that a transformer drops are no values of the graphs inside",
  async (lib, t) => {
    for (const dropped of [[1, 2, 3], [1], [2], []]) {
      let count = 0;
      const make = () => ({
        init: () => ({}),
        process: ({ method, params }) =>
          method !== "values" || params.namespace.length === 0 || !dropped.includes(++count),
      });
      const run = lib.createGraphRunStream(source(INSIDE), [make]);
      const early = read(run.subgraphs).then((runs) =>
        Promise.all(runs.map(async (one) => [one.path, await read(one.values), await one.output])),
      );
      t.note("events", (await drain(run)).length);
      t.note("inside", await early);
      for (const one of await read(run.subgraphs)) t.note("late", await read(one.values));
      t.note("values", [await read(run.values), await run.output]);
    }
  },
);

fact("18.14", "events that transformers add are seen by all of them", async (lib, t) => {
  const make = (when, what) => () => {
    let emitter;
    return {
      init: () => ({}),
      onRegister: (given) => (emitter = given),
      process({ method, params: { namespace } }) {
        if (method === when)
          emitter.push(namespace, {
            type: "event",
            seq: 7,
            method: what,
            params: { namespace, timestamp: 1, data: { what } },
          });
        return true;
      },
    };
  };
  const lists = [
    [make("updates", "custom:second"), make("custom:second", "custom:third")],
    [make("custom:second", "custom:third"), make("updates", "custom:second")],
    [make("tasks", "values"), make("values", "custom:values")],
  ];
  for (const list of lists) {
    const run = lib.createGraphRunStream(source(INSIDE), list);
    t.note(
      "events",
      (await drain(run)).map(({ seq, method, params }) => [
        seq,
        method,
        params.namespace,
        params.data.event,
      ]),
    );
    for (const one of await read(run.subgraphs))
      t.note("inside", [await read(one.values), await one.output]);
  }
});

const LIVES = {
  "an update, then the end of its task": [
    begin("1", "g"),
    inside("g:1"),
    updates("g"),
    end("1", "g"),
    other,
  ],
  "an update, and no end": [begin("1", "g"), inside("g:1"), updates("g"), other],
  "no beginning": [inside("g:1"), updates("g"), end("1", "g"), other],
  "something between": [begin("1", "g"), inside("g:1"), updates("g"), other, end("1", "g"), other],
  "a task begins behind": [begin("1", "g"), inside("g:1"), updates("g"), begin("3", "h"), other],
  "two of one node, the second ends first": [
    begin("1", "g"),
    begin("2", "g"),
    inside("g:1"),
    inside("g:2"),
    updates("g"),
    end("2", "g"),
    other,
    updates("g"),
    end("1", "g"),
    other,
  ],
  "two of one node, by updates": [inside("g:1"), inside("g:2"), updates("g"), updates("g"), other],
  "two of one node, by the ends of their tasks": [
    begin("1", "g"),
    begin("2", "g"),
    inside("g:1"),
    inside("g:2"),
    end("2", "g"),
    end("1", "g"),
    updates("g"),
    other,
  ],
  "another task of the node": [
    inside("g:1"),
    updates("g"),
    end("9", "g"),
    other,
    end("1", "g"),
    other,
  ],
  "another node's": [
    inside("g:1"),
    inside("h:2"),
    updates("g"),
    end("2", "h"),
    other,
    end("1", "g"),
    other,
  ],
  "deeper ones": [inside("g:1"), inside("g:1", "k:5"), updates("g"), end("5", "k", ["g:1"]), other],
  "deeper ones first": [
    inside("g:1"),
    inside("g:1", "k:5"),
    updates("k", ["g:1"]),
    end("1", "g"),
    other,
  ],
  again: [inside("g:1"), updates("g"), other, inside("g:1"), updates("g"), other],
};

for (const [name, chunks] of Object.entries(LIVES)) {
  fact("18.13", `lives of graphs inside: ${name}`, async (lib, t) => {
    const run = lib.createGraphRunStream(source(chunks));
    t.note(
      "events",
      (await drain(run)).map(({ method, params }) => [
        method,
        params.namespace,
        params.data.event,
        params.data.id,
      ]),
    );
    t.note(
      "lives",
      (await read(run.lifecycle)).map(({ event, namespace }) => [event, namespace]),
    );
  });
}

fact(
  "18.14",
  "lives are told by their transformer alone, also where it does not begin with the whole run",
  async (lib, t) => {
    const make = () => {
      let emitter;
      return {
        init: () => ({}),
        onRegister: (given) => (emitter = given),
        process({ method, params: { namespace } }) {
          if (method === "values")
            emitter.push(namespace, {
              type: "event",
              seq: 0,
              method: "lifecycle",
              params: { namespace, timestamp: 1, data: { event: "mine" } },
            });
          return true;
        },
      };
    };
    const run = lib.createGraphRunStream(source(INSIDE), [make]);
    t.note(
      "events",
      (await drain(run)).map(({ seq, method, params }) => [seq, method, params.data.event]),
    );
    for (const emitRootOnRegister of [true, false]) {
      for (const error of [undefined, new Error("bad")]) {
        const emitted = [];
        const transformer = lib.createLifecycleTransformer({ emitRootOnRegister });
        const { _lifecycleLog: lives } = transformer.init();
        transformer.onRegister({
          push: (namespace, { params }) => emitted.push([namespace, params.data]),
        });
        transformer.process({
          type: "event",
          seq: 0,
          method: "values",
          params: { namespace: ["g:1"], timestamp: 1, data: {} },
        });
        if (error === undefined) await transformer.finalize();
        else transformer.fail(error);
        const told = [];
        await t.try("lives", async () => {
          for await (const { event, namespace } of lives) told.push([event, namespace]);
        });
        t.note("told", [emitted, told]);
      }
    }
  },
);

fact("18.13", "what a run failed of, in words", async (lib, t) => {
  const circle = {};
  circle.self = circle;
  for (const thrown of [
    "text",
    { a: 1 },
    [1],
    circle,
    10n,
    Symbol("s"),
    new Error(""),
    () => 1,
    new Map([[1, 2]]),
    { message: "m" },
    new Date(0),
  ]) {
    const seen = [];
    try {
      for await (const { method, params } of lib.createGraphRunStream(
        source([inside("g:1")], { thrown }),
      ))
        if (method === "lifecycle") seen.push(params.data);
    } catch (error) {
      t.note("threw it", error === thrown);
    }
    t.note("failed", JSON.stringify(seen));
  }
});

fact("18.13", "custom data with a name", async (lib, t) => {
  for (const data of [
    { name: "n", payload: 1 },
    { name: undefined, x: 1 },
    { name: 5 },
    { name: null },
    { payload: 1 },
    [1],
    "s",
    new Error("e"),
    new lib.AIMessage({ id: "a", content: "b" }),
  ]) {
    const [, event] = await drain(lib.createGraphRunStream(source([[[], "custom", data]])));
    t.note("data", event.params.data);
  }
});

const [start, place] = [{ event: "message-start" }, { langgraph_node: "n", run_id: "r" }];
const CHUNKS = {
  updates: [{ n: null }, { n: 1, m: 2 }, { __metadata__: 1, n: 2 }, { n: [1] }, {}, null, "text"],
  messages: [
    start,
    [],
    [start],
    [start, place],
    [start, null],
    [start, 5],
    [start, place, 3],
    [5, place],
    [null, place],
    [{}, place],
    [{ event: 5 }, place],
    [start, { langgraph_node: 5, run_id: 5 }],
    [start, { run_id: null }],
  ],
  tools: [
    null,
    "text",
    {},
    { event: "x", toolCallId: "c" },
    { event: "on_tool_start" },
    { event: "on_tool_start", toolCallId: 5, name: 5, input: null },
    { event: "on_tool_event" },
    { event: "on_tool_event", data: null },
    { event: "on_tool_event", toolCallId: "c", data: [1] },
    { event: "on_tool_end", toolCallId: 7, output: null },
    { event: "on_tool_error" },
    { event: "on_tool_error", error: { message: "m" } },
    { event: "on_tool_error", error: {} },
    { event: "on_tool_error", error: "" },
    { event: "on_tool_error", error: new Error("e") },
  ],
};

fact("18.15", "odd chunks as events", (lib, t) => {
  for (const [mode, payloads] of Object.entries(CHUNKS)) {
    for (const payload of payloads)
      t.note(
        mode,
        lib
          .convertToProtocolEvent({ namespace: ["a:1"], mode, payload, seq: 3 })
          .map(({ seq, method, params: { timestamp, ...params } }) => [seq, method, params]),
      );
  }
});

const encoding = "text/event-stream";
const decoder = new TextDecoder();

/** Its texts, as they come. */
const textsOf = async (stream) => (await drain(stream)).map((bytes) => decoder.decode(bytes));

fact("18.13, 18.8", "server-sent events of a run of version 3", async (lib, t) => {
  const open = async (graph, input, options) => {
    const stream = await graph.streamEvents(input, { version: "v3", encoding, ...options });
    t.note("stream", [stream instanceof ReadableStream, stream.locked]);
    for (const text of await textsOf(stream)) t.note("event", text);
  };
  const make = () => {
    const far = lib.StreamChannel.remote("far");
    return {
      init: () => ({ far, total: Promise.resolve(3) }),
      process: ({ method }) => (method === "values" && far.push(1), method !== "tasks"),
    };
  };
  const inner = chain(lib, { i: () => ({ log: ["i"] }) });
  const graph = chain(lib, {
    a: (_, config) => (config.writer("two\nlines"), config.writer(undefined), { log: ["a"] }),
    g: inner,
  });
  await open(graph, { log: [] });
  await open(graph, { log: [] }, { transformers: [make] });
  await open(graph, { log: [] }, { transformers: null, subgraphs: false, streamMode: "values" });
  const asks = chain(
    lib,
    { a: () => ({ log: [lib.interrupt("why")] }) },
    { checkpointer: new lib.MemorySaver() },
  );
  await open(asks, { log: [] }, thread("1"));
  await open(asks, new lib.Command({ resume: 1 }), thread("1"));
  await open(
    chain(lib, {
      a: async () => {
        throw new RangeError("bad");
      },
    }),
    { log: [] },
  );
  await open(chain(lib, { a: (_, config) => (config.writer(10n), {}) }), { log: [] });
  await open(chain(lib, { a: () => ({}) }), null);
  await open(
    lib.entrypoint("flow", async (x) => x),
    1,
  );
  const model = new ScriptedModel("hello you");
  const talks = new lib.StateGraph(lib.MessagesAnnotation)
    .addNode("m", async ({ messages }) => ({ messages: [await model.invoke(messages)] }))
    .addEdge(lib.START, "m")
    .compile();
  const told = await textsOf(
    await talks.streamEvents({ messages: [] }, { version: "v3", encoding }),
  );
  t.note(
    "messages",
    told.filter((text) => text.startsWith("event: messages")),
  );
  const plain = await graph.streamEvents({ log: [] }, { version: "v3", encoding: "other" });
  t.note(
    "another encoding",
    (await drain(plain)).map(({ method }) => method),
  );
});
