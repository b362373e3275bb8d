// SPDX-License-Identifier: MIT
// Serves: a program that means the same to a compiler with LangGraph.js (tests/types/same.test.mjs
// compiles it with both).
import {
  Annotation,
  CheckpointMetadata,
  Command,
  CompiledGraphType,
  CompiledStateGraph,
  ConditionalEdgeRouter,
  DeltaValue,
  END,
  GraphNode,
  Interrupt,
  LangGraphRunnableConfig,
  MemorySaver,
  MessagesAnnotation,
  MessagesValue,
  MessagesZodState,
  Overwrite,
  OverwriteValue,
  Pregel,
  ReducedValue,
  Runtime,
  START,
  Send,
  StateGraph,
  StateGraphArgs,
  StateSchema,
  StateSnapshot,
  StreamTransformer,
  UntrackedValue,
  interrupt,
  isInterrupted,
  messagesStateReducer,
  writer,
} from "weftgraph";
import { BaseMessage, HumanMessage } from "@langchain/core/messages";
import { registry, withLangGraph } from "weftgraph/zod";
import { z } from "zod/v4";
import { z as z3 } from "zod/v3";
import { expectType } from "./expect.js";

// ---- annotations

const State = Annotation.Root({
  question: Annotation<string>,
  count: Annotation<number>(),
  tags: Annotation<string[], string>({
    reducer: (left, right) => left.concat(right),
    default: () => [],
  }),
  older: Annotation<number>({ value: (left, right) => left + right }),
  ...MessagesAnnotation.spec,
});
expectType<string>()(State.State.question);
expectType<number>()(State.State.count);
expectType<string[]>()(State.State.tags);
expectType<BaseMessage[]>()(State.State.messages);
expectType<string | OverwriteValue<string[]> | undefined>()(State.Update.tags);
expectType<number | undefined>()(State.Update.count);
// @ts-expect-error a key that the state does not have
State.State.nothing;

const graph = new StateGraph(State)
  .addNode("first", (state, config) => {
    expectType<string>()(state.question);
    expectType<AbortSignal>()(config.signal);
    config.writer({ any: 1 });
    const answer = interrupt<{ ask: string }, boolean>({ ask: "?" });
    expectType<boolean>()(answer);
    return { count: 1, tags: "x" };
  })
  .addNode("second", async () => ({ question: "q" }))
  .addNode("third", () => ({ count: 2 }))
  .addNode("fourth", async () => ({ tags: "t" }), { defer: true, metadata: { m: 1 } })
  .addEdge(START, "first")
  .addEdge(["first", "second"], "third")
  .addEdge("third", END)
  .addConditionalEdges(
    "first",
    (state) =>
      state.count > 1 ? END : [new Send("second", { question: state.question }), "fourth"],
    ["second", "fourth", END],
  )
  .addConditionalEdges({
    source: "second",
    path: async (state) => (state.count > 1 ? "yes" : "no"),
    pathMap: { yes: "third", no: END },
  });
// @ts-expect-error an edge from a node that was not added
graph.addEdge("missing", "first");
// @ts-expect-error an edge to a node that was not added
graph.addEdge("first", "missing");
// @ts-expect-error a node that returns a value of the wrong type
new StateGraph(State).addNode("bad", () => ({ count: "one" }));

new StateGraph(State)
  .addNode({ a: () => ({ count: 2 }), b: async () => ({ tags: "t" }) })
  .addNode([["c", () => ({ older: 1 })]])
  .addSequence([
    ["d", () => ({ older: 1 })],
    ["e", () => ({})],
  ])
  .addEdge("a", "b");

const app = graph.compile({
  checkpointer: new MemorySaver(),
  interruptBefore: ["second"],
  name: "app",
});
// @ts-expect-error a breakpoint at a node that is not there
graph.compile({ interruptBefore: ["missing"] });

