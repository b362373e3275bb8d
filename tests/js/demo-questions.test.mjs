// SPDX-License-Identifier: MIT
// Questions as the demo's cards read them, and the answers that they send, against graphs that ask:
// every shape of request is answered in its own form, and what is decided stays decided.
import { test } from "node:test";
import assert from "node:assert/strict";
import { Annotation, Command, INTERRUPT, MemorySaver, START, StateGraph, tool } from "weftgraph";
import { approvalRules } from "weftgraph/approval";
import { createAgent } from "weftgraph/agent";
import { humanInTheLoopMiddleware } from "weftgraph/agent/middleware";
import { ScriptedModel } from "weftgraph/models/scripted";
import { createReactAgent } from "weftgraph/prebuilt";
import { answerOf, readAsked, titleOf } from "../../web-demo/src/studio/questions/asked.js";
import { Cards, questionsOf } from "../../web-demo/src/studio/questions/cards.js";
import { readSchema } from "../../web-demo/src/studio/questions/read-schema.js";
import { sentenceOf } from "../../web-demo/src/studio/questions/sentence.js";

const thread = { configurable: { thread_id: "1" } };
const calls = (...items) => ({
  content: "",
  tool_calls: items.map((item, at) => ({
    name: "place_order",
    id: `c${at}`,
    args: { item, quantity: 2 },
  })),
});

/** An agent that orders the items, and what it has ordered. */
function orders(items, options = {}) {
  const ran = [];
  const placeOrder = tool(({ item, quantity }) => (ran.push(`${quantity} ${item}`), "ordered"), {
    name: "place_order",
    schema: {
      type: "object",
      properties: { item: { type: "string" }, quantity: { type: "integer" } },
      required: ["item", "quantity"],
    },
    approval: "ask",
  });
  const saver = new MemorySaver();
  const agent = createReactAgent({
    llm: new ScriptedModel({ responses: [calls(...items), "Done."] }),
    tools: [placeOrder],
    checkpointer: saver,
    ...options,
  });
  return { agent, ran, saver };
}

/** Answers the first open question of a result. */
async function decide(graph, result, ...decisions) {
  const [{ id, value }] = result[INTERRUPT];
  const asked = readAsked(value);
  assert.equal(asked.kind, "calls");
  return graph.invoke(new Command({ resume: { [id]: answerOf(asked, decisions) } }), thread);
}

const reasons = ({ messages }) =>
  messages.filter(({ type }) => type === "tool").map(({ content }) => content);

test("a call is approved, changed or rejected, and the log keeps what was shown, changed and when", async () => {
  for (const [decision, ran] of [
    [{ type: "accept" }, ["2 pens"]],
    [{ type: "edit", args: { item: "pens", quantity: 3 } }, ["3 pens"]],
    [{ type: "say", text: "no room" }, []],
    [{ type: "ignore" }, []],
  ]) {
    const { agent, ran: done, saver } = orders(["pens"]);
    const asked = await agent.invoke({ messages: "go" }, thread);
    const result = await decide(agent, asked, decision);
    assert.equal(result[INTERRUPT], undefined);
    assert.deepEqual(done, ran);
    const [{ answer }] = await saver.decisions("1");
    assert.equal(answer.shown, '{"item":"pens","quantity":2}');
    assert.equal(answer.tool, "place_order");
    assert.ok(Date.now() - Date.parse(answer.at) < 60_000);
    if (decision.type === "say") assert.match(reasons(result)[0], /Reason: no room/);
  }
});

test("an answer to a question that has changed since runs nothing, and the card is told why", async () => {
  const { agent, ran } = orders(["pens"]);
  const result = await agent.invoke({ messages: "go" }, thread);
  const [{ id, value }] = result[INTERRUPT];
  const asked = readAsked({ ...value, digest: "0".repeat(64) });
  const answer = answerOf(asked, [{ type: "accept" }]);
  const again = await agent.invoke(new Command({ resume: { [id]: answer } }), thread);
  assert.deepEqual(ran, []);
  assert.match(readAsked(again[INTERRUPT][0].value).problem, /digest differs/);
});

