// SPDX-License-Identifier: MIT
// Programs in the manner of the pages on the Graph API: states, schemas, contexts, edges, branches,
// loops, Sends and Commands.
import {
  AIMessage,
  HumanMessage,
  RemoveMessage,
  SystemMessage,
  ToolMessage,
  filterMessages,
  trimMessages,
  type BaseMessage,
} from "@langchain/core/messages";
import { InMemoryCache } from "@langchain/langgraph-checkpoint";
import { RunnableLambda } from "@langchain/core/runnables";
import {
  Annotation,
  Command,
  END,
  GraphRecursionError,
  MemorySaver,
  MessagesAnnotation,
  MessagesValue,
  MessagesZodMeta,
  MessagesZodState,
  Overwrite,
  REMOVE_ALL_MESSAGES,
  ReducedValue,
  START,
  Send,
  StateGraph,
  StateSchema,
  UntrackedValue,
  addMessages,
  isCommand,
  type ConditionalEdgeRouter,
  type GraphNode,
  type LangGraphRunnableConfig,
  type Runtime,
} from "weftgraph";
import { registry, withLangGraph } from "weftgraph/zod";
import { z } from "zod";
import { z as z3 } from "zod/v3";
import { onThread } from "./models.js";
import type { Programs, Trace } from "./trace.js";

const Words = new StateSchema({
  aggregate: new ReducedValue(
    z.array(z.string()).default(() => []),
    { reducer: (x, y) => x.concat(y) },
  ),
});
const Values = new StateSchema({ value1: z.string(), value2: z.number() });

/** A node that adds its letter and notes what it saw. */
const adding =
  (t: Trace, letter: string): GraphNode<typeof Words> =>
  (state) => {
    t.note(letter, state.aggregate);
    return { aggregate: [letter] };
  };

