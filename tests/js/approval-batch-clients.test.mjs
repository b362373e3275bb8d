// SPDX-License-Identifier: MIT
// A question about several calls in the clients that people have: LangGraph's SDK, AG-UI and the AI
// SDK, each against the server or the adapter that it speaks to.
import assert from "node:assert/strict";
import { test } from "node:test";
import { HttpAgent } from "@ag-ui/client";
import {
  AbstractChat,
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
} from "ai";
import { MemorySaver, tool } from "weftgraph";
import { handleAgUi } from "weftgraph/ag-ui";
import { WeftChatTransport, handleChat, toUIMessages } from "weftgraph/ai-sdk";
import { ScriptedModel } from "weftgraph/models/scripted";
import { createReactAgent } from "weftgraph/prebuilt";
import { URL_OF_SERVER, say, serve } from "./server-graphs.mjs";

const APPROVE = { type: "approve" };

/** An agent that orders three things if it may. */
function makeAgent(checkpointer) {
  const ran = [];
  const order = tool(({ item }) => (ran.push(item), `ordered ${item}`), {
    name: "order",
    description: "Orders",
    schema: { type: "object", properties: { item: { type: "string" } }, required: ["item"] },
    approval: "ask",
  });
  const tool_calls = ["tea", "milk", "gold"].map((item) => ({
    name: "order",
    id: item,
    args: { item },
  }));
  const llm = new ScriptedModel({ responses: [{ content: "", tool_calls }, "Done."] });
  return {
    graph: createReactAgent({ llm, tools: [order], checkpointer, approvals: "batch" }),
    ran,
  };
}
const toolsOf = (messages) =>
  messages.filter(({ type }) => type === "tool").map(({ status }) => status);

test("the SDK's client: one interrupt; a wrong answer fails its run alone; decisions by id and in one piece", async () => {
  for (const byId of [true, false]) {
    const { graph, ran } = makeAgent();
    const { client } = serve({ graphs: { agent: graph } });
    await client.threads.create({ threadId: "t" });
    const asked = await client.runs.wait("t", "agent", { input: say("order") });
    assert.equal(asked.__interrupt__.length, 1);
    const [{ id, value }] = asked.__interrupt__;
    assert.deepEqual(
      value.action_requests.map(({ name, args }) => [name, args.item]),
      [
        ["order", "tea"],
        ["order", "milk"],
        ["order", "gold"],
      ],
    );
    assert.equal(value.review_configs.length, 3);
    const answer = (decisions) => (byId ? { [id]: { decisions } } : { decisions });
    const edit = (item) => ({ type: "edit", edited_action: { name: "order", args: { item } } });
    for (const [resume, problem] of [
      [answer([APPROVE]), /The decision for .* cannot be used/],
      [answer([APPROVE, APPROVE, edit(7)]), /The decision for .* cannot be used/],
      [{ ["0".repeat(32)]: { decisions: [APPROVE, APPROVE, APPROVE] } }, /does not wait/],
    ]) {
      const events = [];
      const command = { resume };
      for await (const event of client.runs.stream("t", "agent", { command })) events.push(event);
      const { event, data } = events.at(-1);
      assert.equal(event, "error");
      assert.match(data.message, problem);
      const thread = await client.threads.get("t");
      assert.deepEqual(Object.values(thread.interrupts), [[{ id, value }]]);
      assert.equal(thread.status, "interrupted", "it is found among those that wait");
      assert.deepEqual(ran, []);
    }
    const command = { resume: answer([APPROVE, edit("cream"), { type: "reject", message: "no" }]) };
    const done = await client.runs.wait("t", "agent", { command });
    assert.deepEqual(toolsOf(done.messages), ["success", "success", "error"]);
    assert.deepEqual(ran, ["tea", "cream"]);
    assert.equal((await client.threads.get("t")).status, "idle");
    const statuses = (await client.runs.list("t")).map(({ status }) => status);
    assert.deepEqual(statuses, ["success", "error", "error", "error", "success"]);
  }
});

test("two tabs of the SDK's client that answer at once: one decides", async () => {
  const { graph, ran } = makeAgent();
  const { client } = serve({ graphs: { agent: graph } });
  await client.threads.create({ threadId: "t" });
  const [{ id }] = (await client.runs.wait("t", "agent", { input: say("order") })).__interrupt__;
  const no = { type: "reject" };
  const tabs = [
    [APPROVE, no, no],
    [no, APPROVE, APPROVE],
  ].map((decisions) =>
    client.runs.wait("t", "agent", { command: { resume: { [id]: { decisions } } } }),
  );
  await Promise.allSettled(tabs);
  assert.ok(["tea", "milk,gold"].includes(ran.join()), ran.join());
  const { values } = await client.threads.getState("t");
  assert.equal(toolsOf(values.messages).length, 3);
});

