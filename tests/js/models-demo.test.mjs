// SPDX-License-Identifier: MIT
// Serves the demo: the rule-based planner picks tools from words, fills their arguments, makes
// several calls at once, and tells results, errors and rejections. Streams; deterministic.
import { test } from "node:test";
import assert from "node:assert/strict";
import { z } from "zod";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { AIMessage, HumanMessage, ToolMessage } from "weftgraph/messages";
import { DemoModel } from "weftgraph/models/demo";
import { tool } from "weftgraph/tools";

const object = (properties, required = Object.keys(properties)) => ({
  type: "object",
  properties,
  required,
});
const text = { type: "string" };
const make = (name, description, schema) => tool(() => "", { name, description, schema });
const clock = make("clock", "Tells the current time and date", object({ timeZone: text }, []));
const calculator = make(
  "calculator",
  "Evaluates an arithmetic expression",
  object({ expression: text }),
);
const many = [
  calculator,
  clock,
  make("save_note", "Saves a note", object({ text })),
  make("list_notes", "Lists all notes", object({})),
  make("find_notes", "Finds notes that contain a word", object({ query: text })),
  make(
    "place_order",
    "Places an order. Needs approval.",
    object({ item: text, quantity: { type: "integer", minimum: 1 } }),
  ),
  make("get_weather", "Weather of a city", object({ city: text })),
];
const few = [
  calculator,
  clock,
  make(
    "notes",
    "Keeps notes",
    z.object({ action: z.enum(["save", "list", "find"]), text: z.string().optional() }),
  ),
  make(
    "placeOrder",
    "Orders something",
    z.object({
      item: z.string(),
      quantity: z.number().int().optional(),
      address: z.string().optional(),
    }),
  ),
];
const model = (tools) => new DemoModel({ tokenDelayMs: 0 }).bindTools(tools);
const calls = async (tools, words) =>
  (await model(tools).invoke(words)).tool_calls.map(({ name, args }) => [name, args]);

const MANY = [
  [
    "what is 2+3 and what time is it",
    [
      ["calculator", { expression: "2+3" }],
      ["clock", {}],
    ],
  ],
  [
    "what is 12*7, what time is it, and please order 3 teapots",
    [
      ["calculator", { expression: "12*7" }],
      ["clock", {}],
      ["place_order", { item: "teapots", quantity: 3 }],
    ],
  ],
  [
    "remember that Ann knows what to buy, how many and when",
    [["save_note", { text: "Ann knows what to buy, how many and when" }]],
  ],
  ["What is 12 * (3 + 4)?", [["calculator", { expression: "12 * (3 + 4)" }]]],
  ["15% of 80", [["calculator", { expression: "15/100*80" }]]],
  ["what is two plus two", [["calculator", { expression: "2 + 2" }]]],
  ["square root of 16", [["calculator", { expression: "sqrt(16)" }]]],
  [
    "what is 2+3, 4*5 and 10/4?",
    [
      ["calculator", { expression: "2+3" }],
      ["calculator", { expression: "4*5" }],
      ["calculator", { expression: "10/4" }],
    ],
  ],
  ["add 2 and 3", [["calculator", { expression: "2+3" }]]],
  ["order 2 pizzas", [["place_order", { item: "pizzas", quantity: 2 }]]],
  [
    "Please place an order for three large coffees",
    [["place_order", { item: "large coffees", quantity: 3 }]],
  ],
  ["order a pizza to Main Street 5", [["place_order", { item: "pizza", quantity: 1 }]]],
  ["order quantity=4, item=green tea", [["place_order", { item: "green tea", quantity: 4 }]]],
  ["remember that the milk is out", [["save_note", { text: "milk is out" }]]],
  ["save a note: buy milk and eggs", [["save_note", { text: "buy milk and eggs" }]]],
  ["Save a note: buy milk. And call Ann", [["save_note", { text: "buy milk. And call Ann" }]]],
  ["note buy bread", [["save_note", { text: "buy bread" }]]],
  ["what notes do I have?", [["list_notes", {}]]],
  ["find notes about milk", [["find_notes", { query: "milk" }]]],
  ['search my notes for "bread"', [["find_notes", { query: "bread" }]]],
  ["what time is it in UTC?", [["clock", { timeZone: "UTC" }]]],
  ["Time in Europe/Berlin please", [["clock", { timeZone: "Europe/Berlin" }]]],
  ["what is the weather in Paris?", [["get_weather", { city: "Paris" }]]],
  [
    'Order 2 pizzas, then save a note "pizza ordered"',
    [
      ["place_order", { item: "pizzas", quantity: 2 }],
      ["save_note", { text: "pizza ordered" }],
    ],
  ],
  [
    "Note: dentist 2024-05-06. Also list my notes",
    [
      ["save_note", { text: "dentist 2024-05-06" }],
      ["list_notes", {}],
    ],
  ],
];
const FEW = [
  ["remember that the milk is out", [["notes", { action: "save", text: "milk is out" }]]],
  ["list my notes", [["notes", { action: "list" }]]],
  ["what notes do I have?", [["notes", { action: "list" }]]],
  ["find notes about milk", [["notes", { action: "find", text: "milk" }]]],
  [
    "order 2 pizzas to Main Street 5",
    [["placeOrder", { item: "pizzas", quantity: 2, address: "Main Street 5" }]],
  ],
];

