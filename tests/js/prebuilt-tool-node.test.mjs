// SPDX-License-Identifier: MIT
// ToolNode and ValidationNode: docs/malformed-output.md "Tool calls" (each row's outcome),
// docs/semantics.md 19 (texts, pass-through, PARENT merge), defaults filled, patterns with
// lookaround, ids repaired in the conversation.
// Own process: breaks the engine, so that the next call gets a new one.
import { test } from "node:test";
import assert from "node:assert/strict";
import { z } from "zod";
import {
  AIMessage,
  Annotation,
  Command,
  END,
  HumanMessage,
  MessagesAnnotation,
  Send,
  StateGraph,
  ToolMessage,
  interrupt,
  tool,
} from "weftgraph";
import { ToolNode, ValidationNode, toolsCondition } from "weftgraph/prebuilt";
import { getEngine } from "../../js/engine/instance.js";

const runs = [];
const schema = {
  type: "object",
  properties: { a: { type: "number" }, b: { type: "number", default: 2 } },
  required: ["a"],
};
const add = tool(({ a, b }) => (runs.push([a, b]), a + b), { name: "add", schema });
const zadd = tool(({ a, b }) => a + b, {
  name: "zadd",
  schema: z.object({ a: z.number(), b: z.number().default(5) }),
});
const boom = tool(
  () => {
    throw new Error("kaput");
  },
  { name: "boom", schema: { type: "object" } },
);
const look = tool(({ w }) => w, {
  name: "look",
  schema: { type: "object", properties: { w: { type: "string", pattern: "^(?=x)" } } },
});
const direct = tool(
  (_, config) => new ToolMessage({ content: "mine", tool_call_id: config.toolCallId }),
  { name: "direct", schema: { type: "object" } },
);
const tools = [add, zadd, boom, look, direct];
const node = new ToolNode(tools);
const call = (name, args = {}, id = "1") => ({ name, args, id, type: "tool_call" });
const ai = (...calls) => new AIMessage({ content: "", id: "m", tool_calls: calls });
const answers = async (calls, from = node) =>
  (await from.invoke([ai(...calls)])).map((m) => [m.status, m.content, m.tool_call_id]);
const FIX = "\n Please fix your mistakes.";
const MISMATCH = "Error: Received tool input did not match expected schema\n\n✖ ";
const failed = (text, id = "1") => [["error", text + FIX, id]];

test("good calls run, with defaults, in canonical form", async () => {
  runs.length = 0;
  assert.deepEqual(await answers([call("add", { a: 1 })]), [["success", "3", "1"]]);
  assert.deepEqual(await answers([call("add", '{ "b": 1e0, "a": 2 }')]), [["success", "3", "1"]]);
  assert.deepEqual(runs, [
    [1, 2],
    [2, 1],
  ]);
  assert.deepEqual(await answers([call("zadd", { a: 1 })]), [["success", "6", "1"]]);
});

const malformed = {
  "unknown tool": [call("nope"), failed('Error: Tool "nope" not found.')],
  "homoglyph of a tool's name": [call("аdd", { a: 1 }), failed('Error: Tool "аdd" not found.')],
  "no name": [call(undefined), failed('Error: Tool "" not found.')],
  "arguments that are a list": [
    call("add", [1]),
    failed(`${MISMATCH}expected an object, found an array`),
  ],
  "arguments that are null": [
    call("add", null),
    failed(`${MISMATCH}expected an object, found null`),
  ],
  "no arguments": [
    { name: "add", id: "1", type: "tool_call" },
    failed(`${MISMATCH}expected an object, found null`),
  ],
  "a text of JSON that is no object": [
    call("add", '"{}"'),
    failed(`${MISMATCH}expected an object, found a string`),
  ],
  "a wrong type": [
    call("add", { a: "x" }),
    failed(`${MISMATCH}/a: expected number, found string "x"`),
  ],
  "a wrong type for zod": [
    call("zadd", { a: "x" }),
    failed(`${MISMATCH}Invalid input: expected number, received string\n  → at a`),
  ],
  "a missing property": [
    call("add", {}),
    failed(`${MISMATCH}(root): expected the property "a", found none`),
  ],
  "a number that is not finite": [
    call("add", '{"a":1e400}'),
    failed("Error: Tool arguments hold a number that is not finite at byte 5."),
  ],
  "Infinity, which JSON would make null": [
    call("boom", { a: [{ b: -Infinity }] }),
    failed("Error: Tool arguments are not valid JSON: they cannot be written as text."),
  ],
  "NaN beside a null": [
    call("boom", { a: null, b: NaN }),
    failed("Error: Tool arguments are not valid JSON: they cannot be written as text."),
  ],
  "__proto__ as a key": [
    call("add", '{"__proto__":{"a":1}}'),
    failed(`${MISMATCH}(root): expected the property "a", found none`),
  ],
};
for (const [name, [bad, expected]] of Object.entries(malformed)) {
  test(`malformed: ${name}`, async () => {
    runs.length = 0;
    assert.deepEqual(await answers([bad]), expected);
    assert.deepEqual(runs, []);
  });
}

