// SPDX-License-Identifier: MIT
// Serves docs/guides/server.md: what agent-chat-ui, Agent Inbox and deep-agents-ui ask of a server,
// with the SDKs that they are made with.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Client as Sdk115 } from "@langchain/langgraph-sdk";
import { Client as Sdk00 } from "langgraph-sdk-0-0";
import { Client as Sdk01 } from "langgraph-sdk-0-1";
import { Client as Sdk10 } from "langgraph-sdk-1-0";
import { Client as Sdk18 } from "langgraph-sdk-1-8";
import { Client as Sdk19 } from "langgraph-sdk-1-9";
import { Annotation, MessagesAnnotation, START, StateGraph, tool } from "weftgraph";
import { ScriptedModel } from "weftgraph/models/scripted";
import { createReactAgent } from "weftgraph/prebuilt";
import { URL_OF_SERVER, listOf, pause, serve } from "./server-graphs.mjs";

const SDKS = [
  ["0.0.57", Sdk00],
  ["0.1.10", Sdk01],
  ["1.0.3", Sdk10],
  ["1.8.10", Sdk18],
  ["1.9.25", Sdk19],
  ["1.15.0", Sdk115],
];
const APP = { configurable: {} };

/** Orders what it is asked for, if it may, and answers anything else in words. */
function makeOrders(approval, ran = []) {
  let count = 0;
  const reply = (messages) => {
    const last = messages.at(-1);
    if (last.getType() === "tool") return `Done: ${last.content}`;
    const item = /^order (.*)/.exec(last.content)?.[1];
    if (item === undefined) return `Answer ${++count} to ${last.content}`;
    return {
      content: "Let me.",
      tool_calls: [{ name: "order", id: `c${++count}`, args: { item } }],
    };
  };
  const order = tool(({ item }) => (ran.push(item), `ordered ${item}`), {
    name: "order",
    description: "Orders",
    schema: { type: "object", properties: { item: { type: "string" } }, required: ["item"] },
    ...(approval ? { approval: "ask" } : {}),
  });
  const llm = new ScriptedModel({ responses: [reply], loop: true });
  return createReactAgent({ llm, tools: [order] });
}

/** A server with an agent, and a client of it made with one SDK. */
function appOf(Client, { approval = true, ...graphs } = {}) {
  const ran = [];
  const { server } = serve({ graphs: { agent: makeOrders(approval, ran), ...graphs } });
  const client = new Client({
    apiUrl: URL_OF_SERVER,
    apiKey: "",
    callerOptions: { fetch: server.fetch, maxRetries: 0 },
  });
  return { server, client, ran };
}

let ids = 0;
const human = (content) => ({ messages: [{ id: `h${++ids}`, type: "human", content }] });
const textsOf = ({ messages }) => messages.map(({ content }) => content);
const last = (events, name = "values") => events.findLast(({ event }) => event === name).data;
const typesOf = ({ messages }) => messages.map(({ type }) => type);

