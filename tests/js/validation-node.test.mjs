// SPDX-License-Identifier: MIT
// ValidationNode, from the documentation of LangGraph Python's: what schemas it takes, valid
// content with defaults, texts from which a model can repair its call, formatError, list and state
// input, raw JSON arguments; it runs no tool.
import { test } from "node:test";
import assert from "node:assert/strict";
import { z } from "zod";
import { END, MessagesAnnotation, START, StateGraph } from "weftgraph";
import { AIMessage, HumanMessage, ToolMessage } from "weftgraph/messages";
import { ValidationNode } from "weftgraph/prebuilt";
import { tool } from "weftgraph/tools";

const END_TEXT = "\n\nRespond after fixing all validation errors.";
const MISMATCH = "Received tool input did not match expected schema\n\n";
const pay = {
  type: "object",
  properties: {
    amount: { type: "number", minimum: 1 },
    currency: { enum: ["EUR", "USD"], default: "EUR" },
    to: { type: "object", properties: { iban: { type: "string", pattern: "^[A-Z]{2}" } } },
  },
  required: ["amount"],
  additionalProperties: false,
};
let runs = 0;
const payTool = tool(() => String(++runs), { name: "pay", schema: pay });
const call = (args, name = "pay", id = "1") => ({ name, args, id });
const ai = (...tool_calls) => new AIMessage({ content: "", tool_calls });
const answer = async (node, ...calls) =>
  (await node.invoke([ai(...calls)])).map(
    ({ content, status, additional_kwargs, name, tool_call_id }) => [
      content,
      status,
      additional_kwargs.is_error,
      name,
      tool_call_id,
    ],
  );

test("tools, functions, schemas with a title and schemas by name", async () => {
  const described = Object.assign(function check() {}, {
    schema: z.object({ n: z.number().default(7) }),
  });
  const called = Object.assign(() => String(++runs), { toolName: "called", schema: pay });
  const node = new ValidationNode([
    payTool,
    described,
    called,
    { ...pay, title: "titled" },
    { name: "named", schema: pay },
  ]);
  const calls = [
    call({ amount: 2 }),
    call({}, "check", "2"),
    call({ amount: 3 }, "titled", "3"),
    call({ amount: 4 }, "named", "4"),
    call({ amount: 5 }, "called", "5"),
  ];
  assert.deepEqual(await answer(node, ...calls), [
    ['{"amount":2,"currency":"EUR"}', undefined, undefined, "pay", "1"],
    ['{"n":7}', undefined, undefined, "check", "2"],
    ['{"amount":3,"currency":"EUR"}', undefined, undefined, "titled", "3"],
    ['{"amount":4,"currency":"EUR"}', undefined, undefined, "named", "4"],
    ['{"amount":5,"currency":"EUR"}', undefined, undefined, "called", "5"],
  ]);
  assert.deepEqual(await answer(new ValidationNode({ pay }), calls[0]), [
    ['{"amount":2,"currency":"EUR"}', undefined, undefined, "pay", "1"],
  ]);
  assert.equal(runs, 0);
  for (const wrong of [{ type: "object" }, 5, () => 1, null])
    assert.throws(() => new ValidationNode([wrong]), { code: "BAD_ARGUMENT" });
});

test("the dialect of a JSON Schema decides what its keywords mean", async () => {
  const lists = {
    type: "object",
    properties: { l: { items: [{ type: "string" }], additionalItems: false } },
  };
  const statusOf = async ($schema) =>
    (await answer(new ValidationNode({ pay: { $schema, ...lists } }), call({ l: ["a", 1] })))[0][1];
  assert.equal(await statusOf("http://json-schema.org/draft-07/schema#"), "error");
  assert.equal(await statusOf("https://json-schema.org/draft/2020-12/schema"), undefined);
  assert.equal(await statusOf("https://example.com/own"), undefined);
});

test("a schema that cannot be used is named when the node first checks", async () => {
  await assert.rejects(new ValidationNode({ pay: { type: "strin" } }).invoke([ai(call({}))]), {
    code: "BAD_SCHEMA",
  });
});

test("default texts name path, expectation and finding, and ask for a repair", async () => {
  const node = new ValidationNode([payTool]);
  const wrong = { amount: 0, currency: "GBP", to: { iban: "12" }, note: "x" };
  assert.deepEqual(await answer(node, call(wrong)), [
    [
      `${MISMATCH}✖ /amount: expected at least 1, found number 0\n✖ /currency: expected one of "EUR" or "USD", found string "GBP"\n` +
        `✖ /to/iban: expected text that matches the pattern "^[A-Z]{2}", found string "12"\n` +
        `✖ (root): expected only the properties "amount", "currency" and "to", found "note"${END_TEXT}`,
      "error",
      true,
      "pay",
      "1",
    ],
  ]);
  assert.deepEqual(
    (await answer(node, call({})))[0][0],
    `${MISMATCH}✖ (root): expected the property "amount", found none${END_TEXT}`,
  );
});

