// SPDX-License-Identifier: MIT
// Serves: language models of the AI SDK as chat models, against the AI SDK's own test models of the
// specifications v2, v3 and v4, and its real providers over a scripted fetch.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogle } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { MockLanguageModelV3, simulateReadableStream } from "ai/test";
import { MockLanguageModelV2 } from "ai-5/test";
import { MockLanguageModelV4 } from "ai-7/test";
import { MemorySaver } from "weftgraph";
import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from "weftgraph/messages";
import { ModelError, fromAISDK } from "weftgraph/models/ai-sdk";
import { createReactAgent } from "weftgraph/prebuilt";
import { tool } from "weftgraph/tools";

const MOCKS = { v2: MockLanguageModelV2, v3: MockLanguageModelV3, v4: MockLanguageModelV4 };
const SIGNED = { anthropic: { signature: "EqQB+/=" } };

const streamOf = (parts) => ({
  stream: simulateReadableStream({ chunks: parts, initialDelayInMs: null, chunkDelayInMs: null }),
});

function usageOf(version) {
  return version === "v2"
    ? {
        inputTokens: 10,
        outputTokens: 5,
        totalTokens: 15,
        reasoningTokens: 2,
        cachedInputTokens: 4,
      }
    : {
        inputTokens: { total: 10, noCache: 6, cacheRead: 4, cacheWrite: undefined },
        outputTokens: { total: 5, text: 3, reasoning: 2 },
      };
}

const reasonOf = (version, unified, raw) => (version === "v2" ? unified : { unified, raw });

const thinking = (version) => [
  { type: "stream-start", warnings: [] },
  { type: "response-metadata", id: "msg_1", modelId: "mock-1", timestamp: new Date(0) },
  { type: "reasoning-start", id: "0" },
  { type: "reasoning-delta", id: "0", delta: "Let me " },
  { type: "reasoning-delta", id: "0", delta: "see." },
  { type: "reasoning-delta", id: "0", delta: "", providerMetadata: SIGNED },
  { type: "reasoning-end", id: "0" },
  { type: "text-start", id: "1" },
  { type: "text-delta", id: "1", delta: "I look " },
  { type: "text-delta", id: "1", delta: "at both." },
  { type: "text-end", id: "1" },
  { type: "tool-input-start", id: "c1", toolName: "weather" },
  { type: "tool-input-delta", id: "c1", delta: '{"city":' },
  { type: "tool-input-delta", id: "c1", delta: '"Oslo"}' },
  { type: "tool-input-end", id: "c1" },
  { type: "tool-call", toolCallId: "c1", toolName: "weather", input: '{"city":"Oslo"}' },
  { type: "tool-call", toolCallId: "c2", toolName: "time", input: "" },
  {
    type: "finish",
    usage: usageOf(version),
    finishReason: reasonOf(version, "tool-calls", "tool_use"),
  },
];

const text = (version, words = "Done.") => [
  { type: "stream-start", warnings: [] },
  { type: "text-start", id: "1" },
  ...words.match(/\S+\s*/g).map((delta) => ({ type: "text-delta", id: "1", delta })),
  { type: "text-end", id: "1" },
  { type: "finish", usage: usageOf(version), finishReason: reasonOf(version, "stop", "end") },
];

/** What a model without a stream answers for these parts. */
function atOnce(parts) {
  const joined = new Map();
  for (const { type, id, delta, providerMetadata } of parts) {
    const [kind, step] = type.split("-");
    if (!["text", "reasoning"].includes(kind)) continue;
    if (step === "start") joined.set(`${kind} ${id}`, { type: kind, text: "" });
    const part = joined.get(`${kind} ${id}`);
    if (step === "delta") part.text += delta;
    if (providerMetadata !== undefined) part.providerMetadata = providerMetadata;
  }
  const { usage, finishReason } = parts.at(-1);
  const calls = parts.filter(({ type }) => type === "tool-call");
  const { id, modelId } = parts.find(({ type }) => type === "response-metadata") ?? {};
  const content = [...joined.values(), ...calls];
  return { content, usage, finishReason, warnings: [], response: { id, modelId } };
}

