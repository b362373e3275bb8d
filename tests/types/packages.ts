// SPDX-License-Identifier: MIT
// Serves: packages made for LangGraph.js, by Weft's declarations (tests/types/packages.test.mjs)
// and by LangGraph.js's own.
import { Command, MemorySaver, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { createSupervisor } from "@langchain/langgraph-supervisor";
import { createSwarm } from "@langchain/langgraph-swarm";
import { createDeepAgent } from "deepagents";
import {
  HumanMessage,
  createAgent,
  createMiddleware,
  humanInTheLoopMiddleware,
  tool,
} from "langchain";
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { z } from "zod";
import { expectType } from "./expect.js";

const add = tool(({ a, b }) => String(a + b), {
  name: "add",
  description: "adds",
  schema: z.object({ a: z.number(), b: z.number() }),
});
const counting = createMiddleware({
  name: "Counting",
  stateSchema: z.object({ turns: z.number().default(0) }),
  beforeModel: (state) => ({ turns: state.turns + 1 }),
});
const thread = { configurable: { thread_id: "1" } };

async function useAgent(llm: BaseChatModel) {
  const agent = createAgent({
    model: llm,
    tools: [add],
    checkpointer: new MemorySaver(),
    middleware: [counting, humanInTheLoopMiddleware({ interruptOn: { add: true } })],
  });
  const result = await agent.invoke({ messages: [new HumanMessage("hi")] }, thread);
  expectType<number>()(result.turns);
  expectType<string>()(result.messages[0]!.text);
  // @ts-expect-error a list
  expectType<number>()(result.messages);
  await agent.invoke(new Command({ resume: { decisions: [{ type: "approve" }] } }), thread);
  for await (const [mode] of await agent.stream(
    { messages: [] },
    { streamMode: ["updates", "messages"] },
  ))
    expectType<"updates" | "messages">()(mode);
  const { next } = await agent.graph.getState(thread);
  expectType<string[]>()(next);
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("agent", agent.graph)
    .addEdge(START, "agent")
    .compile();
  expectType<string>()((await graph.invoke({ messages: [] })).messages[0]!.text);
}

async function useTeams(llm: BaseChatModel) {
  const math = createReactAgent({ llm, tools: [add], name: "math" });
  const supervisor = createSupervisor({ agents: [math], llm }).compile({
    checkpointer: new MemorySaver(),
  });
  const swarm = createSwarm({ agents: [math], defaultActiveAgent: "math" }).compile();
  const deep = createDeepAgent({ model: llm, tools: [add] });
  for (const team of [supervisor, swarm])
    expectType<string>()((await team.invoke({ messages: [] })).messages[0]!.text);
  expectType<string>()((await deep.invoke({ messages: [] })).messages[0]!.text);
}
void [useAgent, useTeams];