async function use() {
  const result = await app.invoke(
    { question: "q", tags: "t" },
    { configurable: { thread_id: "1" }, recursionLimit: 5 },
  );
  expectType<string>()(result.question);
  expectType<string[]>()(result.tags);
  const unknown: unknown = result;
  if (isInterrupted<{ ask: string }>(unknown))
    expectType<{ ask: string } | undefined>()(unknown.__interrupt__[0].value);
  if (app.isInterrupted(unknown)) expectType<unknown>()(unknown.__interrupt__[0].value);
  await app.invoke(new Command({ resume: { approved: true } }));
  await app.invoke(new Command({ update: { count: 2 }, goto: "second" }));
  await app.invoke(null, { durability: "sync" });
  // @ts-expect-error an input of the wrong type
  await app.invoke({ count: "three" });

  for await (const chunk of await app.stream({ question: "q" })) {
    expectType<number | undefined>()(chunk.first?.count);
    expectType<string | undefined>()(chunk.second?.question);
    expectType<number | undefined>()(chunk.third?.count);
    // @ts-expect-error no such node
    void chunk.missing;
  }
  for await (const chunk of await app.stream({ question: "q" }, { streamMode: "values" }))
    expectType<number>()(chunk.count);
  for await (const [message] of await app.stream({ question: "q" }, { streamMode: "messages" }))
    expectType<BaseMessage>()(message);
  for await (const chunk of await app.stream(
    { question: "q" },
    { streamMode: ["values", "updates"] },
  )) {
    if (chunk[0] === "values") expectType<string>()(chunk[1].question);
    else expectType<string | undefined>()(chunk[1].second?.question);
  }
  for await (const [namespace, payload] of await app.stream(
    { question: "q" },
    { streamMode: "values", subgraphs: true },
  )) {
    expectType<string[]>()(namespace);
    expectType<string>()(payload.question);
  }
  for await (const [namespace, mode, payload] of await app.stream(
    { question: "q" },
    { streamMode: ["values"], subgraphs: true },
  )) {
    expectType<string[]>()(namespace);
    expectType<"values">()(mode);
    expectType<string>()(payload.question);
  }
  for await (const chunk of await app.stream({ question: "q" }, { encoding: "text/event-stream" }))
    expectType<Uint8Array>()(chunk);

  const snapshot: StateSnapshot = await app.getState({ configurable: { thread_id: "1" } });
  expectType<string[]>()(snapshot.next);
  const config = await app.updateState(snapshot.config, { count: 3 }, "first");
  await app.bulkUpdateState(config, [{ updates: [{ values: { count: 3 }, asNode: "first" }] }]);
  for await (const past of app.getStateHistory(config, { limit: 3 }))
    expectType<any>()(past.values);
}

// ---- input, output, private states, context

const Input = Annotation.Root({ question: Annotation<string> });
const Output = Annotation.Root({ tags: State.spec.tags });
const Private = Annotation.Root({ secret: Annotation<number> });
const narrow = new StateGraph({ stateSchema: State, input: Input, output: Output })
  .addNode(
    "only",
    (state: typeof Input.State, config: LangGraphRunnableConfig) => ({
      tags: state.question + String(config.recursionLimit),
    }),
    { input: Input },
  )
  .addNode(
    "own",
    (state) => {
      expectType<number>()(state.secret);
      return { tags: "x" };
    },
    { input: Private },
  )
  .addEdge(START, "only")
  .compile();
async function useNarrow() {
  const output = await narrow.invoke({ question: "q" });
  expectType<string[]>()(output.tags);
  // @ts-expect-error not in the output
  output.question;
  // @ts-expect-error not in the input
  await narrow.invoke({ count: 1 });
}
const inContext = new StateGraph(State, Annotation.Root({ user: Annotation<string> })).addNode(
  "only",
  (_, runtime) => {
    expectType<string | undefined>()(runtime.context?.user);
    return {};
  },
);
const inZodContext = new StateGraph({ state: State, context: z.object({ user: z.string() }) })
  .addNode("only", (_, runtime) => {
    expectType<string | undefined>()(runtime.context?.user);
    return {};
  })
  .addEdge(START, "only")
  .compile();