test("malformed: truncated JSON, duplicate keys, too deep, too large, cyclic", async () => {
  const cyclic = {};
  cyclic.a = cyclic;
  const deep = "[".repeat(5000);
  const rows = [
    ['{"a":1', /^Error: Tool arguments are not valid JSON at byte 6/],
    ['{"a":1,"a":2}', /key that is not allowed at byte 7/],
    [`{"a":${deep}`, /^Error: Tool arguments are nested deeper than 128 levels\./],
    [{ a: "x".repeat(10_000_000) }, /^Error: Tool arguments are larger than 2097152 bytes\./],
    [{ a: new Array(100_001).fill(0) }, /^Error: Tool arguments hold more than 100000 values\./],
    [cyclic, /^Error: Tool arguments are not valid JSON: they cannot be written as text\./],
    [{ a: 1n }, /cannot be written as text/],
  ];
  for (const [args, pattern] of rows) {
    const [[status, text]] = await answers([call("add", args)]);
    assert.equal(status, "error");
    assert.match(text, pattern);
    assert.ok(text.length < 300);
  }
});

test("malformed: calls that could not be parsed at all are answered", async () => {
  const message = new AIMessage({
    content: "",
    id: "m",
    tool_calls: [call("add", { a: 1 }, "1")],
    invalid_tool_calls: [
      { name: "add", args: '{"a":', id: "2", error: "cut", type: "invalid_tool_call" },
    ],
  });
  assert.equal(
    toolsCondition([
      new AIMessage({ content: "", invalid_tool_calls: message.invalid_tool_calls }),
    ]),
    "tools",
  );
  const [good, bad] = await node.invoke([message]);
  assert.equal(good.content, "3");
  assert.equal(bad.tool_call_id, "2");
  assert.match(
    bad.content,
    /^Error: Tool arguments are not valid JSON at byte 5.*\n Please fix your mistakes\.$/,
  );
});

test("malformed: ids that are missing, empty or there twice", async () => {
  runs.length = 0;
  const message = ai(
    call("add", { a: 1 }, "x"),
    call("add", { a: 2 }, "x"),
    { name: "add", args: { a: 3 } },
    call("add", { a: 4 }, ""),
  );
  const { messages } = await node.invoke({ messages: [message] });
  const [repaired, first, twice, none, empty] = messages;
  assert.deepEqual(runs, [[1, 2]]);
  assert.equal(first.content, "3");
  assert.equal(
    twice.content,
    `Error: The id "x" belongs to an earlier tool call of the same message.${FIX}`,
  );
  assert.equal(none.content, `Error: The tool call has no id.${FIX}`);
  assert.equal(empty.content, none.content);
  assert.equal(repaired.id, "m");
  assert.deepEqual(
    repaired.tool_calls.map((c) => c.id),
    [first, twice, none, empty].map((m) => m.tool_call_id),
  );
  assert.equal(new Set(repaired.tool_calls.map((c) => c.id)).size, 4);
  assert.equal(message.tool_calls[1].id, "x");
  const again = await node.invoke({ messages: [message] });
  assert.deepEqual(
    again.messages.map((m) => m.tool_call_id),
    messages.map((m) => m.tool_call_id),
  );
});

test("malformed: more than a thousand calls", async () => {
  runs.length = 0;
  const list = await answers(
    Array.from({ length: 1500 }, (_, i) => call("add", { a: i }, `c${i}`)),
  );
  assert.equal(runs.length, 1000);
  assert.equal(list.filter(([status]) => status === "error").length, 500);
  assert.equal(list[1000][1], `Error: Only the first 1000 tool calls of a message are run.${FIX}`);
});

test("an id of an earlier message is new again; answered calls are left alone", async () => {
  const old = new ToolMessage({ content: "old", tool_call_id: "1" });
  assert.equal((await node.invoke([old, ai(call("add", { a: 1 }))])).length, 1);
  const list = await node.invoke([
    ai(call("add", { a: 1 }, "1"), call("add", { a: 5 }, "2")),
    new ToolMessage({ content: "x", tool_call_id: "1" }),
    new ToolMessage({ content: "?", tool_call_id: "unknown" }),
  ]);
  assert.deepEqual(
    list.map((m) => m.content),
    ["7"],
  );
});

