// SPDX-License-Identifier: MIT
// RemoteGraph against a server of our own: the requests that it makes and what it makes of the
// answers, in both packages.
import {
  AIMessage,
  AIMessageChunk,
  HumanMessage,
  RemoveMessage,
  SystemMessage,
  ToolMessage,
} from "@langchain/core/messages";
import { RemoteGraph as Theirs } from "@langchain/langgraph/remote";
import { Client } from "@langchain/langgraph-sdk";
import { RemoteGraph as Ours } from "weftgraph/remote";
import { startPlatform } from "./platform-server.mjs";
import { drain, same } from "./surface.mjs";

const RUN = [
  ["metadata", { run_id: "r", attempt: 1 }],
  ["values", { a: 0 }],
  ["updates", { n: { a: 1 } }],
  ["values", { a: 1, s: "ü€𝄞" }],
  ["end", null],
];
const ASKED = [
  ["updates", { __interrupt__: [{ value: "q", id: "0123456789abcdef0123456789abcdef" }] }],
];
const THREAD = { configurable: { thread_id: "t" } };

/** A program with a graph on a server; what it gives and what it asked the server are noted. */
function remote(title, script, run, params = {}) {
  same(title, async (lib, t) => {
    const RemoteGraph = t.isPeer ? Theirs : Ours;
    const platform = await startPlatform(script);
    try {
      const graph = new RemoteGraph({
        graphId: "agent",
        url: platform.url,
        apiKey: "key",
        headers: { "x-own": "me" },
        ...params,
      });
      await t.try("gives", () => run(graph, lib, platform));
      t.note("asked", platform.requests);
    } finally {
      await platform.close();
    }
  });
}

const FULL = {
  configurable: {
    thread_id: "t",
    foo: 1,
    call: () => 1,
    obj: { x: 1, call() {} },
    __pregel_x: 1,
    checkpoint_id: "c0",
    checkpoint_ns: "ns",
    list: [1, {}],
  },
  tags: ["tag"],
  metadata: { m: 1, call: () => 1 },
  recursionLimit: 7,
  runName: "rn",
  context: { c: 1 },
};

remote("invoke", { events: RUN }, (graph) => graph.invoke({ a: 0 }));
remote("invoke with a config", { events: RUN }, (graph) => graph.invoke({ a: 0 }, FULL));
remote("withConfig beneath a call", { events: RUN }, (graph) =>
  graph
    .withConfig({ ...FULL, recursionLimit: undefined })
    .invoke({ a: 0 }, { tags: ["t2"], configurable: { foo: 2 } }),
);
remote("no input: go on", { events: RUN }, (graph) => graph.invoke(null, THREAD));
remote("invoke gives values whatever the mode", { events: RUN }, (graph) =>
  graph.invoke({ a: 0 }, { streamMode: "updates" }),
);
remote("where to stop", { events: RUN }, (graph) =>
  graph.invoke({ a: 0 }, { interruptBefore: ["n"], interruptAfter: "*" }),
);
remote("options of the graph", { events: RUN }, (graph) => drain(graph.stream({ a: 0 })), {
  interruptBefore: ["x"],
  interruptAfter: "*",
  streamResumable: true,
  name: "mine",
});
remote("nothing comes", { events: [] }, (graph) => graph.invoke({ a: 0 }));
remote("a Command", { events: RUN }, (graph, lib) =>
  graph.invoke(
    new lib.Command({ resume: 5, goto: [new lib.Send("n", { a: 1 }), "b"], update: { q: 1 } }),
    THREAD,
  ),
);
remote("messages at any depth", { events: RUN }, (graph) =>
  graph.invoke({
    messages: [
      new HumanMessage("hi"),
      new HumanMessage({ content: "x", id: "1", name: "bob" }),
      new SystemMessage("s"),
      new RemoveMessage({ id: "z" }),
      new AIMessageChunk({ content: "c" }),
      new AIMessage({
        content: "x",
        tool_calls: [{ id: "1", name: "t", args: {} }],
        usage_metadata: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
      }),
      new ToolMessage({ content: "r", tool_call_id: "1", status: "error", artifact: { a: 1 } }),
    ],
    more: { m: new HumanMessage("deep"), none: null, no: undefined },
  }),
);
for (const input of ["text", [new HumanMessage("x"), 5], new HumanMessage("x")])
  remote(`input that is ${input.constructor.name}`, { events: RUN }, (graph) =>
    graph.invoke(input),
  );

