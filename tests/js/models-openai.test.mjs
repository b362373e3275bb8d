// SPDX-License-Identifier: MIT
// Serves docs/semantics.md 18 (messages: tokens come through LangChain's callbacks) and the rules
// of the OpenAI-compatible model: pieces, usage, abort, retries with Retry-After, faults as
// ModelError.
import { after, test } from "node:test";
import assert from "node:assert/strict";
import { z } from "zod";
import {
  AIMessage,
  AIMessageChunk,
  ChatMessage,
  HumanMessage,
  RemoveMessage,
  SystemMessage,
  ToolMessage,
} from "weftgraph/messages";
import { ChatOpenAICompatible, ModelError } from "weftgraph/models/openai";
import { tool } from "weftgraph/tools";
import { startOpenAIServer, streamEvents } from "./openai-server.mjs";

const servers = [];
after(() => Promise.all(servers.map((server) => server.close())));

async function setUp(script, options) {
  const server = await startOpenAIServer({ script });
  servers.push(server);
  return {
    server,
    model: new ChatOpenAICompatible({
      baseURL: server.url,
      apiKey: "sk-secret",
      model: "test-model",
      ...options,
    }),
  };
}

async function collect(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

const line = (event) => `data: ${JSON.stringify(event)}\n\n`;
const delta = (fields, finish_reason = null) => ({
  id: "x",
  model: "m",
  choices: [{ index: 0, delta: fields, finish_reason }],
});
const OVERLOADED = {
  status: 503,
  body: { error: { message: "busy", type: "server_error", code: null } },
};

test("a whole answer: text, usage, metadata; the request is OpenAI's", async () => {
  const { server, model } = await setUp(["Hello there"], {
    temperature: 0.5,
    maxTokens: 9,
    headers: { "x-app": "weft" },
    modelKwargs: { top_p: 0.9 },
  });
  const answer = await model.invoke([new SystemMessage("be kind"), ["user", "hi"]], {
    stop: ["."],
    seed: 7,
  });
  assert.ok(answer instanceof AIMessage && !(answer instanceof AIMessageChunk));
  assert.equal(answer.content, "Hello there");
  assert.deepEqual(answer.usage_metadata, { input_tokens: 11, output_tokens: 7, total_tokens: 18 });
  assert.deepEqual(answer.response_metadata, {
    finish_reason: "stop",
    model_provider: new URL(server.url).host,
    model_name: "test-model",
    response_id: "chatcmpl-0",
    system_fingerprint: "fp_test",
  });
  assert.match(answer.id, /^run-[0-9a-f-]{36}$/);
  const { body, headers } = server.requests[0];
  assert.deepEqual(body, {
    model: "test-model",
    messages: [
      { role: "system", content: "be kind" },
      { role: "user", content: "hi" },
    ],
    temperature: 0.5,
    max_tokens: 9,
    top_p: 0.9,
    stop: ["."],
    seed: 7,
  });
  assert.deepEqual(
    [headers.authorization, headers["x-app"], headers["content-type"]],
    ["Bearer sk-secret", "weft", "application/json"],
  );
});

test("a streamed answer: one chunk per piece, usage last, the sum is the answer", async () => {
  const { server, model } = await setUp(["Hello there, you"]);
  const chunks = await collect(model.stream("hi"));
  assert.deepEqual(chunks.map((chunk) => chunk.content).filter(Boolean), [
    "Hello",
    " there,",
    " you",
  ]);
  const whole = chunks.reduce((sum, chunk) => sum.concat(chunk));
  assert.deepEqual(
    [whole.content, whole.usage_metadata.total_tokens, whole.response_metadata.finish_reason],
    ["Hello there, you", 18, "stop"],
  );
  assert.equal(new Set(chunks.map((chunk) => chunk.id)).size, 1);
  assert.deepEqual(
    [server.requests[0].body.stream, server.requests[0].body.stream_options],
    [true, { include_usage: true }],
  );
});

test("counts that come with every chunk sum up to the last ones", async () => {
  const counts = (completion_tokens) => ({
    usage: {
      prompt_tokens: 11,
      completion_tokens,
      completion_tokens_details: { reasoning_tokens: completion_tokens - 1 },
    },
  });
  const events = [1, 2, 5].map((count) => line({ ...delta({ content: "a" }), ...counts(count) }));
  const text = [...events, line({ ...delta({}, "stop"), ...counts(5) }), "data: [DONE]\n\n"].join(
    "",
  );
  const fetch = async () =>
    new Response(text, { headers: { "content-type": "text/event-stream" } });
  const chunks = await collect(new ChatOpenAICompatible({ model: "m", fetch }).stream("hi"));
  const { usage_metadata: usage } = chunks.reduce((sum, chunk) => sum.concat(chunk));
  assert.deepEqual([usage.input_tokens, usage.output_tokens, usage.total_tokens], [11, 5, 16]);
  assert.equal(usage.output_token_details.reasoning, 4);
});

test("streamUsage: false asks for no usage", async () => {
  const { server, model } = await setUp(["x"], { streamUsage: false });
  const chunks = await collect(model.stream("hi"));
  assert.equal(server.requests[0].body.stream_options, undefined);
  assert.ok(chunks.every((chunk) => chunk.usage_metadata === undefined));
});

const tools = [
  tool(({ a, b }) => a + b, {
    name: "add",
    description: "adds",
    schema: z.object({ a: z.number(), b: z.number() }),
  }),
  tool(() => "now", {
    name: "clock",
    description: "tells the time",
    schema: { type: "object", properties: {} },
  }),
];

test("tool calls in pieces, two at once; bindTools declares the tools", async () => {
  const tool_calls = [
    { id: "c1", name: "add", args: { a: 12, b: 30 } },
    { id: "c2", name: "clock", args: {} },
  ];
  const { server, model } = await setUp([{ tool_calls }, { tool_calls }]);
  const bound = model.bindTools(tools, { tool_choice: "any" });
  const expected = tool_calls.map((call) => ({ ...call, type: "tool_call" }));
  assert.deepEqual((await bound.invoke("hi")).tool_calls, expected);
  const chunks = await collect(bound.stream("hi"));
  assert.deepEqual(chunks.reduce((sum, chunk) => sum.concat(chunk)).tool_calls, expected);
  assert.ok(chunks.filter((chunk) => chunk.tool_call_chunks.length > 0).length > 5);
  const { body } = server.requests[0];
  assert.deepEqual(
    body.tools.map((declared) => declared.function.name),
    ["add", "clock"],
  );
  assert.deepEqual(
    [body.tools[0].function.parameters.required, body.tool_choice],
    [["a", "b"], "required"],
  );
  assert.equal(model.kwargs.tools, undefined, "the model itself is unchanged");
  assert.deepEqual(bound.boundTools, tools);
});

const callsFrom = async (pieces) => {
  const { model } = await setUp([
    {
      raw: [
        ...pieces.map((piece) => line(delta({ tool_calls: piece }))),
        line(delta({}, "tool_calls")),
        "data: [DONE]\n\n",
      ],
      delayMs: 0,
    },
  ]);
  const tokens = [];
  const answer = await model.invoke("x", {
    callbacks: [{ handleLLMNewToken: (...args) => void tokens.push(args[5].chunk.message) }],
  });
  const sum = tokens.reduce((all, chunk) => all.concat(chunk));
  return { answer, sum, calls: answer.tool_calls.map(({ id, name, args }) => [id, name, args]) };
};
const piece = (args, more = {}, name = undefined) => ({
  ...more,
  function: { ...(name ? { name } : {}), arguments: args },
});

test("tool calls as other services send them", async () => {
  const cases = {
    "no index, id only at first": [
      [[piece('{"a"', { id: "1" }, "add")], [piece(":1}")], [piece("{}", { id: "2" }, "clock")]],
      [
        ["1", "add", { a: 1 }],
        ["2", "clock", {}],
      ],
    ],
    "id and name repeated": [
      [[piece('{"a"', { index: 0, id: "1" }, "add")], [piece(":1}", { index: 0, id: "1" }, "add")]],
      [["1", "add", { a: 1 }]],
    ],
    "whole calls, all with index 0": [
      [
        [piece('{"a":1}', { index: 0, id: "1" }, "add")],
        [piece("{}", { index: 0, id: "2" }, "clock")],
      ],
      [
        ["1", "add", { a: 1 }],
        ["2", "clock", {}],
      ],
    ],
    "arguments as an object": [
      [[{ index: 0, id: "1", function: { name: "add", arguments: { a: 1 } } }]],
      [["1", "add", { a: 1 }]],
    ],
    "null fields in later pieces": [
      [
        [piece("", { index: 0, id: "1" }, "add")],
        [{ index: 0, id: null, function: { name: null, arguments: '{"a":1}' } }],
      ],
      [["1", "add", { a: 1 }]],
    ],
    "two calls interleaved": [
      [
        [piece('{"a"', { index: 0, id: "1" }, "add"), piece("{", { index: 1, id: "2" }, "clock")],
        [piece("}", { index: 1 })],
        [piece(":1}", { index: 0 })],
      ],
      [
        ["1", "add", { a: 1 }],
        ["2", "clock", {}],
      ],
    ],
  };
  for (const [label, [pieces, expected]] of Object.entries(cases)) {
    const { calls, sum } = await callsFrom(pieces);
    assert.deepEqual(calls, expected, label);
    assert.deepEqual(
      sum.tool_calls.map(({ id, name, args }) => [id, name, args]),
      expected,
      `${label}, joined chunks`,
    );
  }
  const { calls } = await callsFrom([[piece('{"a":1}', {}, "add")], [piece("{}", {}, "clock")]]);
  assert.deepEqual(
    calls.map(([, name, args]) => [name, args]),
    [
      ["add", { a: 1 }],
      ["clock", {}],
    ],
  );
  assert.ok(
    calls[0][0].startsWith("call_") && calls[0][0] !== calls[1][0],
    "a call without id gets one",
  );
});

test("unreadable arguments are kept raw and go back as an empty object", async () => {
  const cut = { id: "c1", name: "add", args: '{"a": 1, "b"' };
  const { server, model } = await setUp([
    {
      tool_calls: [
        cut,
        { id: "c2", name: "add", args: "[1]" },
        { id: "c3", name: "add", args: '{"a":1e400}' },
      ],
    },
    "ok",
  ]);
  const answer = await model.invoke("x", { callbacks: [{ handleLLMNewToken() {} }] });
  assert.deepEqual(answer.tool_calls, []);
  assert.deepEqual(
    answer.invalid_tool_calls.map(({ id, name, args, type }) => [id, name, args, type]),
    [
      ["c1", "add", cut.args, "invalid_tool_call"],
      ["c2", "add", "[1]", "invalid_tool_call"],
      ["c3", "add", '{"a":1e400}', "invalid_tool_call"],
    ],
  );
  assert.match(answer.invalid_tool_calls[0].error, /not valid JSON/);
  assert.match(answer.invalid_tool_calls[2].error, /a number that is not finite/);
  await model.invoke([
    new HumanMessage("x"),
    answer,
    new ToolMessage({ content: "Error", tool_call_id: "c1" }),
  ]);
  assert.deepEqual(server.requests[1].body.messages[1].tool_calls[0], {
    id: "c1",
    type: "function",
    function: { name: "add", arguments: "{}" },
  });
});

test("bytes cut anywhere: in characters, line ends, between CR and LF", async () => {
  const text = "Grüße 👋🏽 世界";
  const events = streamEvents(
    { model: "m", stream_options: { include_usage: true } },
    { content: text, tool_calls: [{ id: "1", name: "add", args: { note: "naïve 🚀" } }] },
  );
  const styles = [
    ["\n\n", "data: "],
    ["\r\n\r\n", "data: "],
    ["\r\r", "data:"],
    ["\n\n", ": ping\nevent: message\nid: 3\ndata: "],
  ];
  for (const [end, prefix] of styles) {
    const bytes = Buffer.from(
      `\uFEFF${events.map((event) => prefix + JSON.stringify(event) + end).join("")}${prefix}[DONE]${end}`,
    );
    for (const size of [1, 2, 3, 7, 64, bytes.length]) {
      const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
        bytes.subarray(at * size, (at + 1) * size),
      );
      const fetch = async () =>
        new Response(ReadableStream.from(parts), {
          headers: { "content-type": "text/event-stream" },
        });
      const model = new ChatOpenAICompatible({ baseURL: "http://unused.test", model: "m", fetch });
      const whole = (await collect(model.stream("x"))).reduce((sum, chunk) => sum.concat(chunk));
      assert.deepEqual(
        [whole.content, whole.tool_calls[0].args, whole.usage_metadata.total_tokens],
        [text, { note: "naïve 🚀" }, 18],
        `${JSON.stringify(end)} by ${size}`,
      );
    }
  }
});

