// SPDX-License-Identifier: MIT
// approvalRules: a request that expires. The engine's clock decides, the moment is in the log, an
// answer after it does nothing, and the host's onExpire decides instead or escalates. Serves
// docs/guides/approval.md.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import {
  AIMessage,
  Command,
  INTERRUPT,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
  tool,
} from "weftgraph";
import { MemorySaver as PeerSaver } from "@langchain/langgraph";
import { approvalRules, expireApprovals } from "weftgraph/approval";
import { createAgent } from "weftgraph/agent";
import { humanInTheLoopMiddleware } from "weftgraph/agent/middleware";
import { ToolNode, createReactAgent } from "weftgraph/prebuilt";
import { FileSaver } from "weftgraph/savers/file";
import { pruneThread } from "weftgraph/savers/retention";
import { exportThread, importThread } from "weftgraph/savers/transfer";
import { ScriptedModel } from "weftgraph/models/scripted";
import { TestClock } from "weftgraph/testing";

const schema = { type: "object", properties: { n: { type: "integer", maximum: 9 } } };
const EXPIRED =
  'The request to approve the call of "pay" expired; it was not run. Reason: nobody answered in time';

/** An agent whose model pays once for each number; `ran` lists what was paid. */
function setUp({
  numbers = [1],
  rules = approvalRules({ expires: 1000 }),
  checkpointer = new MemorySaver(),
  clock = new TestClock("2026-01-01"),
  fields = {},
} = {}) {
  const ran = [];
  const tool_calls = numbers.map((n) => ({ name: "pay", id: `c${n}`, args: { n } }));
  const make = (approvals = rules) =>
    createReactAgent({
      llm: new ScriptedModel({
        responses: [new AIMessage({ content: "", tool_calls }), "done", "done"],
      }),
      tools: [
        tool(({ n }) => (ran.push(n), `paid ${n}`), {
          name: "pay",
          schema,
          approval: "ask",
          ...fields,
        }),
      ],
      checkpointer,
      approvals,
    });
  const config = { configurable: { thread_id: "t" }, clock };
  return { agent: make(), make, ran, config, clock, checkpointer };
}

const start = ({ agent, config }) => agent.invoke({ messages: "go" }, config);
const asked = (result) => result[INTERRUPT]?.map(({ id, value }) => ({ id, ...value })) ?? [];
const texts = ({ messages }) =>
  messages.filter(({ type }) => type === "tool").map(({ content }) => content);
const answer = ({ id }, said) => new Command({ resume: { [id]: said } });
const decided = async ({ checkpointer }) =>
  (await checkpointer.decisions("t")).map(({ type, by }) => (by ? `${type} by ${by}` : type));

test("shows when a request expires, and takes an answer until then", async () => {
  const t = setUp();
  const [request] = asked(await start(t));
  assert.equal(request.expires_at, "2026-01-01T00:00:01.000Z");
  await t.clock.advance(999);
  const result = await t.agent.invoke(answer(request, { type: "accept" }), t.config);
  assert.deepEqual(texts(result), ["paid 1"]);
  assert.deepEqual([t.ran, await decided(t)], [[1], ["accept"]]);
});

for (const [form, said] of Object.entries({
  "an acceptance": { type: "accept" },
  "an answer of no known form": { type: "sure" },
  "the form of the host's own answers": { type: "accept", by: "expiry" },
  "an escalation in the host's form": { type: "escalate", escalate: { to: "me" }, by: "expiry" },
  "an edit": { type: "edit", args: { action: "pay", args: { n: 2 } } },
}))
  test(`takes no answer from the moment on: ${form}`, async () => {
    const t = setUp();
    const [request] = asked(await start(t));
    await t.clock.advance(1000);
    const result = await t.agent.invoke(answer(request, said), t.config);
    assert.deepEqual(texts(result), [EXPIRED]);
    assert.deepEqual([t.ran, await decided(t)], [[], ["ignore by expiry"]]);
    const [{ answer: recorded, id }] = await t.checkpointer.decisions("t");
    assert.deepEqual([recorded, id], [{ type: "ignore", by: "expiry" }, request.approval_id]);
  });

