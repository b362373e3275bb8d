// SPDX-License-Identifier: MIT
// Serves: programs as LangGraph's guides write them: annotated graphs and nodes, memory, people in
// the loop, streams, graphs inside graphs, savers and stores of one's own, workflows of functions.
// They mean the same with LangGraph.js.
import {
  AIMessage,
  BaseMessage,
  HumanMessage,
  ToolMessage,
  isAIMessageChunk,
  type AIMessageChunk,
  type BaseMessageLike,
} from "@langchain/core/messages";
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { RunnableConfig, RunnableLike, RunnableInterface } from "@langchain/core/runnables";
import { Runnable, RunnableLambda } from "@langchain/core/runnables";
import { tool } from "@langchain/core/tools";
import { z } from "zod";
import {
  Annotation,
  BaseCheckpointSaver,
  BaseLangGraphError,
  BaseStore,
  BinaryOperatorAggregate,
  Command,
  CompiledStateGraph,
  END,
  EmptyInputError,
  GraphInterrupt,
  GraphRecursionError,
  INTERRUPT,
  InMemoryStore,
  InvalidUpdateError,
  LangGraphRunnableConfig,
  MemorySaver,
  Messages,
  MessagesAnnotation,
  MessagesZodMeta,
  NodeInterrupt,
  PregelOptions,
  RetryPolicy,
  Runtime,
  START,
  Send,
  StateDefinition,
  StateGraph,
  StateSnapshot,
  StateType,
  StreamMode,
  StreamOutputMap,
  UpdateType,
  addMessages,
  copyCheckpoint,
  emptyCheckpoint,
  entrypoint,
  getConfig,
  getCurrentTaskInput,
  getPreviousState,
  getStore,
  getWriter,
  interrupt,
  isCommand,
  isGraphInterrupt,
  isInterrupted,
  isParentCommand,
  messagesStateReducer,
  pushMessage,
  task,
  type BaseChannel,
  type Checkpoint,
  type CheckpointMetadata,
  type CheckpointTuple,
  type CompiledGraph,
  type GraphNode,
  type Interrupt,
  type Item,
  type Operation,
  type OperationResults,
  type Pregel,
  type PregelNode,
  type StateGraphArgs,
} from "weftgraph";
import {
  ToolNode,
  createReactAgent,
  toolsCondition,
  type CreateReactAgentParams,
  type HumanInterrupt,
  type HumanResponse,
} from "weftgraph/prebuilt";
import { expectType } from "./expect.js";

declare const model: BaseChatModel;

// ---- annotated graphs and functions that take them

const State = Annotation.Root({
  topic: Annotation<string>,
  joke: Annotation<string>(),
  aggregate: Annotation<string[]>({ reducer: (x, y) => x.concat(y), default: () => [] }),
});
type StateShape = typeof State.State;
type UpdateShape = typeof State.Update;
const nodeA = async (
  state: StateShape,
  config: LangGraphRunnableConfig,
): Promise<Partial<StateShape>> => ({ topic: `${state.topic} ${config.configurable?.thread_id}` });
const nodeB = (state: typeof State.State): UpdateShape => ({ joke: state.topic, aggregate: ["b"] });
function nodeC(_: StateShape, config?: RunnableConfig): Partial<typeof State.State> {
  return { aggregate: [String(config?.configurable?.["user"])] };
}
const builder = new StateGraph(State)
  .addNode("nodeA", nodeA)
  .addNode("nodeB", nodeB)
  .addNode("nodeC", nodeC)
  .addEdge(START, "nodeA")
  .addEdge("nodeA", "nodeB")
  .addEdge("nodeB", "nodeC")
  .addEdge("nodeC", END);
const graph = builder.compile({ checkpointer: new MemorySaver(), store: new InMemoryStore() });
const annotated: CompiledStateGraph<
  StateShape,
  UpdateShape,
  "nodeA" | "nodeB" | "nodeC" | typeof START
