// SPDX-License-Identifier: MIT
// Compares ChatOpenAICompatible with the published clients of chat completions, each over the same
// fetch: the same bytes give the same text, reasoning, calls, end and usage; the same messages give
// the same request, but for the differences that are named here. Then against aimock's server.
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { LLMock } from "@copilotkit/aimock";
import { ChatOpenAI } from "@langchain/openai";
import * as core from "@langchain/core/messages";
import OpenAI from "openai";
import { ChatOpenAICompatible, ModelError } from "weftgraph/models/openai";
import { createReactAgent } from "weftgraph/prebuilt";
import { tool } from "weftgraph/tools";

const MODEL = "gpt-4.1";
const BASE = "https://api.example/v1";
const PNG = "iVBORw0KGgo=";
const PROMPT = [{ role: "user", content: [{ type: "text", text: "hi" }] }];

/** Returns a `fetch` that gives this body, and keeps the requests in `asked`. */
function serving(body) {
  const asked = [];
  const fetch = async (url, { headers, body: sent }) => {
    asked.push({
      url: String(url),
      headers: Object.fromEntries(new Headers(headers)),
      body: JSON.parse(sent),
    });
    const type = typeof body === "string" ? "text/event-stream" : "application/json";
    const text = typeof body === "string" ? body : JSON.stringify(body);
    return new Response(text, { headers: { "content-type": type } });
  };
  return Object.assign(fetch, { asked });
}

const sse = (events) =>
  [...events.map((event) => JSON.stringify(event)), "[DONE]"]
    .map((data) => `data: ${data}\n\n`)
    .join("");

const weft = (fetch, options) =>
  new ChatOpenAICompatible({
    model: MODEL,
    apiKey: "k",
    baseURL: BASE,
    fetch,
    maxRetries: 0,
    ...options,
  });
const official = (fetch) => new OpenAI({ apiKey: "k", baseURL: BASE, fetch, maxRetries: 0 });
const aiSdk = (fetch, options) =>
  createOpenAICompatible({
    name: "example",
    apiKey: "k",
    baseURL: BASE,
    fetch,
    includeUsage: true,
    ...options,
  }).chatModel(MODEL);
const langChain = (fetch, options) =>
  new ChatOpenAI({
    model: MODEL,
    apiKey: "k",
    maxRetries: 0,
    configuration: { fetch, baseURL: BASE },
    ...options,
  });

async function joined(pieces) {
  let message;
  for await (const chunk of pieces) message = message === undefined ? chunk : message.concat(chunk);
  return message;
}

// ---- the same bytes