/** A model whose answer is these words, in bytes that come in halves of its events. */
function inHalves(words) {
  const text = [...words.map((content) => delta({ content })), delta({}, "stop")].map(line);
  const halves = text.flatMap((one) => [one.slice(0, 20), one.slice(20)]);
  const parts = halves.map((half) => Buffer.from(half));
  const fetch = async () =>
    new Response(ReadableStream.from(parts), { headers: { "content-type": "text/event-stream" } });
  return new ChatOpenAICompatible({ baseURL: "http://unused.test", model: "m", fetch });
}

test("chunks that are asked for before others have come arrive in order", async () => {
  const words = Array.from({ length: 20 }, (_, at) => `${at} `);
  const stream = inHalves(words).stream("x");
  const asked = [];
  for (let at = 0; at < 22; at++) {
    asked.push(stream.next());
    if (at % 5 === 0) await asked[at];
  }
  const all = await Promise.all(asked);
  assert.deepEqual(
    all.map(({ done, value }) => (done ? "end" : value.content)),
    [...words, "", "end"],
  );
  assert.deepEqual(await stream.next(), { done: true, value: undefined });
});

test("a stream that is left while a chunk is awaited gives this chunk and ends", async () => {
  const stream = inHalves(["a", "b", "c"]).stream("x");
  await stream.next();
  const awaited = stream.next();
  const left = stream.return();
  assert.equal((await awaited).value.content, "b");
  assert.equal((await left).done, true);
  assert.equal((await stream.next()).done, true);
});

