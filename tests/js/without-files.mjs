// SPDX-License-Identifier: MIT
// What a page goes on doing when its files are gone, and what it cannot have then: for tests that
// take them away, in Node and in a browser. Answers are plain data, so that they leave a page.

const thread = (thread_id) => ({ configurable: { thread_id } });

async function askAndCall(
  { AIMessage, Command, ScriptedModel, createReactAgent, tool },
  checkpointer,
  id,
) {
  const call = (name, callId) => ({ name, args: {}, id: callId, type: "tool_call" });
  const ran = [];
  const tools = [
    tool(() => (ran.push("pay"), "paid"), {
      name: "pay",
      schema: { type: "object" },
      approval: "ask",
    }),
    tool(
      () => {
        throw new Error("the payment service said no");
      },
      { name: "fail", schema: { type: "object" } },
    ),
  ];
  const llm = new ScriptedModel({
    responses: [
      new AIMessage({
        content: "",
        tool_calls: [call("pay", "1"), call("fail", "2"), call("none", "3")],
      }),
      "done",
    ],
  });
  const agent = createReactAgent({ llm, tools, checkpointer });
  const {
    __interrupt__: [question],
  } = await agent.invoke({ messages: "go" }, thread(id));
  const ranUnasked = ran.length;
  const { messages } = await agent.invoke(
    new Command({ resume: { [question.id]: { type: "accept" } } }),
    thread(id),
  );
  return {
    asked: question.value.action_request.action,
    ranUnasked,
    ran,
    said: messages.slice(-4).map(({ content }) => content),
  };
}

async function tryAndFail({ Annotation, END, START, Send, StateGraph }, checkpointer, id) {
  const State = Annotation.Root({
    when: Annotation(),
    log: Annotation({ reducer: (a, b) => a.concat(b), default: () => [] }),
  });
  let attempts = 0;
  const flaky = () => {
    if (++attempts < 3) throw new Error("once more");
    return { log: ["flaky"], when: new Date(7) };
  };
  const graph = new StateGraph(State)
    .addNode("flaky", flaky, {
      retryPolicy: { maxAttempts: 3, initialInterval: 1, jitter: false, logWarning: false },
    })
    .addNode("left", () => ({ log: ["left"] }))
    .addNode("right", () => ({ log: ["right"] }))
    .addNode("each", ({ log }) => ({ log }))
    .addNode("bad", () => {
      throw new Error("the node's own error");
    })
    .addEdge(START, "flaky")
    .addEdge("flaky", "left")
    .addEdge("flaky", "right")
    .addConditionalEdges("left", () => [
      new Send("each", { log: ["a"] }),
      new Send("each", { log: ["b"] }),
    ])
    .addConditionalEdges("each", () => END)
    .addConditionalEdges("right", ({ when }) => (when.getTime() === 7 ? "bad" : END))
    .compile({ checkpointer });
  let chunks = 0;
  let failure = "";
  try {
    for await (const _ of await graph.stream(
      {},
      {
        ...thread(id),
        streamMode: ["updates", "values", "messages", "debug"],
        limits: { toolCalls: 50 },
      },
    ))
      chunks++;
  } catch (error) {
    failure = error.message;
  }
  await graph.updateState(thread(id), { log: ["edited"] }, "left");
  const states = [];
  for await (const state of graph.getStateHistory(thread(id))) states.push(state.values);
  return {
    attempts,
    isStreamed: chunks > 0,
    failure,
    states: states.length,
    log: states[0].log,
    when: states[0].when.getTime(),
  };
}

/**
 * An agent that asks, is approved and calls tools that fail; a graph that tries again, runs side by
 * side, keeps a Date, fails and is edited.
 * @param {any} weft names of the package @param {any} checkpointer
 */
export async function workWithoutFiles(weft, checkpointer) {
  return {
    agent: await askAndCall(weft, checkpointer, "agent"),
    graph: await tryAndFail(weft, checkpointer, "graph"),
  };
}

/**
 * @param {typeof import("node:assert/strict")} assert
 * @param {Awaited<ReturnType<typeof workWithoutFiles>>} did
 */
export function checkWork(assert, { agent, graph }) {
  const { said, ...asked } = agent;
  assert.deepEqual(asked, { asked: "pay", ranUnasked: 0, ran: ["pay"] });
  assert.match(said.join(), /^paid,.*the payment service said no.*,.*none.*,done$/s);
  const { states, log, ...rest } = graph;
  assert.deepEqual(rest, {
    attempts: 3,
    isStreamed: true,
    failure: "the node's own error",
    when: 7,
  });
  assert.ok(
    states > 2 && ["flaky", "left", "edited"].every((word) => log.includes(word)),
    `${states} ${log}`,
  );
}

/**
 * What needs a part of the package that is imported when it is asked for. `tryAll` asks for each of
 * them.
 * @param {any} weft names of the package @param {() => any} openSaver on one storage
 */
export async function openFeatures({ Annotation, START, StateGraph }, openSaver) {
  const saver = openSaver();
  const on = (checkpointer) =>
    new StateGraph(Annotation.Root({ n: Annotation() }))
      .addNode("add", ({ n }) => ({ n: n + 1 }))
      .addEdge(START, "add")
      .compile({ checkpointer });
  const graph = on(saver);
  await graph.invoke({ n: 1 }, thread("features"));
  const foreign = {
    getTuple: async () => undefined,
    list: async function* () {},
    put: async () => thread("foreign"),
    putWrites: async () => {},
    deleteThread: async () => {},
    serde: saver.serde,
  };
  const features = {
    events: async () => {
      for await (const _ of graph.streamEvents({ n: 1 }, { ...thread("features"), version: "v2" }));
    },
    prune: () => saver.prune("features", { last: 1 }),
    tuple: () => saver.getTuple(thread("features")),
    foreign: () => graph.invoke({ n: 1 }, { ...thread("foreign"), checkpointer: foreign }),
  };
  return {
    /**
     * @returns {Promise<Record<string, { code: string, message: string, cause: string } |
     *   undefined>>} what each failed with
     */
    async tryAll() {
      const failures = {};
      for (const [name, use] of Object.entries(features))
        failures[name] = await use().then(
          () => undefined,
          ({ code, message, cause }) => ({ code, message, cause: String(cause?.code ?? cause) }),
        );
      return failures;
    },
    /** The thread as another saver on the same storage finds it. */
    read: async () => (await on(openSaver()).getState(thread("features"))).values.n,
    goOn: async (n) => (await graph.invoke({ n }, thread("features"))).n,
  };
}

/**
 * @param {typeof import("node:assert/strict")} assert
 * @param {Record<string, any>} failures
 * @param {RegExp} cause
 */
export function checkFailures(assert, failures, cause) {
  assert.deepEqual(Object.keys(failures).sort(), ["events", "foreign", "prune", "tuple"]);
  for (const [name, failure] of Object.entries(failures)) {
    assert.equal(failure?.code, "PART_NOT_LOADED", `${name}: ${JSON.stringify(failure)}`);
    assert.match(failure.cause, cause, name);
  }
}