/** `refusal` and `reasoning` are left out where a client does not tell them. */
const clients = {
  async ours(fetch, isStream) {
    const model = weft(fetch);
    const message = await (isStream ? joined(model.stream("hi")) : model.invoke("hi"));
    assert.deepEqual(message.invalid_tool_calls, []);
    const { additional_kwargs, response_metadata, usage_metadata: usage } = message;
    return {
      text: message.text,
      reasoning: additional_kwargs.reasoning_content ?? "",
      refusal: additional_kwargs.refusal ?? "",
      calls: message.tool_calls.map(({ id, name, args }) => [id, name, args]),
      stop: response_metadata.finish_reason,
      input: usage?.input_tokens ?? 0,
      output: usage?.output_tokens ?? 0,
      cached: usage?.input_token_details?.cache_read ?? 0,
      thought: usage?.output_token_details?.reasoning ?? 0,
    };
  },
  async openai(fetch, isStream) {
    const { completions } = official(fetch).chat;
    const asking = { model: MODEL, messages: [{ role: "user", content: "hi" }] };
    const { choices, usage } = await (isStream
      ? completions.stream(asking).finalChatCompletion()
      : completions.create(asking));
    const [{ message, finish_reason }] = choices;
    return {
      text: message.content ?? "",
      refusal: message.refusal ?? "",
      calls: (message.tool_calls ?? []).map(({ id, function: called }) => [
        id,
        called.name,
        JSON.parse(called.arguments || "{}"),
      ]),
      stop: finish_reason,
      input: usage?.prompt_tokens ?? 0,
      output: usage?.completion_tokens ?? 0,
      cached: usage?.prompt_tokens_details?.cached_tokens ?? 0,
      thought: usage?.completion_tokens_details?.reasoning_tokens ?? 0,
    };
  },
  async "@ai-sdk/openai-compatible"(fetch, isStream) {
    const model = aiSdk(fetch);
    const parts = [];
    if (isStream)
      for await (const part of (await model.doStream({ prompt: PROMPT })).stream) parts.push(part);
    const answer = isStream ? parts.at(-1) : await model.doGenerate({ prompt: PROMPT });
    const failed = parts.find(({ type }) => type === "error");
    if (failed !== undefined) throw failed.error;
    const said = isStream ? parts : answer.content;
    const wordsOf = (kind) =>
      said
        .filter(({ type }) => type === kind || type === `${kind}-delta`)
        .map(({ delta, text }) => delta ?? text)
        .join("");
    const { inputTokens, outputTokens } = answer.usage;
    return {
      // A refusal is text for it.
      text: wordsOf("text"),
      reasoning: wordsOf("reasoning"),
      calls: said
        .filter(({ type }) => type === "tool-call")
        .map(({ toolCallId, toolName, input }) => [
          toolCallId,
          toolName,
          JSON.parse(input || "{}"),
        ]),
      stop: answer.finishReason.raw,
      input: inputTokens.total ?? 0,
      output: outputTokens.total ?? 0,
      cached: inputTokens.cacheRead ?? 0,
      thought: outputTokens.reasoning ?? 0,
    };
  },
  async "@langchain/openai"(fetch, isStream) {
    const model = langChain(fetch);
    const message = await (isStream ? joined(await model.stream("hi")) : model.invoke("hi"));
    const { response_metadata, usage_metadata: usage } = message;
    return {
      text: message.text,
      calls: message.tool_calls.map(({ id, name, args }) => [id, name, args]),
      stop: response_metadata.finish_reason,
      input: usage?.input_tokens ?? 0,
      output: usage?.output_tokens ?? 0,
      cached: usage?.input_token_details?.cache_read ?? 0,
      thought: usage?.output_token_details?.reasoning ?? 0,
    };
  },
};

/**
 * Compares the clients on one body; `excepted`: what a client is known to read in another way.
 * @param {string} what @param {string | object} body text if it is a stream
 * @param {Record<string, string[]>} [excepted] fields by client
 */
async function compare(what, body, excepted = {}) {
  const isStream = typeof body === "string";
  const { ours, ...peers } = clients;
  const expected = await ours(serving(body), isStream);
  for (const [name, client] of Object.entries(peers)) {
    const got = await client(serving(body), isStream);
    for (const field of excepted[name] ?? []) delete got[field];
    assert.deepEqual({ ...expected, ...got }, expected, `${what}, ${name}`);
  }
  return expected;
}

const envelope = (object) => ({ id: "chatcmpl-1", object, created: 1, model: MODEL });
const USAGE = {
  prompt_tokens: 120,
  completion_tokens: 48,
  total_tokens: 168,
  prompt_tokens_details: { cached_tokens: 100 },
  completion_tokens_details: { reasoning_tokens: 30 },
};

/** An answer in chunks, piece by piece as they are given; the calls' pieces alternate. */
function chunksOf({ reasoning = [], content = [], refusal = [], calls = [], stop, usage }) {
  const begun = calls.map(({ id, name }, index) => [
    { index, id, type: "function", function: { name, arguments: "" } },
  ]);
  const most = Math.max(0, ...calls.map(({ args }) => args.length));
  for (let at = 0; at < most; at++)
    begun.push(
      calls.flatMap(({ args }, index) =>
        at < args.length ? [{ index, function: { arguments: args[at] } }] : [],
      ),
    );
  const deltas = [
    { role: "assistant", content: "", refusal: null },
    ...reasoning.map((reasoning_content) => ({ reasoning_content })),
    ...content.map((text) => ({ content: text })),
    ...refusal.map((text) => ({ refusal: text })),
    ...begun.map((tool_calls) => ({ tool_calls })),
  ];
  const chunk = (delta, finish_reason = null) => ({
    ...envelope("chat.completion.chunk"),
    choices: [{ index: 0, delta, finish_reason, logprobs: null }],
    usage: null,
  });
  return [
    ...deltas.map((delta) => chunk(delta)),
    chunk({}, stop),
    { ...envelope("chat.completion.chunk"), choices: [], usage },
  ];
}

