// SPDX-License-Identifier: MIT
// Who wants to run a tool twice, by every road that leads to one: resumes at once, a list of
// answers, returnDirect, a Send for each call, a tool node in a graph in a graph, a tool that calls
// a graph on another thread, an abort in mid-call, a result that comes too late, a retry. Serves
// docs/reliability.md 1 (promises 3 and 4).
import { test } from "node:test";
import assert from "node:assert/strict";
import {
  AIMessage,
  Command,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
  interrupt,
  tool,
} from "weftgraph";
import { ScriptedModel } from "weftgraph/models/scripted";
import { ToolNode, createReactAgent } from "weftgraph/prebuilt";

const schema = { type: "object" };
const call = (name, args = {}, id = name) => ({ name, args, id, type: "tool_call" });
const ai = (...calls) => new AIMessage({ content: "", tool_calls: calls });
const thread = (thread_id = "t") => ({ configurable: { thread_id } });
const said = ({ messages }) =>
  messages
    .filter(({ type }) => type === "tool")
    .map(({ tool_call_id, status }) => [tool_call_id, status]);
const graphOf = (tools, checkpointer, options) =>
  new StateGraph(MessagesAnnotation)
    .addNode("tools", new ToolNode(tools, options))
    .addEdge(START, "tools")
    .compile({ checkpointer });
const accept = new Command({ resume: { type: "accept" } });
const tick = () => new Promise((resolve) => setTimeout(resolve, 2));

test("many resumes at once, from one process and from several graphs: each call runs once", async () => {
  for (const approval of ["ask", "auto"]) {
    const saver = new MemorySaver();
    const ran = [];
    const body = async () => {
      ran.push(1);
      await tick();
      return approval === "ask" ? "paid" : `paid ${interrupt("sure?")}`;
    };
    const make = () => graphOf([tool(body, { name: "pay", schema, approval })], saver);
    await make().invoke({ messages: [ai(call("pay"))] }, thread());
    const before = ran.length;
    const ends = await Promise.allSettled(
      Array.from({ length: 8 }, () => make().invoke(accept, thread())),
    );
    assert.ok(ends.some(({ status, value }) => status === "fulfilled" && said(value).length === 1));
    assert.equal(ran.length - before, 1, approval);
  }
});

test("a list of answers, and answers with two verdicts, decide nothing", async () => {
  const ran = [];
  const graph = graphOf(
    [tool((args) => (ran.push(args), "paid"), { name: "pay", schema, approval: "ask" })],
    new MemorySaver(),
  );
  await graph.invoke({ messages: [ai(call("pay"))] }, thread());
  for (const resume of [
    [{ type: "accept" }, { type: "ignore" }],
    [{ type: "ignore" }, { type: "accept" }],
    [],
    [[{ type: "accept" }]],
    { type: ["accept", "ignore"] },
    { type: { toString: () => "accept" } },
  ]) {
    const asked = await graph.invoke(new Command({ resume }), thread());
    assert.equal(asked.__interrupt__.length, 1);
    assert.deepEqual(ran, []);
  }
  await graph.invoke(accept, thread());
  assert.equal(ran.length, 1);
});

