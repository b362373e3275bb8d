// SPDX-License-Identifier: MIT
// docs/differences.md, order and streams, questions and answers: each claim holds of LangGraph.js,
// and Weft does the other thing.
import { setTimeout as pause } from "node:timers/promises";
import { RunnableLambda } from "@langchain/core/runnables";
import { tool } from "@langchain/core/tools";
import { LangChainTracer } from "@langchain/core/tracers/tracer_langchain";
import { chain, logState, thread } from "./harness.mjs";
import { differs, orLate, saved, shownBy, sideBySide, tried, turns } from "./differences.mjs";
import { ScriptedModel, drain } from "./scripted-model.mjs";

const NO_SCHEMA = { type: "object", properties: {} };
const list = (count, make) => Array.from({ length: count }, (_, at) => make(at));
const fails = (text) => {
  throw new Error(text);
};

differs(
  "D1: failures of one turn are thrown together, however many microtasks are between them",
  (lib) =>
    tried(() =>
      sideBySide(lib, {
        a: async () => fails("a"),
        b: async () => (await turns(8), fails("b")),
      })
        .compile()
        .invoke({ log: [] })
        .catch((error) => error.errors?.map(({ message }) => message) ?? error.message),
    ),
  { theirs: "a", ours: ["a", "b"] },
);

differs(
  "D1: a task that a failure cuts short shows no result",
  async (lib) => {
    const graph = sideBySide(lib, {
      a: async () => (await pause(2), fails("a")),
      b: async () => (await pause(2), await pause(5), { log: ["b"] }),
    }).compile();
    const ended = [];
    await tried(async () => {
      for await (const task of await graph.stream({ log: [] }, { streamMode: "tasks" }))
        if (task.input === undefined) ended.push(task.name);
    });
    return ended;
  },
  { theirs: ["a", "b"], ours: ["a"] },
);

const messengers = (lib, count) =>
  Object.fromEntries(
    list(count, (at) => [
      `n${at}`,
      () => ({ messages: [new lib.AIMessage({ id: `m${at}`, content: "x" })] }),
    ]),
  );

differs(
  "D1: at a breakpoint after many tasks all messages that nodes return are shown",
  async (lib) => {
    const graph = sideBySide(
      lib,
      { ...messengers(lib, 30), z: () => ({}) },
      { state: lib.MessagesAnnotation, to: "z" },
    ).compile(saved(lib, { interruptBefore: ["z"] }));
    const shown = await drain(
      graph.stream({ messages: [] }, thread("t", { streamMode: "messages" })),
    );
    return shown.length === 30 ? "all" : "some";
  },
  { theirs: "some", ours: "all" },
);

differs(
  "D5: chunks before an error reach a reader that takes its time",
  async (lib) => {
    const graph = chain(lib, { a: () => ({ log: ["a"] }), b: () => fails("b") });
    const shown = [];
    await tried(async () => {
      const config = { streamMode: ["updates", "values"] };
      for await (const [mode] of await graph.stream({ log: [] }, config))
        shown.push(mode), await pause(5);
    });
    return shown.length === 3 ? "all" : "some";
  },
  { theirs: "some", ours: "all" },
);

differs(
  "D5: messages of nodes whose neighbour asks are shown",
  async (lib) => {
    const asks = () => (lib.interrupt("q"), {});
    const graph = sideBySide(
      lib,
      { asks, ...messengers(lib, 20) },
      { state: lib.MessagesAnnotation },
    ).compile(saved(lib));
    const shown = await drain(
      graph.stream({ messages: [] }, thread("t", { streamMode: "messages" })),
    );
    return shown.length === 20 ? "all" : "some";
  },
  { theirs: "some", ours: "all" },
);