/** The same answer in one piece. */
function wholeOf({ reasoning, content = [], refusal, calls, stop, usage }) {
  const message = {
    role: "assistant",
    content: content.length > 0 ? content.join("") : null,
    refusal: refusal?.join("") ?? null,
    reasoning_content: reasoning?.join(""),
    tool_calls: calls?.map(({ id, name, args }) => ({
      id,
      type: "function",
      function: { name, arguments: args.join("") },
    })),
  };
  return {
    ...envelope("chat.completion"),
    choices: [{ index: 0, message, finish_reason: stop, logprobs: null }],
    usage,
  };
}

const ANSWERS = {
  "text in pieces": { content: ["Zü", "rich ", "🧵"], stop: "stop", usage: USAGE },
  "a text that was cut": { content: ["Once "], stop: "length", usage: USAGE },
  "a text that was filtered": { content: ["Once "], stop: "content_filter", usage: USAGE },
  "reasoning before a text": {
    reasoning: ["Let me ", "see."],
    content: ["Four."],
    stop: "stop",
    usage: USAGE,
  },
  "a text and parallel calls whose pieces alternate": {
    content: ["I look ", "at both."],
    calls: [
      { id: "call_1", name: "weather", args: ['{"ci', 'ty":"Os', 'lo"}'] },
      { id: "call_2", name: "weather", args: ['{"city":', '"Bergen"}'] },
    ],
    stop: "tool_calls",
    usage: USAGE,
  },
  "reasoning and a call alone": {
    reasoning: ["I need it."],
    calls: [{ id: "call_1", name: "weather", args: ['{"city":"Zü', 'rich","n":1.5}'] }],
    stop: "tool_calls",
    usage: USAGE,
  },
  "a call with an empty object": {
    calls: [{ id: "call_1", name: "now", args: ["{}"] }],
    stop: "tool_calls",
    usage: USAGE,
  },
  "a refusal": { refusal: ["I can", "not."], stop: "stop", usage: USAGE },
};

/** What a client reads in another way, by answer. */
const DIFFERENCES = { "a refusal": { "@ai-sdk/openai-compatible": ["text"] } };

for (const [what, answer] of Object.entries(ANSWERS))
  test(`${what}: all clients read the same of the same bytes, streamed and whole`, async () => {
    const streamed = await compare(what, sse(chunksOf(answer)), DIFFERENCES[what]);
    assert.deepEqual(await compare(what, wholeOf(answer), DIFFERENCES[what]), streamed);
    assert.equal(streamed.text, (answer.content ?? []).join(""));
    assert.equal(streamed.refusal, (answer.refusal ?? []).join(""));
  });

const RECORDED = join(process.env.WEFT_TEST_DATA ?? "../shared/data", "model-streams");
const skip = existsSync(RECORDED) ? false : `${RECORDED} is not there`;
const SERVICES = ["openai-chat", "deepseek", "groq", "mistral", "xai"];
/** What a client reads of a service in another way. */
const EXCEPTED = {
  // The official client's streams leave out calls without an index, which Mistral's have not.
  mistral: { openai: ["calls"] },
  // It counts its reasoning beside what was said, which only its own clients know.
  xai: {
    openai: ["output"],
    "@langchain/openai": ["output"],
    "@ai-sdk/openai-compatible": ["output"],
  },
};