test("arguments as the model's own JSON text", async () => {
  const node = new ValidationNode([payTool]);
  const text = async (args) => (await answer(node, call(args)))[0][0];
  assert.equal(await text('{"amount": 1.50, "to": {}}'), '{"amount":1.5,"to":{},"currency":"EUR"}');
  assert.equal(
    await text('{"amount": "1"}'),
    `${MISMATCH}✖ /amount: expected number, found string "1"${END_TEXT}`,
  );
  assert.equal(
    await text('{"amount": 1'),
    `Tool arguments are not valid JSON at byte 12: the text ends too early.${END_TEXT}`,
  );
  assert.equal(
    await text('{"amount": 1, "amount": 2}'),
    `Tool arguments hold a key that is not allowed at byte 14: it occurs twice.${END_TEXT}`,
  );
  assert.equal(await text("[]"), `${MISMATCH}✖ expected an object, found an array${END_TEXT}`);
  const message = new AIMessage({
    content: "",
    tool_calls: [call({ amount: 1 })],
    invalid_tool_calls: [{ name: "pay", args: '{"amount"', id: "2", error: "x" }],
  });
  const answers = await node.invoke([message]);
  assert.deepEqual(
    answers.map(({ tool_call_id, status }) => [tool_call_id, status]),
    [
      ["1", undefined],
      ["2", "error"],
    ],
  );
});

test("formatError gets the error, the call and the schema", async () => {
  const seen = [];
  const schema = z.object({ n: z.number() });
  const formatError = async (error, wrong, given) =>
    `${seen.push([error.name, wrong, given])}: ${error.message.split("\n").at(-1)}`;
  const node = new ValidationNode([payTool, { name: "zod", schema }], { formatError });
  const calls = [call({}), call({ n: "x" }, "zod", "2"), call({}, "nobody", "3")];
  const told = await answer(node, ...calls);
  assert.deepEqual(
    told.map(([, status, isError]) => [status, isError]),
    [
      ["error", true],
      ["error", true],
      ["error", true],
    ],
  );
  const texts = told.map(([content]) => content.replace(/^\d: /, ""));
  assert.deepEqual(
    [texts[0], texts[2]],
    ['✖ (root): expected the property "amount", found none', 'Tool "nobody" not found.'],
  );
  assert.match(told[1][0], /at n$/);
  const given = new Map(seen.map(([, wrong, schemaOfCall]) => [wrong, schemaOfCall]));
  assert.deepEqual(
    calls.map((wrong) => given.get([...given.keys()].find(({ id }) => id === wrong.id))),
    [pay, schema, undefined],
  );
});

test("every call of the message at once, answered in the order of the calls", async () => {
  let running = 0;
  let most = 0;
  const formatError = async (error, { id }) => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, 10 - Number(id)));
    running--;
    return `no ${id}`;
  };
  const told = await answer(
    new ValidationNode([payTool], { formatError }),
    ...[0, 1, 0, 0].map((amount, id) => call({ amount }, "pay", `${id}`)),
  );
  assert.deepEqual(
    told.map(([content, status, , , id]) => [id, status ?? content]),
    [
      ["0", "error"],
      ["1", '{"amount":1,"currency":"EUR"}'],
      ["2", "error"],
      ["3", "error"],
    ],
  );
  assert.deepEqual([most, told[3][0]], [3, "no 3"]);
});

test("list or state, another key, name and tags, batch", async () => {
  const node = new ValidationNode([payTool], { messagesKey: "talk", name: "check", tags: ["a"] });
  assert.deepEqual(
    [node.getName(), node.name, node.tags, new ValidationNode([payTool]).name],
    ["check", "check", ["a"], "validation"],
  );
  const { talk } = await node.invoke({
    talk: [new HumanMessage("x"), ai(call({ amount: 2 }))],
    other: 1,
  });
  assert.ok(ToolMessage.isInstance?.(talk[0]) ?? talk[0] instanceof ToolMessage);
  assert.deepEqual(await node.invoke([new AIMessage("nothing to check")]), []);
  const [first, second] = await node.batch([[ai(call({ amount: 2 }))], [ai(call({}))]]);
  assert.deepEqual([first[0].status, second[0].status], [undefined, "error"]);
  await assert.rejects(node.invoke({ talk: [] }), { message: "No message found in input" });
  await assert.rejects(node.invoke({}), { message: "No message found in input" });
  await assert.rejects(node.invoke({ talk: [new HumanMessage("x")] }), {
    message: "Last message is not an AIMessage",
  });
});

test("a model repairs its call from the node's answer, in a graph", async () => {
  const attempts = [{ amount: "5" }, { amount: 5 }];
  const heard = [];
  const app = new StateGraph(MessagesAnnotation)
    .addNode("model", ({ messages }) => {
      heard.push(messages.at(-1).content);
      return { messages: [ai(call(attempts.shift(), "pay", `c${attempts.length}`))] };
    })
    .addNode("validation", new ValidationNode([payTool]))
    .addEdge(START, "model")
    .addEdge("model", "validation")
    .addConditionalEdges("validation", ({ messages }) =>
      messages.at(-1).additional_kwargs.is_error ? "model" : END,
    )
    .compile();
  const { messages } = await app.invoke({ messages: [new HumanMessage("pay 5")] });
  assert.deepEqual(heard, [
    "pay 5",
    `${MISMATCH}✖ /amount: expected number, found string "5"${END_TEXT}`,
  ]);
  assert.equal(messages.at(-1).content, '{"amount":5,"currency":"EUR"}');
  assert.equal(runs, 0);
});
