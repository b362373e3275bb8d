// SPDX-License-Identifier: MIT
// Tool calls that do not fit are repaired where the schema leaves one reading, told in the answer
// and shown in an approval; everything else goes to the model or the user's function.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Command, MemorySaver } from "weftgraph";
import { createAgent, humanInTheLoopMiddleware } from "weftgraph/agent";
import { AIMessage, HumanMessage } from "weftgraph/messages";
import { ScriptedModel } from "weftgraph/models/scripted";
import { ToolNode, createReactAgent, reviewToolCalls } from "weftgraph/prebuilt";
import { compileSchema } from "weftgraph/schema";
import { repairBySchema, tool } from "weftgraph/tools";
import { z } from "zod";

const object = (properties, rest) => ({ type: "object", properties, ...rest });

/** Runs one call through a ToolNode; returns what the tool got and the answer. */
async function run(
  schema,
  args,
  { isRepairing = true, repair = repairBySchema, message = {}, ...options } = {},
) {
  const got = [];
  const use = tool(
    (input) => {
      got.push(input);
      return "done";
    },
    { name: "use", description: "Uses it.", schema },
  );
  const call = { name: "use", args, id: "c1" };
  const calls =
    typeof args === "string"
      ? { invalid_tool_calls: [{ ...call, type: "invalid_tool_call", error: "broken" }] }
      : { tool_calls: [{ ...call, type: "tool_call" }] };
  const [answer] = await new ToolNode([use], {
    ...(isRepairing ? { repair } : {}),
    ...options,
  }).invoke([new AIMessage({ content: "", ...calls, ...message })]);
  return { got, answer, repaired: answer.additional_kwargs.repaired };
}

const CASES = [
  ["a number as text", object({ n: { type: "number" } }), { n: "5" }, { n: 5 }, "text to number"],
  [
    "an integer as text",
    object({ n: { type: "integer" } }),
    { n: "-3" },
    { n: -3 },
    "text to number",
  ],
  [
    "a boolean as text",
    object({ b: { type: "boolean" } }),
    { b: "True" },
    { b: true },
    "text to boolean",
  ],
  [
    "a number where a text is wanted",
    object({ t: { type: "string" } }),
    { t: 12 },
    { t: "12" },
    "number to text",
  ],
  [
    "a boolean where a text is wanted",
    object({ t: { type: "string" } }),
    { t: true },
    { t: "true" },
    "boolean to text",
  ],
  [
    "null as text",
    object({ n: { type: ["number", "null"] } }),
    { n: "null" },
    { n: null },
    "text to null",
  ],
  [
    "a number as text where null would do too",
    object({ n: { anyOf: [{ type: "number" }, { type: "null" }] } }),
    { n: "7" },
    { n: 7 },
    "text to number",
  ],
  [
    "a single value for a list",
    object({ l: { type: "array", items: { type: "string" } } }),
    { l: "a" },
    { l: ["a"] },
    "single value to list",
  ],
  [
    "a list as JSON text",
    object({ l: { type: "array", items: { type: "string" } } }),
    { l: '["a","b"]' },
    { l: ["a", "b"] },
    "JSON text to value",
  ],
  [
    "an object as JSON text",
    object({ o: object({ x: { type: "number" } }) }),
    { o: '{"x":1}' },
    { o: { x: 1 } },
    "JSON text to value",
  ],
  [
    "the case of an enum's value",
    object({ e: { enum: ["Red", "Blue"] } }),
    { e: "red" },
    { e: "Red" },
    "case of an allowed value",
  ],
  [
    "the case of a value behind a reference",
    object({ e: { $ref: "#/$defs/c" } }, { $defs: { c: { enum: ["Red"] } } }),
    { e: "RED" },
    { e: "Red" },
    "case of an allowed value",
  ],
  [
    "a forbidden key",
    object({ a: { type: "number" } }, { additionalProperties: false }),
    { a: 1, x: 2 },
    { a: 1 },
    "unknown key dropped",
  ],
  [
    "a bracket that is missing",
    object({ l: { type: "array" } }),
    '{"l":["a"',
    { l: ["a"] },
    "JSON completed",
  ],
  [
    "a fence of Markdown",
    object({ a: { type: "number" } }),
    '```json\n{"a":1}\n```',
    { a: 1 },
    "JSON completed",
  ],
];

