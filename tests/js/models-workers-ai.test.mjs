// SPDX-License-Identifier: MIT
// Serves: ChatWorkersAI by a binding and by HTTP: what is asked, both forms of answers, whole and
// streamed, the service's errors, AI Gateway. That every case of the matrix holds for both forms
// and both ways.
import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from "weftgraph/messages";
import { ChatAnthropicMessages } from "weftgraph/models/anthropic";
import { ChatGemini } from "weftgraph/models/gemini";
import { ChatOpenAICompatible } from "weftgraph/models/openai";
import { ChatOpenAIResponses } from "weftgraph/models/responses";
import { ChatWorkersAI, ModelError } from "weftgraph/models/workers-ai";
import { createReactAgent } from "weftgraph/prebuilt";
import { tool } from "weftgraph/tools";
import { TITLES, runCase } from "./models-matrix/cases.mjs";
import { REASON } from "./models-matrix/kit.mjs";
import { openai } from "./models-matrix/openai.mjs";
import { workersAI } from "./models-matrix/workers-ai.mjs";
import { bindingOf, completion, deltas, joined, stream } from "./workers-ai-binding.mjs";

const MODEL = "@cf/openai/gpt-oss-120b";
const PNG = "iVBORw0KGgo=";
const USAGE = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 };
const TOTALS = { input_tokens: 5, output_tokens: 2, total_tokens: 7 };

const modelOf = (binding, options) =>
  new ChatWorkersAI({ binding, model: MODEL, maxRetries: 0, ...options });
const callsOf = ({ tool_calls }) => tool_calls.map(({ name, args }) => [name, args]);
const failure = (promise) =>
  promise.then(
    () => assert.fail("must fail"),
    (error) => error,
  );
const weather = tool(({ city }) => `4 °C in ${city}`, {
  name: "weather",
  description: "Tells the weather.",
  schema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
});
const time = tool(() => "noon", {
  name: "time",
  description: "Tells the time.",
  schema: { type: "object", properties: {} },
});

/** What is sent for these messages. */
async function sentFor(messages, options, config, tools) {
  const binding = bindingOf({ response: "ok" });
  const model = modelOf(binding, options);
  await (tools === undefined ? model : model.bindTools(tools)).invoke(messages, config);
  return binding.asked[0];
}

/** The answer to these events, streamed and as a message of a stream; both must be the same. */
async function answerTo(events, ask = (model) => model, options) {
  const make = () => ask(modelOf(bindingOf(stream(events, options))));
  const merged = await joined(make().stream("hi"));
  const message = await make().invoke("hi", { callbacks: [{ handleLLMNewToken() {} }] });
  const read = ({ text, tool_calls, usage_metadata, response_metadata }) => ({
    text,
    calls: callsOf({ tool_calls }),
    tokens: [usage_metadata?.input_tokens, usage_metadata?.output_tokens],
    response_metadata,
  });
  assert.deepEqual(read(merged), read(message));
  return message;
}

// ---- the request

test("the binding gets the model, the inputs and the options", async () => {
  const binding = bindingOf(stream([{ response: "ok", p: "a" }]));
  const model = modelOf(binding, {
    temperature: 0.5,
    maxTokens: 99,
    gateway: { id: "main", cacheTtl: 60 },
    sessionAffinity: "s-1",
    headers: async () => ({ "cf-aig-authorization": "Bearer gateway-key" }),
    runOptions: { tags: ["a"], extraHeaders: { "x-app": "weft" } },
    modelKwargs: { chat_template_kwargs: { enable_thinking: false } },
  }).bindTools([weather, time], { tool_choice: "weather" });
  await joined(
    model.stream([new SystemMessage("Be kind."), new HumanMessage("Weather?")], {
      seed: 7,
      reasoning_effort: "low",
      top_p: 0.9,
    }),
  );
  const [{ model: name, inputs, options }] = binding.asked;
  assert.equal(name, MODEL);
  assert.deepEqual(inputs, {
    messages: [
      { role: "system", content: "Be kind." },
      { role: "user", content: "Weather?" },
    ],
    tools: [weather, time].map(({ name, description, schema: parameters }) => ({
      type: "function",
      function: { name, description, parameters },
    })),
    tool_choice: { type: "function", function: { name: "weather" } },
    temperature: 0.5,
    max_tokens: 99,
    top_p: 0.9,
    seed: 7,
    reasoning_effort: "low",
    chat_template_kwargs: { enable_thinking: false },
    stream: true,
  });
  const { signal, ...rest } = options;
  assert.ok(signal instanceof AbortSignal);
  assert.deepEqual(rest, {
    gateway: { id: "main", cacheTtl: 60 },
    tags: ["a"],
    extraHeaders: {
      "x-app": "weft",
      "x-session-affinity": "s-1",
      "cf-aig-authorization": "Bearer gateway-key",
    },
  });
});