test("takes the host's form from nobody before the moment either", async () => {
  const t = setUp();
  const [request] = asked(await start(t));
  const again = await t.agent.invoke(answer(request, { type: "accept", by: "expiry" }), t.config);
  assert.deepEqual(
    asked(again).map(({ id }) => id),
    [request.id],
  );
  await t.clock.advance(999);
  await t.agent.invoke(answer(request, { type: "accept", by: "Ada" }), t.config);
  const [{ answer: recorded, by }] = await t.checkpointer.decisions("t");
  assert.deepEqual([t.ran, recorded, by], [[1], { type: "accept", by: "Ada" }, undefined]);
});

test("gives no more time for answers that cannot be used", async () => {
  const t = setUp();
  let [request] = asked(await start(t));
  const { expires_at } = request;
  for (let i = 0; i < 3; i++) {
    await t.clock.advance(300);
    [request] = asked(await t.agent.invoke(answer(request, { type: "?" }), t.config));
    assert.equal(request.expires_at, expires_at);
    assert.match(request.problem, /is none of/);
  }
  await t.clock.advance(100);
  assert.deepEqual(texts(await t.agent.invoke(null, t.config)), [EXPIRED]);
});

test("an invocation without an answer lets it expire, and only then", async () => {
  const t = setUp();
  const [request] = asked(await start(t));
  await t.clock.advance(999);
  assert.deepEqual(asked(await t.agent.invoke(null, t.config)), [request]);
  await t.clock.advance(1);
  assert.deepEqual(texts(await t.agent.invoke(null, t.config)), [EXPIRED]);
  await t.agent.invoke(answer(request, { type: "accept" }), t.config);
  assert.deepEqual([t.ran, await decided(t)], [[], ["ignore by expiry"]]);
});

test("the recorded moment counts in another process, whatever its options say", async (t) => {
  for (const [next, expected] of [
    [approvalRules({ expires: 1e9 }), [EXPIRED]],
    [approvalRules(), [EXPIRED]],
    [approvalRules({ onExpire: { type: "response", args: "too late" } }), [/Reason: too late$/]],
  ]) {
    const path = mkdtempSync(join(tmpdir(), "weft-"));
    t.after(() => rmSync(path, { recursive: true, force: true }));
    const one = setUp({ checkpointer: new FileSaver({ path }) });
    const [request] = asked(await start(one));
    one.clock.advance(1000);
    const two = setUp({ checkpointer: new FileSaver({ path }), rules: next, clock: one.clock });
    const said = texts(await two.agent.invoke(answer(request, { type: "accept" }), two.config));
    assert.equal(said.length, 1);
    assert.match(said[0], expected[0] instanceof RegExp ? expected[0] : /nobody answered in time/);
    assert.deepEqual(two.ran, []);
  }
});

test("without the rules a late answer asks anew, and that question can be answered", async () => {
  const t = setUp();
  const [request] = asked(await start(t));
  await t.clock.advance(1000);
  const plain = t.make("each");
  const [again] = asked(await plain.invoke(answer(request, { type: "accept" }), t.config));
  assert.notEqual(again.approval_id, request.approval_id);
  assert.deepEqual(t.ran, []);
  const result = await plain.invoke(answer(again, { type: "accept" }), t.config);
  assert.deepEqual([texts(result), t.ran], [["paid 1"], [1]]);
});

