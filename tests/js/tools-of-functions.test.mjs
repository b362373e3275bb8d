// SPDX-License-Identifier: MIT
// Serves: a plain function with a schema, and a JSON Schema with a title, are tools wherever tools
// are taken.
import assert from "node:assert/strict";
import { test } from "node:test";
import { AIMessage, MemorySaver, isInterrupted } from "weftgraph";
import { createAgent, createMiddleware } from "weftgraph/agent";
import {
  llmToolSelectorMiddleware,
  toolEmulatorMiddleware,
  toolErrorMiddleware,
  toolRetryMiddleware,
} from "weftgraph/agent/middleware";
import { serveMcp } from "weftgraph/mcp/server";
import { countTokensApproximately } from "weftgraph/messages";
import { ScriptedModel } from "weftgraph/models/scripted";
import { ToolNode, createReactAgent } from "weftgraph/prebuilt";
import { toOpenAITool } from "weftgraph/tools";
import { z } from "zod";

function add({ a, b }) {
  return a + b;
}
add.description = "Adds two numbers.";
add.schema = {
  type: "object",
  properties: { a: { type: "number" }, b: { type: "number" } },
  required: ["a", "b"],
};
const shout = Object.assign((input) => input.text.toUpperCase(), {
  toolName: "shout_it",
  schema: z.object({ text: z.string() }),
});
const PLACE = {
  title: "place",
  description: "A place on a map.",
  type: "object",
  properties: { x: { type: "number" } },
};
const call = (name, args, id) => ({ name, args, id, type: "tool_call" });

test("a model is told functions with a schema and schemas with a title as tools", () => {
  const { title: _name, description, ...parameters } = PLACE;
  const declared = [add, shout, PLACE].map((given) => toOpenAITool(given).function);
  assert.deepEqual(declared[0], {
    name: "add",
    description: "Adds two numbers.",
    parameters: add.schema,
  });
  assert.deepEqual([declared[1].name, declared[1].parameters.required], ["shout_it", ["text"]]);
  assert.deepEqual(declared[2], { name: "place", description, parameters });
});

test("a ToolNode runs such functions, and checks their arguments first", async () => {
  const node = new ToolNode([add, shout]);
  const message = new AIMessage({
    tool_calls: [
      call("add", { a: 1, b: 2 }, "1"),
      call("shout_it", { text: "hi" }, "2"),
      call("add", { a: "one" }, "3"),
      call("shout_it", {}, "4"),
    ],
  });
  const { messages } = await node.invoke({ messages: [message] });
  assert.deepEqual(
    messages.map(({ name, content, status }) => [name, status === "error" ? "error" : content]),
    [
      ["add", "3"],
      ["shout_it", "HI"],
      ["add", "error"],
      ["shout_it", "error"],
    ],
  );
});

test("an agent binds and runs functions, and declares schemas", async () => {
  const llm = new ScriptedModel({
    responses: [{ tool_calls: [call("add", { a: 2, b: 3 }, "1")] }, "5"],
  });
  const agent = createReactAgent({ llm, tools: [add, PLACE] });
  const { messages } = await agent.invoke({ messages: "2+3?" });
  assert.deepEqual(
    messages.slice(2).map(({ content }) => content),
    ["5", "5"],
  );
  const told = llm.calls[0].options.tools.map((tool) => tool.function.name);
  assert.deepEqual(told, ["add", "place"]);
});

test("the options of a tool are the function's properties", async () => {
  let runs = 0;
  const drop = Object.assign(() => `dropped ${++runs}`, {
    toolName: "drop",
    schema: { type: "object", properties: {} },
    approval: "ask",
    returnDirect: true,
  });
  const llm = new ScriptedModel({ responses: [{ tool_calls: [call("drop", {}, "1")] }] });
  const agent = createReactAgent({ llm, tools: [drop], checkpointer: new MemorySaver() });
  const asked = await agent.invoke({ messages: "go" }, { configurable: { thread_id: "1" } });
  assert.ok(isInterrupted(asked));
  assert.equal(runs, 0);
});

