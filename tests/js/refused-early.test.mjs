// SPDX-License-Identifier: MIT
// Serves: R12: what cannot work is refused, by name and with what is allowed, where it is given and
// not in the middle of a run.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Annotation, MemorySaver, START, StateGraph, entrypoint, task, tool } from "weftgraph";
import { ScriptedModel } from "weftgraph/models/scripted";
import { ToolNode, createReactAgent } from "weftgraph/prebuilt";
import { createServer } from "weftgraph/server";
import { SaverStore } from "weftgraph/stores/saver";

const State = Annotation.Root({ n: Annotation() });
const graph = () => new StateGraph(State).addNode("a", () => ({ n: 1 })).addEdge(START, "a");
const THREAD = { configurable: { thread_id: "1" } };
const model = () => new ScriptedModel({ responses: ["hi"], loop: true });

test("a tool's bad JSON Schema is refused by the tool's name where the tool, the node or the agent is made", () => {
  const bad = {
    "x/type: an unknown type": { type: "objct" },
    "x/properties/a/items/anyOf/1/type: an unknown type": {
      type: "object",
      properties: {
        a: { type: "array", items: { anyOf: [{ type: "string" }, { type: ["null", 5] }] } },
      },
    },
    "x/properties/a: a schema is an object or a boolean": {
      type: "object",
      properties: { a: "string" },
    },
    "x: a schema is an object": "string",
  };
  for (const [text, schema] of Object.entries(bad)) {
    const refused = { code: "BAD_SCHEMA", message: `The schema is not usable at ${text}.` };
    const shaped = { name: "x", schema, invoke: async () => 1 };
    assert.throws(() => tool(() => 1, { name: "x", schema }), refused);
    assert.throws(() => new ToolNode([shaped]), refused);
    assert.throws(() => createReactAgent({ llm: model(), tools: [shaped] }), refused);
  }
  let deep = { type: "string" };
  for (let i = 0; i < 100_000; i++) deep = { type: "array", items: deep };
  assert.throws(() => tool(() => 1, { name: "x", schema: deep }), {
    code: "BAD_SCHEMA",
    message: /nested deeper than 128 levels/,
  });
  for (const schema of [5, true, []])
    assert.throws(() => tool(() => 1, { name: "x", schema }), {
      code: "BAD_SCHEMA",
      message: /at x: /,
    });
});

test("schemas with parts that nobody compiles yet, with references and in a ring are taken where the tool is made", () => {
  const ring = { type: "object", properties: {} };
  ring.properties.again = ring;
  for (const schema of [
    ring,
    {},
    { $ref: "#/$defs/a", $defs: { a: { type: "object" } } },
    { type: "object", properties: { type: { enum: ["objct"] } }, default: { type: "objct" } },
  ]) {
    assert.equal(tool(() => 1, { name: "x", schema }).name, "x");
  }
});

test("a checkpointer that is none is refused where it is given, by what is expected", async () => {
  const refused = {
    code: "BAD_ARGUMENT",
    message: /checkpointer must be a checkpointer, as new MemorySaver\(\), or a boolean/,
  };
  for (const none of [
    "memory",
    {},
    MemorySaver,
    5,
    Symbol("s"),
    [],
    { getTuple() {} },
    new Map(),
  ]) {
    assert.throws(() => graph().compile({ checkpointer: none }), refused);
    assert.throws(() => entrypoint({ name: "e", checkpointer: none }, () => 1), refused);
    assert.throws(() => createReactAgent({ llm: model(), tools: [], checkpointer: none }), refused);
    await assert.rejects(
      graph()
        .compile()
        .invoke({ n: 0 }, { ...THREAD, checkpointer: none }),
      refused,
    );
  }
  for (const none of [undefined, null, false])
    assert.deepEqual(await graph().compile({ checkpointer: none }).invoke({ n: 0 }), { n: 1 });
  const app = graph().compile();
  app.checkpointer = {};
  await assert.rejects(app.invoke({ n: 0 }, THREAD), {
    code: "BAD_ARGUMENT",
    message: /checkpointer must be a checkpointer/,
  });
});

/** @param {any} condition @param {any} [ends] */
const routed = (condition, ends) =>
  new StateGraph(State)
    .addNode("a", () => ({ n: 1 }))
    .addNode("b", () => ({ n: 2 }))
    .addEdge(START, "a")
    .addConditionalEdges("a", condition, ends)
    .compile();