test("retention keeps the moment; an import asks anew", async () => {
  const t = setUp();
  await start(t);
  await pruneThread(t.checkpointer, "t", { last: 1 });
  const bytes = await exportThread(t.checkpointer, "t");
  await t.clock.advance(1000);
  assert.deepEqual(texts(await t.agent.invoke(null, t.config)), [EXPIRED]);
  const other = new MemorySaver();
  await importThread(other, bytes, { threadId: "u" });
  const moved = setUp({ checkpointer: other, clock: t.clock });
  const config = { configurable: { thread_id: "u" }, clock: t.clock };
  const [request] = asked(await moved.agent.invoke(null, config));
  assert.equal(request.expires_at, "2026-01-01T00:00:02.000Z");
});

test("onExpire decides: text, acceptance, edit, function, nothing", async () => {
  for (const [onExpire, expected, ran] of [
    [{ type: "response", args: "closed" }, /expired; it was not run\. Reason: closed$/, []],
    [{ type: "accept" }, /^paid 1$/, [1]],
    [true, /^paid 1$/, [1]],
    [{ type: "edit", args: { action: "pay", args: { n: 2 } } }, /^paid 2$/, [2]],
    [({ args, id }) => ({ type: "response", args: `${args.n} ${id}` }), /Reason: 1 c1$/, []],
    [async () => undefined, /nobody answered in time$/, []],
  ]) {
    const t = setUp({ rules: approvalRules({ expires: 1000, onExpire }) });
    await start(t);
    await t.clock.advance(1000);
    const [said] = texts(await t.agent.invoke(null, t.config));
    assert.match(said, expected);
    assert.deepEqual(t.ran, ran);
    assert.match((await decided(t))[0], / by expiry$/);
  }
});

test("what onExpire cannot mean is an error, and the question stays open", async () => {
  for (const onExpire of [
    () => "yes",
    () => ({ type: "edit", args: { action: "pay", args: { n: 99 } } }),
    () => ({ type: "edit", args: { action: "nothing", args: {} } }),
    () => ({ escalate: { to: "" } }),
    () => ({ escalate: { to: "x", expires: -1 } }),
    () => {
      throw new Error("down");
    },
  ]) {
    const t = setUp({ rules: approvalRules({ expires: 1000, onExpire }) });
    await start(t);
    await t.clock.advance(1000);
    await assert.rejects(t.agent.invoke(null, t.config), /cannot be used|down/);
    assert.deepEqual([t.ran, await decided(t)], [[], []]);
    assert.deepEqual(texts(await t.make(approvalRules()).invoke(null, t.config)), [EXPIRED]);
  }
});

test("a tool's own expires and onExpire win; a function gets the call", async () => {
  const t = setUp({
    fields: { expires: ({ args }) => args.n * 100, onExpire: { type: "accept" } },
  });
  const [request] = asked(await start(t));
  assert.equal(request.expires_at, "2026-01-01T00:00:00.100Z");
  await t.clock.advance(100);
  assert.deepEqual(texts(await t.agent.invoke(null, t.config)), ["paid 1"]);
});

test("a Date is a moment; one that has passed asks nobody", async () => {
  const t = setUp({ rules: approvalRules({ expires: new Date("2026-01-01T00:00:05Z") }) });
  assert.equal(asked(await start(t))[0].expires_at, "2026-01-01T00:00:05.000Z");
  const past = setUp({ rules: approvalRules({ expires: () => new Date("2025-01-01") }) });
  assert.deepEqual(texts(await start(past)), [EXPIRED]);
  assert.deepEqual(await decided(past), ["ignore by expiry"]);
});

test("refuses options of no meaning", async () => {
  for (const options of [
    null,
    { batch: "yes" },
    { expires: 0 },
    { expires: -1 },
    { expires: NaN },
    { expires: Infinity },
    { expires: "1h" },
    { expires: new Date(NaN) },
    { onExpire: "accept" },
    { onExpire: { type: "response" } },
    { onExpire: { escalate: {} } },
    { expire: 1000 },
    { onexpire: { type: "ignore" } },
  ])
    assert.throws(() => approvalRules(options), { code: "BAD_ARGUMENT" });
  assert.throws(() => new ToolNode([], { approvals: "all" }), /approvalRules/);
  for (const wrong of [-1, "soon", new Date(NaN)]) {
    const t = setUp({ rules: approvalRules({ expires: () => wrong }) });
    await assert.rejects(start(t), { code: "APPROVAL" });
  }
});