> = graph as any;
const loose: CompiledStateGraph<any, any, any, any, any, any> = graph;
const looser: CompiledGraph<any, any, any> = graph as any;
const asRunnable: Runnable<any, any> = graph;
const asInterface: RunnableInterface = graph;
const asPregel: Pregel<any, any> = graph;
type Inside = StateType<typeof State.spec>;
type Updates = UpdateType<typeof State.spec>;
const inside: Inside = { topic: "t", joke: "j", aggregate: [] };
const updates: Updates = { aggregate: ["x"] };
function compileWith<SD extends StateDefinition>(spec: SD, saver?: BaseCheckpointSaver) {
  return [spec, saver] as const;
}
compileWith(State.spec, new MemorySaver());
const makeGraph = (checkpointer?: BaseCheckpointSaver | boolean, store?: BaseStore) =>
  builder.compile({ checkpointer, store });
type Made = ReturnType<typeof makeGraph>;
const stored = new Map<string, Made>();
stored.set("a", graph);
const lambda: RunnableLike<StateShape, Partial<StateShape>> = RunnableLambda.from(
  async (state: StateShape) => ({ joke: state.topic }),
);
new StateGraph(State).addNode("lambda", lambda);
const route = (state: StateShape): "nodeB" | typeof END => (state.topic ? "nodeB" : END);
new StateGraph(State).addNode("nodeB", nodeB).addConditionalEdges(START, route);
const fanOut = (state: StateShape) =>
  state.aggregate.map((item) => new Send("nodeB", { topic: item }));
new StateGraph(State)
  .addNode("nodeB", nodeB)
  .addConditionalEdges(START, fanOut, ["nodeB"])
  .addEdge("nodeB", END);
const retryPolicy: RetryPolicy = {
  maxAttempts: 3,
  retryOn: (error) => (error as Error)?.name === "HTTPError",
};
new StateGraph(State).addNode("a", nodeB, { retryPolicy, cachePolicy: { ttl: 5 } });

// ---- streams

async function streams() {
  for await (const [mode, chunk] of await graph.stream(
    { topic: "x" },
    { streamMode: ["updates", "messages", "custom", "values", "debug"] },
  )) {
    if (mode === "updates") chunk.nodeA?.topic satisfies string | undefined;
    if (mode === "messages") {
      const [message, metadata] = chunk;
      if (isAIMessageChunk(message as AIMessageChunk)) (message as AIMessageChunk).content;
      metadata.langgraph_node;
    }
    if (mode === "custom") chunk satisfies any;
    if (mode === "values") chunk.aggregate satisfies string[];
  }
  for await (const [namespace, chunk] of await graph.stream(
    { topic: "x" },
    { streamMode: "updates", subgraphs: true },
  ))
    [namespace.join(), chunk.nodeB?.joke];
  for await (const event of graph.streamEvents({ topic: "x" }, { version: "v2" }))
    if (event.event === "on_chat_model_stream") event.data.chunk;
  const modes: StreamMode[] = ["values", "updates"];
  for await (const chunk of await graph.stream({ topic: "x" }, { streamMode: modes }))
    chunk satisfies unknown;
  const mode: StreamMode = "values" as StreamMode;
  for await (const chunk of await graph.stream({ topic: "x" }, { streamMode: mode }))
    chunk satisfies unknown;
  const options: Partial<PregelOptions<any, any>> = { streamMode: "values", recursionLimit: 5 };
  void options;
  const stream = await graph.stream({ topic: "x" });
  const reader = stream.getReader();
  void (await reader.read()).value;
  new Response(await graph.stream({ topic: "x" }, { encoding: "text/event-stream" }));
  const controller = new AbortController();
  await graph.invoke(
    { topic: "x" },
    {
      signal: controller.signal,
      timeout: 5,
      maxConcurrency: 2,
      runName: "r",
      tags: ["t"],
      metadata: { a: 1 },
      callbacks: [],
    },
  );
  await graph.batch([{ topic: "a" }, { topic: "b" }], { maxConcurrency: 1 });
  const drawn = await graph.getGraphAsync({ xray: true });
  const image: Blob = await drawn.drawMermaidPng();
  void image.arrayBuffer();
  graph.getGraph().drawMermaid() satisfies string;
}

// ---- people in the loop, Commands

