// SPDX-License-Identifier: MIT
// Serves docs/approval-safety.md: a call that began under an approval, or has run, is not asked
// about like a new one when its node starts again, whatever became of the run.
import assert from "node:assert/strict";
import { test } from "node:test";
import { MemorySaver as PeerSaver } from "@langchain/langgraph";
import {
  Command,
  INTERRUPT,
  MemorySaver,
  MessagesAnnotation,
  START,
  Send,
  StateGraph,
  tool,
} from "weftgraph";
import { createAgent, createMiddleware } from "weftgraph/agent";
import { AIMessage } from "weftgraph/messages";
import { ScriptedModel } from "weftgraph/models/scripted";
import { ToolNode } from "weftgraph/prebuilt";
import { createServer } from "weftgraph/server";

const THREAD = { configurable: { thread_id: "1" } };
const NUMBER = { type: "object", properties: { n: { type: "number" } } };
const SAVERS = [
  ["Weft's saver", () => new MemorySaver()],
  ["LangGraph.js's saver", () => new PeerSaver()],
];
const call = (name, args, id) => ({ name, args, id, type: "tool_call" });
const calling = (...tool_calls) => ({ content: "", tool_calls });

/** A tool that notes what it paid, and asks first. */
function payment(options) {
  const paid = [];
  const work = ({ n }) => (paid.push(n), `paid ${n}`);
  return { paid, pay: tool(work, { name: "pay", schema: NUMBER, approval: "ask", ...options }) };
}
const agentOf = (checkpointer, tools, calls, version, more) =>
  createAgent({
    model: new ScriptedModel({ responses: [calling(...calls), "Done.", "Done."] }),
    tools,
    checkpointer,
    version,
    ...more,
  });
/** Approves the agent's call and stops the run when that has begun. */
async function stopWithin(agent, begun) {
  await agent.invoke({ messages: "go" }, THREAD);
  const stop = new AbortController();
  const accept = new Command({ resume: { type: "accept" } });
  const run = agent.invoke(accept, { ...THREAD, signal: stop.signal });
  await begun;
  stop.abort();
  await assert.rejects(run);
}
const resultsOf = ({ messages }) =>
  messages.filter(({ type }) => type === "tool").map(({ content }) => content);

for (const [saver, newSaver] of SAVERS)
  for (const approvals of [undefined, "batch"])
    test(`${saver}: approved calls that have run are not asked about when their run was stopped beside them${approvals ? ", nor as one question" : ""}`, async () => {
      const { paid, pay } = payment();
      let begin;
      const begun = new Promise((resolve) => (begin = resolve));
      let hangs = true;
      const slow = tool(() => (hangs ? (begin(), new Promise(() => {})) : "slow"), {
        name: "slow",
        schema: NUMBER,
        idempotent: true,
      });
      const calls = [call("pay", { n: 1 }, "1"), call("pay", { n: 2 }, "2"), call("slow", {}, "3")];
      const agent = agentOf(newSaver(), [pay, slow], calls, "v1", { approvals });
      const { [INTERRUPT]: asked } = await agent.invoke({ messages: "go" }, THREAD);
      const stop = new AbortController();
      const yes = approvals
        ? { decisions: [{ type: "approve" }, { type: "approve" }] }
        : { type: "accept" };
      const run = agent.invoke(
        new Command({ resume: Object.fromEntries(asked.map(({ id }) => [id, yes])) }),
        { ...THREAD, signal: stop.signal },
      );
      await begun;
      // What the others returned is saved meanwhile.
      await new Promise((resolve) => setTimeout(resolve, 50));
      stop.abort();
      await assert.rejects(run);
      hangs = false;
      const state = await agent.invoke(null, THREAD);
      assert.equal(state[INTERRUPT], undefined);
      assert.deepEqual(resultsOf(state), ["paid 1", "paid 2", "slow"]);
      assert.deepEqual(paid, [1, 2]);
    });

