// SPDX-License-Identifier: MIT
// Serves: ChatAnthropicMessages, what it asks Anthropic's Messages API and how it reads what comes:
// reasoning with its signature, calls, usage, errors, answers of hostile services.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import {
  AIMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
  coerceMessageLikeToMessage,
} from "weftgraph/messages";
import { ChatAnthropicMessages, ModelError } from "weftgraph/models/anthropic";
import { createReactAgent } from "weftgraph/prebuilt";
import { tool } from "weftgraph/tools";
import {
  begin,
  call,
  delta,
  end,
  error,
  inPieces,
  refusal,
  scripted,
  sse,
  start,
  stop,
  text,
  thinking,
} from "./anthropic-wire.mjs";

const KEY = "sk-ant-very-secret";
const SIGNATURE = "EqQB+/aä==";
const modelOf = (fetch, options) =>
  new ChatAnthropicMessages({ model: "claude-sonnet-5", apiKey: KEY, fetch, ...options });
const HI = [start(), ...text(0, "Hel", "lo."), ...end()];
const THINKING = [
  start(),
  ...thinking(0, SIGNATURE, "Let me ", "see."),
  begin(1, { type: "redacted_thinking", data: "opaque==" }),
  stop(1),
  ...text(2, "I look ", "at both."),
  ...call(3, "toolu_1", "weather", '{"city"', ':"Oslo"}'),
  ...call(4, "toolu_2", "time"),
  ...end("tool_use"),
];

async function chunksOf(pieces) {
  const chunks = [];
  for await (const chunk of pieces) chunks.push(chunk);
  return chunks;
}
const joined = (chunks) => chunks.reduce((one, next) => one.concat(next));
/** The answer in each way that it can be had. */
async function answers(events, options, input = "hi") {
  const model = modelOf(scripted(events), options);
  const chunks = await chunksOf(model.stream(input));
  const streamed = await model.invoke(input, { callbacks: [{ handleLLMNewToken() {} }] });
  return { chunks, joined: joined(chunks), streamed, whole: await model.invoke(input) };
}
/** What the service is asked for these messages. */
async function asked(messages, { call: options, tools, toolOptions, ...rest } = {}) {
  const fetch = scripted(HI);
  const model = modelOf(fetch, rest);
  const asking = tools === undefined ? model : model.bindTools(tools, toolOptions);
  await asking.invoke(messages, options);
  return fetch.asked[0];
}
const failure = (promise) =>
  promise.then(
    () => assert.fail("must fail"),
    (reason) => reason,
  );
const streamOf = (body, init) =>
  new Response(body, { headers: { "content-type": "text/event-stream" }, ...init });
const withoutPlaces = (blocks) => blocks.map(({ index: _place, ...block }) => block);

test("a text comes as text, with usage, stop reason and the model's name, streamed and whole", async () => {
  const { chunks, ...messages } = await answers(HI);
  assert.deepEqual(
    chunks.map(({ content }) => content),
    ["Hel", "lo.", ""],
  );
  for (const message of Object.values(messages)) {
    assert.equal(message.content, "Hello.");
    assert.deepEqual(message.response_metadata, {
      model_provider: "anthropic",
      model_name: "claude-test",
      response_id: "msg_1",
      stop_reason: "end_turn",
    });
    const { input_tokens, output_tokens, total_tokens } = message.usage_metadata;
    assert.deepEqual([input_tokens, output_tokens, total_tokens], [10, 5, 15]);
  }
});

test("reasoning comes with its signature in one piece, then text and calls; all of it goes back unchanged, to this service alone", async () => {
  const { chunks, ...messages } = await answers(THINKING);
  const signed = chunks.flatMap(({ content }) => content).filter((block) => block.signature);
  assert.deepEqual(
    signed.map(({ signature }) => signature),
    [SIGNATURE],
  );
  const weather = { type: "tool_use", id: "toolu_1", name: "weather", input: { city: "Oslo" } };
  const time = { type: "tool_use", id: "toolu_2", name: "time", input: {} };
  const said = [
    { type: "thinking", thinking: "Let me see.", signature: SIGNATURE },
    { type: "redacted_thinking", data: "opaque==" },
    { type: "text", text: "I look at both." },
  ];
  for (const [how, message] of Object.entries(messages)) {
    const blocks = withoutPlaces(message.content);
    assert.deepEqual(blocks, how === "joined" ? said : [...said, weather, time], how);
    assert.deepEqual(
      message.tool_calls.map(({ id, name, args }) => [id, name, args]),
      [
        ["toolu_1", "weather", { city: "Oslo" }],
        ["toolu_2", "time", {}],
      ],
    );
    const own = (await asked([new HumanMessage("hi"), message])).body.messages[1];
    assert.deepEqual(own, { role: "assistant", content: [...said, weather, time] });
    const other = (await asked([message], { provider: "another" })).body.messages[0];
    assert.deepEqual(other.content, [said[2], weather, time]);
  }
});

test("a signature at the block's beginning counts; the last of several does; reasoning without one is not sent back", async () => {
  const events = [
    start(),
    begin(0, { type: "thinking", thinking: "a", signature: "s0" }),
    stop(0),
    begin(1, { type: "thinking", thinking: "" }),
    delta(1, "signature_delta", { signature: "early" }),
    delta(1, "signature_delta", { signature: "late" }),
    stop(1),
    begin(2, { type: "thinking", thinking: "unsigned" }),
    ...end(),
  ];
  const { joined: message } = await answers(events);
  assert.deepEqual(withoutPlaces(message.content), [
    { type: "thinking", thinking: "a", signature: "s0" },
    { type: "thinking", thinking: "", signature: "late" },
    { type: "thinking", thinking: "unsigned" },
  ]);
  const { messages } = (await asked([message])).body;
  assert.deepEqual(
    messages[0].content.map(({ signature }) => signature),
    ["s0", "late"],
  );
});

test("bytes may be cut anywhere: letters, lines, events, arguments", async () => {
  const events = [
    start(),
    ...text(0, "Zürich – 東京 ", "🧵"),
    ...call(1, "toolu_1", "ort", ...'{"name":"Zürich 🧵","n":[1,2]}'),
    ...end("tool_use"),
  ];
  for (const size of [1, 2, 3, 7, 1000]) {
    const model = modelOf(scripted(() => streamOf(inPieces(sse(events), size))));
    const message = joined(await chunksOf(model.stream("hi")));
    assert.equal(message.text, "Zürich – 東京 🧵");
    assert.deepEqual(message.tool_calls[0].args, { name: "Zürich 🧵", n: [1, 2] });
  }
});