test("a stream mode, a durability and a recursion limit that are none are refused by value, with those that are", async () => {
  const app = graph().compile({ checkpointer: new MemorySaver() });
  const wrong = [
    [
      { streamMode: "valuez" },
      /streamMode must be values, updates, messages, custom, tasks, checkpoints, debug, tools, not "valuez"/,
    ],
    [{ streamMode: ["values", 5] }, /streamMode must be .*, not 5/],
    [{ durability: "never" }, /config\.durability must be "async", "sync" or "exit", not "never"/],
    [{ durability: true }, /config\.durability must be .*, not true/],
    [{ recursionLimit: NaN }, /config\.recursionLimit must be a number, not NaN/],
    [{ recursionLimit: "many" }, /config\.recursionLimit must be a number, not "many"/],
  ];
  for (const [config, message] of wrong) {
    await assert.rejects(app.invoke({ n: 0 }, { ...THREAD, ...config }), {
      code: "BAD_ARGUMENT",
      message,
    });
    await assert.rejects(async () => app.stream({ n: 0 }, { ...THREAD, ...config }), {
      code: "BAD_ARGUMENT",
      message,
    });
  }
  assert.deepEqual((await app.getState(THREAD)).values, {});
  assert.deepEqual(
    await app.invoke(
      { n: 0 },
      { ...THREAD, recursionLimit: Infinity, durability: "exit", streamMode: "values" },
    ),
    { n: 1 },
  );
});

test("a condition that returns what is no node fails its node, with the value and the nodes that there are", async () => {
  const named = {
    '"nobody"': "nobody",
    5: 5,
    true: true,
    "an object": {},
    '"__start__"': START,
    "a function": () => "b",
  };
  for (const [text, value] of Object.entries(named)) {
    const refused = {
      code: "BAD_ARGUMENT",
      message: `Bad argument: a condition of node "a" returned ${text}, not "a", "b" or END.`,
    };
    for (const condition of [() => value, async () => value, () => ["b", value]])
      await assert.rejects(routed(condition).invoke({ n: 0 }), refused);
  }
  const first = new StateGraph(State)
    .addNode("a", () => ({ n: 1 }))
    .addConditionalEdges(START, () => "nobody")
    .compile();
  await assert.rejects(first.invoke({ n: 0 }), {
    code: "BAD_ARGUMENT",
    message: /a condition of node "__start__" returned "nobody"/,
  });
  assert.deepEqual(await routed(() => "b").invoke({ n: 0 }), { n: 2 });
  assert.deepEqual(await routed(() => []).invoke({ n: 0 }), { n: 1 });
});

test("an asynchronous reducer fails the step by the name of its key, and the thread stays as it was", async () => {
  const Sum = Annotation.Root({
    n: Annotation({ reducer: async (left, right) => left + right, default: () => 0 }),
  });
  const app = new StateGraph(Sum)
    .addNode("a", () => ({ n: 1 }))
    .addEdge(START, "a")
    .compile({ checkpointer: new MemorySaver() });
  await assert.rejects(app.invoke({ n: 1 }, THREAD), {
    code: "BAD_ARGUMENT",
    message: /the reducer of "n" returned a promise/,
  });
  assert.deepEqual((await app.getState(THREAD)).values, { n: 0 });
});

test("options that go by another name are refused with the right one", () => {
  const agent = (more) => () => createReactAgent({ llm: model(), tools: [], ...more });
  const condition = () => "a";
  const cases = [
    [
      () => new StateGraph(State, { configSchema: State }),
      /new StateGraph has no option configSchema: use context/,
    ],
    [() => new StateGraph({ state: State, configSchema: State }), /configSchema: use context/],
    [
      () => graph().compile({ configSchema: State }),
      /compile has no option configSchema: use context of new StateGraph/,
    ],
    [
      () => graph().addConditionalEdges({ source: "a", path: condition, then: "a" }),
      /addConditionalEdges has no option then: use addEdge from each target/,
    ],
    [
      () => graph().addConditionalEdges("a", condition, undefined, "a"),
      /addConditionalEdges has no option then/,
    ],
    [
      () => graph().compile({ interrupt_before: ["a"] }),
      /compile has no option interrupt_before: use interruptBefore/,
    ],
    [
      () => graph().compile({ checkpointSaver: new MemorySaver() }),
      /compile has no option checkpointSaver: use checkpointer/,
    ],
    [agent({ version: "v3" }), /params\.version must be "v1" or "v2", not "v3"/],
    [agent({ model: model() }), /no option model: use llm/],
    [agent({ configSchema: State }), /configSchema: use contextSchema/],
    [agent({ tools: undefined }), /params\.tools must be a list of tools or a ToolNode/],
    [() => createReactAgent(), /params must be an object/],
  ];
  for (const [call, message] of cases)
    assert.throws(call, { code: "BAD_ARGUMENT", message }, String(call));
  for (const version of [undefined, null, "v1", "v2"])
    assert.equal(typeof agent({ version })().invoke, "function");
});