async function people() {
  const config = { configurable: { thread_id: "1" } };
  const result = await graph.invoke({ topic: "x" }, config);
  if (isInterrupted<string>(result)) {
    const [question] = result[INTERRUPT];
    expectType<string | undefined>()(question?.value);
  }
  if ("__interrupt__" in result) void result.__interrupt__;
  await graph.invoke(new Command({ resume: { action: "continue" } }), config);
  await graph.stream(new Command({ resume: true, update: { topic: "y" } }), {
    ...config,
    streamMode: "updates",
  });
  const state = await graph.getState(config);
  state.tasks[0]?.interrupts[0]?.value satisfies any;
  state.next satisfies string[];
  (state.tasks[0]?.state as StateSnapshot | undefined)?.values;
  await graph.updateState(config, { topic: "z" });
  await graph.updateState(state.config, new Command({ update: {} }) as any, "nodeA");
  const all: StateSnapshot[] = [];
  for await (const past of graph.getStateHistory(config)) all.push(past);
  const before = all.find((past) => past.next.includes("nodeB"))!;
  await graph.invoke(null, before.config);
  await graph.invoke(null, {
    configurable: { thread_id: "1", checkpoint_id: before.config.configurable!.checkpoint_id },
  });
}
const humanApproval = async (state: StateShape): Promise<Command> => {
  const isApproved = interrupt({ question: "Is this correct?", output: state.joke });
  return isApproved
    ? new Command({ goto: "nodeB" })
    : new Command({ goto: END, graph: Command.PARENT });
};
new StateGraph(State)
  .addNode("approve", humanApproval, { ends: ["nodeB", END] })
  .addNode("nodeB", nodeB)
  .addEdge(START, "approve");
const asked: HumanResponse = interrupt<HumanInterrupt[], HumanResponse[]>([
  {
    action_request: { action: "a", args: {} },
    config: { allow_accept: true, allow_edit: true, allow_ignore: true, allow_respond: true },
  },
])[0]!;
const typedCommand = new Command<{ ok: boolean }, { topic: string }, "nodeA">({
  resume: { ok: true },
  update: { topic: "x" },
  goto: ["nodeA"],
});
const goesOn: GraphNode<typeof State> = async (state) =>
  new Command({ update: { topic: state.topic }, goto: END });

// ---- tools, agents, handoffs

const weather = tool(
  async ({ city }, config: LangGraphRunnableConfig) => {
    config.writer?.(`Looking up ${city}`);
    await config.store?.put(["users"], "1", { city });
    const state = getCurrentTaskInput() as typeof MessagesAnnotation.State;
    return `${state.messages.length}`;
  },
  { name: "weather", description: "Weather.", schema: z.object({ city: z.string() }) },
);
const handoff = tool(
  (_, config) =>
    new Command({
      goto: "other",
      graph: Command.PARENT,
      update: {
        messages: [new ToolMessage({ content: "ok", tool_call_id: (config as any).toolCall.id })],
      },
    }),
  { name: "handoff", description: "h", schema: z.object({}) },
);
const toolNode = new ToolNode([weather, handoff], { handleToolErrors: false });
const callModel = async (state: typeof MessagesAnnotation.State) => ({
  messages: [await model.bindTools!([weather]).invoke(state.messages)],
});
const shouldContinue = ({ messages }: typeof MessagesAnnotation.State) =>
  (messages.at(-1) as AIMessage).tool_calls?.length ? "tools" : END;
const chatbot = new StateGraph(MessagesAnnotation)
  .addNode("agent", callModel)
  .addNode("tools", toolNode)
  .addEdge(START, "agent")
  .addConditionalEdges("agent", shouldContinue, ["tools", END])
  .addEdge("tools", "agent")
  .compile();
new StateGraph(MessagesAnnotation)
  .addNode("agent", callModel)
  .addNode("tools", toolNode)
  .addConditionalEdges("agent", toolsCondition);
const AgentState = Annotation.Root({ ...MessagesAnnotation.spec, userName: Annotation<string> });
const agent = createReactAgent({
  llm: model,
  tools: [weather],
  name: "expert",
  checkpointSaver: new MemorySaver(),
  store: new InMemoryStore(),
  stateSchema: AgentState,
  interruptBefore: ["tools"],
  version: "v2",
  prompt: (state, config) => [
    { role: "system", content: `${config.configurable?.userId}` },
    ...state.messages,
  ],
  preModelHook: (state) => ({ llmInputMessages: state.messages.slice(-3) }),
  postModelHook: () => ({}),
});
const params: CreateReactAgentParams = { llm: model, tools: [weather] };
const inTeam = new StateGraph(MessagesAnnotation)
  .addNode("expert", agent)
  .addNode("chatbot", chatbot, { ends: ["expert"] })
  .addEdge(START, "expert")
  .addEdge("expert", "chatbot")
  .compile();