const escalating = approvalRules({
  expires: 1000,
  onExpire: ({ escalations }) =>
    escalations < 1
      ? { escalate: { to: "boss", expires: 500, description: "Boss?" } }
      : { type: "ignore" },
});

test("an escalation is a new question, which a late answer to the first does not reach", async () => {
  const t = setUp({ rules: escalating });
  const [first] = asked(await start(t));
  await t.clock.advance(1000);
  const [second] = asked(await t.agent.invoke(answer(first, { type: "accept" }), t.config));
  assert.deepEqual(
    [second.escalated_to, second.escalations, second.description, second.expires_at],
    ["boss", 1, "Boss?", "2026-01-01T00:00:01.500Z"],
  );
  assert.equal(second.action_requests[0].description, "Boss?");
  for (const key of ["id", "digest", "approval_id"]) assert.notEqual(second[key], first[key]);
  assert.equal(second.canonical, first.canonical);
  for (const late of [
    answer(first, { type: "accept" }),
    new Command({ resume: { type: "accept", approval_id: first.approval_id } }),
  ])
    await assert.rejects(t.agent.invoke(late, t.config), { name: "UnknownInterruptError" });
  for (const late of [{ type: "accept" }, { type: "accept", digest: first.digest }]) {
    await t.agent.invoke(new Command({ resume: late }), t.config);
    assert.deepEqual(t.ran, []);
  }
  const state = await t.agent.getState(t.config);
  const [{ id, value }] = state.tasks.flatMap(({ interrupts }) => interrupts);
  assert.equal(value.escalated_to, "boss");
  const said = { type: "accept", digest: value.digest, by: "the boss" };
  assert.deepEqual(texts(await t.agent.invoke(answer({ id }, said), t.config)), ["paid 1"]);
  assert.deepEqual(await decided(t), ["escalate by expiry", "accept"]);
});

test("an escalation survives the process, and expires in its turn", async (t) => {
  const path = mkdtempSync(join(tmpdir(), "weft-"));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  const next = (clock) =>
    setUp({ rules: escalating, checkpointer: new FileSaver({ path }), clock });
  const one = next();
  await start(one);
  await one.clock.advance(1000);
  await one.agent.invoke(null, one.config);
  const two = next(one.clock);
  const [waiting] = asked(await two.agent.invoke(null, two.config));
  assert.deepEqual(
    [waiting.escalated_to, waiting.expires_at],
    ["boss", "2026-01-01T00:00:01.500Z"],
  );
  await one.clock.advance(500);
  const three = next(one.clock);
  assert.deepEqual(texts(await three.agent.invoke(null, three.config)), [EXPIRED]);
  assert.deepEqual(await decided(three), ["escalate by expiry", "ignore by expiry"]);
});

test("escalates at most ten times, and once by an answer that is no function", async () => {
  for (const [onExpire, count] of [
    [() => ({ escalate: { to: "next" } }), 10],
    [{ escalate: { to: "next" } }, 1],
  ]) {
    const t = setUp({ rules: approvalRules({ expires: 10, onExpire }) });
    await start(t);
    let said = [];
    let rounds = 0;
    for (; said.length === 0 && rounds < 20; rounds++) {
      await t.clock.advance(10);
      said = texts(await t.agent.invoke(null, t.config));
    }
    assert.deepEqual([said, rounds], [[EXPIRED], count + 1]);
  }
});

