// SPDX-License-Identifier: MIT
// Questions to people and their answers in the traces of weftgraph/otel.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import {
  Annotation,
  Command,
  INTERRUPT,
  MemorySaver,
  START,
  StateGraph,
  interrupt,
  tool,
} from "weftgraph";
import { approvalRules } from "weftgraph/approval";
import { createReactAgent } from "weftgraph/prebuilt";
import { FileSaver } from "weftgraph/savers/file";
import { ScriptedModel } from "weftgraph/models/scripted";
import { TestClock } from "weftgraph/testing";
import { textOf, traced, treeOf } from "./otel-kit.mjs";

const schema = { type: "object", properties: { item: { type: "string" } } };
const order = tool(({ item }) => `ordered ${item}`, { name: "order", schema, approval: "ask" });
const callsOf = (...items) => ({
  content: "",
  tool_calls: items.map((item) => ({ name: "order", args: { item }, id: item })),
});
const agentOf = (checkpointer, responses, options) =>
  createReactAgent({
    llm: new ScriptedModel({ responses }),
    tools: [order],
    name: "helper",
    checkpointer,
    ...options,
  });
const idOf = (span) => span.spanContext().spanId;

test("a question is a span below its node, and the answer one that links to it, with kind and time", async () => {
  const { handler, named, spans, reset } = traced();
  const agent = agentOf(new MemorySaver(), [callsOf("tea"), "Done."]);
  const config = { callbacks: [handler], configurable: { thread_id: "1" } };
  const asked = await agent.invoke({ messages: "Hi" }, config);
  const [{ id, value }] = asked[INTERRUPT];
  assert.deepEqual(treeOf(spans()), [
    "invoke_agent helper",
    "  step",
    "    node agent",
    "      chat",
    "  step",
    "    node tools",
    "      request_approval order",
  ]);
  const [question] = named("request_approval order");
  const about = {
    "gen_ai.tool.name": "order",
    "gen_ai.tool.call.id": "tea",
    "weft.approval.id": value.approval_id,
    "weft.approval.digest": value.digest,
    "langgraph.interrupt.id": id,
  };
  assert.deepEqual(question.attributes, about);
  const [run] = named("invoke_agent helper");
  assert.equal(run.attributes["langgraph.interrupted"], true);
  assert.equal(run.status.code, 0);
  assert.equal(named("node tools")[0].status.code, 0);
  reset();
  await new Promise((resolve) => setTimeout(resolve, 30));
  await agent.invoke(new Command({ resume: { type: "accept" } }), config);
  assert.deepEqual(treeOf(spans()), [
    "invoke_agent helper",
    "  decide_approval order",
    "  step",
    "    node tools",
    "      execute_tool order",
    "  step",
    "    node agent",
    "      chat",
  ]);
  const [decision] = named("decide_approval order");
  const { "langgraph.interrupt.wait": wait, ...rest } = decision.attributes;
  assert.deepEqual(rest, { ...about, "weft.approval.decision": "accept" });
  assert.ok(wait >= 0.03 && wait < 10, `${wait}`);
  assert.deepEqual(
    decision.links.map(({ context }) => context.spanId),
    [idOf(question)],
  );
  assert.equal(named("invoke_agent helper")[0].attributes["langgraph.interrupted"], undefined);
});

test("an answer in another process names the same call, request and digest", async (t) => {
  const path = await mkdtemp(join(tmpdir(), "weft-otel-"));
  t.after(() => rm(path, { recursive: true, force: true }));
  const configurable = { thread_id: "1" };
  const first = traced();
  await agentOf(new FileSaver({ path }), [callsOf("tea")]).invoke(
    { messages: "Hi" },
    { callbacks: [first.handler], configurable },
  );
  const [question] = first.named("request_approval order");
  const second = traced();
  await agentOf(new FileSaver({ path }), ["Done."]).invoke(
    new Command({ resume: { type: "ignore" } }),
    { callbacks: [second.handler], configurable },
  );
  const [decision] = second.named("decide_approval order");
  const { "langgraph.interrupt.wait": wait, ...rest } = decision.attributes;
  assert.deepEqual(rest, { ...question.attributes, "weft.approval.decision": "ignore" });
  assert.ok(wait >= 0 && wait < 60, `${wait}`);
  assert.deepEqual(decision.links, []);
});

test("every form of an answer is one of the four decisions, and nothing else of it is stored", async () => {
  for (const [answer, kind] of [
    [true, "accept"],
    [{ approved: false, reason: "WORDS" }, "response"],
    [{ decisions: [{ type: "reject" }] }, "ignore"],
    [{ type: "edit", args: { action: "order", args: { item: "WORDS" } } }, "edit"],
    [[{ type: "response", args: "WORDS" }], "response"],
  ]) {
    const { handler, named, spans } = traced();
    const agent = agentOf(new MemorySaver(), [callsOf("tea"), "Done."]);
    const config = { callbacks: [handler], configurable: { thread_id: "1" } };
    await agent.invoke({ messages: "Hi" }, config);
    await agent.invoke(new Command({ resume: answer }), config);
    const [decision] = named("decide_approval order");
    assert.equal(decision.attributes["weft.approval.decision"], kind);
    assert.doesNotMatch(textOf(spans()), /WORDS/);
  }
});