for (const [saver, newSaver] of SAVERS)
  test(`${saver}: an approved call that has run does not run again when another of its message asks`, async () => {
    const { paid, pay } = payment();
    const asks = tool((_, { interrupt }) => `said ${interrupt("which?")}`, {
      name: "asks",
      schema: NUMBER,
    });
    const calls = [call("pay", { n: 1 }, "1"), call("asks", {}, "2")];
    const agent = agentOf(newSaver(), [pay, asks], calls, "v1");
    await agent.invoke({ messages: "go" }, THREAD);
    const { [INTERRUPT]: asked } = await agent.invoke(
      new Command({ resume: { type: "accept" } }),
      THREAD,
    );
    assert.deepEqual([asked[0].value, paid], ["which?", [1]]);
    const state = await agent.invoke(new Command({ resume: { [asked[0].id]: "A" } }), THREAD);
    assert.deepEqual([resultsOf(state), paid], [["paid 1", "said A"], [1]]);
  });

for (const version of ["v1", "v2"])
  test(`after a run that was stopped in an approved call no other call can be written in its place (${version})`, async () => {
    let begin;
    const begun = new Promise((resolve) => (begin = resolve));
    const keys = [];
    const work = ({ n }, { idempotencyKey }) => {
      keys.push([n, idempotencyKey]);
      begin();
      return keys.length === 1 ? new Promise(() => {}) : `paid ${n}`;
    };
    const pay = tool(work, { name: "pay", schema: NUMBER, approval: "ask" });
    const agent = agentOf(new MemorySaver(), [pay], [call("pay", { n: 1 }, "1")], version);
    await stopWithin(agent, begun);
    const edit = { type: "edit", args: { action: "pay", args: { n: 50 } } };
    let [{ id, value }] = (await agent.invoke(null, THREAD))[INTERRUPT];
    assert.deepEqual(
      [value.kind, value.action_request],
      ["unknown_tool_call", { action: "pay", args: { n: 1 } }],
    );
    [{ id, value }] = (await agent.invoke(new Command({ resume: { [id]: edit } }), THREAD))[
      INTERRUPT
    ];
    assert.match(value.problem, /The answer must be/);
    const state = await agent.invoke(new Command({ resume: { [id]: { type: "accept" } } }), THREAD);
    assert.deepEqual(resultsOf(state), ["paid 1"]);
    assert.deepEqual(keys[1], keys[0]);
  });

for (const [form, refusal] of [
  ["AG-UI's", { approved: false, reason: "No! Do not pay." }],
  ["LangChain's", { decisions: [{ type: "reject", message: "No! Do not pay." }] }],
  ["a word", false],
])
  test(`the reason of a refusal is no result of a call whose outcome is unknown: ${form} form`, async () => {
    let begin;
    const begun = new Promise((resolve) => (begin = resolve));
    const pay = tool(() => (begin(), new Promise(() => {})), {
      name: "pay",
      schema: NUMBER,
      approval: "ask",
    });
    const agent = agentOf(new MemorySaver(), [pay], [call("pay", { n: 1 }, "1")], "v1");
    await stopWithin(agent, begun);
    const [{ id }] = (await agent.invoke(null, THREAD))[INTERRUPT];
    const state = await agent.invoke(new Command({ resume: { [id]: refusal } }), THREAD);
    const { content, status } = state.messages.find(({ type }) => type === "tool");
    assert.equal(status, "error");
    assert.match(content, /not known whether the call of "pay" took effect/);
  });

for (const how of ["a run", "a cancellation"])
  test(`${how} that rolls back an answered run does not let the answer be given once more`, async () => {
    const { paid, pay } = payment();
    let answering;
    const isAnswering = new Promise((resolve) => (answering = resolve));
    const reply = (messages) => {
      if (messages.at(-1).type !== "tool") return calling(call("pay", { n: 1 }, "1"));
      answering();
      return new Promise((resolve) => setTimeout(resolve, 100, "Done."));
    };
    const saver = new MemorySaver();
    const agent = createAgent({
      model: new ScriptedModel({ responses: [reply], loop: true }),
      tools: [pay],
      checkpointer: saver,
    });
    const server = createServer({ graphs: { agent } });
    const ask = async (path, body) => {
      const response = await server.fetch(`http://weft.local${path}`, {
        method: "POST",
        body: JSON.stringify({ assistant_id: "agent", ...body }),
      });
      const text = await response.text();
      return text === "" ? undefined : JSON.parse(text);
    };
    const { thread_id } = await ask("/threads", {});
    const runs = `/threads/${thread_id}/runs`;
    const { __interrupt__ } = await ask(`${runs}/wait`, {
      input: { messages: [{ role: "user", content: "go" }] },
    });
    const command = { resume: { [__interrupt__[0].id]: { type: "accept" } } };
    const { run_id } = await ask(runs, { command });
    await isAnswering;
    if (how === "a cancellation") await ask(`${runs}/${run_id}/cancel?action=rollback&wait=1`, {});
    await ask(`${runs}/wait`, { command, multitask_strategy: "rollback" });
    assert.deepEqual(paid, [1]);
    assert.equal((await saver.decisions(thread_id)).length, 1);
  });

