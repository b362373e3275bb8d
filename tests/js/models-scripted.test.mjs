// SPDX-License-Identifier: MIT
// Serves docs/semantics.md 18 (messages): the scripted model that other suites play, and the
// models' place inside @langchain/langgraph itself: its agent must run on our model, tools and
// messages.
import { test } from "node:test";
import assert from "node:assert/strict";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { AIMessage, HumanMessage } from "weftgraph/messages";
import { ScriptedModel } from "weftgraph/models/scripted";
import { createReactAgent as createAgent } from "weftgraph/prebuilt";
import { tool } from "weftgraph/tools";

const call = (id, name, args) => ({ id, name, args, type: "tool_call" });
const add = tool(({ a, b }) => String(a + b), {
  name: "add",
  description: "adds",
  schema: {
    type: "object",
    properties: { a: { type: "number" }, b: { type: "number" } },
    required: ["a", "b"],
  },
});

test("answers in order, then fails; functions and errors are steps too", async () => {
  const seen = [];
  const model = new ScriptedModel({
    responses: [
      "one",
      new AIMessage({ content: "two", id: "x" }),
      (messages) => {
        seen.push(messages[0].content);
        return { content: "three" };
      },
      new RangeError("four"),
    ],
  });
  assert.equal((await model.invoke("q")).content, "one");
  assert.equal((await model.bindTools([add]).invoke("q")).id, "x");
  assert.equal((await model.invoke("asked")).content, "three");
  await assert.rejects(model.invoke("q"), /four/);
  await assert.rejects(model.invoke("q"), /4 responses; this is call 5/);
  assert.deepEqual(
    [seen, model.calls.length, model.calls[1].options.tools[0].function.name],
    [["asked"], 5, "add"],
  );
  const looped = new ScriptedModel({ responses: ["a", "b"], loop: true });
  assert.deepEqual(
    (await looped.batch(["1", "2", "3"])).map((answer) => answer.content),
    ["a", "b", "a"],
  );
  assert.throws(() => new ScriptedModel({ responses: "x" }), TypeError);
});

test("pieces sum up to the answer, with calls, usage and invalid calls", async () => {
  const usage_metadata = { input_tokens: 1, output_tokens: 2, total_tokens: 3 };
  const invalid = { id: "2", name: "add", args: "{a", error: "bad", type: "invalid_tool_call" };
  const model = new ScriptedModel({
    responses: [
      new AIMessage({
        content: " two  words\n",
        tool_calls: [call("1", "add", { a: 1 })],
        invalid_tool_calls: [invalid],
        usage_metadata,
      }),
    ],
  });
  let sum;
  for await (const chunk of model.stream("q")) sum = sum ? sum.concat(chunk) : chunk;
  assert.deepEqual(
    [sum.content, sum.tool_calls, sum.invalid_tool_calls[0].args, sum.usage_metadata.total_tokens],
    [" two  words\n", [call("1", "add", { a: 1 })], "{a", 3],
  );
});

test("a long answer of blanks between words is cut in linear time", async () => {
  const content = `a${" ".repeat(500_000)}b \n`;
  const model = new ScriptedModel({ responses: [content] });
  const words = [];
  for await (const chunk of await model.stream([])) words.push(chunk.content);
  assert.equal(words.join(""), content);
  assert.equal(words.filter((word) => word !== "").length, 2);
});

test("a scripted model stops between words when it is aborted", async () => {
  const controller = new AbortController();
  const model = new ScriptedModel({ responses: ["a b c d e f g"], tokenDelayMs: 5 });
  const words = [];
  await assert.rejects(
    async () => {
      for await (const chunk of model.stream("q", { signal: controller.signal }))
        if (words.push(chunk.content) === 2) controller.abort();
    },
    { name: "AbortError" },
  );
  assert.equal(words.length, 2);
});

test("the options of a call say after the run what they said in it", async () => {
  let seen;
  const model = new ScriptedModel({
    responses: [(_, { metadata }) => ((seen = { ...metadata }), "Hello.")],
  });
  const graph = createAgent({ llm: model, tools: [] });
  await graph.invoke({ messages: [new HumanMessage("Hi")] });
  const unread = new ScriptedModel({ responses: ["Hello."] });
  await createAgent({ llm: unread, tools: [] }).invoke({ messages: [new HumanMessage("Hi")] });
  const { options } = unread.calls[0];
  assert.equal(options.metadata.langgraph_step, seen.langgraph_step);
  assert.equal(options.metadata.langgraph_node, "agent");
  assert.match(options.configurable.checkpoint_ns, /^agent:[0-9a-f-]{36}$/);
  const { checkpointId, taskId } = options.executionInfo;
  assert.deepEqual([checkpointId.length, `agent:${taskId}`], [36, options.metadata.checkpoint_ns]);
});

test("LangGraph's own agent runs on our model, tools and messages, and streams them", async () => {
  const responses = () => [
    new AIMessage({ content: "", tool_calls: [call("c1", "add", { a: 2, b: 3 })] }),
    "The sum is 5",
  ];
  const agent = () =>
    createReactAgent({
      llm: new ScriptedModel({ responses: responses() }),
      tools: [add],
      prompt: "be brief",
    });
  const { messages } = await agent().invoke({ messages: [new HumanMessage("2+3?")] });
  assert.deepEqual(
    messages.map((message) => [message.getType(), message.text]),
    [
      ["human", "2+3?"],
      ["ai", ""],
      ["tool", "5"],
      ["ai", "The sum is 5"],
    ],
  );
  const tokens = [];
  for await (const [message, metadata] of await agent().stream(
    { messages: [new HumanMessage("2+3?")] },
    { streamMode: "messages" },
  ))
    tokens.push([metadata.langgraph_node, message.text]);
  assert.deepEqual(
    tokens.filter(([, text]) => text !== ""),
    [
      ["tools", "5"],
      ["agent", "The"],
      ["agent", " sum"],
      ["agent", " is"],
      ["agent", " 5"],
    ],
  );
});