test("arguments at a call's beginning count if no pieces follow; broken ones are kept as text; equal or absent ids are replaced", async () => {
  const events = [
    start(),
    begin(0, { type: "tool_use", id: "a", name: "one", input: { n: 1 } }),
    stop(0),
    ...call(1, "a", "two", '{"n":'),
    begin(2, { type: "tool_use", name: "three" }),
    ...end("tool_use"),
  ];
  const model = modelOf(scripted(events));
  const streamed = await model.invoke("hi", { callbacks: [{ handleLLMNewToken() {} }] });
  assert.deepEqual(
    streamed.tool_calls.map(({ name, args }) => [name, args]),
    [
      ["one", { n: 1 }],
      ["three", {}],
    ],
  );
  assert.deepEqual(
    [streamed.invalid_tool_calls[0].name, streamed.invalid_tool_calls[0].args],
    ["two", '{"n":'],
  );
  const ids = [...streamed.tool_calls, ...streamed.invalid_tool_calls].map(({ id }) => id);
  assert.equal(new Set(ids).size, 3);
});

test("usage: the pieces sum to the service's last counts, the cache included", async () => {
  const cached = {
    input_tokens: 7,
    cache_read_input_tokens: 100,
    cache_creation_input_tokens: 20,
    output_tokens: 7,
  };
  const last = {
    input_tokens: 9,
    cache_read_input_tokens: 90,
    cache_creation_input_tokens: null,
    output_tokens: 48,
    output_tokens_details: { thinking_tokens: 30 },
  };
  const events = [
    start(cached),
    ...text(0, "a"),
    { type: "message_delta", delta: {}, usage: { output_tokens: 20 } },
    ...end("end_turn", last),
  ];
  const { chunks, ...messages } = await answers(events);
  assert.ok(chunks.filter(({ usage_metadata }) => usage_metadata !== undefined).length >= 2);
  for (const { usage_metadata } of [messages.joined, messages.streamed])
    assert.deepEqual(usage_metadata, {
      input_tokens: 119,
      output_tokens: 48,
      total_tokens: 167,
      input_token_details: { cache_read: 90, cache_creation: 20 },
      output_token_details: { reasoning: 30 },
    });
});

test("the request: address, headers, and nothing that was not asked for", async () => {
  const { url, method, headers, body } = await asked([new HumanMessage("hi")]);
  assert.deepEqual([url, method], ["https://api.anthropic.com/v1/messages", "POST"]);
  const { "content-type": _type, ...rest } = headers;
  assert.deepEqual(rest, { "x-api-key": KEY, "anthropic-version": "2023-06-01" });
  assert.deepEqual(body, {
    model: "claude-sonnet-5",
    max_tokens: 16384,
    messages: [{ role: "user", content: [{ type: "text", text: "hi" }] }],
  });
  const all = await asked("hi", {
    baseURL: async () => undefined,
  }).catch((reason) => reason);
  assert.match(all.message, /baseURL must be a text/);
});

test("options of the model and of the call reach the service", async () => {
  const model = {
    version: "2026-10-21",
    betas: ["files-api-2025-04-14"],
    maxTokens: 99,
    temperature: 1,
    topP: 0.9,
    topK: 5,
    stopSequences: ["."],
    effort: "high",
    thinking: { type: "adaptive", display: "summarized" },
    cache: { ttl: "1h" },
    modelKwargs: { metadata: { user_id: "u1" } },
    baseURL: "https://gateway.example/v1/",
    headers: async () => ({ "X-Own": "1", authorization: "Bearer own-secret" }),
    apiKey: async () => undefined,
  };
  const { url, headers, body } = await asked("hi", model);
  assert.equal(url, "https://gateway.example/v1/messages");
  assert.deepEqual(
    [headers["anthropic-version"], headers["anthropic-beta"], headers["x-own"]],
    ["2026-10-21", "files-api-2025-04-14", "1"],
  );
  assert.deepEqual([headers.authorization, headers["x-api-key"]], ["Bearer own-secret", undefined]);
  const { messages: _messages, model: _model, ...rest } = body;
  assert.deepEqual(rest, {
    max_tokens: 99,
    temperature: 1,
    top_p: 0.9,
    top_k: 5,
    stop_sequences: ["."],
    thinking: { type: "adaptive", display: "summarized" },
    cache_control: { type: "ephemeral", ttl: "1h" },
    output_config: { effort: "high" },
    metadata: { user_id: "u1" },
  });
  const options = {
    maxTokens: 0,
    temperature: 0.5,
    stop: "!",
    effort: "low",
    betas: ["b"],
    cache_control: { type: "ephemeral" },
    thinking: { type: "disabled" },
    metadata: { not: "for the service" },
  };
  const ofCall = await asked("hi", { ...model, call: options });
  assert.equal(ofCall.headers["anthropic-beta"], "files-api-2025-04-14,b");
  const { max_tokens, temperature, stop_sequences, output_config, cache_control } = ofCall.body;
  assert.deepEqual(
    [max_tokens, temperature, stop_sequences, output_config, cache_control],
    [0, 0.5, ["!"], { effort: "low" }, { type: "ephemeral" }],
  );
  assert.deepEqual(
    [ofCall.body.thinking, ofCall.body.metadata],
    [{ type: "disabled" }, { user_id: "u1" }],
  );
});

test("options of a wrong type are refused, each by name", () => {
  for (const [option, value] of Object.entries({
    thinking: "adaptive",
    betas: "files",
    stopSequences: [1],
    cache: "1h",
    version: 1,
    effort: 2,
    maxTokens: 1.5,
    model: "",
  }))
    assert.throws(
      () => modelOf(scripted(HI), { [option]: value }),
      (reason) => reason.message.includes(option),
    );
});

test("the maximum of tokens, and whether answers are structured, follow the model's family", () => {
  for (const [model, tokens, structured] of [
    ["claude-sonnet-5", 16384, true],
    ["claude-haiku-4-5-20251001", 16384, true],
    ["anthropic.claude-opus-4-6-v1:0", 16384, true],
    ["claude-sonnet-4-20250514", 16384, false],
    ["claude-opus-4-1-20250805", 16384, false],
    ["claude-3-5-haiku-latest", 4096, false],
    ["kimi-k2", 4096, false],
  ]) {
    const { maxTokens, profile } = modelOf(scripted(HI), { model });
    assert.deepEqual([model, maxTokens, profile.structuredOutput], [model, tokens, structured]);
  }
  const profile = { structuredOutput: true };
  assert.equal(modelOf(scripted(HI), { model: "m", profile }).profile.structuredOutput, true);
});