/** A model that gives these answers, streamed or at once, and keeps what it was asked. */
function mockOf(version, ...answers) {
  const rest = [...answers];
  const asked = [];
  const next = (options) => {
    asked.push(options);
    const answer = rest.shift();
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const mock = new MOCKS[version]({
    provider: "mock",
    modelId: "mock-1",
    doStream: async (options) => streamOf(next(options)),
    doGenerate: async (options) => atOnce(next(options)),
  });
  return Object.assign(mock, { asked });
}

async function whole(pieces) {
  let message;
  for await (const chunk of pieces) message = message === undefined ? chunk : message.concat(chunk);
  return message;
}

const USAGE = {
  input_tokens: 10,
  output_tokens: 5,
  total_tokens: 15,
  input_token_details: { cache_read: 4 },
  output_token_details: { reasoning: 2 },
};

for (const version of Object.keys(MOCKS)) {
  test(`${version}: text, reasoning, calls, usage and metadata, in pieces and joined`, async () => {
    const answers = Array.from({ length: 3 }, () => thinking(version));
    const model = fromAISDK(mockOf(version, ...answers));
    const chunks = [];
    for await (const chunk of model.stream("hi")) chunks.push(chunk);
    assert.ok(chunks.length > 6);
    const joined = chunks.reduce((one, next) => one.concat(next));
    const invoked = await model.invoke("hi", { callbacks: [{ handleLLMNewToken() {} }] });
    for (const message of [joined, invoked, await model.invoke("hi")]) {
      const blocks = message.content.filter(({ type }) => type !== "tool_call");
      assert.deepEqual(
        blocks.map(({ index: _place, ...block }) => block),
        [
          { type: "reasoning", reasoning: "Let me see.", extras: { providerMetadata: SIGNED } },
          { type: "text", text: "I look at both." },
        ],
      );
      assert.deepEqual(
        message.tool_calls.map(({ id, name, args }) => [id, name, args]),
        [
          ["c1", "weather", { city: "Oslo" }],
          ["c2", "time", {}],
        ],
      );
      assert.deepEqual(message.usage_metadata, USAGE);
      const { finish_reason, model_provider, response_id } = message.response_metadata;
      assert.deepEqual(
        [finish_reason, model_provider, response_id],
        ["tool-calls", "mock", "msg_1"],
      );
    }
  });

  test(`${version}: an agent takes the model as it is, and signatures go back after a checkpoint`, async () => {
    const llm = mockOf(version, thinking(version), text(version), text(version));
    const weather = tool(({ city }) => `4 °C in ${city}`, {
      name: "weather",
      schema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    });
    const time = tool(() => "noon", { name: "time", schema: { type: "object", properties: {} } });
    const checkpointer = new MemorySaver();
    const make = () => createReactAgent({ llm, tools: [weather, time], checkpointer });
    const thread = { configurable: { thread_id: "1" } };
    const stream = await make().stream({ messages: "hi" }, { ...thread, streamMode: "messages" });
    const tokens = [];
    for await (const [chunk] of stream) tokens.push(chunk.text);
    assert.ok(tokens.includes("I look "));
    const { messages } = await make().invoke({ messages: "and?" }, thread);
    assert.equal(messages.at(-1).content, "Done.");
    const [, assistant, results] = llm.asked[1].prompt;
    assert.deepEqual(assistant.content, [
      { type: "reasoning", text: "Let me see.", providerOptions: SIGNED },
      { type: "text", text: "I look at both." },
      { type: "tool-call", toolCallId: "c1", toolName: "weather", input: { city: "Oslo" } },
      { type: "tool-call", toolCallId: "c2", toolName: "time", input: {} },
    ]);
    assert.deepEqual(results, {
      role: "tool",
      content: [
        ["c1", "weather", "4 °C in Oslo"],
        ["c2", "time", "noon"],
      ].map(([toolCallId, toolName, value]) => ({
        type: "tool-result",
        toolCallId,
        toolName,
        output: { type: "text", value },
      })),
    });
    assert.equal(llm.asked[0].tools[0].inputSchema.required[0], "city");
  });
}

test("messages, files, tools and options reach the model in the form of its version", async () => {
  const png = "iVBORw0KGgo=";
  const seen = {};
  for (const version of Object.keys(MOCKS)) {
    const mock = mockOf(version, text(version), text(version));
    const model = fromAISDK(mock, {
      settings: { temperature: 0.5, maxOutputTokens: 9 },
      providerOptions: { mock: { a: 1 } },
    });
    const asked = model.bindTools([{ title: "place", type: "object", properties: {} }], {
      tool_choice: "any",
    });
    await asked.invoke(
      [
        new SystemMessage("be kind"),
        new HumanMessage([
          { type: "text", text: "see" },
          { type: "image", data: png, mimeType: "image/png" },
          { type: "image_url", image_url: { url: "data:image/png;base64,AAA=" } },
        ]),
        new AIMessage({
          content: [
            { type: "reasoning", reasoning: "hm", extras: { providerMetadata: SIGNED } },
            { type: "text", text: "ok", extras: { providerMetadata: SIGNED } },
          ],
          tool_calls: [{ id: "1", name: "look", args: {}, extras: { providerMetadata: SIGNED } }],
          response_metadata: { model_provider: "another" },
        }),
        new ToolMessage({ tool_call_id: "1", content: "no", status: "error" }),
        new ToolMessage({
          tool_call_id: "2",
          name: "draw",
          content: [
            { type: "text", text: "it" },
            { type: "image", data: png, mimeType: "image/png" },
          ],
        }),
      ],
      { stop: ["."], top_p: 0.9, seed: 7, providerOptions: { mock: { b: 2 } } },
    );
    seen[version] = mock.asked[0];
  }
  for (const asked of Object.values(seen)) {
    const { prompt, tools, toolChoice, providerOptions } = asked;
    const { temperature, maxOutputTokens, topP, seed, stopSequences } = asked;
    assert.deepEqual(
      [temperature, maxOutputTokens, topP, seed, stopSequences],
      [0.5, 9, 0.9, 7, ["."]],
    );
    assert.deepEqual(
      [toolChoice, providerOptions],
      [{ type: "required" }, { mock: { a: 1, b: 2 } }],
    );
    assert.deepEqual([tools[0].type, tools[0].name], ["function", "place"]);
    assert.deepEqual(prompt[0], { role: "system", content: "be kind" });
    // What another provider signed is not sent.
    assert.deepEqual(prompt[2].content, [
      { type: "text", text: "ok" },
      { type: "tool-call", toolCallId: "1", toolName: "look", input: {} },
    ]);
    assert.deepEqual(prompt[3].content[0].output, { type: "error-text", value: "no" });
  }
  const files = (version) => seen[version].prompt[1].content.slice(1).map(({ data }) => data);
  const results = (version) => seen[version].prompt[3].content[1].output.value[1];
  assert.deepEqual(files("v2"), [png, "AAA="]);
  assert.deepEqual(files("v4"), [
    { type: "data", data: png },
    { type: "data", data: "AAA=" },
  ]);
  const mediaType = "image/png";
  assert.deepEqual(results("v2"), { type: "media", data: png, mediaType });
  // Its providers take a picture as nothing else.
  assert.deepEqual(results("v3"), { type: "image-data", data: png, mediaType });
  assert.deepEqual(results("v4"), { type: "file", data: { type: "data", data: png }, mediaType });
});

test("pictures, files, addresses and documents of a tool reach each version in its form", async () => {
  const pdf = { mimeType: "application/pdf" };
  const url = "https://files.example/a";
  const content = [
    { type: "image", url },
    { type: "file", url, ...pdf },
    { type: "file", data: "JVBERi0=", filename: "a.pdf", ...pdf },
    { type: "text-plain", text: "Words." },
  ];
  const words = { type: "text", text: "Words." };
  const call = { id: "c1", name: "f", args: {}, type: "tool_call" };
  const messages = [
    new HumanMessage("hi"),
    new AIMessage({ content: "", tool_calls: [call] }),
    new ToolMessage({ content, tool_call_id: "c1" }),
  ];
  const sent = async (version) => {
    const mock = mockOf(version, text(version));
    await fromAISDK(mock).invoke(messages);
    return mock.asked[0].prompt[2].content[0].output.value;
  };
  const mediaType = "application/pdf";
  assert.deepEqual(await sent("v2"), [
    { type: "text", text: JSON.stringify(content[0]) },
    { type: "text", text: JSON.stringify(content[1]) },
    { type: "media", data: "JVBERi0=", mediaType },
    words,
  ]);
  assert.deepEqual(await sent("v3"), [
    { type: "image-url", url, mediaType: "image/*" },
    { type: "file-url", url, mediaType },
    { type: "file-data", data: "JVBERi0=", mediaType, filename: "a.pdf" },
    words,
  ]);
  const data = { type: "url", url: new URL(url) };
  assert.deepEqual(await sent("v4"), [
    { type: "file", mediaType: "image/*", data },
    { type: "file", mediaType, data },
    { type: "file", mediaType, data: { type: "data", data: "JVBERi0=" }, filename: "a.pdf" },
    words,
  ]);
});

test("structured output is the model's own, unless its provider has none", async () => {
  const schema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
  const mock = mockOf("v4", text("v4", '{"n": 3}'));
  assert.deepEqual(await fromAISDK(mock).withStructuredOutput(schema).invoke("n?"), { n: 3 });
  assert.deepEqual(mock.asked[0].responseFormat, { type: "json", schema, name: "extract" });
  const call = { type: "tool-call", toolCallId: "1", toolName: "extract", input: '{"n":4}' };
  const plain = mockOf("v3", [call, text("v3").at(-1)]);
  plain.supportsStructuredOutputs = false;
  assert.deepEqual(await fromAISDK(plain).withStructuredOutput(schema).invoke("n?"), { n: 4 });
  assert.deepEqual(plain.asked[0].toolChoice, { type: "tool", toolName: "extract" });
  const llm = mockOf("v4", text("v4", "Three."), text("v4", '{"n": 3}'));
  const agent = createReactAgent({ llm, tools: [], responseFormat: schema });
  assert.deepEqual((await agent.invoke({ messages: "n?" })).structuredResponse, { n: 3 });
});

test("what the provider ran, sources and files stand in the content, and are not called", async () => {
  const parts = [
    { type: "tool-input-start", id: "s1", toolName: "search", providerExecuted: true },
    { type: "tool-input-delta", id: "s1", delta: '{"q":1}' },
    {
      type: "tool-call",
      toolCallId: "s1",
      toolName: "search",
      input: '{"q":1}',
      providerExecuted: true,
    },
    { type: "tool-result", toolCallId: "s1", toolName: "search", result: [{ hit: 1 }] },
    { type: "text-start", id: "t" },
    { type: "text-delta", id: "t", delta: "Found." },
    { type: "source", sourceType: "url", id: "u", url: "https://a.example", title: "A" },
    { type: "text-end", id: "t" },
    { type: "file", mediaType: "image/png", data: new Uint8Array([1, 2, 3]) },
    { type: "raw", rawValue: {} },
    { type: "unheard-of" },
    text("v4").at(-1),
  ];
  const mock = mockOf("v4", parts, text("v4"));
  const model = fromAISDK(mock);
  const message = await model.invoke("hi", { callbacks: [{ handleLLMNewToken() {} }] });
  assert.deepEqual(message.tool_calls, []);
  assert.deepEqual(message.content, [
    { type: "server_tool_call", id: "s1", name: "search", args: { q: 1 } },
    {
      type: "server_tool_call_result",
      toolCallId: "s1",
      toolName: "search",
      status: "success",
      output: [{ hit: 1 }],
    },
    {
      type: "text",
      text: "Found.",
      annotations: [{ type: "citation", url: "https://a.example", title: "A" }],
    },
    { type: "image", mimeType: "image/png", data: "AQID" },
  ]);
  await model.invoke([message, new HumanMessage("go on")]);
  const [call, result] = mock.asked[1].prompt[0].content;
  assert.deepEqual([call.providerExecuted, call.input], [true, { q: 1 }]);
  assert.deepEqual(result.output, { type: "json", value: [{ hit: 1 }] });
});

test("a tool of the provider is no call, though its pieces come unmarked; what it ran first gives way to its result", async () => {
  const id = "s1";
  const result = { type: "tool-result", toolCallId: id, toolName: "web_search" };
  // In this order xAI's provider says that it searched.
  const parts = [
    { type: "tool-input-start", id, toolName: "web_search" },
    { type: "tool-input-delta", id, delta: '{"q":1}' },
    { type: "tool-input-end", id },
    {
      type: "tool-call",
      toolCallId: id,
      toolName: "web_search",
      input: '{"q":1}',
      providerExecuted: true,
    },
    { ...result, result: { hits: 1 }, preliminary: true },
    { ...result, result: { hits: 2 } },
    { type: "tool-input-start", id: "c1", toolName: "weather" },
    { type: "tool-input-delta", id: "c1", delta: '{"city":' },
    { type: "tool-input-delta", id: "c1", delta: '"Oslo"}' },
    { type: "tool-call", toolCallId: "c1", toolName: "weather", input: '{"city":"Oslo"}' },
    text("v3").at(-1),
  ];
  const weather = { type: "function", function: { name: "weather", parameters: {} } };
  const search = { type: "provider", id: "xai.web_search", args: {} };
  const mock = mockOf("v3", parts, parts);
  const model = fromAISDK(mock).bindTools([weather, search]);
  const chunks = [];
  for await (const chunk of model.stream("hi")) chunks.push(chunk);
  const pieces = chunks.flatMap(({ tool_call_chunks }) => tool_call_chunks ?? []);
  assert.ok(pieces.some(({ args }) => args === '{"city":'));
  const invoked = await model.invoke("hi", { callbacks: [{ handleLLMNewToken() {} }] });
  for (const message of [chunks.reduce((one, next) => one.concat(next)), invoked]) {
    assert.deepEqual(
      message.tool_calls.map(({ name }) => name),
      ["weather"],
    );
    const served = message.content.filter(({ type }) => type.startsWith("server"));
    assert.deepEqual(
      served.map(({ type, args, output }) => [type, args ?? output]),
      [
        ["server_tool_call", { q: 1 }],
        ["server_tool_call_result", { hits: 2 }],
      ],
    );
  }
  assert.equal(mock.asked[0].tools[1].name, "web_search");
});

test("pieces that are not the whole of a call's arguments are completed; a tool of words gets them as `input`", async () => {
  const start = { type: "tool-input-start", id: "c1", toolName: "sql" };
  const call = (input) => ({ type: "tool-call", toolCallId: "c1", toolName: "sql", input });
  const short = [start, { type: "tool-input-delta", id: "c1", delta: '{"a":' }, call('{"a":1}')];
  const words = [
    { ...start, inputEncoding: "text" },
    { type: "tool-input-delta", id: "c1", delta: "SELECT " },
    { type: "tool-input-delta", id: "c1", delta: "1" },
    call('"SELECT 1"'),
  ];
  for (const [pieces, args, input] of [
    [short, { a: 1 }, { a: 1 }],
    [words, { input: "SELECT 1" }, "SELECT 1"],
  ]) {
    const mock = mockOf("v4", [...pieces, text("v4").at(-1)], text("v4"));
    const model = fromAISDK(mock);
    const { content, tool_calls, response_metadata } = await whole(model.stream("hi"));
    assert.deepEqual(tool_calls[0].args, args);
    const kept = JSON.parse(JSON.stringify({ content, tool_calls, response_metadata }));
    await model.invoke([new AIMessage(kept)]);
    assert.deepEqual(mock.asked[1].prompt[0].content.at(-1).input, input);
  }
});

test("arguments of a function that are a text are invalid, as before", async () => {
  const input = JSON.stringify('{"a":1}');
  const call = { type: "tool-call", toolCallId: "c1", toolName: "f", input };
  const f = { type: "function", function: { name: "f", parameters: {} } };
  const model = fromAISDK(mockOf("v4", [call, text("v4").at(-1)])).bindTools([
    f,
    { type: "provider", id: "openai.custom", args: { name: "sql" } },
  ]);
  const { tool_calls, invalid_tool_calls } = await model.invoke("hi", {
    callbacks: [{ handleLLMNewToken() {} }],
  });
  assert.deepEqual([tool_calls.length, invalid_tool_calls.length], [0, 1]);
});

test("v4: what a text cites is an annotation with its place, once", async () => {
  const a = { type: "source", sourceType: "url", id: "1", url: "https://a.example", title: "A" };
  const b = { ...a, id: "2", url: "https://b.example", title: "B" };
  const citations = [{ source: { ...a, id: "9" }, startIndex: 0, endIndex: 5, citedText: "Found" }];
  const content = [{ type: "text", text: "Found.", citations }, a, b];
  const finish = text("v4").at(-1);
  const mock = mockOf("v4", [
    { type: "text-start", id: "t" },
    { type: "text-delta", id: "t", delta: "Found." },
    a,
    b,
    { type: "text-end", id: "t", citations },
    finish,
  ]);
  const streamed = await whole(fromAISDK(mock).stream("hi"));
  mock.doGenerate = async () => ({ ...finish, content, warnings: [] });
  for (const message of [streamed, await fromAISDK(mock).invoke("hi")])
    assert.deepEqual(
      message.content.flatMap(({ annotations }) => annotations ?? []),
      [
        {
          type: "citation",
          url: "https://a.example",
          title: "A",
          startIndex: 0,
          endIndex: 5,
          citedText: "Found",
        },
        { type: "citation", url: "https://b.example", title: "B" },
      ],
    );
});

test("a text does not cite what a tool of the provider found after it", async () => {
  const source = { type: "source", sourceType: "url", id: "1", url: "https://a.example" };
  const search = { toolCallId: "s1", toolName: "web_search", providerExecuted: true };
  const said = (id, delta) => [
    { type: "text-start", id },
    { type: "text-delta", id, delta },
    { type: "text-end", id },
  ];
  const searched = [
    { type: "tool-call", ...search, input: "{}" },
    { type: "tool-result", ...search, result: [] },
  ];
  const finish = text("v3").at(-1);
  const first = said("1", "I'll search.");
  const second = said("2", "It is X.");
  const citedBy = (message) =>
    message.content
      .filter(({ type }) => type === "text")
      .map((block) => [block.text, block.annotations?.length ?? 0]);
  for (const [parts, expected] of [
    [
      [...first, ...searched, source, ...second, finish],
      [
        ["I'll search.", 0],
        ["It is X.", 1],
      ],
    ],
    [
      [...first, ...searched, ...second, source, finish],
      [
        ["I'll search.", 0],
        ["It is X.", 1],
      ],
    ],
    [
      [...first, ...searched, source, finish],
      [
        ["I'll search.", 0],
        ["", 1],
      ],
    ],
    [[...searched, ...first, source, finish], [["I'll search.", 1]]],
  ]) {
    const callbacks = [{ handleLLMNewToken() {} }];
    const message = await fromAISDK(mockOf("v3", parts)).invoke("hi", { callbacks });
    assert.deepEqual(citedBy(message), expected);
    const content = parts.flatMap((part) => {
      if (part.type === "text-delta") return [{ type: "text", text: part.delta }];
      return /^text|finish/.test(part.type) ? [] : [part];
    });
    const mock = mockOf("v3");
    mock.doGenerate = async () => ({ ...finish, content, warnings: [] });
    assert.deepEqual(citedBy(await fromAISDK(mock).invoke("hi")), expected);
  }
});

test("sources that come before the text, or without one, are annotations", async () => {
  const source = { type: "source", sourceType: "url", id: "1", url: "https://a.example" };
  const mock = mockOf("v3", [source, ...text("v3")], [source, text("v3").at(-1)]);
  const model = fromAISDK(mock);
  const annotations = [{ type: "citation", url: "https://a.example" }];
  for (const words of ["Done.", ""]) {
    const { content } = await whole(model.stream("hi"));
    const blocks = content.filter((block) => typeof block !== "string");
    assert.deepEqual(blocks.at(-1).annotations, annotations);
    assert.equal(content.map((block) => block.text ?? block).join(""), words);
    assert.equal(blocks.filter((block) => block.annotations).length, 1);
  }
});

test("a stop of one text, json_object, ids of files, and options of a system text reach the model", async () => {
  const mock = mockOf("v4", text("v4"), text("v4"));
  const model = fromAISDK(mock);
  const providerOptions = { mock: { cacheControl: { type: "ephemeral" } } };
  await model.invoke(
    [
      new SystemMessage({ content: [{ type: "text", text: "Be kind.", providerOptions }] }),
      new HumanMessage({
        content: [{ type: "file", fileId: "file-1", mimeType: "application/pdf" }],
      }),
    ],
    { stop: "END", response_format: { type: "json_object" } },
  );
  const { prompt, stopSequences, responseFormat } = mock.asked[0];
  assert.deepEqual([stopSequences, responseFormat], [["END"], { type: "json" }]);
  assert.deepEqual(prompt[0], { role: "system", content: "Be kind.", providerOptions });
  assert.deepEqual(prompt[1].content[0].data, { type: "reference", reference: { mock: "file-1" } });
  const limited = fromAISDK(mock, { settings: { stopSequences: ["A"] } });
  await limited.invoke("hi");
  assert.deepEqual(mock.asked[1].stopSequences, ["A"]);
});

test("questions of the provider's are not sent back, and files of its thoughts are kept as JSON", async () => {
  const parts = [
    {
      type: "reasoning-file",
      mediaType: "image/png",
      data: { type: "data", data: new Uint8Array([1, 2, 3]) },
    },
    { type: "tool-call", toolCallId: "m1", toolName: "mcp.f", input: "{}", providerExecuted: true },
    { type: "tool-approval-request", approvalId: "a1", toolCallId: "m1" },
    text("v4").at(-1),
  ];
  const mock = mockOf("v4", parts, text("v4"));
  const model = fromAISDK(mock);
  const { content, response_metadata } = await whole(model.stream("hi"));
  assert.equal(content.at(-1).value.approvalId, "a1");
  const kept = JSON.parse(JSON.stringify({ content, response_metadata }));
  await model.invoke([new AIMessage(kept)]);
  const [file, ...rest] = mock.asked[1].prompt[0].content;
  assert.deepEqual(file.data, { type: "data", data: "AQID" });
  assert.deepEqual(
    rest.map(({ type }) => type),
    ["tool-call"],
  );
});

test("@ai-sdk/openai: a schema is strict as the service demands it, or the mode is off", async () => {
  const asked = [];
  const answer = { type: "message", id: "m", role: "assistant", status: "completed" };
  const fetch = async (_, { body }) => {
    asked.push(JSON.parse(body).text.format);
    const content = [{ type: "output_text", text: '{"a":"x","b":null}', annotations: [] }];
    return Response.json({
      id: "r",
      created_at: 0,
      model: "gpt",
      status: "completed",
      output: [{ ...answer, content }],
      usage: { input_tokens: 1, output_tokens: 1 },
    });
  };
  const model = fromAISDK(createOpenAI({ apiKey: "k", fetch })("gpt-6-sol"));
  const properties = { a: { type: "string" }, b: { type: "number" } };
  const schema = { type: "object", properties, required: ["a"] };
  assert.deepEqual(await model.withStructuredOutput(schema).invoke("?"), { a: "x" });
  const { strict, schema: sent } = asked[0];
  assert.equal(strict, true);
  assert.deepEqual(sent, {
    type: "object",
    properties: { a: { type: "string" }, b: { type: ["number", "null"] } },
    required: ["a", "b"],
    additionalProperties: false,
  });
  const open = { type: "object", additionalProperties: true };
  assert.deepEqual(await model.withStructuredOutput(open).invoke("?"), { a: "x", b: null });
  assert.deepEqual([asked[1].strict, asked[1].schema], [false, open]);
});

test("@ai-sdk/openai and @ai-sdk/anthropic: calls side by side are turned off, and a tool's provider options reach it", async () => {
  const asked = [];
  const fetch = async (_, { body }) => {
    asked.push(JSON.parse(body));
    return Response.json({ error: { message: "no" } }, { status: 400 });
  };
  const cacheControl = { type: "ephemeral" };
  const extras = { providerOptions: { anthropic: { cacheControl } } };
  const look = tool(() => "", { name: "look", schema: { type: "object" }, extras });
  const providers = [createOpenAI, createAnthropic].map((create) => create({ apiKey: "k", fetch }));
  for (const provider of providers)
    for (const parallel_tool_calls of [undefined, false, true])
      await assert.rejects(
        fromAISDK(provider("gpt-6-sol"))
          .bindTools([look], { tool_choice: "auto", parallel_tool_calls })
          .invoke("hi"),
      );
  assert.deepEqual(
    asked.slice(0, 3).map((body) => body.parallel_tool_calls),
    [undefined, false, true],
  );
  assert.deepEqual(
    asked.slice(3).map((body) => body.tool_choice?.disable_parallel_tool_use),
    [undefined, true, false],
  );
  assert.deepEqual(asked[3].tools[0].cache_control, cacheControl);
});

test("calls with equal ids, or none, get ids of their own", async () => {
  const call = (toolCallId, n) => ({
    type: "tool-call",
    toolCallId,
    toolName: "t",
    input: `{"n":${n}}`,
  });
  const model = fromAISDK(
    mockOf("v4", [call("1", 1), call("1", 2), call("", 3), text("v4").at(-1)]),
  );
  const { tool_calls } = await whole(model.stream("hi"));
  assert.deepEqual(
    tool_calls.map(({ args }) => args.n),
    [1, 2, 3],
  );
  assert.equal(new Set(tool_calls.map(({ id }) => id)).size, 3);
});

const apiError = (fields) =>
  Object.assign(new Error("busy"), {
    [Symbol.for("vercel.ai.error.AI_APICallError")]: true,
    statusCode: 429,
    isRetryable: true,
    responseHeaders: { "retry-after-ms": "1", "set-cookie": "a=b" },
    responseBody: '{"error":{"message":"busy","type":"rate_limit_error"}}',
    ...fields,
  });

test("a provider's errors are ModelErrors and are tried again as it says", async () => {
  const waits = [];
  const busy = mockOf("v4", apiError(), text("v4"));
  const patient = fromAISDK(busy, { onRetry: ({ delayMs }) => waits.push(delayMs) });
  assert.equal((await patient.invoke("hi")).content, "Done.");
  assert.deepEqual(waits, [1]);
  const refused = fromAISDK(mockOf("v3", apiError({ isRetryable: false, statusCode: 400 })));
  await assert.rejects(whole(refused.stream("hi")), (error) => {
    assert.ok(error instanceof ModelError);
    const { status, code, retryable, headers } = error;
    assert.deepEqual([status, code, retryable], [400, "rate_limit_error", false]);
    assert.deepEqual(headers, { "retry-after-ms": "1" });
    return true;
  });
});

test("an error before anything was said is tried again, with the status that the provider tells", async () => {
  const begun = [
    { type: "stream-start", warnings: [{ type: "other", message: "w" }] },
    { type: "response-metadata", id: "r1", modelId: "m" },
  ];
  const failed = (error) => [...begun, { type: "error", error }];
  const busy = { message: "busy", statusCode: 503, isRetryable: true };
  const overloaded = { type: "overloaded_error", message: "Overloaded" };
  for (const error of [busy, overloaded]) {
    const mock = mockOf("v4", failed(error), [...begun, ...text("v4").slice(1)]);
    const message = await whole(fromAISDK(mock).stream("hi"));
    assert.equal(message.text, "Done.");
    assert.deepEqual([mock.asked.length, message.response_metadata.response_id], [2, "r1"]);
  }
  const { status, retryable } = await whole(
    fromAISDK(mockOf("v4", failed(busy)), { maxRetries: 0 }).stream("hi"),
  ).catch((error) => error);
  assert.deepEqual([status, retryable], [503, true]);
  const responseBody = '{"error":{"message":"no money","type":"insufficient_quota"}}';
  const spent = mockOf("v4", apiError({ responseBody }));
  const error = await fromAISDK(spent)
    .invoke("hi")
    .catch((given) => given);
  assert.deepEqual(
    [error.code, error.retryable, spent.asked.length],
    ["insufficient_quota", false, 1],
  );
});

test("an error in the stream, a stream without an end and unusable parts are ModelErrors; nothing is tried again after a piece", async () => {
  const begun = text("v4").slice(0, 3);
  const cases = [
    [
      [...begun, { type: "error", error: { type: "overloaded_error", message: "busy" } }],
      "overloaded_error",
    ],
    [[...begun, { type: "error", error: "no" }], "STREAM_ERROR"],
    [begun, "STREAM_CUT"],
    [[...begun, "text"], "BAD_ANSWER"],
    [[...begun, { type: "text-delta", id: "1", delta: 7 }], "BAD_ANSWER"],
    [
      Array.from({ length: 9 }, (_, at) => ({
        type: "tool-call",
        toolCallId: `${at}`,
        toolName: "t",
        input: "{}",
      })),
      "TOO_LARGE",
    ],
  ];
  for (const [parts, code] of cases) {
    const mock = mockOf("v4", parts);
    const model = fromAISDK(mock, { maxToolCalls: 8 });
    await assert.rejects(whole(model.stream("hi")), { name: "ModelError", code });
    assert.equal(mock.asked.length, 1);
  }
});

test("an abort ends a call at once and cancels the stream, also of a model that hangs", async () => {
  let cancelled = false;
  const stream = new ReadableStream({
    start: (controller) =>
      text("v4")
        .slice(0, 3)
        .forEach((part) => controller.enqueue(part)),
    cancel: () => void (cancelled = true),
  });
  const mock = new MockLanguageModelV4({ doStream: async () => ({ stream }) });
  const controller = new AbortController();
  const pieces = fromAISDK(mock).stream("hi", { signal: controller.signal });
  await pieces.next();
  setTimeout(() => controller.abort(), 5);
  await assert.rejects(whole(pieces), { name: "AbortError" });
  assert.ok(cancelled);
  const silent = new MockLanguageModelV4({ doStream: () => new Promise(() => {}) });
  const hanging = fromAISDK(silent, { timeout: 10, maxRetries: 0 });
  await assert.rejects(whole(hanging.stream("hi")), { name: "ModelError", code: "TIMEOUT" });
});

test("what is no language model, and a block that none takes, are refused before a request", async () => {
  assert.throws(() => fromAISDK({ specificationVersion: "v9", doStream() {} }), {
    code: "BAD_ARGUMENT",
  });
  const mock = mockOf("v4", text("v4"));
  await assert.rejects(fromAISDK(mock).invoke([new HumanMessage([{ type: "smell", data: "x" }])]), {
    name: "TypeError",
    message: 'Message 0 has a block "smell", which a model of the AI SDK cannot take',
  });
  assert.equal(mock.asked.length, 0);
});

test("a file's address goes to a model that takes it; else the file is loaded, within a limit", async () => {
  const url = "https://a.example/b.png";
  const file = new HumanMessage([{ type: "image", url }]);
  const loads = [];
  const fetch = async (address) => {
    loads.push(String(address));
    return new Response(new Uint8Array([1, 2, 3]), { headers: { "content-type": "image/png" } });
  };
  const ask = async (version, supportedUrls, options) => {
    const mock = mockOf(version, text(version));
    Object.defineProperty(mock, "supportedUrls", { value: supportedUrls });
    await fromAISDK(mock, { fetch, ...options }).invoke([file]);
    return mock.asked[0].prompt[0].content[0];
  };
  const taken = await ask("v4", Promise.resolve({ "image/*": [/^https:/] }));
  assert.deepEqual([String(taken.data.url), loads], [url, []]);
  const loaded = await ask("v4", { "image/*": [/^https:\/\/other/] });
  assert.deepEqual([loaded.data, loaded.mediaType], [{ type: "data", data: "AQID" }, "image/png"]);
  assert.equal((await ask("v2", {})).data, "AQID");
  assert.deepEqual(loads, [url, url]);
  await assert.rejects(ask("v3", {}, { maxFileBytes: 2 }), /has more than 2 bytes/);
});

/** A fetch that answers with these events. */
function fetchOf(...answers) {
  const requests = [];
  const fetch = async (url, init) => {
    requests.push({ url: String(url), body: JSON.parse(init.body) });
    const events = answers.shift();
    const body = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    return new Response(body.join(""), { headers: { "content-type": "text/event-stream" } });
  };
  return { fetch, requests };
}

const last = (messages) => messages[messages.length - 1];

test("@ai-sdk/anthropic: a thinking block and its signature go back as they came", async () => {
  const usage = {
    input_tokens: 20,
    output_tokens: 1,
    cache_read_input_tokens: 5,
    cache_creation_input_tokens: 0,
  };
  const block = (index, content_block, ...deltas) => [
    { type: "content_block_start", index, content_block },
    ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
    { type: "content_block_stop", index },
  ];
  const answer = [
    {
      type: "message_start",
      message: {
        id: "msg_1",
        type: "message",
        role: "assistant",
        model: "claude-sonnet-4-5",
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage,
      },
    },
    ...block(
      0,
      { type: "thinking", thinking: "", signature: "" },
      { type: "thinking_delta", thinking: "Hm" },
      { type: "thinking_delta", thinking: "m." },
      { type: "signature_delta", signature: "EqQB+/=" },
    ),
    ...block(
      1,
      { type: "tool_use", id: "toolu_1", name: "weather", input: {} },
      { type: "input_json_delta", partial_json: '{"city":' },
      { type: "input_json_delta", partial_json: '"Oslo"}' },
    ),
    {
      type: "message_delta",
      delta: { stop_reason: "tool_use", stop_sequence: null },
      usage: { output_tokens: 48 },
    },
    { type: "message_stop" },
  ];
  const { fetch, requests } = fetchOf(answer, answer);
  const model = fromAISDK(createAnthropic({ apiKey: "sk-test", fetch })("claude-sonnet-4-5"));
  const message = await whole(model.stream("Weather?"));
  const { input_tokens, output_tokens, input_token_details } = message.usage_metadata;
  assert.deepEqual([input_tokens, output_tokens, input_token_details.cache_read], [25, 48, 5]);
  assert.deepEqual(message.tool_calls[0].args, { city: "Oslo" });
  const result = new ToolMessage({ tool_call_id: "toolu_1", content: "4 °C" });
  await whole(model.stream([new HumanMessage("Weather?"), message, result]));
  const [, assistant, user] = requests[1].body.messages;
  assert.deepEqual(assistant.content[0], {
    type: "thinking",
    thinking: "Hmm.",
    signature: "EqQB+/=",
  });
  assert.deepEqual(assistant.content[1].input, { city: "Oslo" });
  assert.equal(last(user.content).tool_use_id, "toolu_1");
});

test("@ai-sdk/openai: encrypted reasoning and ids of items go back as they came", async () => {
  const item = (output_index, added, done, ...between) => [
    { type: "response.output_item.added", output_index, item: added },
    ...between,
    { type: "response.output_item.done", output_index, item: { ...added, ...done } },
  ];
  const usage = {
    input_tokens: 34,
    input_tokens_details: { cached_tokens: 4 },
    output_tokens: 20,
    output_tokens_details: { reasoning_tokens: 8 },
  };
  const response = { id: "resp_1", created_at: 1, model: "gpt-5", service_tier: null };
  const answer = [
    { type: "response.created", response },
    ...item(0, { type: "reasoning", id: "rs_1", summary: [] }, { encrypted_content: "gAAAA+/=" }),
    ...item(
      1,
      {
        type: "function_call",
        id: "fc_1",
        call_id: "call_1",
        name: "weather",
        arguments: "",
        status: "in_progress",
      },
      { arguments: '{"city":"Oslo"}', status: "completed" },
      {
        type: "response.function_call_arguments.delta",
        item_id: "fc_1",
        output_index: 1,
        delta: '{"city":"Oslo"}',
      },
    ),
    { type: "response.completed", response: { ...response, usage } },
  ];
  const { fetch, requests } = fetchOf(answer, answer);
  const provider = createOpenAI({ apiKey: "sk-test", fetch });
  const options = {
    providerOptions: { openai: { store: false, include: ["reasoning.encrypted_content"] } },
  };
  const model = fromAISDK(provider.responses("gpt-5"), options);
  const message = await whole(model.stream("Weather?"));
  const { input_tokens, output_tokens, output_token_details } = message.usage_metadata;
  assert.deepEqual([input_tokens, output_tokens, output_token_details.reasoning], [34, 20, 8]);
  const result = new ToolMessage({ tool_call_id: "call_1", content: "4 °C" });
  await whole(model.stream([new HumanMessage("Weather?"), message, result]));
  const { input } = requests[1].body;
  const sent = input.find(({ type }) => type === "reasoning");
  assert.equal(sent.encrypted_content, "gAAAA+/=");
  assert.equal(input.find(({ type }) => type === "function_call").call_id, "call_1");
});

test("@ai-sdk/google: the signature of a call goes back as it came", async () => {
  const chunk = (parts, more) => ({
    candidates: [{ content: { parts, role: "model" }, index: 0, ...more }],
  });
  const call = {
    functionCall: { name: "weather", args: { city: "Oslo" } },
    thoughtSignature: "EpUD+/=",
  };
  const usageMetadata = {
    promptTokenCount: 63,
    candidatesTokenCount: 15,
    totalTokenCount: 215,
    thoughtsTokenCount: 137,
  };
  const answer = [
    chunk([call]),
    { ...chunk([{ text: "" }], { finishReason: "STOP" }), usageMetadata },
  ];
  const { fetch, requests } = fetchOf(answer, answer);
  const model = fromAISDK(createGoogle({ apiKey: "k-test", fetch })("gemini-3-pro-preview"));
  const message = await whole(model.stream("Weather?"));
  const { input_tokens, output_tokens } = message.usage_metadata;
  assert.deepEqual([input_tokens, output_tokens], [63, 152]);
  const [{ id }] = message.tool_calls;
  await whole(
    model.stream([
      new HumanMessage("Weather?"),
      message,
      new ToolMessage({ tool_call_id: id, content: "4" }),
    ]),
  );
  const sent = requests[1].body.contents[1].parts[0];
  assert.deepEqual([sent.functionCall.args, sent.thoughtSignature], [{ city: "Oslo" }, "EpUD+/="]);
});

test("a program that does not import the adapter is told to", async () => {
  const program = `
    import { createReactAgent } from "weftgraph/prebuilt";
    const llm = { specificationVersion: "v3", doStream() {}, doGenerate() {} };
    const agent = createReactAgent({ llm, tools: [] });
    console.log(await agent.invoke({ messages: "hi" }).catch((error) => error.message));`;
  const { stdout } = await promisify(execFile)(process.execPath, [
    "--input-type=module",
    "--eval",
    program,
  ]);
  assert.match(stdout, /import "weftgraph\/models\/ai-sdk"/);
});