for (const streamMode of [
  undefined,
  "values",
  "updates",
  ["values", "updates"],
  "messages",
  ["messages", "values"],
  "debug",
  "custom",
  "tasks",
  "events",
  ["messages-tuple"],
]) {
  remote(
    `stream ${streamMode}`,
    {
      events: [
        ...RUN,
        ["messages", [{ type: "ai", content: "x" }, {}]],
        ["messages/partial", []],
        ["custom", 5],
        ["tasks", {}],
        ["foo", 1],
      ],
    },
    (graph) => drain(graph.stream({ a: 0 }, { streamMode })),
  );
}
const DEEP = [
  ["values|sub:1", { a: 1 }],
  ["values", { a: 2 }],
  ["updates|sub:1|deep:2", { n: 1 }],
];
for (const streamMode of ["values", ["values", "updates"]])
  remote(`stream subgraphs, ${streamMode}`, { events: DEEP }, (graph) =>
    drain(graph.stream({ a: 0 }, { streamMode, subgraphs: true })),
  );

remote(
  "an error of the graph",
  {
    events: [
      ["values", { a: 1 }],
      ["error", { error: "ValueError", message: "bad" }],
    ],
  },
  (graph) => graph.invoke({ a: 0 }),
);
remote("a question", { events: ASKED }, (graph) => graph.invoke({ a: 0 }));
remote("a question in a stream", { events: [...ASKED, ["updates", { n: 1 }]] }, (graph) =>
  drain(graph.stream({ a: 0 }, { streamMode: "updates" })),
);
remote(
  "questions in values",
  { events: [["values", { a: 1, __interrupt__: [{ value: "q", id: "i1" }] }]] },
  (graph) => graph.invoke({ a: 0 }),
);
for (const status of [400, 404, 409, 422]) {
  remote(`status ${status}`, { status: [status] }, (graph) =>
    graph
      .invoke({ a: 0 })
      .catch((error) => [
        error.message,
        error.status,
        error.text,
        error.response instanceof Response,
        error.constructor.name,
      ]),
  );
}
for (const id of ["..", ".", "../assistants/x?a#b", "a b"])
  remote(`the thread ${id}`, { events: RUN }, (graph) =>
    graph.invoke({ a: 0 }, { configurable: { thread_id: id } }),
  );
remote("a signal", { events: RUN }, (graph) =>
  graph.invoke({ a: 0 }, { signal: AbortSignal.abort() }).catch((error) => error.name),
);

remote("the state", {}, (graph) => graph.getState(THREAD));
remote("the state of a checkpoint", {}, (graph) =>
  graph.getState(
    {
      configurable: {
        thread_id: "t",
        checkpoint_id: "c",
        checkpoint_ns: "n",
        checkpoint_map: { x: "y" },
        other: 1,
      },
    },
    { subgraphs: true },
  ),
);
remote("the state of no thread", {}, (graph) => graph.getState({ configurable: {} }));
const NESTED = {
  values: {},
  next: [],
  checkpoint: null,
  metadata: null,
  created_at: null,
  parent_checkpoint: null,
  tasks: [
    {
      id: "1",
      name: "n",
      error: "boom",
      checkpoint: null,
      interrupts: [{ value: 1, when: "during", ns: ["a"] }],
      state: {
        values: { x: 1 },
        next: [],
        tasks: [],
        checkpoint: { thread_id: "q", checkpoint_ns: "s", checkpoint_id: "k" },
        metadata: {},
        created_at: null,
        parent_checkpoint: null,
      },
    },
  ],
};
remote(
  "the state with those of subgraphs",
  { answers: { "/threads/t/state/checkpoint": NESTED } },
  (graph) => graph.getState(THREAD, { subgraphs: true }),
);
remote("an edit", {}, (graph) =>
  graph.updateState(
    { configurable: { thread_id: "t", checkpoint_id: "c", checkpoint_ns: "n" } },
    { a: 2 },
    "n",
  ),
);
remote("an edit without a node", {}, (graph) => graph.updateState(THREAD, { a: 2 }));
remote("history", {}, (graph) => drain(graph.getStateHistory(THREAD)));
remote("history, filtered", {}, (graph) =>
  drain(
    graph.getStateHistory(
      { configurable: { thread_id: "t", checkpoint_id: "c" } },
      {
        limit: 2,
        before: { configurable: { thread_id: "t", checkpoint_id: "b" } },
        filter: { step: 1 },
      },
    ),
  ),
);