test("LangChain's middleware knows the model by its name; the key is printed nowhere", () => {
  const model = modelOf(scripted(HI));
  assert.equal(model.getName(), "ChatAnthropic");
  assert.ok(!JSON.stringify(model).includes(KEY));
  assert.ok(!Object.values(model).some((value) => String(value).includes(KEY)));
});

test("in a page the service is told so, else it would answer none", async () => {
  const header = "anthropic-dangerous-direct-browser-access";
  assert.equal((await asked("hi")).headers[header], undefined);
  globalThis.location = new URL("https://page.example");
  try {
    assert.equal((await asked("hi")).headers[header], "true");
  } finally {
    delete globalThis.location;
  }
});

test("leading system messages are `system`, later ones turns; turns of one role are one; blank texts are left out", async () => {
  const mark = { type: "ephemeral" };
  const { body } = await asked([
    new SystemMessage("Be kind."),
    new SystemMessage([{ type: "text", text: "Be brief.", cache_control: mark }]),
    new HumanMessage("a"),
    new HumanMessage([{ type: "text", text: "b", cache_control: mark, index: 3 }, "c"]),
    new AIMessage("  \n"),
    new AIMessage("one"),
    new AIMessage("two"),
    new SystemMessage("Now in French."),
    coerceMessageLikeToMessage({ role: "assistant", content: "oui" }),
    new HumanMessage("d"),
  ]);
  const says = (...texts) => texts.map((one) => ({ type: "text", text: one }));
  assert.deepEqual(body.system, [
    ...says("Be kind."),
    { type: "text", text: "Be brief.", cache_control: mark },
  ]);
  assert.deepEqual(body.messages, [
    {
      role: "user",
      content: [...says("a"), { type: "text", text: "b", cache_control: mark }, ...says("c")],
    },
    { role: "assistant", content: says("one", "two") },
    { role: "system", content: says("Now in French.") },
    { role: "assistant", content: says("oui") },
    { role: "user", content: says("d") },
  ]);
  assert.equal(
    (await asked([new SystemMessage("One."), new HumanMessage("a")])).body.system,
    "One.",
  );
});

test("results are one user turn directly after their calls, before all text, whatever their order; a failed one says so", async () => {
  const calls = ["1", "2", "3"].map((id) => ({ id, name: "t", args: {} }));
  const { messages } = (
    await asked([
      new HumanMessage("go"),
      new AIMessage({
        content: "",
        tool_calls: calls.slice(0, 2),
        invalid_tool_calls: [{ id: "3", name: "t", args: "{", error: "no JSON" }],
      }),
      new ToolMessage({ tool_call_id: "1", content: "one" }),
      new HumanMessage("faster"),
      new ToolMessage({ tool_call_id: "3", content: "bad", status: "error" }),
      new AIMessage("wait"),
      new ToolMessage({
        tool_call_id: "2",
        content: [
          { type: "text", text: "see" },
          { type: "image", data: "AAA=", mimeType: "image/png" },
          { type: "unknown", n: 1 },
        ],
      }),
    ])
  ).body;
  const used = (id) => ({ type: "tool_use", id, name: "t", input: {} });
  assert.deepEqual(messages.slice(1), [
    { role: "assistant", content: ["1", "2", "3"].map(used) },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "1", content: "one" },
        { type: "tool_result", tool_use_id: "3", content: "bad", is_error: true },
        {
          type: "tool_result",
          tool_use_id: "2",
          content: [
            { type: "text", text: "see" },
            { type: "image", source: { type: "base64", media_type: "image/png", data: "AAA=" } },
            { type: "text", text: '{"type":"unknown","n":1}' },
          ],
        },
        { type: "text", text: "faster" },
      ],
    },
    { role: "assistant", content: [{ type: "text", text: "wait" }] },
  ]);
});

test("ids and names of another service's calls are made acceptable, alike for call and result", async () => {
  const id = "call.1|fc_é";
  const { messages } = (
    await asked([
      new AIMessage({ content: "", tool_calls: [{ id, name: "docs.search", args: {} }] }),
      new ToolMessage({ tool_call_id: id, content: "found" }),
    ])
  ).body;
  const [used] = messages[0].content;
  assert.match(used.id, /^[\w-]+$/);
  assert.deepEqual([used.name, messages[1].content[0].tool_use_id], ["docs_search", used.id]);
});

test("blocks that are none, or have no value, are left out of an answer and refused in a question", async () => {
  const own = { response_metadata: { model_provider: "anthropic" } };
  const said = { type: "text", text: "Hi." };
  const content = [null, said, {}, { type: "non_standard" }, { type: "thinking", thinking: "a" }];
  const { messages } = (await asked([new AIMessage({ content, ...own })])).body;
  assert.deepEqual(messages, [{ role: "assistant", content: [said] }]);
  for (const block of [null, {}, { type: "non_standard" }]) {
    const reason = await failure(asked([new HumanMessage([block])]));
    assert.ok(reason instanceof TypeError && /^Message 0 has a block/.test(reason.message));
  }
  const value = { type: "search_result", source: "a", title: "b", content: [] };
  const passed = await asked([new HumanMessage([{ type: "non_standard", value }])]);
  assert.deepEqual(passed.body.messages[0].content, [value]);
});

test("a call that a person changed or removed goes back so, at its place among the blocks", async () => {
  const [message] = Object.values(await answers(THINKING)).slice(-1);
  message.tool_calls = [{ ...message.tool_calls[0], args: { city: "Bergen" } }];
  const [{ content }] = (await asked([message])).body.messages;
  assert.deepEqual(content.at(-1).input, { city: "Bergen" });
  assert.equal(content.length, 4);
});

test("messages in Anthropic's own form are taken as they are", async () => {
  const image = { type: "image", source: { type: "file", file_id: "file_1" } };
  const result = { type: "tool_result", tool_use_id: "toolu_1", content: "4 °C", is_error: false };
  const use = { type: "tool_use", id: "toolu_1", name: "weather", input: { city: "Oslo" } };
  const found = { type: "search_result", source: "a", title: "b", content: [] };
  const { messages } = (
    await asked([
      { role: "user", content: [image, found] },
      { role: "assistant", content: [use] },
      { role: "user", content: [result] },
    ])
  ).body;
  assert.deepEqual(
    messages.map(({ content }) => content),
    [[image, found], [use], [result]],
  );
});

