// SPDX-License-Identifier: MIT
// Calls of one message that are tasks of their own (the default of createAgent): when one was
// answered and has run, only the other's question is open, whoever looks. Serves
// docs/guides/approval.md.
import assert from "node:assert/strict";
import { test } from "node:test";
import { HttpAgent } from "@ag-ui/client";
import { Command, INTERRUPT, MemorySaver, tool } from "weftgraph";
import { handleAgUi } from "weftgraph/ag-ui";
import { createAgent } from "weftgraph/agent";
import { approvalRules, expireApprovals } from "weftgraph/approval";
import { ScriptedModel } from "weftgraph/models/scripted";
import { TestClock } from "weftgraph/testing";
import { URL_OF_SERVER, listOf, say, serve } from "./server-graphs.mjs";

/** An agent that pays 1 and 100, if it may; `ran`: what it paid. */
function makeAgent({ checkpointer, approvals } = {}) {
  const ran = [];
  const pay = tool(({ n }) => (ran.push(n), `paid ${n}`), {
    name: "pay",
    description: "Pays",
    schema: { type: "object", properties: { n: { type: "integer" } } },
    approval: "ask",
  });
  const tool_calls = [1, 100].map((n) => ({ name: "pay", id: `c${n}`, args: { n } }));
  const model = new ScriptedModel({ responses: [{ content: "", tool_calls }, "done"] });
  return { graph: createAgent({ model, tools: [pay], checkpointer, approvals }), ran };
}

const approvals = approvalRules({ expires: ({ args }) => args.n * 1000 });

/** An agent with two questions, which expire after 1 and after 100 seconds. */
async function asking() {
  const { graph, ran } = makeAgent({ checkpointer: new MemorySaver(), approvals });
  const clock = new TestClock("2026-01-01");
  const config = { configurable: { thread_id: "t" }, clock };
  const asked = (await graph.invoke({ messages: "go" }, config))[INTERRUPT];
  const idOf = (n) => asked.find(({ value }) => value.tool_call_id === `c${n}`).id;
  return { graph, ran, clock, config, idOf };
}
const LATER = new Date("2026-01-01T00:01:40Z");

test("expireApprovals looks again when the open question expires, not when the answered one would have", async () => {
  const { graph, ran, clock, config, idOf } = await asking();
  await graph.invoke(new Command({ resume: { [idOf(1)]: { type: "accept" } } }), config);
  assert.deepEqual(ran, [1]);
  assert.deepEqual(await expireApprovals(graph, config), { expired: 0, next: LATER });
  await clock.advance(2000);
  assert.deepEqual(await expireApprovals(graph, config), { expired: 0, next: LATER });
  await clock.advance(100_000);
  const { expired, next } = await expireApprovals(graph, config);
  assert.deepEqual([expired, next, ran], [1, undefined, [1]]);
});

test("expireApprovals counts the question that expired beside an open one", async () => {
  const { graph, ran, clock, config } = await asking();
  await clock.advance(1000);
  const { expired, next } = await expireApprovals(graph, config);
  assert.deepEqual([expired, next, ran], [1, LATER, []]);
});

test("a server's thread, and AG-UI's client that connects, show the open question alone", async () => {
  const { graph, ran } = makeAgent();
  const { client, server } = serve({ agui: handleAgUi, graphs: { agent: graph } });
  const connect = (path, resume) => {
    const agent = new HttpAgent({
      url: `${URL_OF_SERVER}/agui/agent${path}`,
      threadId: "t",
      fetch: server.fetch,
    });
    let last;
    const onEvent = ({ event }) => void (last = event);
    return agent.runAgent({ resume }, { onEvent }).then(() => last.outcome ?? last);
  };
  await client.threads.create({ threadId: "t" });
  const asked = (await client.runs.wait("t", "agent", { input: say("go") })).__interrupt__;
  const [first, second] = asked.map(({ id, value }) => ({ id, call: value.tool_call_id }));
  const command = { resume: { [first.id]: { type: "accept" } } };
  await client.runs.wait("t", "agent", { command });
  const paid = first.call === "c1" ? 1 : 100;
  assert.deepEqual(ran, [paid]);
  const { status, interrupts } = await client.threads.get("t");
  assert.equal(status, "interrupted");
  assert.deepEqual(
    Object.values(interrupts)
      .flat()
      .map(({ id }) => id),
    [second.id],
  );
  const { interrupts: shown } = await connect("?connect");
  assert.deepEqual(
    shown.map(({ toolCallId }) => toolCallId),
    [second.call],
  );
  // A client that saw both has to answer both: the one that was answered before changes nothing.
  const answers = [first, second].map(({ id }) => ({
    interruptId: id,
    status: "resolved",
    payload: { approved: false },
  }));
  assert.deepEqual(await connect("", answers), { type: "success" });
  assert.deepEqual(ran, [paid]);
});

test("who waits for a run, joins it or reads its stream gets all of its questions", async () => {
  // Each thread has an agent of its name, whose model begins its script.
  const names = ["waited", "streamed", "protocol"];
  const graphs = Object.fromEntries(names.map((name) => [name, makeAgent().graph]));
  const { client, server } = serve({ graphs });
  const callsIn = (state) => state.__interrupt__.map(({ value }) => value.tool_call_id);
  const input = { input: say("go") };
  for (const threadId of names) await client.threads.create({ threadId });
  assert.deepEqual(callsIn(await client.runs.wait("waited", "waited", input)), ["c1", "c100"]);
  const options = { ...input, streamMode: "values" };
  const { data } = (await listOf(client.runs.stream("streamed", "streamed", options))).at(-1);
  assert.deepEqual(callsIn(data), ["c1", "c100"]);
  const params = { assistant_id: "protocol", ...input };
  await server.fetch(`${URL_OF_SERVER}/threads/protocol/commands`, {
    method: "POST",
    body: JSON.stringify({ id: 1, method: "run.start", params }),
  });
  for (const threadId of names) {
    const [{ run_id }] = await client.runs.list(threadId);
    assert.deepEqual(callsIn(await client.runs.join(threadId, run_id)), ["c1", "c100"]);
  }
});