test("decides the expired question alone while others wait", async () => {
  const t = setUp({
    numbers: [1, 2],
    rules: approvalRules({ expires: ({ args }) => args.n * 1000 }),
  });
  const [, second] = asked(await start(t));
  await t.clock.advance(1000);
  assert.deepEqual(asked(await t.agent.invoke(null, t.config)), [second]);
  assert.deepEqual(await decided(t), ["ignore by expiry"]);
  const result = await t.agent.invoke(answer(second, { type: "accept" }), t.config);
  assert.deepEqual([texts(result), t.ran], [[EXPIRED, "paid 2"], [2]]);
});

test("a question about several calls expires, and is escalated, as a whole", async () => {
  const rules = (onExpire) =>
    approvalRules({ batch: true, expires: ({ args }) => args.n * 1000, onExpire });
  const t = setUp({ numbers: [1, 2], rules: rules() });
  const [request] = asked(await start(t));
  assert.equal(request.expires_at, "2026-01-01T00:00:01.000Z");
  await t.clock.advance(1000);
  const decisions = [{ type: "approve" }, { type: "approve" }];
  const late = await t.agent.invoke(answer(request, { decisions }), t.config);
  assert.deepEqual([texts(late), t.ran], [[EXPIRED, EXPIRED], []]);
  const u = setUp({
    numbers: [1, 2],
    rules: rules(({ id, escalations }) =>
      escalations === 0 && id === "c2" ? { escalate: { to: "boss" } } : { type: "accept" },
    ),
  });
  await start(u);
  await u.clock.advance(1000);
  const [second] = asked(await u.agent.invoke(null, u.config));
  assert.deepEqual([second.escalated_to, second.action_requests.length], ["boss", 2]);
  const said = await u.agent.invoke(answer(second, { decisions, digest: second.digest }), u.config);
  assert.deepEqual(
    [texts(said), u.ran],
    [
      ["paid 1", "paid 2"],
      [1, 2],
    ],
  );
  assert.deepEqual(await decided(u), [
    "escalate by expiry",
    "escalate by expiry",
    "accept",
    "accept",
  ]);
});

test("of two processes, one of which lets it expire, exactly one side decides", async (t) => {
  const path = mkdtempSync(join(tmpdir(), "weft-"));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  const one = setUp({ checkpointer: new FileSaver({ path }) });
  const [request] = asked(await start(one));
  const late = new TestClock("2026-01-01T00:00:01Z");
  const two = setUp({ checkpointer: new FileSaver({ path }), clock: late });
  const results = await Promise.allSettled([
    one.agent.invoke(answer(request, { type: "accept" }), one.config),
    two.agent.invoke(null, two.config),
  ]);
  assert.ok(results.some(({ status }) => status === "fulfilled"));
  // Where the one that let it expire was overtaken after that, the other lets it expire again.
  const kinds = new Set(await decided(one));
  assert.equal(kinds.size, 1);
  assert.deepEqual([...one.ran, ...two.ran], kinds.has("accept") ? [1] : []);
});

test("a clock that goes back gives time, until it was decided", async () => {
  const t = setUp();
  const [request] = asked(await start(t));
  const at = (time) => ({ ...t.config, clock: new TestClock(time) });
  await t.agent.invoke(null, at("2025-12-31"));
  assert.deepEqual(texts(await t.agent.invoke(null, at("2026-01-02"))), [EXPIRED]);
  await t.agent.invoke(answer(request, { type: "accept" }), at("2026-01-01"));
  assert.deepEqual(t.ran, []);
});

test("a task that runs again asks under the same moment, and takes no answer after it", async () => {
  const t = setUp({ rules: approvalRules({ expires: new Date("2026-01-01T00:00:05Z") }) });
  const [request] = asked(await start(t));
  const { config: before } = await t.agent.getState(t.config);
  await t.agent.invoke(answer(request, { type: "ignore" }), t.config);
  const late = { ...before, clock: new TestClock("2026-01-01T00:00:09Z") };
  await t.agent.invoke(answer(request, { type: "accept" }), late);
  assert.deepEqual([await decided(t), t.ran], [["ignore", "ignore by expiry"], []]);
});

