// SPDX-License-Identifier: MIT
// Serves: ChatAnthropicMessages against the published clients of the same service: the same bytes
// in give the same text, calls, stop and usage; the same messages in give the same request. Where a
// client is known to be wrong, the case says so. And against a mock of the service by others.
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { createAnthropic } from "@ai-sdk/anthropic";
import Anthropic from "@anthropic-ai/sdk";
import { transformJSONSchema } from "@anthropic-ai/sdk/lib/transform-json-schema";
import { LLMock } from "@copilotkit/aimock";
import { ChatAnthropic } from "@langchain/anthropic";
import * as core from "@langchain/core/messages";
import { ChatAnthropicMessages, ModelError } from "weftgraph/models/anthropic";
import { begin, call, end, scripted, sse, start, stop, text, thinking } from "./anthropic-wire.mjs";

const MODEL = "claude-sonnet-5";
const RECORDED = join(process.env.WEFT_TEST_DATA ?? "../shared/data", "model-streams/anthropic");
const recorded = existsSync(RECORDED) ? readdirSync(RECORDED) : [];
const skip = recorded.length > 0 ? false : `${RECORDED} is not there`;

/** What all clients can say about an answer. */
const sorted = (calls) => calls.map(({ name, args }) => [name, args]);
const clients = {
  async ours(fetch, isStream) {
    const model = new ChatAnthropicMessages({ model: MODEL, apiKey: "k", fetch, maxRetries: 0 });
    const message = await (isStream ? joined(model.stream("hi")) : model.invoke("hi"));
    assert.deepEqual(message.invalid_tool_calls, []);
    return {
      text: message.text,
      calls: sorted(message.tool_calls),
      stop: message.response_metadata.stop_reason,
      usage: [message.usage_metadata.input_tokens, message.usage_metadata.output_tokens],
    };
  },
  async "@anthropic-ai/sdk"(fetch, isStream) {
    const { messages } = new Anthropic({ apiKey: "k", fetch, maxRetries: 0 });
    const asking = { model: MODEL, max_tokens: 9, messages: [{ role: "user", content: "hi" }] };
    const { content, stop_reason, usage } = await (isStream
      ? messages.stream(asking).finalMessage()
      : messages.create(asking));
    const cached = (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0);
    return {
      text: content.map((block) => (block.type === "text" ? block.text : "")).join(""),
      calls: content
        .filter(({ type }) => type === "tool_use")
        .map(({ name, input }) => [name, input]),
      stop: stop_reason,
      usage: [usage.input_tokens + cached, usage.output_tokens],
    };
  },
  async "@ai-sdk/anthropic"(fetch, isStream) {
    const model = createAnthropic({ apiKey: "k", fetch })(MODEL);
    const prompt = [{ role: "user", content: [{ type: "text", text: "hi" }] }];
    const parts = [];
    if (isStream)
      for await (const part of (await model.doStream({ prompt })).stream) parts.push(part);
    const answer = isStream ? parts.at(-1) : await model.doGenerate({ prompt });
    const failed = parts.find(({ type }) => type === "error");
    if (failed !== undefined) throw failed.error;
    const said = isStream ? parts : answer.content;
    return {
      text: said
        .map(({ type, delta: piece, text: whole }) =>
          type === "text-delta" ? piece : type === "text" ? whole : "",
        )
        .join(""),
      calls: said
        .filter(({ type, providerExecuted }) => type === "tool-call" && !providerExecuted)
        .map(({ toolName, input }) => [toolName, JSON.parse(input)]),
      stop: answer.finishReason.raw,
      usage: [answer.usage.inputTokens.total, answer.usage.outputTokens.total],
    };
  },
  async "@langchain/anthropic"(fetch, isStream) {
    const model = new ChatAnthropic({
      model: MODEL,
      apiKey: "k",
      maxRetries: 0,
      clientOptions: { fetch },
    });
    const message = await (isStream ? joined(await model.stream("hi")) : model.invoke("hi"));
    const { usage_metadata: usage, additional_kwargs, response_metadata } = message;
    return {
      text: message.text,
      calls: sorted(message.tool_calls),
      stop: response_metadata.stop_reason ?? additional_kwargs.stop_reason,
      // Its streams add up counts that are cumulative: 7 + 48 = 55.
      usage: isStream ? undefined : [usage.input_tokens, usage.output_tokens],
    };
  },
};

