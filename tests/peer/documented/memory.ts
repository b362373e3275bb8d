// SPDX-License-Identifier: MIT
// Programs in the manner of the pages on persistence, time travel, memory, stores, durable
// execution and failures.
import {
  AIMessage,
  HumanMessage,
  RemoveMessage,
  SystemMessage,
  trimMessages,
  type BaseMessage,
} from "@langchain/core/messages";
import { FakeEmbeddings } from "@langchain/core/utils/testing";
import {
  Annotation,
  Command,
  END,
  InMemoryStore,
  MemorySaver,
  MessagesAnnotation,
  MessagesValue,
  NodeError,
  START,
  Send,
  StateGraph,
  StateSchema,
  entrypoint,
  getPreviousState,
  getStore,
  interrupt,
  isNodeTimeoutError,
  task,
  type BaseStore,
  type GraphNode,
  type LangGraphRunnableConfig,
  type StateSnapshot,
} from "weftgraph";
import { createReactAgent } from "weftgraph/prebuilt";
import { tool } from "@langchain/core/tools";
import { z } from "zod";
import { ScriptedModel, call, drain, onThread } from "./models.js";
import type { Programs, Trace } from "./trace.js";

const user = (content: string) => new HumanMessage({ id: `u-${content}`, content });
const Foo = Annotation.Root({
  foo: Annotation<string>,
  bar: Annotation<string[]>({ reducer: (a, b) => [...a, ...b], default: () => [] }),
});

function twoNodes() {
  return new StateGraph(Foo)
    .addNode("nodeA", () => ({ foo: "a", bar: ["a"] }))
    .addNode("nodeB", () => ({ foo: "b", bar: ["b"] }))
    .addEdge(START, "nodeA")
    .addEdge("nodeA", "nodeB")
    .addEdge("nodeB", END)
    .compile({ checkpointer: new MemorySaver() });
}

async function states(graph: any, config: any, options?: any): Promise<StateSnapshot[]> {
  return drain(graph.getStateHistory(config, options));
}

/** A letter count as a vector, so that what is alike is near. */
const embed = async (texts: string[]) =>
  texts.map((text) =>
    [..."abcdefghijklmnopqrstuvwxyz"].map((letter) => text.toLowerCase().split(letter).length - 1),
  );

async function noteItems(t: Trace, label: string, items: any[]) {
  t.note(
    label,
    items.map(({ key, value, namespace, score }) => ({
      key,
      value,
      namespace,
      score: score === undefined ? undefined : Math.round(score * 1000),
    })),
  );
}

