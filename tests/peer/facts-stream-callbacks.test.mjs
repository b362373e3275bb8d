// SPDX-License-Identifier: MIT
// Facts 18.7 and 20.2: what callbacks are told of a graph, its nodes, conditions, models and
// pauses.
import { dispatchCustomEvent } from "@langchain/core/callbacks/dispatch";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { createReactAgent as theirAgent } from "@langchain/langgraph/prebuilt";
import { createReactAgent as ourAgent } from "weftgraph/prebuilt";
import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import { CallbackManager } from "@langchain/core/callbacks/manager";
import { RunnableLambda } from "@langchain/core/runnables";
import { tool } from "@langchain/core/tools";
import { chain, fact, logState, thread } from "./harness.mjs";

/** A handler that notes all that it is told; ids of runs are numbered. */
function recorder(t, { metadata = true } = {}) {
  const runs = new Map();
  const run = (id) => {
    if (id !== undefined && !runs.has(id)) runs.set(id, `run ${runs.size}`);
    return runs.get(id);
  };
  class Recorder extends BaseCallbackHandler {
    name = "recorder";
    awaitHandlers = true;
    handleChainStart(_, inputs, id, parent, tags, meta, type, name) {
      t.note("chain start", [
        name,
        run(id),
        run(parent),
        inputs,
        tags,
        metadata ? meta : undefined,
        type,
      ]);
    }
    handleChainEnd(outputs, id, parent, tags) {
      t.note("chain end", [run(id), run(parent), outputs?.lg_name ?? outputs, tags]);
    }
    handleChainError(error, id, parent, tags) {
      t.note("chain error", [run(id), run(parent), error.name, tags]);
    }
    handleChatModelStart(_, messages, id, parent, extra, tags, meta, name) {
      t.note("model start", [
        name,
        run(id),
        run(parent),
        messages.length,
        tags,
        meta.langgraph_node,
        meta.langgraph_step,
      ]);
    }
    handleLLMNewToken(token, _, id, parent) {
      t.note("token", [token, run(id), run(parent)]);
    }
    handleLLMEnd(_, id, parent, tags) {
      t.note("model end", [run(id), run(parent), tags]);
    }
    handleToolStart(_, input, id, parent, tags, meta, name, callId) {
      t.note("tool start", [name, input, run(id), run(parent), tags, meta.langgraph_node, callId]);
    }
    handleToolEnd(output, id, parent) {
      t.note("tool end", [output, run(id), run(parent)]);
    }
    handleCustomEvent(name, data, id, tags) {
      t.note("custom event", [name, data, run(id), tags]);
    }
  }
  return new Recorder();
}

const simple = (lib, options) =>
  chain(
    lib,
    {
      a: () => ({ log: ["a"] }),
      b: [async () => ({ x: 1 }), { metadata: { nm: 1 } }],
      none: () => null,
      list: () => [new lib.Command({ update: { log: ["c"] } })],
    },
    options,
  );

fact("18.7", "a chain, invoked and streamed, with and without names", async (lib, t) => {
  const callbacks = [recorder(t)];
  await t.invoke(
    simple(lib),
    { log: ["in"] },
    {
      callbacks,
      tags: ["t", "u"],
      metadata: { m: 1 },
      runName: "named",
      runId: "11111111-1111-4111-8111-111111111111",
    },
  );
  await t.stream(
    simple(lib, { name: "Mine" }),
    { log: [] },
    { callbacks, streamMode: ["values", "updates", "messages"] },
  );
  await t.invoke(
    simple(lib, { checkpointer: new lib.MemorySaver() }),
    { log: [] },
    thread("1", { callbacks }),
  );
  await t.invoke(
    simple(lib).withConfig({
      tags: ["bound"],
      callbacks,
      metadata: { bound: 1 },
      runName: "bound name",
    }),
    { log: [] },
    { tags: ["call"] },
  );
});

fact("18.7", "conditions, Commands, Sends, Runnables", async (lib, t) => {
  const callbacks = [recorder(t)];
  const builder = new lib.StateGraph(logState(lib))
    .addNode("a", () => ({ log: ["a"] }))
    .addNode("b", () => new lib.Command({ goto: "c" }), { ends: ["c"] })
    .addNode("c", RunnableLambda.from(() => ({})).withConfig({ runName: "lambda" }))
    .addNode("s", ({ k }) => ({ log: [k] }))
    .addConditionalEdges(lib.START, () => "a")
    .addConditionalEdges("a", async (state) => [state.log.length > 0 ? "b" : "a"])
    .addConditionalEdges("c", function named() {
      return [new lib.Send("s", { k: 1 })];
    });
  await t.invoke(builder.compile(), { log: [] }, { callbacks });
});