async function joined(pieces) {
  let message;
  for await (const chunk of pieces) message = message === undefined ? chunk : message.concat(chunk);
  return message;
}

/** Compares the clients on one answer; `excepted` are known to be wrong about it. */
async function compare(what, make, isStream, excepted = []) {
  const [ours, ...peers] = Object.entries(clients);
  const expected = await ours[1](scripted(make), isStream);
  for (const [name, client] of peers) {
    if (excepted.includes(name)) continue;
    const got = await client(scripted(make), isStream);
    const { usage = expected.usage } = got;
    assert.deepEqual({ ...got, usage }, expected, `${what}, ${name}`);
  }
  return expected;
}

const cached = { input_tokens: 7, cache_read_input_tokens: 100, cache_creation_input_tokens: 20 };
const ANSWERS = {
  text: [start(), ...text(0, "Zü", "rich 🧵"), ...end()],
  "reasoning, text and calls": [
    start({ ...cached, output_tokens: 7 }),
    ...thinking(0, "EqQB==", "Let me ", "see."),
    begin(1, { type: "redacted_thinking", data: "opaque==" }),
    stop(1),
    ...text(2, "I look ", "at both."),
    ...call(3, "toolu_1", "weather", '{"ci', 'ty":"Oslo"}'),
    ...call(4, "toolu_2", "time"),
    ...end("tool_use", { output_tokens: 48 }),
  ],
  "counts that are corrected at the end": [
    start({ input_tokens: 43, output_tokens: 1 }),
    ...text(0, "pong"),
    ...end("max_tokens", { input_tokens: 61, output_tokens: 2 }),
  ],
  "an event that nobody knows": [
    start(),
    { type: "ping" },
    { type: "novelty", data: 1 },
    ...text(0, "Hi"),
    ...end("stop_sequence", { output_tokens: 3 }),
  ],
};

/** Who fails on an answer that the service's documentation allows. */
const WRONG = { "an event that nobody knows": ["@ai-sdk/anthropic"] };

for (const [what, events] of Object.entries(ANSWERS))
  test(`${what}: all clients read the same of the same bytes, streamed and whole`, async () => {
    await compare(what, events, true, WRONG[what]);
    await compare(what, events, false);
  });

/** The events of the first answer in a recording. */
function firstAnswer(name) {
  const events = readFileSync(join(RECORDED, name), "utf8").trim().split("\n").map(JSON.parse);
  return events.slice(0, events.findIndex(({ type }) => type === "message_stop") + 1);
}

test("recorded streams: all clients read the same, and so do ours of each cut", {
  skip,
}, async () => {
  const names = recorded.filter((name) => name.endsWith(".chunks.txt"));
  assert.ok(names.length > 8);
  for (const name of names) {
    const events = firstAnswer(name);
    const expected = await compare(name, events, true);
    const bytes = new TextEncoder().encode(sse(events));
    for (const size of [1, 5, 4096]) {
      const pieces = new ReadableStream({
        start(controller) {
          for (let at = 0; at < bytes.length; at += size)
            controller.enqueue(bytes.slice(at, at + size));
          controller.close();
        },
      });
      const headers = { "content-type": "text/event-stream" };
      const got = await clients.ours(scripted(new Response(pieces, { headers })), true);
      assert.deepEqual(got, expected, `${name} in pieces of ${size}`);
    }
  }
});

test("recorded whole answers: all clients read the same", { skip }, async () => {
  const names = recorded.filter((name) => name.endsWith(".json"));
  assert.ok(names.length > 8);
  for (const name of names) {
    const body = readFileSync(join(RECORDED, name), "utf8");
    const headers = { "content-type": "application/json" };
    await compare(name, () => new Response(body, { headers }), false);
  }
});

