// SPDX-License-Identifier: MIT
// Serves: inference of createReactAgent, ToolNode and the types of people in the loop, as in
// LangGraph.
import {
  Annotation,
  Command,
  END,
  INTERRUPT,
  MemorySaver,
  MessagesAnnotation,
  interrupt,
  isInterrupted,
  tool,
} from "weftgraph";
import { BaseMessage } from "@langchain/core/messages";
import { createAgent, humanInTheLoopMiddleware } from "weftgraph/agent";
import type { ToolMessage } from "weftgraph/messages";
import { DemoModel } from "weftgraph/models/demo";
import {
  ToolNode,
  ValidationNode,
  createReactAgent,
  createReactAgentAnnotation,
  toolsCondition,
  type HumanInterrupt,
  type HumanResponse,
  type ApprovalAnswer,
  type ToolApprovalBatch,
  type ToolApprovalRequest,
  type ToolApprovalResponse,
} from "weftgraph/prebuilt";
import type * as LangGraph from "@langchain/langgraph/prebuilt";
import type { ActionRequest, HumanInterruptConfig } from "weftgraph/prebuilt";
import { expectType } from "./expect.js";

const order = tool((args: { item: string }) => args.item, {
  name: "order",
  schema: { type: "object" },
  approval: "ask",
});
const agent = createReactAgent({
  llm: new DemoModel(),
  tools: [order, { type: "web_search" }],
  prompt: (state) => [["system", "x"], ...state.messages],
  checkpointer: new MemorySaver(),
  interruptBefore: ["tools"],
  version: "v2",
});
const result = await agent.invoke({ messages: "hi" });
expectType<BaseMessage[]>()(result.messages);
await agent.invoke(
  new Command({
    resume: {
      type: "edit",
      args: { action: "order", args: { item: "tea" } },
    } satisfies ToolApprovalResponse,
  }),
);
for await (const [message] of await agent.stream(
  { messages: [["user", "x"]] },
  { streamMode: "messages" },
))
  expectType<BaseMessage>()(message);

const State = Annotation.Root({ ...MessagesAnnotation.spec, remainingSteps: Annotation<number>() });
const guarded = createReactAgent({
  llm: (state) => (state.remainingSteps > 2 ? new DemoModel() : new DemoModel()),
  tools: new ToolNode([order]),
  stateSchema: State,
});
expectType<number>()((await guarded.invoke({ messages: "x" })).remainingSteps);
// @ts-expect-error the state has no such key
await guarded.invoke({ message: "x" });
// @ts-expect-error no such version
createReactAgent({ llm: new DemoModel(), tools: [], version: "v3" });

expectType<number>()(
  createReactAgentAnnotation<{ grade: number }>().State.structuredResponse.grade,
);
expectType<"tools" | typeof END>()(toolsCondition({ messages: [] }));
expectType<ToolMessage[]>()(await new ValidationNode([order]).invoke(result.messages));
const answer: HumanResponse = interrupt<HumanInterrupt, HumanResponse>({
  action_request: { action: "a", args: {} },
  config: { allow_accept: true, allow_edit: true, allow_ignore: true, allow_respond: true },
});
expectType<"accept" | "ignore" | "response" | "edit">()(answer.type);

tool((args: { item: string }) => args.item, {
  name: "order",
  schema: { type: "object" },
  timeout: 100,
  retryPolicy: { maxAttempts: 2 },
  idempotencyKey: (args, config) => `${args.item}${config.toolCallId}`,
});
new ToolNode([order], {
  timeout: { idleTimeout: 100 },
  retryPolicy: { retryOn: (error: any) => error.name === "Busy" },
});
// @ts-expect-error a time is a number
new ToolNode([order], { timeout: "1s" });

// Several calls with one question.
new ToolNode([order], { approvals: "batch" });
// @ts-expect-error no such way
new ToolNode([order], { approvals: "all" });
const together = createReactAgent({ llm: new DemoModel(), tools: [order], approvals: "batch" });
const several = await together.invoke({ messages: "hi" });
if (isInterrupted<ToolApprovalBatch>(several)) {
  const [{ id, value }] = several[INTERRUPT];
  const decisions = value!.action_requests.map(({ args }) =>
    "item" in args ? { type: "approve" as const } : { type: "respond" as const, message: "no" },
  );
  const answer: ApprovalAnswer = { decisions, digest: value!.digest };
  await together.invoke(new Command({ resume: { [id!]: answer } }));
}

// People in the loop: LangGraph's types, exactly.
declare const people: [
  LangGraph.HumanInterrupt,
  LangGraph.HumanInterruptConfig,
  LangGraph.ActionRequest,
  LangGraph.HumanResponse,
];
expectType<[HumanInterrupt, HumanInterruptConfig, ActionRequest, HumanResponse]>()(people);

// The program of the guide to approval.
const thread = { configurable: { thread_id: "anna" } };
const asked = await agent.invoke({ messages: "Please order 3 teapots" }, thread);
if (isInterrupted<ToolApprovalRequest>(asked)) {
  const [{ id, value }] = asked[INTERRUPT];
  console.log(`May I call ${value!.action_request.action} with ${value!.canonical}?`);
  const answer: ToolApprovalResponse = { type: "accept", args: null };
  await agent.invoke(new Command({ resume: { [id!]: answer } }), thread);
}

// As programs for langchain read the questions of an agent.
const made = createAgent({
  model: new DemoModel(),
  tools: [order],
  middleware: [humanInTheLoopMiddleware({ interruptOn: { order: true } })],
});
const stopped = await made.invoke({ messages: "hi" }, thread);
expectType<string | undefined>()(stopped.__interrupt__?.[0].id);
if (isInterrupted<ToolApprovalBatch>(stopped)) {
  const [{ value }] = stopped[INTERRUPT];
  expectType<number | undefined>()(value?.action_requests.length);
}
