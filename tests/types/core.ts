// SPDX-License-Identifier: MIT
// Serves: programs with @langchain/core's messages, models, prompts and tools; the state's messages
// are core's. With LangGraph.js's imports they mean the same.
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import {
  AIMessage,
  AIMessageChunk,
  BaseMessage,
  HumanMessage,
  RemoveMessage,
  SystemMessage,
  ToolMessage,
  filterMessages,
  isAIMessage,
  trimMessages,
  type BaseMessageLike,
} from "@langchain/core/messages";
import { ChatPromptTemplate } from "@langchain/core/prompts";
import { RunnableMap, RunnableSequence, type RunnableConfig } from "@langchain/core/runnables";
import { tool } from "@langchain/core/tools";
import { z } from "zod";
import {
  Annotation,
  Command,
  END,
  MessagesAnnotation,
  MessagesZodMeta,
  MessagesZodState,
  START,
  StateGraph,
  addMessages,
  entrypoint,
  messagesStateReducer,
  task,
  type BaseStore,
  type CompiledStateGraph,
  type LangGraphRunnableConfig,
  type Messages,
} from "weftgraph";
import { ToolNode, createReactAgent, toolsCondition } from "weftgraph/prebuilt";
import { registry } from "weftgraph/zod";

declare const model: BaseChatModel;
type State = typeof MessagesAnnotation.State;
const search = tool(async ({ q }) => `found ${q}`, {
  name: "search",
  description: "d",
  schema: z.object({ q: z.string() }),
});

const callModel = async (state: State, config?: RunnableConfig) => ({
  messages: [await model.invoke(state.messages, config)],
});
const bound = async (state: State) => ({
  messages: await model.bindTools!([search]).invoke([new SystemMessage("x"), ...state.messages]),
});
const next = (state: State) =>
  (state.messages[state.messages.length - 1] as AIMessage).tool_calls?.length ? "tools" : END;
const narrowed = ({ messages }: State) => {
  const last = messages.at(-1);
  if (last instanceof ToolMessage) return "tools";
  return last !== undefined && isAIMessage(last) && last.tool_calls?.length ? "tools" : END;
};
const graph = new StateGraph(MessagesAnnotation)
  .addNode("agent", callModel)
  .addNode("bound", bound)
  .addNode("tools", new ToolNode([search]))
  .addNode("drop", (state) => ({
    messages: state.messages.slice(0, -2).map(({ id }) => new RemoveMessage({ id: id! })),
  }))
  .addNode("chunk", () => ({ messages: new AIMessageChunk("x") }))
  .addNode("trim", async (state) => ({
    messages: await trimMessages(state.messages, {
      maxTokens: 5,
      tokenCounter: (list) => list.length,
      strategy: "last",
    }),
  }))
  .addNode("prompt", async (state, config: LangGraphRunnableConfig) => {
    const prompt = ChatPromptTemplate.fromMessages([
      ["system", "x"],
      ["placeholder", "{messages}"],
    ]);
    return { messages: await prompt.pipe(model).invoke({ messages: state.messages }, config) };
  })
  .addNode(
    "route",
    async (state) => {
      const { to } = await model
        .withStructuredOutput(z.object({ to: z.enum(["agent", "tools"]) }))
        .invoke(state.messages);
      return new Command({ goto: to, update: { messages: [new AIMessage("x")] } });
    },
    { ends: ["agent", "tools"] },
  )
  .addEdge(START, "agent")
  .addConditionalEdges("agent", next)
  .addConditionalEdges("bound", narrowed, ["tools", END])
  .compile();

const { messages } = await graph.invoke({ messages: [new HumanMessage("hi")] });
messages satisfies BaseMessage[];
// @ts-expect-error messages are no numbers
messages satisfies number[];
for (const input of [
  new HumanMessage("hi"),
  "hi",
  [{ role: "user", content: "hi" }],
  [["user", "hi"]],
] as Messages[])
  await graph.invoke({ messages: input });