for (const service of SERVICES)
  test(`recorded answers of ${service}: all clients read the same`, { skip }, async () => {
    const folder = join(RECORDED, service);
    const names = readdirSync(folder);
    assert.ok(names.length >= 2);
    for (const name of names) {
      const text = readFileSync(join(folder, name), "utf8");
      const isWhole = name.endsWith(".json");
      const events = isWhole
        ? [JSON.parse(text)]
        : text.split("\n").filter(Boolean).map(JSON.parse);
      const read = await compare(name, isWhole ? events[0] : sse(events), EXCEPTED[service]);
      assert.ok(read.text !== "" || read.calls.length > 0, name);
      const { usage } = events.findLast((event) => event.usage);
      assert.equal(read.input + read.output, usage.total_tokens, name);
    }
  });

// ---- the same messages

const PARAMETERS = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};
const TOOLS = [
  {
    type: "function",
    function: { name: "weather", description: "Says the weather", parameters: PARAMETERS },
  },
];
const toolCall = (id, city) => ({ id, name: "weather", args: { city }, type: "tool_call" });
/** Conversations in LangChain's messages. */
const CONVERSATIONS = {
  "system text and turns": [
    new core.SystemMessage("Be kind."),
    new core.HumanMessage("hi"),
    new core.AIMessage("Hello."),
    new core.HumanMessage({ content: "and?", name: "Ada" }),
  ],
  "words and pictures": [
    new core.HumanMessage({
      content: [
        { type: "text", text: "see" },
        { type: "image_url", image_url: { url: `data:image/png;base64,${PNG}`, detail: "low" } },
        { type: "image_url", image_url: { url: "https://a.example/a.png" } },
      ],
    }),
  ],
  "pictures, sound and a file in the standard form": [
    new core.HumanMessage({
      content: [
        { type: "text", text: "see" },
        { type: "image", source_type: "base64", mime_type: "image/png", data: PNG },
        { type: "image", source_type: "url", url: "https://a.example/a.png" },
        { type: "audio", source_type: "base64", mime_type: "audio/wav", data: PNG },
        {
          type: "file",
          source_type: "base64",
          mime_type: "application/pdf",
          data: PNG,
          metadata: { filename: "a.pdf" },
        },
      ],
    }),
  ],
  "calls and results": [
    new core.HumanMessage("Weather?"),
    new core.AIMessage({
      content: "I look.",
      tool_calls: [toolCall("call_1", "Oslo"), toolCall("call_2", "Bergen")],
    }),
    new core.ToolMessage({ tool_call_id: "call_1", content: "4 °C" }),
    new core.ToolMessage({ tool_call_id: "call_2", content: "5 °C", status: "error" }),
    new core.HumanMessage("thanks"),
  ],
  "calls without words": [
    new core.HumanMessage("Weather?"),
    new core.AIMessage({ content: "", tool_calls: [toolCall("call_1", "Oslo")] }),
    new core.ToolMessage({ tool_call_id: "call_1", content: '{"degrees":4}' }),
  ],
};
const formOf = (options) => ({
  type: "json_schema",
  json_schema: { name: "extract", schema: PARAMETERS, ...options },
});
const OK = wholeOf({ content: ['{"city":"Oslo"}'], stop: "stop", usage: USAGE });

async function bodyOf(ask) {
  const fetch = serving(OK);
  await ask(fetch);
  return fetch.asked[0];
}

/** A body without what says nothing: fields that are null, an empty text beside calls. */
function plain({ messages, stream: _stream, ...body }) {
  return {
    ...JSON.parse(JSON.stringify(body)),
    messages: messages.map(({ content, ...message }) => ({
      ...JSON.parse(JSON.stringify(message)),
      content: content === null ? "" : content,
    })),
  };
}