differs(
  "a reader of streamEvents that cancels ends quietly",
  async (lib) => {
    const graph = chain(lib, { a: () => pause(5, {}), b: () => pause(5, {}) });
    const reader = graph.streamEvents({ log: [] }, { version: "v2" }).getReader();
    await reader.read();
    return tried(async () => (await reader.cancel(), "quiet"));
  },
  { theirs: "AbortError: This operation was aborted", ours: "quiet" },
);

differs(
  "a version 3 run shows the pieces of model.stream() as they come",
  async (lib) => {
    const model = new ScriptedModel("one two three");
    const node = async (_, config) => {
      let last;
      for await (const piece of await model.stream("hi", config))
        last = last?.concat(piece) ?? piece;
      return { messages: [last] };
    };
    const graph = sideBySide(lib, { node }, { state: lib.MessagesAnnotation }).compile();
    const pieces = [];
    const run = await graph.streamEvents({ messages: [] }, { version: "v3" });
    for await (const { text } of run.messages) for await (const piece of text) pieces.push(piece);
    return pieces;
  },
  { theirs: ["one two three"], ours: ["one ", "two ", "three"] },
);

differs(
  "abort() stops a version 3 run",
  async (lib) => {
    const ran = [];
    const node = (name) => () => pause(5).then(() => (ran.push(name), {}));
    const graph = chain(lib, { a: node("a"), b: node("b"), c: node("c") });
    const run = await graph.streamEvents({ log: [] }, { version: "v3" });
    run.abort("why");
    await tried(() => run.output);
    await pause(30);
    return [run.signal.aborted, ran.includes("c")];
  },
  { theirs: [true, true], ours: [true, false] },
);

for (const method of ["finalize", "fail"])
  differs(
    `events end where a transformer's ${method} throws`,
    async (lib) => {
      const graph = chain(lib, { a: () => (method === "fail" ? fails("node") : {}) });
      const transformer = () => ({
        init: () => ({}),
        process: () => true,
        [method]: () => fails(method),
      });
      const run = await graph.streamEvents(
        { log: [] },
        { version: "v3", transformers: [transformer] },
      );
      run.output.catch(() => {});
      const end = tried(async () => {
        for await (const _ of run);
      });
      return orLate(lib, end, "never");
    },
    { theirs: "never", ours: method === "fail" ? "Error: node" : "Error: finalize" },
  );

differs(
  "version 2 with an encoding has the graph's chunks as they are",
  async (lib) => {
    const graph = chain(lib, { a: () => ({ log: ["a"] }) });
    const config = { version: "v2", encoding: "text/event-stream", streamMode: "updates" };
    const pieces = await drain(graph.streamEvents({ log: [] }, config));
    const text = pieces.map((piece) => new TextDecoder().decode(piece)).join("");
    const chunks = [...text.matchAll(/^data: (.*)$/gm)]
      .map(([, data]) => JSON.parse(data))
      .filter(({ event, name }) => event === "on_chain_stream" && name === "LangGraph");
    return chunks.map(({ data }) => (data.chunk["0"] === undefined ? data.chunk : "bytes"));
  },
  { theirs: ["bytes"], ours: [{ a: { log: ["a"] } }] },
);

differs(
  "checkpoints that durability exit does not save have no parent in a stream",
  async (lib) => {
    const graph = chain(lib, { a: () => ({}), b: () => ({}) }, saved(lib));
    await graph.invoke({ log: [] }, thread("t"));
    const { parentConfig } = await graph.getState(thread("t"));
    const config = thread("t", { durability: "exit", streamMode: "checkpoints" });
    const parents = (await drain(graph.stream({ log: [] }, config))).map(
      (chunk) => chunk.parentConfig?.configurable.checkpoint_id,
    );
    const before = parentConfig.configurable.checkpoint_id;
    return parents.map((id) => (id === before ? "that of the first one's" : (id ?? "none")));
  },
  { theirs: Array(4).fill("that of the first one's"), ours: Array(4).fill("none") },
);