for (const [version, Client] of SDKS) {
  test(`agent-chat-ui's calls with the SDK ${version}: a thread, its list, a question, a branch, an end`, async () => {
    const { server, client, ran } = appOf(Client);
    assert.equal((await server.fetch(`${URL_OF_SERVER}/info`)).status, 200);
    const { thread_id } = await client.threads.create();
    const modes = { streamMode: ["values", "messages-tuple"], streamSubgraphs: true };
    const submit = (more) =>
      listOf(
        client.runs.stream(thread_id, "agent", {
          config: APP,
          streamResumable: true,
          onDisconnect: "continue",
          ...modes,
          ...more,
        }),
      );
    const first = await submit({ input: human("hello") });
    assert.deepEqual(typesOf(last(first)), ["human", "ai"]);
    const pieces = first.filter(({ event }) => event.startsWith("messages"));
    assert.equal(pieces.at(-1).data[0].id, last(first).messages[1].id);
    // The list of threads, by the graph's name or by the assistant's id.
    const [{ assistant_id }] = await client.assistants.search({ graphId: "agent" });
    for (const metadata of [{ graph_id: "agent" }, { assistant_id }]) {
      const found = await client.threads.search({ metadata, limit: 100 });
      assert.deepEqual(textsOf(found[0].values), textsOf(last(first)));
      assert.equal(found[0].thread_id, thread_id);
    }
    assert.deepEqual(
      await client.threads.search({ metadata: { graph_id: "none" }, limit: 100 }),
      [],
    );
    // A question, as agent-chat-ui knows it, at the head of the history.
    const asked = await submit({ input: human("order tea") });
    const [shown] = last(asked).__interrupt__;
    const [head] = await client.threads.getHistory(thread_id, { limit: 10 });
    assert.deepEqual(head.tasks[0].interrupts[0], shown);
    const { action_requests, review_configs } = shown.value;
    assert.deepEqual(
      [action_requests[0].name, action_requests[0].args],
      ["order", { item: "tea" }],
    );
    assert.equal(review_configs[0].action_name, "order");
    assert.ok(review_configs[0].allowed_decisions.includes("approve"));
    const resume = { decisions: [{ type: "approve" }] };
    const done = await submit({ command: { resume } });
    assert.equal(last(done).__interrupt__, undefined);
    assert.deepEqual(ran, ["tea"]);
    assert.equal(last(done).messages.at(-1).content, "Done: ordered tea");
    // An answer made anew: a fork of the state before it.
    const states = await client.threads.getHistory(thread_id, { limit: 100 });
    const answered = states.findLast(({ values }) => values.messages?.length === 2);
    const { parent_checkpoint } = answered;
    const again = await submit({ input: undefined, checkpoint: parent_checkpoint });
    assert.deepEqual(typesOf(last(again)), ["human", "ai"]);
    assert.notEqual(textsOf(last(again))[1], textsOf(last(first))[1]);
    const branches = (await client.threads.getHistory(thread_id, { limit: 100 })).filter(
      ({ parent_checkpoint: from }) => from?.checkpoint_id === parent_checkpoint.checkpoint_id,
    );
    assert.equal(branches.length, 2);
    // Marked as resolved: the thread ends where it waits.
    await submit({ input: human("order milk") });
    const [{ checkpoint }] = await client.threads.getHistory(thread_id, { limit: 10 });
    const resolved = await submit({ input: {}, command: { goto: "__end__" }, checkpoint });
    assert.equal(last(resolved).__interrupt__, undefined);
    assert.equal(textsOf(last(resolved)).at(-2), "order milk");
    const state = await client.threads.getState(thread_id);
    assert.deepEqual([state.next, ran], [[], ["tea"]]);
    assert.equal((await client.threads.get(thread_id)).status, "idle");
  });

  test(`Agent Inbox's calls with the SDK ${version}: waiting threads, each kind of answer, ignoring`, async () => {
    const { client, ran } = appOf(Client);
    const ask = async (item) => {
      const { thread_id } = await client.threads.create({ metadata: { owner: "me" } });
      await client.runs.wait(thread_id, "agent", { input: human(`order ${item}`) });
      return thread_id;
    };
    const threads = [];
    for (const item of ["tea", "milk", "rice", "salt", "fish"]) threads.push(await ask(item));
    await client.runs.wait(await client.threads.create().then((one) => one.thread_id), "agent", {
      input: human("hello"),
    });
    const inbox = (more) => client.threads.search({ offset: 0, limit: 10, ...more });
    const waiting = await inbox({ status: "interrupted", metadata: { owner: "me" } });
    assert.deepEqual(
      waiting.map(({ thread_id }) => thread_id),
      [...threads].reverse(),
    );
    assert.equal((await inbox({ status: "idle" })).length, 1);
    assert.equal((await inbox({})).length, 6);
    const page = await inbox({ status: "interrupted", offset: 2, limit: 2 });
    assert.deepEqual(
      page.map(({ thread_id }) => thread_id),
      [threads[2], threads[1]],
    );
    for (const { interrupts, thread_id } of waiting) {
      const [[{ value }]] = Object.values(interrupts);
      assert.equal(value.action_request.action, "order");
      assert.equal(value.config.allow_accept, true);
      const state = await client.threads.getState(thread_id);
      assert.deepEqual(state.tasks.at(-1).interrupts[0].value, value);
    }
    const [tea, milk, rice, salt, fish] = threads;
    const args = { action: "order", args: { item: "oat milk" } };
    const created = await client.runs.create(tea, "agent", {
      command: { resume: [{ type: "accept", args: null }] },
    });
    await client.runs.join(tea, created.run_id);
    const events = await listOf(
      client.runs.stream(milk, "agent", {
        command: { resume: [{ type: "edit", args }] },
        streamMode: "events",
      }),
    );
    assert.ok(
      events.some(({ event, data }) => event === "events" && data.event === "on_chain_end"),
    );
    await client.runs.wait(rice, "agent", {
      command: { resume: [{ type: "response", args: "not today" }] },
    });
    assert.deepEqual(ran, ["tea", "oat milk"]);
    const { values } = await client.threads.getState(rice);
    assert.match(values.messages.at(-1).content, /not today/);
    // Ignored: the thread is told to be at its end.
    await client.threads.updateState(salt, { values: null, asNode: "__end__" });
    assert.deepEqual((await client.threads.getState(salt)).next, []);
    assert.deepEqual((await client.threads.get(salt)).interrupts ?? {}, {});
    assert.deepEqual(
      (await inbox({ status: "interrupted" })).map(({ thread_id }) => thread_id),
      [fish],
    );
    assert.deepEqual(ran, ["tea", "oat milk"]);
  });

  test(`deep-agents-ui's calls with the SDK ${version}: its assistant, files, steps, a stream joined again`, async () => {
    const files = Annotation({
      reducer: (left, right) => ({ ...left, ...right }),
      default: () => ({}),
    });
    const agent = new StateGraph(Annotation.Root({ ...MessagesAnnotation.spec, files }))
      .addNode("model", () => ({ messages: [{ role: "ai", content: "I plan." }] }))
      .addNode("tools", async ({ messages }) => {
        if (messages[0].content === "slow") await pause(60);
        return { messages: [{ role: "ai", content: "I did." }] };
      })
      .addEdge(START, "model")
      .addEdge("model", "tools")
      .compile();
    const { client } = appOf(Client, { agent });
    const assistants = await client.assistants.search({ graphId: "agent", limit: 100 });
    const { assistant_id } = assistants.find(({ metadata }) => metadata.created_by === "system");
    assert.equal((await client.assistants.get(assistant_id)).graph_id, "agent");
    const { thread_id } = await client.threads.create();
    await client.threads.update(thread_id, { metadata: { graph_id: "agent" } });
    const run = (more) =>
      listOf(client.runs.stream(thread_id, assistant_id, { streamMode: ["values"], ...more }));
    // Step by step: before its tools, after them, to the end.
    const stopped = await run({ input: human("go"), interruptBefore: ["tools"] });
    assert.equal(textsOf(last(stopped)).length, 2);
    assert.deepEqual((await client.threads.getState(thread_id)).next, ["tools"]);
    assert.equal((await client.threads.get(thread_id)).status, "interrupted");
    const after = await run({ input: undefined, interruptAfter: ["tools"] });
    assert.equal(textsOf(last(after)).at(-1), "I did.");
    // A run that is ended at a breakpoint does not go on behind it.
    await run({ input: human("again"), interruptBefore: ["tools"] });
    const ended = await run({ command: { goto: "__end__", update: null } });
    assert.equal(textsOf(last(ended)).at(-1), "I plan.");
    assert.deepEqual((await client.threads.getState(thread_id)).next, []);
    await client.threads.updateState(thread_id, { values: { files: { "a.md": "# A" } } });
    const { values } = await client.threads.getState(thread_id);
    assert.deepEqual(values.files, { "a.md": "# A" });
    const order = { sortBy: "updated_at", sortOrder: "desc", limit: 20, offset: 0 };
    await client.threads.create();
    const found = await client.threads.search({ ...order, status: "idle" });
    assert.equal(found.length, 2);
    // A page that is loaded again joins the run from its start.
    const slow = await client.runs.create(thread_id, assistant_id, {
      input: {
        ...human("slow"),
        messages: [
          { type: "remove", id: "__remove_all__", content: "" },
          ...human("slow").messages,
        ],
      },
      streamResumable: true,
    });
    const options = { lastEventId: "-1", streamMode: ["values"] };
    const joined = await listOf(client.runs.joinStream(thread_id, slow.run_id, options));
    assert.equal(textsOf(last(joined)).at(-1), "I did.");
    assert.deepEqual((await client.threads.getState(thread_id)).values, last(joined));
  });
}

test("a run that is stopped, and one that fails, are told as agent-chat-ui shows them", async () => {
  for (const [version, Client] of SDKS) {
    const agent = new StateGraph(MessagesAnnotation)
      .addNode("model", async ({ messages }, { signal }) => {
        if (messages.at(-1).content === "fail") throw new TypeError("no");
        await pause(60_000, signal);
        return {};
      })
      .addEdge(START, "model")
      .compile();
    const { client } = appOf(Client, { agent });
    const { thread_id } = await client.threads.create();
    const failed = await listOf(client.runs.stream(thread_id, "agent", { input: human("fail") }));
    assert.deepEqual(failed.at(-1).data, { error: "TypeError", message: "no" }, version);
    const [head] = await client.threads.getHistory(thread_id, { limit: 10 });
    assert.equal(head.tasks[0].error, "TypeError: no", version);
    assert.equal((await client.threads.get(thread_id)).status, "error", version);
    const { run_id } = await client.runs.create(thread_id, "agent", { input: human("wait") });
    await pause(20);
    await client.runs.cancel(thread_id, run_id, true);
    assert.equal((await client.runs.get(thread_id, run_id)).status, "interrupted", version);
  }
});