test("recorded answers go back as the official client would send them: block by block as they came", {
  skip,
}, async () => {
  const chunks = recorded.filter((name) => name.endsWith(".chunks.txt"));
  for (const name of chunks) {
    const fetch = scripted(firstAnswer(name), ANSWERS.text);
    const model = new ChatAnthropicMessages({ model: MODEL, fetch, maxRetries: 0 });
    const message = await model.invoke("hi", { callbacks: [{ handleLLMNewToken() {} }] });
    await model.invoke([message]);
    const client = new Anthropic({
      apiKey: "k",
      fetch: scripted(firstAnswer(name)),
      maxRetries: 0,
    });
    const asking = { model: MODEL, max_tokens: 9, messages: [{ role: "user", content: "hi" }] };
    // Its stable part loses the arguments of MCP tools.
    const { content } = await client.beta.messages.stream(asking).finalMessage();
    const sent = fetch.asked[1].body.messages[0].content;
    const plain = (block) => JSON.parse(JSON.stringify(block));
    if (sent.length === 1 && sent[0].type === "text")
      assert.equal(sent[0].text, content.map((block) => block.text).join(""));
    else
      assert.deepEqual(
        sent,
        content.map(plain).filter(({ text: said }) => said !== ""),
        name,
      );
  }
});

// ---- requests

const PNG = "iVBORw0KGgo=";
const WEATHER = {
  name: "weather",
  description: "Says the weather",
  schema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
};
const signed = { type: "thinking", thinking: "Let me see.", signature: "EqQB==" };
const use = (id, input) => ({ type: "tool_use", id, name: "weather", input });
const own = { response_metadata: { model_provider: "anthropic" } };
const toolCall = (id, city) => ({ id, name: "weather", args: { city }, type: "tool_call" });
/** Conversations in LangChain's messages. */
const CONVERSATIONS = {
  "system text and turns": [
    new core.SystemMessage("Be kind."),
    new core.HumanMessage("hi"),
    new core.AIMessage("Hello."),
    new core.HumanMessage("and?"),
  ],
  "a marked system text": [
    new core.SystemMessage({
      content: [{ type: "text", text: "Be kind.", cache_control: { type: "ephemeral" } }],
    }),
    new core.HumanMessage("hi"),
  ],
  "pictures in three forms": [
    new core.HumanMessage({
      content: [
        { type: "text", text: "see" },
        { type: "image_url", image_url: { url: `data:image/png;base64,${PNG}` } },
        { type: "image_url", image_url: "https://a.example/a.png" },
        { type: "image", source: { type: "base64", media_type: "image/png", data: PNG } },
      ],
    }),
  ],
  "calls and results": [
    new core.HumanMessage("Weather?"),
    new core.AIMessage({
      content: [
        signed,
        { type: "text", text: "I look." },
        use("toolu_1", { city: "Oslo" }),
        use("toolu_2", { city: "Bergen" }),
      ],
      tool_calls: [toolCall("toolu_1", "Oslo"), toolCall("toolu_2", "Bergen")],
      ...own,
    }),
    new core.ToolMessage({ tool_call_id: "toolu_1", content: "4 °C" }),
    new core.ToolMessage({
      tool_call_id: "toolu_2",
      content: [{ type: "text", text: "5 °C" }],
      // LangChain's client tells the service nothing of it.
      status: "error",
    }),
    new core.HumanMessage("thanks"),
  ],
  "calls of another model": [
    new core.HumanMessage("Weather?"),
    new core.AIMessage({ content: "", tool_calls: [toolCall("call_1", "Oslo")] }),
    new core.ToolMessage({ tool_call_id: "call_1", content: "4 °C" }),
  ],
};

/** One form of a request's messages: contents as lists, turns of one role joined. */
function turnsOf({ messages }) {
  const turns = [];
  for (const { role, content } of messages) {
    const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
    const plain = blocks.map(({ is_error: _told, ...block }) => block);
    if (turns.at(-1)?.role === role) turns.at(-1).content.push(...plain);
    else turns.push({ role, content: plain });
  }
  return turns;
}
const fieldsOf = ({ messages: _messages, stream: _stream, ...fields }) => fields;