for (const [what, schema, given, wanted, change] of CASES)
  test(`repairs ${what} and tells it in the answer`, async () => {
    const { got, repaired, answer } = await run(schema, given);
    assert.deepEqual(got, [wanted]);
    assert.equal(answer.status, "success");
    assert.deepEqual(
      repaired.map((one) => one.change),
      [change],
    );
    const without = await run(schema, given, { isRepairing: false });
    assert.equal(without.answer.status, "error");
    assert.equal(without.repaired, undefined);
  });

const UNCERTAIN = [
  ["a text that is no number", object({ n: { type: "number" } }), { n: "five" }],
  [
    "a number with more digits than a double has",
    object({ n: { type: "integer" } }),
    { n: "12345678901234567890" },
  ],
  [
    "an integer with more digits than a double has where a text is wanted",
    object({ t: { type: "string" } }),
    { t: 12345678901234567000 },
  ],
  [
    "a number whose text would be another one, such as a version",
    object({ t: { type: "string" } }),
    '```json\n{"t":1.10}\n```',
  ],
  [
    "a number that a text or a list would do for, where the text would lose digits",
    object({ t: { type: ["string", "array"] } }),
    { t: 12345678901234567000 },
  ],
  ...["1e-400", "1.00000000000000000001", "9007199254740991.4", "0.12345678901234567890123"].map(
    (n) => [`the number ${n}, which loses digits`, object({ n: { type: "number" } }), { n }],
  ),
  ...[
    ["dryRun", "dry_run"],
    ["amout", "amount"],
    ["to_address", "address"],
    ["recipinet", "recipient"],
  ].map(([key, name]) => [
    `the forbidden key ${key}, which may stand for ${name}`,
    object({ a: {}, [name]: { default: 1 } }, { additionalProperties: false }),
    { a: 1, [key]: 2 },
  ]),
  [
    "a forbidden key that is another object's",
    object({ a: object({ city: {} }) }, { additionalProperties: false }),
    { a: {}, city: "Oslo" },
  ],
  ["a text that two types could take", object({ n: { type: ["number", "array"] } }), { n: "5" }],
  ["a text that two allowed values match", object({ e: { enum: ["Red", "RED"] } }), { e: "red" }],
  [
    "what is wrong inside one of several alternatives",
    object({
      o: {
        anyOf: [
          object({ x: { type: "number" } }),
          object({ x: { type: "boolean" } }, { required: ["y"] }),
        ],
      },
    }),
    { o: { x: "1" } },
  ],
  ["a missing value without a default", object({ a: { type: "number" } }, { required: ["a"] }), {}],
  [
    "a key that occurs twice inside JSON text",
    object({ o: { type: "object" } }),
    { o: '{"a":1,"a":2}' },
  ],
  ["JSON that ends within a text", object({ t: { type: "string" } }), '{"t":"ab'],
  ["JSON that ends with a number", object({ n: { type: "number" } }), '{"n":12'],
  ["JSON that ends after a comma", object({ l: { type: "array" } }), '{"l":["a",'],
  ["brackets that do not match", object({ l: { type: "array" } }), '{"l":["a"}'],
  [
    "a value that a repair of another one does not help",
    object({ a: { type: "number" }, b: { type: "number" } }),
    { a: "1", b: "x" },
  ],
];

for (const [what, schema, given] of UNCERTAIN)
  test(`leaves to the model ${what}`, async () => {
    const { got, answer, repaired } = await run(schema, given);
    assert.deepEqual(got, []);
    assert.equal(answer.status, "error");
    assert.equal(repaired, undefined);
  });

test("JSON is completed only where the answer ended as whole answers do", async () => {
  const gotWith = async (response_metadata) =>
    (await run(object({ l: { type: "array" } }), '{"l":["a"', { message: { response_metadata } }))
      .got;
  for (const cut of [
    ...["length", "content_filter", "MAX_TOKENS", "SAFETY", "content-filter", "error"].map(
      (finish_reason) => ({ finish_reason }),
    ),
    ...["max_tokens", "refusal", "pause_turn", "model_context_window_exceeded"].map(
      (stop_reason) => ({ stop_reason }),
    ),
    { stopReason: "max_tokens" },
    { finishReason: "SAFETY" },
    { done_reason: "length" },
    { status: "incomplete" },
  ])
    assert.deepEqual(await gotWith(cut), [], JSON.stringify(cut));
  for (const whole of [
    {},
    { finish_reason: "tool_calls" },
    { finish_reason: "tool-calls", raw_finish_reason: "TOOL_CALL" },
    { finish_reason: "STOP" },
    { finish_reason: null },
    { stop_reason: "tool_use", stop_sequence: null },
    { stopReason: "end_turn" },
    { done_reason: "stop" },
    { status: "completed", finish_reason: "tool_calls" },
    { status: 200 },
  ])
    assert.deepEqual(await gotWith(whole), [{ l: ["a"] }], JSON.stringify(whole));
});