test("a misspelt option is refused: no tool runs unasked, no server lets everybody in", () => {
  const fields = { name: "pay", schema: { type: "object" } };
  const pay = tool(() => "paid", fields);
  const cases = {
    'tool(fn, fields) has no option "aproval"': () =>
      tool(() => "paid", { ...fields, aproval: "ask" }),
    'tool(fn, fields) has no option "inputSchema"': () =>
      tool(() => "paid", { name: "pay", inputSchema: fields.schema }),
    'new ToolNode has no option "policy"': () => new ToolNode([pay], { policy: "ask" }),
    'createReactAgent has no option "interruptOn"': () =>
      createReactAgent({ llm: model(), tools: [pay], interruptOn: { pay: true } }),
    'task(options, func) has no option "retryPolicy": it has name, retry,': () =>
      task({ name: "pay", retryPolicy: { maxAttempts: 3 } }, async () => "paid"),
    'entrypoint(options, func) has no option "checkpointSaver"': () =>
      entrypoint({ name: "pay", checkpointSaver: new MemorySaver() }, async () => "paid"),
    'new SaverStore(saver, options) has no option "ttl"': () =>
      new SaverStore(new MemorySaver(), { ttl: { defaultTtl: 1 } }),
    "createServer has no option authentication": () =>
      createServer({ graphs: { a: graph().compile() }, authentication: () => "anna" }),
  };
  for (const [message, call] of Object.entries(cases))
    assert.throws(call, (error) => {
      assert.equal(error.code, "BAD_ARGUMENT");
      assert.ok(error.message.includes(message), error.message);
      return true;
    });
  assert.equal(tool(() => "paid", { ...pay, approval: "ask" }).approval, "ask");
});

test("a tool that asks for approval by another library's name does not run unasked", async () => {
  for (const name of ["needsApproval", "requiresApproval", "requireApproval"]) {
    let paid = 0;
    const pay = { name: "pay", invoke: async () => paid++, lc_kwargs: { [name]: true } };
    const llm = new ScriptedModel({
      responses: [{ tool_calls: [{ id: "1", name: "pay", args: {} }] }, "ok"],
    });
    const run = async () => createReactAgent({ llm, tools: [pay] }).invoke({ messages: "pay" });
    await assert.rejects(run, { code: "APPROVAL", message: new RegExp(`"pay".*${name}`) });
    assert.equal(paid, 0);
  }
});

test("approval of createReactAgent is the policy of tools without one, and not for a ToolNode", async () => {
  const pay = tool(() => "paid", { name: "pay", schema: { type: "object" } });
  const look = tool(() => "seen", { name: "look", schema: { type: "object" }, approval: "auto" });
  const llm = new ScriptedModel({
    responses: [
      { tool_calls: [{ id: "1", name: "look", args: {} }] },
      { tool_calls: [{ id: "2", name: "pay", args: {} }] },
    ],
  });
  const made = { llm, checkpointer: new MemorySaver(), approval: "ask" };
  const { __interrupt__, messages } = await createReactAgent({
    ...made,
    tools: [pay, look],
  }).invoke({ messages: "pay" }, THREAD);
  assert.deepEqual(
    __interrupt__.map(({ value }) => value.action_request.action),
    ["pay"],
  );
  assert.equal(messages.at(-2).content, "seen");
  assert.throws(() => createReactAgent({ ...made, tools: new ToolNode([pay]) }), {
    code: "BAD_ARGUMENT",
    message: /a ToolNode has its own/,
  });
});
