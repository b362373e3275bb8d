// SPDX-License-Identifier: MIT
// Serves docs/guides/server.md: what a cancelled run leaves in its thread, background runs in a
// thread's own streams, and who the user of a run is.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Annotation, START, StateGraph } from "weftgraph";
import { ScriptedModel } from "weftgraph/models/scripted";
import { createReactAgent } from "weftgraph/prebuilt";
import { URL_OF_SERVER, makeAgent, say, serve } from "./server-graphs.mjs";

const LONG = "one two three four five six seven eight nine ten";

/** An agent that says ten words slowly, then "again" at once. */
const slowAgent = () =>
  createReactAgent({
    llm: new ScriptedModel({ responses: [LONG, "again"], tokenDelayMs: 40 }),
    tools: [],
  });

const textsOf = (values) => values.messages.map(({ content }) => content);

/** Reads a stream until `isLast` is true of an event. */
async function readUntil(response, isLast) {
  let text = "";
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`the stream ended: ${text}`);
    text += value;
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const frame = text.slice(0, end);
      text = text.slice(end + 2);
      const data = /^data: (.*)$/m.exec(frame)?.[1];
      const event = /^event: (.*)$/m.exec(frame)?.[1];
      if (data !== undefined && isLast(event, JSON.parse(data))) {
        await reader.cancel();
        return;
      }
    }
  }
}

for (const [way, startAndRead] of [
  [
    "a run's own stream",
    async ({ server }) => {
      const response = await server.fetch(`${URL_OF_SERVER}/threads/t/runs/stream`, {
        method: "POST",
        body: JSON.stringify({
          assistant_id: "agent",
          input: say("count"),
          stream_mode: ["messages-tuple"],
          if_not_exists: "create",
        }),
      });
      const run = /runs\/([^/]+)/.exec(response.headers.get("content-location"))[1];
      await readUntil(
        response,
        (event, data) => event === "messages" && data[0].content.includes("three"),
      );
      return run;
    },
  ],
  [
    "a thread's stream",
    async ({ server, ask }) => {
      const stream = await server.fetch(`${URL_OF_SERVER}/threads/t/stream/events`, {
        method: "POST",
        body: JSON.stringify({ channels: ["messages"] }),
      });
      const { body } = await ask("POST", "/threads/t/commands", {
        id: 1,
        method: "run.start",
        params: { assistant_id: "agent", input: say("count") },
      });
      await readUntil(
        stream,
        (_, { params }) => params.data.delta?.text?.includes("three") === true,
      );
      return body.result.run_id;
    },
  ],
])
  test(`what a cancelled run has streamed stays in its thread: ${way}`, async () => {
    const served = serve({ graphs: { agent: slowAgent() } });
    const { client } = served;
    const runId = await startAndRead(served);
    await client.runs.cancel("t", runId, true);
    const state = await client.threads.getState("t");
    const [question, partial, ...more] = textsOf(state.values);
    assert.equal(question, "count");
    assert.match(partial, /^one two three( \w+){0,3} ?$/);
    assert.deepEqual([more, state.next], [[], []]);
    assert.equal((await client.threads.get("t")).status, "idle");
    assert.equal((await client.runs.get("t", runId)).status, "interrupted");
    // One line of history: the answer stands behind the question.
    const history = await client.threads.getHistory("t");
    assert.equal(history[0].parent_checkpoint.checkpoint_id, history[1].checkpoint.checkpoint_id);
    const next = await client.runs.wait("t", "agent", { input: say("go on") });
    assert.deepEqual(textsOf(next), ["count", partial, "go on", "again"]);
  });

test("a cancelled run that streamed no text stays where it was, to be gone on with", async () => {
  const heard = {};
  const { client } = serve({ graphs: { agent: makeAgent(heard) } });
  const { thread_id } = await client.threads.create();
  const started = new Promise((resolve) => (heard.started = resolve));
  const run = await client.runs.create(thread_id, "agent", { input: say("slow") });
  await started;
  await client.runs.cancel(thread_id, run.run_id, true);
  assert.deepEqual((await client.threads.getState(thread_id)).next, ["answer"]);
  heard.ms = 1;
  const done = await client.runs.wait(thread_id, "agent", { input: null });
  assert.deepEqual(textsOf(done), ["slow", "you said slow "]);
});

test("a cancelled run whose state has no messages stays where it was", async () => {
  const model = new ScriptedModel({ responses: [LONG], tokenDelayMs: 40 });
  const graph = new StateGraph(Annotation.Root({ topic: Annotation }))
    .addNode("sort", async ({ topic }) => ({ topic: (await model.invoke(topic)).content }))
    .addEdge(START, "sort")
    .compile();
  const { server, client } = serve({ graphs: { agent: graph } });
  const { thread_id } = await client.threads.create();
  const response = await server.fetch(`${URL_OF_SERVER}/threads/${thread_id}/runs/stream`, {
    method: "POST",
    body: JSON.stringify({
      assistant_id: "agent",
      input: { topic: "x" },
      stream_mode: ["messages-tuple"],
    }),
  });
  const run = /runs\/([^/]+)/.exec(response.headers.get("content-location"))[1];
  await readUntil(response, (event, data) => event === "messages" && data[0].content !== "");
  await client.runs.cancel(thread_id, run, true);
  const { next, values } = await client.threads.getState(thread_id);
  assert.deepEqual([next, values], [["sort"], { topic: "x" }]);
});

test("a background run shows in the streams of its thread, and in its own", async () => {
  const { server, client } = serve({ graphs: { agent: makeAgent() } });
  const { thread_id } = await client.threads.create();
  const stream = await server.fetch(`${URL_OF_SERVER}/threads/${thread_id}/stream/events`, {
    method: "POST",
    body: JSON.stringify({ channels: ["lifecycle", "values"] }),
  });
  const run = await client.runs.create(thread_id, "agent", { input: say("hello") });
  let last;
  await readUntil(stream, (_, { event_id, method, params }) => {
    if (method === "values") last = params.data;
    return event_id === `synth:${run.run_id}:completed`;
  });
  assert.deepEqual(textsOf(last), ["hello", "you said hello "]);
  const events = [];
  for await (const event of client.runs.joinStream(thread_id, run.run_id)) events.push(event);
  assert.deepEqual(textsOf(events.at(-1).data), ["hello", "you said hello "]);
  const joined = await client.runs.join(thread_id, run.run_id);
  assert.deepEqual(textsOf(joined), ["hello", "you said hello "]);
});

test("nodes and factories of graphs know who asked; a client cannot say it is somebody else", async () => {
  const users = [];
  const who = new StateGraph(Annotation.Root({ user: Annotation }))
    .addNode("who", (_, { configurable }) => ({ user: configurable.langgraph_auth_user_id }))
    .addEdge(START, "who")
    .compile();
  const { ask } = serve({
    graphs: {
      who: ({ configurable }) => {
        users.push(configurable?.langgraph_auth_user?.identity);
        return who;
      },
    },
    authenticate: (request) => request.headers.get("x-user"),
  });
  const { body } = await ask(
    "POST",
    "/runs/wait",
    {
      assistant_id: "who",
      input: { user: "?" },
      config: {
        configurable: { langgraph_auth_user_id: "root", langgraph_auth_user: { identity: "root" } },
      },
    },
    { "x-user": "anna" },
  );
  assert.equal(body.user, "anna");
  assert.ok(users.includes("anna") && !users.includes("root"));
});