test("several calls with one question are decided one by one and answered as a whole", async () => {
  const { agent, ran, saver } = orders(["tea", "cups", "gold"], { approvals: "batch" });
  const asked = await agent.invoke({ messages: "go" }, thread);
  const read = readAsked(asked[INTERRUPT][0].value);
  assert.equal(titleOf(read), "Order 2 × tea, and 2 more");
  const result = await decide(
    agent,
    asked,
    { type: "accept" },
    { type: "edit", args: { item: "mugs", quantity: 1 } },
    { type: "say", text: "too dear" },
  );
  assert.deepEqual(ran, ["2 tea", "1 mugs"]);
  assert.match(reasons(result)[2], /too dear/);
  const [, edit] = await saver.decisions("1");
  assert.equal(edit.answer.shown[edit.tool_call_id], '{"item":"cups","quantity":2}');
});

test("LangChain's middleware is answered by decisions, also where it writes camelCase", async () => {
  const ran = [];
  const send = tool(({ to }) => (ran.push(to), "sent"), {
    name: "send_email",
    schema: { type: "object", properties: { to: { type: "string" } }, required: ["to"] },
  });
  const mail = (id, to) => ({ name: "send_email", id, args: { to } });
  const agent = createAgent({
    model: new ScriptedModel({
      responses: [{ content: "", tool_calls: [mail("a", "ann"), mail("b", "bob")] }, "Done."],
    }),
    tools: [send],
    middleware: [
      humanInTheLoopMiddleware({
        interruptOn: { send_email: { allowedDecisions: ["approve", "edit"] } },
      }),
    ],
    checkpointer: new MemorySaver(),
  });
  const asked = await agent.invoke({ messages: "go" }, thread);
  const { calls: read } = readAsked(asked[INTERRUPT][0].value);
  assert.deepEqual(
    read.map(({ can }) => can),
    Array(2).fill({ accept: true, edit: true, say: false, ignore: false }),
  );
  await decide(agent, asked, { type: "accept" }, { type: "edit", args: { to: "bo" } });
  assert.deepEqual(ran, ["ann", "bo"]);

  const foreign = {
    actionRequests: [{ name: "send_email", args: { to: "ann" } }],
    reviewConfigs: [{ actionName: "send_email", allowedDecisions: ["approve", "edit", "reject"] }],
  };
  const one = readAsked(foreign);
  assert.deepEqual(answerOf(one, [{ type: "edit", args: { to: "x" } }]), {
    decisions: [{ type: "edit", editedAction: { name: "send_email", args: { to: "x" } } }],
  });
  assert.deepEqual(answerOf(one, [{ type: "say", text: "no" }]), {
    decisions: [{ type: "reject", message: "no" }],
  });
  const snake = readAsked({ action_requests: foreign.actionRequests, review_configs: [] });
  assert.deepEqual(answerOf(snake, [{ type: "edit", args: {} }]).decisions[0].edited_action, {
    name: "send_email",
    args: {},
  });
});

test("Agent Inbox's questions are answered by a list of responses, as their configuration allows", async () => {
  const config = { allow_accept: false, allow_edit: true, allow_respond: true, allow_ignore: true };
  const request = {
    action_request: { action: "reply", args: { text: "hi" } },
    config,
    description: "A mail",
  };
  let said;
  const graph = new StateGraph(Annotation.Root({ value: Annotation }))
    .addNode("ask", (_, runtime) => {
      said = runtime.interrupt([request]);
      return {};
    })
    .addEdge(START, "ask")
    .compile({ checkpointer: new MemorySaver() });
  const asked = await graph.invoke({ value: 1 }, thread);
  const read = readAsked(asked[INTERRUPT][0].value);
  assert.deepEqual(read.calls[0].can, { accept: false, edit: true, say: true, ignore: true });
  assert.equal(titleOf(read), "A mail");
  await decide(graph, asked, { type: "edit", args: { text: "hello" } });
  assert.deepEqual(said, [{ type: "edit", args: { action: "reply", args: { text: "hello" } } }]);
  assert.deepEqual(answerOf(read, [{ type: "say", text: "later" }]), [
    { type: "response", args: "later" },
  ]);
  assert.deepEqual(answerOf(read, [{ type: "ignore" }]), [{ type: "ignore", args: null }]);
});