test("without settings nothing but the messages is sent; options of a call count more", async () => {
  const plain = await sentFor("hi");
  assert.deepEqual(plain.inputs, { messages: [{ role: "user", content: "hi" }] });
  assert.deepEqual(Object.keys(plain.options), ["signal"]);
  const options = { maxTokens: 1, gateway: { id: "a" }, sessionAffinity: "a" };
  const call = { maxTokens: 2, gateway: { id: "b" }, sessionAffinity: "b" };
  const { inputs, options: sent } = await sentFor("hi", options, call);
  assert.deepEqual(
    [inputs.max_tokens, sent.gateway.id, sent.extraHeaders["x-session-affinity"]],
    [2, "b", "b"],
  );
  const given = { messages: [], modelKwargs: { a: 1 } };
  await sentFor("hi", { modelKwargs: given.modelKwargs });
  assert.deepEqual(given, { messages: [], modelKwargs: { a: 1 } });
});

test("contents are text or pictures in the message itself; null is never sent", async () => {
  const block = { type: "image", mimeType: "image/png", data: PNG };
  const { inputs } = await sentFor([
    new HumanMessage({
      content: [
        { type: "text", text: "one " },
        { type: "text", text: "two" },
      ],
    }),
    new HumanMessage({ content: [{ type: "text", text: "What is it?" }, block] }),
    new AIMessage({
      content: "",
      tool_calls: [{ id: "a", name: "weather", args: { city: "Oslo" } }],
    }),
    new ToolMessage({ content: "4 °C", tool_call_id: "a", name: "weather" }),
  ]);
  assert.deepEqual(inputs.messages, [
    { role: "user", content: "one two" },
    {
      role: "user",
      content: [
        { type: "text", text: "What is it?" },
        { type: "image_url", image_url: { url: `data:image/png;base64,${PNG}` } },
      ],
    },
    {
      role: "assistant",
      content: "",
      tool_calls: [
        { id: "a", type: "function", function: { name: "weather", arguments: '{"city":"Oslo"}' } },
      ],
    },
    { role: "tool", tool_call_id: "a", name: "weather", content: "4 °C" },
  ]);
});

test("a document that is text is part of the words", async () => {
  const binding = bindingOf({ response: "ok" });
  const document = { type: "text-plain", text: "Oslo. ", mimeType: "text/plain" };
  const content = [document, { type: "text", text: "Where?" }];
  await modelOf(binding).invoke([new HumanMessage({ content })]);
  assert.equal(binding.asked[0].inputs.messages[0].content, "Oslo. Where?");
});

test("a block that the service cannot take is refused before the request", async () => {
  for (const block of [
    { type: "image_url", image_url: { url: "https://a.test/b.png" } },
    { type: "audio", mimeType: "audio/wav", data: PNG },
    { type: "file", mimeType: "application/pdf", data: PNG },
    { type: "strange" },
  ]) {
    const binding = bindingOf({ response: "ok" });
    const messages = [new HumanMessage("hi"), new HumanMessage({ content: [block] })];
    const error = await failure(modelOf(binding).invoke(messages));
    assert.ok(error instanceof TypeError, String(error));
    assert.equal(
      error.message,
      `Message 1 has a block "${block.type}", which Workers AI cannot take`,
    );
    assert.deepEqual(binding.asked, []);
  }
});

test("a choice that names a tool binds the service, so the only tool is named", async () => {
  const choice = async (tools, tool_choice) =>
    (await sentFor("hi", {}, { tool_choice }, tools)).inputs.tool_choice;
  const named = { type: "function", function: { name: "weather" } };
  assert.deepEqual(await choice([weather], "any"), named);
  assert.deepEqual(await choice([weather, time], "weather"), named);
  assert.equal(await choice([weather, time], "any"), "required");
  assert.equal(await choice([weather, time], "required"), "required");
  assert.equal(await choice([weather], "auto"), "auto");
  assert.equal(await choice([weather], "none"), "none");
  const { inputs } = await sentFor("hi", {}, { tool_choice: "any" }, []);
  assert.ok(!("tools" in inputs) && !("tool_choice" in inputs));
});

