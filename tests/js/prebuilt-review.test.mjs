// SPDX-License-Identifier: MIT
// reviewToolCalls: policies per tool and by arguments, one interrupt for all calls, answers by
// place or by id, edits, answers that cannot be used. And models by name.
import { test } from "node:test";
import assert from "node:assert/strict";
import { AIMessage, Command, MemorySaver, tool } from "weftgraph";
import { createAgent } from "weftgraph/agent";
import { createReactAgent, registerModelProvider, reviewToolCalls } from "weftgraph/prebuilt";
import { ScriptedModel } from "weftgraph/models/scripted";

const call = (name, args, id) => ({ name, args, id, type: "tool_call" });
const ran = [];
const tools = ["look", "order", "pay", "drop"].map((name) =>
  tool((args) => (ran.push([name, args]), `${name} done`), { name, schema: { type: "object" } }),
);
const review = reviewToolCalls({
  policies: { order: "ask", drop: "deny", pay: ({ amount }) => (amount > 100 ? "ask" : "auto") },
});

/** An agent whose model makes these calls once. */
function agentOf(calls, postModelHook = review) {
  ran.length = 0;
  const llm = new ScriptedModel({
    responses: [new AIMessage({ content: "", tool_calls: calls }), new AIMessage("done")],
  });
  const agent = createReactAgent({ llm, tools, postModelHook, checkpointer: new MemorySaver() });
  const config = { configurable: { thread_id: "t" } };
  return {
    start: () => agent.invoke({ messages: "go" }, config),
    answer: (resume) => agent.invoke(new Command({ resume }), config),
  };
}
const said = ({ messages }) =>
  messages
    .filter(({ type }) => type === "tool")
    .map(({ content, tool_call_id, status }) => [tool_call_id, status, content]);
const asked = ({ __interrupt__ }) =>
  __interrupt__[0].value.map(({ id, action_request, problem }) => [
    id,
    action_request.action,
    ...(problem ? [problem] : []),
  ]);

const calls = [
  call("look", {}, "1"),
  call("order", { n: 1 }, "2"),
  call("pay", { amount: 5 }, "3"),
  call("pay", { amount: 500 }, "4"),
  call("drop", {}, "5"),
];

test("nothing runs before everything is decided; answers by id", async () => {
  const { start, answer } = agentOf(calls);
  const first = await start();
  assert.deepEqual(asked(first), [
    ["2", "order"],
    ["4", "pay"],
  ]);
  assert.deepEqual(first.__interrupt__[0].value[0].config, {
    allow_ignore: true,
    allow_respond: true,
    allow_edit: true,
    allow_accept: true,
  });
  assert.deepEqual(ran, []);
  const last = await answer({
    4: { type: "response", args: "too much" },
    2: { type: "edit", args: { action: "order", args: { n: 2 } } },
  });
  assert.deepEqual(ran, [
    ["look", {}],
    ["order", { n: 2 }],
    ["pay", { amount: 5 }],
  ]);
  assert.deepEqual(said(last).sort(), [
    ["1", "success", "look done"],
    ["2", "success", "order done"],
    ["3", "success", "pay done"],
    ["4", "error", 'The user rejected the call of "pay"; it was not run. Reason: too much'],
    [
      "5",
      "error",
      'The call of "drop" was denied; it was not run. Reason: this tool must not be called here.',
    ],
  ]);
  assert.deepEqual(
    last.messages.find(({ tool_calls }) => tool_calls?.length > 0).tool_calls[1].args,
    { n: 2 },
  );
  assert.equal(last.messages.at(-1).content, "done");
});

test("answers by place; what cannot be used is asked again, the rest stands", async () => {
  const { start, answer } = agentOf(calls.slice(1, 4));
  await start();
  const again = await answer([{ type: "accept", args: null }, { type: "perhaps" }]);
  assert.deepEqual(asked(again), [
    [
      "4",
      "pay",
      'The answer must be an object { type: "accept" | "edit" | "response" | "ignore", args }.',
    ],
  ]);
  assert.deepEqual(ran, []);
  const denied = await answer({ type: "edit", args: { action: "drop", args: {} } });
  assert.deepEqual(asked(denied), [["4", "pay", 'The tool "drop" must not be called.']]);
  const last = await answer([{ type: "ignore", args: null }]);
  assert.deepEqual(ran, [
    ["order", { n: 1 }],
    ["pay", { amount: 5 }],
  ]);
  assert.equal(said(last).find(([id]) => id === "4")[1], "error");
});

