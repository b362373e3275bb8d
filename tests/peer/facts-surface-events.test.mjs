// SPDX-License-Identifier: MIT
// Events, logs and callbacks of what is made of graphs: sequences, maps, retries, fallbacks,
// bindings, tools of graphs, tool nodes. Each run's own events are compared in their order, runs in
// the order in which they begin: how many turns of the microtask queue lie between two runs is
// nobody's business.
import { AIMessage } from "@langchain/core/messages";
import { RunnableLambda } from "@langchain/core/runnables";
import { tool } from "@langchain/core/tools";
import * as peerPrebuilt from "@langchain/langgraph/prebuilt";
import * as prebuilt from "weftgraph/prebuilt";
import { z } from "zod";
import { LIBRARIES } from "./harness.mjs";
import { drain, same } from "./surface.mjs";

const graphOf = (lib, node = (state) => ({ a: state.a + 1 })) =>
  new lib.StateGraph(lib.Annotation.Root({ a: lib.Annotation }))
    .addNode("n", node)
    .addEdge(lib.START, "n")
    .compile();
const failing = (lib) =>
  graphOf(lib, () => {
    throw new Error("bad");
  });
const look = tool(({ q }) => `seen ${q}`, {
  name: "look",
  description: "Looks.",
  schema: z.object({ q: z.number() }),
});
const asks = {
  messages: [
    new AIMessage({
      content: "",
      tool_calls: [{ name: "look", args: { q: 1 }, id: "c1", type: "tool_call" }],
    }),
  ],
};
const nodesOf = (lib) => (lib === LIBRARIES.langgraph ? peerPrebuilt : prebuilt);
const toolNode = (options) => (lib) => new (nodesOf(lib).ToolNode)([look], options);

const MADE = {
  "a function": (lib) => graphOf(lib).pipe((state) => state.a ?? "none"),
  "two functions": (lib) =>
    graphOf(lib)
      .pipe((state) => state.n)
      .pipe(({ a }) => a * 2),
  "an object": (lib) => graphOf(lib).pipe({ x: ({ n }) => n ?? 0, y: () => 1 }),
  "LangChain's": (lib) =>
    graphOf(lib).pipe(RunnableLambda.from(({ a = 7 }) => a).withConfig({ runName: "core" })),
  "a graph": (lib) =>
    graphOf(lib)
      .pipe(({ n, a }) => n ?? { a })
      .pipe(graphOf(lib)),
  "a generator": (lib) =>
    graphOf(lib).pipe(async function* () {
      yield 1;
      yield 5;
    }),
  "one key": (lib) => graphOf(lib).pick("n"),
  "keys added": (lib) => graphOf(lib).assign({ b: ({ n }) => n ?? 0 }),
  "a retry": (lib) => graphOf(lib).withRetry(),
  "a fallback": (lib) => graphOf(lib).withFallbacks([graphOf(lib)]),
  "a fallback that is needed": (lib) => failing(lib).withFallbacks([graphOf(lib)]),
  "a config": (lib) => graphOf(lib).withConfig({ tags: ["t"], runName: "named" }),
  "a sequence with a config": (lib) =>
    graphOf(lib)
      .pipe(({ n }) => n ?? 0)
      .withConfig({ tags: ["t"], runName: "named", metadata: { m: 1 } }),
  listeners: (lib) => graphOf(lib).withListeners({ onStart: () => {} }),
  "as a tool": (lib) =>
    graphOf(lib).asTool({
      name: "adder",
      description: "Adds.",
      schema: z.object({ a: z.number() }),
    }),
  "a tool node": toolNode(),
  "a tool node with tags": toolNode({ name: "mine", tags: ["own"] }),
  "a function that fails": (lib) =>
    graphOf(lib).pipe(() => {
      throw new Error("oops");
    }),
  "a graph that fails first": (lib) => failing(lib).pipe((state) => state),
  "a retry that fails": (lib) => failing(lib).withRetry({ stopAfterAttempt: 1 }),
};

/**
 * By what they are of, in the order in which that came first.
 * @param {any[]} items
 * @param {(item: any) => string} keyOf
 */
function grouped(items, keyOf) {
  const groups = new Map();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return [...groups.values()].flat();
}

/** Notes a stream's items, then how it ended. */
async function noteAll(t, label, open, keyOf) {
  const items = [];
  try {
    for await (const item of open()) items.push(item);
  } catch (error) {
    t.note(`${label} threw`, String(error));
  }
  t.note(
    label,
    grouped(items, keyOf).map((item) =>
      item.data?.error === undefined ? item : { ...item, data: { ...item.data, error: "…" } },
    ),
  );
}

const placeOf = ({ ops: [{ path }] }) => path.split("/").slice(0, 3).join("/");

/** A handler that notes what it is told. */
function listener(told) {
  const hears = ["ChainStart", "ChainEnd", "ChainError", "ToolStart", "ToolEnd"];
  const hear =
    (event) =>
    (first, ...rest) => {
      while (rest.at(-1) === undefined) rest.pop();
      told.push([event, event.endsWith("Start") ? first.id : first, ...rest]);
    };
  return Object.fromEntries(hears.map((event) => [`handle${event}`, hear(event)]));
}

const runOf = ([event, ...rest]) =>
  rest.find((item) => typeof item === "string" && /^[0-9a-f]{8}-/.test(item)) ?? event;