test("structured output is asked for with the bare schema, and does not stream", async () => {
  const schema = z.object({ city: z.string(), degrees: z.number() });
  for (const response of [{ city: "Oslo", degrees: 4 }, '{"city":"Oslo","degrees":4}']) {
    const binding = bindingOf({ response, usage: USAGE });
    const value = await modelOf(binding)
      .withStructuredOutput(schema)
      .invoke("Weather?", { callbacks: [{ handleLLMNewToken() {} }] });
    assert.deepEqual(value, { city: "Oslo", degrees: 4 });
    const { response_format, stream: isStream } = binding.asked[0].inputs;
    assert.equal(response_format.type, "json_schema");
    assert.deepEqual(Object.keys(response_format.json_schema.properties), ["city", "degrees"]);
    assert.equal(isStream, undefined);
  }
});

test("over HTTP: address, token, session and gateway", async () => {
  const asked = [];
  const model = (options) =>
    new ChatWorkersAI({
      model: MODEL,
      maxRetries: 0,
      apiToken: async () => "cf-token",
      fetch: async (url, { headers, body }) => {
        asked.push({ url, headers, body: JSON.parse(body) });
        return Response.json({
          result: { response: "ok" },
          success: true,
          errors: [],
          messages: [],
        });
      },
      ...options,
    });
  const gateway = {
    id: "my gate",
    cacheKey: "k",
    cacheTtl: 60,
    skipCache: false,
    metadata: { user: 1, team: 7n },
    requestTimeoutMs: 900,
    retries: { maxAttempts: 3, retryDelayMs: 5, backoff: "linear" },
  };
  assert.equal((await model({ accountId: "a/b" }).invoke("hi")).text, "ok");
  await model({ accountId: "acc", gateway, sessionAffinity: "s" }).invoke("hi");
  await model({ baseURL: "https://gateway.ai.cloudflare.com/v1/acc/main/workers-ai" }).invoke("hi");
  const [first, second, third] = asked;
  assert.equal(first.url, `https://api.cloudflare.com/client/v4/accounts/a%2Fb/ai/run/${MODEL}`);
  assert.equal(first.headers.authorization, "Bearer cf-token");
  assert.deepEqual(first.body, { messages: [{ role: "user", content: "hi" }] });
  assert.equal(
    second.url,
    `https://gateway.ai.cloudflare.com/v1/acc/my%20gate/workers-ai/${MODEL}`,
  );
  const { authorization: _token, "content-type": _type, ...headers } = second.headers;
  assert.deepEqual(headers, {
    "x-session-affinity": "s",
    "cf-aig-cache-key": "k",
    "cf-aig-cache-ttl": "60",
    "cf-aig-skip-cache": "false",
    "cf-aig-metadata": '{"user":1,"team":"7"}',
    "cf-aig-request-timeout": "900",
    "cf-aig-max-attempts": "3",
    "cf-aig-retry-delay": "5",
    "cf-aig-backoff": "linear",
  });
  assert.equal(third.url, `https://gateway.ai.cloudflare.com/v1/acc/main/workers-ai/${MODEL}`);
});

test("an address of AI Gateway is the baseURL of every adapter", async () => {
  const binding = {
    gateway: (id) => ({
      getUrl: async (provider) => `https://gateway.ai.cloudflare.com/v1/acc/${id}/${provider}`,
    }),
  };
  const urls = [];
  const options = async (provider) => ({
    apiKey: "k",
    maxRetries: 0,
    baseURL: await binding.gateway("main").getUrl(provider),
    headers: async () => ({ "cf-aig-authorization": "Bearer gate" }),
    fetch: async (url, { headers }) => {
      assert.equal(headers["cf-aig-authorization"], "Bearer gate");
      urls.push(url.slice("https://gateway.ai.cloudflare.com/v1/acc/main/".length));
      return Response.json({}, { status: 400 });
    },
  });
  for (const model of [
    new ChatOpenAICompatible({ model: "m", ...(await options("openai")) }),
    new ChatOpenAIResponses({ model: "m", ...(await options("openai")) }),
    new ChatAnthropicMessages({ model: "m", ...(await options("anthropic")) }),
    new ChatGemini({ model: "m", ...(await options("google-ai-studio")) }),
    new ChatWorkersAI({ model: "@cf/m", ...(await options("workers-ai")) }),
  ])
    await failure(model.invoke("hi"));
  assert.deepEqual(urls, [
    "openai/chat/completions",
    "openai/responses",
    "anthropic/v1/messages",
    "google-ai-studio/v1beta/models/m:generateContent",
    "workers-ai/@cf/m",
  ]);
});