test("agents of both versions: approved calls run once whatever their neighbours do, and go straight out with returnDirect", async () => {
  for (const version of ["v1", "v2"]) {
    for (const returnDirect of [false, true]) {
      const ran = [];
      const pay = Object.assign(
        tool(({ n }) => (ran.push(n), `paid ${n}`), { name: "pay", schema, approval: "ask" }),
        { returnDirect },
      );
      const llm = new ScriptedModel({
        responses: [ai(...[1, 2, 3].map((n) => call("pay", { n }, `c${n}`))), "done"],
      });
      const agent = createReactAgent({
        version,
        llm,
        tools: [pay],
        checkpointer: new MemorySaver(),
      });
      let asked = (await agent.invoke({ messages: "go" }, thread())).__interrupt__;
      assert.equal(asked.length, 3);
      const by = (n, type) =>
        asked.find(({ value }) => value.tool_call_id === `c${n}`) && {
          [asked.find(({ value }) => value.tool_call_id === `c${n}`).id]: {
            type,
            args: type === "response" ? "no" : null,
          },
        };
      asked = (await agent.invoke(new Command({ resume: by(2, "accept") }), thread()))
        .__interrupt__;
      assert.deepEqual(asked.map(({ value }) => value.tool_call_id).sort(), ["c1", "c3"]);
      const mid = ran.length;
      asked = (await agent.invoke(new Command({ resume: by(3, "response") }), thread()))
        .__interrupt__;
      assert.equal(ran.length, mid);
      const done = await agent.invoke(new Command({ resume: by(1, "accept") }), thread());
      assert.deepEqual([...ran].sort(), [1, 2], `${version} ${returnDirect}`);
      assert.deepEqual(said(done).sort(), [
        ["c1", "success"],
        ["c2", "success"],
        ["c3", "error"],
      ]);
      await agent.invoke(accept, thread()).catch(() => {});
      assert.equal(ran.length, 2);
    }
  }
});

test("in a graph in a graph, also one that keeps its own thread, a decision counts once and a finished call does not run again", async () => {
  for (const checkpointer of [undefined, true]) {
    const saver = new MemorySaver();
    const ran = [];
    let fails = true;
    const tools = new ToolNode([
      tool(({ n }) => (ran.push(n), "paid"), { name: "pay", schema, approval: "ask" }),
    ]);
    const after = () => {
      if (fails) throw new Error("after");
      return {};
    };
    const inner = new StateGraph(MessagesAnnotation)
      .addNode("tools", tools)
      .addNode("after", after)
      .addEdge(START, "tools")
      .addEdge("tools", "after")
      .compile({ checkpointer });
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("inner", inner)
      .addEdge(START, "inner")
      .compile({ checkpointer: saver });
    const {
      __interrupt__: [{ id, value }],
    } = await graph.invoke({ messages: [ai(call("pay", { n: 1 }))] }, thread());
    const right = () =>
      new Command({
        resume: { [id]: { type: "accept", digest: value.digest, approval_id: value.approval_id } },
      });
    await assert.rejects(graph.invoke(right(), thread()), { message: "after" });
    assert.deepEqual(ran, [1]);
    await assert.rejects(graph.invoke(right(), thread()), { message: "after" });
    fails = false;
    assert.deepEqual(said(await graph.invoke(null, thread())), [["pay", "success"]]);
    assert.deepEqual(ran, [1]);
    const [{ id: decided, checkpoint_ns }] = await saver.decisions("t");
    assert.equal(decided, value.approval_id);
    assert.match(checkpoint_ns, /^inner/);
  }
});

test("a tool that calls a graph on another thread, or on its own, leaves both ledgers right", async () => {
  const saver = new MemorySaver();
  const ran = [];
  const other = graphOf(
    [tool(({ n }) => (ran.push(n), "deep"), { name: "deep", schema, approval: "ask" })],
    saver,
  );
  const delegate = tool(
    async ({ n }) => {
      ran.push("delegate");
      const result = await other.invoke(
        { messages: [ai(call("deep", { n }))] },
        { configurable: { thread_id: `other-${n}`, checkpoint_ns: "", checkpoint_id: undefined } },
      );
      return result.__interrupt__ === undefined ? "done" : "it asks";
    },
    { name: "delegate", schema, approval: "ask" },
  );
  const graph = graphOf([delegate], saver);
  await graph.invoke({ messages: [ai(call("delegate", { n: 7 }))] }, thread());
  await graph.invoke(accept, thread());
  assert.deepEqual(
    ran.filter((one) => one === "delegate"),
    ["delegate"],
  );
  assert.ok(!ran.includes(7), "what the outer call was allowed is not the inner one's permission");
  const first = await saver.decisions("t");
  assert.deepEqual(
    first.map(({ tool_call_id }) => tool_call_id),
    ["delegate"],
  );
});