test("a value of a type that the schema does not name stays as it is: keywords would not be checked", async () => {
  const text = { pattern: "^a$" };
  const number = { maximum: 5 };
  for (const [properties, args] of [
    [{ v: text }, { v: "abc!" }],
    [{ v: { maxLength: 2 } }, { v: "abc" }],
    [{ v: { not: { type: "string" } } }, { v: "abc" }],
    [{ v: number }, { v: 9 }],
    [{ v: { required: ["a"], properties: { a: number } } }, { v: { b: 1 } }],
    [{ v: { anyOf: [text, { minLength: 9 }] } }, { v: "abc" }],
    [{ v: { $ref: "#/$defs/text" } }, { v: "abc" }],
  ]) {
    const { got, answer } = await run(object(properties, { $defs: { text } }), args);
    assert.deepEqual([got, answer.status], [[], "error"], JSON.stringify(properties));
  }
  const { got } = await run(object({ v: { type: ["array", "null"], items: text } }), { v: "a" });
  assert.deepEqual(got, [{ v: ["a"] }]);
});

test("a message that says nothing of its end is no cut one", () => {
  const use = tool(() => "", { name: "use", schema: object({ l: { type: "array" } }) });
  const call = { name: "use", args: '{"l":["a"', id: "1" };
  for (const message of [undefined, {}, { response_metadata: null }])
    assert.deepEqual(repairBySchema({ call, tool: use, message }).args, { l: ["a"] });
});

test("several repairs of one call are told in order, with what the model wrote", async () => {
  const schema = object(
    { n: { type: "number" }, l: { type: "array", items: { type: "number" } } },
    { required: ["n"], additionalProperties: false },
  );
  const { got, repaired } = await run(schema, { n: "5", l: "6", zz: 1, yy: 2 });
  assert.deepEqual(got, [{ n: 5, l: [6] }]);
  assert.deepEqual(
    new Set(repaired.map(({ path, change, from }) => `${path} ${change} ${from}`)),
    new Set([
      "/n text to number 5",
      "/l single value to list 6",
      "/l/0 text to number 6",
      "/zz unknown key dropped 1",
      "/yy unknown key dropped 2",
    ]),
  );
});

test("a missing default is filled in beside a repair", async () => {
  const schema = object(
    { n: { type: "number" }, d: { type: "number", default: 3 } },
    { required: ["n", "d"] },
  );
  const { got, repaired } = await run(schema, { n: "5" });
  assert.deepEqual(got, [{ n: 5, d: 3 }]);
  assert.equal(repaired.length, 1);
});

test("arguments that fit are not touched", async () => {
  const { got, repaired } = await run(object({ t: { type: "string", default: "x" } }), { t: "5" });
  assert.deepEqual(got, [{ t: "5" }]);
  assert.equal(repaired, undefined);
});

test("a schema of zod: repaired by its JSON Schema, then read by itself", async () => {
  const { got, repaired } = await run(z.object({ n: z.number(), tags: z.array(z.string()) }), {
    n: "5",
    tags: "a",
  });
  assert.deepEqual(got, [{ n: 5, tags: ["a"] }]);
  assert.equal(repaired.length, 2);
});

test("what a schema of zod reads by itself is not repaired", async () => {
  const { got, repaired } = await run(z.object({ n: z.coerce.string() }), { n: 5 });
  assert.deepEqual(got, [{ n: "5" }]);
  assert.equal(repaired, undefined);
});

test("a member called __proto__ stays a member", async () => {
  const args = JSON.parse('{"o":{"__proto__":{"n":"5"}}}');
  const schema = JSON.parse(
    '{"type":"object","properties":{"o":{"type":"object","properties":{"__proto__":{"type":"object","properties":{"n":{"type":"number"}}}}}}}',
  );
  const { got } = await run(schema, args);
  assert.equal(JSON.stringify(got), '[{"o":{"__proto__":{"n":5}}}]');
  assert.equal({}.n, undefined);
});

