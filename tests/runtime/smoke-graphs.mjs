// SPDX-License-Identifier: MIT
// Smoke checks of graphs: edges, loops, Sends, stream modes, the state of a thread
// (docs/semantics.md 5 to 9, 12, 18).
import { collect, equal, fails, holds } from "./smoke-assert.mjs";

/** A state of a list that grows and a value that is replaced. */
export function listState({ Annotation }) {
  return Annotation.Root({
    log: Annotation({ reducer: (left, right) => left.concat(right), default: () => [] }),
    count: Annotation,
  });
}

function chain(weft) {
  return new weft.StateGraph(listState(weft))
    .addNode("a", () => ({ log: ["a"], count: 1 }))
    .addNode("b", async ({ count }) => ({ log: ["b"], count: count + 1 }))
    .addEdge(weft.START, "a")
    .addEdge("a", "b")
    .addEdge("b", weft.END);
}

async function checkChain({ weft }) {
  equal(
    await chain(weft)
      .compile()
      .invoke({ log: ["in"] }),
    { log: ["in", "a", "b"], count: 2 },
  );
}

async function checkLoop({ weft }) {
  const graph = new weft.StateGraph(listState(weft))
    .addNode("step", ({ count }) => ({ count: count + 1 }))
    .addNode("end", ({ count }) => ({ log: [`ended at ${count}`] }))
    .addEdge(weft.START, "step")
    .addConditionalEdges("step", ({ count }) => (count < 10 ? "again" : "enough"), {
      again: "step",
      enough: "end",
    })
    .compile();
  equal(await graph.invoke({ count: 0 }), { log: ["ended at 10"], count: 10 });
}

async function checkSends({ weft }) {
  const graph = new weft.StateGraph(listState(weft))
    .addNode("plan", () => ({ count: 0 }))
    .addNode("square", async ({ n }) => ({ log: [n * n] }))
    .addNode("sum", ({ log }) => ({ count: log.reduce((sum, n) => sum + n, 0) }))
    .addEdge(weft.START, "plan")
    .addConditionalEdges("plan", () => [4, 3, 2, 1].map((n) => new weft.Send("square", { n })), [
      "square",
    ])
    .addEdge("square", "sum")
    .compile();
  equal(await graph.invoke({}), { log: [16, 9, 4, 1], count: 30 });
}

async function checkCommands({ weft }) {
  const graph = new weft.StateGraph(listState(weft))
    .addNode("route", () => new weft.Command({ update: { log: ["route"] }, goto: "right" }), {
      ends: ["left", "right"],
    })
    .addNode("left", () => ({ log: ["left"] }))
    .addNode("right", () => ({ log: ["right"] }))
    .addEdge(weft.START, "route")
    .compile();
  equal(await graph.invoke({}), { log: ["route", "right"] });
}

async function checkJoin({ weft }) {
  const graph = new weft.StateGraph(listState(weft))
    .addNode("a", async () => ({ log: ["a"] }))
    .addNode("b", () => ({ log: ["b"] }))
    .addNode("both", () => ({ log: ["both"] }))
    .addEdge(weft.START, "b")
    .addEdge(weft.START, "a")
    .addEdge(["a", "b"], "both")
    .compile();
  equal(await graph.invoke({}), { log: ["a", "b", "both"] });
}

async function checkModes({ weft }) {
  const graph = chain(weft).compile();
  equal(await collect(graph.stream({}, { streamMode: "values" })), [
    { log: ["a"], count: 1 },
    { log: ["a", "b"], count: 2 },
  ]);
  equal(await collect(graph.stream({})), [
    { a: { log: ["a"], count: 1 } },
    { b: { log: ["b"], count: 2 } },
  ]);
  equal(await graph.invoke({}, { streamMode: "updates" }), [
    { a: { log: ["a"], count: 1 } },
    { b: { log: ["b"], count: 2 } },
  ]);
  const listed = await collect(graph.stream({}, { streamMode: ["updates", "values"] }));
  equal(
    listed.map(([mode]) => mode),
    ["updates", "values", "updates", "values"],
  );
}