export const programs: Programs = {
  "the history of a thread": async (t) => {
    const graph = twoNodes();
    await t.invoke(graph, { foo: "", bar: [] }, onThread("1"));
    await t.state(graph, onThread("1"));
    await t.history(graph, onThread("1"));
    const all = await states(graph, onThread("1"));
    t.note(
      "next",
      all.map(({ next, metadata }) => [next, metadata?.step, metadata?.source]),
    );
    t.note("limited", (await states(graph, onThread("1"), { limit: 2 })).length);
    t.note(
      "before",
      (await states(graph, onThread("1"), { before: all[1].config })).map(({ next }) => next),
    );
    t.note(
      "filtered",
      (await states(graph, onThread("1"), { filter: { source: "input" } })).map(({ next }) => next),
    );
    await t.state(graph, all[2].config);
  },
  "an edit goes through the reducers": async (t) => {
    const graph = twoNodes();
    await t.invoke(graph, { foo: "1", bar: ["0"] }, onThread("1"));
    await t.update(graph, onThread("1"), { foo: "2", bar: ["edit"] });
    await t.state(graph, onThread("1"));
    await t.update(graph, onThread("1"), { foo: "3" }, "nodeA");
    await t.state(graph, onThread("1"));
    t.note("on", await graph.invoke(null, onThread("1")));
  },
  "replay and forks": async (t) => {
    let calls = 0;
    const State = new StateSchema({ topic: z.string().optional(), joke: z.string().optional() });
    const generateTopic: GraphNode<typeof State> = async () => ({ topic: `socks ${++calls}` });
    const writeJoke: GraphNode<typeof State> = async (state) => ({
      joke: `about ${state.topic} ${++calls}`,
    });
    const graph = new StateGraph(State)
      .addNode("generateTopic", generateTopic)
      .addNode("writeJoke", writeJoke)
      .addEdge(START, "generateTopic")
      .addEdge("generateTopic", "writeJoke")
      .addEdge("writeJoke", END)
      .compile({ checkpointer: new MemorySaver() });
    await t.invoke(graph, {}, onThread("1"));
    const [, selected] = await states(graph, onThread("1"));
    t.note("selected", [selected.next, selected.values]);
    t.note("replayed", await graph.invoke(null, selected.config));
    const fork = await graph.updateState(selected.config, { topic: "chickens" });
    t.note("forked", await graph.invoke(null, fork));
    t.note(
      "history",
      (await states(graph, onThread("1"))).map(({ next, values, metadata }) => [
        next,
        values,
        metadata?.source,
        metadata?.step,
      ]),
    );
    const asNode = await graph.updateState(selected.config, { topic: "ducks" }, "generateTopic");
    await t.stream(graph, null, { ...asNode, streamMode: ["updates", "values"] });
    const skipped = await graph.updateState(selected.config, { joke: "by hand" }, "writeJoke");
    await t.state(graph, skipped);
    t.note("nothing left", await graph.invoke(null, skipped));
  },
  "time travel to before a question": async (t) => {
    const graph = new StateGraph(Foo)
      .addNode("ask", () => ({ foo: interrupt<string, string>("name?"), bar: ["asked"] }))
      .addNode("end", (state) => ({ bar: [`end ${state.foo}`] }))
      .addEdge(START, "ask")
      .addEdge("ask", "end")
      .compile({ checkpointer: new MemorySaver() });
    await t.invoke(graph, { bar: ["in"] }, onThread("1"));
    t.note("first", await graph.invoke(new Command({ resume: "Ann" }), onThread("1")));
    const before = (await states(graph, onThread("1"))).find(({ next }) => next[0] === "ask")!;
    t.note("asks again", await graph.invoke(null, before.config));
    t.note("second", await graph.invoke(new Command({ resume: "Bob" }), onThread("1")));
    const fork = await graph.updateState(before.config, { bar: ["edited"] });
    t.note("fork asks", await graph.invoke(null, fork));
    t.note("third", await graph.invoke(new Command({ resume: "Cy" }), onThread("1")));
    t.note(
      "steps",
      (await states(graph, onThread("1"))).map(({ next, values, metadata }) => [
        next,
        values,
        metadata?.source,
      ]),
    );
  },
  "a conversation that is remembered": async (t) => {
    const model = new ScriptedModel(
      (messages) =>
        `I heard ${messages
          .filter((message) => message.getType() === "human")
          .map((message) => message.text)
          .join(" and ")}`,
    );
    const State = new StateSchema({ messages: MessagesValue });
    const graph = new StateGraph(State)
      .addNode("call", async (state) => ({ messages: [await model.invoke(state.messages)] }))
      .addEdge(START, "call")
      .compile({ checkpointer: new MemorySaver() });
    await t.stream(
      graph,
      { messages: [user("hi! I'm Bob")] },
      { ...onThread("1"), streamMode: "values" },
    );
    await t.stream(
      graph,
      { messages: [user("what's my name?")] },
      { ...onThread("1"), streamMode: "values" },
    );
    await t.stream(
      graph,
      { messages: [user("what's my name?")] },
      { ...onThread("2"), streamMode: "values" },
    );
  },
  "trimmed, deleted and summarised messages": async (t) => {
    const model = new ScriptedModel(
      (messages) =>
        `heard ${messages.map((message) => `${message.getType()}:${message.text}`).join("|")}`,
    );
    const State = Annotation.Root({
      ...MessagesAnnotation.spec,
      summary: Annotation<string>({ reducer: (_, action) => action, default: () => "" }),
    });
    const trimmed = new StateGraph(MessagesAnnotation)
      .addNode("call", async (state) => {
        const kept = await trimMessages(state.messages, {
          strategy: "last",
          tokenCounter: (list) => list.length,
          maxTokens: 2,
          startOn: "human",
          endOn: ["human", "tool"],
        });
        return { messages: [await model.invoke(kept)] };
      })
      .addEdge(START, "call")
      .compile({ checkpointer: new MemorySaver() });
    for (const text of ["one", "two", "three"])
      t.note(
        "trimmed",
        (await trimmed.invoke({ messages: [user(text)] }, onThread("t"))).messages.at(-1),
      );
    const deleting = new StateGraph(MessagesAnnotation)
      .addNode("call", async () => ({ messages: [new AIMessage("said")] }))
      .addNode("forget", (state) => ({
        messages:
          state.messages.length > 2
            ? state.messages.slice(0, 2).map((message) => new RemoveMessage({ id: message.id! }))
            : [],
      }))
      .addEdge(START, "call")
      .addEdge("call", "forget")
      .compile({ checkpointer: new MemorySaver() });
    for (const text of ["one", "two", "three"])
      await t.stream(
        deleting,
        { messages: [user(text)] },
        { ...onThread("d"), streamMode: "values" },
      );
    await t.update(deleting, onThread("d"), { messages: new RemoveMessage({ id: "u-three" }) });
    await t.state(deleting, onThread("d"));
    const summing = new StateGraph(State)
      .addNode("conversation", async ({ summary, messages }) => ({
        messages: [
          await model.invoke(
            summary ? [new SystemMessage(`Summary: ${summary}`), ...messages] : messages,
          ),
        ],
      }))
      .addNode("summarize", async ({ messages }) => ({
        summary: `${messages.length} messages`,
        messages: messages.slice(0, -2).map((message) => new RemoveMessage({ id: message.id! })),
      }))
      .addEdge(START, "conversation")
      .addConditionalEdges("conversation", ({ messages }) =>
        messages.length > 4 ? "summarize" : END,
      )
      .addEdge("summarize", END)
      .compile({ checkpointer: new MemorySaver() });
    for (const text of ["one", "two", "three", "four"])
      await t.stream(
        summing,
        { messages: [user(text)] },
        { ...onThread("s"), streamMode: "updates" },
      );
    await t.state(summing, onThread("s"));
  },
  "a store shared by threads": async (t) => {
    const store = new InMemoryStore();
    const State = new StateSchema({ messages: MessagesValue });
    const graph = new StateGraph(State)
      .addNode("call", async (state, runtime) => {
        const namespace = [
          "memories",
          (runtime.context as any)?.userId ?? (runtime as any).configurable?.userId,
        ];
        const found = await runtime.store!.search(namespace, { limit: 3 });
        const last = state.messages.at(-1)!.text;
        if (last.startsWith("Remember"))
          await runtime.store!.put(namespace, `k${found.length}`, { data: last });
        return {
          messages: [new AIMessage(`I know ${found.map(({ value }) => value.data).join(", ")}`)],
        };
      })
      .addEdge(START, "call")
      .compile({ checkpointer: new MemorySaver(), store });
    await t.invoke(
      graph,
      { messages: [user("Remember: my name is Bob")] },
      { ...onThread("1"), context: { userId: "1" } },
    );
    await t.invoke(
      graph,
      { messages: [user("what is my name?")] },
      { ...onThread("2"), context: { userId: "1" } },
    );
    await t.invoke(
      graph,
      { messages: [user("what is my name?")] },
      { ...onThread("3"), context: { userId: "2" } },
    );
    await t.invoke(
      graph,
      { messages: [user("Remember: I like teapots")] },
      { configurable: { thread_id: "4", userId: "1" } },
    );
    await noteItems(t, "items", await store.search(["memories"]));
    t.note("namespaces", await store.listNamespaces({ prefix: ["memories"], maxDepth: 2 }));
    t.note("got", (await store.get(["memories", "1"], "k0"))?.value);
    await store.delete(["memories", "1"], "k0");
    t.note("gone", await store.get(["memories", "1"], "k0"));
  },
  "a store's search by meaning and by filter": async (t) => {
    const store = new InMemoryStore({
      index: {
        embeddings: {
          embedDocuments: embed,
          embedQuery: async (text: string) => (await embed([text]))[0],
        } as any,
        dims: 26,
        fields: ["text", "meta.tags[*]"],
      },
    });
    await store.put(["user", "memories"], "1", {
      text: "I love pizza",
      meta: { tags: ["food"] },
      n: 1,
    });
    await store.put(["user", "memories"], "2", { text: "I am a plumber", n: 2 });
    await store.put(["user", "memories"], "3", { text: "secret", n: 3 }, false);
    await store.put(["user", "memories"], "4", { other: "I prefer pizza", n: 4 }, ["other"]);
    await noteItems(
      t,
      "pizza",
      await store.search(["user", "memories"], { query: "pizza", limit: 3 }),
    );
    await noteItems(t, "all", await store.search(["user"], { limit: 10 }));
    await noteItems(
      t,
      "filtered",
      await store.search(["user"], { filter: { n: { $gt: 1, $lte: 3 } } }),
    );
    await noteItems(
      t,
      "not",
      await store.search(["user"], { filter: { n: { $ne: 2 } }, offset: 1 }),
    );
    await noteItems(
      t,
      "exact",
      await store.search(["user"], { filter: { n: 2 }, query: "plumber" }),
    );
    const faked = new InMemoryStore({ index: { embeddings: new FakeEmbeddings(), dims: 4 } });
    await faked.put(["a"], "x", { text: "t" });
    t.note(
      "fake",
      (await faked.search(["a"], { query: "t" })).map(({ key }) => key),
    );
    await t.try("bad namespace", () => store.put([], "x", {}));
    await t.try("bad part", () => store.put(["a.b"], "x", {}));
    await t.try("langgraph", () => store.put(["langgraph", "x"], "x", {}));
  },
  "a store in tools and by getStore": async (t) => {
    const store = new InMemoryStore();
    await store.put(["users"], "user_123", { name: "John Smith", language: "English" });
    const lookup = tool(
      async (_: object, config: LangGraphRunnableConfig) =>
        JSON.stringify((await config.store!.get(["users"], config.configurable?.user_id))?.value),
      { name: "lookup", description: "looks up", schema: z.object({}) },
    );
    const save = tool(
      async ({ name }, config: LangGraphRunnableConfig) => {
        await (getStore(config as any) as BaseStore).put(["users"], config.configurable?.user_id, {
          name,
        });
        return "saved";
      },
      { name: "save", description: "saves", schema: z.object({ name: z.string() }) },
    );
    const agent = createReactAgent({
      llm: new ScriptedModel(
        [call("lookup", {}, "c1")],
        [call("save", { name: "Jo" }, "c2")],
        [call("lookup", {}, "c3")],
        "done",
      ),
      tools: [lookup, save],
      store,
    });
    await t.invoke(
      agent,
      { messages: [user("look me up")] },
      { configurable: { user_id: "user_123" } },
    );
    t.note("value", (await store.get(["users"], "user_123"))?.value);
  },
  "a store's batch, and prefixes": async (t) => {
    const store = new InMemoryStore();
    t.note(
      "batch",
      await store
        .batch([
          { namespace: ["a", "b"], key: "1", value: { x: 1 } },
          { namespace: ["a", "c"], key: "1", value: { x: 2 } },
          { namespace: ["a", "b"], key: "1" },
          { namespacePrefix: ["a"] },
          {
            matchConditions: [{ matchType: "suffix", path: ["c"] }],
            maxDepth: 2,
            limit: 10,
            offset: 0,
          },
        ] as any)
        .then((results) =>
          results.map((one: any) =>
            Array.isArray(one) ? one.map((item) => item.value ?? item) : (one?.value ?? one),
          ),
        ),
    );
    t.note("suffix", await store.listNamespaces({ suffix: ["c"] }));
    t.note("depth", await store.listNamespaces({ maxDepth: 1 }));
    t.note("wild", await store.listNamespaces({ prefix: ["*", "b"] }));
  },
  "a chat of functions that remembers": async (t) => {
    const model = new ScriptedModel((messages) => `heard ${messages.length}`);
    const ask = task("callModel", async (messages: BaseMessage[]) => model.invoke(messages));
    const flow = entrypoint(
      { checkpointer: new MemorySaver(), name: "workflow" },
      async (inputs: BaseMessage[]) => {
        const previous = getPreviousState<BaseMessage[]>() ?? [];
        const messages = [...previous, ...inputs];
        const response = await ask(messages);
        return entrypoint.final({ value: response, save: [...messages, response] });
      },
    );
    await t.stream(flow, [user("hi")], onThread("1"));
    await t.stream(flow, [user("again")], { ...onThread("1"), streamMode: ["updates", "values"] });
    await t.state(flow, onThread("1"));
    t.note("previous", await flow.invoke([user("third")], onThread("2")));
  },
  "a run that failed goes on where it stopped": async (t) => {
    let attempts = 0;
    const slow = task("slowTask", async () => (t.note("slow", "ran"), "Ran slow task."));
    const info = task("getInfo", async () => {
      if (++attempts % 2 === 1) throw new TypeError("Failure");
      return "OK";
    });
    const flow = entrypoint(
      { checkpointer: new MemorySaver(), name: "main" },
      async (input: any) => [input, await slow(), await info()],
    );
    await t.invoke(flow, { any: "foobar" }, onThread("1"));
    await t.state(flow, onThread("1"));
    t.note("result", await flow.invoke(null, onThread("1")));
    let failures = 0;
    const graph = new StateGraph(Foo)
      .addNode("good", () => (t.note("good", "ran"), { bar: ["good"] }))
      .addNode("bad", () => {
        if (++failures < 2) throw new Error("once");
        return { bar: ["bad"] };
      })
      .addEdge(START, "good")
      .addEdge(START, "bad")
      .compile({ checkpointer: new MemorySaver() });
    await t.invoke(graph, { bar: ["in"] }, onThread("1"));
    await t.state(graph, onThread("1"));
    t.note("on", await graph.invoke(null, onThread("1")));
  },
  durability: async (t) => {
    for (const durability of ["sync", "async", "exit"] as const) {
      const graph = twoNodes();
      await t.stream(
        graph,
        { foo: "", bar: [] },
        { ...onThread("1"), durability, streamMode: ["values", "checkpoints"] },
      );
      t.note(
        durability,
        (await states(graph, onThread("1"))).map(({ next, values }) => [next, values]),
      );
    }
  },
  "side effects in tasks of a node": async (t) => {
    let fetched = 0;
    const fetchOne = task("fetch", async (url: string) => `${url} ${++fetched}`);
    const State = Annotation.Root({ urls: Annotation<string[]>, results: Annotation<string[]> });
    const graph = new StateGraph(State)
      .addNode("callApi", async (state) => {
        const results = await Promise.all(state.urls.map((url) => fetchOne(url)));
        const ok = interrupt("good?");
        return { results: [...results, `${ok}`] };
      })
      .addEdge(START, "callApi")
      .compile({ checkpointer: new MemorySaver() });
    await t.invoke(graph, { urls: ["a", "b"] }, onThread("1"));
    await t.invoke(graph, new Command({ resume: "yes" }), onThread("1"));
    t.note("fetched", fetched);
  },
  retries: async (t) => {
    const warn = console.warn;
    const log = console.log;
    console.warn = console.log = () => {};
    let calls = 0;
    const build = (policy: object, fail: () => any) =>
      new StateGraph(Foo)
        .addNode(
          "node",
          async (_, runtime) => (
            calls++, t.note("attempt", (runtime as any).executionInfo?.nodeAttempt), fail()
          ),
          { retryPolicy: { initialInterval: 1, jitter: false, ...policy } },
        )
        .addEdge(START, "node")
        .compile();
    await t.invoke(
      build({ maxAttempts: 3 }, () => {
        throw new Error("always");
      }),
      { foo: "" },
    );
    await t.invoke(
      build({ maxAttempts: 3 }, () => {
        if (calls < 5) throw new Error("at first");
        return { foo: "done" };
      }),
      { foo: "" },
    );
    await t.invoke(
      build({ retryOn: (error: any) => error.code === "SQLITE_BUSY" }, () => {
        throw Object.assign(new Error("no"), { code: "SQLITE_CORRUPT" });
      }),
      { foo: "" },
    );
    await t.invoke(
      build({ maxAttempts: 2 }, () => {
        throw Object.assign(new Error("client"), { status: 404 });
      }),
      { foo: "" },
    );
    await t.invoke(
      build({ maxAttempts: 2 }, () => {
        throw Object.assign(new Error("server"), { status: 503 });
      }),
      { foo: "" },
    );
    Object.assign(console, { warn, log });
    t.note("calls", calls);
  },
  "error handlers that make up for a failure": async (t) => {
    const State = new StateSchema({ status: z.string() });
    const handler = (state: typeof State.State, error: NodeError) =>
      new Command({
        update: {
          status: `compensated_after_${error.node}: ${error.error.message} (was ${state.status})`,
        },
        goto: "finalize",
      });
    const graph = new StateGraph(State)
      .addNode("reserve", () => ({ status: "reserved" }))
      .addNode(
        "charge",
        () => {
          throw new Error("payment timeout");
        },
        { errorHandler: handler as any },
      )
      .addNode("finalize", (state: typeof State.State) => ({ status: `${state.status}!` }))
      .addEdge(START, "reserve")
      .addEdge("reserve", "charge")
      .compile({ checkpointer: new MemorySaver() });
    await t.stream(
      graph,
      { status: "new" },
      { ...onThread("1"), streamMode: ["updates", "values"] },
    );
    await t.history(graph, onThread("1"));
    const defaults = new StateGraph(State)
      .setNodeDefaults({
        errorHandler: ((_: any, error: NodeError) => ({
          status: `handled: ${error.error.message}`,
        })) as any,
        retryPolicy: { maxAttempts: 1 },
      })
      .addNode("a", () => {
        throw new Error("in a");
      })
      .addNode("b", (state) => ({ status: `${state.status} b` }))
      .addEdge(START, "a")
      .addEdge("a", "b")
      .compile();
    await t.stream(defaults, { status: "new" }, { streamMode: ["updates", "values"] });
    const inner = new StateGraph(State)
      .addNode("deep", () => {
        throw new Error("deep");
      })
      .addEdge(START, "deep")
      .compile();
    const outer = new StateGraph(State)
      .addNode("inner", inner, {
        errorHandler: ((_: any, error: NodeError) => ({
          status: `${error.node}: ${error.error.message}`,
        })) as any,
      })
      .addEdge(START, "inner")
      .compile();
    t.note("of a graph inside", await outer.invoke({ status: "" }));
  },
  "timeouts of nodes and of Sends": async (t) => {
    const State = new StateSchema({ status: z.string() });
    const slow = (ms: number) => async () => (
      await new Promise((resolve) => setTimeout(resolve, ms)), { status: "done" }
    );
    const graph = new StateGraph(State)
      .addNode("slow", slow(200), { timeout: 10 })
      .addEdge(START, "slow")
      .compile();
    await t.try("slow", () =>
      graph.invoke({ status: "" }).catch((error) => {
        throw Object.assign(new Error(isNodeTimeoutError(error) ? "timed out" : "else"), {});
      }),
    );
    const sends = new StateGraph(State)
      .addNode("item", slow(200), { timeout: 500 })
      .addConditionalEdges(START, () => [new Send("item", {}, { timeout: { runTimeout: 10 } })], [
        "item",
      ])
      .compile();
    await t.try("sent", () =>
      sends.invoke({ status: "" }).catch((error) => {
        throw new Error(error.name);
      }),
    );
  },
  "a thread that is deleted, a thread of nobody": async (t) => {
    const checkpointer = new MemorySaver();
    const graph = new StateGraph(Foo)
      .addNode("a", () => ({ foo: "a" }))
      .addEdge(START, "a")
      .compile({ checkpointer });
    await t.invoke(graph, { foo: "x" }, onThread("1"));
    await checkpointer.deleteThread("1");
    await t.state(graph, onThread("1"));
    await t.update(graph, onThread("2"), { foo: "made" });
    await t.state(graph, onThread("2"));
    const tuples = await drain(checkpointer.list(onThread("2")));
    t.note(
      "tuples",
      tuples.map(({ checkpoint, metadata }) => [checkpoint.channel_values, metadata]),
    );
  },
};