for (const isEscalated of [false, true])
  test(`humanInTheLoopMiddleware takes the rules${isEscalated ? ", and shows whom it asks then" : ""}`, async () => {
    const clock = new TestClock("2026-01-01");
    const ran = [];
    const agent = createAgent({
      model: new ScriptedModel({
        responses: [
          new AIMessage({ content: "", tool_calls: [{ name: "pay", id: "c", args: { n: 1 } }] }),
          "done",
        ],
      }),
      tools: [tool(({ n }) => (ran.push(n), "paid"), { name: "pay", schema })],
      middleware: [
        humanInTheLoopMiddleware({
          interruptOn: { pay: true },
          approvals: isEscalated ? escalating : approvalRules({ expires: 1000 }),
        }),
      ],
      checkpointer: new MemorySaver(),
    });
    const config = { configurable: { thread_id: "t" }, clock };
    const [request] = asked(await agent.invoke({ messages: "go" }, config));
    assert.equal(request.expires_at, "2026-01-01T00:00:01.000Z");
    await clock.advance(1000);
    const late = answer(request, { decisions: [{ type: "approve" }] });
    const state = await agent.invoke(late, config);
    assert.deepEqual(ran, []);
    if (!isEscalated) return assert.deepEqual(texts(state), [EXPIRED]);
    const [{ actionRequests, escalated_to }] = asked(state);
    assert.deepEqual([actionRequests[0].description, escalated_to], ["Boss?", "boss"]);
  });

for (const durability of ["exit", "async", "sync"])
  test(`expires and escalates inside of a graph, under durability ${durability}`, async () => {
    const t = setUp({ numbers: [1, 2], rules: escalating });
    const agent = new StateGraph(MessagesAnnotation)
      .addNode("inner", setUp({ numbers: [1, 2], rules: escalating, checkpointer: null }).agent)
      .addEdge(START, "inner")
      .compile({ checkpointer: t.checkpointer });
    const config = { ...t.config, durability };
    const first = asked(await agent.invoke({ messages: "go" }, config));
    await t.clock.advance(1000);
    const second = asked(await agent.invoke(answer(first[0], { type: "accept" }), config));
    assert.deepEqual(
      second.map(({ escalated_to }) => escalated_to),
      ["boss", "boss"],
    );
    await t.clock.advance(500);
    const { expired, result } = await expireApprovals(agent, config);
    assert.deepEqual([expired, texts(result)], [2, [EXPIRED, EXPIRED]]);
  });

test("a checkpointer that keeps no requests is an error before anything runs", async () => {
  const t = setUp({ checkpointer: new PeerSaver() });
  await assert.rejects(start(t), { code: "APPROVAL" });
  assert.deepEqual(t.ran, []);
});

test("expireApprovals tells what it did and when to look again", async () => {
  const t = setUp({
    numbers: [1, 2],
    rules: approvalRules({ expires: ({ args }) => args.n * 1000 }),
  });
  await start(t);
  const { agent, clock, config } = t;
  const first = await expireApprovals(agent, config);
  assert.deepEqual(first, { expired: 0, next: new Date("2026-01-01T00:00:01Z") });
  await clock.advance(1500);
  const { expired, next } = await expireApprovals(agent, config);
  assert.deepEqual([expired, next], [1, new Date("2026-01-01T00:00:02Z")]);
  await clock.advance(500);
  const last = await expireApprovals(agent, config);
  assert.deepEqual(
    [last.expired, last.next, texts(last.result)],
    [1, undefined, [EXPIRED, EXPIRED]],
  );
  assert.deepEqual(await expireApprovals(agent, config), { expired: 0, next: undefined });
  await assert.rejects(expireApprovals(agent, {}), { code: "BAD_ARGUMENT" });
  await assert.rejects(expireApprovals({}, config), { code: "BAD_ARGUMENT" });
});