test("a large call that cannot be repaired is given up in bounded time", async () => {
  const args = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, "x"]));
  const begun = performance.now();
  const { got } = await run(object({}, { additionalProperties: false }), args);
  assert.deepEqual(got, []);
  assert.ok(performance.now() - begun < 20_000);
});

test("a function is asked where no change is certain, and its arguments are judged", async () => {
  const schema = object({ n: { type: "number" } });
  const asked = [];
  const repair = async (failed) => {
    const certain = repairBySchema(failed);
    if (certain !== undefined) return certain;
    const { call, tool, error } = failed;
    asked.push([call, tool.name, error]);
    return { args: call.args.n === "five" ? { n: 5 } : { n: "still wrong" } };
  };
  const { got, repaired } = await run(schema, { n: "five" }, { repair });
  assert.deepEqual(got, [{ n: 5 }]);
  assert.deepEqual(repaired, [{ path: "", change: "by the application", from: "" }]);
  assert.equal(asked[0][1], "use");
  assert.match(asked[0][2], /expected number|number/);
  const wrong = await run(schema, { n: "six" }, { repair });
  assert.deepEqual(wrong.got, []);
  assert.equal(wrong.answer.status, "error");
  assert.equal(asked.length, 2);
  assert.deepEqual((await run(schema, { n: "6" }, { repair })).got, [{ n: 6 }]);
  assert.equal(asked.length, 2);
});

/** An agent whose model makes one call with these arguments, then says "ok". */
function agentOf(args, options) {
  const got = [];
  const pay = tool(
    (input) => {
      got.push(input);
      return "paid";
    },
    {
      name: "pay",
      description: "Pays.",
      schema: object({ amount: { type: "number" } }, { required: ["amount"] }),
      approval: "ask",
    },
  );
  const llm = {
    lc_runnable: true,
    _modelType: () => "base_chat_model",
    bindTools: () => llm,
    invoke: async (messages) =>
      messages.at(-1).getType() === "tool"
        ? new AIMessage("ok")
        : new AIMessage({
            content: "",
            tool_calls: [{ name: "pay", args, id: "p1", type: "tool_call" }],
          }),
  };
  const agent = createReactAgent({
    llm,
    tools: [pay],
    checkpointer: new MemorySaver(),
    repair: repairBySchema,
    ...options,
  });
  return { agent, got };
}

const CONFIG = { configurable: { thread_id: "t" } };

test("an approval shows the repaired arguments as repaired, and binds them", async () => {
  const { agent, got } = agentOf({ amount: "12" });
  const asked = await agent.invoke({ messages: [new HumanMessage("pay")] }, CONFIG);
  const [{ value }] = asked.__interrupt__;
  assert.deepEqual(value.action_request.args, { amount: 12 });
  assert.deepEqual(value.repaired, [{ path: "/amount", change: "text to number", from: "12" }]);
  assert.match(value.description, /repaired \(text to number\)/);
  assert.deepEqual(got, []);
  const done = await agent.invoke(
    new Command({ resume: { type: "accept", digest: value.digest } }),
    CONFIG,
  );
  assert.deepEqual(got, [{ amount: 12 }]);
  const answer = done.messages.find((message) => message.getType() === "tool");
  assert.equal(answer.additional_kwargs.repaired.length, 1);
});

test("a person's edit that does not fit is not repaired: it is asked about again", async () => {
  const { agent, got } = agentOf({ amount: 1 });
  await agent.invoke({ messages: [new HumanMessage("pay")] }, CONFIG);
  const again = await agent.invoke(
    new Command({ resume: { type: "edit", args: { action: "pay", args: { amount: "99" } } } }),
    CONFIG,
  );
  const [{ value }] = again.__interrupt__;
  assert.match(value.problem, /number/);
  assert.deepEqual(got, []);
});