test("pictures and documents go in, in each form; what the service cannot take is refused before the request", async () => {
  const png = { type: "base64", media_type: "image/png", data: "AAA=" };
  const url = "https://a.example/b";
  const image = (source) => ({ type: "image", source });
  const document = (source, more) => ({ type: "document", source, ...more });
  const plain = { type: "text", media_type: "text/plain", data: "héllo" };
  const options = { title: "T", context: "C", citations: { enabled: true } };
  for (const [given, expected] of [
    [{ type: "image", data: "AAA=", mimeType: "image/png" }, image(png)],
    [{ type: "image", source_type: "base64", data: "AAA=", mime_type: "image/png" }, image(png)],
    [{ type: "image_url", image_url: { url: "data:image/png;base64,AAA=" } }, image(png)],
    [{ type: "image_url", image_url: url }, image({ type: "url", url })],
    [{ type: "image", fileId: "f1" }, image({ type: "file", file_id: "f1" })],
    [
      { type: "file", data: "AAA=", mimeType: "application/pdf", filename: "a.pdf" },
      document({ ...png, media_type: "application/pdf" }, { title: "a.pdf" }),
    ],
    [{ type: "file", url, mimeType: "application/pdf" }, document({ type: "url", url })],
    [{ type: "file", fileId: "f1" }, document({ type: "file", file_id: "f1" })],
    [{ type: "file", data: btoa("h\u00c3\u00a9llo"), mimeType: "text/markdown" }, document(plain)],
    [{ type: "text-plain", text: "héllo", metadata: options }, document(plain, options)],
    [
      { type: "document", source: { type: "content", content: [] }, ...options },
      document({ type: "content", content: [] }, options),
    ],
  ]) {
    const { messages } = (await asked([new HumanMessage([given])])).body;
    assert.deepEqual(messages[0].content, [expected]);
  }
  for (const block of [
    { type: "audio", data: "AAA=", mimeType: "audio/wav" },
    { type: "video", url },
    { type: "file", data: "AAA=", mimeType: "application/zip" },
    { type: "file", data: "*", mimeType: "text/plain" },
    { type: "image" },
    { type: "unheard_of" },
  ]) {
    const fetch = scripted(HI);
    const reason = await failure(modelOf(fetch).invoke(["hi", new HumanMessage([block])]));
    assert.ok(reason instanceof TypeError, String(reason));
    assert.match(reason.message, new RegExp(`Message 1 has a block "${block.type}".*Anthropic`));
    assert.equal(fetch.asked.length, 0);
  }
});

test("citations come as a list of their text block, and go back", async () => {
  const cite = (cited_text) => ({ type: "char_location", cited_text, document_index: 0 });
  const events = [
    start(),
    ...text(0, "From the text: "),
    begin(1, { type: "text", text: "", citations: [] }),
    delta(1, "text_delta", { text: "grass " }),
    delta(1, "citations_delta", { citation: cite("a") }),
    delta(1, "text_delta", { text: "is green" }),
    delta(1, "citations_delta", { citation: cite("b") }),
    stop(1),
    ...end(),
  ];
  const { chunks: _chunks, ...messages } = await answers(events);
  for (const message of Object.values(messages)) {
    assert.equal(message.text, "From the text: grass is green");
    const [{ content }] = (await asked([message])).body.messages;
    assert.deepEqual(content, [
      { type: "text", text: "From the text: " },
      { type: "text", text: "grass is green", citations: [cite("a"), cite("b")] },
    ]);
  }
});

test("what the service's own tools did is kept, is no call, and after pause_turn goes back as it is", async () => {
  const used = { type: "server_tool_use", id: "srvtoolu_1", name: "web_search" };
  const result = {
    type: "web_search_tool_result",
    tool_use_id: "srvtoolu_1",
    content: [{ type: "web_search_result", url: "https://a.example", encrypted_content: "x==" }],
  };
  const events = [
    start(),
    ...text(0, "I search."),
    begin(1, { ...used, input: {} }),
    delta(1, "input_json_delta", { partial_json: '{"query":' }),
    delta(1, "input_json_delta", { partial_json: '"weft"}' }),
    stop(1),
    begin(2, result),
    stop(2),
    ...end("pause_turn"),
  ];
  const { chunks: _chunks, ...messages } = await answers(events);
  for (const message of Object.values(messages)) {
    assert.deepEqual([message.tool_calls, message.invalid_tool_calls], [[], []]);
    assert.equal(message.response_metadata.stop_reason, "pause_turn");
    const { messages: turns } = (await asked([new HumanMessage("?"), message, new AIMessage("ok")]))
      .body;
    assert.deepEqual(turns[1].content, [
      { type: "text", text: "I search." },
      { ...used, input: { query: "weft" } },
      result,
      { type: "text", text: "ok" },
    ]);
  }
});

test("why the model stopped is in response_metadata, a refusal with its details", async () => {
  const stop_details = { category: "cyber", explanation: "No." };
  for (const [reason, more] of [
    ["max_tokens", {}],
    ["stop_sequence", { stop_sequence: "." }],
    ["model_context_window_exceeded", {}],
    ["refusal", { stop_details }],
  ]) {
    const { chunks: _chunks, ...messages } = await answers([
      start(),
      ...end(reason, { output_tokens: 0 }, more),
    ]);
    for (const { content, response_metadata } of Object.values(messages)) {
      assert.equal(content, "");
      const { stop_reason, stop_sequence, stop_details: told } = response_metadata;
      assert.deepEqual(
        [stop_reason, stop_sequence, told],
        [reason, more.stop_sequence, more.stop_details],
      );
    }
  }
});

const WEATHER = {
  type: "function",
  function: {
    name: "weather",
    description: "Says the weather",
    parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    strict: true,
  },
};