test("the result of a call with an unknown outcome is a result, not a reason", async () => {
  const { agent } = orders(["pens"]);
  const asked = await agent.invoke({ messages: "go" }, thread);
  const lost = { ...asked[INTERRUPT][0].value, kind: "unknown_tool_call" };
  const [call] = readAsked(lost).calls;
  assert.equal(call.manner, "lost");
  assert.equal(answerOf(readAsked(lost), [{ type: "say", text: "paid" }]).args, "paid");
  assert.equal(answerOf(readAsked(lost), [{ type: "ignore" }]).type, "ignore");
});

test("questions of nodes show their words, their choices and a form of their schema", () => {
  const open = readAsked({
    question: "Publish?",
    options: ["yes", { label: "No", value: false }],
    draft: "x",
  });
  assert.equal(open.text, "Publish?");
  assert.deepEqual(open.choices, [
    { label: "yes", value: "yes" },
    { label: "No", value: false },
  ]);
  assert.deepEqual(
    readAsked("Sure?", { type: "boolean" }).choices.map(({ value }) => value),
    [true, false],
  );
  assert.deepEqual(
    readAsked("Which?", { enum: [1, 2] }).choices.map(({ value }) => value),
    [1, 2],
  );
  assert.deepEqual(readAsked({ options: [{}] }).choices, []);
});

test("hostile questions are read as questions of nodes, and never as calls", () => {
  for (const value of [
    null,
    7,
    [],
    [null],
    { action_requests: [] },
    { action_requests: [null] },
    { action_requests: Array(51).fill({ name: "x", args: {} }) },
    { action_request: "x", config: {} },
    { canonical: 1, action_request: {} },
  ])
    assert.equal(readAsked(value).kind, "open", JSON.stringify(value));
});

test("arguments that are no JSON are shown, and cannot be edited", () => {
  const config = { allow_accept: true, allow_edit: true };
  for (const canonical of ["{", "[1]", "7"]) {
    const value = { action_request: { action: "x", args: {} }, canonical, config };
    const [call] = readAsked(value).calls;
    assert.deepEqual([call.canonical, call.can.edit], [canonical, false]);
  }
});

test("a sentence says what a call would do", () => {
  const of = (name, args, description = "") =>
    sentenceOf({ tool: name, canonical: JSON.stringify(args), description });
  assert.equal(of("place_order", { item: "pizzas", quantity: 2 }), "Order 2 × pizzas");
  assert.equal(
    of("sendEmail", { to: "ann", subject: "Hello" }),
    "Send email: to ann, subject Hello",
  );
  assert.equal(of("search", { query: "tea" }), "Search: tea");
  assert.equal(of("stop", {}), "Stop");
  assert.equal(of("", null), "Call a tool: null");
  assert.equal(of("pay", { amount: 5 }, "Pay Ann\nmore"), "Pay Ann");
  assert.equal(of("pay", { amount: 5 }, 'The agent wants to call "pay".'), "Pay: amount 5");
  assert.ok(of("x".repeat(500), { y: "z".repeat(500) }).length <= 120);
});

test("an edit has fields also where the request brings no schema", async () => {
  const { agent } = orders(["pens"], { approvals: approvalRules({ form: true }) });
  const asked = await agent.invoke({ messages: "go" }, thread);
  const [call] = readAsked(asked[INTERRUPT][0].value).calls;
  assert.deepEqual(readSchema(call).properties.quantity, { type: "integer" });
  assert.deepEqual(readSchema({ canonical: '{"a":"x","b":[1]}', schema: undefined }).properties, {
    a: { type: "string" },
    b: true,
  });
});

