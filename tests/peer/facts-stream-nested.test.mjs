// SPDX-License-Identifier: MIT
// Fact 18.16: streams of graphs inside graphs, in every mode and as events of every version.
import { fact, logState, thread } from "./harness.mjs";

const line = (lib, state, nodes, options) => {
  const builder = new lib.StateGraph(state);
  let last = lib.START;
  for (const [name, act] of Object.entries(nodes)) {
    builder.addNode(name, act).addEdge(last, name);
    last = name;
  }
  return builder.compile(options);
};

function nested(lib, options) {
  const inner = line(lib, logState(lib), {
    in: (_, config) => (config.writer("from inside"), { log: ["in"] }),
    in2: () => ({ log: ["in2"] }),
  });
  return line(lib, logState(lib), { child: inner, after: () => ({ log: ["after"] }) }, options);
}

/** LangGraph.js shows its private keys in the config of a checkpoint inside. */
function cleaned(value) {
  if (Array.isArray(value)) return value.map(cleaned);
  if (
    value === null ||
    typeof value !== "object" ||
    Object.getPrototypeOf(value) !== Object.prototype
  )
    return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !key.startsWith("__pregel"))
      .map(([key, one]) => [key, cleaned(one)]),
  );
}

async function read(t, graph, input, config) {
  const chunks = [];
  for await (const chunk of await graph.stream(input, config)) chunks.push(cleaned(chunk));
  t.note("stream", chunks);
}

const MODES = [
  "values",
  "updates",
  "tasks",
  "checkpoints",
  "debug",
  "custom",
  "messages",
  ["values", "updates", "tasks", "checkpoints", "custom"],
];

for (const saved of [false, true]) {
  const options = (lib) => (saved ? { checkpointer: new lib.MemorySaver() } : {});
  for (const subgraphs of [false, true]) {
    fact(
      "18.16",
      `every mode ${saved ? "with" : "without"} a saver, ${subgraphs ? "with" : "without"} subgraphs`,
      async (lib, t) => {
        for (const streamMode of MODES) {
          t.note("mode", streamMode);
          await read(
            t,
            nested(lib, options(lib)),
            { log: ["0"] },
            thread("1", { streamMode, subgraphs }),
          );
        }
      },
    );
  }
  fact("18.16", `a run of version 3 ${saved ? "with" : "without"} a saver`, async (lib, t) => {
    const run = await nested(lib, options(lib)).streamEvents(
      { log: ["0"] },
      thread("1", { version: "v3" }),
    );
    for await (const {
      seq,
      method,
      params: { timestamp, ...params },
    } of run)
      t.note("event", [seq, method, params]);
    t.note("output", await run.output);
    for await (const inside of run.subgraphs)
      t.note("inside", [inside.name, inside.index, inside.path, await inside.output]);
  });
}

for (const version of ["v1", "v2"]) {
  fact("18.16", `events of ${version}`, async (lib, t) => {
    for await (const event of nested(lib).streamEvents({ log: ["0"] }, { version }))
      if (event.event !== "on_chain_stream") t.note("event", event);
  });
}

for (const subgraphs of [false, true]) {
  fact("18.16", `messages ${subgraphs ? "with" : "without"} subgraphs`, async (lib, t) => {
    const model = new lib.FakeListChatModel({ responses: ["hey"] });
    const say = (id) => () => ({ messages: [new lib.AIMessage({ content: id, id })] });
    const inner = line(lib, lib.MessagesAnnotation, {
      ask: async (state) => ({ messages: [await model.invoke(state.messages)] }),
      say: say("inside"),
    });
    const graph = line(lib, lib.MessagesAnnotation, { child: inner, own: say("own") });
    await read(
      t,
      graph,
      { messages: [new lib.HumanMessage({ content: "x", id: "x" })] },
      { streamMode: "messages", subgraphs },
    );
  });

  fact("18.16", `questions ${subgraphs ? "with" : "without"} subgraphs`, async (lib, t) => {
    const inner = line(lib, logState(lib), { q: () => ({ log: [lib.interrupt("why")] }) });
    const graph = line(
      lib,
      logState(lib),
      { child: inner },
      { checkpointer: new lib.MemorySaver() },
    );
    for (const input of [{ log: [] }, new lib.Command({ resume: 1 })]) {
      await read(
        t,
        graph,
        input,
        thread("1", { streamMode: ["values", "updates", "tasks", "checkpoints"], subgraphs }),
      );
    }
  });
}

fact("18.16", "server-sent events", async (lib, t) => {
  const stream = await nested(lib).stream(
    { log: ["0"] },
    { streamMode: ["values", "custom", "updates"], subgraphs: true, encoding: "text/event-stream" },
  );
  for await (const bytes of stream) t.note("bytes", new TextDecoder().decode(bytes));
});