test("options that cannot work are refused", () => {
  const bad = (options, words) =>
    assert.throws(
      () => new ChatWorkersAI(options),
      (error) => error.message.includes(words),
    );
  bad({ model: MODEL }, "must have a binding");
  bad({ model: MODEL, binding: {} }, "options.binding must be a binding");
  bad({ model: MODEL, binding: null }, "options.binding must be a binding");
  bad({ model: MODEL, accountId: 7 }, "options.accountId must be a text");
  bad({ model: MODEL, binding: bindingOf(), gateway: "main" }, "options.gateway must be an object");
  bad({ binding: bindingOf() }, "needs a model name");
  bad(undefined, "must have a binding");
});

// ---- answers in the service's own form

test("the service's own form: text, numbers, padding, calls and usage in a stream", async () => {
  const message = await answerTo([
    { response: "It is ", p: "abc" },
    { response: 4, p: "abcdef" },
    { response: " °C.", p: "" },
    { response: "", tool_calls: [{ name: "weather", arguments: { city: "Oslo" } }] },
    { response: "", tool_calls: [{ name: "time", arguments: "{}" }] },
    { response: null, tool_calls: null, usage: USAGE },
    { tool_calls: [{ id: null, type: "function", function: { name: null, arguments: null } }] },
    { tool_calls: [{ name: null, arguments: "" }] },
    { response: "", usage: USAGE },
  ]);
  assert.equal(message.text, "It is 4 °C.");
  assert.deepEqual(callsOf(message), [
    ["weather", { city: "Oslo" }],
    ["time", {}],
  ]);
  assert.deepEqual(message.invalid_tool_calls, []);
  assert.deepEqual(message.usage_metadata, TOTALS);
  assert.deepEqual(message.response_metadata, {
    finish_reason: "tool_calls",
    model_provider: "workers-ai",
  });
  const plain = await answerTo([{ response: "hi" }]);
  assert.equal(plain.response_metadata.finish_reason, "stop");
});

test("the service's own form, whole: by the binding, by HTTP, and in place of a stream", async () => {
  const answer = {
    response: "I look.",
    tool_calls: [
      { name: "weather", arguments: { city: "Oslo" } },
      { name: "weather", arguments: '{"city":"Bergen"}' },
    ],
    usage: USAGE,
  };
  const http = (body) =>
    new ChatWorkersAI({ accountId: "a", model: MODEL, fetch: async () => Response.json(body) });
  const messages = [
    await modelOf(bindingOf(answer)).invoke("hi"),
    await joined(modelOf(bindingOf(answer)).stream("hi")),
    await http({ result: answer, success: true, errors: [], messages: [] }).invoke("hi"),
    await joined(http({ result: answer, success: true, errors: [] }).stream("hi")),
    await modelOf(bindingOf(Response.json(answer))).invoke("hi"),
  ];
  for (const message of messages) {
    assert.equal(message.text, "I look.");
    assert.deepEqual(callsOf(message), [
      ["weather", { city: "Oslo" }],
      ["weather", { city: "Bergen" }],
    ]);
    assert.equal(new Set(message.tool_calls.map(({ id }) => id)).size, 2);
    assert.deepEqual(message.usage_metadata, TOTALS);
    assert.equal(message.response_metadata.finish_reason, "tool_calls");
  }
});

test("an answer that is an object, a number or a list is its JSON", async () => {
  for (const [response, text] of [
    [{ a: [1] }, '{"a":[1]}'],
    [42, "42"],
    [false, "false"],
    [[1, 2], "[1,2]"],
    ["", ""],
    [null, ""],
  ])
    assert.equal((await modelOf(bindingOf({ response })).invoke("hi")).text, text);
});

// ---- answers in the form of chat completions

