// SPDX-License-Identifier: MIT
// Serves: ChatAnthropicMessages: blocks of the service's own toolsets and betas in requests, and
// what the service refuses at the end of a conversation or beside a large budget for thinking.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  AIMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
  messageFromRecord,
  messageToRecord,
} from "weftgraph/messages";
import { createAgent, toolStrategy } from "weftgraph/agent";
import { ChatAnthropicMessages } from "weftgraph/models/anthropic";
import { begin, call, delta, end, scripted, start, stop, text } from "./anthropic-wire.mjs";

const OK = [start(), ...text(0, "ok"), ...end()];
const modelOf = (fetch, options) =>
  new ChatAnthropicMessages({ model: "claude-sonnet-5", apiKey: "k", fetch, ...options });
const human = (...content) => new HumanMessage({ content });
const called = (id, name = "f") =>
  new AIMessage({ content: "", tool_calls: [{ id, name, args: {} }] });
const answered = (content, tool_call_id = "c1") => new ToolMessage({ content, tool_call_id });
const stored = (message) => messageFromRecord(JSON.parse(JSON.stringify(messageToRecord(message))));

async function bodyFor(messages, options) {
  const fetch = scripted(OK);
  await modelOf(fetch, options).invoke(messages);
  return fetch.asked[0].body;
}

test("a result of a tool from the service's toolset names the toolset, also after a checkpoint", async () => {
  const fetch = scripted(
    [
      start(),
      begin(0, { type: "tool_use", id: "t1", name: "wait", toolset_name: "browser", input: {} }),
      delta(0, "input_json_delta", { partial_json: "{}" }),
      stop(0),
      begin(1, { type: "tool_use", id: "t2", name: "f", toolset_name: null, input: {} }),
      stop(1),
      ...end("tool_use"),
    ],
    OK,
  );
  const model = modelOf(fetch);
  let message;
  for await (const chunk of model.stream("hi")) message = message?.concat(chunk) ?? chunk;
  const state = { type: "browser_state", tabs: [{ tab_id: "1", url: "https://a" }] };
  await model.invoke(["hi", stored(message), answered([state], "t1"), answered("2", "t2")]);
  assert.deepEqual(fetch.asked[1].body.messages.slice(1), [
    {
      role: "assistant",
      content: [
        { type: "tool_use", id: "t1", name: "wait", toolset_name: "browser", input: {} },
        { type: "tool_use", id: "t2", name: "f", toolset_name: null, input: {} },
      ],
    },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "t1", content: [state], toolset_name: "browser" },
        { type: "tool_result", tool_use_id: "t2", content: "2" },
      ],
    },
  ]);
});

test("tools are added and removed in the midst of a conversation", async () => {
  const addition = { type: "tool_addition", tool: { type: "tool_reference", name: "f" } };
  const removal = { type: "tool_removal", tool: { type: "tool_reference", name: "g" } };
  const changes = new SystemMessage({ content: [addition, removal] });
  const { messages } = await bodyFor([human("a"), new AIMessage("b"), changes, human("c")]);
  assert.deepEqual(messages[2], { role: "system", content: [addition, removal] });
});

test("a block of the service's form in a tool's result goes as it is, wrapped or not", async () => {
  const found = { type: "search_result", source: "u", title: "t", content: [] };
  const result = answered([{ type: "non_standard", value: found }, found, { type: "json", x: 1 }]);
  const { messages } = await bodyFor([human("a"), called("c1"), result]);
  assert.deepEqual(messages[2].content[0].content, [
    found,
    found,
    { type: "text", text: '{"type":"json","x":1}' },
  ]);
});

test("an answer that the model shall go on with does not end in blanks", async () => {
  const { messages } = await bodyFor([
    human("a "),
    new AIMessage("It is "),
    human("b"),
    new AIMessage("So \n"),
  ]);
  assert.deepEqual(
    messages.map(({ content }) => content[0].text),
    ["a ", "It is ", "b", "So"],
  );
});

test("a budget for thinking leaves room for the answer, unless the user set a maximum", async () => {
  const thinking = (budget_tokens) => ({ type: "enabled", budget_tokens });
  for (const [options, expected] of [
    [{ thinking: thinking(10_000) }, 16_384],
    [{ thinking: thinking(20_000) }, 36_384],
    [{ thinking: thinking(20_000), maxTokens: 21_000 }, 21_000],
    [{ thinking: { type: "adaptive" } }, 16_384],
  ])
    assert.equal((await bodyFor("hi", options)).max_tokens, expected);
});

test("tokens are counted with what the service removes of a long context", async () => {
  const fetch = scripted(() => Response.json({ input_tokens: 42 }));
  const context_management = { edits: [{ type: "clear_tool_uses_20250919" }] };
  const messages = [human("a"), called("c1"), answered("r")];
  assert.equal(await modelOf(fetch).countTokens(messages, { context_management }), 42);
  assert.deepEqual(fetch.asked[0].body.context_management, context_management);
});