test("an edit is judged under the policy and the schema of the tool that it names; only allowed kinds count", async () => {
  const pay = tool(({ amount }) => `paid ${amount}`, {
    name: "pay",
    schema: { type: "object", properties: { amount: { type: "number" } }, required: ["amount"] },
  });
  const strict = reviewToolCalls({
    policies: { pay: ({ amount }) => (amount > 1000 ? "deny" : "ask") },
    tools: [pay],
    config: { allow_ignore: false },
  });
  const { start, answer } = agentOf([call("pay", { amount: 500 }, "1")], strict);
  assert.equal((await start()).__interrupt__[0].value[0].config.allow_ignore, false);
  const edit = (action, args) => ({ type: "edit", args: { action, args } });
  const rows = [
    [edit("pay", { amount: 5000 }), 'These arguments of "pay" are denied.'],
    [edit("pay", { amount: "much" }), /\/amount: expected number, found string "much"/],
    [edit("fly", {}), /"fly"/],
    [{ type: "ignore", args: null }, 'An answer of type "ignore" is not allowed here.'],
  ];
  for (const [given, expected] of rows) {
    const [[, , problem]] = asked(await answer([given]));
    if (typeof expected === "string") assert.equal(problem, expected);
    else assert.match(problem, expected);
  }
  assert.deepEqual(ran, []);
  await answer([edit("pay", { amount: 50 })]);
  assert.deepEqual(ran, [["pay", { amount: 50 }]]);
});

test("all rejected: the model hears of it and nothing runs", async () => {
  const { start, answer } = agentOf([call("order", {}, "1")]);
  await start();
  const last = await answer([{ type: "response", args: "no" }]);
  assert.deepEqual([ran, said(last).length, last.messages.at(-1).content], [[], 1, "done"]);
});

test("no calls, and none to ask about, cost no question; a wrong policy is named", async () => {
  assert.deepEqual(said(await agentOf([call("look", {}, "1")]).start()), [
    ["1", "success", "look done"],
  ]);
  await assert.rejects(
    agentOf([call("look", {}, "1")], reviewToolCalls({ fallback: "maybe" })).start(),
    /look.*maybe/,
  );
});

test("a model given by its name comes from its registered provider; without one the error says how to register it", async () => {
  const agent = createReactAgent({ llm: "house:small:v2", tools: [] });
  await assert.rejects(
    agent.invoke({ messages: "hi" }),
    /"house:small:v2" names no model: call registerModelProvider\(.* of weftgraph\/prebuilt/,
  );
  await assert.rejects(createAgent({ model: "none:x" }).invoke({ messages: "hi" }), (error) => {
    assert.doesNotMatch(error.message, /llm/);
    return error.code === "BAD_ARGUMENT";
  });
  registerModelProvider(
    "house",
    (name) => new ScriptedModel({ responses: [new AIMessage(`I am ${name}`)] }),
  );
  assert.equal((await agent.invoke({ messages: "hi" })).messages.at(-1).content, "I am small:v2");
  assert.throws(() => registerModelProvider("a:b", () => 1), /without a colon/);
});

test("options that a review does not have are refused: it would ask about nothing", () => {
  for (const options of [{ policy: { pay: "ask" } }, { approvals: "batch" }, { tool: [] }])
    assert.throws(() => reviewToolCalls(options), {
      code: "BAD_ARGUMENT",
      message: /reviewToolCalls\(options\) has no option ".*": it has policies, fallback/,
    });
});

test("a policy for a tool that is not there is told once, with the nearest name", async (t) => {
  const warn = t.mock.method(console, "warn", () => {});
  const policies = { oder: "ask", lok: "auto" };
  for (const _ of [1, 2]) {
    const { start } = agentOf([call("order", {}, "1")], reviewToolCalls({ policies, tools }));
    await start();
  }
  assert.deepEqual(
    warn.mock.calls.map(({ arguments: said }) => said),
    [
      [
        'reviewToolCalls(options): options.policies["oder"]: no tool of this agent has this name: nothing is asked, unless one is added later. The nearest name is "order".',
      ],
    ],
  );
});