test("a stream without [DONE] or last blank line ends well once it said why it finished", async () => {
  const { model } = await setUp([
    { raw: [line(delta({ content: "hi" })), `data: ${JSON.stringify(delta({}, "stop"))}`] },
  ]);
  assert.equal((await collect(model.stream("x"))).map((chunk) => chunk.content).join(""), "hi");
});

test("a service that answers a stream request with a whole completion", async () => {
  const body = {
    id: "x",
    model: "m",
    choices: [
      { index: 0, message: { role: "assistant", content: "all at once" }, finish_reason: "stop" },
    ],
    usage: { prompt_tokens: 1, completion_tokens: 2 },
  };
  const { model } = await setUp([{ status: 200, body }]);
  const chunks = await collect(model.stream("x"));
  assert.deepEqual(
    [chunks.length, chunks[0].content, chunks[0].usage_metadata.total_tokens],
    [1, "all at once", 3],
  );
});

test("reasoning, refusals and usage details are kept", async () => {
  const usage = {
    prompt_tokens: 5,
    completion_tokens: 6,
    total_tokens: 11,
    prompt_tokens_details: { cached_tokens: 4 },
    completion_tokens_details: { reasoning_tokens: 3 },
  };
  const { model } = await setUp([
    {
      raw: [
        line(delta({ reasoning_content: "hm" })),
        line(delta({ reasoning_content: "m" })),
        line(delta({ content: "x", refusal: "no" })),
        line({ ...delta({}, "stop"), usage }),
      ],
    },
  ]);
  const answer = await model.invoke("x", { callbacks: [{ handleLLMNewToken() {} }] });
  assert.deepEqual(answer.additional_kwargs, { reasoning_content: "hmm", refusal: "no" });
  assert.deepEqual(answer.usage_metadata, {
    input_tokens: 5,
    output_tokens: 6,
    total_tokens: 11,
    input_token_details: { cache_read: 4 },
    output_token_details: { reasoning: 3 },
  });
});