async function checkCustom({ weft }) {
  const graph = new weft.StateGraph(listState(weft))
    .addNode("tell", async (_, config) => {
      config.writer({ progress: 1 });
      await Promise.resolve();
      config.writer({ progress: 2 });
      return { count: 2 };
    })
    .addEdge(weft.START, "tell")
    .compile();
  equal(await collect(graph.stream({}, { streamMode: "custom" })), [
    { progress: 1 },
    { progress: 2 },
  ]);
  const both = await collect(graph.stream({}, { streamMode: ["custom", "updates"] }));
  equal(both, [
    ["custom", { progress: 1 }],
    ["custom", { progress: 2 }],
    ["updates", { tell: { count: 2 } }],
  ]);
}

async function checkMessages({ weft }) {
  const model = new weft.models.ScriptedModel({ responses: ["one two three"] });
  const graph = new weft.StateGraph(weft.MessagesAnnotation)
    .addNode("talk", async ({ messages }, config) => ({
      messages: [await model.invoke(messages, config)],
    }))
    .addEdge(weft.START, "talk")
    .compile();
  const chunks = await collect(
    graph.stream({ messages: [new weft.HumanMessage("count")] }, { streamMode: "messages" }),
  );
  holds(chunks.length >= 3, `tokens come one by one, got ${chunks.length}`);
  equal(chunks.map(([message]) => message.content).join(""), "one two three");
  holds(
    chunks.every(([, metadata]) => metadata.langgraph_node === "talk"),
    "each token names its node",
  );
}

async function checkMessageState({ weft, saver, thread }) {
  const graph = new weft.StateGraph(weft.MessagesAnnotation)
    .addNode("echo", ({ messages }) => ({
      messages: new weft.AIMessage(`you said ${messages.at(-1).content}`),
    }))
    .addEdge(weft.START, "echo")
    .compile({ checkpointer: saver });
  const config = thread();
  await graph.invoke({ messages: [{ role: "user", content: "hi" }] }, config);
  const { messages } = await graph.invoke({ messages: "bye" }, config);
  equal(
    messages.map((message) => [message.getType(), message.content]),
    [
      ["human", "hi"],
      ["ai", "you said hi"],
      ["human", "bye"],
      ["ai", "you said bye"],
    ],
  );
  holds(new Set(messages.map(({ id }) => id)).size === 4, "each message has an id of its own");
}

async function checkState({ weft, saver, thread }) {
  const graph = chain(weft).compile({ checkpointer: saver });
  const config = thread();
  await graph.invoke({ log: ["in"] }, config);
  const state = await graph.getState(config);
  equal([state.values, state.next, state.tasks], [{ log: ["in", "a", "b"], count: 2 }, [], []]);
  equal([state.metadata.source, state.metadata.step], ["loop", 2]);
  const updated = await graph.updateState(config, { log: ["by hand"], count: 7 }, "a");
  holds(
    updated.configurable.checkpoint_id !== state.config.configurable.checkpoint_id,
    "an update is a checkpoint of its own",
  );
  const after = await graph.getState(config);
  equal(
    [after.values, after.next, after.metadata.source],
    [{ log: ["in", "a", "b", "by hand"], count: 7 }, ["b"], "update"],
  );
  equal(await graph.invoke(null, config), { log: ["in", "a", "b", "by hand", "b"], count: 8 });
}

async function checkHistory({ weft, saver, thread }) {
  const graph = chain(weft).compile({ checkpointer: saver });
  const config = thread();
  await graph.invoke({ log: ["in"] }, config);
  const history = await collect(graph.getStateHistory(config));
  equal(
    history.map(({ metadata }) => metadata.step),
    [2, 1, 0, -1],
  );
  equal(
    history.map(({ next }) => next),
    [[], ["b"], ["a"], ["__start__"]],
  );
  equal((await graph.getState(history[1].config)).values, { log: ["in", "a"], count: 1 });
  equal((await collect(graph.getStateHistory(config, { limit: 2 }))).length, 2);
}