test("tools go in Anthropic's form, the choice among them too", async () => {
  const own = {
    name: "own",
    input_schema: { type: "object" },
    cache_control: { type: "ephemeral" },
  };
  const search = { type: "web_search_20250305", name: "web_search" };
  const { body } = await asked("hi", { tools: [WEATHER, own, search] });
  assert.deepEqual(body.tools, [
    {
      name: "weather",
      description: "Says the weather",
      input_schema: { ...WEATHER.function.parameters, additionalProperties: false },
      strict: true,
    },
    { type: "custom", ...own },
    search,
  ]);
  assert.equal(body.tool_choice, undefined);
  for (const [options, expected] of [
    [{ tool_choice: "auto" }, { type: "auto" }],
    [{ tool_choice: "required" }, { type: "any" }],
    [{ tool_choice: "none" }, { type: "none" }],
    [{ tool_choice: "weather" }, { type: "tool", name: "weather" }],
    [
      { tool_choice: { type: "any", disable_parallel_tool_use: true } },
      { type: "any", disable_parallel_tool_use: true },
    ],
    [{ parallel_tool_calls: false }, { type: "auto", disable_parallel_tool_use: true }],
  ]) {
    const asking = await asked("hi", { tools: [WEATHER], toolOptions: options });
    assert.deepEqual(asking.body.tool_choice, expected);
  }
  const none = await asked("hi", { tools: [], toolOptions: { tool_choice: "any" } });
  assert.deepEqual([none.body.tools, none.body.tool_choice], [undefined, undefined]);
});

test("a strict tool's schema is one that the service takes", async () => {
  const declared = (parameters, strict) => ({
    type: "function",
    function: { name: "f", parameters, strict },
  });
  const city = { type: "string", minLength: 1 };
  const given = { type: "object", properties: { city }, required: ["city"] };
  const taken = {
    type: "object",
    properties: { city: { type: "string", description: "{minLength: 1}" } },
    required: ["city"],
    additionalProperties: false,
  };
  const $defs = { A: given };
  for (const [parameters, strict, expected] of [
    [given, true, taken],
    [given, false, given],
    [given, undefined, given],
    [
      { $ref: "#/$defs/A", $defs },
      true,
      { type: "object", $ref: "#/$defs/A", $defs: { A: taken } },
    ],
  ]) {
    const { body } = await asked("hi", { tools: [declared(parameters, strict)] });
    assert.deepEqual(body.tools[0].input_schema, expected);
  }
});

test("a tool that the service would refuse is refused by name, before the request", async () => {
  const named = (name, parameters) => ({ type: "function", function: { name, parameters } });
  for (const tools of [
    [named("a.b", { type: "object" })],
    [named("x".repeat(129), { type: "object" })],
    [named("either", { anyOf: [{ type: "object" }, { type: "object" }] })],
  ]) {
    const fetch = scripted(HI);
    const reason = await failure(modelOf(fetch).bindTools(tools).invoke("hi"));
    assert.ok(reason instanceof TypeError && reason.message.includes(tools[0].function.name));
    assert.equal(fetch.asked.length, 0);
  }
});

test("structured output is the service's own, with a schema that it takes; the answer is checked against the user's", async () => {
  const schema = {
    type: "object",
    description: "A city",
    properties: {
      name: { type: "string", minLength: 2, format: "email" },
      size: { type: "integer", minimum: 1 },
      kinds: {
        type: "array",
        minItems: 2,
        items: { oneOf: [{ const: "a" }, { $ref: "#/$defs/k" }] },
      },
    },
    required: ["name"],
    $defs: { k: { type: "string", enum: ["b"] } },
  };
  const fetch = scripted(
    [start(), ...text(0, '{"name":"Oslo","size":3}'), ...end()],
    [start(), ...text(0, '{"name":"Oslo","size":0}'), ...end()],
  );
  const model = modelOf(fetch, { effort: "low" }).withStructuredOutput(schema);
  assert.deepEqual(await model.invoke("hi"), { name: "Oslo", size: 3 });
  assert.deepEqual(fetch.asked[0].body.output_config, {
    effort: "low",
    format: {
      type: "json_schema",
      schema: {
        type: "object",
        properties: {
          name: { type: "string", format: "email", description: "{minLength: 2}" },
          size: { type: "integer", description: "{minimum: 1}" },
          kinds: {
            type: "array",
            items: { anyOf: [{ const: "a" }, { $ref: "#/$defs/k" }] },
            description: "{minItems: 2}",
          },
        },
        required: ["name"],
        $defs: { k: { enum: ["b"] } },
        additionalProperties: false,
        description: "A city",
      },
    },
  });
  const reason = await failure(model.invoke("hi"));
  assert.ok(reason instanceof ModelError && reason.code === "BAD_ANSWER");
  assert.match(reason.message, /\/size/);
  assert.equal(reason.raw.text, '{"name":"Oslo","size":0}');
});

test("with thinking no tool is forced: structured output by a tool offers it only", async () => {
  const schema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
  const answer = [start(), ...call(0, "toolu_1", "extract", '{"n":3}'), ...end("tool_use")];
  for (const [thinkingOption, choice] of [
    [undefined, { type: "tool", name: "extract" }],
    [{ type: "disabled" }, { type: "tool", name: "extract" }],
    [{ type: "adaptive" }, undefined],
  ]) {
    const fetch = scripted(answer);
    const model = modelOf(fetch, { thinking: thinkingOption });
    const asking = model.withStructuredOutput(schema, { method: "tool" });
    assert.deepEqual(await asking.invoke("n?"), { n: 3 });
    assert.deepEqual(fetch.asked[0].body.tool_choice, choice);
  }
});

test("tokens are counted by the service, with tools and system text, and without what does not count", async () => {
  const fetch = scripted(() => Response.json({ input_tokens: 42 }));
  const model = modelOf(fetch, { temperature: 1, cache: true }).bindTools([WEATHER]);
  assert.equal(await model.countTokens([new SystemMessage("s"), new HumanMessage("hi")]), 42);
  const [{ url, body }] = fetch.asked;
  assert.equal(url, "https://api.anthropic.com/v1/messages/count_tokens");
  assert.deepEqual(Object.keys(body).sort(), ["messages", "model", "system", "tools"]);
  const reason = await failure(modelOf(scripted(() => Response.json({}))).countTokens("hi"));
  assert.ok(reason instanceof ModelError && reason.code === "BAD_ANSWER");
});

// ---- errors

