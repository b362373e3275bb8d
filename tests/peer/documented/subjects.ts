// SPDX-License-Identifier: MIT
// Programs in the manner of the pages on graphs inside graphs and on errors, and of what users
// report and ask.
import {
  AIMessage,
  AIMessageChunk,
  HumanMessage,
  ToolMessage,
  coerceMessageLikeToMessage,
  isAIMessage,
  isHumanMessage,
  isToolMessage,
  mapChatMessagesToStoredMessages,
  mapStoredMessagesToChatMessages,
  type BaseMessage,
} from "@langchain/core/messages";
import {
  RunnableBranch,
  RunnableLambda,
  RunnableParallel,
  RunnablePassthrough,
  RunnableSequence,
} from "@langchain/core/runnables";
import { DynamicStructuredTool, DynamicTool, StructuredTool, tool } from "@langchain/core/tools";
import {
  Annotation,
  Command,
  END,
  InvalidUpdateError,
  MemorySaver,
  MessageGraph,
  MessagesAnnotation,
  NodeInterrupt,
  START,
  Send,
  StateGraph,
  StateSchema,
  entrypoint,
  getConfig,
  interrupt,
  messagesStateReducer,
  task,
  type LangGraphRunnableConfig,
  type StateSnapshot,
} from "weftgraph";
import { ToolNode, createReactAgent } from "weftgraph/prebuilt";
import { z } from "zod";
import { ScriptedModel, call, drain, onThread } from "./models.js";
import type { Programs, Trace } from "./trace.js";

const user = (content: string) => new HumanMessage({ id: `u-${content}`, content });
const List = Annotation.Root({
  list: Annotation<string[]>({ reducer: (a, b) => a.concat(b), default: () => [] }),
  one: Annotation<string>,
});

const quiet = async (act: () => Promise<unknown>) => {
  const { warn, error, log } = console;
  console.warn = console.error = console.log = () => {};
  try {
    await act();
  } finally {
    Object.assign(console, { warn, error, log });
  }
};

function cityGraph() {
  const Router = Annotation.Root({
    ...MessagesAnnotation.spec,
    route: Annotation<"weather" | "other">,
  });
  const Weather = Annotation.Root({ ...MessagesAnnotation.spec, city: Annotation<string> });
  const inside = new StateGraph(Weather)
    .addNode("modelNode", () => ({ city: "San Francisco" }))
    .addNode("weatherNode", (state) => ({
      messages: [new AIMessage({ id: "w", content: `It's sunny in ${state.city}!` })],
    }))
    .addEdge(START, "modelNode")
    .addEdge("modelNode", "weatherNode")
    .addEdge("weatherNode", END)
    .compile({ interruptBefore: ["weatherNode"] });
  return new StateGraph(Router)
    .addNode("routerNode", ({ messages }) => ({
      route: messages.at(-1)!.text.includes("weather") ? ("weather" as const) : ("other" as const),
    }))
    .addNode("normal", () => ({ messages: [new AIMessage({ id: "n", content: "hello" })] }))
    .addNode("weatherGraph", inside)
    .addEdge(START, "routerNode")
    .addConditionalEdges(
      "routerNode",
      ({ route }) => (route === "weather" ? "weatherGraph" : "normal"),
      ["weatherGraph", "normal"],
    )
    .addEdge("normal", END)
    .addEdge("weatherGraph", END)
    .compile({ checkpointer: new MemorySaver() });
}