test("chat completions: reasoning, text, calls in pieces, usage; empty closing pieces are none", async () => {
  const piece = (index, fields, id) => ({
    tool_calls: [{ index, id, type: "function", function: fields }],
  });
  const events = [
    ...deltas(
      { role: "assistant", content: null, reasoning_content: "Hm, " },
      { reasoning_content: "so." },
      { content: "I look." },
      piece(0, { name: "weather", arguments: "" }, "a"),
      piece(0, { arguments: '{"city":' }),
      piece(1, { name: "time", arguments: null }, "b"),
      piece(0, { arguments: '"Oslo"}' }, null),
      piece(0, { name: null, arguments: null }, null),
      piece(2, { name: null, arguments: "" }, "c"),
      { content: null, tool_calls: null, finish_reason: "tool_calls" },
    ),
    { choices: [], usage: USAGE },
  ];
  for (const size of [undefined, 1, 7]) {
    const message = await answerTo(events, undefined, { size });
    assert.equal(message.text, "I look.");
    assert.equal(message.additional_kwargs.reasoning_content, "Hm, so.");
    assert.deepEqual(
      message.tool_calls.map(({ id, name, args }) => [id, name, args]),
      [
        ["a", "weather", { city: "Oslo" }],
        ["b", "time", {}],
      ],
    );
    assert.deepEqual(message.invalid_tool_calls, []);
    assert.deepEqual(message.usage_metadata, TOTALS);
  }
});

test("reasoning goes back as `reasoning`, to this service alone", async () => {
  const message = await modelOf(
    bindingOf(completion({ content: "Four.", reasoning_content: "Two and two." })),
  ).invoke("hi");
  assert.equal(message.additional_kwargs.reasoning_content, "Two and two.");
  const foreign = new AIMessage({
    content: "Five.",
    additional_kwargs: { reasoning_content: "Guess." },
    response_metadata: { model_provider: "deepseek" },
  });
  const { inputs } = await sentFor(["hi", message, foreign, "and?"]);
  assert.deepEqual(inputs.messages.slice(1, 3), [
    { role: "assistant", content: "Four.", reasoning: "Two and two." },
    { role: "assistant", content: "Five." },
  ]);
});

test("each call has an id of its own, also beside those of earlier turns", async () => {
  const call = (id, city) => ({
    ...(id === undefined ? {} : { id }),
    type: "function",
    function: { name: "weather", arguments: { city } },
  });
  const tool_calls = [
    call("call_0", "Oslo"),
    call("call_0", "Bergen"),
    call(undefined, "Tromsø"),
    call("", "Bodø"),
  ];
  const whole = await modelOf(bindingOf(completion({ content: null, tool_calls }))).invoke("hi");
  const streamed = await answerTo(
    deltas(...tool_calls.map((piece, index) => ({ tool_calls: [{ index, ...piece }] })), {
      finish_reason: "tool_calls",
    }),
  );
  for (const message of [whole, streamed]) {
    assert.deepEqual(
      message.tool_calls.map(({ args }) => args.city),
      ["Oslo", "Bergen", "Tromsø", "Bodø"],
    );
    const ids = message.tool_calls.map(({ id }) => id);
    assert.equal(ids[0], "call_0");
    assert.equal(new Set(ids).size, 4);
    assert.ok(ids.every((id) => typeof id === "string" && id !== ""));
  }
  const history = ["hi", whole, ...whole.tool_calls.map(({ id }) => new ToolMessage("4 °C", id))];
  const answer = completion({ tool_calls: [call("call_0", "Oslo")] });
  for (const next of [
    await modelOf(bindingOf(answer)).invoke(history),
    await joined(modelOf(bindingOf(answer)).stream(history)),
  ])
    assert.notEqual(next.tool_calls[0].id, "call_0");
});

test("one call keeps together when its id changes from piece to piece", async () => {
  const piece = (id, fields) => ({
    tool_calls: [{ index: 0, id, type: "function", function: fields }],
  });
  const message = await answerTo(
    deltas(
      piece("x1", { name: "weather", arguments: "{" }),
      piece("x2", { arguments: '"city":' }),
      piece("x3", { name: "weather", arguments: '"Oslo"}' }),
      { finish_reason: "tool_calls" },
    ),
  );
  assert.deepEqual(callsOf(message), [["weather", { city: "Oslo" }]]);
  assert.equal(message.tool_calls[0].id, "x1");
});

