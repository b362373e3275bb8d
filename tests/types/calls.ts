// SPDX-License-Identifier: MIT
// What TypeScript tells of a graph's calls when it is asked for their options and results by
// themselves, of chunks that hold more than a state, and of agents. Means the same with
// LangGraph.js (same.test.mjs).
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import {
  Annotation,
  Command,
  MemorySaver,
  MessagesAnnotation,
  Overwrite,
  START,
  StateGraph,
  entrypoint,
  type CompiledStateGraph,
  type PregelOptions,
} from "weftgraph";
import { createReactAgent } from "weftgraph/prebuilt";
import { z } from "zod";
import { expectType } from "./expect.js";

const graph = new StateGraph(Annotation.Root({ a: Annotation<number> }))
  .addNode("n", () => ({ a: 1 }))
  .addEdge(START, "n")
  .compile();

// As wrappers around a graph ask.
export type StreamOptions = NonNullable<Parameters<typeof graph.stream>[1]>;
export const options: StreamOptions = {
  streamMode: ["values"],
  recursionLimit: 3,
  configurable: { thread_id: "1" },
};
type Chunks = Awaited<ReturnType<typeof graph.stream>>;
export async function first(chunks: Chunks) {
  for await (const chunk of chunks) expectType<number | undefined>()(chunk.n?.a);
}
export async function wrapped(given: Partial<PregelOptions<any, any>>) {
  for await (const chunk of await graph.stream({ a: 1 }, given))
    expectType<number | undefined>()(chunk.n?.a);
}
type Events = ReturnType<typeof graph.streamEvents>;
export const read = (events: Events) => events[Symbol.asyncIterator]();

export async function chunks(encoding: "text/event-stream" | undefined) {
  for await (const chunk of await graph.stream({ a: 1 }, { streamMode: "tools" })) {
    expectType<string>()(chunk.name);
    if (chunk.event === "on_tool_end") expectType<unknown>()(chunk.output);
  }
  for await (const chunk of await graph.stream({ a: 1 }, { streamMode: "debug" })) {
    chunk.payload.anything satisfies string;
    if (chunk.type === "of a kind to come") chunk.more satisfies number;
  }
  const bytes = await graph.streamEvents(
    { a: 1 },
    { version: "v3", encoding: "text/event-stream" },
  );
  for await (const piece of bytes) expectType<number>()(piece.length);
  await graph.stream({ a: 1 }, { streamMode: "values", encoding });
}

const extended = Annotation.Root({ ...MessagesAnnotation.spec, extra: Annotation<number> });
export async function agents(llm: any) {
  const plain = createReactAgent({ llm, tools: [] });
  const { messages, structuredResponse } = await plain.invoke({ messages: "hi" });
  expectType<number>()(messages.length);
  expectType<Record<string, any>>()(structuredResponse);
  for await (const chunk of await plain.stream({ messages: [] }, { streamMode: "updates" }))
    void [chunk.agent.messages, chunk.generate_structured_response.messages];
  const formed = createReactAgent({
    llm,
    tools: [],
    responseFormat: z.object({ k: z.number() }),
    stateSchema: extended,
  });
  const answer = await formed.invoke({ messages: [], extra: 1 });
  expectType<number>()(answer.structuredResponse.k);
  expectType<number>()(answer.extra);
  const any: CompiledStateGraph<any, any, any, any, any>[] = [plain, formed];
  new StateGraph(MessagesAnnotation)
    .addNode("agent", plain)
    .addNode("formed", formed)
    .addEdge(START, "agent");
  return any;
}

// An agent's messages may be replaced by a Command too; a workflow is kept by a checkpointer.
export async function edits(llm: BaseChatModel) {
  const agent = createReactAgent({ llm, tools: [] });
  await agent.invoke(new Command({ update: { messages: new Overwrite([]) } }));
  // @ts-expect-error no text of a message is a number
  await agent.invoke(new Command({ update: { messages: 5 } }));
  // @ts-expect-error what is no checkpointer
  entrypoint({ name: "kept", checkpointer: 5 }, async () => 1);
  return entrypoint({ name: "kept", checkpointer: new MemorySaver() }, async () => 1);
}
