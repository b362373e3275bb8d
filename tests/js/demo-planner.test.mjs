// SPDX-License-Identifier: MIT
// The demo's planner: what strangers write first. Each sentence has the calls that it may make, and
// no other; an answer is useful if it says what the table names.
import { test } from "node:test";
import assert from "node:assert/strict";
import { Command, MemorySaver } from "weftgraph";
import { AIMessage, HumanMessage, ToolMessage } from "weftgraph/messages";
import { answer, plannerModel } from "../../web-demo/src/models/planner.js";
import { ScriptedModel } from "weftgraph/models/scripted";
import { makeOrders } from "../../web-demo/src/samples/orders.js";

const NOW = new Date("2026-07-14T09:30:00Z");
/** What the sample binds, as a model is told of it. */
const ORDERS = await new Promise((resolve) => {
  const responses = [(_, { tools }) => (resolve(tools), "Hello")];
  makeOrders(new ScriptedModel({ responses })).invoke({ messages: "Hello" });
});
const order = (item, quantity) => ["place_order", { item, quantity }];

/** [sentence, calls, what the answer says] */
const STRANGERS = [
  ["Order 2 pizzas", [order("pizzas", 2)]],
  ["Please order 3 teapots", [order("teapots", 3)]],
  ["order a coffee", [order("coffee", 1)]],
  ["Can you order two croissants for me?", [order("croissants for me", 2)]],
  ["buy me a new bike please", [order("new bike", 1)]],
  ["order a dozen eggs", [order("eggs", 12)]],
  ["place an order for 4 chairs", [order("chairs", 4)]],
  ["order 2 apples, then order 3 lemons", [order("apples", 2), order("lemons", 3)]],
  ["Order 2 apples and 3 lemons", [order("apples", 2), order("lemons", 3)]],
  ["order one fish and chips", [order("fish and chips", 1)]],
  ["Order twenty-five balloons!", [order("balloons", 25)]],
  ["order 500 pizzas", [], /at most 100.*500 is too many/],
  ["order 0 apples", [], /least.*1/],
  ["order 2.5 cakes", [], /whole numbers/],
  ["order half a pizza", [], /whole numbers/],
  ["order pizzas", [], /How many/],
  ["order some bread", [], /How many/],
  ["order something", [], /What shall I order/],
  ["I want to order", [], /how many of what/],
  ["I'd like a coffee", [], /Shall I order 1 × coffee\?/],
  ["can I have two beers", [], /Shall I order 2 × beers\?/],
  ["how do I order a pizza?", [], /“order 1 pizza”.*approve/],
  ["cancel my order", [], /cannot cancel an order/],
  ["Can you cancel the order please?", [], /cannot cancel an order/],
  ["change my order to 5 pizzas", [], /cannot change an order/],
  ["What did I order?", [], /Nothing was ordered in this thread yet/],
  ["show my orders", [], /Nothing was ordered/],
  ["where is my order?", [], /nothing is delivered/],
  ["don't order anything", [], /order nothing/],
  ["how much is a pizza if I order it?", [], /no prices/],
  ["order a pizza when it gets dark", [], /cannot wait/],
  ["order the same again", [], /Nothing was ordered in this thread yet/],
  ["sort these in alphabetical order: pear, apple", [], /did not understand/],
  ["What time is it?", [], /It is \d\d:\d\d/],
  ["What time is it in New York?", [], /05:30 in New York.*America\/New_York/],
  ["What time is it in Tokyo", [], /18:30 in Tokyo/],
  ["what time is it in London right now?", [], /10:30 in London/],
  ["time in Berlin", [], /11:30 in Berlin/],
  ["what's the time in San Francisco?", [], /02:30 in San Francisco/],
  ["What time is it in India?", [], /15:00 in India/],
  ["What time is it in Springfield?", [], /do not know which time zone “Springfield”/],
  ["what time is it in the USA?", [], /several time zones.*New York/],
  ["What's the date today?", [], /Today is Tuesday,? 14 July 2026/],
  ["what day is it tomorrow?", [], /Tomorrow is Wednesday,? 15 July 2026/],
  ["What is 12 * (3 + 4)?", [], /= 84/],
  ["6*7", [], /= 42/],
  ["what's 15% of 80", [], /= 12$/],
  ["square root of 144", [], /= 12$/],
  ["what is two plus two?", [], /= 4/],
  ["10 / 0", [], /division by zero/],
  ["Write me a poem about the sea", [], /not a language model/],
  ["tell me a joke", [], /not a language model/],
  ["forget the note", [], /did not understand “forget the note”/],
  ["remember that Tom likes tea", [], /did not understand “remember that Tom likes tea”/],
  ["note: buy milk. And eggs.", [], /did not understand “note: buy milk”, “And eggs/],
  ["remember that Tom came, and order 2 teas", [], /did not understand.*So I did nothing/],
  ["remind me to call Tom and buy 2 cakes", [], /no tool for that.*so I did nothing/],
  ["order 2 teas and remember that Tom likes them", [], /did not understand “remember.*nothing/],
  ["Who are you?", [], /planner of a few rules/],
  ["Hello!", [], /Hello! I am a planner/],
  ["what can you do?", [], /order 2 pizzas/],
  ["What's the weather in Paris?", [], /no tool for that/],
  ["who was the first president of France?", [], /know no facts/],
  ["is my data safe here?", [], /stays in this browser/],
  ["thanks", [], /You are welcome/],
  ["asdfgh", [], /did not understand “asdfgh”/],
  ["order 2 pizzas. Not the big ones", [], /did not understand “Not the big ones”.*did nothing/],
  ["My boss told me to order 5 laptops", [], /did not understand/],
  ["what is 2+3 and order 2 pears", [order("pears", 2)], /= 5/],
];