test("picks tools and fills arguments from words", async () => {
  for (const [words, expected] of MANY) assert.deepEqual(await calls(many, words), expected, words);
  for (const [words, expected] of FEW) assert.deepEqual(await calls(few, words), expected, words);
});

test("any other tool: by the words of its name, arguments by type", async () => {
  const convert = make(
    "convert_currency",
    "Converts money",
    object(
      {
        amount: { type: "number" },
        from: { type: "string", enum: ["EUR", "USD"] },
        fast: { type: "boolean" },
        memo: { type: "string" },
      },
      ["amount", "from"],
    ),
  );
  assert.deepEqual(await calls([convert], "convert currency: 12.5 eur"), [
    ["convert_currency", { amount: 12.5, from: "EUR" }],
  ]);
  const mail = make(
    "send_mail",
    "Sends a mail",
    object({ recipients: { type: "array", items: text } }),
  );
  assert.deepEqual(await calls([mail], "send mail: ann, bob and eve"), [
    ["send_mail", { recipients: ["ann", "bob", "eve"] }],
  ]);
});

test("what it cannot do, it says", async () => {
  for (const words of [
    "tell me a joke",
    "2024-05-06",
    "delete note 3",
    "how many times did I call?",
    "",
  ]) {
    const answer = await model(many).invoke(words);
    assert.deepEqual(answer.tool_calls, [], words);
    assert.match(
      answer.content,
      /not a language model.*I can use:\n- calculator: Evaluates/s,
      words,
    );
  }
  assert.match((await model(many).invoke("order")).content, /place order I need to know: item/);
  assert.match(
    (await new DemoModel({ tokenDelayMs: 0 }).invoke("hello")).content,
    /^Hello! .*No tools are bound/,
  );
  const both = await model(many).invoke("what is 1+1 and order");
  assert.deepEqual([both.tool_calls.length, /I need to know: item/.test(both.content)], [1, true]);
});

const turn = (words, ...steps) => [
  new HumanMessage("earlier"),
  new AIMessage("before"),
  new HumanMessage(words),
  new AIMessage({
    content: "",
    tool_calls: steps.map(([name, args], at) => ({ name, args, id: `c${at}`, type: "tool_call" })),
  }),
  ...steps.map(
    ([name, , content, status], at) =>
      new ToolMessage({ content, name, tool_call_id: `c${at}`, status }),
  ),
];
const told = async (...steps) => (await model(many).invoke(turn("x", ...steps))).content;

test("the demo model says what came of its calls", async () => {
  assert.equal(
    await told(["calculator", { expression: "2+3" }, "5"], ["clock", {}, "12:30"]),
    "2+3 is 5. It is 12:30.",
  );
  assert.equal(await told(["calculator", { expression: "2+3" }, '{"result":5}']), "2+3 is 5.");
  assert.equal(
    await told(["save_note", { text: "buy milk" }, "saved"]),
    "I saved the note: buy milk.",
  );
  assert.equal(await told(["list_notes", {}, '[{"text":"a"},"b"]']), "Your notes:\n- a\n- b");
  assert.equal(await told(["list_notes", {}, "[]"]), "There are no notes.");
  assert.equal(
    await told(["place_order", { item: "pizza", quantity: 2 }, ""]),
    "The order is placed: item pizza, quantity 2.",
  );
  assert.equal(
    await told(["get_weather", { city: "Paris" }, '{"sky":"blue","degrees":21}']),
    "Get weather: sky blue, degrees 21.",
  );
});