test("an estimate of tokens counts functions as the model is told of them", () => {
  for (const tools of [[add], [Object.assign(() => 1, { toolName: "one", schema: add.schema })]])
    assert.equal(
      countTokensApproximately([], { tools }),
      countTokensApproximately([], { tools: tools.map(toOpenAITool) }),
    );
});

test("middlewares for some tools take functions and schemas by the name the model knows", async () => {
  const go = async (given, tools, ...middleware) => {
    const [name, args] = given === PLACE ? ["place", { x: 1 }] : ["shout_it", { text: "hi" }];
    const model = new ScriptedModel({
      responses: [{ tool_calls: [call(name, args, "1")] }, "done"],
    });
    const { messages } = await createAgent({ model, tools, middleware }).invoke({ messages: "go" });
    return messages[2].content;
  };
  for (const given of [shout, PLACE]) {
    const model = () => new ScriptedModel({ responses: ["emulated"] });
    const emulated = toolEmulatorMiddleware({ tools: [given], model: model() });
    assert.equal(await go(given, [shout, PLACE], emulated), "emulated");
  }
  const others = toolEmulatorMiddleware({ tools: [add, PLACE] });
  assert.equal(await go(shout, [shout, add, PLACE], others), "HI");

  let runs = 0;
  const run = () => {
    if (++runs < 2) throw new Error("down");
    return "up";
  };
  const unsteady = Object.assign(run, { toolName: "shout_it", schema: shout.schema });
  const retry = toolRetryMiddleware({ tools: [unsteady, PLACE], initialDelayMs: 1 });
  assert.equal(await go(unsteady, [unsteady], retry), "up");
  runs = 0;
  const tell = toolErrorMiddleware({ tools: [unsteady], onError: () => "told" });
  assert.equal(await go(unsteady, [unsteady], tell), "told");
});

test("a tool selector keeps a schema that is always included", async () => {
  const model = new ScriptedModel({ responses: ["done"] });
  const selector = new ScriptedModel({
    responses: [{ tool_calls: [call("extract", { tools: ["add"] }, "1")] }],
  });
  const middleware = [llmToolSelectorMiddleware({ model: selector, alwaysInclude: ["place"] })];
  await createAgent({ model, tools: [add, shout, PLACE], middleware }).invoke({ messages: "go" });
  const told = model.calls[0].options.tools.map((one) => one.function.name);
  assert.deepEqual(told.sort(), ["add", "place"]);
});

test("an agent answers a schema's call with an error if it runs tools, else leaves it open", async () => {
  const last = async (make, ...tools) => {
    const llm = new ScriptedModel({
      responses: [{ tool_calls: [call("place", { x: 1 }, "1")] }, "done"],
    });
    const { messages } = await make(llm, [PLACE, ...tools]).invoke({ messages: "go" });
    return messages.slice(2).map(({ status, content }) => status ?? content);
  };
  const react = (llm, tools) => createReactAgent({ llm, tools });
  const agent = (model, tools) => createAgent({ model, tools });
  assert.deepEqual(await last(react), ["error", "done"]);
  assert.deepEqual(await last(agent, add), ["error", "done"]);
  assert.deepEqual(await last(agent), []);
  const middleware = [createMiddleware({ name: "declares", tools: [PLACE] })];
  const model = new ScriptedModel({ responses: ["done"] });
  await createAgent({ model, tools: [], middleware }).invoke({ messages: "go" });
  assert.equal(model.calls[0].options.tools[0].function.name, "place");
});

test("what runs tools refuses a schema alone", () => {
  for (const make of [() => new ToolNode([PLACE]), () => serveMcp([PLACE])])
    assert.throws(make, { code: "BAD_ARGUMENT" });
});