test("a forced call that comes as text is a call if it names a tool, else text", async () => {
  const forced = (model) => model.bindTools([weather, time], { tool_choice: "weather" });
  const leaks = {
    '{"name":"weather","arguments":{"city":"Oslo"}}': [["weather", { city: "Oslo" }]],
    '\n {"name":"weather","parameters":{"city":"Oslo"}}': [["weather", { city: "Oslo" }]],
    '{"name":"time"}': [["time", {}]],
    '{"name":"weather","arguments":"{\\"city\\":\\"Oslo\\"}"}': [["weather", { city: "Oslo" }]],
    '{"name":"weather","city":"Oslo"}': [["weather", { city: "Oslo" }]],
    '[{"name":"weather","parameters":{"city":"Oslo"}},{"name":"time"}]': [
      ["weather", { city: "Oslo" }],
      ["time", {}],
    ],
    "[1, null]": [],
    '{"name":"toString","arguments":{}}': [],
    '{"name":"other","arguments":{"city":"Oslo"}}': [],
    '{"city":"Oslo"}': [],
    '{"name":"weather","arguments":{"city":"Oslo"}': [],
    'Sure: {"name":"weather","arguments":{"city":"Oslo"}}': [],
    "  ": [],
  };
  for (const [text, calls] of Object.entries(leaks)) {
    const expected = [calls.length > 0 ? "" : text, calls];
    const letters = [...text];
    const answers = {
      whole: await forced(modelOf(bindingOf(completion({ content: text })))).invoke("hi"),
      "own form": await answerTo(
        letters.map((response) => ({ response })),
        forced,
      ),
      completions: await answerTo(
        deltas(...letters.map((content) => ({ content })), { finish_reason: "stop" }),
        forced,
      ),
    };
    for (const [form, message] of Object.entries(answers))
      assert.deepEqual([message.text, callsOf(message)], expected, `${form}: ${text}`);
  }
  const [[free]] = Object.entries(leaks);
  for (const ask of [(model) => model, (model) => model.bindTools([weather])]) {
    const message = await ask(modelOf(bindingOf({ response: free }))).invoke("hi");
    assert.deepEqual([message.text, message.tool_calls], [free, []]);
  }
});

test("the words of a forced answer stream as soon as they can be no call", async () => {
  const model = modelOf(
    bindingOf(
      stream(
        ["Sure", ", I", " look."].map((response) => ({ response })),
        { size: 24 },
      ),
    ),
  );
  const seen = [];
  for await (const { text } of model.bindTools([weather], { tool_choice: "any" }).stream("hi"))
    seen.push(text);
  assert.deepEqual(seen, ["Sure", ", I", " look.", ""]);
  const both = await answerTo(
    deltas(
      { content: '{"a":' },
      {
        content: "1}",
        tool_calls: [{ index: 0, id: "a", function: { name: "time", arguments: "{}" } }],
      },
      { finish_reason: "tool_calls" },
    ),
    (asked) => asked.bindTools([weather, time], { tool_choice: "any" }),
  );
  assert.deepEqual([both.text, callsOf(both)], ['{"a":1}', [["time", {}]]]);
});

test("an agent calls a tool and ends, over a binding", async () => {
  const binding = bindingOf(
    () =>
      stream([{ response: "", tool_calls: [{ name: "weather", arguments: { city: "Oslo" } }] }]),
    () => stream([{ response: "It is cold." }]),
  );
  const agent = createReactAgent({ llm: modelOf(binding), tools: [weather] });
  const seen = [];
  for await (const [{ text }] of await agent.stream(
    { messages: "Weather?" },
    { streamMode: "messages" },
  ))
    seen.push(text);
  assert.deepEqual(
    seen.filter((text) => text !== ""),
    ["4 °C in Oslo", "It is cold."],
  );
  assert.deepEqual(
    binding.asked[1].inputs.messages.map(({ role }) => role),
    ["user", "assistant", "tool"],
  );
});

// ---- errors

/** What the runtime's binding throws. */
const thrown = (words) => Object.assign(new Error(words), { name: "InferenceUpstreamError" });