test("messages on the wire", async () => {
  const { server, model } = await setUp(["ok"]);
  const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "AAA" } };
  await model.invoke([
    new SystemMessage({
      content: [{ type: "text", text: "s" }],
      additional_kwargs: { __openai_role__: "developer" },
    }),
    new HumanMessage({
      content: [
        "plain",
        { type: "text", text: "see" },
        { type: "image_url", image_url: "http://i" },
        { type: "image", source_type: "url", url: "http://j" },
        image,
        { type: "image", data: new Uint8Array([1, 2, 3]), mimeType: "image/jpeg" },
      ],
      name: "ann",
    }),
    new HumanMessage({ content: "x", name: "Ann Lee" }),
    new AIMessage({
      content: [
        { type: "reasoning", reasoning: "r" },
        { type: "text", text: "t" },
      ],
      tool_calls: [{ id: "1", name: "f", args: { a: 1 } }],
    }),
    new ToolMessage({ content: [{ type: "text", text: "r" }], tool_call_id: "1" }),
    new ToolMessage({ content: [{ type: "image", url: "http://k" }], tool_call_id: "2" }),
    new ChatMessage("c", "critic"),
  ]);
  const { messages } = server.requests[0].body;
  assert.deepEqual(messages[0], { role: "developer", content: "s" });
  assert.deepEqual(
    messages[1].content.map((block) => block.text ?? block.image_url.url),
    [
      "plain",
      "see",
      "http://i",
      "http://j",
      "data:image/png;base64,AAA",
      "data:image/jpeg;base64,AQID",
    ],
  );
  assert.deepEqual([messages[1].name, messages[2].name], ["ann", undefined]);
  assert.deepEqual(messages[3], {
    role: "assistant",
    content: "t",
    tool_calls: [{ id: "1", type: "function", function: { name: "f", arguments: '{"a":1}' } }],
  });
  assert.deepEqual(messages.slice(4), [
    { role: "tool", tool_call_id: "1", content: "r" },
    { role: "tool", tool_call_id: "2", content: '[{"type":"image","url":"http://k"}]' },
    { role: "critic", content: "c" },
  ]);
  await assert.rejects(model.invoke([new RemoveMessage({ id: "1" })]), TypeError);
  await assert.rejects(model.invoke([new HumanMessage([{ type: "image" }])]), TypeError);
  await assert.rejects(model.invoke(3), TypeError);
  assert.equal(server.requests.length, 1);
});

