// SPDX-License-Identifier: MIT
// Serves: calls of plain functions with a schema are reported as those of other tools are: to
// callbacks, limits, streams and traces; tools by shape run there too.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createAgent } from "weftgraph/agent";
import { serveMcp } from "weftgraph/mcp/server";
import { ScriptedModel } from "weftgraph/models/scripted";
import { createReactAgent } from "weftgraph/prebuilt";
import { traced } from "./otel-kit.mjs";

const schema = {
  type: "object",
  properties: { a: { type: "number" }, b: { type: "number" } },
  required: ["a", "b"],
};
const add = Object.assign(({ a, b }) => a + b, { toolName: "add", schema });
const byShape = {
  name: "add",
  schema,
  invoke: async (input) => String(add(input.args ?? input)),
};

const AGENTS = {
  createReactAgent: (llm, tools) => createReactAgent({ llm, tools }),
  createAgent: (model, tools) => createAgent({ model, tools }),
};
const INPUT = { messages: "2+3?" };

for (const [kind, make] of Object.entries(AGENTS)) {
  const agentWith = (tool) => {
    const call = (id) => ({ name: "add", args: { a: 2, b: 3 }, id, type: "tool_call" });
    const responses = [{ tool_calls: [call("1")] }, { tool_calls: [call("2")] }, "5"];
    return make(new ScriptedModel({ responses }), [tool]);
  };
  const answersOf = ({ messages }) =>
    messages.filter(({ type }) => type === "tool").map(({ content }) => content);

  test(`${kind}: a handler hears a function's calls`, async () => {
    const heard = [];
    const handler = {
      handleToolStart: (tool, input, _id, _parent, _tags, _metadata, name, callId) =>
        heard.push([tool.id.at(-1), input, name, callId]),
      handleToolEnd: ({ content }) => heard.push(content),
    };
    const result = await agentWith(add).invoke(INPUT, { callbacks: [handler] });
    assert.deepEqual(answersOf(result), ["5", "5"]);
    const start = ["DynamicStructuredTool", '{"a":2,"b":3}', "add"];
    assert.deepEqual(heard, [[...start, "1"], "5", [...start, "2"], "5"]);
  });

  test(`${kind}: a limit counts a function's calls`, async () => {
    const result = await agentWith(add).invoke(INPUT, { limits: { toolCalls: 3 } });
    assert.deepEqual(answersOf(result), ["5", "5"]);
    await assert.rejects(agentWith(add).invoke(INPUT, { limits: { toolCalls: 1 } }), {
      code: "TOOL_CALL_LIMIT",
    });
  });

  test(`${kind}: streams have a function's calls`, async () => {
    const agent = agentWith(add);
    const told = [];
    for await (const [message] of await agent.stream(INPUT, { streamMode: "messages" }))
      if (message.type === "tool") told.push(message.content);
    assert.deepEqual(told, ["5", "5"]);
    const events = [];
    for await (const { event } of await agentWith(add).stream(INPUT, { streamMode: "tools" }))
      events.push(event);
    assert.deepEqual(events, ["on_tool_start", "on_tool_end", "on_tool_start", "on_tool_end"]);
    const named = [];
    for await (const { event, name } of agentWith(add).streamEvents(INPUT, { version: "v2" }))
      if (event.startsWith("on_tool")) named.push(`${event} ${name}`);
    const once = ["on_tool_start add", "on_tool_end add"];
    assert.deepEqual(named, [...once, ...once]);
  });

  test(`${kind}: a trace has a function's calls`, async () => {
    const { handler, named } = traced();
    await agentWith(add).invoke(INPUT, { callbacks: [handler] });
    assert.equal(named("execute_tool add").length, 2);
  });

  test(`${kind}: a tool by shape runs with callbacks, limits and in all streams`, async () => {
    const { handler } = traced();
    const config = { callbacks: [handler], limits: { toolCalls: 3 } };
    assert.deepEqual(answersOf(await agentWith(byShape).invoke(INPUT, config)), ["5", "5"]);
    for (const streamMode of ["messages", "tools"]) {
      const options = { streamMode: [streamMode, "values"] };
      let state;
      for await (const [mode, chunk] of await agentWith(byShape).stream(INPUT, options))
        if (mode === "values") state = chunk;
      assert.deepEqual(answersOf(state), ["5", "5"]);
    }
    let output;
    for await (const { event, data } of agentWith(byShape).streamEvents(INPUT, { version: "v2" }))
      if (event === "on_chain_end") output = data.output;
    assert.deepEqual(answersOf(output), ["5", "5"]);
  });
}

test("an MCP server runs functions and tools by shape", async () => {
  for (const tool of [add, byShape]) {
    const server = serveMcp([tool]);
    const body = JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "add", arguments: { a: 2, b: 3 } },
    });
    const headers = {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    };
    const request = new Request("http://localhost/mcp", { method: "POST", headers, body });
    const answer = await (await server.fetch(request)).text();
    assert.match(answer, /"text":"5"/);
    assert.doesNotMatch(answer, /"isError":true/);
  }
});