async function checkBreakpoints({ weft, saver, thread }) {
  for (const [option, seen] of [
    ["interruptBefore", []],
    ["interruptAfter", ["a"]],
  ]) {
    const graph = chain(weft).compile({ checkpointer: saver, [option]: ["a"] });
    const config = thread();
    equal((await graph.invoke({}, config)).log ?? [], seen, option);
    const { next, values } = await graph.getState(config);
    equal([next, values.log], [[option === "interruptBefore" ? "a" : "b"], seen], option);
    equal(await graph.invoke(null, config), { log: ["a", "b"], count: 2 }, option);
  }
}

async function checkReadable({ weft }) {
  const stream = await chain(weft).compile().stream({});
  holds(stream instanceof ReadableStream, "a stream is a ReadableStream");
  const reader = stream.getReader();
  equal((await reader.read()).value, { a: { log: ["a"], count: 1 } });
  equal((await reader.read()).value, { b: { log: ["b"], count: 2 } });
  equal((await reader.read()).done, true);
}

async function checkDeparted({ weft, saver, thread }) {
  let isLeft = false;
  const graph = new weft.StateGraph(listState(weft))
    .addNode("a", () => ({ log: ["a"], count: 1 }))
    .addNode("b", (_, { signal }) =>
      isLeft
        ? { log: ["b"], count: 2 }
        : new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    )
    .addEdge(weft.START, "a")
    .addEdge("a", "b")
    .compile({ checkpointer: saver });
  const config = thread();
  for await (const chunk of await graph.stream({}, config)) {
    equal(Object.keys(chunk), ["a"]);
    break;
  }
  isLeft = true;
  const { values, next } = await graph.getState(config);
  equal([values.log, next], [["a"], ["b"]]);
  equal((await graph.invoke(null, config)).log, ["a", "b"]);
}

async function checkValues({ weft, saver, thread }) {
  const kept = {
    date: new Date(86_400_000),
    map: new Map([["key", new Set([1, 2])]]),
    big: 12345678901234567890n,
    bytes: new Uint8Array([0, 1, 255]),
    text: "Grüße 你好 \u{1f9f5} \ud83d \u0000 end",
    numbers: [0.1 + 0.2, 5e-324, 2 ** 53, -0],
    nothing: undefined,
  };
  const build = () =>
    new weft.StateGraph(listState(weft))
      .addNode("keep", () => ({ count: kept }))
      .addEdge(weft.START, "keep")
      .compile({ checkpointer: saver });
  const config = thread();
  await build().invoke({}, config);
  const { count } = (await build().getState(config)).values;
  holds(count !== kept, "the state is read from the log");
  equal(
    [count.date.getTime(), [...count.map.get("key")], count.big === kept.big, [...count.bytes]],
    [86_400_000, [1, 2], true, [0, 1, 255]],
  );
  holds(count.date instanceof Date && count.bytes instanceof Uint8Array, "with their classes");
  equal([count.text === kept.text, count.numbers, "nothing" in count], [true, kept.numbers, true]);
}

async function checkSecondGraph({ weft, saver, thread }) {
  const config = thread();
  await chain(weft)
    .compile({ checkpointer: saver, interruptBefore: ["b"] })
    .invoke({ log: ["in"] }, config);
  const second = chain(weft).compile({ checkpointer: saver });
  equal(await second.invoke(null, config), { log: ["in", "a", "b"], count: 2 });
}

/**
 * A checkpointer of one's own is spoken to through a part of the package that is loaded when it is
 * met.
 */
