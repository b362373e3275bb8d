// SPDX-License-Identifier: MIT
// What keeps a conversation short: summaries, results of tools that are cleared, prompt caching; as
// in langchain, and nothing is lost when a model answers nonsense.
import assert from "node:assert/strict";
import { test } from "node:test";
import { OWN, Model, call, onThread, outcome, same, show } from "./agent-middleware-both.mjs";

const { createAgent, summarizationMiddleware, contextEditingMiddleware, ClearToolUsesEdit } = OWN;
const { HumanMessage, AIMessage, SystemMessage, MemorySaver } = OWN;

/** Messages of 40 characters, 10 tokens each. */
const turns = ({ HumanMessage, AIMessage }) =>
  [..."12345"].map((digit, at) => new (at % 2 ? AIMessage : HumanMessage)(digit.repeat(40)));
const withCalls = ({ HumanMessage, AIMessage, ToolMessage }) => [
  new HumanMessage("1"),
  new AIMessage("2"),
  new HumanMessage("3"),
  new AIMessage({ content: "", tool_calls: [call("a", { x: 1 }), call("b", { x: 2 }, "c2")] }),
  new ToolMessage({ content: "r".repeat(40), tool_call_id: "c1", name: "a" }),
  new ToolMessage({ content: "q".repeat(40), tool_call_id: "c2", name: "b" }),
  new HumanMessage("4"),
];

for (const [title, options, messages] of [
  ["by messages", { trigger: { messages: 4 }, keep: { messages: 2 } }, turns],
  ["by tokens", { trigger: { tokens: 40 }, keep: { tokens: 25 } }, turns],
  [
    "by a share of the model's input",
    { trigger: { fraction: 0.4 }, keep: { fraction: 0.25 } },
    turns,
  ],
  ["both parts of a size must be reached", { trigger: { tokens: 1000, messages: 2 } }, turns],
  [
    "one of two sizes",
    { trigger: [{ tokens: 1000 }, { messages: 5 }], keep: { messages: 1 } },
    turns,
  ],
  [
    "only the end of what is summarized",
    { trigger: { messages: 4 }, keep: { messages: 1 }, trimTokensToSummarize: 20 },
    turns,
  ],
  ["a call stays with its results", { trigger: { messages: 4 }, keep: { messages: 2 } }, withCalls],
  [
    "another beginning",
    { trigger: { messages: 4 }, keep: { messages: 1 }, summaryPrefix: "So far:" },
    turns,
  ],
  [
    "a count of the user's",
    { trigger: { tokens: 5 }, keep: { messages: 1 }, tokenCounter: (list) => list.length },
    turns,
  ],
])
  test(`a long conversation is summarized: ${title}, as in langchain`, () =>
    same(async (api) => {
      const writer = new Model(["SUMMARY"], { profile: { maxInputTokens: 100 } });
      const model = new Model(["ok"]);
      const middleware = [
        api.summarizationMiddleware({ model: writer, summaryPrompt: "P:{messages}", ...options }),
      ];
      const agent = api.createAgent({ model, tools: [], middleware });
      const said = await outcome(agent.invoke({ messages: messages(api) }));
      return [said, model.asked, writer.asked.length];
    }));

test("the summary stands in the thread, once", async () => {
  const writer = new Model(["SUMMARY"]);
  const agent = createAgent({
    model: new Model(["ok", "fine"]),
    tools: [],
    checkpointer: new MemorySaver(),
    middleware: [
      summarizationMiddleware({ model: writer, trigger: { messages: 5 }, keep: { messages: 2 } }),
    ],
  });
  await agent.invoke({ messages: turns(OWN) }, onThread);
  const { messages } = await outcome(agent.invoke({ messages: "more" }, onThread));
  assert.equal(writer.asked.length, 2);
  assert.equal(messages.filter(([, text]) => text.startsWith("Here is a summary")).length, 1);
  const [[, prompt]] = writer.asked[1];
  assert.match(prompt, /Human: Here is a summary of the conversation to date:\n\nSUMMARY/);
});

for (const [title, answer] of [
  ["fails", new Error("down")],
  ["answers with nothing", "  "],
  ["answers with a call", { content: "", tool_calls: [call("x")] }],
])
  test(`the conversation stays as it is when the model that summarizes ${title}`, async () => {
    const model = new Model(["ok"]);
    const agent = createAgent({
      model,
      tools: [],
      checkpointer: new MemorySaver(),
      middleware: [
        summarizationMiddleware({
          model: new Model([answer]),
          trigger: { messages: 2 },
          keep: { messages: 1 },
        }),
      ],
    });
    await assert.rejects(agent.invoke({ messages: turns(OWN) }, onThread));
    const { values } = await agent.getState(onThread);
    assert.deepEqual(values.messages.map(show), turns(OWN).map(show));
    assert.deepEqual(model.asked, []);
  });