const messageOf = (n, ...more) =>
  new AIMessage({ id: `m${n}`, content: "", tool_calls: [call("pay", { n }, `c${n}`), ...more] });
/** A graph of one node, and how to answer its first question until it asks no more. */
function nodeOf(work, checkpointer) {
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("work", work)
    .addEdge(START, "work")
    .compile({ checkpointer });
  return async (answer = { type: "accept" }) => {
    const asked = [];
    let state = await graph.invoke({ messages: [] }, THREAD);
    while (state[INTERRUPT] !== undefined && asked.length < 9) {
      const [{ id, value }] = state[INTERRUPT];
      asked.push(value.canonical ?? value);
      state = await graph.invoke(new Command({ resume: { [id]: answer } }), THREAD);
    }
    return { asked, state };
  };
}

for (const [saver, newSaver] of SAVERS)
  for (const isAtOnce of [true, false])
    test(`${saver}: an answer is for one call of several that wrappers change, ${isAtOnce ? "at once" : "in turn"}`, async () => {
      const { paid, pay } = payment({ approval: ({ n }) => (n >= 100 ? "ask" : "auto") });
      const node = new ToolNode([pay], {
        wrapToolCall: ({ toolCall, ...request }, handler) =>
          handler({ ...request, toolCall: { ...toolCall, args: { n: toolCall.args.n * 100 } } }),
      });
      const one = (n) => node.invoke({ messages: [messageOf(n)] });
      const numbers = [1, 2, 3, 4, 5];
      const results = async () => {
        if (isAtOnce) return Promise.all(numbers.map(one));
        const found = [];
        for (const n of numbers) found.push(await one(n));
        return found;
      };
      const run = nodeOf(
        async () => ({ messages: (await results()).flatMap(({ messages }) => messages) }),
        newSaver(),
      );
      const { asked, state } = await run();
      assert.deepEqual(
        asked,
        numbers.map((n) => `{"n":${n * 100}}`),
      );
      assert.deepEqual([paid, resultsOf(state).length], [numbers.map((n) => n * 100), 5]);
    });

for (const [saver, newSaver] of SAVERS)
  test(`${saver}: each of a node's ToolNodes runs what was approved of it`, async () => {
    const { paid, pay } = payment();
    const node = new ToolNode([pay]);
    const { asked, state } = await nodeOf(async () => {
      const one = await node.invoke({ messages: [messageOf(1)] });
      const two = await node.invoke({ messages: [messageOf(2)] });
      return { messages: [...one.messages, ...two.messages] };
    }, newSaver())();
    assert.deepEqual(asked, ['{"n":1}', '{"n":2}']);
    assert.deepEqual(
      [paid, resultsOf(state)],
      [
        [1, 2],
        ["paid 1", "paid 2"],
      ],
    );
  });

for (const [saver, newSaver] of SAVERS)
  for (const [what, change] of [
    ["as it is", (args) => args],
    ["changed", ({ n }) => ({ n: n + 100 })],
  ])
    test(`${saver}: an approved call does not run again when its wrapper asks behind it: ${what}`, async () => {
      const { paid, pay } = payment();
      const asks = createMiddleware({
        name: "Asks",
        wrapToolCall: async ({ toolCall, ...request }, handler) => {
          const args = change(toolCall.args);
          const result = await handler({ ...request, toolCall: { ...toolCall, args } });
          request.runtime.interrupt("show it?");
          return result;
        },
      });
      const agent = agentOf(newSaver(), [pay], [call("pay", { n: 1 }, "1")], "v1", {
        middleware: [asks],
      });
      let state = await agent.invoke({ messages: "go" }, THREAD);
      for (let count = 0; state[INTERRUPT] !== undefined && count < 5; count++)
        state = await agent.invoke(
          new Command({ resume: { [state[INTERRUPT][0].id]: { type: "accept" } } }),
          THREAD,
        );
      assert.deepEqual(paid, [change({ n: 1 }).n]);
      assert.equal(state.messages.at(-1).content, "Done.");
    });