fact("18.7", "errors and interrupts", async (lib, t) => {
  const callbacks = [recorder(t)];
  await t.invoke(
    chain(lib, {
      a: () => {
        throw new RangeError("bad");
      },
    }),
    { log: [] },
    { callbacks },
  );
  const builder = new lib.StateGraph(logState(lib))
    .addNode("a", () => ({}))
    .addEdge(lib.START, "a")
    .addConditionalEdges("a", () => {
      throw new Error("condition");
    }, ["a"]);
  await t.invoke(builder.compile(), { log: [] }, { callbacks });
  await t.invoke(builder.compile(), "no state", { callbacks });
  const asks = chain(
    lib,
    { a: () => ({ log: [lib.interrupt("q")] }) },
    { checkpointer: new lib.MemorySaver() },
  );
  await t.invoke(asks, { log: [] }, thread("1", { callbacks }));
  await t.invoke(asks, new lib.Command({ resume: "r" }), thread("1", { callbacks }));
});

fact("18.7", "models and tools below a node", async (lib, t) => {
  const model = new lib.FakeListChatModel({ responses: ["hey"] });
  const add = tool(({ a }) => `got ${a}`, {
    name: "add",
    description: "adds",
    schema: { type: "object", properties: { a: { type: "number" } } },
  });
  const graph = chain(
    lib,
    {
      given: async (state, config) => ({
        messages: [await model.invoke(state.messages, { ...config, tags: ["mine"] })],
      }),
      ambient: async (state) => ({ messages: [await model.invoke(state.messages)] }),
      tool: async () =>
        void (await add.invoke({ type: "tool_call", id: "c1", name: "add", args: { a: 1 } })),
    },
    { state: lib.MessagesAnnotation },
  );
  const input = { messages: [new lib.HumanMessage({ content: "x", id: "x" })] };
  const run = async (options) => {
    t.note("run", Object.keys(options));
    await graph.invoke(input, { tags: ["t"], ...options });
  };
  await run({ callbacks: [recorder(t, { metadata: false })] });
  await run({
    callbacks: CallbackManager.fromHandlers({}).copy([recorder(t, { metadata: false })]),
  });
  const chunks = [];
  for await (const [message] of await graph.stream(input, {
    streamMode: "messages",
    callbacks: [recorder(t, { metadata: false })],
  }))
    chunks.push(message.content);
  t.note("chunks", chunks);
});

fact("18.7", "what a node finds in its config", async (lib, t) => {
  const see = (_, config) => {
    const { callbacks, tags, runName, runId } = config;
    t.note("config", [
      callbacks === undefined
        ? "none"
        : [
            callbacks.handlers.length,
            callbacks.getParentRunId() !== undefined,
            callbacks.tags,
            callbacks.metadata.langgraph_node,
          ],
      tags,
      runName,
      runId,
    ]);
    return {};
  };
  const graph = chain(lib, { see });
  await graph.invoke({ log: [] }, { tags: ["t"] });
  await graph.invoke({ log: [] }, { tags: ["t"], callbacks: [recorder(t)] });
  await graph.invoke({ log: [] }, { tags: ["t"], callbacks: [] });
});

fact("18.7", "a graph inside of LangChain's sequence has its parent", async (lib, t) => {
  const before = RunnableLambda.from(() => ({ log: ["from lambda"] }));
  await before
    .pipe(simple(lib))
    .invoke({}, { callbacks: [recorder(t)], tags: ["outer"], metadata: { o: 1 } });
});

fact("18.7", "a handler that fails", async (lib, t) => {
  const { error, warn } = console;
  console.error = (text) => t.note("console error", text);
  console.warn = (text) => t.note("console warn", text);
  try {
    class Bad extends BaseCallbackHandler {
      name = "bad";
      awaitHandlers = true;
      constructor(raiseError) {
        super();
        this.raiseError = raiseError;
      }
      handleChainStart(_, __, id, parent) {
        if (parent === undefined) throw new Error("listener");
      }
    }
    await t.invoke(simple(lib), { log: [] }, { callbacks: [new Bad(false)] });
    await t.invoke(simple(lib), { log: [] }, { callbacks: [new Bad(true)] });
  } finally {
    Object.assign(console, { error, warn });
  }
});

fact("20.2", "graph callback handlers hear of pauses", async (lib, t) => {
  class Observer extends lib.GraphCallbackHandler {
    handleInterrupt(event) {
      t.note("interrupt", event);
    }
    async handleResume(event) {
      t.note("resume", event);
    }
    handleChainStart(_, __, id, parent) {
      if (parent === undefined) t.note("start", id);
    }
    handleChainEnd(_, id, parent) {
      if (parent === undefined) t.note("end", id);
    }
  }
  const callbacks = [new Observer(), { handleInterrupt: () => t.note("never", 1) }];
  const nodes = {
    a: () => ({ log: ["a"] }),
    q: () => ({ log: [lib.interrupt("why")] }),
    z: () => ({ log: ["z"] }),
  };
  const asks = chain(lib, nodes, { checkpointer: new lib.MemorySaver() });
  const config = thread("1", { callbacks });
  await t.invoke(asks, { log: [] }, config);
  await t.invoke(asks, null, config);
  await t.invoke(asks, new lib.Command({ resume: 1 }), config);
  await t.invoke(asks, new lib.Command({ goto: "z" }), config);
  await t.stream(asks, { log: [] }, { ...config, streamMode: "updates" });
  const stops = chain(
    lib,
    { a: nodes.a, z: nodes.z },
    { checkpointer: new lib.MemorySaver(), interruptBefore: ["z"], interruptAfter: ["z"] },
  );
  for (const input of [{ log: [] }, null, null]) await t.invoke(stops, input, config);
  t.note("shape", [
    lib.GraphCallbackHandler.isInstance(callbacks[0]),
    lib.GraphCallbackHandler.isInstance({}),
    callbacks[0].name,
    callbacks[0].lc_id,
    callbacks[0].toJSON(),
  ]);
});