test("the numbers of errors that the binding throws are statuses", async () => {
  const statuses = {
    5007: 400,
    5004: 400,
    3039: 400,
    3003: 400,
    5018: 403,
    5016: 403,
    3023: 403,
    3041: 403,
    3042: 404,
    5019: 405,
    5005: 405,
    3007: 408,
    3008: 408,
    3010: 400,
    10000: 401,
    3006: 413,
    3036: 429,
    3040: 429,
  };
  for (const [code, status] of Object.entries(statuses)) {
    const error = await failure(modelOf(bindingOf(thrown(`${code}: Something`))).invoke("hi"));
    assert.ok(error instanceof ModelError);
    const retryable = [408, 429].includes(status) && code !== "3036";
    assert.deepEqual([error.code, error.status, error.retryable], [code, status, retryable]);
    assert.ok(error.message.includes(`${code}: Something`), error.message);
  }
  for (const [words, code] of [
    ["AiError: 5006: Error: oneOf at '/' not met", "5006"],
    ["AiError: 5021: tokens exceeded this model context window limit (24000).", "context_overflow"],
    ["AiError: This model's maximum context length is 8192 tokens.", "context_overflow"],
  ]) {
    const error = await failure(modelOf(bindingOf(thrown(words))).invoke("hi"));
    assert.deepEqual([error.code, error.status, error.retryable], [code, 400, false]);
  }
  for (const [given, retryable] of [
    [3040, true],
    ["3036", false],
  ]) {
    const beside = Object.assign(new Error("Not now"), { code: given });
    const error = await failure(modelOf(bindingOf(beside)).invoke("hi"));
    assert.deepEqual([error.code, error.status, error.retryable], [String(given), 429, retryable]);
  }
  const words = "you have used up your daily free allocation of 10,000 neurons, please upgrade";
  const body = { success: false, errors: [{ code: 4006, message: words }] };
  for (const refused of [
    thrown(`4006: ${words}`),
    thrown(words),
    () => Response.json(body, { status: 429 }),
  ]) {
    const error = await failure(modelOf(bindingOf(refused)).invoke("hi"));
    assert.deepEqual([error.code, error.status, error.retryable], ["3036", 429, false]);
  }
  const first = thrown("InferenceUpstreamError: 1031: 3040: Capacity, 5007: temporarily exceeded");
  assert.equal((await failure(modelOf(bindingOf(first)).invoke("hi"))).code, "3040");
});

test("other things that the binding throws are a lost connection, tried again", async () => {
  for (const reason of [new Error("1031: who knows"), "a text", undefined, null, Symbol("s"), {}]) {
    const asked = [];
    const binding = {
      async run() {
        asked.push(1);
        throw reason;
      },
    };
    const retries = [];
    const error = await failure(
      modelOf(binding, { maxRetries: 1, onRetry: ({ attempt }) => retries.push(attempt) }).invoke(
        "hi",
      ),
    );
    assert.ok(error instanceof ModelError, String(error));
    assert.deepEqual(
      [error.code, error.retryable, asked.length, retries],
      ["NETWORK", true, 2, [1]],
    );
  }
});

test("no capacity is tried again, and the answer after it counts", async () => {
  const binding = bindingOf(thrown("3040: Capacity temporarily exceeded"), { response: "ok" });
  assert.equal((await modelOf(binding, { maxRetries: 1 }).invoke("hi")).text, "ok");
  const used = bindingOf(thrown("3036: You have used up your daily free allocation"), {
    response: "",
  });
  const error = await failure(modelOf(used, { maxRetries: 1 }).invoke("hi"));
  assert.deepEqual([error.code, used.asked.length], ["3036", 1]);
});

test("errors by HTTP, in a good answer and in a stream", async () => {
  const http = (body, status) =>
    new ChatWorkersAI({
      accountId: "a",
      apiToken: "secret-token-of-mine",
      model: MODEL,
      maxRetries: 0,
      fetch: async () => Response.json(body, { status }),
    });
  const envelope = (code, message) => ({
    success: false,
    errors: [{ code, message }],
    result: null,
  });
  const read = ({ name, code, status, retryable }) => [name, code, status, retryable];
  for (const [body, status, code, retryable] of [
    [envelope(3040, "Capacity"), 429, "3040", true],
    [envelope(5007, "No such model"), 400, "5007", false],
    [envelope(10000, "Authentication error"), 401, "10000", false],
    [envelope(7003, "AiError: AiError: 5004: bad"), 400, "5004", false],
    ["busy", 503, "HTTP_503", true],
  ]) {
    const error = await failure(http(body, status).invoke("hi"));
    assert.deepEqual(read(error), ["ModelError", code, status, retryable]);
  }
  const good = await failure(http(envelope(3040, "Capacity")).invoke("hi"));
  assert.deepEqual(read(good), ["ModelError", "3040", 429, true]);
  const told = http({ success: false, errors: [{ code: 1, message: "secret-token-of-mine" }] });
  assert.ok(!(await failure(told.invoke("hi"))).message.includes("secret-token"));
  for (const [event, code, status] of [
    [{ error: "AiError: 3040: Capacity" }, "3040", 429],
    [{ error: { message: "no", code: 400 } }, "400", 400],
    [{ object: "error", message: "no", code: 503 }, "503", 503],
    [{ internalCode: 3007, name: "AiError", description: "late" }, "3007", 408],
    [envelope(5004, REASON), "5004", 400],
    [{ errors: [{ message: "who knows" }] }, "STREAM_ERROR", 200],
  ]) {
    const error = await failure(
      joined(modelOf(bindingOf(stream([{ response: "a" }, event]))).stream("hi")),
    );
    assert.deepEqual([error.code, error.status], [code, status], JSON.stringify(event));
  }
});