for (const [what, messages] of Object.entries(CONVERSATIONS))
  test(`${what}: LangChain's messages give the request that LangChain's client sends`, async () => {
    const requests = [];
    for (const make of [
      (fetch) => new ChatAnthropicMessages({ model: MODEL, apiKey: "k", fetch }),
      (fetch) => new ChatAnthropic({ model: MODEL, apiKey: "k", clientOptions: { fetch } }),
    ]) {
      const fetch = scripted(ANSWERS.text);
      const tool = { type: "function", function: { ...WEATHER, parameters: WEATHER.schema } };
      delete tool.function.schema;
      const model = make(fetch).bindTools([tool], { tool_choice: "auto" });
      await model.invoke(messages, { stop: ["."] });
      requests.push(fetch.asked[0].body);
    }
    const [ours, theirs] = requests;
    assert.deepEqual(turnsOf(ours), turnsOf(theirs));
    assert.deepEqual(fieldsOf(ours), fieldsOf(theirs));
  });

test("a conversation with reasoning, calls, a failed result, a picture and a PDF gives the request that the AI SDK's client sends", async () => {
  const fetches = [scripted(ANSWERS.text), scripted(ANSWERS.text)];
  const schema = {
    type: "object",
    properties: { n: { type: "integer" } },
    required: ["n"],
    additionalProperties: false,
  };
  const ours = new ChatAnthropicMessages({
    model: MODEL,
    apiKey: "k",
    fetch: fetches[0],
    maxTokens: 500,
    stopSequences: ["."],
  });
  const asking = ours.withConfig({
    response_format: { type: "json_schema", json_schema: { schema } },
  });
  await asking.invoke([
    new core.SystemMessage("Be kind."),
    new core.HumanMessage({
      content: [
        { type: "text", text: "Weather?" },
        { type: "image", mimeType: "image/png", data: PNG },
        { type: "file", mimeType: "application/pdf", data: "JVBERi0=", filename: "a.pdf" },
      ],
    }),
    new core.AIMessage({
      content: [signed, { type: "text", text: "I look." }],
      tool_calls: [toolCall("toolu_1", "Oslo"), toolCall("toolu_2", "Bergen")],
      ...own,
    }),
    new core.ToolMessage({ tool_call_id: "toolu_1", content: "4 °C" }),
    new core.ToolMessage({ tool_call_id: "toolu_2", content: "no", status: "error" }),
    new core.HumanMessage("thanks"),
  ]);
  const input = (city) => ({ city });
  const result = (toolCallId, type, value) => ({
    type: "tool-result",
    toolCallId,
    toolName: "weather",
    output: { type, value },
  });
  const theirs = createAnthropic({ apiKey: "k", fetch: fetches[1] })(MODEL);
  const file = (mediaType, data, filename) => ({
    type: "file",
    mediaType,
    data: { type: "data", data },
    filename,
  });
  await theirs.doGenerate({
    maxOutputTokens: 500,
    stopSequences: ["."],
    responseFormat: { type: "json", schema },
    prompt: [
      { role: "system", content: "Be kind." },
      {
        role: "user",
        content: [
          { type: "text", text: "Weather?" },
          file("image/png", PNG),
          file("application/pdf", "JVBERi0=", "a.pdf"),
        ],
      },
      {
        role: "assistant",
        content: [
          {
            type: "reasoning",
            text: signed.thinking,
            providerOptions: { anthropic: { signature: signed.signature } },
          },
          { type: "text", text: "I look." },
          { type: "tool-call", toolCallId: "toolu_1", toolName: "weather", input: input("Oslo") },
          { type: "tool-call", toolCallId: "toolu_2", toolName: "weather", input: input("Bergen") },
        ],
      },
      {
        role: "tool",
        content: [result("toolu_1", "text", "4 °C"), result("toolu_2", "error-text", "no")],
      },
      { role: "user", content: [{ type: "text", text: "thanks" }] },
    ],
  });
  const [[one], [two]] = fetches.map(({ asked }) => asked);
  assert.deepEqual(one.body.messages, two.body.messages);
  const { system: words, ...fields } = fieldsOf(one.body);
  const { system: blocks, ...others } = fieldsOf(two.body);
  assert.deepEqual([[{ type: "text", text: words }], fields], [blocks, others]);
});