fact("18.7", "custom events of a node", async (lib, t) => {
  const act = async (_, config) => {
    await dispatchCustomEvent("ambient", 1);
    await dispatchCustomEvent("given", 2, config);
    return {};
  };
  await chain(lib, { act }).invoke({ log: [] }, { callbacks: [recorder(t)], tags: ["t"] });
  for await (const event of chain(lib, { act }).streamEvents({ log: [] }, { version: "v2" }))
    if (event.event === "on_custom_event") t.note("event", event);
});

fact(
  "18.7",
  "graphs inside: as a node, called by a node, with a Command for their parent",
  async (lib, t) => {
    const inner = chain(lib, { in: () => ({ log: ["in"] }) });
    const call = async (_, config) => {
      await inner.invoke({ log: [] }, config);
      await inner.invoke({ log: [] });
      return {};
    };
    await t.invoke(
      chain(lib, { node: inner, call }),
      { log: [] },
      { callbacks: [recorder(t)], tags: ["t"] },
    );
    const up = chain(lib, {
      in: () => new lib.Command({ graph: lib.Command.PARENT, update: { log: ["up"] }, goto: "z" }),
    });
    const builder = new lib.StateGraph(logState(lib))
      .addNode("up", up, { ends: ["z"] })
      .addNode("z", () => ({ log: ["z"] }))
      .addEdge(lib.START, "up");
    await t.invoke(builder.compile(), { log: [] }, { callbacks: [recorder(t)] });
  },
);

fact("18.7", "a run that is aborted", async (lib, t) => {
  const stop = new AbortController();
  const wait = () => (
    setTimeout(() => stop.abort(new Error("stop")), 5),
    new Promise((resolve) => setTimeout(resolve, 15, {}))
  );
  await t.invoke(
    chain(lib, { wait }),
    { log: [] },
    { callbacks: [recorder(t)], signal: stop.signal },
  );
  await wait();
});

/** A chat model of LangChain that gives what it is given. */
class Answers extends BaseChatModel {
  #next = 0;
  constructor(answers) {
    super({});
    this.answers = answers;
  }
  _llmType() {
    return "answers";
  }
  bindTools() {
    return this;
  }
  async _generate() {
    return {
      generations: [{ text: "", message: this.answers[this.#next++ % this.answers.length] }],
    };
  }
}

fact("18.7", "an agent: its sequence, tools, messages", async (lib, t) => {
  const add = tool(({ q }) => `r${q}`, {
    name: "add",
    description: "d",
    schema: { type: "object", properties: { q: { type: "string" } } },
  });
  const agent = (more) => {
    const call = new lib.AIMessage({
      content: "",
      id: "a1",
      tool_calls: [{ id: "c1", name: "add", args: { q: "1" }, type: "tool_call" }],
    });
    return (t.isPeer ? theirAgent : ourAgent)({
      llm: new Answers([call, new lib.AIMessage({ content: "done", id: "a2" })]),
      tools: [add],
      ...more,
    });
  };
  const input = { messages: [new lib.HumanMessage({ content: "x", id: "h" })] };
  for (const prompt of [undefined, "system", (state) => state.messages]) {
    for await (const { event, name, tags, data } of agent({ prompt }).streamEvents(input, {
      version: "v2",
    })) {
      if (event !== "on_chain_stream") t.note("event", [event, name, tags, Object.keys(data)]);
    }
  }
  for (const streamMode of [["updates", "messages", "tools"], ["values", "tasks"], "debug"])
    await t.stream(agent(), input, { streamMode });
});

fact("18.7", "updateState", async (lib, t) => {
  const graph = simple(lib, { checkpointer: new lib.MemorySaver() });
  await graph.invoke({ log: [] }, thread("1"));
  const told = (more) =>
    thread("1", { callbacks: [recorder(t, { metadata: false })], tags: ["u"], ...more });
  await t.update(graph, told(), { log: ["u"] }, "a");
  await t.update(graph, told({ runName: "named" }), { log: ["v"] }, "b");
  await t.update(graph, told(), { x: 1 }, "nobody");
  await t.update(graph, told(), null);
});