const ask = (words, tools = ORDERS, before = []) =>
  answer([...before, new HumanMessage(words)], tools, NOW);
const callsOf = ({ tool_calls }) => tool_calls.map(({ name, args }) => [name, args]);

test(`${STRANGERS.length} sentences of strangers: no wrong action, and useful answers`, () => {
  const wrong = [];
  let useful = 0;
  for (const [words, calls, says = /^$/] of STRANGERS) {
    const got = ask(words);
    if (JSON.stringify(callsOf(got)) !== JSON.stringify(calls)) wrong.push([words, got]);
    else if (says.test(got.content)) useful++;
    else wrong.push([words, got.content]);
  }
  assert.deepEqual(wrong, []);
  assert.ok(STRANGERS.length >= 60);
  assert.ok(useful >= 45);
});

test("an offer is taken with yes, and an order is known afterwards", () => {
  const offered = ask("I'd like a coffee").content;
  const before = [new HumanMessage("I'd like a coffee"), new AIMessage(offered)];
  const taken = ask("yes please", ORDERS, before);
  assert.deepEqual(callsOf(taken), [order("coffee", 1)]);
  const done = [
    ...before,
    new HumanMessage("yes"),
    new AIMessage(taken),
    new ToolMessage({ content: "1 × coffee", tool_call_id: taken.tool_calls[0].id }),
  ];
  assert.match(answer(done, ORDERS, NOW).content, /^The order is placed: 1 × coffee\.$/);
  assert.match(ask("What did I order?", ORDERS, done).content, /you ordered:\n- 1 × coffee/);
  const again = ask("the same again", ORDERS, done);
  assert.deepEqual(callsOf(again), []);
  assert.deepEqual(callsOf(ask("order the same again", ORDERS, done)), [order("coffee", 1)]);
  assert.deepEqual(callsOf(ask("yes", ORDERS, done)), []);
});

test("an agent with the planner asks, is rejected without and with a reason, and says so", async () => {
  const agent = makeOrders(plannerModel());
  agent.checkpointer = new MemorySaver();
  for (const [thread, answered, says] of [
    ["a", { type: "ignore" }, /^The order was not placed: you rejected it\.$/],
    ["b", { type: "response", args: "too dear" }, /not placed, because you said: too dear\./],
  ]) {
    const config = { configurable: { thread_id: thread } };
    await agent.invoke({ messages: "order 2 pizzas" }, config);
    const { messages } = await agent.invoke(new Command({ resume: answered }), config);
    assert.match(messages.at(-1).text, says);
  }
});
