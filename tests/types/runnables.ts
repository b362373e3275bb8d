// SPDX-License-Identifier: MIT
// Serves: graphs, agents, workflows and ToolNodes wherever @langchain/core or LangGraph.js takes a
// Runnable.
import { ChatPromptTemplate } from "@langchain/core/prompts";
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { BaseMessage } from "@langchain/core/messages";
import {
  RouterRunnable,
  Runnable,
  RunnableBranch,
  RunnableEach,
  RunnableLambda,
  RunnableParallel,
  RunnablePassthrough,
  RunnableSequence,
  RunnableWithMessageHistory,
  type RunnableConfig,
  type RunnableInterface,
  type RunnableLike,
} from "@langchain/core/runnables";
import * as langgraph from "@langchain/langgraph";
import { ToolNode as TheirToolNode } from "@langchain/langgraph/prebuilt";
import { z } from "zod";
import {
  Annotation,
  Command,
  CompiledStateGraph,
  MessagesAnnotation,
  START,
  StateGraph,
  entrypoint,
  type CompiledGraph,
  type InferExtensions,
  type Pregel,
  type PregelOptions,
  type StreamTransformer,
} from "weftgraph";
import { ToolNode, ValidationNode, createReactAgent } from "weftgraph/prebuilt";
import { RemoteGraph } from "weftgraph/remote";

declare const model: BaseChatModel;
const State = Annotation.Root({
  text: Annotation<string>,
  n: Annotation<number>({ reducer: (left, right) => left + right, default: () => 0 }),
});
const graph = new StateGraph(State)
  .addNode("a", (state) => ({ text: `${state.text}!` }))
  .addEdge(START, "a")
  .compile();
const chat = new StateGraph(MessagesAnnotation)
  .addNode("a", (state) => ({ messages: state.messages }))
  .addEdge(START, "a")
  .compile();
const agent = createReactAgent({ llm: model, tools: [] });
const flow = entrypoint("flow", async (text: string) => text.length);
const remote = new RemoteGraph({ graphId: "x" });
const tools = new ToolNode([]);

const takesInterface = (given: RunnableInterface) => given.invoke({});
const takesRunnable = (given: Runnable) => given.invoke({});
for (const one of [graph, chat, agent, flow, remote, tools, new ValidationNode([])])
  void [takesInterface(one), takesRunnable(one)];
[graph, agent, flow] satisfies RunnableLike[];
// @ts-expect-error no Runnable
takesRunnable({ invoke: async () => 1 });
declare function resultOf<Input, Output>(runnable: Runnable<Input, Output>): Output;
resultOf(graph).text satisfies string;
// @ts-expect-error no number
resultOf(graph).text satisfies number;
resultOf(flow) satisfies number;

const prompt = ChatPromptTemplate.fromMessages([["user", "{q}"]]);
const chain = prompt.pipe((value) => ({ messages: value.toChatMessages() })).pipe(chat);
(await chain.invoke({ q: "x" })).messages satisfies BaseMessage[];
RunnableSequence.from([
  (text: string) => ({ text }),
  graph,
  (state: { text: string }) => state.text,
]);
new RunnableSequence({ first: RunnableLambda.from((text: string) => ({ text })), last: graph });
RunnableBranch.from([[() => true, graph], graph]);
RunnableParallel.from({ a: graph, b: (input: any) => input });
RunnablePassthrough.assign({ out: graph });
RunnableLambda.from((input: { text: string }) => graph);
RunnableLambda.from(async (input: { text: string }, config?: RunnableConfig) =>
  graph.invoke(input, config),
);
new RunnableEach({ bound: graph });
new RouterRunnable({ runnables: { a: graph } });
new RunnableWithMessageHistory({
  runnable: chat,
  getMessageHistory: async () => null as any,
  inputMessagesKey: "messages",
});
RunnableLambda.from((state: { text: string }) => state).withFallbacks([graph]);

[
  graph.withConfig({ tags: [] }),
  graph.withRetry(),
  graph.withFallbacks([graph]),
  graph.pipe((state) => state.text),
] satisfies Runnable[];
(await graph.pipe((state) => state.text).invoke({ text: "x" })) satisfies string;
// @ts-expect-error a text
(await graph.pipe((state) => state.text).invoke({ text: "x" })) satisfies number;
(await graph
  .pipe(RunnableLambda.from((state: { text: string }) => state.text.length))
  .invoke({ text: "x" })) satisfies number;
const bound: typeof graph = graph.withConfig({ configurable: { thread_id: "1" } });
const asTool = bound.asTool({
  name: "t",
  description: "d",
  schema: z.object({ text: z.string() }),
});
createReactAgent({ llm: model, tools: [asTool] });
model.bindTools!([asTool]);
const stream: ReadableStream = await graph.stream({ text: "x" });
for await (const { event } of graph.streamEvents({ text: "x" }, { version: "v2" }))
  event satisfies string;
for await (const { event } of flow.streamEvents("x", { version: "v2" })) event satisfies string;
(await (
  await flow.streamEvents("x", { version: "v3" })
).output) satisfies number;

new StateGraph(State)
  .addNode("graph", graph)
  .addNode(
    "lambda",
    RunnableLambda.from((state: typeof State.State) => ({ text: state.text })),
  )
  .addNode("remote", remote);
new StateGraph(MessagesAnnotation)
  .addNode("agent", agent)
  .addNode("tools", tools)
  .addNode("chat", chat)
  .addNode("theirs", new TheirToolNode([]));
const Theirs = langgraph.Annotation.Root({
  text: langgraph.Annotation<string>,
  n: langgraph.Annotation<number>,
});
const theirs = new langgraph.StateGraph(Theirs)
  .addNode("ours", graph)
  .addEdge(langgraph.START, "ours")
  .compile();
new StateGraph(State).addNode("theirs", theirs);
new langgraph.StateGraph(langgraph.MessagesAnnotation)
  .addNode("agent", agent)
  .addNode("chat", chat)
  .addNode("tools", tools);

[graph, agent, flow] satisfies Pregel<any, any>[];
[graph] satisfies CompiledStateGraph<any, any, any>[];
[graph, agent] satisfies CompiledGraph<any, any, any>[];
const options: Partial<PregelOptions<typeof graph.nodes, typeof graph.channels>> = {
  streamMode: "values",
  configurable: { thread_id: "1" },
};
await graph.invoke({ text: "x" }, options);
await graph.invoke(new Command({ resume: 1 }), options);
({ a: 1, b: "x" }) satisfies InferExtensions<
  [() => StreamTransformer<{ a: number }>, () => StreamTransformer<{ b: string }>]
>;