test("patterns with lookaround, and with properties of letters", async () => {
  assert.deepEqual(
    await answers([call("look", { w: "xy" }, "1"), call("look", { w: "zy" }, "2")]),
    [
      ["success", "xy", "1"],
      [
        "error",
        `${MISMATCH}/w: expected text that matches the pattern "^(?=x)", found string "zy"${FIX}`,
        "2",
      ],
    ],
  );
  const upper = tool(({ w }) => w, {
    name: "upper",
    schema: {
      type: "object",
      properties: { w: { type: "string", pattern: "^\\p{Lu}(?!\\p{Lu})" } },
    },
  });
  const told = await new ToolNode([upper]).invoke([
    ai(call("upper", { w: "Äb" }, "1"), call("upper", { w: "ÄB" }, "2")),
  ]);
  assert.deepEqual(
    told.map(({ status }) => status),
    ["success", "error"],
  );
});

test("errors of tools become messages, or fail the node", async () => {
  assert.deepEqual(await answers([call("boom")]), failed("Error: kaput"));
  const strict = new ToolNode(tools, { handleToolErrors: false });
  await assert.rejects(strict.invoke([ai(call("boom"))]), { message: "kaput" });
  await assert.rejects(strict.invoke([ai(call("nope"))]), { message: 'Tool "nope" not found.' });
  await assert.rejects(strict.invoke([ai(call("add", { a: "x" }))]), {
    name: "ToolInputParsingException",
    message: /^Received tool input did not match expected schema\n\n✖ \/a/,
  });
  await assert.rejects(strict.invoke([ai(call("add", "{"))]), { code: "TOOL_CALL" });
});

test("a function may answer a failure with a message of its own", async () => {
  const own = new ToolNode(tools, {
    handleToolErrors: (error, { id }) =>
      new ToolMessage({ content: `own: ${error.message}`, tool_call_id: id, status: "success" }),
  });
  assert.deepEqual(await answers([call("boom")], own), [["success", "own: kaput", "1"]]);
  assert.deepEqual(await answers([call("nope", {}, "2"), call("boom", {}, "3")], own), [
    ["success", 'own: Tool "nope" not found.', "2"],
    ["success", "own: kaput", "3"],
  ]);
});

test("inputs that are none", async () => {
  const only = { message: "ToolNode only accepts AIMessages as input." };
  const wrong = {
    message: "ToolNode only accepts BaseMessage[] or { messages: BaseMessage[] } as input.",
  };
  await assert.rejects(node.invoke({ messages: [new HumanMessage("hi")] }), only);
  await assert.rejects(node.invoke({ messages: [] }), only);
  await assert.rejects(node.invoke({}), wrong);
  await assert.rejects(node.invoke("x"), wrong);
  await assert.rejects(node.invoke({ messages: [{ role: "assistant", content: "" }] }), wrong);
  assert.throws(() => new ToolNode({}), { code: "BAD_ARGUMENT" });
  assert.throws(() => new ToolNode([{ name: "x" }]), { code: "BAD_ARGUMENT" });
  assert.throws(
    () =>
      tool(() => 1, { name: "odd", schema: { type: "object", properties: { a: { type: 7 } } } }),
    {
      code: "BAD_SCHEMA",
      message: "The schema is not usable at odd/properties/a/type: an unknown type.",
    },
  );
});

test("Commands and messages of tools pass through; Sends to the parent are merged", async () => {
  const update = tool(
    (_, { toolCallId }) =>
      new Command({
        update: {
          messages: [new ToolMessage({ content: "by command", tool_call_id: toolCallId })],
        },
      }),
    { name: "update", schema: { type: "object" } },
  );
  const leave = tool(
    () => new Command({ graph: Command.PARENT, goto: [new Send("x", { v: 1 })] }),
    { name: "leave", schema: { type: "object" } },
  );
  const both = new ToolNode([add, update, leave, direct]);
  assert.deepEqual(
    (await both.invoke([ai(call("direct"))])).map((m) => m.content),
    ["mine"],
  );
  const [message, command, parent] = await both.invoke({
    messages: [
      ai(
        call("leave", {}, "1"),
        call("add", { a: 1 }, "2"),
        call("update", {}, "3"),
        call("leave", {}, "4"),
      ),
    ],
  });
  assert.equal(message.messages[0].content, "3");
  assert.equal(command.update.messages[0].content, "by command");
  assert.equal(parent.graph, Command.PARENT);
  assert.deepEqual(
    parent.goto.map((send) => [send.node, send.args]),
    [
      ["x", { v: 1 }],
      ["x", { v: 1 }],
    ],
  );
});