differs(
  "tracers record no credentials, of nodes neither",
  async (lib) => {
    const runs = [];
    const tracer = new LangChainTracer({
      client: /** @type {any} */ ({ createRun: async () => {}, updateRun: async () => {} }),
    });
    const listen = (one) => {
      const { copyWithTracingConfig } = one;
      one.onRunCreate = async () => runs.push(one.tracingMetadata ?? {});
      one.onRunUpdate = async () => {};
      one.copyWithTracingConfig = (config) => listen(copyWithTracingConfig.call(one, config));
      return one;
    };
    const configurable = { accessToken: "k", clientSecret: "k", password: "k", openAiKey: "k" };
    const graph = chain(lib, { a: () => ({}) });
    await graph.invoke({ log: [] }, { configurable, callbacks: [listen(tracer)] });
    const recorded = runs.flatMap((metadata) => Object.entries(metadata));
    return [...new Set(recorded.filter(([, value]) => value === "k").map(([key]) => key))].sort();
  },
  { theirs: ["accessToken", "clientSecret", "openAiKey", "password"], ours: [] },
);

/** What a node that does this writes to the stream. */
const written = (lib, act) =>
  drain(
    chain(lib, { a: async (_, config) => (await act(config), {}) }).stream(
      { log: [] },
      { streamMode: "custom" },
    ),
  );

differs(
  "writer() reaches the stream, getWriter() from tools and lambdas too, and from graphs that these call",
  async (lib) => {
    const write = () => lib.getWriter()?.("x");
    const inner = chain(lib, { i: () => (write(), {}) });
    const writes = tool(() => (write(), ""), { name: "t", schema: NO_SCHEMA });
    const calls = tool(async () => (await inner.invoke({ log: [] }), ""), {
      name: "c",
      schema: NO_SCHEMA,
    });
    return {
      node: await written(lib, write),
      writer: await written(lib, () => lib.writer("x")),
      tool: await written(lib, (config) => writes.invoke({}, config)),
      lambda: await written(lib, (config) => RunnableLambda.from(write).invoke(1, config)),
      graphInTool: await written(lib, (config) => calls.invoke({}, config)),
    };
  },
  {
    theirs: { node: ["x"], writer: [], tool: [], lambda: [], graphInTool: [] },
    ours: { node: ["x"], writer: ["x"], tool: ["x"], lambda: ["x"], graphInTool: ["x"] },
  },
);

differs(
  "changes in place that no write announces are seen within the run and not saved",
  async (lib) => {
    const node = ({ x }) => (x.push("a"), { log: ["a"] });
    const graph = chain(lib, { a: node, b: ({ x }) => ({ log: [...x] }) }, saved(lib));
    const { log } = await graph.invoke({ log: [], x: [0] }, thread("t"));
    return [log, (await graph.getState(thread("t"))).values.x];
  },
  {
    theirs: [
      ["a", 0, "a"],
      [0, "a"],
    ],
    ours: [["a", 0, "a"], [0]],
  },
);

differs(
  "lists of messages are the reader's own",
  async (lib) => {
    const pushes = ({ messages }) => (messages.push(messages[0]), {});
    const counts = ({ messages }) => ({ messages: new lib.AIMessage(`saw ${messages.length}`) });
    const graph = chain(lib, { pushes, counts }, { state: lib.MessagesAnnotation });
    return (await graph.invoke({ messages: new lib.HumanMessage("hi") })).messages.at(-1).text;
  },
  { theirs: "saw 2", ours: "saw 1" },
);

differs(
  "D2: `next` has a node that asks again",
  async (lib) => {
    const node = () => ({ log: [lib.interrupt("one"), lib.interrupt("two")] });
    const graph = chain(lib, { node }, saved(lib));
    await graph.invoke({ log: [] }, thread("t"));
    await graph.invoke(new lib.Command({ resume: 1 }), thread("t"));
    return (await graph.getState(thread("t"))).next;
  },
  { theirs: [], ours: ["node"] },
);