for (const [name, payload, items] of [
  ["decisions", { decisions: [{ type: "reject" }, APPROVE, { type: "reject" }] }, ["milk"]],
  ["a refusal", { approved: false, reason: "no" }, []],
  ["a cancelled question", undefined, []],
])
  test(`AG-UI's client: one interrupt about three calls, answered by ${name}`, async () => {
    const { graph, ran } = makeAgent();
    const { server } = serve({ agui: handleAgUi, graphs: { agent: graph } });
    const agent = new HttpAgent({
      url: `${URL_OF_SERVER}/agui/agent`,
      threadId: "t",
      fetch: server.fetch,
    });
    agent.addMessage({ id: "u1", role: "user", content: "order" });
    const run = async (resume) => {
      let last;
      await agent.runAgent({ resume }, { onEvent: ({ event }) => void (last = event) });
      return last;
    };
    const { outcome } = await run();
    assert.equal(outcome.interrupts.length, 1);
    const [{ id: interruptId, reason, toolCallId, metadata }] = outcome.interrupts;
    assert.deepEqual([reason, toolCallId], ["tool_call", undefined]);
    assert.equal(metadata.value.action_requests.length, 3);
    const status = payload === undefined ? "cancelled" : "resolved";
    assert.deepEqual((await run([{ interruptId, status, payload }])).outcome, { type: "success" });
    assert.deepEqual(ran, items);
    assert.equal(agent.messages.filter(({ role }) => role === "tool").length, 3);
  });

/** The AI SDK's chat without a framework around it. */
class Chat extends AbstractChat {
  constructor({ messages = [], ...init }) {
    const state = {
      status: "ready",
      messages,
      pushMessage: (message) => (state.messages = [...state.messages, message]),
      popMessage: () => (state.messages = state.messages.slice(0, -1)),
      replaceMessage: (at, message) =>
        (state.messages = state.messages.map((one, index) => (index === at ? message : one))),
      snapshot: (value) => structuredClone(value),
    };
    super({ ...init, state });
  }
}

for (const [name, transportOf] of [
  ["in the tab", (graph) => new WeftChatTransport({ graph })],
  [
    "over HTTP",
    (graph) =>
      new DefaultChatTransport({
        api: "http://weft.local/api/chat",
        fetch: (url, init) => handleChat(new Request(url, init), { graph }),
      }),
  ],
])
  test(`the AI SDK's chat, ${name}: a part of its own for each call; all answers together go on`, async () => {
    const { graph, ran } = makeAgent(new MemorySaver());
    const options = {
      id: "c",
      transport: transportOf(graph),
      sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    };
    const first = new Chat(options);
    await first.sendMessage({ text: "order" });
    const asked = first.messages[1].parts.flatMap(({ approval }) => approval?.id ?? []);
    assert.equal(new Set(asked).size, 3);
    // Another client opens the chat.
    const state = await graph.getState({ configurable: { thread_id: "c" } });
    const chat = new Chat({ ...options, messages: toUIMessages(state) });
    const ids = chat.messages[1].parts.flatMap(({ approval }) => approval?.id ?? []);
    assert.deepEqual(ids, asked);
    await chat.addToolApprovalResponse({ id: ids[2], approved: false, reason: "no" });
    await chat.addToolApprovalResponse({ id: ids[0], approved: true });
    assert.deepEqual(ran, []);
    await chat.addToolApprovalResponse({ id: ids[1], approved: true });
    const textOf = ({ parts }) => parts.map(({ text = "" }) => text).join("");
    while (textOf(chat.messages[1]) !== "Done.") {
      assert.equal(chat.error, undefined);
      await new Promise(setImmediate);
    }
    assert.deepEqual(ran, ["tea", "milk"]);
    assert.deepEqual(
      chat.messages[1].parts.flatMap(({ state, toolCallId }) => (toolCallId ? [state] : [])),
      ["output-available", "output-available", "output-denied"],
    );
  });

test("the AI SDK's chat: answers to some of the calls, or to none that was asked, are refused at once", async () => {
  const { graph, ran } = makeAgent(new MemorySaver());
  const post = (messages) =>
    handleChat(
      new Request("http://weft.local/api/chat", {
        method: "POST",
        body: JSON.stringify({ id: "c", messages, trigger: "submit-message" }),
      }),
      { graph },
    );
  const user = { id: "u1", role: "user", parts: [{ type: "text", text: "order" }] };
  await (await post([user])).text();
  const { tasks } = await graph.getState({ configurable: { thread_id: "c" } });
  const [{ id }] = tasks[0].interrupts;
  const answered = (ids) => [
    user,
    {
      id: "a1",
      role: "assistant",
      parts: ids.map((id) => ({
        type: "dynamic-tool",
        toolName: "order",
        toolCallId: "tea",
        state: "approval-responded",
        approval: { id, approved: true },
      })),
    },
  ];
  for (const ids of [
    [`${id}:0`],
    [`${id}:0`, `${id}:2`],
    [`${id}:0`, `${id}:1`, `${id}:3`],
    [`${id}:0`, `${id}:1`, `${id}:4000000000`],
    [`${id}:00`, `${id}:01`, `${id}:02`],
    [`${id}:-1`],
    [`${"0".repeat(32)}:0`],
  ])
    assert.equal((await post(answered(ids))).status, 409, ids.join());
  assert.deepEqual(ran, []);
  await (await post(answered([`${id}:0`, `${id}:1`, `${id}:2`]))).text();
  assert.deepEqual(ran, ["tea", "milk", "gold"]);
});