const called = async (state: StateShape) => {
  const inner = await chatbot.invoke({ messages: [{ role: "user", content: state.topic }] });
  const last: BaseMessage = inner.messages[inner.messages.length - 1]!;
  return { joke: last.content as string };
};
new StateGraph(State).addNode("called", called, { subgraphs: [chatbot] });

// ---- savers, stores, channels of one's own

class OwnSaver extends BaseCheckpointSaver {
  async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    const checkpoint: Checkpoint = copyCheckpoint(emptyCheckpoint());
    return {
      config,
      checkpoint,
      metadata: { source: "loop", step: 1, parents: {} },
      pendingWrites: [],
    };
  }
  async *list(
    config: RunnableConfig,
    _options?: { limit?: number; before?: RunnableConfig; filter?: Record<string, any> },
  ): AsyncGenerator<CheckpointTuple> {
    yield (await this.getTuple(config))!;
  }
  async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    _metadata: CheckpointMetadata,
  ): Promise<RunnableConfig> {
    const [type, bytes] = await this.serde.dumpsTyped(checkpoint);
    await this.serde.loadsTyped(type, bytes);
    return { configurable: { ...config.configurable, checkpoint_id: "1" } };
  }
  async putWrites(): Promise<void> {}
  async deleteThread(): Promise<void> {}
}
builder.compile({ checkpointer: new OwnSaver() });
class OwnStore extends BaseStore {
  async batch<Op extends readonly Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    return operations.map(() => null) as OperationResults<Op>;
  }
}
builder.compile({ store: new OwnStore() });
async function memories(store: BaseStore) {
  const found = await store.search(["memories", "u"], {
    query: "q",
    limit: 2,
    filter: { kind: "x" },
  });
  found.map(({ value, key, score, namespace }) => [value.data, key, score, namespace.join()]);
  const item: Item | null = await store.get(["a"], "b");
  item?.updatedAt satisfies Date | undefined;
  await store.delete(["a"], "b");
  (await store.listNamespaces({ prefix: ["a"], maxDepth: 2 }))[0]?.join();
}
new InMemoryStore({ index: { embeddings: {} as any, dims: 3, fields: ["text"] } });
const channel: BaseChannel = new BinaryOperatorAggregate<number>(
  (a, b) => a + b,
  () => 0,
);

// ---- functions

const compose = task(
  { name: "compose", retry: { maxAttempts: 2 } },
  async ({ topic }: { topic: string }) => topic.length,
);
const plainTask = task("plain", async (a: number, b: string) => `${a}${b}`);
const workflow = entrypoint(
  { checkpointer: new MemorySaver(), name: "workflow" },
  async (inputs: { topic: string }, config: LangGraphRunnableConfig) => {
    const previous = getPreviousState<number>() ?? 0;
    const length = await compose({ topic: inputs.topic });
    const text = await plainTask(length, "x");
    const answer = interrupt<string, boolean>("ok?");
    config.writer?.({ previous });
    return entrypoint.final({ value: { text, answer }, save: previous + length });
  },
);
async function functions() {
  const { text, answer } = await workflow.invoke(
    { topic: "x" },
    { configurable: { thread_id: "1" } },
  );
  [text satisfies string, answer satisfies boolean];
  for await (const chunk of await workflow.stream({ topic: "x" })) void chunk;
  await workflow.invoke(new Command({ resume: true }));
  getWriter()?.("x");
  getStore()?.get(["a"], "b");
  getConfig().configurable;
  pushMessage(new AIMessage({ content: "x", id: "1" }));
}

// ---- errors, guards, older names