test("arguments without JSON, and a value that takes too many steps, are left to the model", async () => {
  const schema = object({ n: { type: "number" } });
  for (const args of [{ n: 5n }, { n: "x".repeat(300_000) }]) {
    const { got, answer } = await run(schema, args);
    assert.deepEqual([got, answer.status], [[], "error"]);
  }
  // Twice as many steps for each level.
  const either = { type: "array", items: { $ref: "#/$defs/a" } };
  const $defs = { a: { anyOf: [either, { ...either, minItems: 0 }] } };
  const l = Array.from({ length: 30 }).reduce((inner) => [inner], 5);
  await assert.rejects(
    async () => {
      const { errors } = compileSchema({ $ref: "#/$defs/a", $defs }).validate(l);
      assert.deepEqual(errors, []);
    },
    { code: "SCHEMA_BUDGET" },
  );
  const many = object({ l: { $ref: "#/$defs/a" } }, { $defs });
  const { got, answer } = await run(many, { l });
  assert.deepEqual([got, answer.status], [[], "error"]);
});

test("what the function returns in another form is a wrong argument", async () => {
  const repair = () => ({ n: 5 });
  await assert.rejects(run(object({ n: { type: "number" } }), { n: "five" }, { repair }), {
    code: "BAD_ARGUMENT",
    message: /repair\(failed\) must return \{ args/,
  });
});

test("what a schema of zod refuses is told to the function", async () => {
  const repair = ({ call, error }) => {
    assert.match(error, /number/);
    assert.deepEqual(call.args, { n: "five" });
    return { args: { n: 5 } };
  };
  const { got } = await run(z.object({ n: z.number() }), { n: "five" }, { repair });
  assert.deepEqual(got, [{ n: 5 }]);
});

test("a call that a person reviewed is not repaired", async () => {
  const { agent, got } = agentOf(
    { amount: "12" },
    { postModelHook: reviewToolCalls({ fallback: "ask" }) },
  );
  const asked = await agent.invoke({ messages: [new HumanMessage("pay")] }, CONFIG);
  assert.equal(asked.__interrupt__.length, 1);
  const [{ value }] = asked.__interrupt__;
  await agent.invoke(
    new Command({ resume: [{ type: "accept", digest: value[0].digest }] }),
    CONFIG,
  );
  assert.deepEqual(got, []);
});

// ---- createAgent

/** An agent of createAgent whose model makes these calls in turn, then says "ok". */
function createdAgent(turns, { approval, repair = repairBySchema, middleware = [], ...options }) {
  const [got, asked] = [[], []];
  const toolOf = (name, more) =>
    tool(
      (input) => {
        got.push([name, input]);
        return "done";
      },
      {
        name,
        description: "Does it.",
        schema: object({ amount: { type: "number" } }, { required: ["amount"] }),
        ...more,
      },
    );
  const responses = turns.map((calls) => ({
    tool_calls: calls.map(([name, args], at) => ({ name, args, id: `${name}${at}` })),
  }));
  const agent = createAgent({
    model: new ScriptedModel({ responses: [...responses, "ok"] }),
    tools: [toolOf("pay", approval && { approval }), toolOf("note")],
    checkpointer: new MemorySaver(),
    repair: (failed) => {
      asked.push(failed.call.name);
      return repair(failed);
    },
    middleware,
    ...options,
  });
  const resume = (answer) => agent.invoke(new Command({ resume: answer }), CONFIG);
  return { start: () => agent.invoke({ messages: "go" }, CONFIG), resume, got, asked };
}

const valuesOf = ({ __interrupt__: asked = [] }) => asked.map(({ value }) => value);
const FROM_TEXT = [{ path: "/amount", change: "text to number", from: "12" }];
const toolAnswers = ({ messages }) => messages.filter((message) => message.getType() === "tool");

for (const version of ["v1", "v2"]) {
  test(`createAgent ${version}: a call is repaired, and its answer tells it`, async () => {
    const { start, got } = createdAgent([[["note", { amount: "12" }]]], { version });
    const [answer] = toolAnswers(await start());
    assert.deepEqual(got, [["note", { amount: 12 }]]);
    assert.deepEqual(answer.additional_kwargs.repaired, FROM_TEXT);
  });

  test(`createAgent ${version}: an approval shows the call as repaired, and what was shown runs`, async () => {
    const agent = createdAgent([[["pay", { amount: "12" }]]], { version, approval: "ask" });
    const [value] = valuesOf(await agent.start());
    assert.deepEqual(value.action_requests[0].args, { amount: 12 });
    assert.deepEqual(value.repaired, FROM_TEXT);
    assert.match(value.description, /repaired \(text to number\)/);
    assert.deepEqual(agent.got, []);
    const done = await agent.resume({ decisions: [{ type: "approve", digest: value.digest }] });
    assert.deepEqual(agent.got, [["pay", { amount: 12 }]]);
    assert.deepEqual(toolAnswers(done)[0].additional_kwargs.repaired, FROM_TEXT);
  });

  test(`createAgent ${version}: a repair that differs when the run goes on is asked about anew`, async () => {
    let amount = 0;
    const repair = () => ({ args: { amount: Math.min(++amount, 2) } });
    const agent = createdAgent([[["pay", { amount: "?" }]]], { version, approval: "ask", repair });
    const [first] = valuesOf(await agent.start());
    assert.deepEqual(first.action_requests[0].args, { amount: 1 });
    const [second] = valuesOf(await agent.resume({ decisions: [{ type: "approve" }] }));
    assert.deepEqual(second.action_requests[0].args, { amount: 2 });
    assert.match(second.problem, /Nobody was asked about this call as it is now/);
    assert.deepEqual(agent.got, []);
    await agent.resume({ decisions: [{ type: "approve", digest: second.digest }] });
    assert.deepEqual(agent.got, [["pay", { amount: 2 }]]);
  });

  test(`humanInTheLoopMiddleware ${version}: a call that does not fit goes back to the model; the next one is asked about and not repaired`, async () => {
    const agent = createdAgent([[["pay", { amount: "12" }]], [["pay", { amount: 12 }]]], {
      version,
      middleware: [humanInTheLoopMiddleware({ interruptOn: { pay: true } })],
    });
    const waiting = await agent.start();
    const [refused] = toolAnswers(waiting);
    assert.equal(refused.status, "error");
    assert.match(refused.content, /expected number/);
    const [value] = valuesOf(waiting);
    assert.deepEqual([value.actionRequests[0].args, value.repaired], [{ amount: 12 }, undefined]);
    const done = await agent.resume({ decisions: [{ type: "approve" }] });
    assert.deepEqual([agent.got, agent.asked], [[["pay", { amount: 12 }]], []]);
    assert.equal(toolAnswers(done).at(-1).additional_kwargs.repaired, undefined);
  });

  test(`humanInTheLoopMiddleware ${version}: beside an approved call another one is repaired, and the approved one is not`, async () => {
    const calls = [
      ["pay", { amount: 1 }],
      ["note", { amount: "12" }],
    ];
    const agent = createdAgent([calls], {
      version,
      middleware: [humanInTheLoopMiddleware({ interruptOn: { pay: true } })],
    });
    const [value] = valuesOf(await agent.start());
    assert.deepEqual(
      value.actionRequests.map(({ name }) => name),
      ["pay"],
    );
    assert.deepEqual([agent.got, agent.asked], [[], []]);
    const done = await agent.resume({ decisions: [{ type: "approve" }] });
    assert.deepEqual(agent.got.sort(), [
      ["note", { amount: 12 }],
      ["pay", { amount: 1 }],
    ]);
    assert.deepEqual(agent.asked, ["note"]);
    assert.deepEqual(
      toolAnswers(done).map(({ additional_kwargs: { repaired } }) => repaired),
      [undefined, FROM_TEXT],
    );
  });

  test(`humanInTheLoopMiddleware ${version}: a person's edit that does not fit is asked about again, not repaired`, async () => {
    const agent = createdAgent([[["pay", { amount: 1 }]]], {
      version,
      middleware: [humanInTheLoopMiddleware({ interruptOn: { pay: true } })],
    });
    await agent.start();
    const editedAction = { name: "pay", args: { amount: "99" } };
    const [again] = valuesOf(await agent.resume({ decisions: [{ type: "edit", editedAction }] }));
    assert.match(again.problem, /number/);
    assert.deepEqual([agent.got, agent.asked], [[], []]);
    editedAction.args.amount = 99;
    const edit = { type: "edit", editedAction };
    const [shown] = valuesOf(await agent.resume({ decisions: [edit] }));
    assert.equal(shown, undefined);
    assert.deepEqual([agent.got, agent.asked], [[["pay", { amount: 99 }]], []]);
  });
}

test("an option that is no function is refused with the name of the one that the package has", () => {
  assert.throws(() => new ToolNode([], { repair: true }), {
    code: "BAD_ARGUMENT",
    message: /repairBySchema of weftgraph\/tools/,
  });
});