// Node 20's URL.canParse refuses it once it has been called some thousand times.
test("an address with letters beyond ASCII is taken, however often one is read", () => {
  const options = { model: "m", baseURL: "http://dürer.example/v1" };
  for (let count = 0; count < 10_000; count++) new ChatOpenAICompatible(options);
});

test("bad options are refused at once; the key is never printed", () => {
  for (const bad of [
    undefined,
    {},
    { model: "" },
    { model: "m", baseURL: "nonsense" },
    { model: "m", baseURL: "localhost:11434/v1" },
    { model: "m", maxRetries: -1 },
    { model: "m", timeout: 0 },
  ])
    assert.throws(() => new ChatOpenAICompatible(bad), TypeError);
  // Else the key would go to OpenAI.
  for (const name of ["baseUrl", "base_url", "configuration"])
    assert.throws(() => new ChatOpenAICompatible({ model: "m", [name]: "https://here.test" }), {
      code: "BAD_ARGUMENT",
      message: new RegExp(`no option ${name}: use baseURL`),
    });
  const model = new ChatOpenAICompatible({ model: "m", apiKey: "sk-secret" });
  assert.ok(
    !JSON.stringify(model).includes("sk-secret") &&
      !JSON.stringify({ ...model }).includes("sk-secret"),
  );
  assert.throws(() => model.bindTools("x"), TypeError);
});

