// SPDX-License-Identifier: MIT
// What applications write around their graphs: handlers, stores and savers of a graph, routes in
// variables, streams of teams. Means the same with LangGraph.js (same.test.mjs).
import type { AIMessage, BaseMessage } from "@langchain/core/messages";
import type { Runnable } from "@langchain/core/runnables";
import {
  type AgentStatus,
  type BaseCheckpointSaver,
  type BaseStore,
  Command,
  END,
  GraphCallbackHandler,
  type GraphRunStream,
  InMemoryStore,
  type LifecycleEntry,
  MemorySaver,
  MessagesAnnotation,
  MessagesZodState,
  START,
  StateGraph,
} from "weftgraph";
import { createReactAgent } from "weftgraph/prebuilt";
import { SUPPORTED_CHANNELS, inferChannel, isSupportedChannel } from "weftgraph/stream";
import { z } from "zod/v3";
import { expectType } from "./expect.js";

const graph = new StateGraph(MessagesAnnotation)
  .addNode("a", () => ({ messages: ["a"] }))
  .addNode("b", () => ({ messages: [] }))
  .addEdge(START, "a")
  .compile({ checkpointer: new MemorySaver(), store: new InMemoryStore() });

// A handler written where it is given knows what it is told; one of a class overrides.
export class Handler extends GraphCallbackHandler {
  name = "handler";
  override handleLLMStart(_llm: unknown, prompts: string[]) {
    expectType<string[]>()(prompts);
  }
  override async handleChainEnd() {}
}
export async function told() {
  const handlers = {
    callbacks: [new Handler()],
  };
  await graph.invoke({ messages: [] }, handlers);
  await graph.invoke(
    { messages: [] },
    {
      callbacks: [
        {
          handleChainStart: (_chain, _inputs, runId) => expectType<string>()(runId),
          handleLLMEnd: ({ generations }) => void generations.length,
        },
      ],
    },
  );
}

export async function belongings() {
  const store: BaseStore | undefined = graph.store;
  if (graph.checkpointer === undefined || typeof graph.checkpointer === "boolean") return store;
  const saver: BaseCheckpointSaver = graph.checkpointer;
  return (await saver.getTuple({ configurable: { thread_id: "1" } }))?.checkpoint.channel_values;
}

// A variable that begins with END or START takes other names too.
export function route(isDone: boolean) {
  let goto = END;
  if (!isDone) goto = "b";
  return new Command({ goto, update: { next: goto } });
}
export const end: "__end__" = END;
const names = ["b", "c"] as const;
const supervise = new StateGraph(MessagesAnnotation)
  .addNode(
    "s",
    () => {
      const next = names.find((name) => name === "b") ?? END;
      return new Command({ goto: next, update: { next } });
    },
    { ends: ["s", END] },
  )
  .addEdge(START, "s")
  .compile();
export async function supervised() {
  for await (const chunk of await supervise.stream({ messages: [] }))
    if (chunk.s !== undefined) void chunk.s.messages;
}

// Where all nodes are graphs, each node's key is there; beside functions those of the functions.
export async function teams(llm: any) {
  const agent = createReactAgent({ llm, tools: [] });
  const team = new StateGraph(MessagesAnnotation)
    .addNode("agent", agent)
    .addNode("graph", graph)
    .addEdge(START, "agent")
    .compile();
  for await (const chunk of await team.stream({ messages: [] }, { streamMode: "updates" }))
    void [chunk.agent.messages, chunk.graph.messages];
  for await (const [namespace, chunk] of await team.stream(
    { messages: [] },
    { streamMode: "updates", subgraphs: true },
  ))
    void [namespace[0]?.length, chunk.agent.messages];
  const mixed = new StateGraph(MessagesAnnotation)
    .addNode("agent", agent, { ends: ["f", END] })
    .addNode("f", () => ({ messages: ["f" as const] }))
    .addEdge(START, "agent")
    .compile();
  for await (const chunk of await mixed.stream({ messages: [] }))
    expectType<"f" | undefined>()(chunk.f?.messages[0]);
  // @ts-expect-error a name that no node has
  for await (const chunk of await team.stream({ messages: [] })) chunk.other;
}

export async function parts(run: GraphRunStream, entry: LifecycleEntry, word: string) {
  for await (const message of run.messages) expectType<AIMessage>()(await message.output);
  const status: AgentStatus = entry.event;
  if (entry.cause?.type === "toolCall") expectType<string>()(entry.cause.tool_call_id);
  expectType<string | undefined>()(entry.checkpoint?.id);
  const channels: typeof SUPPORTED_CHANNELS = new Set();
  if (isSupportedChannel(word)) channels.add(word);
  const channel = inferChannel({ method: "values", params: { namespace: [] } });
  if (channel !== undefined) channels.add(channel);
  // @ts-expect-error no channel
  channels.add("debug");
  return status;
}

export async function nodes() {
  const node: Runnable = graph.nodes.a;
  for await (const chunk of await graph.nodes.a.stream({ messages: [] })) void chunk.messages;
  return [await graph.nodes.a.batch([{ messages: [] }]), node.getName()];
}

// The zod 3 object of a conversation, as nodes are typed by it.
type Conversation = z.infer<typeof MessagesZodState>;
const Place = MessagesZodState.extend({
  city: z.string().optional(),
  turns: z.number().default(0),
}).merge(z.object({ tags: z.array(z.string()) }));
const visit = (state: z.infer<typeof Place>): Partial<z.input<typeof Place>> => {
  expectType<{
    messages: BaseMessage[];
    city?: string | undefined;
    turns: number;
    tags: string[];
  }>()(state);
  return { city: state.tags[0] };
};
export async function conversation(last: (state: Conversation) => BaseMessage[]) {
  const result = await new StateGraph(Place)
    .addNode("last", (state) => ({ messages: last(state) }))
    .addNode("visit", visit)
    .addEdge(START, "visit")
    .compile()
    .invoke({ tags: [] });
  expectType<BaseMessage[]>()(result.messages);
  expectType<number>()(result.turns);
  // @ts-expect-error no such key
  MessagesZodState.pick({ other: true });
  return z.array(MessagesZodState).parse([]);
}