test("aborted in mid-call and gone on with: the same key, no question; what comes late is not believed", async () => {
  const saver = new MemorySaver();
  const keys = [];
  let finish;
  let body = () => new Promise((resolve) => (finish = resolve));
  const graph = graphOf(
    [tool((_, { idempotencyKey }) => (keys.push(idempotencyKey), body()), { name: "pay", schema })],
    saver,
  );
  const stop = new AbortController();
  const stopped = graph.invoke(
    { messages: [ai(call("pay"))] },
    { ...thread(), signal: stop.signal },
  );
  while (keys.length === 0) await tick();
  stop.abort();
  await assert.rejects(stopped);
  finish("late");
  await tick();
  assert.deepEqual((await graph.getState(thread())).next, ["tools"]);
  body = () => "second";
  const done = await graph.invoke(null, thread());
  assert.deepEqual(done.messages.at(-1).content, "second");
  assert.equal(keys.length, 2);
  assert.equal(keys[0], keys[1]);
});

test("a timeout with a late result, then a retry: one key for all attempts, one answer", async () => {
  const keys = [];
  const late = [];
  const pay = tool(
    (_, { idempotencyKey }) => {
      keys.push(idempotencyKey);
      if (keys.length > 1) return "second";
      return new Promise((resolve) => late.push(resolve));
    },
    { name: "pay", schema, approval: "ask" },
  );
  Object.assign(pay, {
    timeout: 20,
    retryPolicy: { maxAttempts: 2, initialInterval: 1, jitter: false, retryOn: () => true },
  });
  const saver = new MemorySaver();
  const graph = graphOf([pay], saver);
  await graph.invoke({ messages: [ai(call("pay"))] }, thread());
  const run = graph.invoke(accept, thread());
  while (keys.length < 2) await tick();
  late[0]("first, late");
  const done = await run;
  assert.deepEqual(
    done.messages.filter(({ type }) => type === "tool").map(({ content }) => content),
    ["second"],
  );
  assert.deepEqual([keys.length, new Set(keys).size], [2, 1]);
  assert.equal((await saver.decisions("t")).length, 1);
});

test("an approved call whose node is tried again was approved once and is not asked about again", async () => {
  const ran = [];
  const pay = tool(
    () => {
      ran.push(1);
      if (ran.length === 1) throw new Error("kaput");
      return "paid";
    },
    { name: "pay", schema, approval: "ask" },
  );
  const saver = new MemorySaver();
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("tools", new ToolNode([pay], { handleToolErrors: false }), {
      retryPolicy: { maxAttempts: 3, initialInterval: 1, jitter: false, retryOn: () => true },
    })
    .addEdge(START, "tools")
    .compile({ checkpointer: saver });
  await graph.invoke({ messages: [ai(call("pay"))] }, thread());
  assert.deepEqual(said(await graph.invoke(accept, thread())), [["pay", "success"]]);
  assert.equal(ran.length, 2);
  assert.equal((await saver.decisions("t")).length, 1);
});

test("resumed by the config of the state, which names its checkpoint, finished calls do not run again", async () => {
  for (const version of ["v1", "v2"]) {
    const ran = [];
    const body = (name) => () => (ran.push(name), name);
    const tools = [
      tool(() => `heard ${interrupt("sure?")}`, { name: "ask", schema }),
      tool(body("note"), { name: "note", schema }),
      tool(body("pay"), { name: "pay", schema, approval: "ask" }),
    ];
    const llm = new ScriptedModel({
      responses: [ai(call("ask"), call("note"), call("pay")), "done"],
    });
    const agent = createReactAgent({ version, llm, tools, checkpointer: new MemorySaver() });
    let end = await agent.invoke({ messages: "go" }, thread());
    for (let rounds = 0; rounds < 4 && end.__interrupt__ !== undefined; rounds++) {
      const [{ id, value }] = end.__interrupt__;
      end = await agent.invoke(
        new Command({ resume: { [id]: value === "sure?" ? "yes" : { type: "accept" } } }),
        (await agent.getState(thread())).config,
      );
    }
    assert.equal(end.messages.length, 6, version);
    assert.deepEqual([...ran].sort(), ["note", "pay"], version);
  }
});