test("callbacks get the tokens, LangChain's way", async () => {
  const { server, model } = await setUp(["a b", OVERLOADED], { maxRetries: 0 });
  const seen = [];
  const handler = Object.fromEntries(
    ["handleChatModelStart", "handleLLMNewToken", "handleLLMEnd", "handleLLMError"].map((name) => [
      name,
      (...args) => void seen.push([name, args]),
    ]),
  );
  const manager = {
    handlers: [handler],
    getParentRunId: () => "parent",
    tags: ["m"],
    metadata: { k: 1 },
  };
  const answer = await model.invoke("hi", {
    callbacks: manager,
    tags: ["t"],
    metadata: { x: 2 },
    runName: "name",
    runId: "run-id",
  });
  assert.deepEqual(
    seen.map(([name]) => name),
    [
      "handleChatModelStart",
      "handleLLMNewToken",
      "handleLLMNewToken",
      "handleLLMNewToken",
      "handleLLMNewToken",
      "handleLLMEnd",
    ],
  );
  const [, [serialized, [messages], runId, parentId, extra, tags, metadata, name]] = seen[0];
  assert.deepEqual(
    [
      serialized.id.at(-1),
      messages[0].content,
      runId,
      parentId,
      extra.batch_size,
      tags,
      metadata,
      name,
    ],
    ["ChatOpenAICompatible", "hi", "run-id", "parent", 1, ["m", "t"], { k: 1, x: 2 }, "name"],
  );
  const [token, at, , , , fields] = seen[1][1];
  assert.deepEqual(
    [token, at, fields.chunk.text, fields.chunk.message.id],
    ["a", { prompt: 0, completion: 0 }, "a", "run-run-id"],
  );
  assert.equal(seen.at(-1)[1][0].generations[0][0].message, answer);
  assert.equal(answer.id, "run-run-id");
  assert.equal(server.requests[0].body.stream, true);
  await assert.rejects(model.invoke("hi", { callbacks: [handler] }), ModelError);
  assert.equal(seen.at(-1)[0], "handleLLMError");
});

test("a listener that fails does not fail the call, unless it says so", async (context) => {
  const { model } = await setUp(["a", "b", "c"]);
  const log = context.mock.method(console, "error", () => undefined);
  const broken = {
    name: "broken",
    handleLLMNewToken() {
      throw new Error("listener");
    },
  };
  assert.equal((await model.invoke("x", { callbacks: [broken] })).content, "a");
  assert.ok(log.mock.callCount() > 0);
  await assert.rejects(
    model.invoke("x", { callbacks: [{ ...broken, raiseError: true }] }),
    /listener/,
  );
  assert.equal(
    (await model.invoke("x", { callbacks: [{ ...broken, ignoreLLM: true }] })).content,
    "c",
  );
});

test("withConfig of a model adds to its tags and options, batch sends them with each call", async () => {
  const { server, model } = await setUp(() => "x");
  const set = model
    .withConfig({ temperature: 0.1, tags: ["a"] })
    .withConfig({ seed: 1, tags: ["b"] });
  assert.deepEqual(set.kwargs.tags, ["a", "b"]);
  assert.equal((await set.batch(["1", "2"])).length, 2);
  assert.deepEqual([server.requests[0].body.temperature, server.requests[0].body.seed], [0.1, 1]);
});
