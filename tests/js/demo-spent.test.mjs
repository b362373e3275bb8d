// SPDX-License-Identifier: MIT
// What <weft-studio> counts of a thread from its checkpoints, as an Agent Server tells them: each
// step and each message once, on all branches.
import { test } from "node:test";
import assert from "node:assert/strict";
import { MemorySaver, MessagesAnnotation, START, StateGraph, interrupt } from "weftgraph";
import { AIMessage, RemoveMessage } from "weftgraph/messages";
import { createServer } from "weftgraph/server";
import { Client } from "../../web-demo/src/studio/server/client.js";
import { History } from "../../web-demo/src/studio/time/history.js";

const says = (total_tokens, id) => ({
  messages: [
    new AIMessage({
      id,
      content: "ok",
      usage_metadata: { input_tokens: 0, output_tokens: total_tokens, total_tokens },
    }),
  ],
});
const human = (content) => ({ messages: [{ role: "user", content }] });

/** A server of one graph with a thread, and what the studio reads of it. */
async function serve(graph) {
  const server = createServer({ graphs: { graph }, saver: new MemorySaver() });
  const client = new Client({ fetch: server.fetch, url: "http://weft.local" });
  const { thread_id: id } = await client.createThread("graph", "test");
  const history = new History(client, id);
  return {
    client,
    id,
    history,
    async run(run) {
      const given = { assistant_id: "graph", config: { recursion_limit: 1000 }, ...run };
      const init = { method: "POST", body: JSON.stringify(given) };
      const response = await server.fetch(`http://weft.local/threads/${id}/runs/wait`, init);
      await response.text();
      await history.refresh();
      return history.spent;
    },
    async afresh() {
      const read = new History(client, id);
      await read.refresh();
      await read.complete(() => true);
      return read.spent;
    },
  };
}

test("steps and tokens are of all branches, without inputs, forks and what a person wrote", async () => {
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("ask", () => says(10))
    .addNode("order", () => (interrupt("May I?"), says(3)))
    .addEdge(START, "ask")
    .addEdge("ask", "order")
    .compile();
  const { client, id, history, run, afresh } = await serve(graph);
  const spent = (steps, tokens) => ({ thread: id, steps, tokens, isWhole: true });
  assert.deepEqual(await run({ input: human("tea") }), spent(1, 10));
  // A question is no step until it was answered.
  assert.deepEqual(await run({ command: { resume: "yes" } }), spent(2, 13));
  const [first, , waiting] = history.marks;
  assert.deepEqual(await run({ input: null, checkpoint_id: waiting.id }), spent(2, 13));
  assert.deepEqual(await run({ command: { resume: "yes" } }), spent(3, 16));
  // The input once more, as a branch of its own.
  assert.deepEqual(await run({ input: null, checkpoint_id: first.id }), spent(4, 26));
  await client.updateState(id, { values: null, checkpoint_id: waiting.id, as_node: "__copy__" });
  await client.updateState(id, { values: human("more"), checkpoint_id: waiting.id });
  await history.refresh();
  assert.deepEqual(history.spent, spent(4, 26));
  assert.deepEqual(await run({ input: human("more"), checkpoint_id: first.id }), spent(5, 36));
  assert.deepEqual(await afresh(), history.spent);
});

test("a message that was removed since was paid for; another value of the same one is no second", async () => {
  const values = [
    says(5),
    says(8, "same"),
    says(8, "same"),
    { messages: [new RemoveMessage({ id: "same" })] },
  ];
  const graph = new StateGraph(MessagesAnnotation);
  for (const [at, value] of values.entries()) {
    graph.addNode(`n${at}`, () => value);
    graph.addEdge(at === 0 ? START : `n${at - 1}`, `n${at}`);
  }
  const { id, run, afresh } = await serve(graph.compile());
  const spent = { thread: id, steps: 4, tokens: 13, isWhole: true };
  assert.deepEqual(await run({ input: human("tea") }), spent);
  assert.deepEqual(await afresh(), spent);
});

test("of a long thread it tells what was read, and that there is more", async () => {
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("work", () => says(1))
    .addEdge(START, "work")
    .addConditionalEdges("work", ({ messages }) => (messages.length <= 250 ? "work" : "__end__"))
    .compile();
  const { id, history, run, afresh } = await serve(graph);
  const { steps, tokens, isWhole } = await run({ input: human("tea") });
  // The newest messages are those of all steps.
  assert.deepEqual([steps, tokens, isWhole], [200, 250, false]);
  await history.older();
  assert.deepEqual(history.spent, { thread: id, steps: 250, tokens: 250, isWhole: true });
  // More came than one reading holds, and what was known is not lost for it.
  await run({ input: null, checkpoint_id: history.marks[1].id });
  assert.deepEqual(history.spent, { thread: id, steps: 500, tokens: 500, isWhole: true });
  assert.deepEqual(await afresh(), history.spent);
});
