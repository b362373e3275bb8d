// SPDX-License-Identifier: MIT
// Smoke checks of ambient context with fifty runs of one graph at once (docs/semantics.md 19):
// nodes, graphs inside and calls of tasks that wait by turns. Where the runtime keeps no context
// over an await, nodes look before their first one and use their config behind it.
import { collect, equal, fails, later } from "./smoke-assert.mjs";

const RUNS = 50;

/** What is around a node, a condition or a call, by the functions without arguments. */
function around({ getConfig, getCurrentTaskInput, getStore }) {
  const { configurable, metadata } = getConfig();
  return [
    configurable.thread_id,
    metadata.langgraph_node,
    getCurrentTaskInput()?.n,
    getStore() !== undefined,
  ];
}

/**
 * A graph whose parts say where they are; `seen` takes what is not as it should be.
 * @param {any} kit
 */
function wide(kit, seen) {
  const { weft, saver, als } = kit;
  const State = weft.Annotation.Root({
    n: weft.Annotation(),
    log: weft.Annotation({ reducer: (a, b) => a.concat(b), default: () => [] }),
  });
  /** Looks at what is around run `n`, which is there at once, or, with storage, at any time. */
  const look = (n, name) => {
    const expected = [`ambient-${n}`, name, n, true];
    if (JSON.stringify(around(weft)) !== JSON.stringify(expected))
      seen.push([around(weft), expected]);
  };
  const lookLater = async (n, name, ms) => {
    await later(ms);
    if (als) look(n, name);
  };
  const double = weft.task("double", async (n) => {
    const { thread_id } = weft.getConfig().configurable;
    await later(1 + (n % 3));
    if (als) equal(weft.getConfig().configurable.thread_id, thread_id);
    return [thread_id, 2 * n];
  });
  const inner = new weft.StateGraph(State)
    .addNode("asks", async ({ n }, runtime) => {
      look(n, "asks");
      await lookLater(n, "asks", n % 5);
      const ask = als ? weft.interrupt : runtime.interrupt;
      const answer = ask({ asked: n });
      await lookLater(n, "asks", (RUNS - n) % 4);
      return { log: [`${n} ${answer}`] };
    })
    .addNode("tells", async ({ n }, runtime) => {
      const write = weft.getWriter();
      write({ told: n });
      await lookLater(n, "tells", 1 + (n % 2));
      (als ? weft.getWriter() : runtime.writer)({ toldLater: n });
      return {};
    })
    .addEdge(weft.START, "asks")
    .addConditionalEdges(
      "asks",
      async ({ n }) => {
        equal(weft.getConfig().configurable.thread_id, `ambient-${n}`);
        await later(n % 2);
        return "tells";
      },
      ["tells"],
    )
    .compile();
  return new weft.StateGraph(State)
    .addNode("keeps", async ({ n }, runtime) => {
      look(n, "keeps");
      const store = weft.getStore();
      await later((RUNS - n) % 6);
      await store.put(["ambient", `${n}`], "key", { n });
      if (als) look(n, "keeps");
      const { value } = await (als ? weft.getStore() : runtime.store).get(
        ["ambient", `${n}`],
        "key",
      );
      return { log: [`kept ${value.n}`] };
    })
    .addNode("calls", async ({ n }) => {
      const [first, second] = await Promise.all([double(n), double(n + 1)]);
      if (als) look(n, "calls");
      return { log: [first, second].map(([thread, doubled]) => `${thread} ${doubled}`) };
    })
    .addNode("inside", inner)
    .addNode("called", async ({ n }, runtime) => {
      look(n, "called");
      const config = als ? {} : runtime;
      await later(n % 3);
      const chunks = await collect(inner.stream({ n }, { ...config, streamMode: "values" }));
      if (als) look(n, "called");
      return { log: chunks.at(-1).log };
    })
    .addEdge(weft.START, "keeps")
    .addEdge("keeps", "calls")
    .addEdge("calls", "inside")
    .addEdge("inside", "called")
    .compile({ checkpointer: saver, store: new weft.InMemoryStore() });
}

async function checkFifty(kit) {
  const seen = [];
  const { weft } = kit;
  const graph = wide(kit, seen);
  const run = async (n) => {
    // What is stored when changes nothing of it, and costs every disk.
    const config = {
      configurable: { thread_id: `ambient-${n}` },
      streamMode: ["custom", "updates"],
      durability: "exit",
    };
    const told = [];
    const questions = [];
    for (let input = { n }; input !== undefined; ) {
      let asked;
      for await (const [mode, chunk] of await graph.stream(input, config)) {
        if (mode === "custom") told.push(chunk);
        else asked ??= chunk.__interrupt__;
      }
      if (asked !== undefined) questions.push(asked[0].value);
      input = asked && new weft.Command({ resume: `answer ${n}` });
    }
    const { values } = await graph.getState(config);
    return { told, questions, log: values.log };
  };
  const runs = await Promise.all(Array.from({ length: RUNS }, (_, n) => run(n)));
  equal(seen, []);
  for (const [n, { told, questions, log }] of runs.entries()) {
    equal(questions, [{ asked: n }, { asked: n }], `run ${n}`);
    const chunks = [{ told: n }, { toldLater: n }];
    equal(told, [...chunks, ...chunks], `run ${n}`);
    const kept = [`kept ${n}`, `ambient-${n} ${2 * n}`, `ambient-${n} ${2 * n + 2}`];
    // The graph as a node hands its whole list on.
    equal(log, [...kept, ...kept, `${n} answer ${n}`, `${n} answer ${n}`], `run ${n}`);
  }
  equal(weft.getConfig(), undefined);
  await fails(() => weft.interrupt("nobody"), { name: "Error" });
}

/**
 * A call on the node's own thread after an await: a graph inside where that is known, else an error
 * once it has waited, here by a quick clock.
 */
async function checkOwnThread({ weft, saver, als }) {
  const State = weft.Annotation.Root({ n: weft.Annotation() });
  const inner = new weft.StateGraph(State)
    .addNode("inner", () => ({ n: 2 }))
    .addEdge(weft.START, "inner")
    .compile({ checkpointer: saver });
  const thread = { configurable: { thread_id: "own-thread" } };
  const clock = {
    now: () => Date.now(),
    setTimeout: (call) => setTimeout(call, 10),
    clearTimeout: (timer) => clearTimeout(timer),
  };
  const outer = new weft.StateGraph(State)
    .addNode("outer", async () => {
      await later(1);
      return inner.invoke({ n: 1 }, als ? thread : { ...thread, clock });
    })
    .addEdge(weft.START, "outer")
    .compile({ checkpointer: saver });
  if (als) equal((await outer.invoke({ n: 0 }, thread)).n, 2);
  else await fails(() => outer.invoke({ n: 0 }, thread), { code: "SELF_WAIT" });
}

export const ambientChecks = [
  [
    "a node that calls a graph on its own thread after an await does not wait for ever",
    checkOwnThread,
  ],
  [
    "fifty runs of one graph at once: each finds its own config, writer, store, input and questions",
    checkFifty,
  ],
];
