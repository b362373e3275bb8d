// SPDX-License-Identifier: MIT
// Failures of an agent's model and tools: other models, repeated calls, answers for the model; as
// in langchain.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  OWN,
  Model,
  call,
  calling,
  makeTool,
  onThread,
  outcome,
  same,
} from "./agent-middleware-both.mjs";

const { createAgent, modelFallbackMiddleware, modelRetryMiddleware, toolErrorMiddleware } = OWN;
const { toolRetryMiddleware, interrupt, Command, MemorySaver } = OWN;
const go = (agent, config) => outcome(agent.invoke({ messages: "go" }, config));
const quick = { initialDelayMs: 1 };

test("the next model is asked after an error; the last one's error is the run's", () =>
  same(async ({ createAgent, modelFallbackMiddleware: fallback }) => {
    const make = (...models) =>
      createAgent({
        model: new Model([new Error("down")]),
        tools: [],
        middleware: [fallback(...models)],
      });
    const second = new Model(["two"]);
    return [
      await go(make(new Model([new TypeError("also down")]), second)),
      second.asked,
      await go(make(new Model([new TypeError("also down")]))),
    ];
  }));

test("an abort asks no other model and ends the waiting for another call", async () => {
  for (const make of [(other) => modelFallbackMiddleware(other), () => modelRetryMiddleware()]) {
    const stop = new AbortController();
    const other = new Model(["two"]);
    const model = new Model([
      () => {
        setTimeout(() => stop.abort(), 5);
        return new Error("down");
      },
    ]);
    const slow = new Model([
      () => {
        stop.abort();
        return new Error("aborted");
      },
    ]);
    const isFallback = make !== undefined && make(other).name === "modelFallbackMiddleware";
    const agent = createAgent({
      model: isFallback ? slow : model,
      tools: [],
      middleware: [make(other)],
    });
    const begin = Date.now();
    await assert.rejects(agent.invoke({ messages: "go" }, { signal: stop.signal }));
    assert.ok(Date.now() - begin < 900);
    assert.deepEqual(other.asked, []);
  }
});

for (const [title, answers, options] of [
  ["succeeds at last", [new Error("1"), new Error("2"), "ok"], {}],
  ["gives up with a message", [new TypeError("no")], {}],
  ["without another call", [new TypeError("no")], { maxRetries: 0 }],
  ["only of these classes", [new TypeError("no")], { retryOn: [RangeError] }],
  [
    "a function decides",
    [new RangeError("no")],
    { retryOn: (error) => error instanceof RangeError },
  ],
  ["ends the run", [new TypeError("no")], { onFailure: "error" }],
  [
    "with a text of the user's",
    [new TypeError("no")],
    { onFailure: (error) => `S: ${error.message}` },
  ],
])
  test(`a model that failed is called again: ${title}, as in langchain`, () =>
    same(async ({ createAgent, modelRetryMiddleware: retry }) => {
      const model = new Model(answers);
      const agent = createAgent({
        model,
        tools: [],
        middleware: [retry({ ...quick, ...options })],
      });
      return [await go(agent), model.options.map(({ maxRetries }) => maxRetries)];
    }));

for (const [title, count, options] of [
  ["succeeds at last", 2, {}],
  ["gives up without the error's text", 9, {}],
  ["only of these classes", 9, { retryOn: [RangeError] }],
  ["ends the run", 9, { onFailure: "error" }],
  ["with a text of the user's", 9, { onFailure: () => "sorry" }],
  ["not of other tools", 9, { tools: ["b"] }],
])
  test(`a tool that failed is called again: ${title}, as in langchain`, () =>
    same(async ({ createAgent, toolRetryMiddleware: retry }) => {
      const tool = makeTool("a", Array(count).fill(new TypeError("secret")));
      const model = new Model([calling(call("a")), "ok"]);
      const middleware = [retry({ ...quick, ...options })];
      return [await go(createAgent({ model, tools: [tool], middleware })), tool.ran.length];
    }));

test("waits grow by the factor up to the longest, and differ by a quarter", async () => {
  for (const [options, least] of [
    [{ initialDelayMs: 20, jitter: false }, 20 + 40],
    [{ initialDelayMs: 20, backoffFactor: 0, jitter: false }, 20 + 20],
    [{ initialDelayMs: 20, maxDelayMs: 25 }, (20 + 25) * 0.75],
  ]) {
    const agent = createAgent({
      model: new Model([new Error("1"), new Error("2"), "ok"]),
      tools: [],
      middleware: [modelRetryMiddleware(options)],
    });
    const begin = performance.now();
    await agent.invoke({ messages: "go" });
    assert.ok(performance.now() - begin >= least - 2);
  }
});

test("an interrupt is no failure of a tool", async () => {
  const asking = OWN.tool(() => interrupt("go on?"), { name: "a", schema: { type: "object" } });
  let told = 0;
  const agent = createAgent({
    model: new Model([calling(call("a")), "done"]),
    tools: [asking],
    checkpointer: new MemorySaver(),
    middleware: [
      toolErrorMiddleware({ onError: () => `told ${++told}` }),
      toolRetryMiddleware(quick),
    ],
  });
  await agent.invoke({ messages: "go" }, onThread);
  const { messages } = await outcome(agent.invoke(new Command({ resume: "yes" }), onThread));
  assert.deepEqual(messages[2], ["tool", "yes", "c1", "a", "success"]);
  assert.equal(told, 0);
});

test("an error of a tool becomes the answer that a function returns, else it ends the run", () =>
  same(async ({ createAgent, toolErrorMiddleware: handle, toolRetryMiddleware: retry }) => {
    const make = (error, tools, ...more) =>
      createAgent({
        model: new Model([calling(call("a")), "ok"]),
        tools: [makeTool("a", Array(9).fill(error))],
        middleware: [
          handle({
            onError: (thrown, { toolCall }) =>
              thrown instanceof TypeError ? `${toolCall.name}: ${thrown.name}` : undefined,
            tools,
          }),
          ...more,
        ],
      });
    return [
      await go(make(new TypeError("x"))),
      await go(make(new Error("x"))),
      await go(make(new TypeError("x"), ["b"])),
      await go(make(new TypeError("x"), undefined, retry({ ...quick, onFailure: "error" }))),
    ];
  }));

test("a thrown value that is no error is repeated and told too", async () => {
  const agent = createAgent({
    model: new Model([calling(call("a")), "ok"]),
    tools: [makeTool("a", Array(9).fill("just a text"))],
    middleware: [toolRetryMiddleware(quick)],
  });
  const { messages } = await go(agent);
  assert.equal(messages[2][1], "Tool 'a' failed after 3 attempts with string");
});

test("options that cannot be meant are refused", () => {
  for (const options of [
    { maxRetries: -1 },
    { maxRetries: 1.5 },
    { initialDelayMs: Number.NaN },
    { maxDelayMs: Number.POSITIVE_INFINITY },
    { retryOn: "Error" },
    { onFailure: "retry" },
    { jitter: "yes" },
    7,
  ]) {
    assert.throws(() => modelRetryMiddleware(options), { code: "BAD_ARGUMENT" });
    assert.throws(() => toolRetryMiddleware(options), { code: "BAD_ARGUMENT" });
  }
  assert.throws(() => toolRetryMiddleware({ tools: [{}] }), { code: "BAD_ARGUMENT" });
  assert.throws(() => toolErrorMiddleware({}), { code: "BAD_ARGUMENT" });
  assert.throws(() => modelFallbackMiddleware(), { code: "BAD_ARGUMENT" });
  assert.throws(() => modelFallbackMiddleware({}), { code: "BAD_ARGUMENT" });
});