test("results go back with the container in which the service waits for them, until a person asks anew", async () => {
  const container = { id: "container_1", expires_at: "2030-01-01T00:00:00Z" };
  const program = { type: "server_tool_use", id: "s1", name: "code_execution", input: {} };
  const caller = { type: "code_execution_20260120", tool_id: "s1" };
  const asking = [
    start(),
    begin(0, program),
    delta(0, "input_json_delta", { partial_json: '{"code":"1"}' }),
    stop(0),
    begin(1, { type: "tool_use", id: "t1", name: "f", caller, input: {} }),
    stop(1),
  ];
  const told = [...asking, ...end("tool_use", { output_tokens: 5 }, { container })];
  // The container may be told at the beginning, too.
  const [begun, ...more] = [...asking, ...end("tool_use")];
  const early = [{ ...begun, message: { ...begun.message, container } }, ...more];
  for (const events of [told, early]) {
    const fetch = scripted(events, OK);
    const model = modelOf(fetch);
    let streamed;
    for await (const chunk of model.stream("hi")) streamed = streamed?.concat(chunk) ?? chunk;
    const skills = { skills: [{ type: "anthropic", skill_id: "pdf" }] };
    for (const [given, expected] of [
      [undefined, "container_1"],
      ["container_2", "container_2"],
      [skills, { id: "container_1", ...skills }],
    ]) {
      const options = given === undefined ? {} : { container: given };
      await model.invoke(["hi", stored(streamed), answered("r", "t1")], options);
      const { container: sent, messages } = fetch.asked.at(-1).body;
      assert.deepEqual(sent, expected);
      assert.deepEqual(messages[1].content[1].caller, caller);
    }
    const done = [stored(streamed), answered("r", "t1"), new AIMessage("ok")];
    await model.invoke(["hi", ...done, "and now?"]);
    assert.equal(fetch.asked.at(-1).body.container, undefined);
    await modelOf(fetch, { provider: "elsewhere" }).invoke(["hi", ...done]);
    assert.equal(fetch.asked.at(-1).body.container, undefined);
  }
  const paused = scripted(
    [start(), begin(0, program), stop(0), ...end("pause_turn", {}, { container })],
    OK,
  );
  const model = modelOf(paused);
  await model.invoke(["hi", await model.invoke("hi")]);
  assert.equal(paused.asked[1].body.container, "container_1");
});

test("a call whose result a person's message has in Anthropic's own form gets no second one", async () => {
  const result = { type: "tool_result", tool_use_id: "c1", content: "4 °C" };
  for (const block of [result, { type: "non_standard", value: result }]) {
    const { messages } = await bodyFor(["hi", called("c0"), "no", called("c1"), human(block)]);
    const results = messages.flatMap(({ content }) =>
      content.flatMap(({ type, tool_use_id, is_error }) =>
        type === "tool_result" ? [[tool_use_id, is_error]] : [],
      ),
    );
    assert.deepEqual(results, [
      ["c0", true],
      ["c1", undefined],
    ]);
  }
});

test("a result of no call, later in the conversation, leaves no earlier call open", async () => {
  const { messages } = await bodyFor([
    ...["hi", called("c1"), "no", called("c2"), answered("2", "c2")],
    ...["go on", answered("?", "c3"), "and now?"],
  ]);
  assert.deepEqual(messages[2].content[0].tool_use_id, "c1");
});

test("calls that a stream begins with, of a program that goes on, are calls and go back with their caller", async () => {
  const caller = { type: "code_execution_20250825", tool_id: "s1" };
  const used = [
    { type: "tool_use", id: "t1", name: "f", input: { city: "Oslo" }, caller },
    { type: "tool_use", id: "t2", name: "f", input: {}, caller },
  ];
  const begun = start();
  const message = { ...begun.message, content: used, stop_reason: "tool_use" };
  // What follows is numbered on, or from 0 by some proxies.
  for (const index of [2, 0]) {
    const events = [{ ...begun, message }, ...text(index, "More."), ...end("tool_use")];
    const fetch = scripted(events, events, OK);
    const model = modelOf(fetch);
    let sum;
    for await (const chunk of model.stream("hi")) sum = sum?.concat(chunk) ?? chunk;
    const streamed = await model.invoke("hi", { callbacks: [{ handleLLMNewToken() {} }] });
    for (const { text: words, tool_calls } of [sum, streamed]) {
      assert.equal(words, "More.");
      assert.deepEqual(
        tool_calls.map(({ id, name, args }) => [id, name, args]),
        used.map(({ id, name, input }) => [id, name, input]),
      );
    }
    await model.invoke(["hi", stored(streamed), answered("r", "t1"), answered("r", "t2")]);
    assert.deepEqual(fetch.asked[2].body.messages[1].content, [
      ...used,
      { type: "text", text: "More." },
    ]);
  }
});

test("an agent offers the tool of its answer to a model that thinks, and forces another to call it", async () => {
  const schema = {
    title: "answer",
    type: "object",
    properties: { n: { type: "integer" } },
    required: ["n"],
  };
  for (const [thinking, choice] of [
    [{ type: "adaptive" }, undefined],
    [undefined, { type: "any" }],
  ]) {
    const fetch = scripted([start(), ...call(0, "t1", "answer", '{"n":3}'), ...end("tool_use")]);
    const model = modelOf(fetch, { thinking });
    const agent = createAgent({ model, tools: [], responseFormat: toolStrategy(schema) });
    const { structuredResponse } = await agent.invoke({ messages: [human("hi")] });
    assert.deepEqual(structuredResponse, { n: 3 });
    assert.deepEqual(fetch.asked[0].body.tool_choice, choice);
  }
});