remote("its drawing", {}, async (graph) => {
  const drawn = [await graph.getGraphAsync({ xray: 2 }), await graph.getGraphAsync()];
  return drawn.map((one) => [one.nodes, one.edges, one.drawMermaid(), one.toJSON()]);
});
remote("what cannot be had at once", {}, (graph) => graph.getGraph());
remote("nor its subgraphs", {}, (graph) => [...graph.getSubgraphs()]);
remote("subgraphs", {}, async (graph) =>
  [
    ...(await drain(graph.getSubgraphsAsync("sub", true))),
    ...(await drain(graph.getSubgraphsAsync())),
  ].map(([name, one]) => [name, one.graphId, one.constructor.name]),
);

remote("a Runnable like others", { events: RUN }, async (graph) => [
  graph.getName(),
  graph.lc_id,
  graph.lg_is_pregel,
  graph.graphId,
  await graph.batch([{ a: 0 }, { a: 1 }]),
  await graph.pipe((values) => values.a).invoke({ a: 0 }),
]);
remote("a client of the SDK", { events: RUN }, async (graph, lib, { url }) => {
  const other = new graph.constructor({
    graphId: "agent",
    client: new Client({ apiUrl: url, apiKey: "other" }),
  });
  return [await other.invoke({ a: 0 }, THREAD), await other.getState(THREAD)];
});
remote("a key from the environment", { events: RUN }, async (graph, lib, { url }) => {
  process.env.LANGSMITH_API_KEY = "from the environment";
  try {
    return await new graph.constructor({ graphId: "agent", url }).invoke({ a: 0 });
  } finally {
    delete process.env.LANGSMITH_API_KEY;
  }
});

const FAILING = {
  "starts a run": (graph) => graph.invoke({ a: 0 }),
  "edits a thread": (graph) => graph.updateState(THREAD, { a: 2 }),
  "reads a state": (graph) => graph.getState(THREAD),
  "draws the graph": (graph) => graph.getGraphAsync(),
};
for (const [title, ask] of Object.entries(FAILING)) {
  same(`a server that fails when one ${title}: only a GET is asked again`, async (lib, t) => {
    const { setTimeout } = globalThis;
    const platform = await startPlatform({ events: RUN, status: [500, 503] });
    globalThis.setTimeout = (call, ms, ...rest) => setTimeout(call, ms >= 1000 ? 1 : ms, ...rest);
    try {
      await t.try(
        "gives",
        async () =>
          void (await ask(new (t.isPeer ? Theirs : Ours)({ graphId: "agent", url: platform.url }))),
      );
      t.note("asked", platform.requests.length);
    } finally {
      globalThis.setTimeout = setTimeout;
      await platform.close();
    }
  });
}

// ---- as a node, and at the edges

const around = (lib, graph, options) =>
  new lib.StateGraph(lib.Annotation.Root({ a: lib.Annotation }))
    .addNode("r", graph)
    .addNode("z", (state) => ({ a: [state.a] }))
    .addEdge(lib.START, "r")
    .addEdge("r", "z")
    .compile(options);

remote("a node of another graph", { events: [["values", { a: 1 }]] }, (graph, lib) =>
  around(lib, graph).invoke({ a: 5 }, { configurable: { thread_id: "t", foo: 1 } }),
);
remote("a node that fails", { events: [["error", { error: "E", message: "m" }]] }, (graph, lib) =>
  around(lib, graph).invoke({ a: 5 }),
);
remote("a node that asks", { events: ASKED }, (graph, lib) =>
  around(lib, graph, { checkpointer: new lib.MemorySaver() }).invoke({ a: 5 }, THREAD),
);

