// SPDX-License-Identifier: MIT
// Serves docs/approval-safety.md: a call that began under an approval, or has run, is not asked
// about like a new one when its node starts again, whatever became of the run.
import assert from "node:assert/strict";
import { test } from "node:test";
import { MemorySaver as PeerSaver } from "@langchain/langgraph";
import { Command, INTERRUPT, MemorySaver, tool } from "weftgraph";
import { createAgent } from "weftgraph/agent";
import { ScriptedModel } from "weftgraph/models/scripted";
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
    await agent.invoke({ messages: "go" }, THREAD);
    const stop = new AbortController();
    const run = agent.invoke(new Command({ resume: { type: "accept" } }), {
      ...THREAD,
      signal: stop.signal,
    });
    await begun;
    stop.abort();
    await assert.rejects(run);
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
    await agent.invoke({ messages: "go" }, THREAD);
    const stop = new AbortController();
    const run = agent.invoke(new Command({ resume: { type: "accept" } }), {
      ...THREAD,
      signal: stop.signal,
    });
    await begun;
    stop.abort();
    await assert.rejects(run);
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