function handle(error: unknown) {
  if (
    error instanceof GraphRecursionError ||
    error instanceof InvalidUpdateError ||
    error instanceof EmptyInputError
  )
    return error.lc_error_code;
  if (isGraphInterrupt(error)) return error.interrupts[0]?.value;
  if (isParentCommand(error as Error)) return (error as any).command;
  if (error instanceof BaseLangGraphError) return error.message;
  return isCommand(error) ? error.goto : undefined;
}
const failed = new NodeInterrupt("wait");
const caught: GraphInterrupt = new GraphInterrupt([{ value: "x" } as Interrupt]);
const messages: Messages = ["hi", new HumanMessage("x")];
addMessages([], messages) satisfies BaseMessage[];
messagesStateReducer([], [{ role: "user", content: "x" }]);
const Meta = z.object({ list: z.custom<BaseMessage[]>() });
const args: StateGraphArgs<{ a: string }>["channels"] = {
  a: { value: (x: string, y: string) => y ?? x, default: () => "" },
};
const runtimeOf = (runtime: Runtime<{ user: string }>) =>
  [
    runtime.context?.user,
    runtime.signal,
    runtime.writer,
    runtime.store,
    runtime.interrupt,
  ] as const;
const withRuntime = new StateGraph(MessagesAnnotation, z.object({ user: z.string() }))
  .addNode("a", (_state, runtime: Runtime<{ user: string }>) => ({
    messages: [new AIMessage(runtime.context?.user ?? "")],
  }))
  .addEdge(START, "a")
  .compile();
async function contexts() {
  await withRuntime.invoke({ messages: [] }, { context: { user: "u" } });
  // @ts-expect-error the wrong type of a context
  await withRuntime.invoke({ messages: [] }, { context: { user: 5 } });
  const nodes: Record<string, PregelNode> = graph.nodes as any;
  type Out = StreamOutputMap<
    "values",
    false,
    UpdateShape,
    StateShape,
    "a",
    unknown,
    any,
    undefined
  >;
  const values = {} as Out;
  return [nodes, values];
}
void [
  annotated,
  loose,
  looser,
  asRunnable,
  asInterface,
  inside,
  updates,
  streams,
  people,
  asked,
  typedCommand,
  goesOn,
  params,
  inTeam,
  memories,
  channel,
  functions,
  handle,
  failed,
  caught,
  Meta,
  args,
  runtimeOf,
  contexts,
  {} as BaseMessageLike,
  MessagesZodMeta,
];

// ---- more of annotations and helpers

import { Channel, Pregel as LowLevel } from "weftgraph/pregel";
import { EphemeralValue, LastValue, Topic } from "weftgraph/channels";
import { RemoteGraph } from "weftgraph/remote";

const low = new LowLevel({
  nodes: {
    one: Channel.subscribeTo("a")
      .pipe((x: number) => x + 1)
      .pipe(Channel.writeTo(["b"])),
  },
  channels: {
    a: new EphemeralValue<number>(),
    b: new LastValue<number>(),
    t: new Topic<string>({ accumulate: true }),
  },
  inputChannels: "a",
  outputChannels: "b",
  streamMode: ["values"],
});
const lowNode: PregelNode = low.nodes.one;
await low.invoke(5 as any);
const remote = new RemoteGraph({ graphId: "g", url: "http://x", apiKey: "k", headers: { a: "b" } });
new StateGraph(State).addNode("remote", remote).addEdge(START, "remote");
(await remote.getState({ configurable: { thread_id: "1" } })).values;
for await (const chunk of await remote.stream(
  { topic: "x" },
  { streamMode: ["values", "updates"], subgraphs: true },
))
  void chunk;
for await (const past of remote.getStateHistory({ configurable: { thread_id: "1" } })) past.next;
const piped = remote.pipe((state: any) => state.topic).withRetry({ stopAfterAttempt: 2 });
void piped.invoke({});
const remoteEvents = remote.streamEvents({ topic: "x" }, { version: "v2" });
void remoteEvents;
void [lowNode];

type GraphOf<T> = T extends CompiledStateGraph<infer S, any, any, any, any, any> ? S : never;
const shape = {} as GraphOf<typeof graph>;
shape.topic satisfies string;
type NodesOf = Parameters<typeof builder.addEdge>;
type InvokeInput = Parameters<typeof graph.invoke>[0];
type InvokeOptions = Parameters<typeof graph.invoke>[1];
type InvokeOutput = Awaited<ReturnType<typeof graph.invoke>>;
const someInput: InvokeInput = { topic: "x" };
// @ts-expect-error no input
const noInput: InvokeInput = { topic: 5 };
const someOptions: InvokeOptions = { recursionLimit: 5, configurable: { thread_id: "1" } };
const someOutput = (output: InvokeOutput) => output.aggregate.length;
type NodeFunction = Parameters<typeof builder.addNode>[1];
const partial = (state: StateShape): Partial<StateShape> | Command =>
  state.topic ? { topic: "x" } : new Command({ goto: END });