for (const [what, messages] of Object.entries(CONVERSATIONS))
  test(`${what}: LangChain's messages give the request that LangChain's client sends`, async () => {
    for (const [tool_choice, options] of [
      ["auto", { stop: ["."], parallel_tool_calls: false }],
      ["weather", { seed: 7 }],
      ["any", { response_format: formOf() }],
      ["none", {}],
    ]) {
      const fields = { temperature: 0.5, maxTokens: 99 };
      const [ours, theirs] = await Promise.all(
        [weft, langChain].map((make) =>
          bodyOf((fetch) =>
            make(fetch, fields)
              .bindTools(TOOLS, { tool_choice, ...options })
              .invoke(messages),
          ),
        ),
      );
      // It makes all tools strict beside a form of the answer.
      if (options.response_format) delete theirs.body.tools[0].function.strict;
      assert.deepEqual(plain(ours.body), plain(theirs.body));
      assert.equal(ours.url, theirs.url);
      assert.equal(ours.headers.authorization, theirs.headers.authorization);
    }
  });

test("a conversation with reasoning, calls, results, a picture and a form is the AI SDK's request", async () => {
  const { body: theirs, url } = await bodyOf((fetch) =>
    aiSdk(fetch, { supportsStructuredOutputs: true }).doGenerate({
      temperature: 0.5,
      maxOutputTokens: 99,
      seed: 7,
      stopSequences: ["."],
      responseFormat: { type: "json", schema: PARAMETERS, name: "extract" },
      tools: [
        {
          type: "function",
          name: "weather",
          description: "Says the weather",
          inputSchema: PARAMETERS,
        },
      ],
      toolChoice: { type: "tool", toolName: "weather" },
      prompt: [
        { role: "system", content: "Be kind." },
        {
          role: "user",
          content: [
            { type: "text", text: "Weather?" },
            { type: "file", mediaType: "image/png", data: { type: "data", data: PNG } },
            {
              type: "file",
              mediaType: "application/pdf",
              data: { type: "data", data: PNG },
              filename: "a.pdf",
            },
          ],
        },
        {
          role: "assistant",
          content: [
            { type: "reasoning", text: "Let me see." },
            { type: "text", text: "I look." },
            {
              type: "tool-call",
              toolCallId: "call_1",
              toolName: "weather",
              input: { city: "Oslo" },
              providerOptions: { google: { thoughtSignature: "S1" } },
            },
            {
              type: "tool-call",
              toolCallId: "call_2",
              toolName: "weather",
              input: { city: "Bergen" },
            },
          ],
        },
        {
          role: "tool",
          content: [
            ["call_1", { type: "text", value: "4 °C" }],
            ["call_2", { type: "error-text", value: "down" }],
          ].map(([toolCallId, output]) => ({
            type: "tool-result",
            toolCallId,
            toolName: "weather",
            output,
          })),
        },
        { role: "user", content: [{ type: "text", text: "thanks" }] },
      ],
    }),
  );
  const signed = { extra_content: { google: { thought_signature: "S1" } } };
  const ours = await bodyOf((fetch) =>
    weft(fetch, { temperature: 0.5, maxTokens: 99, provider: "own" })
      .bindTools(TOOLS, { tool_choice: "weather" })
      .invoke(
        [
          new core.SystemMessage("Be kind."),
          new core.HumanMessage({
            content: [
              { type: "text", text: "Weather?" },
              { type: "image", mimeType: "image/png", data: PNG },
              { type: "file", mimeType: "application/pdf", data: PNG, filename: "a.pdf" },
            ],
          }),
          new core.AIMessage({
            content: "I look.",
            additional_kwargs: { reasoning_content: "Let me see." },
            tool_calls: [
              { ...toolCall("call_1", "Oslo"), extras: signed },
              toolCall("call_2", "Bergen"),
            ],
            response_metadata: { model_provider: "own" },
          }),
          new core.ToolMessage({ tool_call_id: "call_1", content: "4 °C" }),
          new core.ToolMessage({ tool_call_id: "call_2", content: "down", status: "error" }),
          new core.HumanMessage("thanks"),
        ],
        { seed: 7, stop: ["."], response_format: formOf({ strict: true }) },
      ),
  );
  assert.deepEqual(plain(ours.body), plain(theirs));
  assert.equal(ours.url, url);
});

