// SPDX-License-Identifier: MIT
// Serves: inference as in LangGraph: state and update of annotations, names of nodes, Command,
// interrupt, streams.
import {
  Annotation,
  Command,
  END,
  GraphInterrupt,
  GraphNode,
  Interrupt,
  LangGraphRunnableConfig,
  MemorySaver,
  MessagesAnnotation,
  OverwriteValue,
  START,
  Send,
  StateGraph,
  entrypoint,
  task,
  TokenLimitError,
  WeftError,
  interrupt,
  isLimitError,
  isInterrupted,
} from "weftgraph";
import { LastValue } from "weftgraph/channels";
import { InMemoryCache } from "weftgraph/checkpoint";
import { BaseMessage, HumanMessage } from "weftgraph/messages";
import { TestClock, testIds } from "weftgraph/testing";
import { expectType } from "./expect.js";

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
State.State.messages satisfies BaseMessage[];
// @ts-expect-error messages are no numbers
State.State.messages satisfies number[];
expectType<string | OverwriteValue<string[]> | undefined>()(State.Update.tags);
expectType<number | undefined>()(State.Update.count);
// @ts-expect-error a key that the state does not have
State.State.nothing;

const standalone: GraphNode<typeof State> = async (state, config) => {
  config.writer?.({ any: 1 });
  expectType<string[]>()(state.tags);
  return { tags: "one", messages: new HumanMessage("hi") };
};

const graph = new StateGraph(State)
  .addNode("first", (state, config) => {
    expectType<string>()(state.question);
    expectType<AbortSignal>()(config.signal);
    const answer = interrupt<{ ask: string }, boolean>({ ask: "?" });
    expectType<boolean>()(answer);
    const other = config.interrupt<string, number>("again", { responseSchema: { type: "number" } });
    return { count: other, tags: "x" };
  })
  .addNode("second", standalone, { ends: ["first"] })
  .addNode("third", () => new Command({ goto: "first", update: { count: 1 } }))
  .addNode("fourth", async () => ({}))
  .addEdge(START, "first")
  .addEdge(["first", "second"], "third")
  .addEdge("third", END)
  .addConditionalEdges(
    "first",
    (state) =>
      state.count > 1 ? END : [new Send("second", { question: state.question }), "fourth"],
    ["second", "fourth", END],
  )
  .addConditionalEdges("second", async (state) => String(state.count > 1), {
    true: "third",
    false: END,
  });

// @ts-expect-error an edge from a node that was not added
graph.addEdge("missing", "first");
// @ts-expect-error an edge to a node that was not added
graph.addEdge("first", "missing");
// @ts-expect-error a node that returns a value of the wrong type
new StateGraph(State).addNode("bad", () => ({ count: "one" }));
// @ts-expect-error a node that returns no state
new StateGraph(State).addNode("bad", () => 5);

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
  const question: string = result.question;
  expectType<string[]>()(result.tags);
  const unknown: unknown = result;
  if (isInterrupted<{ ask: string }>(unknown)) {
    const [first]: Interrupt<{ ask: string }>[] = unknown.__interrupt__;
    expectType<{ ask: string } | undefined>()(first.value);
  }
  await app.invoke(new Command({ resume: { approved: true } }));
  await app.invoke(null, { durability: "sync" });
  // @ts-expect-error an input of the wrong type
  await app.invoke({ count: "three" });

  for await (const chunk of await app.stream({ question })) {
    expectType<number | undefined>()(chunk.first?.count);
    // @ts-expect-error no such node
    void chunk.missing;
  }
  for await (const chunk of await app.stream({ question }, { streamMode: "values" }))
    expectType<number>()(chunk.count);
  for await (const [message, metadata] of await app.stream(
    { question },
    { streamMode: "messages" },
  )) {
    message satisfies BaseMessage;
    // @ts-expect-error a message is no number
    message satisfies number;
    expectType<any>()(metadata.langgraph_node);
  }
  for await (const [mode, payload] of await app.stream(
    { question },
    { streamMode: ["values", "updates"] },
  )) {
    if (mode === "values") expectType<string>()(payload.question);
    else expectType<number | undefined>()(payload.first?.count);
  }

  for await (const chunk of await app.stream({ question }, { streamMode: "tasks" })) {
    if ("result" in chunk) expectType<Record<string, any>>()(chunk.result);
    else expectType<string[]>()(chunk.triggers);
  }
  for await (const chunk of await app.stream({ question }, { streamMode: "debug" })) {
    if (chunk.type === "checkpoint") chunk.payload.values.question satisfies string;
  }
  for await (const bytes of await app.stream(
    { question },
    { streamMode: "values", encoding: "text/event-stream" },
  ))
    expectType<Uint8Array>()(bytes);
  for await (const event of app.streamEvents(
    { question },
    { version: "v2" },
    { includeNames: ["first"] },
  ))
    expectType<string>()(event.run_id);
  for await (const { ops } of app.streamLog({ question })) expectType<string>()(ops[0].path);
  const run = await app.streamEvents({ question }, { version: "v3" });
  for await (const { seq, params } of run)
    expectType<string[]>()((expectType<number>()(seq), params.namespace));
  for await (const message of run.messagesFrom("first")) {
    expectType<string>()(await message.text);
    for await (const call of message.toolCalls) expectType<string>()(call.name);
    expectType<number | undefined>()((await message.usage)?.total_tokens);
    for await (const event of message) {
      if (event.event !== "content-block-delta") continue;
      expectType<number>()(event.index);
      if (event.delta.type === "text-delta") expectType<string>()(event.delta.text);
      // @ts-expect-error text is of text deltas only
      else event.delta.text;
    }
  }
  expectType<number>()((await run.output).count);
  // @ts-expect-error no such version
  app.streamEvents({ question }, { version: "v4" });

  const snapshot = await app.getState({ configurable: { thread_id: "1" } });
  expectType<string[]>()(snapshot.next);
  expectType<any>()(snapshot.values.count);
  const config = await app.updateState(snapshot.config, { count: 3 }, "first");
  await app.bulkUpdateState(config, [{ updates: [{ values: { count: 3 }, asNode: "first" }] }]);
  for await (const past of app.getStateHistory(config, { limit: 3 }))
    expectType<any>()(past.values.question);
}