new StateGraph(State).addNode("partial", partial, { ends: [END] });
const many = Object.fromEntries(
  ["a", "b"].map((name) => [name, async () => ({ aggregate: [name] })]),
);
new StateGraph(State)
  .addNode(many as Record<"a" | "b", () => Promise<{ aggregate: string[] }>>)
  .addEdge("a", "b");
let dynamic: StateGraph<any, any, any, any> = new StateGraph(State) as any;
for (const name of ["x", "y"]) dynamic = dynamic.addNode(name, async () => ({})) as any;
(dynamic as any).addEdge(START, "x").compile();
const WithDefaults = Annotation.Root({
  value: Annotation<{ a?: number } | null>({
    reducer: (left, right) => ({ ...left, ...right }),
    default: () => null,
  }),
  map: Annotation<Map<string, number>>,
  list: Annotation<string[]>({ value: (x, y) => (y ? x.concat(y) : x), default: () => [] }),
});
const joined = Annotation.Root({ ...State.spec, ...WithDefaults.spec, ...MessagesAnnotation.spec });
new StateGraph(joined).addNode("a", (state) => {
  state.map.get(state.topic) satisfies number | undefined;
  state.value?.a satisfies number | undefined;
  state.messages.at(-1)?.text satisfies string | undefined;
  return { value: { a: 1 }, list: ["x"], messages: "hi" };
});
const ZodState = z.object({
  name: z.string(),
  count: z.number().optional(),
  nested: z.object({ a: z.array(z.string()) }).nullable(),
});
type ZodShape = z.infer<typeof ZodState>;
const zodNode = async (state: ZodShape): Promise<Partial<ZodShape>> => ({
  count: (state.count ?? 0) + 1,
});
const zodGraph = new StateGraph(ZodState)
  .addNode("a", zodNode)
  .addEdge(START, "a")
  .addConditionalEdges("a", (state: ZodShape) => (state.count! > 3 ? END : "a"), {
    a: "a",
    [END]: END,
  })
  .compile();
void (async () => {
  const { nested, count } = await zodGraph.invoke({ name: "x", nested: null });
  [nested?.a satisfies string[] | undefined, count satisfies number | undefined];
  for await (const { a } of await zodGraph.stream(
    { name: "x", nested: null },
    { streamMode: "updates" },
  ))
    a?.count satisfies number | undefined;
  const [first, second] = await Promise.all([
    zodGraph.invoke({ name: "x", nested: null }),
    graph.invoke({ topic: "x" }),
  ]);
  [first.name, second.joke] satisfies string[];
});
const subgraph = new StateGraph(State)
  .addNode("one", nodeB)
  .addEdge(START, "one")
  .compile({ checkpointer: true });
const parent = new StateGraph(State)
  .addNode("sub", subgraph)
  .addNode("call", async (state, config) => subgraph.invoke(state, config))
  .addEdge(START, "sub")
  .addEdge("sub", "call")
  .compile();
void (async () => {
  for (const [name, found] of parent.getSubgraphs()) [name satisfies string, found.getGraph];
  for await (const [name] of parent.getSubgraphsAsync("sub", true)) name satisfies string;
  for await (const [namespace, mode, chunk] of await parent.stream(
    { topic: "x" },
    { streamMode: ["updates", "custom"], subgraphs: true },
  ))
    [namespace.length, mode, chunk];
  const run = await parent.streamEvents({ topic: "x" }, { version: "v3" });
  for await (const event of run) void event;
  (await run.output).topic satisfies string;
  const asTool = parent.asTool({
    name: "t",
    description: "d",
    schema: z.object({ topic: z.string() }),
  });
  void asTool.invoke({ topic: "x" } as any);
  parent
    .withConfig({ recursionLimit: 3, tags: ["x"] })
    .withConfig({ configurable: { thread_id: "1" } })
    .invoke({ topic: "x" });
});
void [someInput, noInput, someOptions, someOutput, zodNode, {} as NodesOf, {} as NodeFunction];