test("a tool sees its call, the state and the node's config; interrupt() works in it", async () => {
  let seen;
  const spy = tool(
    (_, config) => {
      seen = config;
      return String(config.configurable.user);
    },
    { name: "spy", schema: { type: "object" } },
  );
  const graph = new StateGraph(Annotation.Root({ ...MessagesAnnotation.spec, extra: Annotation() }))
    .addNode("tools", new ToolNode([spy, add]))
    .addEdge("__start__", "tools")
    .compile();
  const { messages } = await graph.invoke(
    { messages: [ai(call("spy"))], extra: 7 },
    { configurable: { user: "u" } },
  );
  assert.equal(messages.at(-1).content, "u");
  assert.equal(seen.toolCallId, "1");
  assert.deepEqual(seen.toolCall, call("spy"));
  assert.equal(seen.state.extra, 7);
  assert.equal(seen.config.metadata.langgraph_node, "tools");
  assert.equal({ ...seen }.metadata.langgraph_node, "tools");
  assert.ok(
    "toolCallId" in seen &&
      Object.keys(seen).includes("state") &&
      Object.keys(seen).includes("configurable"),
  );
  const stop = tool(() => interrupt("?"), { name: "stop", schema: { type: "object" } });
  await assert.rejects(
    new ToolNode([stop], { handleToolErrors: false }).invoke([ai(call("stop"))]),
    /outside the context of a graph/,
  );
});

test("a lost engine is replaced, and the tools are given to the new one", async () => {
  const before = getEngine();
  await answers([call("add", { a: 1 })]);
  before.trap(new Error("lost"));
  assert.deepEqual(
    await answers([call("add", { a: "x" }, "1")]),
    failed(`${MISMATCH}/a: expected number, found string "x"`),
  );
  assert.notEqual(getEngine(), before);
});

test("toolsCondition leads to the tools where the last message calls some", () => {
  assert.equal(toolsCondition({ messages: [ai(call("add"))] }), "tools");
  assert.equal(toolsCondition([new AIMessage("x")]), END);
  assert.equal(toolsCondition([new HumanMessage("x")]), END);
  assert.equal(toolsCondition({ messages: [] }), END);
});

test("ValidationNode answers with the validated content or with what is wrong, and runs nothing", async () => {
  runs.length = 0;
  const validation = new ValidationNode([
    add,
    zadd,
    { title: "named", type: "object", required: ["q"] },
  ]);
  const message = ai(
    call("add", { a: 1 }, "1"),
    call("add", { a: "x" }, "2"),
    call("zadd", { a: 1 }, "3"),
    call("zadd", {}, "4"),
    call("named", {}, "5"),
    call("none", {}, "6"),
  );
  const list = await validation.invoke([message]);
  const END_TEXT = "\n\nRespond after fixing all validation errors.";
  assert.deepEqual(
    list.map((m) => [m.status, m.content]),
    [
      [undefined, '{"a":1,"b":2}'],
      [
        "error",
        `Received tool input did not match expected schema\n\n✖ /a: expected number, found string "x"${END_TEXT}`,
      ],
      [undefined, '{"a":1,"b":5}'],
      [
        "error",
        `Received tool input did not match expected schema\n\n✖ Invalid input: expected number, received undefined\n  → at a${END_TEXT}`,
      ],
      [
        "error",
        `Received tool input did not match expected schema\n\n✖ (root): expected the property "q", found none${END_TEXT}`,
      ],
      ["error", `Tool "none" not found.${END_TEXT}`],
    ],
  );
  assert.deepEqual(
    list.map((m) => m.additional_kwargs.is_error),
    [undefined, true, undefined, true, true, true],
  );
  assert.deepEqual(runs, []);
  const told = new ValidationNode(
    { add: schema },
    {
      formatError: (error, wrong, given) =>
        `${wrong.name}: ${given === schema} ${error.message.split("\n").at(-1)}`,
    },
  );
  assert.equal(
    (await told.invoke({ messages: [ai(call("add", {}))] })).messages[0].content,
    'add: true ✖ (root): expected the property "a", found none',
  );
  await assert.rejects(validation.invoke([]), { message: "No message found in input" });
  await assert.rejects(validation.invoke([new HumanMessage("x")]), {
    message: "Last message is not an AIMessage",
  });
  assert.throws(() => new ValidationNode([{ type: "object" }]), { code: "BAD_ARGUMENT" });
});
