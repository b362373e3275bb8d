// SPDX-License-Identifier: MIT
// Serves docs/guides/server.md, front-ends.md: what JSON has no form for does not end a stream of
// the Agent Server, AG-UI or the AI SDK's chat: a BigInt is its text, the rest is null.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Annotation, MemorySaver, MessagesAnnotation, START, StateGraph } from "weftgraph";
import { handleAgUi } from "weftgraph/ag-ui";
import { handleChat } from "weftgraph/ai-sdk";
import { createServer } from "weftgraph/server";

/** What is written, and how clients get it. @type {[unknown, unknown][]} */
const WRITTEN = [
  [{ sum: 10n }, { sum: "10" }],
  [() => 1, null],
  [Symbol("s"), null],
  [{ toJSON: () => undefined }, null],
];

const State = Annotation.Root({ ...MessagesAnnotation.spec, big: Annotation() });
const make = (checkpointer) =>
  new StateGraph(State)
    .addNode("write", (_, { writer }) => {
      for (const [value] of WRITTEN) writer(value);
      return { big: 10n, messages: [{ role: "assistant", content: "Done." }] };
    })
    .addEdge(START, "write")
    .compile({ checkpointer });

/** The events of a body of server-sent events. */
const eventsOf = (text) =>
  text
    .split("\n\n")
    .filter((one) => one.includes("data: ") && !one.includes("[DONE]"))
    .map((one) => ({
      event: /^event: (.*)$/m.exec(one)?.[1],
      data: JSON.parse(/^data: (.*)$/m.exec(one)[1]),
    }));

const post = (path, body) =>
  new Request(`http://weft.local${path}`, { method: "POST", body: JSON.stringify(body) });
const EXPECTED = WRITTEN.map(([, value]) => value);

test("the Agent Server sends what a node writes, in a form that JSON has", async () => {
  const { fetch } = createServer({ graphs: { graph: make() } });
  const body = {
    assistant_id: "graph",
    input: { messages: [] },
    stream_mode: ["custom", "values"],
  };
  const events = eventsOf(await (await fetch(post("/runs/stream", body))).text());
  assert.deepEqual(
    events.filter(({ event }) => event === "custom").map(({ data }) => data),
    EXPECTED,
  );
  assert.equal(events.at(-1).data.big, "10");
});

test("AG-UI: the same, and the run ends well", async () => {
  const input = { threadId: "1", runId: "1", state: {}, messages: [], tools: [], context: [] };
  const asked = {
    ...input,
    messages: [{ id: "1", role: "user", content: "go" }],
    forwardedProps: {},
  };
  const events = eventsOf(
    await (await handleAgUi(post("/", asked), { graph: make(new MemorySaver()) })).text(),
  );
  const custom = events.filter(({ data }) => data.type === "CUSTOM").map(({ data }) => data.value);
  assert.deepEqual(
    custom.map((value) => value ?? null),
    EXPECTED,
  );
  assert.equal(events.at(-1).data.type, "RUN_FINISHED");
});

test("the AI SDK's chat: the answer comes, and the stream ends well", async () => {
  const messages = [{ id: "1", role: "user", parts: [{ type: "text", text: "go" }] }];
  const text = await (
    await handleChat(post("/", { id: "1", messages }), { graph: make(new MemorySaver()) })
  ).text();
  assert.match(text, /Done\./);
  assert.match(text, /\[DONE\]/);
  assert.doesNotMatch(text, /"type":"error"/);
});