export const programs: Programs = {
  "a graph inside, at a breakpoint: resumed, edited, written for": async (t) => {
    const graph = cityGraph();
    const input = { messages: [user("what's the weather in sf")] };
    await t.stream(
      graph,
      { messages: [user("hi!")] },
      { ...onThread("0"), streamMode: "updates", subgraphs: true },
    );
    await t.stream(graph, input, { ...onThread("1"), streamMode: "values", subgraphs: true });
    await t.state(graph, onThread("1"), { subgraphs: true });
    await t.stream(graph, null, { ...onThread("1"), streamMode: "values", subgraphs: true });
    await t.invoke(graph, input, onThread("2"));
    const state: any = await graph.getState(onThread("2"), { subgraphs: true });
    const inner = state.tasks[0].state as StateSnapshot;
    t.note("inner", [inner.values, inner.next]);
    await graph.updateState(inner.config, { city: "la" });
    await t.stream(graph, null, { ...onThread("2"), streamMode: "updates", subgraphs: true });
    await t.invoke(graph, input, onThread("3"));
    const third: any = await graph.getState(onThread("3"), { subgraphs: true });
    await graph.updateState(
      third.tasks[0].state.config,
      { messages: [new AIMessage({ id: "mine", content: "rainy" })] },
      "weatherNode",
    );
    await t.stream(graph, null, { ...onThread("3"), streamMode: "updates", subgraphs: true });
    await t.invoke(graph, input, onThread("4"));
    await graph.updateState(
      onThread("4"),
      { messages: [new AIMessage({ id: "all", content: "whole graph" })] },
      "weatherGraph",
    );
    t.note("whole", await graph.invoke(null, onThread("4")));
  },
  "graphs two levels deep": async (t) => {
    const build = () => {
      const inner = cityGraph().builder.compile();
      return new StateGraph(MessagesAnnotation)
        .addNode("outer", inner)
        .addEdge(START, "outer")
        .compile({ checkpointer: new MemorySaver() });
    };
    const graph = build();
    await t.stream(
      graph,
      { messages: [user("weather")] },
      { ...onThread("1"), streamMode: "updates", subgraphs: true },
    );
    const state: any = await graph.getState(onThread("1"), { subgraphs: true });
    t.note("deep", [
      state.next,
      state.tasks[0].state.next,
      state.tasks[0].state.tasks[0].state?.values.city,
    ]);
    await graph.updateState(state.tasks[0].state.tasks[0].state.config, { city: "deep" });
    await t.stream(graph, null, { ...onThread("1"), streamMode: "updates", subgraphs: true });
    for await (const snapshot of graph.getStateHistory(onThread("1")))
      t.note("history", [snapshot.next, snapshot.metadata?.step]);
  },
  "a graph inside with a state of its own, called in a node": async (t) => {
    const Inner = Annotation.Root({ bar: Annotation<string>, baz: Annotation<string> });
    const inner = new StateGraph(Inner)
      .addNode("in1", () => ({ baz: "baz" }))
      .addNode("in2", (state) => ({ bar: state.bar + state.baz }))
      .addEdge(START, "in1")
      .addEdge("in1", "in2")
      .compile();
    const State = Annotation.Root({ foo: Annotation<string> });
    const graph = new StateGraph(State)
      .addNode("node1", (state) => ({ foo: `hi! ${state.foo}` }))
      .addNode("node2", async (state) => ({ foo: (await inner.invoke({ bar: state.foo })).bar }))
      .addEdge(START, "node1")
      .addEdge("node1", "node2")
      .compile({ checkpointer: new MemorySaver() });
    await t.stream(graph, { foo: "foo" }, { ...onThread("1"), subgraphs: true });
    await t.state(graph, onThread("1"));
    t.note("xray", (await graph.getGraphAsync({ xray: true })).drawMermaid());
  },
  "a graph inside that keeps its own memory": async (t) => {
    const inner = new StateGraph(List)
      .addNode("say", (state) => ({ list: [`inside ${state.list.length}`] }))
      .addEdge(START, "say")
      .compile({ checkpointer: true });
    const graph = new StateGraph(List)
      .addNode("kept", async (state) => ({
        one: (await inner.invoke({ list: [state.one] })).list.join(),
      }))
      .addEdge(START, "kept")
      .compile({ checkpointer: new MemorySaver() });
    for (const one of ["a", "b", "c"]) t.note("result", await graph.invoke({ one }, onThread("1")));
    const twice = new StateGraph(List)
      .addNode("kept", async () => ({
        list: [
          (await inner.invoke({ list: ["x"] })).list.join(),
          (await inner.invoke({ list: ["y"] })).list.join(),
        ],
      }))
      .addEdge(START, "kept")
      .compile({ checkpointer: new MemorySaver() });
    await t.invoke(twice, {}, onThread("2"));
    await t.invoke(twice, {}, onThread("2"));
  },
  "the errors of the troubleshooting pages": async (t) => {
    const State = Annotation.Root({ some: Annotation<string> });
    const both = new StateGraph(State)
      .addNode("node", () => ({ some: "a" }))
      .addNode("other", () => ({ some: "b" }))
      .addEdge(START, "node")
      .addEdge(START, "other")
      .compile();
    try {
      await both.invoke({ some: "x" });
    } catch (error) {
      t.note("concurrent", [
        error instanceof InvalidUpdateError,
        (error as any).lc_error_code,
        (error as Error).message,
        (error as Error).name,
      ]);
    }
    await t.invoke(
      new StateGraph(State)
        .addNode("bad", () => ["whoops"] as any)
        .addEdge(START, "bad")
        .compile(),
      { some: "x" },
    );
    await t.invoke(
      new StateGraph(State)
        .addNode("bad", () => "text" as any)
        .addEdge(START, "bad")
        .compile(),
      { some: "x" },
    );
    await t.try("unreachable", () =>
      new StateGraph(State)
        .addNode("a", () => ({}))
        .addNode("b", () => ({}))
        .addEdge(START, "a")
        .compile(),
    );
    await t.try("no entry", () => new StateGraph(State).addNode("a", () => ({})).compile());
    await t.try("unknown edge", () =>
      (new StateGraph(State) as any)
        .addNode("a", () => ({}))
        .addEdge(START, "a")
        .addEdge("a", "nowhere")
        .compile(),
    );
    await t.try("same name", () =>
      (new StateGraph(State) as any).addNode("a", () => ({})).addNode("a", () => ({})),
    );
    await t.try("reserved", () => (new StateGraph(State) as any).addNode(END, () => ({})));
    await t.try("a state's key", () => (new StateGraph(State) as any).addNode("some", () => ({})));
    await t.try("a colon", () => (new StateGraph(State) as any).addNode("a:b", () => ({})));
    await t.try("from END", () => (new StateGraph(State) as any).addEdge(END, "a"));
    await t.try("to START", () => (new StateGraph(State) as any).addEdge("a", START));
    await t.try("no state", () => new (StateGraph as any)({}));
    await t.try("nothing", () => new (StateGraph as any)());
    await t.invoke(
      new StateGraph(State)
        .addNode("a", () => ({}))
        .addEdge(START, "a")
        .compile(),
      {},
    );
    await t.invoke(
      new StateGraph(State)
        .addNode("a", () => ({}))
        .addEdge(START, "a")
        .compile(),
      { unknown: 1 },
    );
    await t.invoke(
      new StateGraph(State)
        .addNode("a", () => ({}))
        .addEdge(START, "a")
        .compile(),
      undefined,
    );
    await t.try("messages that are none", () =>
      new StateGraph(MessagesAnnotation)
        .addNode("a", () => ({ messages: [{ role: "nobody", content: "x" }] as any }))
        .addEdge(START, "a")
        .compile()
        .invoke({ messages: [] })
        .catch((error) => {
          throw new Error(error.lc_error_code);
        }),
    );
  },
  "graphs in one node, several times": async (t) => {
    const inner = new StateGraph(List)
      .addNode("say", () => ({ list: [`said ${interrupt("go on?")}`] }))
      .addEdge(START, "say")
      .compile();
    const graph = new StateGraph(List)
      .addNode("both", async () => ({
        list: [
          ...(await inner.invoke({ list: ["first"] })).list,
          ...(await inner.invoke({ list: ["second"] })).list,
        ],
      }))
      .addEdge(START, "both")
      .compile({ checkpointer: new MemorySaver() });
    await t.invoke(graph, {}, onThread("1"));
    await t.invoke(graph, new Command({ resume: "1" }), onThread("1"));
    await t.invoke(graph, new Command({ resume: "2" }), onThread("1"));
    const kept = new StateGraph(List)
      .addNode("say", () => ({ list: ["x"] }))
      .addEdge(START, "say")
      .compile({ checkpointer: true });
    const parallel = new StateGraph(List)
      .addNode("both", async () => ({
        list: (await Promise.all([kept.invoke({}), kept.invoke({})])).map((one) => one.list.join()),
      }))
      .addEdge(START, "both")
      .compile({ checkpointer: new MemorySaver() });
    await t.invoke(parallel, {}, onThread("2"));
  },
  "NodeInterrupt in branches of a graph inside": async (t) => {
    const State = Annotation.Root({ event: Annotation<string>, list: List.spec.list });
    const waits = (name: string) => (state: typeof State.State) => {
      if (state.event !== name) throw new NodeInterrupt(`waits for ${name}`);
      return { list: [name] };
    };
    const inner = new StateGraph(State)
      .addNode("a", waits("one"))
      .addNode("b", waits("two"))
      .addNode("after", () => ({ list: ["after"] }))
      .addEdge(START, "a")
      .addEdge(START, "b")
      .addEdge("a", "after")
      .compile();
    const graph = new StateGraph(State)
      .addNode("inner", inner)
      .addEdge(START, "inner")
      .compile({ checkpointer: new MemorySaver() });
    await t.invoke(graph, { event: "start" }, onThread("1"));
    const state: any = await graph.getState(onThread("1"), { subgraphs: true });
    t.note("asks", state.tasks[0].interrupts);
    await graph.updateState(state.tasks[0].state.config, { event: "one" });
    await t.stream(graph, null, { ...onThread("1"), subgraphs: true });
  },
  "a tool that fails, in events": async (t) => {
    const failing = new DynamicStructuredTool({
      name: "failing",
      description: "fails",
      schema: z.object({ q: z.string() }),
      func: async () => {
        throw new Error("test error");
      },
    });
    for (const handleToolErrors of [true, false]) {
      const graph = new StateGraph(MessagesAnnotation)
        .addNode("tools", new ToolNode([failing], { handleToolErrors }))
        .addEdge(START, "tools")
        .compile();
      const names: string[] = [];
      await t.try("run", async () => {
        for await (const event of graph.streamEvents(
          {
            messages: [
              new AIMessage({
                id: "a",
                content: "",
                tool_calls: [call("failing", { q: "x" }, "c1")],
              }),
            ],
          },
          { version: "v2" },
        ))
          if (event.event !== "on_chain_stream") names.push(`${event.event} ${event.name}`);
      });
      t.note("events", names);
    }
  },
  "tools of every kind of class": async (t) => {
    class Own extends StructuredTool {
      name = "own";
      description = "a class";
      schema = z.object({ x: z.number() });
      async _call({ x }: { x: number }) {
        return `own ${x}`;
      }
    }
    const tools = [
      new Own(),
      new DynamicTool({
        name: "plain",
        description: "takes a text",
        func: async (input: string) => `plain ${input}`,
      }),
      tool(async (input: string) => `text ${input}`, {
        name: "text",
        description: "takes a text",
        schema: z.string(),
      }),
      tool(async (input: any) => [`content ${input.x}`, { artifact: true }], {
        name: "artifact",
        description: "has an artifact",
        schema: { type: "object", properties: { x: { type: "number" } } },
        responseFormat: "content_and_artifact",
      }),
    ];
    const node = new ToolNode(tools as any);
    t.note(
      "answers",
      await node.invoke({
        messages: [
          new AIMessage({
            id: "a",
            content: "",
            tool_calls: [
              call("own", { x: 1 }, "1"),
              call("plain", { input: "p" }, "2"),
              call("text", { input: "t" }, "3"),
              call("artifact", { x: 2 }, "4"),
            ],
          }),
        ],
      }),
    );
    t.note(
      "artifact",
      (
        (await node.invoke({
          messages: [
            new AIMessage({ id: "a", content: "", tool_calls: [call("artifact", { x: 2 }, "4")] }),
          ],
        })) as any
      ).messages[0].artifact,
    );
  },
  "a chain around a graph, and graphs in chains": async (t) => {
    const graph = new StateGraph(List)
      .addNode("a", (state) => ({ list: ["a"], one: `${state.one}!` }))
      .addEdge(START, "a")
      .compile();
    t.note(
      "sequence",
      await RunnableSequence.from([
        (text: string) => ({ one: text }),
        graph,
        (state: any) => state.one,
      ]).invoke("x"),
    );
    t.note(
      "parallel",
      await RunnableParallel.from({ g: graph as any, same: new RunnablePassthrough() }).invoke({
        one: "y",
      }),
    );
    t.note(
      "branch",
      await RunnableBranch.from([
        [(state: any) => state.one === "y", graph as any],
        RunnableLambda.from(() => "else"),
      ]).invoke({ one: "y" }),
    );
    t.note(
      "assign",
      await RunnablePassthrough.assign({ result: graph as any }).invoke({ one: "z" }),
    );
    t.note("retry", await graph.withRetry({ stopAfterAttempt: 2 }).invoke({ one: "r" }));
    t.note(
      "fallback",
      await new StateGraph(List)
        .addNode("bad", () => {
          throw new Error("x");
        })
        .addEdge(START, "bad")
        .compile()
        .withFallbacks([graph as any])
        .invoke({ one: "f" }),
    );
    t.note("mapped", await (graph as any).pick("one").invoke({ one: "p" }));
    t.note(
      "stream",
      await drain(graph.pipe(new RunnablePassthrough()).stream({ one: "s" } as any)),
    );
    const asTool = graph.asTool({
      name: "graph",
      description: "a graph",
      schema: z.object({ one: z.string() }),
    });
    t.note("tool", await asTool.invoke({ one: "t" }));
    t.note(
      "by a ToolNode",
      await new ToolNode([
        tool(async ({ one }: { one: string }) => (await graph.invoke({ one })).one, {
          name: "g",
          description: "g",
          schema: z.object({ one: z.string() }),
        }),
      ]).invoke([
        new AIMessage({ content: "", tool_calls: [call("g", { one: "n" }, "c")] }),
      ] as any),
    );
  },
  "an agent as a tool of another, and its state": async (t) => {
    const inner = createReactAgent({
      llm: Object.assign(new ScriptedModel("the answer is 42"), { own: "inner" }),
      tools: [],
      name: "inner",
    });
    const ask = tool(
      async ({ q }: { q: string }, config: LangGraphRunnableConfig) =>
        (await inner.invoke({ messages: [user(q)] }, config as any)).messages.at(-1)!
          .content as string,
      { name: "ask", description: "asks", schema: z.object({ q: z.string() }) },
    );
    const outer = createReactAgent({
      llm: new ScriptedModel(
        [call("ask", { q: "what?" }, "c1")],
        "It said 42",
        [call("ask", { q: "and?" }, "c2")],
        "It said so again",
      ),
      tools: [ask],
      checkpointer: new MemorySaver(),
    });
    await t.stream(
      outer,
      { messages: [user("go")] },
      { ...onThread("1"), streamMode: "updates", subgraphs: true },
    );
    await t.stream(
      outer,
      { messages: [user("again")] },
      { ...onThread("1"), streamMode: "messages", subgraphs: true },
    );
  },
  "nodes added in a loop": async (t) => {
    let graph: any = new StateGraph(List);
    const names = ["first", "second", "third"];
    for (const name of names) graph = graph.addNode(name, () => ({ list: [name] }));
    names.forEach((name, index) => graph.addEdge(index === 0 ? START : names[index - 1], name));
    graph.addEdge(names.at(-1), END);
    t.note("result", await graph.compile().invoke({}));
    t.note("again", await graph.compile({ name: "second" }).invoke({ list: ["x"] }));
  },
  "methods of a class as nodes": async (t) => {
    class Workflow {
      #greeting = "hello";
      arrow = () => ({ list: ["arrow"] });
      graph = new StateGraph(List)
        .addNode("greet", this.greet.bind(this))
        .addNode("arrow", this.arrow)
        .addEdge(START, "greet")
        .addConditionalEdges("greet", this.route.bind(this), ["arrow", END])
        .compile();
      greet(state: typeof List.State) {
        return { list: [`${this.#greeting} ${state.one}`] };
      }
      route(state: typeof List.State) {
        return state.one === "x" ? "arrow" : END;
      }
    }
    await t.try("made", async () => new Workflow().graph.invoke({ one: "x" }));
  },
  "the type and the id of messages": async (t) => {
    const list = messagesStateReducer(
      [],
      [
        ["human", "a"],
        "b",
        { type: "ai", content: "c" } as any,
        { role: "tool", content: "d", tool_call_id: "x" } as any,
        new ToolMessage({ content: "e", tool_call_id: "y", name: "n", status: "error" }),
      ],
    );
    t.note(
      "kinds",
      list.map((message) => [
        message.getType(),
        isAIMessage(message),
        isHumanMessage(message),
        isToolMessage(message),
        message.id !== undefined,
      ]),
    );
    const stored = mapChatMessagesToStoredMessages(list);
    t.note(
      "stored",
      mapStoredMessagesToChatMessages(stored).map((message) => message.text),
    );
    t.note(
      "coerced",
      coerceMessageLikeToMessage({ role: "developer", content: "x" } as any).getType(),
    );
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("a", () => ({ messages: new AIMessageChunk({ id: "chunk", content: "x" }) as any }))
      .addEdge(START, "a")
      .compile({ checkpointer: new MemorySaver() });
    const { messages } = await graph.invoke({ messages: "hi" as any }, onThread("1"));
    t.note(
      "class",
      messages.map((message) => message.constructor.name),
    );
    const saved = (await graph.getState(onThread("1"))).values.messages as BaseMessage[];
    t.note(
      "saved",
      saved.map((message) => [message.constructor.name, message instanceof AIMessage]),
    );
  },
  "a state that holds a function's results of odd kinds": async (t) => {
    const State = Annotation.Root({
      map: Annotation<Map<string, number>>,
      set: Annotation<Set<number>>,
      bytes: Annotation<Uint8Array>,
      nothing: Annotation<null>,
      nested: Annotation<any>,
      messages: MessagesAnnotation.spec.messages,
    });
    const graph = new StateGraph(State)
      .addNode("a", () => ({
        map: new Map([["a", 1]]),
        set: new Set([1, 2]),
        bytes: new Uint8Array([1, 2]),
        nothing: null,
        nested: { message: new AIMessage({ id: "x", content: "in" }), list: [undefined, 1] },
      }))
      .addNode(
        "b",
        (state) => (
          t.note("saw", [
            state.map instanceof Map,
            state.set instanceof Set,
            state.nested.message instanceof AIMessage,
          ]),
          {}
        ),
      )
      .addEdge(START, "a")
      .addEdge("a", "b")
      .compile({ checkpointer: new MemorySaver() });
    await t.invoke(graph, { messages: [] }, onThread("1"));
    const { values } = await graph.getState(onThread("1"));
    t.note("saved", [
      values.map instanceof Map,
      values.set instanceof Set,
      values.nested.message instanceof AIMessage,
      values.nothing,
    ]);
  },
  "an undefined, a null and a default": async (t) => {
    const State = Annotation.Root({
      a: Annotation<string | undefined>,
      b: Annotation<string | null>,
      c: Annotation<string[]>({ reducer: (x, y) => y ?? x, default: () => ["d"] }),
      d: Annotation<number>({ reducer: (x, y) => x + (y ?? 1), default: () => 0 }),
    });
    const graph = new StateGraph(State)
      .addNode("n1", () => ({ a: undefined, b: null, c: undefined }))
      .addNode("n2", () => undefined as any)
      .addNode("n3", () => null as any)
      .addNode("n4", () => ({ d: undefined as any }))
      .addEdge(START, "n1")
      .addEdge("n1", "n2")
      .addEdge("n2", "n3")
      .addEdge("n3", "n4")
      .compile({ checkpointer: new MemorySaver() });
    await t.stream(
      graph,
      { a: "x", b: "y" },
      { ...onThread("1"), streamMode: ["updates", "values"] },
    );
    await t.state(graph, onThread("1"));
    const Z = z.object({ foo: z.array(z.string()).default([]), n: z.number().default(3) });
    t.note(
      "zod",
      await new StateGraph(Z)
        .addNode("a", (state) => ({ n: (state.n ?? 0) + 1 }))
        .addEdge(START, "a")
        .compile()
        .invoke({}),
    );
    t.note(
      "zod state",
      await new StateGraph(
        new StateSchema({ foo: z.array(z.string()).default([]), n: z.number().default(3) }),
      )
        .addNode("a", (state) => ({ n: (state.n ?? 0) + 1 }))
        .addEdge(START, "a")
        .compile()
        .invoke({}),
    );
  },
  "updates that a zod state refuses": async (t) => {
    const Z = z.object({ n: z.number().max(5), s: z.string().optional() });
    const build = (node: any, ends?: any) =>
      new StateGraph(Z)
        .addNode("a", node, ends)
        .addNode("b", () => ({}))
        .addEdge(START, "a")
        .addEdge("a", "b")
        .compile();
    await t.invoke(
      build(() => ({ n: 9 })),
      { n: 1 },
    );
    await t.invoke(
      build(() => ({ s: 5 })),
      { n: 1 },
    );
    await t.invoke(
      build(() => new Command({ update: { n: "x" }, goto: "b" }), { ends: ["b"] }),
      { n: 1 },
    );
    await t.invoke(
      build(() => ({ more: 1 })),
      { n: 1 },
    );
  },
  "getConfig, and the config below": async (t) => {
    const graph = new StateGraph(List)
      .addNode("a", async (_, config) => {
        const own = getConfig()!;
        t.note("same", [
          own.configurable?.thread_id,
          (own as any).metadata?.langgraph_node,
          Object.keys(own.configurable ?? {})
            .filter((key) => !key.startsWith("__"))
            .sort(),
          config.configurable?.user,
        ]);
        return {
          list: [
            await RunnableLambda.from(
              (_: string, below) => `${below?.configurable?.user} ${below?.tags}`,
            ).invoke("x"),
          ],
        };
      })
      .addEdge(START, "a")
      .compile({ checkpointer: new MemorySaver() });
    await t.invoke(
      graph,
      {},
      {
        configurable: { thread_id: "1", user: "ann" },
        tags: ["tag"],
        runId: "11111111-1111-4111-8111-111111111111",
      },
    );
  },
  "a graph called with a part of the config, or with one of its own": async (t) => {
    const heard: string[] = [];
    const handler = (name: string): any => ({
      name,
      awaitHandlers: true,
      handleChainStart: (...given: any[]) => void heard.push(`${name}: ${given[7]}`),
      handleLLMNewToken: () => void heard.push(`${name} token`),
    });
    const inner = () =>
      new StateGraph(MessagesAnnotation)
        .addNode("in", async ({ messages }) => ({
          messages: [await new ScriptedModel("the answer").invoke(messages)],
        }))
        .addNode(
          "told",
          (_, config) => (
            t.note("told", [
              (config as any).tags,
              (config as any).metadata?.outer,
              config.configurable?.thread_id,
              config.configurable?.user,
              (config as any).recursionLimit,
            ]),
            {}
          ),
        )
        .addEdge(START, "in")
        .addEdge("in", "told")
        .compile({ name: "inner" });
    const input = { messages: [user("q")] };
    const calls: Record<string, (config: any) => any> = {
      picked: ({ configurable }) => inner().invoke(input, { configurable }),
      none: () => inner().invoke(input),
      all: (config) => inner().invoke(input, config),
      empty: () => inner().invoke(input, {}),
      tags: () => inner().invoke(input, { tags: ["x"] }),
      metadata: () => inner().invoke(input, { metadata: { outer: "mine" } }),
      thread: () => inner().invoke(input, { configurable: { thread_id: "other" } }),
      limit: () => inner().invoke(input, { recursionLimit: 7 }),
      callbacks: ({ callbacks }) => inner().invoke(input, { callbacks }),
      own: () => inner().invoke(input, { callbacks: [handler("own")] }),
      nobody: () => inner().invoke(input, { callbacks: [] }),
      bound: () =>
        inner()
          .withConfig({ callbacks: [handler("bound")], tags: ["b"] })
          .invoke(input),
      spread: (config) => inner().invoke(input, { ...config, callbacks: [handler("own")] }),
      lambda: () =>
        RunnableLambda.from(() => inner().invoke(input))
          .withConfig({ tags: ["lambda"], runName: "lambda" })
          .invoke("x"),
      within: () =>
        RunnableLambda.from((_: string, { configurable }: any) =>
          inner().invoke(input, { configurable }),
        )
          .withConfig({ runName: "lambda" })
          .invoke("x"),
      piped: () =>
        RunnableLambda.from((given: typeof input) => given)
          .pipe(inner() as any)
          .invoke(input),
    };
    for (const [name, act] of Object.entries(calls))
      for (const place of ["node", "tool"]) {
        heard.length = 0;
        const builder =
          place === "node"
            ? new StateGraph(MessagesAnnotation).addNode(
                "out",
                async (_, config) => (await act(config), {}),
              )
            : new StateGraph(MessagesAnnotation).addNode(
                "out",
                new ToolNode([
                  tool(async (_: object, config) => (await act(config), "x"), {
                    name: "act",
                    description: "acts",
                    schema: z.object({}),
                  }),
                ]),
              );
        const graph = builder.addEdge(START, "out").compile({ checkpointer: new MemorySaver() });
        const chunks = await drain(
          graph.stream(
            {
              messages: [
                new AIMessage({ id: "a", content: "", tool_calls: [call("act", {}, "c1")] }),
              ],
            },
            {
              configurable: { thread_id: "t", user: "ann" },
              tags: ["outer"],
              metadata: { outer: 1 },
              recursionLimit: 9,
              callbacks: [handler("outer")],
              streamMode: "messages",
              subgraphs: true,
            },
          ),
        );
        t.note(`${name} in a ${place}`, [
          chunks.map(([namespace, [message]]: any) => [namespace.length, message.text]),
          [...heard],
        ]);
      }
  },
  "several graphs on one thread, and one graph on several": async (t) => {
    const checkpointer = new MemorySaver();
    const first = new StateGraph(List)
      .addNode("a", () => ({ list: ["a"] }))
      .addEdge(START, "a")
      .compile({ checkpointer });
    const second = new StateGraph(List)
      .addNode("b", (state) => ({ list: [`b after ${state.list}`] }))
      .addEdge(START, "b")
      .compile({ checkpointer });
    await t.invoke(first, { list: ["1"] }, onThread("x"));
    await t.invoke(second, { list: ["2"] }, onThread("x"));
    await t.history(second, onThread("x"));
    t.note(
      "all",
      (
        await Promise.all(["p", "q"].map((name) => first.invoke({ list: [name] }, onThread(name))))
      ).map(({ list }) => list),
    );
  },
  "MessageGraph, and the entry and finish points of older programs": async (t) => {
    const old = new MessageGraph()
      .addNode(
        "oracle",
        async (messages: any) => new AIMessage({ id: "o", content: `heard ${messages.length}` }),
      )
      .addEdge(START, "oracle")
      .addEdge("oracle", END)
      .compile();
    t.note("messages", await old.invoke(user("What is 1 + 1?") as any));
    const points: any = new StateGraph(List).addNode("a", () => ({ list: ["a"] }));
    t.note("points", await points.setEntryPoint("a").setFinishPoint("a").compile().invoke({}));
  },
  "tasks in loops, and their order": async (t: Trace) => {
    const add = task(
      "add",
      async (n: number) => (await new Promise((resolve) => setTimeout(resolve, 3 - n)), n + 1),
    );
    const flow = entrypoint(
      { name: "flow", checkpointer: new MemorySaver() },
      async (list: number[]) => {
        const one = [];
        for (const n of list) one.push(await add(n));
        const all = await Promise.all(list.map((n) => add(n)));
        const settled = await Promise.allSettled([
          add(1),
          task("bad", async () => {
            throw new Error("no");
          })(),
        ]);
        return { one, all, settled: settled.map(({ status }) => status) };
      },
    );
    await t.invoke(flow, [0, 1, 2], onThread("1"));
    await quiet(async () =>
      t.invoke(
        entrypoint("retried", async () =>
          task({ name: "r", retry: { maxAttempts: 2, initialInterval: 1 } }, async () => {
            throw new Error("twice");
          })(),
        ),
        1,
      ),
    );
  },
  "a Send with messages, to a graph": async (t) => {
    const inner = new StateGraph(MessagesAnnotation)
      .addNode("say", ({ messages }) => ({
        messages: [new AIMessage({ content: `re ${messages[0].text}` })],
      }))
      .addEdge(START, "say")
      .compile();
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("inner", inner)
      .addConditionalEdges(
        START,
        () => ["x", "y"].map((text) => new Send("inner", { messages: [user(text)] })),
        ["inner"],
      )
      .compile({ checkpointer: new MemorySaver() });
    await t.invoke(graph, { messages: [user("in")] }, onThread("1"));
    await t.state(graph, onThread("1"));
  },
};
