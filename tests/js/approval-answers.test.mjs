// SPDX-License-Identifier: MIT
// A question about a tool call is answered in the forms of several interfaces: each decides the
// same, and what is none of them approves nothing.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Command, MemorySaver, tool } from "weftgraph";
import { MemorySaver as PeerSaver } from "@langchain/langgraph";
import { createReactAgent, reviewToolCalls } from "weftgraph/prebuilt";
import { ScriptedModel } from "weftgraph/models/scripted";

const schema = {
  type: "object",
  properties: { item: { type: "string", minLength: 1 }, count: { type: "integer", maximum: 9 } },
  required: ["item"],
  additionalProperties: false,
};
const config = { configurable: { thread_id: "t" } };

/** An agent that orders, and what was ordered. */
function makeAgent({ checkpointer = new MemorySaver(), calls = 1, isReviewed = false } = {}) {
  const ran = [];
  const order = tool((args) => (ran.push(args), "ordered"), {
    name: "order",
    description: "Orders",
    schema,
    ...(isReviewed ? {} : { approval: "ask" }),
  });
  const other = tool(() => (ran.push("other"), "done"), {
    name: "other",
    description: "Does",
    schema: { type: "object", properties: {} },
    approval: "deny",
  });
  const tool_calls = Array.from({ length: calls }, (_, at) => ({
    name: "order",
    args: { item: "tea", count: at + 1 },
    id: `c${at}`,
  }));
  const llm = new ScriptedModel({ responses: [{ content: "", tool_calls }, "Fine."] });
  const agent = createReactAgent({
    llm,
    tools: [order, other],
    checkpointer,
    ...(isReviewed
      ? { postModelHook: reviewToolCalls({ policies: { order: "ask" }, tools: [order, other] }) }
      : {}),
  });
  return { agent, ran };
}

async function answer(answered, options) {
  const { agent, ran } = makeAgent(options);
  const asked = await agent.invoke({ messages: "?" }, config);
  const [{ id, value }] = asked.__interrupt__;
  const resume = typeof answered === "function" ? answered(id, value) : answered;
  const result = await agent.invoke(new Command({ resume }), config);
  const said = result.messages.filter(({ type }) => type === "tool").map(({ content }) => content);
  return { ran, said, again: result.__interrupt__ };
}

const tea = (count) => ({ item: "tea", count });
const EDIT = { item: "milk", count: 2 };
const ACCEPTED = [
  { type: "accept", args: null },
  [{ type: "accept" }],
  { decisions: [{ type: "approve" }] },
  { approved: true },
  true,
];
const EDITED = [
  { type: "edit", args: { action: "order", args: EDIT } },
  { decisions: [{ type: "edit", edited_action: { name: "order", args: EDIT } }] },
  { decisions: [{ type: "edit", editedAction: { name: "order", args: EDIT } }] },
  { approved: true, editedArgs: EDIT },
];
const REJECTED = [
  { type: "response", args: "too dear" },
  { decisions: [{ type: "reject", message: "too dear" }] },
  { approved: false, reason: "too dear" },
];
const REFUSED = [
  { type: "ignore", args: null },
  { decisions: [{ type: "reject" }] },
  { approved: false },
  false,
];

for (const [where, options] of [
  ["a ToolNode", () => ({})],
  ["reviewToolCalls", () => ({ isReviewed: true })],
  ["a ToolNode on LangGraph.js's saver", () => ({ checkpointer: new PeerSaver() })],
]) {
  test(`${where}: each form decides the same, alone and by the question's id`, async () => {
    for (const wrap of [(one) => one, (one) => (id) => ({ [id]: one })]) {
      for (const one of ACCEPTED) {
        const { ran, again } = await answer(wrap(one), options());
        assert.deepEqual([ran, again], [[tea(1)], undefined], JSON.stringify(one));
      }
      for (const one of EDITED)
        assert.deepEqual((await answer(wrap(one), options())).ran, [EDIT], JSON.stringify(one));
      for (const one of REJECTED) {
        const { ran, said } = await answer(wrap(one), options());
        assert.deepEqual(ran, [], JSON.stringify(one));
        assert.match(said[0], /too dear/);
      }
      for (const one of REFUSED) {
        const { ran, said } = await answer(wrap(one), options());
        assert.deepEqual(ran, [], JSON.stringify(one));
        assert.match(said[0], /^The user rejected the call of "order".*Reason: none was given$/);
      }
    }
  });
}

test("what is no answer approves nothing, and is asked about again with what is wrong", async () => {
  const wrong = [
    { decisions: [] },
    { decisions: [{ type: "approve" }, { type: "approve" }] },
    { decisions: ["approve"] },
    { decisions: [{ type: "accept" }] },
    { decisions: [{ type: "edit" }] },
    { decisions: [{ type: "edit", edited_action: { name: "nothing", args: {} } }] },
    { decisions: [{ type: "edit", edited_action: { name: "other", args: {} } }] },
    { decisions: [{ type: "edit", edited_action: { name: "order", args: { item: "" } } }] },
    { decisions: { 0: { type: "approve" } } },
    { approved: "true" },
    { approved: 1 },
    { approved: true, editedArgs: { item: "tea", count: 99 } },
    { approved: true, editedArgs: "tea" },
    { decisions: [{ type: "approve", digest: "0".repeat(64) }] },
    { approved: true, digest: "0".repeat(64) },
    "approve",
    1,
    null,
  ];
  for (const one of wrong) {
    const { agent, ran } = makeAgent();
    const asked = await agent.invoke({ messages: "?" }, config);
    const [{ id }] = asked.__interrupt__;
    const result = await agent.invoke(new Command({ resume: { [id]: one } }), config);
    assert.deepEqual(ran, [], JSON.stringify(one));
    assert.equal(typeof result.__interrupt__[0].value.problem, "string", JSON.stringify(one));
  }
});

test("one decision for each call of a question about several, in their order", async () => {
  const review = { isReviewed: true, calls: 2 };
  const both = await answer(
    { decisions: [{ type: "approve" }, { type: "reject", message: "no" }] },
    review,
  );
  assert.deepEqual(both.ran, [tea(1)]);
  assert.match(both.said.join(), /no/);
  const one = await answer({ decisions: [{ type: "approve" }] }, review);
  assert.deepEqual(one.ran, []);
  assert.equal(one.again.length, 1);
});

test("an ordinary question gets true, false and objects as they are", async () => {
  const { Annotation, START, StateGraph, interrupt } = await import("weftgraph");
  for (const said of [true, false, { approved: true }, { decisions: [{ type: "approve" }] }]) {
    const app = new StateGraph(Annotation.Root({ got: Annotation() }))
      .addNode("ask", () => ({ got: interrupt("?") }))
      .addEdge(START, "ask")
      .compile({ checkpointer: new MemorySaver() });
    await app.invoke({}, config);
    assert.deepEqual((await app.invoke(new Command({ resume: said }), config)).got, said);
  }
});