test("an answer goes back as the official client's user sends it: the message as it came", async () => {
  for (const what of [
    "reasoning before a text",
    "a text and parallel calls whose pieces alternate",
    "reasoning and a call alone",
  ])
    for (const isStream of [true, false]) {
      const body = isStream ? sse(chunksOf(ANSWERS[what])) : wholeOf(ANSWERS[what]);
      const asking = weft(serving(body));
      const message = await (isStream ? joined(asking.stream("hi")) : asking.invoke("hi"));
      const ours = await bodyOf((fetch) => weft(fetch).invoke([message]));
      const { choices } = await official(serving(wholeOf(ANSWERS[what]))).chat.completions.create({
        model: MODEL,
        messages: [{ role: "user", content: "hi" }],
      });
      const { refusal: _none, ...said } = choices[0].message;
      const theirs = await bodyOf((fetch) =>
        official(fetch).chat.completions.create({ model: MODEL, messages: [said] }),
      );
      assert.deepEqual(plain(ours.body), plain(theirs.body), `${what}, ${isStream}`);
    }
});

test("an answer of LangChain's client goes on here with its calls", async () => {
  const answer = wholeOf(ANSWERS["a text and parallel calls whose pieces alternate"]);
  const message = await langChain(serving(answer)).invoke("hi");
  const { body } = await bodyOf((fetch) => weft(fetch).invoke(["hi", message]));
  const { content, tool_calls } = answer.choices[0].message;
  assert.deepEqual(body.messages[1], { role: "assistant", content, tool_calls });
});

// ---- aimock's server

const mock = new LLMock({ port: 0 });
before(async () => {
  const usage = { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 };
  mock.on({ userMessage: "words" }, { content: "Hello from the mock.", usage });
  mock.on({ userMessage: "think" }, { content: "Four.", reasoning: "Two and two." });
  const calls = ["Oslo", "Bergen"].map((city, at) => ({
    id: `call_${at}`,
    name: "weather",
    arguments: JSON.stringify({ city }),
  }));
  mock.on({ userMessage: "calls", hasToolResult: false }, { toolCalls: calls });
  mock.on({ userMessage: "calls", hasToolResult: true }, { content: "It is cold." });
  mock.on(
    { userMessage: "busy" },
    { error: { message: "slow down", type: "rate_limit_error" }, status: 429, retryAfter: 7 },
  );
  await mock.start();
});
after(() => mock.stop());

const mocked = () =>
  new ChatOpenAICompatible({
    model: MODEL,
    apiKey: "k",
    baseURL: `${mock.url}/v1`,
    maxRetries: 0,
  });

test("aimock: words, reasoning, calls and a refusal, streamed and whole", async () => {
  for (const ask of [(text) => joined(mocked().stream(text)), (text) => mocked().invoke(text)]) {
    const { text, usage_metadata } = await ask("words");
    assert.equal(text, "Hello from the mock.");
    assert.deepEqual([usage_metadata.input_tokens, usage_metadata.output_tokens], [3, 5]);
    const thought = await ask("think");
    assert.equal(thought.text, "Four.");
    assert.equal(thought.additional_kwargs.reasoning_content, "Two and two.");
    const { tool_calls } = await ask("calls");
    assert.deepEqual(
      tool_calls.map(({ id, name, args }) => [id, name, args]),
      [
        ["call_0", "weather", { city: "Oslo" }],
        ["call_1", "weather", { city: "Bergen" }],
      ],
    );
    await assert.rejects(ask("busy"), (error) => {
      assert.ok(error instanceof ModelError);
      assert.deepEqual([error.status, error.retryable, error.retryAfterMs], [429, true, 7000]);
      return true;
    });
  }
});

test("aimock: an agent calls its tools and ends", async () => {
  const weather = tool(({ city }) => `4 °C in ${city}`, { name: "weather", schema: PARAMETERS });
  const agent = createReactAgent({ llm: mocked(), tools: [weather] });
  const { messages } = await agent.invoke({ messages: "calls" });
  assert.deepEqual(
    messages.map(({ content }) => content),
    ["calls", "", "4 °C in Oslo", "4 °C in Bergen", "It is cold."],
  );
});