test("tells errors and rejections with their reason", async () => {
  assert.equal(
    await told(["place_order", {}, "User rejected the call. Reason: too expensive", "error"]),
    "The order was not placed: too expensive.",
  );
  assert.equal(
    await told(["place_order", {}, "Error: out of stock\n Please fix your mistakes.", "error"]),
    "The order was not placed: out of stock.",
  );
  assert.equal(
    await told(["calculator", {}, "Error: division by zero", "error"]),
    "That could not be calculated: division by zero.",
  );
  assert.equal(
    await told(["save_note", {}, "", "error"]),
    "The note was not saved: no reason was given.",
  );
  assert.equal(
    await told(["get_weather", {}, "Error: offline", "error"]),
    "Get weather did not work: offline.",
  );
  const unanswered = turn("x", ["get_weather", {}, "", undefined]).slice(0, -1);
  assert.equal((await model(many).invoke(unanswered)).content, "Get weather gave no result.");
});

test("the same conversation gets the same answer; ids do not repeat in a thread", async () => {
  const history = turn("x", ["calculator", { expression: "1+1" }, "2"]);
  const next = [
    ...history,
    new AIMessage("1+1 is 2."),
    new HumanMessage("what is 2+2 and what time is it"),
  ];
  const [first, second] = [await model(many).invoke(next), await model(many).invoke(next)];
  assert.deepEqual(first.tool_calls, second.tool_calls);
  assert.deepEqual(
    first.tool_calls.map((call) => call.id),
    ["demo_2", "demo_3"],
  );
});

test("streams word by word; sets no timer at 0; stops at an abort", async (context) => {
  const words = [];
  for await (const chunk of model(many).stream(
    turn("x", ["calculator", { expression: "2+3" }, "5"]),
  ))
    words.push(chunk.content);
  assert.deepEqual(words, ["2+3", " is", " 5."]);
  const timer = context.mock.method(globalThis, "setTimeout");
  await model(many).invoke("what is 2+3", { callbacks: [{ handleLLMNewToken() {} }] });
  assert.equal(timer.mock.callCount(), 0);
  timer.mock.restore();
  const controller = new AbortController();
  await assert.rejects(
    async () => {
      for await (const _ of new DemoModel({ tokenDelayMs: 2 }).stream("hello", {
        signal: controller.signal,
      }))
        controller.abort();
    },
    { name: "AbortError" },
  );
  assert.throws(() => new DemoModel({ tokenDelayMs: -1 }), TypeError);
  assert.equal(new DemoModel().tokenDelayMs, 15);
});

test("hostile words end quickly; too many are refused, never cut", async () => {
  for (const part of [
    "1+",
    "(",
    "a ",
    "and then ",
    "note: ",
    "sqrt(",
    "9",
    '"',
    "' ",
    "quantity = ",
    " to ",
    "9.",
    "2-",
    "x ",
    "list my notes; ",
  ]) {
    const words = `note ${part.repeat(4000)}`.slice(0, 4000);
    const start = process.cpuUsage();
    await model([...many, ...few]).invoke(words);
    const { user } = process.cpuUsage(start);
    assert.ok(user < 10_000_000, `${part} took ${user} µs`);
  }
  const long = await model(many).invoke(`note ${"a".repeat(4000)}`);
  assert.deepEqual([long.tool_calls, /at most 4000 characters/.test(long.content)], [[], true]);
});

test("an agent of LangGraph's runs on it from question to answer", async () => {
  const sum = tool(
    ({ expression }) =>
      String(expression.split("+").reduce((total, part) => total + Number(part), 0)),
    { name: "calculator", description: "Evaluates", schema: object({ expression: text }) },
  );
  const agent = createReactAgent({ llm: new DemoModel({ tokenDelayMs: 0 }), tools: [sum] });
  const { messages } = await agent.invoke({ messages: [new HumanMessage("what is 40+2?")] });
  assert.equal(messages.at(-1).content, "40+2 is 42.");
});