test("a wrapper may try an approved call again that failed, under its approval", async () => {
  let count = 0;
  const pay = tool(
    () => {
      if (++count < 3) throw new Error("busy");
      return "paid";
    },
    { name: "pay", schema: NUMBER, approval: "ask" },
  );
  const node = new ToolNode([pay], {
    wrapToolCall: async (request, handler) => {
      let answer = await handler(request);
      while (answer.status === "error") answer = await handler(request);
      return answer;
    },
  });
  const { asked, state } = await nodeOf(
    () => node.invoke({ messages: [messageOf(1)] }),
    new MemorySaver(),
  )();
  assert.deepEqual([asked.length, count, resultsOf(state)], [1, 3, ["paid"]]);
});

for (const version of ["v1", "v2"])
  test(`a wrapper may make several guarded calls of one at once: each is asked about once (${version})`, async () => {
    const { paid, pay } = payment();
    const twice = createMiddleware({
      name: "Twice",
      wrapToolCall: async ({ toolCall, ...request }, handler) => {
        const [one] = await Promise.all(
          [101, 201].map((n) => handler({ ...request, toolCall: { ...toolCall, args: { n } } })),
        );
        return one;
      },
    });
    const agent = agentOf(new MemorySaver(), [pay], [call("pay", { n: 1 }, "1")], version, {
      middleware: [twice],
    });
    const asked = [];
    let state = await agent.invoke({ messages: "go" }, THREAD);
    while (state[INTERRUPT] !== undefined && asked.length < 9) {
      const [{ id, value }] = state[INTERRUPT];
      asked.push(value.canonical);
      state = await agent.invoke(new Command({ resume: { [id]: { type: "accept" } } }), THREAD);
    }
    assert.deepEqual(
      [asked, paid.sort()],
      [
        ['{"n":1}', '{"n":101}', '{"n":201}'],
        [101, 201],
      ],
    );
  });

for (const isById of [true, false])
  test(`two questions about several calls side by side take one answer each, ${isById ? "by id" : "also without an id"}`, async () => {
    const { paid, pay } = payment();
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("tools", new ToolNode([pay], { approvals: "batch" }))
      .addConditionalEdges(
        START,
        () =>
          [1, 10].map(
            (n) =>
              new Send("tools", { messages: [messageOf(n, call("pay", { n: n + 1 }, `d${n}`))] }),
          ),
        ["tools"],
      )
      .compile({ checkpointer: new MemorySaver() });
    const yes = { decisions: [{ type: "approve" }, { type: "approve" }] };
    let state = await graph.invoke({ messages: [] }, THREAD);
    let count = 0;
    for (; state[INTERRUPT] !== undefined && count < 5; count++) {
      const resume = isById ? { [state[INTERRUPT][0].id]: yes } : yes;
      state = await graph.invoke(new Command({ resume }), THREAD);
    }
    assert.deepEqual([count, paid], [2, [1, 2, 10, 11]]);
  });

test("who goes back to several questions that were answered may answer them one by one", async () => {
  const { paid, pay } = payment();
  const calls = [call("pay", { n: 1 }, "1"), call("pay", { n: 2 }, "2")];
  const agent = agentOf(new MemorySaver(), [pay], calls, "v1");
  const { [INTERRUPT]: asked } = await agent.invoke({ messages: "go" }, THREAD);
  const { config } = await agent.getState(THREAD);
  const all = Object.fromEntries(asked.map(({ id }) => [id, { type: "accept" }]));
  await agent.invoke(new Command({ resume: all }), THREAD);
  let state = { [INTERRUPT]: asked };
  let count = 0;
  for (; state[INTERRUPT] !== undefined && count < 5; count++) {
    const { id } = state[INTERRUPT][0];
    state = await agent.invoke(new Command({ resume: { [id]: { type: "accept" } } }), config);
  }
  assert.ok(count < 5);
  assert.deepEqual(paid, [1, 2]);
});
