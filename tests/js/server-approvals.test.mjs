// SPDX-License-Identifier: MIT
// Serves docs/guides/server.md: an answer that comes through the server is for the question that
// was shown, whatever a client sends twice, late or under another name.
import assert from "node:assert/strict";
import { test } from "node:test";
import { MemorySaver, tool } from "weftgraph";
import { handleAgUi } from "weftgraph/ag-ui";
import { createAgent } from "weftgraph/agent";
import { ScriptedModel } from "weftgraph/models/scripted";
import { createServer } from "weftgraph/server";
import * as z from "zod";

const SCHEMA = { type: "object", properties: { n: { type: "number" } } };
const calling = (...tool_calls) => ({ content: "", tool_calls });
const call = (n) => ({ name: "pay", args: { n }, id: `c${n}`, type: "tool_call" });

/** A server whose agent pays 1, then 666; what it paid, and how it is asked. */
function served({ schema = SCHEMA, ...options } = {}) {
  const paid = [];
  const pay = tool(({ n }) => (paid.push(n), `paid ${n}`), {
    name: "pay",
    schema,
    approval: "ask",
  });
  const model = new ScriptedModel({
    responses: [calling(call(1)), calling(call(666)), "Done."],
  });
  const agent = createAgent({ model, tools: [pay], checkpointer: new MemorySaver() });
  const start = () => createServer({ graphs: { agent }, agui: handleAgUi, ...options });
  let server = start();
  const ask = async (path, json, headers) => {
    const init = { method: "POST", headers, body: JSON.stringify(json) };
    const response = await server.fetch(`http://weft.local${path}`, init);
    const text = await response.text();
    const place = response.headers.get("content-location");
    const body = text.startsWith("{") ? JSON.parse(text) : {};
    return { status: response.status, text, body, place };
  };
  return { paid, ask, restart: () => void (server = start()) };
}
const SAY = { assistant_id: "agent", input: { messages: [{ role: "user", content: "go" }] } };
const THREAD = "11111111-1111-4111-8111-111111111111";

for (const resume of [true, { type: "accept" }, { decisions: [{ type: "approve" }] }])
  test(`a second click that waits its turn does not approve what comes then: ${JSON.stringify(resume)}`, async () => {
    const { paid, ask } = served();
    const config = { configurable: { thread_id: THREAD } };
    await ask("/stream/agent", { input: SAY.input, config });
    const click = () => ask("/stream/agent", { command: { resume }, config });
    const [one, other] = await Promise.all([click(), click()]);
    assert.deepEqual([one.status, other.status, paid], [200, 422, [1]]);
  });

test("a run that is over is not rolled back: others have made use of it", async () => {
  const { paid, ask } = served();
  await ask("/threads", { thread_id: THREAD });
  const runs = `/threads/${THREAD}/runs`;
  const { body: first } = await ask(`${runs}/wait`, SAY);
  const { body: state, place } = await ask(`${runs}/wait`, { assistant_id: "agent", input: null });
  const [{ id }] = state.__interrupt__;
  assert.equal(id, first.__interrupt__[0].id);
  const answer = { assistant_id: "agent", command: { resume: { [id]: { type: "accept" } } } };
  const { body: next } = await ask(`${runs}/wait`, answer);
  assert.equal(next.__interrupt__[0].value.canonical, '{"n":666}');
  assert.match(place, /\/runs\//);
  await ask(`${place}/cancel?action=rollback&wait=1`, {});
  const response = await ask(`${runs}/wait`, answer);
  assert.notEqual(response.body.__interrupt__?.[0].value.canonical, '{"n":1}');
  assert.deepEqual(paid, [1]);
});

test("an answer under a name that is no question's approves nothing", async () => {
  const { paid, ask } = served();
  await ask("/threads", { thread_id: THREAD });
  const { body } = await ask(`/threads/${THREAD}/runs/wait`, SAY);
  assert.equal(body.__interrupt__.length, 1);
  const response = { type: "accept" };
  for (const params of [
    { interrupt_id: "__proto__", response },
    { responses: [{ interrupt_id: "constructor", response }] },
    { responses: [] },
  ]) {
    const { text } = await ask(`/threads/${THREAD}/commands`, {
      id: 1,
      method: "input.respond",
      params,
    });
    assert.match(text, /"error"/);
  }
  assert.deepEqual(paid, []);
});

test("AG-UI shows nobody a thread that no record names", async () => {
  const { ask, restart } = served({
    authenticate: (request) => request.headers.get("x-user"),
  });
  await ask("/threads", { thread_id: THREAD }, { "x-user": "ann" });
  await ask(`/threads/${THREAD}/runs/wait`, SAY, { "x-user": "ann" });
  const input = { threadId: THREAD, runId: "r", messages: [], tools: [], context: [], state: {} };
  const bob = { "x-user": "bob" };
  assert.equal((await ask("/agui/agent", input, bob)).status, 404);
  restart();
  assert.equal((await ask("/agui/agent", input, bob)).status, 404);
});

test("an approved call with a BigInt runs in every stream", async () => {
  const { paid, ask } = served({ schema: z.object({ n: z.coerce.bigint() }) });
  await ask("/threads", { thread_id: THREAD });
  const runs = `/threads/${THREAD}/runs`;
  const { body } = await ask(`${runs}/wait`, SAY);
  const command = { resume: { [body.__interrupt__[0].id]: { type: "accept" } } };
  await ask(`${runs}/stream`, { assistant_id: "agent", command, stream_mode: ["messages-tuple"] });
  assert.deepEqual(paid, [1n]);
});