test("a refusal is a ModelError with the service's code; what may pass is tried again", async () => {
  for (const [status, type, retried] of [
    [400, "invalid_request_error", false],
    [401, "authentication_error", false],
    [402, "billing_error", false],
    [403, "permission_error", false],
    [404, "not_found_error", false],
    [409, "conflict_error", true],
    [429, "rate_limit_error", true],
    [500, "api_error", true],
    [504, "timeout_error", true],
    [529, "overloaded_error", true],
  ]) {
    const fetch = scripted(() => refusal(status, type, "no", { "retry-after-ms": "1" }));
    const reason = await failure(modelOf(fetch, { maxRetries: 1 }).invoke("hi"));
    assert.ok(reason instanceof ModelError);
    assert.deepEqual(
      [reason.status, reason.code, reason.retryable, fetch.asked.length],
      [status, type, retried, retried ? 2 : 1],
    );
  }
});

test("what the service says about another try counts, and how long it asks to wait", async () => {
  const waits = [];
  const patient = (...answers) => {
    const fetch = scripted(...answers);
    const onRetry = ({ delayMs }) => waits.push(delayMs);
    return [fetch, modelOf(fetch, { onRetry })];
  };
  const [told, model] = patient(
    refusal(400, "invalid_request_error", "x", { "x-should-retry": "true", "retry-after-ms": "2" }),
    HI,
  );
  assert.equal((await model.invoke("hi")).content, "Hello.");
  assert.deepEqual([waits, told.asked.length], [[2], 2]);
  const [not, stubborn] = patient(
    refusal(529, "overloaded_error", "x", { "x-should-retry": "false" }),
  );
  assert.equal((await failure(stubborn.invoke("hi"))).retryable, false);
  assert.equal(not.asked.length, 1);
});

test("an input that is too long is context_overflow, and is not tried again", async () => {
  for (const message of [
    "prompt is too long: 210000 tokens > 200000 maximum",
    "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000",
  ]) {
    const fetch = scripted(() => refusal(400, "invalid_request_error", message));
    const { code, retryable } = await failure(modelOf(fetch).invoke("hi"));
    assert.deepEqual([code, retryable, fetch.asked.length], ["context_overflow", false, 1]);
  }
});

test("an error inside a good stream is tried again until a piece was delivered, then it ends the answer", async () => {
  const busy = error("overloaded_error", "Overloaded");
  const early = scripted(
    () => streamOf(sse([start(), { type: "ping" }, begin(0, { type: "text", text: "" }), busy])),
    HI,
  );
  const answer = joined(await chunksOf(modelOf(early, { maxRetries: 1 }).stream("hi")));
  assert.deepEqual([answer.content, early.asked.length], ["Hello.", 2]);
  const late = scripted(() => streamOf(sse([start(), ...text(0, "Hel"), busy])));
  const pieces = [];
  const reason = await failure(
    (async () => {
      for await (const { content } of modelOf(late).stream("hi")) pieces.push(content);
    })(),
  );
  assert.deepEqual([pieces, late.asked.length], [["Hel"], 1]);
  assert.ok(reason instanceof ModelError);
  assert.deepEqual([reason.code, reason.retryable], ["overloaded_error", true]);
});

test("unknown events, deltas, blocks and fields are ignored or kept; a repeated beginning counts once, nothing counts after the end", async () => {
  const events = [
    start(),
    start(),
    { type: "ping", more: 1 },
    { type: "unheard_of", index: "x" },
    begin(0, { type: "text", text: "" }),
    delta(0, "unheard_of_delta", { text: 1 }),
    delta(0, "text_delta", { text: "Hi" }),
    stop(0),
    stop(0),
    stop(9),
    begin(1, { type: "novelty", data: [1] }),
    ...end("end_turn", { output_tokens: 5, novelty: {} }, { novelty: 1 }),
    start({ input_tokens: 99 }, "msg_2"),
    ...text(0, "!"),
    ...end(),
  ];
  const message = joined(await chunksOf(modelOf(scripted(events)).stream("hi")));
  assert.deepEqual(withoutPlaces(message.content), [
    { type: "text", text: "Hi" },
    { type: "novelty", data: [1] },
  ]);
  assert.deepEqual(
    [message.usage_metadata.input_tokens, message.usage_metadata.output_tokens],
    [10, 5],
  );
});

const nested = (levels) => JSON.parse(`${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`);
const BROKEN = {
  "a stream without its end": [[start(), ...text(0, "Hi")], "STREAM_CUT"],
  "an end without its last event": [[start(), ...text(0, "Hi"), end()[0]], "STREAM_CUT"],
  nothing: [[], "STREAM_CUT"],
  "an end without a beginning": [end(), "BAD_ANSWER"],
  "text before the beginning": [text(0, "Hi"), "BAD_ANSWER"],
  "the beginning of another answer": [
    [start(), ...text(0, "Hi"), start({}, "msg_2"), ...end()],
    "BAD_ANSWER",
  ],
  "a block that begins twice": [
    [start(), begin(0, { type: "text", text: "" }), begin(0, { type: "text", text: "" })],
    "BAD_ANSWER",
  ],
  "a piece of no block": [[start(), delta(3, "text_delta", { text: "Hi" })], "BAD_ANSWER"],
  "a piece of an ended block": [
    [start(), ...text(0, "Hi"), delta(0, "text_delta", { text: "!" })],
    "BAD_ANSWER",
  ],
  "text for a call": [
    [
      start(),
      begin(0, { type: "tool_use", id: "1", name: "t" }),
      delta(0, "text_delta", { text: "" }),
    ],
    "BAD_ANSWER",
  ],
  "arguments for a text": [
    [start(), begin(0, { type: "text" }), delta(0, "input_json_delta", { partial_json: "{" })],
    "BAD_ANSWER",
  ],
  "text that is a number": [
    [start(), begin(0, { type: "text" }), delta(0, "text_delta", { text: 7 })],
    "BAD_ANSWER",
  ],
  "a signature that is an object": [
    [start(), begin(0, { type: "thinking" }), delta(0, "signature_delta", { signature: {} })],
    "BAD_ANSWER",
  ],
  "a block that is a list": [[start(), begin(0, [])], "BAD_ANSWER"],
  "a block without a type": [[start(), begin(0, {})], "BAD_ANSWER"],
  "a place that is negative": [[start(), begin(-1, { type: "text" })], "BAD_ANSWER"],
  "no place": [[start(), begin(undefined, { type: "text" })], "BAD_ANSWER"],
  "a delta that is a text": [
    [start(), begin(0, { type: "text" }), { type: "content_block_delta", index: 0, delta: "x" }],
    "BAD_ANSWER",
  ],
  "usage that is a list": [[start([])], "BAD_ANSWER"],
  "a stop reason that is an object": [[start(), ...end({})], "BAD_ANSWER"],
  "a block nested too deep to be written again": [
    [start(), begin(0, { type: "novelty", data: nested(500) })],
    "BAD_ANSWER",
  ],
  "a citation nested too deep": [
    [
      start(),
      begin(0, { type: "text", citations: [] }),
      delta(0, "citations_delta", { citation: nested(500) }),
    ],
    "BAD_ANSWER",
  ],
  "too many calls": [
    [start(), ...Array.from({ length: 9 }, (_, at) => call(at, `${at}`, "t")).flat()],
    "TOO_LARGE",
  ],
};