for (const [label, make] of Object.entries(MADE)) {
  same(`events and callbacks: ${label}`, async (lib, t) => {
    const input = label.startsWith("a tool node") ? asks : { a: 1 };
    const runnable = make(lib);
    const filter = { includeNames: ["RN", "n", "RunnableLambda"] };
    for (const version of ["v1", "v2"]) {
      await noteAll(
        t,
        version,
        () => runnable.streamEvents(input, { version }),
        ({ run_id }) => run_id,
      );
      await noteAll(
        t,
        `${version}, named`,
        () =>
          runnable.streamEvents(
            input,
            { version, runName: "RN", tags: ["call"], metadata: { mm: 1 } },
            filter,
          ),
        ({ run_id }) => run_id,
      );
    }
    await noteAll(t, "log", () => runnable.streamLog(input), placeOf);
    const invoked = [];
    await t.try("invoke", () => runnable.invoke(input, { callbacks: [listener(invoked)] }));
    t.note("told", invoked);
    const streamed = [];
    await t.try("stream", async () => {
      for await (const _ of await runnable.stream(input, { callbacks: [listener(streamed)] }));
    });
    t.note("told of the stream", grouped(streamed, runOf));
    await t.try("a list", () => runnable.batch([input], { callbacks: [listener(invoked)] }));
  });
}

same("versions and encodings", async (lib, t) => {
  const runnable = graphOf(lib).pipe((state) => state);
  for (const options of [undefined, {}, { version: "v9" }, { version: "v3" }])
    await t.try("opened", async () => void runnable.streamEvents({ a: 1 }, options));
  const decoder = new TextDecoder();
  const texts = [];
  for await (const bytes of runnable.streamEvents(
    { a: 1 },
    { version: "v2", encoding: "text/event-stream" },
  ))
    texts.push(decoder.decode(bytes));
  t.note("encoded", [
    texts.length,
    texts.at(-1),
    texts.map((text) => /^event: (data|end)\n(data: \{.*\}\n)?\n/.test(text)),
  ]);
});

same("values that are no objects, in versions 1 and 2", async (lib, t) => {
  const state = () => lib.Annotation.Root({ a: lib.Annotation });
  const all = async (label, runnable, input) => {
    for (const version of ["v1", "v2"]) {
      const events = await drain(runnable.streamEvents(input, { version })).catch((error) => [
        { event: error.message },
      ]);
      t.note(
        `${label} ${version}`,
        events
          .filter(({ event }) => !event.endsWith("_stream"))
          .map(({ event, name, tags, data }) => [event, name, tags, data]),
      );
    }
  };
  for (const value of [null, undefined, 0, 5, "x", "", [1], {}, false]) {
    const shown = JSON.stringify(value);
    await all(
      `a node gives ${shown}`,
      new lib.StateGraph(state())
        .addNode("n", () => value)
        .addEdge("__start__", "n")
        .compile(),
      { a: 1 },
    );
    await all(
      `an entrypoint gives ${shown}`,
      lib.entrypoint("e", async () => value),
      1,
    );
    await all(
      `an entrypoint takes ${shown}`,
      lib.entrypoint("e", async () => 1),
      value,
    );
    await all(
      `a task gives ${shown}`,
      lib.entrypoint("e", async () => (await lib.task("t", async () => value)(value), 1)),
      1,
    );
    await all(
      `input ${shown}`,
      new lib.StateGraph(state())
        .addNode("n", () => ({}))
        .addEdge("__start__", "n")
        .compile(),
      value,
    );
    await all(
      `one value ${shown}`,
      new lib.StateGraph(lib.Annotation.Root({ __root__: lib.Annotation }))
        .addNode("n", () => value)
        .addEdge("__start__", "n")
        .compile(),
      value,
    );
  }
});

// Streams of mode "tools" show a tool at the graph around its node, version 3 at the node.
for (const where of ["a node", "a graph inside", "a function", "a condition"]) {
  same(`where version 3 shows a tool: ${where}`, async (lib, t) => {
    const builder = () => new lib.StateGraph(lib.MessagesAnnotation);
    const own = (_, config) => look.invoke({ q: 1 }, config).then(() => ({}));
    const tools = builder().addNode("tools", toolNode()(lib)).addEdge(lib.START, "tools").compile();
    const graphs = {
      "a node": () => tools,
      "a graph inside": () => builder().addNode("sub", tools).addEdge(lib.START, "sub").compile(),
      "a function": () => builder().addNode("n", own).addEdge(lib.START, "n").compile(),
      "a condition": () =>
        builder()
          .addNode("n", () => ({}))
          .addEdge(lib.START, "n")
          .addConditionalEdges("n", (state, config) => own(state, config).then(() => lib.END))
          .compile(),
    };
    const events = await drain(graphs[where]().streamEvents(asks, { version: "v3" }));
    t.note(
      "events",
      events
        .filter(({ method }) => ["tools", "lifecycle"].includes(method))
        .map(({ method, params }) => [method, params.namespace, params.node, params.data.event]),
    );
    t.note(
      "stream",
      (await drain(graphs[where]().stream(asks, { streamMode: "tools", subgraphs: true }))).map(
        ([namespace, { event }]) => [namespace, event],
      ),
    );
  });
}