/** Draws schemas of what people write, and of what the service does not take. */
function drawSchema(random, depth = 0) {
  const pick = (list) => list[Math.floor(random() * list.length)];
  const maybe = (fields) => (random() < 0.3 ? fields : {});
  const common = {
    ...maybe({ description: "words" }),
    ...maybe({ title: "T" }),
    ...maybe({ default: null }),
  };
  const kind = pick(
    depth > 3
      ? ["string", "number", "enum"]
      : ["string", "number", "enum", "array", "object", "any", "all", "ref"],
  );
  const inner = () => drawSchema(random, depth + 1);
  switch (kind) {
    case "string":
      return {
        type: "string",
        ...common,
        ...maybe({ format: pick(["date", "uuid", "regex"]) }),
        ...maybe({ minLength: 1, pattern: "a" }),
      };
    case "number":
      return { type: pick(["number", "integer"]), ...common, ...maybe({ minimum: 1 }) };
    case "enum":
      return {
        ...common,
        ...pick([{ enum: ["a", 1] }, { const: "a" }, { type: "string", enum: ["a"] }]),
      };
    case "array":
      return {
        type: "array",
        items: inner(),
        ...common,
        ...maybe({ minItems: pick([0, 1, 2]) }),
        ...maybe({ maxItems: 3, uniqueItems: true }),
      };
    case "object":
      return {
        type: "object",
        properties: { a: inner(), b: inner() },
        required: ["a"],
        ...common,
        ...maybe({ additionalProperties: pick([true, false]) }),
        ...maybe({ minProperties: 1 }),
        ...maybe({ $defs: { d: inner() } }),
      };
    case "any":
      return { [pick(["anyOf", "oneOf"])]: [inner(), inner()], ...common };
    case "all":
      return { allOf: [inner()], ...common };
    default:
      return { $ref: "#/$defs/d", ...common };
  }
}

test("schemas of structured output are rewritten as the official client rewrites them", async () => {
  let seed = 7;
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  const fetch = scripted(ANSWERS.text);
  const model = new ChatAnthropicMessages({ model: MODEL, fetch });
  // What is not taken is told in an order of its own.
  const words = (schema) =>
    JSON.parse(JSON.stringify(schema), (key, value) =>
      key === "description" ? [...value].sort().join("") : value,
    );
  for (let count = 0; count < 300; count++) {
    const schema = drawSchema(random);
    const response_format = { type: "json_schema", json_schema: { name: "x", schema } };
    await model.invoke("hi", { response_format });
    const { format } = fetch.asked.at(-1).body.output_config;
    const expected = transformJSONSchema(structuredClone(schema));
    assert.deepEqual(words(format.schema), words(expected), JSON.stringify(schema));
  }
});

// ---- a mock of the service

const mock = new LLMock({ port: 0 });
before(async () => {
  mock.on({ userMessage: "hello" }, { content: "Hello there." });
  mock.on(
    { userMessage: "think" },
    { content: "Done.", reasoning: "Let me see.", reasoningSignature: "sig==" },
  );
  mock.on(
    { userMessage: "weather" },
    {
      toolCalls: [
        { id: "toolu_1", name: "weather", arguments: '{"city":"Oslo"}' },
        { id: "toolu_2", name: "weather", arguments: '{"city":"Bergen"}' },
      ],
    },
  );
  mock.on(
    { userMessage: "busy" },
    { error: { message: "slow down", type: "rate_limit_error" }, status: 429, retryAfter: 1 },
  );
  await mock.start();
});
after(() => mock.stop());

test("over HTTP, against a mock of the service: text, reasoning, calls, a refusal", async () => {
  const model = new ChatAnthropicMessages({
    model: MODEL,
    apiKey: "k",
    baseURL: mock.url,
    maxRetries: 0,
  });
  for (const ask of [(input) => joined(model.stream(input)), (input) => model.invoke(input)]) {
    assert.equal((await ask("hello")).text, "Hello there.");
    const { content } = await ask("think");
    const [{ type, thinking: reasoning, signature }] = content;
    assert.deepEqual([type, reasoning, signature], ["thinking", "Let me see.", "sig=="]);
    assert.deepEqual(sorted((await ask("weather")).tool_calls), [
      ["weather", { city: "Oslo" }],
      ["weather", { city: "Bergen" }],
    ]);
    await assert.rejects(ask("busy"), (error) => {
      assert.ok(error instanceof ModelError);
      const { status, code, retryable, retryAfterMs } = error;
      assert.deepEqual(
        [status, code, retryable, retryAfterMs],
        [429, "rate_limit_error", true, 1000],
      );
      return true;
    });
  }
});