for (const [what, [events, code]] of Object.entries(BROKEN))
  test(`a stream with ${what} is a ModelError`, async () => {
    const fetch = scripted(() => streamOf(sse(events)));
    const model = modelOf(fetch, { maxRetries: 0, maxToolCalls: 8 });
    const reason = await failure(chunksOf(model.stream("hi")));
    assert.ok(reason instanceof ModelError, String(reason.stack));
    assert.deepEqual([reason.code, reason.status], [code, 200]);
  });

test("the summary of a long conversation comes in a delta of its own, and goes back with what is encrypted", async () => {
  const edits = { applied_edits: [{ type: "clear_tool_uses_20250919", cleared_tool_uses: 8 }] };
  const [last, over] = end();
  const events = [
    start(),
    begin(0, { type: "compaction", content: null }),
    delta(0, "compaction_delta", { content: "A summary.", encrypted_content: "EuYB" }),
    stop(0),
    ...text(1, "Hello."),
    { ...last, context_management: edits },
    over,
  ];
  const { streamed, joined: sum } = await answers(events);
  const summary = { type: "compaction", content: "A summary.", encrypted_content: "EuYB" };
  assert.deepEqual(streamed.content, [summary, { type: "text", text: "Hello." }]);
  assert.deepEqual(sum.content[0], { ...summary, index: 0 });
  assert.deepEqual(streamed.response_metadata.context_management, edits);
  const { body } = await asked([new HumanMessage("hi"), streamed, new HumanMessage("on")]);
  assert.deepEqual(body.messages[1].content, streamed.content);
});

test("reasoning without a signature goes back to services that have none, not to Anthropic", async () => {
  const events = [
    start(),
    begin(0, { type: "thinking", thinking: "" }),
    delta(0, "thinking_delta", { thinking: "Hm." }),
    stop(0),
    ...call(1, "toolu_1", "time", "{}"),
    ...end("tool_use"),
  ];
  const { streamed } = await answers(events);
  const messages = [
    new HumanMessage("hi"),
    streamed,
    new ToolMessage({ content: "9", tool_call_id: "toolu_1" }),
  ];
  const called = { type: "tool_use", id: "toolu_1", name: "time", input: {} };
  const back = async (options) => (await asked(messages, options)).body.messages[1].content;
  const elsewhere = { baseURL: "https://api.deepseek.com/anthropic" };
  assert.deepEqual(await back(elsewhere), [
    { type: "thinking", thinking: "Hm.", signature: "" },
    called,
  ]);
  assert.deepEqual(await back(), [called]);
  // A proxy of Anthropic's own service would refuse the beginning of signed reasoning.
  const { stop_reason: _reason, ...metadata } = streamed.response_metadata;
  messages[1] = new AIMessage({ ...streamed, response_metadata: metadata });
  assert.deepEqual(await back(elsewhere), [called]);
});

test("what the service bills by other measures is in response_metadata", async () => {
  const cache_creation = { ephemeral_5m_input_tokens: 60, ephemeral_1h_input_tokens: 40 };
  const events = [
    start({ input_tokens: 3, cache_creation_input_tokens: 100, cache_creation, output_tokens: 1 }),
    ...text(0, "Hello."),
    ...end("end_turn", { output_tokens: 5, server_tool_use: { web_search_requests: 2 } }),
  ];
  const { streamed, joined: sum } = await answers(events);
  const usage = { cache_creation, server_tool_use: { web_search_requests: 2 } };
  assert.deepEqual(streamed.response_metadata.usage, usage);
  assert.deepEqual(sum.response_metadata.usage, usage);
});

test("[DONE] in place of the last event is no end", async () => {
  const cut = `${sse([start(), ...text(0, "Hi")])}data: [DONE]\n\n`;
  const reason = await failure(chunksOf(modelOf(scripted(() => streamOf(cut))).stream("hi")));
  assert.equal(reason.code, "STREAM_CUT");
});

test("whole answers of other forms are ModelErrors", async () => {
  for (const body of [
    "",
    "{",
    "[]",
    "null",
    "{}",
    '{"type":"completion"}',
    '{"type":"message","content":7}',
    '{"type":"message","content":[7]}',
    '{"type":"message","content":[],"usage":7}',
    '{"type":"error","error":{"type":"api_error","message":"no"}}',
  ]) {
    const fetch = scripted(
      () => new Response(body, { headers: { "content-type": "application/json" } }),
    );
    const reason = await failure(modelOf(fetch, { maxRetries: 0 }).invoke("hi"));
    assert.ok(reason instanceof ModelError, `${body}: ${reason.stack}`);
  }
});

test("values of a hostile answer change no prototype, and nothing of them is lost or run", async () => {
  const wire = `${sse([start()])}${[
    '{"type":"content_block_start","index":0,"content_block":{"type":"novelty","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"input":{"__proto__":{"polluted":1}}}}',
    '{"type":"content_block_stop","index":0}',
    '{"type":"content_block_start","index":1,"content_block":{"type":"__proto__","text":"x"}}',
    '{"type":"content_block_start","index":2,"content_block":{"type":"constructor"}}',
    '{"type":"content_block_delta","index":2,"delta":{"type":"__proto__"}}',
    '{"type":"content_block_start","index":3,"content_block":{"type":"tool_use","id":"__proto__","name":"constructor","input":{"__proto__":{"polluted":1}},"__proto__":{"polluted":1}}}',
    '{"type":"message_delta","delta":{"stop_reason":"tool_use","__proto__":{"polluted":1}},"usage":{"__proto__":{"polluted":1}}}',
    '{"type":"message_stop"}',
  ]
    .map((data) => `data: ${data}\n\n`)
    .join("")}`;
  const model = modelOf(scripted(() => streamOf(wire)));
  const message = await model.invoke("hi", { callbacks: [{ handleLLMNewToken() {} }] });
  assert.equal({}.polluted, undefined);
  assert.equal(message.tool_calls[0].polluted, undefined);
  assert.ok(message.content.every((block) => block.polluted === undefined));
  assert.deepEqual(
    message.content.map(({ type }) => type),
    ["novelty", "__proto__", "constructor", "tool_use"],
  );
  await asked([message]);
  assert.equal({}.polluted, undefined);
});