test("an answer of no known kind has none in the trace", async () => {
  const { handler, named } = traced();
  const agent = agentOf(new MemorySaver(), [callsOf("tea"), "Done."]);
  const config = { callbacks: [handler], configurable: { thread_id: "1" } };
  await agent.invoke({ messages: "Hi" }, config);
  await agent.invoke(new Command({ resume: { type: "WORDS" } }), config);
  assert.equal(named("decide_approval order")[0].attributes["weft.approval.decision"], undefined);
});

test("an answer that came too late is no decision", async () => {
  const { handler, named } = traced();
  const approvals = approvalRules({ expires: 1000 });
  const agent = agentOf(new MemorySaver(), [callsOf("tea"), "Done."], { approvals });
  const clock = new TestClock();
  const config = { callbacks: [handler], clock, configurable: { thread_id: "1" } };
  await agent.invoke({ messages: "Hi" }, config);
  clock.advance(1000);
  await agent.invoke(new Command({ resume: { type: "accept" } }), config);
  const [{ attributes }] = named("decide_approval order");
  assert.equal(attributes["weft.approval.decision"], undefined);
  assert.equal(attributes["weft.approval.expired"], true);
});

test("a question of a node's own has no decision and no expiry, whatever its value says", async () => {
  const { handler, named } = traced();
  const graph = new StateGraph(Annotation.Root({ said: Annotation() }))
    .addNode("ask", () => ({ said: interrupt({ expires_at: "2020-01-01T00:00:00.000Z" }) }))
    .addEdge(START, "ask")
    .compile({ checkpointer: new MemorySaver() });
  const config = { callbacks: [handler], configurable: { thread_id: "1" } };
  await graph.invoke({}, config);
  await graph.invoke(new Command({ resume: { type: "accept" } }), config);
  const [{ attributes }] = named("resume");
  assert.equal("weft.approval.expired" in attributes, false);
  assert.equal("weft.approval.decision" in attributes, false);
});

test("one question about several calls is a span for each call, and so is its answer", async () => {
  const { handler, named } = traced();
  const agent = agentOf(new MemorySaver(), [callsOf("tea", "cups"), "Done."], {
    approvals: "batch",
  });
  const config = { callbacks: [handler], configurable: { thread_id: "1" } };
  const asked = await agent.invoke({ messages: "Hi" }, config);
  const [{ id }] = asked[INTERRUPT];
  const decisions = [{ type: "approve" }, { type: "reject" }];
  await agent.invoke(new Command({ resume: { [id]: { decisions } } }), config);
  const questions = named("request_approval order");
  assert.deepEqual(
    named("decide_approval order").map(({ attributes, links }) => [
      attributes["gen_ai.tool.call.id"],
      attributes["weft.approval.decision"],
      links[0].context.spanId,
    ]),
    [
      ["tea", "accept", idOf(questions[0])],
      ["cups", "ignore", idOf(questions[1])],
    ],
  );
});

test("questions of nodes, also in graphs inside, are one span each, with their answers", async () => {
  const State = Annotation.Root({ a: Annotation(), b: Annotation() });
  const inner = new StateGraph(State)
    .addNode("deep", () => ({ b: interrupt("WORDS?") }))
    .addEdge(START, "deep")
    .compile();
  const graph = new StateGraph(State)
    .addNode("outer", inner)
    .addEdge(START, "outer")
    .compile({ checkpointer: new MemorySaver() });
  const { handler, spans, named } = traced();
  const config = { callbacks: [handler], configurable: { thread_id: "1" } };
  const asked = await graph.invoke({ a: 1 }, config);
  assert.deepEqual(treeOf(spans()), [
    "invoke_agent",
    "  step",
    "    node outer",
    "      invoke_agent",
    "        step",
    "          node deep",
    "            interrupt",
  ]);
  const [question] = named("interrupt");
  assert.deepEqual(question.attributes, { "langgraph.interrupt.id": asked[INTERRUPT][0].id });
  assert.deepEqual(await graph.invoke(new Command({ resume: "ANSWER" }), config), {
    a: 1,
    b: "ANSWER",
  });
  const [answer] = named("resume");
  assert.equal(answer.attributes["langgraph.interrupt.id"], asked[INTERRUPT][0].id);
  assert.deepEqual(
    answer.links.map(({ context }) => context.spanId),
    [idOf(question)],
  );
  assert.doesNotMatch(textOf(spans()), /WORDS|ANSWER/);
});