await graph.invoke({ messages: ["user", "hi"] });
filterMessages(messages, { includeTypes: ["human"] });
messages.filter((message): message is ToolMessage => message.getType() === "tool");
toolsCondition({ messages });
for await (const [message] of await graph.stream({ messages: "x" }, { streamMode: "messages" })) {
  message satisfies BaseMessage;
  if (message instanceof AIMessageChunk) message.tool_call_chunks satisfies unknown[] | undefined;
}

const Own = Annotation.Root({
  messages: Annotation<BaseMessage[]>({ reducer: messagesStateReducer, default: () => [] }),
  likes: Annotation<BaseMessage[], BaseMessageLike[]>({
    reducer: (left, right) => addMessages(left, right),
    default: () => [],
  }),
});
new StateGraph(Own).addNode("a", async (state) => ({
  messages: [await model.invoke(state.messages)],
}));
messagesStateReducer([], new AIMessage("x")) satisfies BaseMessage[];

const agent = createReactAgent({
  llm: model,
  tools: [search],
  prompt: (state) => [new SystemMessage("x"), ...state.messages],
  responseFormat: z.object({ a: z.string() }),
});
const answer = await agent.invoke({ messages: [new HumanMessage("x")] });
answer.messages satisfies BaseMessage[];
answer.structuredResponse.a satisfies string;
createReactAgent({
  llm: () => model,
  tools: new ToolNode([search]),
  prompt: new SystemMessage("x"),
  contextSchema: z.object({ user: z.string() }),
});
new StateGraph(MessagesAnnotation)
  .addNode("inner", agent)
  .addNode("called", async (state) => ({ messages: (await agent.invoke(state)).messages }));

const Zod = z.object({ messages: MessagesZodState.shape.messages, x: z.string().optional() });
new StateGraph(Zod).addNode("a", (state) => {
  state.messages satisfies BaseMessage[];
  return { messages: [new AIMessage("x")] };
});

const Registered = z.object({
  messages: z.custom<BaseMessage[]>().register(registry, MessagesZodMeta),
  who: z.string(),
});
const registered = new StateGraph(Registered)
  .addNode("a", (state) => ({ messages: new AIMessage(state.who) }))
  .addEdge(START, "a")
  .compile();
(await registered.invoke({ messages: "x", who: "y" })).messages satisfies BaseMessage[];

async function remember(_: State, { store }: LangGraphRunnableConfig) {
  const held: BaseStore | undefined = store;
  const item = await held?.get(["a"], "k");
  item?.value satisfies Record<string, any> | undefined;
  for (const { key, score } of (await store?.search(["a"], { query: "x" })) ?? [])
    [key, score] satisfies [string, number | undefined];
  return {};
}
new StateGraph(MessagesAnnotation).addNode("remember", remember);

const length = task("length", async (text: string) => text.length);
const workflow = entrypoint({ name: "workflow" }, async ({ text }: { text: string }) => ({
  length: await length(text),
}));
(await workflow.invoke({ text: "x" })).length satisfies number;
for await (const chunk of await workflow.stream(
  { text: "x" },
  { streamMode: ["values", "updates"] },
)) {
  if (chunk[0] === "values") chunk[1].length satisfies number;
  // @ts-expect-error no such mode was asked for
  if (chunk[0] === "debug") break;
}
for await (const { payload } of await graph.stream({ messages: "x" }, { streamMode: "debug" }))
  payload.result;

const take = (given: CompiledStateGraph<any, any, any, any, any, any>) => given;
take(graph);
take(agent);
RunnableSequence.from([
  (text: string) => ({ messages: text }),
  graph,
  (state: any) => state.messages,
]);
RunnableMap.from({ state: graph, input: (input: any) => input });
graph.validate().streamChannelsAsIs satisfies unknown;
[graph.inputChannels, graph.outputChannels, graph.streamChannelsList] satisfies unknown[];