async function useContext() {
  await inZodContext.invoke({ question: "q" }, { context: { user: "u" } });
  // @ts-expect-error the wrong type of a context
  await inZodContext.invoke({ question: "q" }, { context: { user: 5 } });
}
const withOptions = new StateGraph(State, { input: Input, output: Output })
  .addNode("only", () => ({ tags: "x" }))
  .addEdge(START, "only")
  .compile();
async function useOptions() {
  expectType<{ tags: string[] }>()(await withOptions.invoke({ question: "q" }));
}

// ---- typed interrupts, writers, names of nodes

const typed = new StateGraph({
  state: State,
  interrupt: {
    approve: interrupt<{ reason: string }, { ok: boolean }>,
    name: interrupt<{ ask: string }, string>,
  },
  writer: writer<{ progress: number }>,
  nodes: ["ask", "done"],
});
const ask: typeof typed.Node = (state, runtime) => {
  expectType<{ ok: boolean }>()(runtime.interrupt.approve({ reason: state.question }));
  runtime.writer({ progress: 1 });
  return new Command({ goto: "done", update: { count: 1 } });
};
const typedApp = typed
  .addNode("ask", ask)
  .addNode("done", () => ({ tags: "x" }))
  .addEdge(START, "ask")
  .compile();
async function useTyped() {
  const values: unknown = await typedApp.invoke({ question: "q" });
  void values;
}

// ---- schemas

const zodGraph = new StateGraph(
  z.object({
    name: z.string(),
    size: z.number().default(1),
    list: z.array(z.string()).optional(),
    words: z.array(z.string()).register(registry, {
      reducer: { fn: (left: string[], right: string[]) => left.concat(right) },
      default: () => [] as string[],
    }),
    said: withLangGraph(z.array(z.number()), {
      reducer: { schema: z.number(), fn: (left: number[], right: number) => left.concat(right) },
    }),
  }),
)
  .addNode("only", (state) => {
    expectType<string>()(state.name);
    expectType<number>()(state.size);
    expectType<string[] | undefined>()(state.list);
    expectType<string[]>()(state.words);
    expectType<number[]>()(state.said);
    return { size: 2, words: ["w"], said: 5 };
  })
  .addEdge(START, "only")
  .compile();
// @ts-expect-error the wrong type for a field
new StateGraph(z.object({ name: z.string() })).addNode("a", () => ({ name: 4 }));
const three = new StateGraph(z3.object({ name: z3.string(), size: z3.number() })).addNode(
  "a",
  (state) => {
    expectType<number>()(state.size);
    return { name: "x" };
  },
);
const chat = new StateGraph(MessagesZodState).addNode("a", (state) => {
  expectType<BaseMessage[]>()(state.messages);
  return { messages: [new HumanMessage("hi")] };
});
const Fields = new StateSchema({
  messages: MessagesValue,
  name: z.string(),
  count: z.number().default(0),
  words: new ReducedValue(
    z.array(z.string()).default(() => []),
    { inputSchema: z.string(), reducer: (left, right) => left.concat(right) },
  ),
  hidden: new UntrackedValue(z.number()),
});
new DeltaValue(z.array(z.number()), {
  reducer: (left, writes) => {
    expectType<number[]>()(left);
    expectType<number[][]>()(writes);
    return [...left, ...writes.flat()];
  },
});
const delta = new DeltaValue(z.array(z.number()), {
  inputSchema: z.string(),
  reducer: (left, writes) => [
    ...left,
    ...writes.map((text) => (expectType<string>()(text), text.length)),
  ],
});
expectType<number[]>()(delta.ValueType);
expectType<string>()(delta.InputType);
expectType<Record<string, unknown> | undefined>()(delta.jsonSchemaExtra);
expectType<string[]>()(Fields.State.words);
expectType<number>()(Fields.State.hidden);
expectType<BaseMessage[]>()(Fields.State.messages);
expectType<string | OverwriteValue<string[]> | undefined>()(Fields.Update.words);
const fields = new StateGraph(Fields)
  .addNode("a", (state) => {
    expectType<string>()(state.name);
    return { words: "next", count: 2 };
  })
  .addEdge(START, "a")
  .compile();