async function checkOwnSaver({ weft }) {
  class Own extends weft.BaseCheckpointSaver {
    inner = new weft.MemorySaver();
    puts = 0;
    getTuple(config) {
      return this.inner.getTuple(config);
    }
    async *list(config, options) {
      yield* this.inner.list(config, options);
    }
    put(...given) {
      this.puts++;
      return this.inner.put(...given);
    }
    putWrites(...given) {
      return this.inner.putWrites(...given);
    }
  }
  const saver = new Own();
  const config = { configurable: { thread_id: "own" } };
  await chain(weft)
    .compile({ checkpointer: saver, interruptBefore: ["b"] })
    .invoke({ log: ["in"] }, config);
  equal(await chain(weft).compile({ checkpointer: saver }).invoke(null, config), {
    log: ["in", "a", "b"],
    count: 2,
  });
  equal(
    [saver.puts, (await saver.getTuple(config)).checkpoint.channel_values.log],
    [4, ["in", "a", "b"]],
  );
}

/** Our savers answer LangGraph's methods too. */
async function checkTuples({ weft, saver, thread }) {
  const config = thread();
  await chain(weft)
    .compile({ checkpointer: saver })
    .invoke({ log: ["in"] }, config);
  const { checkpoint, metadata, parentConfig } = await saver.getTuple(config);
  equal(
    [checkpoint.channel_values.log, metadata.source, metadata.step],
    [["in", "a", "b"], "loop", 2],
  );
  equal(
    (await saver.getTuple(parentConfig)).pendingWrites.map(([, channel, value]) => [
      channel,
      value,
    ]),
    [
      ["log", ["b"]],
      ["count", 2],
    ],
  );
  equal(
    (await collect(saver.list(config, { limit: 2 }))).map((tuple) => tuple.metadata.step),
    [2, 1],
  );
}

async function checkStores({ weft }) {
  const store = new weft.InMemoryStore();
  const graph = new weft.StateGraph(listState(weft))
    .addNode("keep", async (_, { store: own }) => {
      await own.put(["users", "anna"], "likes", { what: "tea" });
      return {
        log: (await own.search(["users"], { filter: { what: "tea" } })).map(({ key }) => key),
      };
    })
    .addEdge(weft.START, "keep")
    .compile({ store });
  equal(await graph.invoke({}), { log: ["likes"] });
}

/**
 * A loop that would go on to its recursion limit: what ends it is a timer, which needs the event
 * loop.
 */
async function checkTurns({ weft }) {
  const graph = new weft.StateGraph(weft.Annotation.Root({ n: weft.Annotation() }))
    .addNode("step", ({ n }) => ({ n: n + 1 }))
    .addEdge(weft.START, "step")
    .addConditionalEdges("step", () => "step")
    .compile();
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 20);
  await fails(() => graph.invoke({ n: 0 }, { recursionLimit: 200_000, signal: stop.signal }), {
    name: "AbortError",
  });
}

export const graphChecks = [
  ["a checkpointer of one's own", checkOwnSaver],
  ["a saver tells its checkpoints", checkTuples],
  ["a store that threads share", checkStores],
  ["a chain of nodes", checkChain],
  ["a loop by a condition", checkLoop],
  ["a loop of nodes that wait for nothing lets timers come", checkTurns],
  ["Send: map and reduce, in the order of the Sends", checkSends],
  ["Command: update and goto", checkCommands],
  ["an edge from two nodes waits for both", checkJoin],
  ["stream modes values, updates, and a list", checkModes],
  ["stream mode custom", checkCustom],
  ["stream mode messages: tokens of a model", checkMessages],
  ["messages are coerced and kept over runs", checkMessageState],
  ["getState and updateState", checkState],
  ["getStateHistory and the state of a checkpoint", checkHistory],
  ["interruptBefore and interruptAfter", checkBreakpoints],
  ["a stream is a ReadableStream", checkReadable],
  ["a reader that leaves a stream stops its run, and the thread goes on", checkDeparted],
  ["values that JSON cannot hold come back from a thread", checkValues],
  ["a thread goes on in another graph object", checkSecondGraph],
];