test("what the service counted, with tools and instructions, triggers a summary", async () => {
  const writer = new Model(["SUMMARY"]);
  const run = (total_tokens) => {
    const agent = createAgent({
      model: new Model(["ok"]),
      tools: [],
      middleware: [
        summarizationMiddleware({ model: writer, trigger: { tokens: 500 }, keep: { messages: 1 } }),
      ],
    });
    const usage_metadata = { input_tokens: total_tokens - 1, output_tokens: 1, total_tokens };
    return agent.invoke({
      messages: [
        new HumanMessage("a"),
        new AIMessage({ content: "b", usage_metadata }),
        new HumanMessage("c"),
      ],
    });
  };
  await run(400);
  assert.equal(writer.asked.length, 0);
  await run(600);
  assert.equal(writer.asked.length, 1);
});

test("a leading system message stays, and text like a pattern's is copied as it is", async () => {
  const writer = new Model(["$& $1 SUMMARY"]);
  const model = new Model(["ok"]);
  const agent = createAgent({
    model,
    tools: [],
    middleware: [
      summarizationMiddleware({ model: writer, trigger: { messages: 3 }, keep: { messages: 1 } }),
    ],
  });
  await agent.invoke({
    messages: [
      new SystemMessage("rules"),
      new HumanMessage("$& costs {messages}"),
      new HumanMessage("go"),
    ],
  });
  assert.ok(writer.asked[0][0][1].endsWith("Human: $& costs {messages}"));
  assert.deepEqual(
    model.asked[0].map((one) => one[1]),
    ["rules", "Here is a summary of the conversation to date:\n\n$& $1 SUMMARY", "go"],
  );
});

for (const [title, options] of [
  ["all but the last", { trigger: { tokens: 1 }, keep: { messages: 1 } }],
  ["all", { trigger: { tokens: 1 }, keep: { messages: 0 } }],
  ["not of these tools", { trigger: { tokens: 1 }, keep: { messages: 0 }, excludeTools: ["b"] }],
  [
    "with the arguments",
    { trigger: { tokens: 1 }, keep: { messages: 1 }, clearToolInputs: true, placeholder: "-" },
  ],
  ["but for some tokens", { trigger: { tokens: 1 }, keep: { tokens: 12 } }],
  ["not yet", { trigger: { tokens: 1000 } }],
  ["one of two sizes", { trigger: [{ tokens: 1000 }, { messages: 2 }], keep: { messages: 2 } }],
])
  test(`old results of tools are cleared: ${title}, as in langchain`, async () => {
    const asked = await same(async (api) => {
      const model = new Model(["ok"]);
      const edits = [new api.ClearToolUsesEdit(options)];
      const middleware = [api.contextEditingMiddleware({ edits })];
      const agent = api.createAgent({ model, systemPrompt: "s", tools: [], middleware });
      const later = [
        new api.AIMessage({ content: "", tool_calls: [call("a", { x: 3 }, "c3")] }),
        new api.ToolMessage({ content: "z".repeat(40), tool_call_id: "c3", name: "a" }),
      ];
      await agent.invoke({ messages: [...withCalls(api), ...later] });
      return model.asked;
    });
    assert.equal(asked.length, 1);
  });

test("clearing changes what the model is sent, not the conversation", async () => {
  const agent = createAgent({
    model: new Model(["ok"]),
    tools: [],
    middleware: [
      contextEditingMiddleware({
        edits: [
          new ClearToolUsesEdit({
            trigger: { tokens: 1 },
            keep: { messages: 0 },
            clearToolInputs: true,
          }),
        ],
      }),
    ],
  });
  const { messages } = await outcome(agent.invoke({ messages: withCalls(OWN) }));
  assert.deepEqual(messages.slice(0, -1), withCalls(OWN).map(show));
});