const Input = Annotation.Root({ question: Annotation<string> });
const Output = Annotation.Root({ tags: State.spec.tags });
const narrow = new StateGraph({ stateSchema: State, input: Input, output: Output })
  .addNode(
    "only",
    (state: typeof Input.State, config: LangGraphRunnableConfig) => ({
      tags: state.question + String(config.recursionLimit),
    }),
    { input: Input },
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

const channel: LastValue<number> = new LastValue(() => 1);
const error: GraphInterrupt = new GraphInterrupt([{ id: "x", value: 1 }]);
const code: string = new WeftError("FENCED", "text").code;
void [use, useNarrow, channel, error, code];

// Caches: a BaseCache of either package, policies of nodes and defaults.
{
  const graph = new StateGraph(State)
    .setNodeDefaults({ cachePolicy: { ttl: 60 } })
    .addNode("a", () => ({ count: 1 }), {
      cachePolicy: { keyFunc: (args) => JSON.stringify(args) },
    })
    .addNode("b", () => ({ count: 2 }), { cachePolicy: false })
    .addEdge(START, "a")
    .addEdge("a", "b")
    .compile({ cache: new InMemoryCache() });
  expectType<Promise<void>>()(graph.clearCache());
  const uncached = new StateGraph(State).addNode("a", () => ({})).addEdge(START, "a");
  // @ts-expect-error a cache has get, set and clear
  uncached.compile({ cache: new Map() });
}

// Limits: of a graph and of a call, and their errors.
{
  const graph = new StateGraph(State)
    .addNode("a", () => ({ count: 1 }))
    .addEdge(START, "a")
    .compile({ limits: { modelCalls: 3, tokens: 1000 } });
  void graph.invoke({}, { limits: { costMicros: 5, price: (usage) => usage.total_tokens } });
  // @ts-expect-error there is no such limit
  void graph.invoke({}, { limits: { calls: 3 } });
  const error: unknown = new TokenLimitError(1);
  if (isLimitError(error)) expectType<number>()(error.max);
}

// Time and ids of a test.
{
  const graph = new StateGraph(State)
    .addNode("a", () => ({ count: 1 }))
    .addEdge(START, "a")
    .compile();
  const clock = new TestClock("2030-01-01");
  void graph.invoke({}, { clock, ids: testIds(1) });
  void graph.invoke({}, { clock: () => 5 });
  expectType<Promise<void>>()(clock.advance(5));
  // @ts-expect-error ids are texts
  void graph.invoke({}, { ids: () => 5 });
}

// Tasks and questions of a workflow in a browser's tab.
const length = task("length", async (text: string) => text.length);
export const tab = entrypoint("tab", async (text: string, runtime) => {
  // @ts-expect-error the task takes a text
  await runtime.task(length, 5);
  return runtime.interrupt<number, boolean>((await runtime.task(length, text)) + 1);
});