const INSIDE = [
  ["values|sub:1", { a: 1 }],
  ["updates|sub:1", { x: { a: 1 } }],
  ["custom|sub:1|deep:2", "c"],
  ["messages|sub:1", [{ type: "ai", content: "x" }, { langgraph_node: "q" }]],
  ["tasks", { id: "t" }],
  ["custom", "bare"],
  ["values", { a: 2 }],
  ["updates", { n: { a: 2 } }],
];
const OTHERS = [
  ["messages/partial", [{ type: "ai", content: "x" }]],
  ["messages/metadata", {}],
  ["messages/complete", []],
  ["checkpoints", {}],
  ["debug", { type: "task" }],
  ["feedback", 1],
];
for (const streamMode of [
  "values",
  "updates",
  ["values", "updates"],
  ["custom", "messages", "tasks"],
  "messages",
  ["messages-tuple", "values"],
  "debug",
  "checkpoints",
  [],
]) {
  for (const subgraphs of [false, true]) {
    remote(
      `a node in a stream of ${JSON.stringify(streamMode)}, ${subgraphs ? "with" : "without"} subgraphs`,
      { events: INSIDE },
      async (graph, lib) => {
        const chunks = await drain(around(lib, graph).stream({ a: 5 }, { streamMode, subgraphs }));
        return chunks.map((chunk) =>
          JSON.parse(
            JSON.stringify(chunk, (key, value) => (key === "timestamp" ? undefined : value)),
          ),
        );
      },
    );
    remote(
      `a stream of ${JSON.stringify(streamMode)}, ${subgraphs ? "with" : "without"} subgraphs`,
      { events: [...INSIDE, ...OTHERS] },
      (graph) => drain(graph.stream({ a: 5 }, { streamMode, subgraphs })),
    );
  }
}
const QUESTION = [{ value: 1, id: "0123456789abcdef0123456789abcdef" }];
remote("an error inside", { events: [["error|sub:1", { error: "E", message: "m" }]] }, (graph) =>
  graph.invoke({ a: 0 }),
);
remote("an error that is a text", { events: [["error", "bad"]] }, (graph) =>
  graph.invoke({ a: 0 }),
);
remote(
  "a question inside",
  {
    events: [
      ["updates|sub:1", { __interrupt__: QUESTION }],
      ["values", { a: 1 }],
    ],
  },
  (graph) => graph.invoke({ a: 0 }),
);
remote(
  "no question",
  {
    events: [
      ["updates", { __interrupt__: [] }],
      ["values", { a: 1 }],
    ],
  },
  (graph) => graph.invoke({ a: 0 }),
);
remote(
  "a node that asks, answered",
  { events: [["updates", { __interrupt__: QUESTION }]] },
  async (graph, lib) => {
    const outer = around(lib, graph, { checkpointer: new lib.MemorySaver() });
    const asked = await outer.invoke({ a: 1 }, THREAD);
    const { tasks } = await outer.getState(THREAD);
    return [
      asked,
      tasks.map(({ name, interrupts }) => [name, interrupts]),
      await outer.invoke(new lib.Command({ resume: "yes" }), THREAD),
    ];
  },
);
remote("the state of a node that waits", {}, async (graph, lib) => {
  const outer = around(lib, graph, { checkpointer: new lib.MemorySaver(), interruptBefore: ["r"] });
  await outer.invoke({ a: 1 }, THREAD);
  const { tasks, next } = await outer.getState(THREAD, { subgraphs: true });
  return [tasks, next, [...outer.getSubgraphs()].map(([name, { graphId }]) => [name, graphId])];
});
remote("a node's config", { events: RUN }, (graph, lib) =>
  around(lib, graph).invoke(
    { a: 1 },
    { ...THREAD, tags: ["tt"], metadata: { mm: 1 }, context: { c: 1 }, recursionLimit: 9 },
  ),
);
const cycle = { deep: {} };
cycle.deep.self = cycle;
remote("values that JSON has no words for", { events: RUN }, (graph) =>
  graph.invoke(
    { a: 0 },
    {
      configurable: {
        thread_id: "t",
        date: new Date(0),
        map: new Map([["a", 1]]),
        nested: { f: () => 1, none: undefined, null: null, deep: { e: Symbol("x") } },
        list: [() => 1, undefined, null, "1"],
        __own: 1,
        n: Number.NaN,
        run_id: "r",
      },
      metadata: {
        date: new Date(0),
        f: () => 1,
        nested: { f: () => 1, a: [() => 1] },
        thread_id: "other",
        big: 5n,
        cycle,
      },
      tags: ["a", "a"],
      timeout: 5000,
      durability: "sync",
      debug: true,
      maxConcurrency: 3,
    },
  ),
);
remote("an edit by nobody, of nothing, of a list", {}, async (graph) => [
  await graph.updateState(THREAD, null, "n"),
  await graph.updateState(THREAD, { a: new HumanMessage("x") }, "__end__"),
  await graph.updateState(THREAD, [{ a: 1 }]),
]);
remote("events are the server's", { events: RUN }, (graph) =>
  graph.streamEvents({ a: 0 }, { version: "v2" }),
);
remote("its log", { events: RUN }, (graph) => drain(graph.streamLog({ a: 0 })));
remote("callbacks hear nothing of it", { events: RUN }, async (graph) => {
  const told = [];
  const callbacks = [
    {
      handleChainStart: ({ id }) => void told.push(id),
      handleChainEnd: (output) => void told.push(output),
    },
  ];
  await graph.invoke({ a: 0 }, { callbacks });
  await drain(graph.stream({ a: 0 }, { callbacks }));
  return told;
});