test("an edit of the user's counts with instructions and tools", async () => {
  const counts = [];
  const model = new Model(["ok"]);
  const agent = createAgent({
    model,
    systemPrompt: "s".repeat(400),
    tools: [],
    middleware: [
      contextEditingMiddleware({
        edits: [
          {
            async apply({ messages, countTokens }) {
              counts.push(await countTokens(messages), await countTokens(messages.slice()));
              messages.splice(0, 1);
            },
          },
        ],
      }),
    ],
  });
  await agent.invoke({ messages: [new HumanMessage("1234"), new HumanMessage("5678")] });
  assert.deepEqual(counts, [102, 2]);
  assert.deepEqual(model.asked[0].slice(1), [["human", "5678"]]);
});

for (const [title, name, options] of [
  ["marked", "ChatAnthropic", { minMessagesToCache: 1, ttl: "1h" }],
  ["too short", "ChatAnthropic", {}],
  ["with the instructions long enough", "ChatAnthropic", { minMessagesToCache: 2 }],
  ["off", "ChatAnthropic", { minMessagesToCache: 0, enableCaching: false }],
  ["another's model", "Other", { minMessagesToCache: 0, unsupportedModelBehavior: "ignore" }],
])
  test(`prompt caching of Anthropic: ${title}, as in langchain`, () =>
    same(async (api) => {
      const model = new Model(["ok"], { name });
      const middleware = [api.anthropicPromptCachingMiddleware(options)];
      const agent = api.createAgent({ model, systemPrompt: "s", tools: [], middleware });
      await agent.invoke({ messages: "hi" });
      return model.options.map(({ cache_control }) => cache_control);
    }));

test("prompt caching with another's model warns, or ends the run", async (t) => {
  const warn = t.mock.method(console, "warn", () => {});
  const run = (unsupportedModelBehavior) =>
    createAgent({
      model: new Model(["ok"]),
      tools: [],
      middleware: [OWN.anthropicPromptCachingMiddleware({ unsupportedModelBehavior })],
    }).invoke({ messages: "hi" });
  await run(undefined);
  assert.equal(warn.mock.callCount(), 1);
  await assert.rejects(run("raise"), /Anthropic/);
});

test("calls that a model names alike in each turn are shortened by turn", async () => {
  const turn = (at) => [
    { role: "user", content: `question ${at}` },
    { role: "ai", content: "", tool_calls: [call("a", { x: at }, "f:0")] },
    { role: "tool", content: `result ${at}`, tool_call_id: "f:0", name: "a" },
    { role: "ai", content: `answer ${at}` },
  ];
  const messages = [1, 2, 3].flatMap(turn).slice(0, -1);
  const model = new Model(["ok"]);
  const summarize = summarizationMiddleware({
    model: new Model(["SUMMARY"]),
    trigger: { messages: 5 },
    keep: { messages: 1 },
  });
  await createAgent({ model, middleware: [summarize] }).invoke({ messages });
  assert.deepEqual(
    model.asked[0].map(([type]) => type),
    ["human", "ai", "tool"],
  );
  const edited = new Model(["ok"]);
  const edit = new ClearToolUsesEdit({
    trigger: { tokens: 1 },
    keep: { messages: 1 },
    clearToolInputs: true,
  });
  const clear = contextEditingMiddleware({ edits: [edit] });
  await createAgent({ model: edited, middleware: [clear] }).invoke({ messages });
  const args = edited.asked[0].flatMap(([, , calls]) =>
    Array.isArray(calls) ? [calls[0][1]] : [],
  );
  assert.deepEqual(args, [{}, {}, { x: 3 }]);
});

test("options that cannot be meant are refused", () => {
  const model = new Model(["ok"]);
  for (const options of [
    {},
    { model: {} },
    { model, trigger: {} },
    { model, trigger: { token: 1 } },
    { model, trigger: { fraction: 2 } },
    { model, trigger: [{ tokens: "many" }] },
    { model, keep: {} },
    { model, keep: { messages: 1, tokens: 1 } },
    { model, tokenCounter: 7 },
    { model, summaryPrompt: 7 },
    { model, trimTokensToSummarize: 0 },
  ])
    assert.throws(() => summarizationMiddleware(options), { code: "BAD_ARGUMENT" });
  for (const options of [
    { trigger: { fraction: 0 } },
    { keep: 3 },
    { excludeTools: "a" },
    { placeholder: 7 },
  ])
    assert.throws(() => new ClearToolUsesEdit(options), { code: "BAD_ARGUMENT" });
  assert.throws(() => contextEditingMiddleware({ edits: [{}] }), { code: "BAD_ARGUMENT" });
  assert.throws(() => OWN.anthropicPromptCachingMiddleware({ ttl: "2h" }), {
    code: "BAD_ARGUMENT",
  });
});