test("headers of a request are in no error of the binding", async () => {
  const headers = { "cf-aig-authorization": "Bearer very-secret-key" };
  for (const words of ["3040: very-secret-key", "lost very-secret-key"]) {
    const error = await failure(modelOf(bindingOf(thrown(words)), { headers }).invoke("hi"));
    const seen = [error.message, error.stack, error.body, error.cause?.message].join();
    assert.ok(!seen.includes("very-secret"), seen);
  }
});

test("an abort ends a call whose binding never answers, and cancels what comes too late", async () => {
  let resolveRun;
  let cancelled = false;
  const binding = { run: () => new Promise((resolve) => (resolveRun = resolve)) };
  const controller = new AbortController();
  const call = failure(joined(modelOf(binding).stream("hi", { signal: controller.signal })));
  await new Promise((resolve) => setTimeout(resolve, 5));
  controller.abort();
  assert.equal((await call).name, "AbortError");
  resolveRun(new ReadableStream({ cancel: () => void (cancelled = true) }));
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert.ok(cancelled);
  const silent = await failure(modelOf(binding, { timeout: 20 }).invoke("hi"));
  assert.equal(silent.code, "TIMEOUT");
});

test("an end without [DONE] is a broken stream", async () => {
  const events = [{ response: "Hel" }, { response: "lo" }];
  const error = await failure(
    joined(modelOf(bindingOf(stream(events, { done: false }))).stream("hi")),
  );
  assert.deepEqual([error.code, error.retryable], ["STREAM_CUT", true]);
});

// ---- the matrix, for the other form and the other way

/** The service's own form: it has neither reasoning nor the counts of it and of a cache. */
const own = {
  closing: 1,
  // It has no reasoning.
  opaque: () => [undefined],
  stream({ text, calls = [], usage: { input, output } }) {
    const usage = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
    return [
      ...(text?.match(/\S+\s*/g) ?? []).map((response) => ({ response, p: "abcd" })),
      ...calls.map(({ name, args }) => ({
        response: "",
        tool_calls: [{ name, arguments: args === "" ? null : JSON.parse(args) }],
      })),
      { response: "", tool_calls: null, usage },
    ]
      .map((event) => `data: ${JSON.stringify(event)}\n\n`)
      .concat("data: [DONE]\n\n");
  },
  whole({ text = null, calls, usage: { input, output } }) {
    const tool_calls = calls?.map(({ name, args }) => ({
      name,
      arguments: args === "" ? {} : JSON.parse(args),
    }));
    return {
      response: text,
      tool_calls,
      usage: { prompt_tokens: input, completion_tokens: output },
    };
  },
};
const OWN_HOLES = [
  "reasoning",
  "usage: cached tokens",
  "usage: reasoning tokens",
  "after a checkpoint signatures and opaque parts go back byte-equal",
];

/** By HTTP: an answer that is not streamed stands in an envelope. */
const http = {
  create: (options) =>
    new ChatWorkersAI({
      model: "@cf/test/model",
      accountId: "acc",
      apiToken: "t-matrix",
      ...options,
    }),
};
const envelope = (whole) => ({
  whole: (answer) => ({ result: whole(answer), success: true, errors: [], messages: [] }),
});
const refusals = {
  errors: {
    ...workersAI.errors,
    refused: {
      status: 400,
      body: { success: false, errors: [{ code: 5007, message: REASON }] },
      code: "5007",
    },
    limited: { body: { success: false, errors: [{ code: 3040, message: REASON }] } },
  },
};

for (const title of TITLES) {
  test(`chat completions by HTTP: ${title}`, () =>
    runCase({ ...workersAI, ...http, ...refusals, ...envelope(openai.whole) }, title));
  if (OWN_HOLES.includes(title)) continue;
  test(`the service's own form by the binding: ${title}`, () =>
    runCase({ ...workersAI, ...own }, title));
  test(`the service's own form by HTTP: ${title}`, () =>
    runCase({ ...workersAI, ...own, ...http, ...refusals, ...envelope(own.whole) }, title));
}