differs(
  "D2: a node that was answered and wrote nothing is done",
  async (lib) => {
    let runs = 0;
    let isBroken = true;
    const graph = sideBySide(lib, {
      asks: () => (lib.interrupt("q"), runs++, {}),
      breaks: () => (isBroken ? fails("broken") : {}),
    }).compile(saved(lib));
    await tried(() => graph.invoke({ log: [] }, thread("t")));
    await tried(() => graph.invoke(new lib.Command({ resume: 1 }), thread("t")));
    isBroken = false;
    await graph.invoke(null, thread("t"));
    return runs;
  },
  { theirs: 2, ours: 1 },
);

differs(
  "a new answer to an old checkpoint counts",
  async (lib) => {
    const graph = chain(lib, { node: () => ({ log: [lib.interrupt("q")] }) }, saved(lib));
    await graph.invoke({ log: [] }, thread("t"));
    const { config } = await graph.getState(thread("t"));
    await graph.invoke(new lib.Command({ resume: "first" }), thread("t"));
    return (await graph.invoke(new lib.Command({ resume: "second" }), config)).log;
  },
  { theirs: ["first"], ours: ["second"] },
);

differs(
  "a question of a call in an entrypoint that a node calls is shown once",
  async (lib) => {
    const asks = lib.task("asks", async () => lib.interrupt("q"));
    const inner = lib.entrypoint("inner", () => asks());
    const node = async () => ({ log: [await inner.invoke({})] });
    return shownBy(await chain(lib, { node }, saved(lib)).invoke({ log: [] }, thread("t")));
  },
  { theirs: ["q", "q"], ours: ["q"] },
);

differs(
  "an answer is for the question whose id it names",
  async (lib) => {
    const node = () => ({ log: [lib.interrupt("one"), lib.interrupt("two")] });
    const graph = chain(lib, { node }, saved(lib));
    const [{ id }] = (await graph.invoke({ log: [] }, thread("t"))).__interrupt__;
    const answer = () => graph.invoke(new lib.Command({ resume: { [id]: "A" } }), thread("t"));
    return [shownBy(await answer()), shownBy(await answer())];
  },
  {
    theirs: [["two"], ["A", "A"]],
    ours: [["two"], ["two"]],
  },
);

differs(
  "an answer that nothing asked for is for the next question of an entrypoint's calls",
  async (lib) => {
    let isBroken = true;
    const checks = lib.task("checks", async () => isBroken && fails("broken"));
    const asks = lib.task("asks", async (question) => lib.interrupt(question));
    const work = lib.entrypoint(
      { name: "work", ...saved(lib) },
      async () => (await checks(), [await asks("one"), await asks("two")]),
    );
    await tried(() => work.invoke({}, thread("t")));
    isBroken = false;
    return shownBy(await work.invoke(new lib.Command({ resume: "A" }), thread("t")));
  },
  { theirs: ["A", "A"], ours: ["two"] },
);

differs(
  "an answer that nothing asked for is gone with the next input of an entrypoint",
  async (lib) => {
    let asks = false;
    const work = lib.entrypoint({ name: "work", ...saved(lib) }, async () =>
      asks ? [lib.interrupt("q")] : [],
    );
    await work.invoke({}, thread("t"));
    await work.invoke(new lib.Command({ resume: "A" }), thread("t"));
    asks = true;
    return shownBy(await work.invoke({}, thread("t")));
  },
  { theirs: ["A"], ours: ["q"] },
);

differs(
  "what comes with such an answer on a new thread is saved",
  async (lib) => {
    const graph = chain(lib, { a: () => ({}) }, { ...saved(lib), state: logState(lib) });
    await graph.invoke(new lib.Command({ resume: "A", update: { log: ["u"] } }), thread("t"));
    return (await graph.getState(thread("t"))).values;
  },
  { theirs: {}, ours: { log: ["u"] } },
);