export const programs: Programs = {
  "a state of messages and a field": async (t) => {
    const State = new StateSchema({ messages: MessagesValue, extraField: z.number() });
    const node: GraphNode<typeof State> = (state) => ({
      messages: [new AIMessage(`Hello ${state.messages.length}`)],
      extraField: 10,
    });
    const graph = new StateGraph(State)
      .addNode("node", node)
      .addEdge("__start__", "node")
      .compile();
    const result = await graph.invoke({ messages: [new HumanMessage("Hi")], extraField: 0 });
    t.note("result", result);
    t.note(
      "said",
      result.messages.map((message) => `${message.getType()}: ${message.content}`),
    );
    t.note("plain", await graph.invoke({ messages: [{ role: "user", content: "Hi" }] }));
    t.note("a text", await graph.invoke({ messages: "Hi" as any }));
    t.note("drawn", (await graph.getGraphAsync()).drawMermaid());
  },
  "schemas of input and output": async (t) => {
    const Input = new StateSchema({ question: z.string() });
    const Output = new StateSchema({ answer: z.string() });
    const State = new StateSchema({ question: z.string(), answer: z.string() });
    const answer: GraphNode<typeof State> = (state) => ({
      answer: "bye",
      question: `${state.question}?`,
    });
    const graph = new StateGraph({ input: Input, output: Output, state: State })
      .addNode("answerNode", answer)
      .addEdge(START, "answerNode")
      .addEdge("answerNode", END)
      .compile({ checkpointer: new MemorySaver() });
    t.note("result", await graph.invoke({ question: "hi" }, onThread("1")));
    await t.stream(
      graph,
      { question: "hi", answer: "not mine" },
      { ...onThread("2"), streamMode: ["values", "updates"] },
    );
    await t.state(graph, onThread("1"));
  },
  "schemas of Annotations": async (t) => {
    const Input = Annotation.Root({ user: Annotation<string> });
    const Output = Annotation.Root({ greeting: Annotation<string> });
    const Overall = Annotation.Root({
      foo: Annotation<string>,
      user: Annotation<string>,
      greeting: Annotation<string>,
    });
    const Private = Annotation.Root({ bar: Annotation<string> });
    const graph = new StateGraph({ input: Input, output: Output, stateSchema: Overall })
      .addNode("n1", (state: typeof Input.State) => ({ foo: `${state.user} name` }))
      .addNode("n2", (state: typeof Overall.State): typeof Private.State => ({
        bar: `${state.foo} is`,
      }))
      .addNode("n3", (state: typeof Private.State) => ({ greeting: `${state.bar} Lance` }), {
        input: Private,
      })
      .addEdge(START, "n1")
      .addEdge("n1", "n2")
      .addEdge("n2", "n3")
      .addEdge("n3", END)
      .compile();
    t.note("result", await graph.invoke({ user: "My" }));
    await t.stream(graph, { user: "My" }, { streamMode: "debug" });
  },
  "private state between nodes": async (t) => {
    const Overall = new StateSchema({ a: z.string() });
    const Private = new StateSchema({ privateData: z.string() });
    const node1: GraphNode<typeof Overall> = (state) =>
      (t.note("1", state), { privateData: "set by node1" }) as any;
    const node2: GraphNode<typeof Private> = (state) =>
      (t.note("2", state), { a: "set by node2" }) as any;
    const node3: GraphNode<typeof Overall> = (state) => (t.note("3", state), { a: "set by node3" });
    const graph = new StateGraph(Overall)
      .addNode("node1", node1)
      .addNode("node2", node2, { input: Private })
      .addNode("node3", node3)
      .addEdge(START, "node1")
      .addEdge("node1", "node2")
      .addEdge("node2", "node3")
      .addEdge("node3", END)
      .compile();
    t.note("result", await graph.invoke({ a: "set at start" }));
  },
  "channels by a shorthand": async (t) => {
    interface State {
      messages: BaseMessage[];
      question: string;
      answer: string;
    }
    const short = new StateGraph<State>({
      channels: {
        messages: {
          value: (current: BaseMessage[], update: BaseMessage[]) => current.concat(update),
          default: () => [],
        },
        question: null,
        answer: null,
      },
    })
      .addNode("a", (state) => ({
        answer: `to ${state.question}`,
        messages: [new AIMessage({ id: "a", content: "x" })],
      }))
      .addEdge(START, "a")
      .compile();
    t.note("short", await short.invoke({ question: "q" }));
  },
  "a zod object with a registry, of zod 4": async (t) => {
    const State = z.object({
      messages: z
        .array(z.custom<BaseMessage>())
        .default([])
        .register(registry, MessagesZodMeta as any),
      question: z.string().optional(),
      count: z
        .number()
        .default(0)
        .register(registry, {
          reducer: { fn: (current: number, update: number) => current + update },
        } as any),
    });
    const graph = new StateGraph(State)
      .addNode("a", () => ({ messages: [{ role: "ai", content: "x" }] as any, count: 2 }))
      .addNode("b", () => ({ count: 3, question: "q" }))
      .addEdge(START, "a")
      .addEdge("a", "b")
      .compile();
    t.note("result", await graph.invoke({ messages: [new HumanMessage("hi")] }));
    t.note("again", await graph.invoke({ count: 5 }));
    await t.invoke(graph, { question: 5 });
  },
  "a zod object of zod 3": async (t) => {
    const State = z3.object({
      messages: withLangGraph(z3.array(z3.custom<BaseMessage>()), MessagesZodMeta as any),
      question: z3.string().optional(),
      count: withLangGraph(z3.number(), {
        reducer: { fn: (current: number, update: number) => current + update },
        default: () => 0,
      } as any),
    });
    const graph = new StateGraph(State)
      .addNode("a", (state) => ({ messages: [new AIMessage(`${state.count}`)], count: 2 }))
      .addNode("b", () => ({ count: 3 }))
      .addEdge(START, "a")
      .addEdge("a", "b")
      .compile();
    t.note("result", await graph.invoke({ messages: [new HumanMessage("hi")] as any, count: 1 }));
  },
  "MessagesZodState extended": async (t) => {
    const State = MessagesZodState.extend({
      userName: z3.string().optional() as any,
      documents: z3.array(z3.string()).optional() as any,
    });
    const graph = new StateGraph(State)
      .addNode("a", ({ messages, userName }: any) => ({
        messages: [{ role: "assistant", content: `${userName}: ${messages.length}` }],
      }))
      .addEdge(START, "a")
      .compile();
    t.note("result", await graph.invoke({ messages: [["user", "x"]], userName: "Ann" } as any));
  },
  "a state that checks its input": async (t) => {
    const State = z.object({ a: z.string(), n: z.coerce.number().optional() });
    const graph = new StateGraph(State)
      .addNode("node", (state) => ({ a: `${state.a} ${typeof state.n}` }))
      .addEdge(START, "node")
      .addEdge("node", END)
      .compile();
    t.note("good", await graph.invoke({ a: "hello", n: "42" as any }));
    await t.invoke(graph, { a: 123 });
    await t.invoke(graph, {});
  },
  "a context": async (t) => {
    const Context = z.object({ myRuntimeValue: z.string() });
    const State = new StateSchema({ myStateValue: z.number() });
    const node: GraphNode<typeof State> = (_, runtime) => {
      if ((runtime?.context as any)?.myRuntimeValue === "a") return { myStateValue: 1 };
      if ((runtime?.context as any)?.myRuntimeValue === "b") return { myStateValue: 2 };
      throw new Error("Unknown values.");
    };
    const graph = new StateGraph(State, Context)
      .addNode("node", node)
      .addEdge(START, "node")
      .addEdge("node", END)
      .compile();
    t.note("a", await graph.invoke({}, { context: { myRuntimeValue: "a" } }));
    t.note("b", await graph.invoke({}, { context: { myRuntimeValue: "b" } }));
    await t.invoke(graph, {}, { context: { myRuntimeValue: "c" } });
    await t.invoke(graph, {}, { context: { myRuntimeValue: 3 } });
    await t.invoke(graph, {});
  },
  "a model and a system message by configurable": async (t) => {
    const Config = z.object({
      modelProvider: z.string().default("anthropic"),
      systemMessage: z.string().optional(),
    });
    const State = new StateSchema({ messages: MessagesValue });
    const call: GraphNode<typeof State> = async (state, config) => {
      const provider = (config as any)?.configurable?.modelProvider || "none";
      const system = (config as any)?.configurable?.systemMessage;
      const messages = system ? [new SystemMessage(system), ...state.messages] : state.messages;
      return {
        messages: [
          new AIMessage({
            content: `${provider} heard ${messages.map((message) => message.text)}`,
          }),
        ],
      };
    };
    const graph = new StateGraph(State, Config)
      .addNode("model", call)
      .addEdge(START, "model")
      .addEdge("model", END)
      .compile();
    t.note("default", await graph.invoke({ messages: [{ role: "user", content: "hi" }] }));
    t.note(
      "given",
      await graph.invoke(
        { messages: [{ role: "user", content: "hi" }] },
        { configurable: { modelProvider: "openai", systemMessage: "Italian." } },
      ),
    );
    t.note(
      "bound",
      await graph
        .withConfig({ configurable: { modelProvider: "bound" } })
        .invoke({ messages: [{ role: "user", content: "hi" }] }),
    );
  },
  "an Annotation of the configuration": async (t) => {
    const Config = Annotation.Root({ user: Annotation<string>, system: Annotation<string> });
    const graph = new StateGraph(MessagesAnnotation, Config)
      .addNode("a", async (state, config: LangGraphRunnableConfig<typeof Config.State>) => ({
        messages: [
          new AIMessage(
            `${config.configurable?.user}/${config.context?.user}/${state.messages.length}`,
          ),
        ],
      }))
      .addEdge(START, "a")
      .compile();
    t.note("configurable", await graph.invoke({ messages: [] }, { configurable: { user: "1" } }));
    t.note(
      "context",
      await graph.invoke({ messages: [] }, { context: { user: "2", system: "x" } } as any),
    );
  },
  "a sequence": async (t) => {
    const step1: GraphNode<typeof Values> = () => ({ value1: "a" });
    const step2: GraphNode<typeof Values> = (state) => ({ value1: `${state.value1} b` });
    const step3: GraphNode<typeof Values> = () => ({ value2: 10 });
    const graph = new StateGraph(Values)
      .addNode("step1", step1)
      .addNode("step2", step2)
      .addNode("step3", step3)
      .addEdge(START, "step1")
      .addEdge("step1", "step2")
      .addEdge("step2", "step3")
      .compile();
    t.note("result", await graph.invoke({ value1: "c" }));
    const short = new StateGraph(Values)
      .addSequence([
        ["step1", step1],
        ["step2", step2],
        ["step3", step3],
      ])
      .addEdge(START, "step1")
      .compile();
    t.note("short", await short.invoke({ value1: "c" }));
    const object = new StateGraph(Values)
      .addSequence({ step1, step2, step3 })
      .addEdge(START, "step1")
      .compile();
    await t.stream(object, { value1: "c" }, { streamMode: ["updates", "values"] });
    const nodes = new StateGraph(Values)
      .addNode({ step1, step2 })
      .addNode([["step3", step3]])
      .addEdge(START, "step1")
      .addEdge("step1", "step2")
      .addEdge("step2", "step3")
      .compile();
    t.note("nodes", await nodes.invoke({ value2: 1 }));
  },
  "branches side by side": async (t) => {
    const graph = new StateGraph(Words)
      .addNode("a", adding(t, "A"))
      .addNode("b", adding(t, "B"))
      .addNode("c", adding(t, "C"))
      .addNode("d", adding(t, "D"))
      .addEdge(START, "a")
      .addEdge("a", "b")
      .addEdge("a", "c")
      .addEdge("b", "d")
      .addEdge("c", "d")
      .addEdge("d", END)
      .compile();
    t.note("result", await graph.invoke({ aggregate: [] }, onThread("foo")));
    await t.stream(graph, { aggregate: ["in"] });
  },
  "a deferred node behind branches of different length": async (t) => {
    const graph = new StateGraph(Words)
      .addNode("a", adding(t, "A"))
      .addNode("b", adding(t, "B"))
      .addNode("b2", adding(t, "B_2"))
      .addNode("c", adding(t, "C"))
      .addNode("d", adding(t, "D"), { defer: true })
      .addEdge(START, "a")
      .addEdge("a", "b")
      .addEdge("a", "c")
      .addEdge("b", "b2")
      .addEdge("b2", "d")
      .addEdge("c", "d")
      .addEdge("d", END)
      .compile();
    t.note("result", await graph.invoke({ aggregate: [] }));
    await t.stream(graph, { aggregate: [] }, { streamMode: "debug" });
  },
  "the same without defer, and with a join": async (t) => {
    const build = (list: boolean) => {
      const graph = new StateGraph(Words)
        .addNode("a", adding(t, "A"))
        .addNode("b", adding(t, "B"))
        .addNode("b2", adding(t, "B_2"))
        .addNode("c", adding(t, "C"))
        .addNode("d", adding(t, "D"))
        .addEdge(START, "a")
        .addEdge("a", "b")
        .addEdge("a", "c")
        .addEdge("b", "b2");
      return (
        list ? graph.addEdge(["b2", "c"], "d") : graph.addEdge("b2", "d").addEdge("c", "d")
      ).compile();
    };
    t.note("edges", await build(false).invoke({ aggregate: [] }));
    t.note("join", await build(true).invoke({ aggregate: [] }));
  },
  "conditional branches": async (t) => {
    const State = new StateSchema({
      aggregate: new ReducedValue(
        z.array(z.string()).default(() => []),
        { reducer: (x, y) => x.concat(y) },
      ),
      which: z.string(),
    });
    const add =
      (letter: string): GraphNode<typeof State> =>
      () => ({ aggregate: [letter] });
    const route: ConditionalEdgeRouter<typeof State, any, "b" | "c" | "d" | "e"> = (state) =>
      (state.which === "cd" ? ["c", "d"] : ["b", "c"]) as any;
    const graph = new StateGraph(State)
      .addNode("a", add("A"))
      .addNode("b", add("B"))
      .addNode("c", add("C"))
      .addNode("d", add("D"))
      .addNode("e", add("E"))
      .addEdge(START, "a")
      .addConditionalEdges("a", route, ["b", "c", "d"])
      .addEdge("b", "e")
      .addEdge("c", "e")
      .addEdge("d", "e")
      .addEdge("e", END)
      .compile();
    t.note("bc", await graph.invoke({ aggregate: [], which: "bc" }));
    t.note("cd", await graph.invoke({ aggregate: [], which: "cd" }));
    t.note("drawn", graph.getGraph().drawMermaid());
  },
  "a condition with names of its own": async (t) => {
    const graph = new StateGraph(
      Annotation.Root({ n: Annotation<number>, said: Annotation<string> }),
    )
      .addNode("even", () => ({ said: "even" }))
      .addNode("odd", () => ({ said: "odd" }))
      .addConditionalEdges(START, async (state) => (state.n % 2 === 0 ? "yes" : "no"), {
        yes: "even",
        no: "odd",
      })
      .addEdge("even", END)
      .addEdge("odd", END)
      .compile();
    t.note("4", await graph.invoke({ n: 4 }));
    t.note("5", await graph.invoke({ n: 5 }));
    t.note(
      "booleans",
      await new StateGraph(Annotation.Root({ n: Annotation<number> }))
        .addNode("x", () => ({ n: 1 }))
        .addConditionalEdges(
          START,
          ((state: any) => state.n > 1) as any,
          { true: "x", false: END } as any,
        )
        .compile()
        .invoke({ n: 5 }),
    );
    t.note("drawn", graph.getGraph().drawMermaid());
  },
  "results of branches in an order of one's own": async (t) => {
    const State = Annotation.Root({
      aggregate: Annotation<string[]>({ reducer: (x, y) => x.concat(y), default: () => [] }),
      fanout: Annotation<{ value: string; score: number }[]>({
        reducer: (left, right) => (right.length === 0 ? [] : (left ?? []).concat(right)),
        default: () => [],
      }),
    });
    const give = (value: string, score: number) => () => ({ fanout: [{ value, score }] });
    const graph = new StateGraph(State)
      .addNode("a", () => ({ aggregate: ["A"] }))
      .addNode("b", give("B", 0.1))
      .addNode("c", give("C", 0.9))
      .addNode("d", give("D", 0.5))
      .addNode("sink", (state) => ({
        aggregate: [...state.fanout]
          .sort((x, y) => y.score - x.score)
          .map(({ value }) => value)
          .concat("E"),
        fanout: [],
      }))
      .addEdge(START, "a")
      .addEdge("a", "b")
      .addEdge("a", "c")
      .addEdge("a", "d")
      .addEdge(["b", "c", "d"], "sink")
      .addEdge("sink", END)
      .compile();
    t.note("result", await graph.invoke({ aggregate: [] }));
  },
  "map and reduce with Sends": async (t) => {
    const State = new StateSchema({
      topic: z.string(),
      subjects: z.array(z.string()),
      jokes: new ReducedValue(
        z.array(z.string()).default(() => []),
        { reducer: (x, y) => x.concat(y) },
      ),
      best: z.string(),
    });
    const topics: GraphNode<typeof State> = () => ({
      subjects: ["lions", "elephants", "penguins"],
    });
    const fanOut = (state: typeof State.State) =>
      state.subjects.map((subject) => new Send("joke", { subject }));
    const graph = new StateGraph(State)
      .addNode("topics", topics)
      .addNode("joke", (state: any) => ({
        jokes: [`A joke about ${state.subject} (${Object.keys(state)})`],
      }))
      .addNode("pick", (state) => ({ best: state.jokes[state.jokes.length - 1] }))
      .addEdge(START, "topics")
      .addConditionalEdges("topics", fanOut, ["joke"])
      .addEdge("joke", "pick")
      .addEdge("pick", END)
      .compile({ checkpointer: new MemorySaver() });
    await t.stream(graph, { topic: "animals" }, onThread("1"));
    await t.history(graph, onThread("1"));
    t.note("drawn", graph.getGraph().drawMermaid());
  },
  "Sends to one node from several, and a Send's message": async (t) => {
    const State = Annotation.Root({
      ...MessagesAnnotation.spec,
      n: Annotation<number>({ reducer: (a, b) => a + b, default: () => 0 }),
    });
    const graph = new StateGraph(State)
      .addNode("a", () => ({ n: 1 }))
      .addNode("b", () => ({ n: 2 }))
      .addNode("work", async ({ messages, n }: any) => ({
        messages: [new AIMessage(`${messages[0].content} ${n}`)],
      }))
      .addEdge(START, "a")
      .addEdge(START, "b")
      .addConditionalEdges(
        "a",
        () => [new Send("work", { messages: [new HumanMessage("from a")], n: 1 })],
        ["work"],
      )
      .addConditionalEdges(
        "b",
        ({ n }) => [new Send("work", { messages: [new HumanMessage("from b")], n })],
        ["work"],
      )
      .compile();
    await t.stream(graph, {}, { streamMode: ["updates", "values"] });
  },
  "a loop that ends by a condition": async (t) => {
    const graph = new StateGraph(Words)
      .addNode("a", adding(t, "A"))
      .addNode("b", adding(t, "B"))
      .addEdge(START, "a")
      .addConditionalEdges("a", (state) => (state.aggregate.length < 7 ? "b" : END), ["b", END])
      .addEdge("b", "a")
      .compile();
    t.note("result", await graph.invoke({ aggregate: [] }));
    await t.invoke(graph, { aggregate: [] }, { recursionLimit: 4 });
    try {
      await graph.invoke({ aggregate: [] }, { recursionLimit: 3 });
    } catch (error) {
      t.note("caught", [
        error instanceof GraphRecursionError,
        (error as GraphRecursionError).lc_error_code,
        (error as Error).message,
      ]);
    }
    await t.stream(graph, { aggregate: [] }, { recursionLimit: 4, streamMode: "values" });
  },
  "a loop with branches, and a step counted by the node": async (t) => {
    const graph = new StateGraph(Words)
      .addNode("a", adding(t, "A"))
      .addNode("b", adding(t, "B"))
      .addNode("c", adding(t, "C"))
      .addNode("d", adding(t, "D"))
      .addEdge(START, "a")
      .addConditionalEdges("a", (state) => (state.aggregate.length < 7 ? "b" : END))
      .addEdge("b", "c")
      .addEdge("b", "d")
      .addEdge(["c", "d"], "a")
      .compile();
    t.note("result", await graph.invoke({ aggregate: [] }));
    const counting = new StateGraph(
      Annotation.Root({
        steps: Annotation<number[]>({ reducer: (a, b) => a.concat(b), default: () => [] }),
      }),
    )
      .addNode("n", (_: any, config: any) => ({
        steps: [config.metadata?.langgraph_step as number, config.recursionLimit as number],
      }))
      .addEdge(START, "n")
      .addConditionalEdges("n", (_: any, config: any) =>
        (config.metadata?.langgraph_step as number) >= 3 ? END : "n",
      )
      .compile();
    t.note("steps", await counting.invoke({}, { recursionLimit: 7 }));
  },
  "Commands that update and go": async (t) => {
    const State = new StateSchema({ foo: z.string() });
    const nodeA: GraphNode<typeof State, Record<string, any>, "nodeB" | "nodeC"> = (state) =>
      new Command({
        update: { foo: state.foo === "c" ? "to c" : "to b" },
        goto: state.foo === "c" ? "nodeC" : "nodeB",
      });
    const graph = new StateGraph(State)
      .addNode("nodeA", nodeA, { ends: ["nodeB", "nodeC"] })
      .addNode("nodeB", (state) => ({ foo: `${state.foo}|B` }))
      .addNode("nodeC", (state) => ({ foo: `${state.foo}|C` }))
      .addEdge(START, "nodeA")
      .compile();
    t.note("b", await graph.invoke({ foo: "" }));
    t.note("c", await graph.invoke({ foo: "c" }));
    t.note("drawn", graph.getGraph().drawMermaid());
  },
  "a Command to a node of the parent": async (t) => {
    const State = new StateSchema({
      foo: new ReducedValue(z.string().default(""), { reducer: (x, y) => x + y }),
    });
    const inner = new StateGraph(State)
      .addNode(
        "nodeA",
        () => new Command({ update: { foo: "a" }, goto: "nodeB", graph: Command.PARENT }),
        { ends: [] },
      )
      .addEdge(START, "nodeA")
      .compile();
    const graph = new StateGraph(State)
      .addNode("subgraph", inner, { ends: ["nodeB", "nodeC"] })
      .addNode("nodeB", (state) => (t.note("b", state.foo), { foo: "b" }))
      .addNode("nodeC", () => ({ foo: "c" }))
      .addEdge(START, "subgraph")
      .compile();
    t.note("result", await graph.invoke({ foo: "" }));
    await t.stream(graph, { foo: "" }, { subgraphs: true });
  },
  "Commands with Sends, several destinations, END": async (t) => {
    const State = Annotation.Root({
      list: Annotation<string[]>({ reducer: (a, b) => a.concat(b), default: () => [] }),
    });
    const build = (goto: any) =>
      new StateGraph(State)
        .addNode("a", () => new Command({ goto, update: { list: ["a"] } }), {
          ends: ["b", "c", END],
        })
        .addNode("b", (given: any) => ({ list: [`b ${JSON.stringify(given)}`] }))
        .addNode("c", () => ({ list: ["c"] }))
        .addEdge(START, "a")
        .compile();
    for (const goto of [
      END,
      ["b", "c"],
      new Send("b", { x: 1 }),
      [new Send("b", { x: 1 }), new Send("b", { x: 2 }), "c"],
      [],
      undefined,
    ])
      t.note("result", await build(goto).invoke({ list: ["in"] }));
    t.note("is", [
      isCommand(new Command({ goto: "a" })),
      isCommand({}),
      new Command({ goto: "a", update: { list: [] } }).toJSON(),
    ]);
  },
  "Overwrite instead of the reducer": async (t) => {
    const graph = new StateGraph(Words)
      .addNode("add", () => ({ aggregate: ["first"] }))
      .addNode("replace", () => ({ aggregate: new Overwrite(["replacement"]) as any }))
      .addNode("plain", () => ({ aggregate: { __overwrite__: ["by a plain object"] } as any }))
      .addEdge(START, "add")
      .addEdge("add", "replace")
      .addEdge("replace", "plain")
      .compile();
    await t.stream(graph, { aggregate: ["initial"] }, { streamMode: ["values", "updates"] });
  },
  "untracked values": async (t) => {
    const State = new StateSchema({
      n: z.number(),
      client: new UntrackedValue(z.custom<{ ask(): string }>()),
    });
    const graph = new StateGraph(State)
      .addNode("a", (state) => ({ n: state.n + 1, client: { ask: () => "answer" } }))
      .addNode("b", (state) => (t.note("asked", state.client?.ask()), { n: 5 }))
      .addEdge(START, "a")
      .addEdge("a", "b")
      .compile({ checkpointer: new MemorySaver() });
    await t.invoke(graph, { n: 1 }, onThread("1"));
    await t.state(graph, onThread("1"));
  },
  "messages: added, replaced by id, removed, all removed": async (t) => {
    const steps = [
      [new AIMessage({ id: "1", content: "one" })],
      [new AIMessage({ id: "1", content: "uno" }), new HumanMessage({ id: "2", content: "two" })],
      [new RemoveMessage({ id: "1" })],
      [
        new RemoveMessage({ id: REMOVE_ALL_MESSAGES }),
        new AIMessage({ id: "3", content: "fresh" }),
      ],
      [new RemoveMessage({ id: "none" })],
    ];
    const names = steps.map((_, index) => `s${index}`);
    const graph = new StateGraph(MessagesAnnotation)
      .addSequence(
        steps.map((messages, index) => [names[index], () => ({ messages })] as [string, any]),
      )
      .addEdge(START, "s0")
      .compile();
    for await (const { messages } of await graph
      .stream({ messages: "hi" as any }, { streamMode: "values", recursionLimit: 20 })
      .then(
        (stream) => stream,
        () => [] as any,
      )) {
      t.note("messages", messages);
      if (messages.length === 1 && messages[0].id === "3") break;
    }
    await t.invoke(graph, { messages: [["system", "sys"]] });
    t.note(
      "addMessages",
      addMessages(
        [new HumanMessage({ id: "a", content: "x" })],
        [["ai", "y"] as any, new ToolMessage({ id: "t", content: "z", tool_call_id: "c" })],
      ),
    );
    t.note(
      "filtered",
      filterMessages(
        [new HumanMessage({ id: "a", content: "x" }), new SystemMessage({ id: "b", content: "s" })],
        { includeTypes: ["human"] },
      ),
    );
    t.note(
      "trimmed",
      await trimMessages(
        [
          new SystemMessage({ id: "b", content: "s" }),
          new HumanMessage({ id: "a", content: "x" }),
          new AIMessage({ id: "c", content: "y" }),
          new HumanMessage({ id: "d", content: "z" }),
        ],
        {
          maxTokens: 3,
          tokenCounter: (list) => list.length,
          strategy: "last",
          startOn: "human",
          includeSystem: true,
        },
      ),
    );
  },
  "a node that is kept in a cache": async (t) => {
    let calls = 0;
    const State = Annotation.Root({ x: Annotation<number>, result: Annotation<number> });
    const graph = new StateGraph(State)
      .addNode("expensive", async (state) => (calls++, { result: state.x * 2 }), {
        cachePolicy: { ttl: 3 },
      })
      .addEdge(START, "expensive")
      .compile({ cache: new InMemoryCache() });
    await t.stream(graph, { x: 5 }, { streamMode: "updates" });
    await t.stream(graph, { x: 5 }, { streamMode: "updates" });
    await t.stream(graph, { x: 6 }, { streamMode: "updates" });
    t.note("calls", calls);
  },
  "a runnable and a graph as nodes; tags and metadata of a node": async (t) => {
    const State = Annotation.Root({ x: Annotation<number> });
    const inner = new StateGraph(State)
      .addNode("i", (state: typeof State.State) => ({ x: state.x * 10 }))
      .addEdge(START, "i")
      .compile({ name: "inner" });
    const graph = new StateGraph(State)
      .addNode(
        "lambda",
        RunnableLambda.from(async (state: { x: number }) => ({ x: state.x + 1 })),
        { metadata: { kind: "lambda" } },
      )
      .addNode("inner", inner)
      .addNode(
        "told",
        (_: any, config: any) => (
          t.note("metadata", [
            config.metadata?.thread_id,
            config.metadata?.mine,
            config.tags,
            config.metadata?.langgraph_node,
            config.metadata?.langgraph_triggers,
          ]),
          {}
        ),
      )
      .addEdge(START, "lambda")
      .addEdge("lambda", "inner")
      .addEdge("inner", "told")
      .compile({ name: "outer", checkpointer: new MemorySaver() });
    t.note(
      "result",
      await graph.invoke(
        { x: 1 },
        { ...onThread("1"), metadata: { mine: 1 }, tags: ["t"], runName: "named" },
      ),
    );
    t.note("names", [graph.name, graph.getName(), graph.lg_is_pregel]);
    t.note("piped", await graph.pipe((state: any) => state.x + 1).invoke({ x: 2 }, onThread("2")));
    t.note(
      "batch",
      await graph.batch([{ x: 1 }, { x: 2 }], [onThread("3"), onThread("4")], {
        maxConcurrency: 1,
      }),
    );
    t.note("xray", (await graph.getGraphAsync({ xray: true })).drawMermaid());
  },
  "what a node is told": async (t) => {
    const State = new StateSchema({ n: z.number() });
    const node = async (_: typeof State.State, runtime: Runtime<{ user: string }>) => {
      const { executionInfo, context, store, writer, signal, interrupt, configurable } =
        runtime as any;
      t.note("told", {
        attempt: executionInfo?.nodeAttempt,
        thread: executionInfo?.threadId,
        context,
        store: store !== undefined,
        writer: typeof writer,
        signal: typeof signal,
        interrupt: typeof interrupt,
        configurable: configurable?.thread_id,
      });
      return { n: 1 };
    };
    const graph = new StateGraph(State)
      .addNode("told", node as any)
      .addEdge(START, "told")
      .compile({ checkpointer: new MemorySaver() });
    await t.invoke(graph, { n: 0 }, { ...onThread("1"), context: { user: "ann" } });
    await t.invoke(graph, { n: 0 }, onThread("2"));
  },
};