async function useSchemas() {
  expectType<string>()((await zodGraph.invoke({ name: "x" })).name);
  expectType<string[]>()((await fields.invoke({ name: "x", words: "w" })).words);
}

// ---- helper types

const node: GraphNode<typeof State> = (state) => ({ count: state.count + 1 });
const router: GraphNode<typeof Fields, { user: string }, "a" | "b"> = (state, config) => {
  expectType<string | undefined>()(config.context?.user);
  return new Command({ goto: state.count > 1 ? "a" : "b", update: { count: 1 } });
};
const bag: GraphNode<{ InputSchema: typeof Input; OutputSchema: typeof Output }> = (state) => ({
  tags: state.question,
});
const route: ConditionalEdgeRouter<typeof Fields, Record<string, any>, "a"> = (state) =>
  state.count > 1 ? "a" : END;
type Compiled = CompiledGraphType<{
  state: { a: number };
  update: { a?: number };
  input: { a: number };
  output: { a: number };
}>;
declare const compiled: Compiled;
async function useHelpers() {
  expectType<{ a: number }>()(await compiled.invoke({ a: 1 }));
}
const runtime = (given: Runtime<{ user: string }>) => given.context?.user;
function takes(given: CompiledStateGraph<any, any, any, any, any, any>) {
  return given.invoke({});
}
void takes(app);

// ---- older forms

interface Plain {
  input: string;
  steps: string[];
}
const channels: StateGraphArgs<Plain>["channels"] = {
  input: null,
  steps: { value: (left: string[], right: string[]) => left.concat(right), default: () => [] },
};
const plain = new StateGraph<Plain>({ channels })
  .addNode("a", async (state) => {
    expectType<string>()(state.input);
    return { steps: ["x"] };
  })
  .addEdge(START, "a")
  .compile();
async function usePlain() {
  await plain.invoke({ input: "x" });
}

// ---- transformers, of compile(), of withConfig() and of a call

const count = (): StreamTransformer<{ count: number }> => ({
  init: () => ({ count: 0 }),
  process: () => true,
});
const words = (): StreamTransformer<{ words: string[] }> => ({
  init: () => ({ words: [] }),
  process: () => true,
});
const counted = new StateGraph(MessagesAnnotation)
  .addNode("a", () => ({}))
  .addEdge(START, "a")
  .compile({ transformers: [count] });
async function useTransformers() {
  const run = await counted.streamEvents({ messages: [] }, { version: "v3" });
  expectType<number>()(run.extensions.count);
  const more = await counted.streamEvents(
    { messages: [] },
    { version: "v3", transformers: [words] },
  );
  expectType<number>()(more.extensions.count);
  expectType<string[]>()(more.extensions.words);
  // @ts-expect-error no transformer makes it
  expectType<string[]>()(run.extensions.words);
  const configured = await counted
    .withConfig({ streamTransformers: [words] })
    .streamEvents({ messages: [] }, { version: "v3" });
  expectType<string[]>()(configured.extensions.words);
}

// ---- all type parameters

declare const pregel: Pregel<
  any,
  any,
  { user: string },
  { a: number },
  { b: number },
  any,
  any,
  unknown,
  Command,
  any,
  []
>;
async function usePregel() {
  expectType<{ b: number }>()(await pregel.invoke({ a: 1 }));
}
type Metadata = CheckpointMetadata<{ who: string }>;
const metadata = (given: Metadata) => expectType<string>()(given.who);

const overwrite = new Overwrite(["a"]);
expectType<string[]>()(overwrite.value);
const reduced: BaseMessage[] = messagesStateReducer([], new HumanMessage("x"));
const question: Interrupt<string> = { id: "1", value: "x" };
void [
  use,
  useNarrow,
  useContext,
  useOptions,
  useTyped,
  useSchemas,
  useHelpers,
  usePlain,
  useTransformers,
  usePregel,
  metadata,
  inContext,
  three,
  chat,
  node,
  router,
  bag,
  route,
  runtime,
  reduced,
  question,
];