const question = (id, item, more = {}) => ({
  thread: "t",
  id,
  value: {
    action_request: { action: "order", args: {} },
    canonical: `{"item":"${item}"}`,
    tool_call_id: id,
    ...more,
  },
});

test("to decide one question keeps the drafts of the others, and its place until all are decided", () => {
  const cards = new Cards(() => {});
  const both = [question("1", "a"), question("2", "b")];
  const [first, second] = cards.show(both);
  second.cards[0].set({ mode: "edit", draft: "{}" });
  first.take(0, { type: "accept" });
  first.begin("Approved");
  assert.deepEqual(cards.show(both.map((one) => ({ ...one, isBusy: true }))), [first, second]);
  assert.deepEqual(cards.show([both[1]]), [first, second]);
  assert.deepEqual([first.isOpen, first.verdict, second.cards[0].draft], [false, "Approved", "{}"]);
  assert.deepEqual(cards.show([]), []);
});

test("a question that is asked again says why, keeps what was written, and has to be seen anew", () => {
  const cards = new Cards(() => {});
  const [held] = cards.show([question("1", "a")]);
  held.cards[0].set({ mode: "edit", draft: "draft" });
  held.take(0, { type: "edit", args: {} }, "{}");
  held.begin("Changed and approved");
  const [again] = cards.show([question("1", "a", { problem: "quantity is missing" })]);
  assert.equal(again, held);
  assert.deepEqual(
    [held.isOpen, held.asked.problem, held.cards[0].draft],
    [true, "quantity is missing", "draft"],
  );
  assert.equal(held.decisions, undefined);
});

test("what was decided about one call of several is dropped when the question becomes another one", () => {
  const cards = new Cards(() => {});
  const several = (digest) => ({
    thread: "t",
    id: "1",
    value: { action_requests: [1, 2].map((args) => ({ name: "order", args: { args } })), digest },
  });
  const [held] = cards.show([several("a")]);
  held.take(0, { type: "accept" });
  cards.show([several("b")]);
  held.take(1, { type: "accept" });
  assert.equal(held.decisions, undefined);
  assert.equal(held.cards[0].verdict, undefined);
});

test("another call in the place of a question has a card of its own", () => {
  const cards = new Cards(() => {});
  const [before] = cards.show([question("1", "a")]);
  const [after] = cards.show([question("1", "b")]);
  assert.notEqual(before, after);
});

test("an answer that did not arrive can be given again", () => {
  const cards = new Cards(() => {});
  const list = [question("1", "a")];
  const [held] = cards.show(list);
  held.take(0, { type: "accept" });
  held.begin("Approved");
  held.end("No answer from the server.");
  cards.show(list);
  assert.deepEqual([held.isOpen, held.failure], [true, "No answer from the server."]);
  held.close();
});

test("an answer that came second is told so, and does not pass for the decision", () => {
  const cards = new Cards(() => {});
  const [held] = cards.show([question("1", "a")]);
  held.take(0, { type: "ignore" });
  held.begin("Rejected");
  cards.show([], () => true);
  assert.equal(held.verdict, "Rejected");
  held.end("It was answered elsewhere in the meantime.");
  assert.deepEqual([held.isOpen, held.verdict], [false, "Decided elsewhere"]);
});

test("questions of a thread's record keep the schema of their answer", () => {
  const [one] = questionsOf({
    thread_id: "t",
    status: "busy",
    interrupts: { task: [{ id: "1", value: "Sure?", response_schema: { type: "boolean" } }] },
  });
  assert.deepEqual(one, {
    thread: "t",
    id: "1",
    value: "Sure?",
    schema: { type: "boolean" },
    isBusy: true,
  });
});