test("an answer without an end is bounded in bytes, and its connection is given back", async () => {
  const endless = {
    text: sse([delta(0, "text_delta", { text: "la" })]),
    pings: sse([{ type: "ping" }]),
    "an event": 'data: {"type":"ping","more":"aaaaaaaaaa',
  };
  for (const [what, piece] of Object.entries(endless)) {
    let isCancelled = false;
    const bytes = new TextEncoder().encode(piece);
    const first = sse([start(), begin(0, { type: "text", text: "" })]);
    const body = new ReadableStream(
      {
        start: (controller) => controller.enqueue(new TextEncoder().encode(first)),
        pull: (controller) => controller.enqueue(bytes),
        cancel: () => {
          isCancelled = true;
        },
      },
      { highWaterMark: 0 },
    );
    const model = modelOf(
      scripted(() => streamOf(body)),
      {
        maxResponseBytes: 100_000,
        maxEventLength: 50_000,
      },
    );
    const reason = await failure(chunksOf(model.stream("hi")));
    assert.deepEqual([what, reason.code, isCancelled], [what, "TOO_LARGE", true]);
  }
});

test("many blocks, pieces and citations are read in time that grows with their number", async () => {
  const most = 20_000;
  const many = (make) => Array.from({ length: most }, (_, at) => make(at));
  for (const events of [
    [start(), ...many((at) => [begin(at, { type: "novelty" }), stop(at)]).flat(), ...end()],
    [
      start(),
      begin(0, { type: "text", citations: [] }),
      ...many((n) => delta(0, "citations_delta", { citation: { n } })),
      ...end(),
    ],
    [start(), ...call(0, "1", "t", '{"a":"', ...many(() => "x"), '"}'), ...end("tool_use")],
    [start(), ...thinking(0, "s", ...many(() => "x")), ...end()],
  ]) {
    const began = performance.now();
    const model = modelOf(scripted(() => streamOf(sse(events))));
    const pieces = await chunksOf(model.stream("hi"));
    assert.ok(pieces.length > 0);
    assert.ok(performance.now() - began < 5000);
  }
});

test("an abort in the midst of an answer is an AbortError, and the connection is given back", {
  timeout: 30_000,
}, async () => {
  let isCancelled = false;
  const first = new TextEncoder().encode(
    sse([start(), begin(0, { type: "text", text: "" }), delta(0, "text_delta", { text: "Hel" })]),
  );
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(first),
    cancel: () => {
      isCancelled = true;
    },
  });
  const controller = new AbortController();
  const pieces = modelOf(scripted(() => streamOf(body))).stream("hi", {
    signal: controller.signal,
  });
  assert.equal((await pieces.next()).value.content, "Hel");
  const next = failure(pieces.next());
  controller.abort();
  assert.equal((await next).name, "AbortError");
  assert.ok(isCancelled);
});

test("an agent runs with it; a person's next turn in a fresh process sends signatures and calls back byte for byte", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "weft-anthropic-"));
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const program = (input, ...answers) => `
    import { FileSaver } from "weftgraph/savers/file";
    import { ChatAnthropicMessages } from "weftgraph/models/anthropic";
    import { createReactAgent } from "weftgraph/prebuilt";
    import { tool } from "weftgraph/tools";
    import { scripted } from "./tests/js/anthropic-wire.mjs";
    const fetch = scripted(...${JSON.stringify(answers)});
    const schema = { type: "object", properties: { city: { type: "string" } } };
    const agent = createReactAgent({
      llm: new ChatAnthropicMessages({ model: "claude-sonnet-5", fetch }),
      tools: ["weather", "time"].map((name) => tool(() => name + "!", { name, schema })),
      checkpointer: new FileSaver({ path: ${JSON.stringify(folder)} }),
    });
    const stream = await agent.stream(
      { messages: ${JSON.stringify(input)} },
      { configurable: { thread_id: "1" }, streamMode: "messages" },
    );
    for await (const _ of stream);
    console.log(JSON.stringify(fetch.asked.map(({ body }) => body.messages)));
  `;
  const run = async (...args) => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--input-type=module", "-e", program(...args)],
      { cwd: fileURLToPath(new URL("../..", import.meta.url)) },
    );
    return JSON.parse(stdout);
  };
  const [, withResults] = await run("hi", THINKING, HI);
  const [again] = await run("and now?", HI);
  const assistant = {
    role: "assistant",
    content: [
      { type: "thinking", thinking: "Let me see.", signature: SIGNATURE },
      { type: "redacted_thinking", data: "opaque==" },
      { type: "text", text: "I look at both." },
      { type: "tool_use", id: "toolu_1", name: "weather", input: { city: "Oslo" } },
      { type: "tool_use", id: "toolu_2", name: "time", input: {} },
    ],
  };
  const result = (tool_use_id, content) => ({ type: "tool_result", tool_use_id, content });
  assert.deepEqual(withResults[1], assistant);
  assert.deepEqual(withResults[2], {
    role: "user",
    content: [result("toolu_1", "weather!"), result("toolu_2", "time!")],
  });
  assert.equal(JSON.stringify(again.slice(0, 3)), JSON.stringify(withResults));
  assert.deepEqual(again.slice(3), [
    { role: "assistant", content: [{ type: "text", text: "Hello." }] },
    { role: "user", content: [{ type: "text", text: "and now?" }] },
  ]);
});

test("tools of an agent are asked for and answered within one process too", async () => {
  const fetch = scripted(
    [start(), ...call(0, "toolu_1", "double", '{"n":21}'), ...end("tool_use")],
    [start(), ...text(0, "42."), ...end()],
  );
  const double = tool(({ n }) => String(2 * n), {
    name: "double",
    schema: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
  });
  const agent = createReactAgent({ llm: modelOf(fetch), tools: [double] });
  const { messages } = await agent.invoke({ messages: "Double 21." });
  assert.equal(messages.at(-1).content, "42.");
  assert.deepEqual(fetch.asked[1].body.messages[2].content, [
    { type: "tool_result", tool_use_id: "toolu_1", content: "42" },
  ]);
});
