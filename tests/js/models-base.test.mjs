// SPDX-License-Identifier: MIT
// Serves: what all of the package's models share: ids from the run, and what a service needs back
// (signatures, reasoning), kept unchanged in messages, checkpoints and requests.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { tool as langchainTool } from "@langchain/core/tools";
import { MemorySaver, MessagesAnnotation, START, StateGraph, tool } from "weftgraph";
import {
  AIMessage,
  AIMessageChunk,
  HumanMessage,
  ToolMessage,
  messageFromRecord,
  messageToRecord,
} from "weftgraph/messages";
import { createAgent } from "weftgraph/agent";
import { fromAISDK } from "weftgraph/models/ai-sdk";
import { ChatAnthropicMessages } from "weftgraph/models/anthropic";
import { ChatGemini } from "weftgraph/models/gemini";
import { ChatOpenAICompatible } from "weftgraph/models/openai";
import { ChatOpenAIResponses } from "weftgraph/models/responses";
import { ScriptedModel } from "weftgraph/models/scripted";
import { TestClock, testIds } from "weftgraph/testing";
import { startOpenAIServer } from "./openai-server.mjs";

const servers = [];
after(() => Promise.all(servers.map((server) => server.close())));
const line = (event) => `data: ${JSON.stringify(event)}\n\n`;
const delta = (fields, finish_reason = null) =>
  line({ choices: [{ index: 0, delta: fields, finish_reason }] });
const stream = (...parts) => ({
  raw: [...parts, "data: [DONE]\n\n"],
  headers: { "content-type": "text/event-stream" },
});

async function setUp(script, options) {
  const server = await startOpenAIServer({ script });
  servers.push(server);
  const model = new ChatOpenAICompatible({ baseURL: server.url, model: "m", ...options });
  return { server, model };
}

async function whole(pieces) {
  let message;
  for await (const chunk of pieces) message = message === undefined ? chunk : message.concat(chunk);
  return message;
}

test("the ids of messages and of calls without one come from the run's ids", async () => {
  const run = async () => {
    const { model } = await setUp([
      stream(
        delta({ tool_calls: [{ function: { name: "look", arguments: "{}" } }] }, "tool_calls"),
      ),
    ]);
    const scripted = new ScriptedModel({ responses: ["a", "b"] });
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("ask", async ({ messages }, config) => ({
        messages: [
          await scripted.invoke(messages, config),
          await whole(model.stream(messages, config)),
        ],
      }))
      .addEdge(START, "ask")
      .compile();
    const { messages } = await graph.invoke(
      { messages: "hi" },
      { clock: new TestClock(0), ids: testIds() },
    );
    return JSON.stringify(messages.map(({ id, tool_calls }) => [id, tool_calls]));
  };
  const first = await run();
  assert.equal(await run(), first);
  assert.match(first, /run-[0-9a-f-]{36}.*call_[0-9a-f]{24}/);
});

const SIGNED = { google: { thought_signature: "EpUDCpID+/=" } };
const CALL = { index: 0, id: "c1", function: { name: "look", arguments: '{"at":' } };

test("a call's signature and the reasoning go back to their service unchanged, also after a checkpoint", async () => {
  const { server, model } = await setUp([
    stream(
      delta({ reasoning_content: "Hm" }),
      delta({ reasoning_content: "m." }),
      delta({ tool_calls: [{ ...CALL, extra_content: SIGNED }] }),
      delta({ tool_calls: [{ index: 0, function: { arguments: '"sky"}' } }] }, "tool_calls"),
    ),
    "Blue.",
    "Blue.",
  ]);
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("ask", async ({ messages }, config) => ({
      messages: await whole(model.stream(messages, config)),
    }))
    .addEdge(START, "ask")
    .compile({ checkpointer: new MemorySaver() });
  const thread = { configurable: { thread_id: "1" } };
  await graph.invoke({ messages: "hi" }, thread);
  const { messages } = (await graph.getState(thread)).values;
  assert.deepEqual(messages[1].tool_calls, [
    {
      name: "look",
      args: { at: "sky" },
      id: "c1",
      type: "tool_call",
      extras: { extra_content: SIGNED },
    },
  ]);
  await graph.invoke({ messages: [toolResult()] }, thread);
  const [, again] = server.requests[1].body.messages;
  assert.deepEqual(again, {
    role: "assistant",
    content: "",
    reasoning_content: "Hmm.",
    tool_calls: [
      {
        id: "c1",
        type: "function",
        function: { name: "look", arguments: '{"at":"sky"}' },
        extra_content: SIGNED,
      },
    ],
  });
  // Another service gets neither.
  const other = await setUp(["Blue."]);
  await other.model.invoke([...messages, toolResult()]);
  const [, told] = other.server.requests[0].body.messages;
  assert.deepEqual(
    [told.reasoning_content, told.tool_calls[0].extra_content],
    [undefined, undefined],
  );
});

function toolResult() {
  return { role: "tool", tool_call_id: "c1", content: "blue" };
}

test("what a service needs back comes once, although it is repeated with every piece of the call", async () => {
  const piece = (text) => ({ ...CALL, function: { name: "look", arguments: text } });
  const { model } = await setUp([
    stream(
      delta({ tool_calls: [{ ...piece('{"at":'), extra_content: SIGNED }] }),
      delta({ tool_calls: [{ ...piece('"sky"}'), extra_content: SIGNED }] }, "tool_calls"),
    ),
  ]);
  const { tool_calls } = await whole(model.stream("hi"));
  assert.deepEqual(
    tool_calls.map(({ name, args, extras }) => [name, args, extras.extra_content]),
    [["look", { at: "sky" }, SIGNED]],
  );
});

test("reasoning goes back under the name under which it came", async () => {
  const answer = {
    choices: [{ message: { content: "4", reasoning: "2+2" }, finish_reason: "stop" }],
  };
  const { server, model } = await setUp([{ status: 200, body: answer }, "ok"]);
  const message = await model.invoke("2+2?");
  await model.invoke([new HumanMessage("2+2?"), message, new HumanMessage("sure?")]);
  const { reasoning, reasoning_content } = server.requests[1].body.messages[1];
  assert.deepEqual([reasoning, reasoning_content], ["2+2", undefined]);
});

test("chunks keep what a service needs back: extras of calls, a signature at an empty text", () => {
  const piece = (fields) => new AIMessageChunk({ content: "", ...fields });
  const call = (fields) => piece({ tool_call_chunks: [{ index: 0, ...fields }] });
  const joined = call({ id: "1", name: "look", args: '{"a"', extras: { signature: "s" } })
    .concat(call({ args: ":1}" }))
    .concat(piece({ content: [{ type: "text", text: "hi" }] }))
    .concat(piece({ content: [{ type: "text", text: "", signature: "t", index: 1 }] }))
    .concat(piece({ content: [{ type: "text", text: "", index: 2 }] }));
  const copy = messageFromRecord(JSON.parse(JSON.stringify(messageToRecord(joined))));
  for (const message of [joined, copy]) {
    assert.deepEqual(message.tool_calls, [
      { name: "look", args: { a: 1 }, id: "1", type: "tool_call", extras: { signature: "s" } },
    ]);
    assert.deepEqual(message.content, [
      { type: "text", text: "hi" },
      { type: "text", text: "", signature: "t", index: 1 },
    ]);
  }
});

test("pictures, files and sound of every form reach an OpenAI-compatible service", async () => {
  const { server, model } = await setUp(["ok"]);
  const png = "iVBORw0KGgo=";
  await model.invoke([
    new HumanMessage([
      { type: "text", text: "see" },
      { type: "image", data: png, mimeType: "image/png" },
      { type: "image", source_type: "base64", data: png, mime_type: "image/png" },
      { type: "image", source: { type: "base64", media_type: "image/png", data: png } },
      { type: "image", url: "https://a.example/b.png" },
      { type: "image_url", image_url: { url: "https://a.example/b.png", detail: "low" } },
      { type: "file", data: "JVBERi0=", mimeType: "application/pdf", filename: "a.pdf" },
      { type: "file", fileId: "f1" },
      { type: "audio", data: "AAA=", mimeType: "audio/mpeg" },
    ]),
  ]);
  const image = { type: "image_url", image_url: { url: `data:image/png;base64,${png}` } };
  const url = "https://a.example/b.png";
  assert.deepEqual(server.requests[0].body.messages[0].content, [
    { type: "text", text: "see" },
    image,
    image,
    image,
    { type: "image_url", image_url: { url } },
    { type: "image_url", image_url: { url, detail: "low" } },
    {
      type: "file",
      file: { filename: "a.pdf", file_data: "data:application/pdf;base64,JVBERi0=" },
    },
    { type: "file", file: { file_id: "f1" } },
    { type: "input_audio", input_audio: { data: "AAA=", format: "mp3" } },
  ]);
});

test("headers may come from a function before each request, and replace the model's own", async () => {
  let asked = 0;
  const headers = async () => ({ Authorization: "Bearer other", "x-count": String(++asked) });
  const { server, model } = await setUp(["a", "b"], { apiKey: "sk-own-key", headers });
  await model.invoke("hi");
  await model.invoke("hi");
  const seen = server.requests.map(({ headers: got }) => [got.authorization, got["x-count"]]);
  assert.deepEqual(seen, [
    ["Bearer other", "1"],
    ["Bearer other", "2"],
  ]);
});

test("a service that says whether to try again is believed", async () => {
  const refusal = (status, answer) => ({
    status,
    headers: { "x-should-retry": answer, "retry-after-ms": "1" },
    body: { error: { message: "busy" } },
  });
  const patient = await setUp([refusal(400, "true"), "ok"]);
  assert.equal((await patient.model.invoke("hi")).content, "ok");
  const final = await setUp([refusal(503, "false"), "ok"]);
  await assert.rejects(final.model.invoke("hi"), { status: 503, retryable: false });
  assert.equal(final.server.requests.length, 1);
});

test("bindTools(tools, { strict: true }) asks each service for strict calls, where a tool says nothing else", async () => {
  const schema = {
    type: "object",
    properties: { place: { type: "string" } },
    required: ["place"],
    additionalProperties: false,
  };
  const declared = (name, more) => ({
    type: "function",
    function: { name, parameters: schema, ...more },
  });
  const tools = [declared("look"), declared("guess", { strict: false })];
  const strictness = [
    ["look", true],
    ["guess", false],
  ];
  const flat = (body) => body.tools.map(({ name, strict }) => [name, strict]);
  const services = [
    [
      ChatOpenAICompatible,
      (body) => flat({ tools: body.tools.map((tool) => tool.function) }),
      strictness,
    ],
    [ChatOpenAIResponses, flat, strictness],
    [ChatAnthropicMessages, flat, strictness],
    [ChatGemini, (body) => body.toolConfig.functionCallingConfig.mode, "VALIDATED"],
  ];
  for (const [Model, read, expected] of services) {
    const bodies = [];
    const fetch = async (_, { body }) => {
      bodies.push(JSON.parse(body));
      return Response.json({ error: { message: "no" } }, { status: 400 });
    };
    const model = new Model({ model: "m", apiKey: "k", fetch });
    await assert.rejects(model.bindTools(tools, { strict: true }).invoke("hi"));
    assert.deepEqual(read(bodies[0]), expected, Model.name);
    assert.equal("strict" in bodies[0], false, Model.name);
  }
});

/** What a model asks, of a service that refuses. */
async function bodyOf(Model, ask, options) {
  let asked;
  const fetch = async (_, { body }) => {
    asked = JSON.parse(body);
    return Response.json({ error: { message: "no" } }, { status: 400 });
  };
  await assert.rejects(ask(new Model({ model: "m", apiKey: "k", fetch, ...options })));
  return asked;
}

test("a tool's `extras` reach the service that knows them, and nothing else of them goes out", async () => {
  const extras = { defer_loading: true, cache_control: { type: "ephemeral" }, note: "mine" };
  const fields = { name: "look", description: "Looks.", schema: { type: "object" }, extras };
  const made = [tool(() => "", fields), langchainTool(() => "", fields)];
  for (const one of made) {
    const [anthropic, openai, responses, gemini] = await Promise.all(
      [ChatAnthropicMessages, ChatOpenAICompatible, ChatOpenAIResponses, ChatGemini].map((Model) =>
        bodyOf(Model, (model) => model.bindTools([one], { strict: true }).invoke("hi")),
      ),
    );
    const { note: _note, ...known } = extras;
    const { name, description: _text, input_schema: _schema, strict, ...rest } = anthropic.tools[0];
    assert.deepEqual([name, strict, rest], ["look", true, known]);
    assert.equal(openai.tools[0].defer_loading, true);
    assert.equal(responses.tools[0].defer_loading, true);
    for (const body of [openai, responses, gemini])
      assert.doesNotMatch(JSON.stringify(body), /mine|ephemeral|extras/);
  }
});

test("a tool with the service's own definition is declared by it", async () => {
  const definition = { type: "text_editor_20250728", name: "str_replace_based_edit_tool" };
  const extras = { providerToolDefinition: definition };
  const edit = tool(() => "", { name: "str_replace_based_edit_tool", extras });
  const { tools } = await bodyOf(ChatAnthropicMessages, (model) =>
    model.bindTools([edit]).invoke("hi"),
  );
  assert.deepEqual(tools, [definition]);
});

test("an agent with tools asks for its answer by a tool where a service refuses both", async () => {
  const responseFormat = { title: "Answer", type: "object", properties: { t: { type: "number" } } };
  const look = tool(() => "", { name: "look", description: "Looks.", schema: { type: "object" } });
  const asked = async (Model, options, tools = [look]) => {
    const ask = (model) => createAgent({ model, tools, responseFormat }).invoke({ messages: "hi" });
    const body = await bodyOf(Model, ask, options);
    const { functionDeclarations } = body.tools?.[0] ?? {};
    const declared = functionDeclarations ?? body.tools?.map((one) => one.function) ?? [];
    const form = body.response_format ?? body.generationConfig?.responseJsonSchema;
    return [declared.map(({ name }) => name), form !== undefined];
  };
  const byTool = [["look", "Answer"], false];
  const native = [["look"], true];
  const groq = { baseURL: "https://api.groq.com/openai/v1" };
  const profile = { structuredOutputWithTools: true };
  for (const model of ["gemini-2.5-flash", "gemini-1.5-pro", "gemini-2"])
    assert.deepEqual(await asked(ChatGemini, { model }), byTool, model);
  for (const model of ["gemini-3-pro-preview", "gemini-10-pro"])
    assert.deepEqual(await asked(ChatGemini, { model }), native, model);
  assert.deepEqual(await asked(ChatGemini, { model: "gemini-2.5-pro", profile }), native);
  assert.deepEqual(await asked(ChatGemini, { model: "gemini-2.5-pro" }, []), [[], true]);
  assert.deepEqual(await asked(ChatOpenAICompatible, groq), byTool);
  assert.deepEqual(await asked(ChatOpenAICompatible, { ...groq, profile }), native);
  assert.deepEqual(await asked(ChatOpenAICompatible, {}), native);
  const refuses = { profile: { structuredOutputWithTools: false } };
  assert.deepEqual(await asked(ChatOpenAICompatible, refuses), byTool);
});

test("a provider of the AI SDK that refuses tools beside a form of the answer is known", () => {
  const both = (provider, modelId, options) =>
    fromAISDK({ specificationVersion: "v3", provider, modelId, doStream() {} }, options).profile
      .structuredOutputWithTools;
  for (const [provider, modelId] of [
    ["google.generative-ai", "gemini-2.5-flash"],
    ["google.vertex.chat", "gemini-2.0-flash-001"],
    ["gateway", "google/gemini-2.5-pro"],
    ["groq.chat", "openai/gpt-oss-120b"],
  ])
    assert.equal(both(provider, modelId), false, modelId);
  for (const [provider, modelId] of [
    ["google.generative-ai", "gemini-3-pro-preview"],
    ["openai.responses", "gpt-6-sol"],
  ])
    assert.equal(both(provider, modelId), undefined, modelId);
  const profile = { structuredOutputWithTools: true };
  assert.equal(both("groq.chat", "m", { profile }), true);
});

test("patterns with lookaround go to no service; the value is checked with them", async () => {
  const to = { type: "string", pattern: "^(?!\\.)[a-z.]+$" };
  const kept = { type: "string", pattern: "^(?:a|b)(?<c>d)$" };
  const properties = { to, cc: { type: "array", items: { ...to, pattern: "(?<=a)b" } }, kept };
  const schema = { type: "object", properties, required: ["to"] };
  const before = structuredClone(schema);
  const send = tool(() => "", { name: "send", description: "Sends.", schema });
  for (const Model of [
    ChatOpenAICompatible,
    ChatOpenAIResponses,
    ChatAnthropicMessages,
    ChatGemini,
  ])
    for (const strict of [undefined, true, false])
      for (const ask of [
        (model) => model.bindTools([send], { strict }).invoke("hi"),
        (model) => model.withStructuredOutput(schema, { strict }).invoke("hi"),
      ]) {
        const text = JSON.stringify(await bodyOf(Model, ask));
        assert.doesNotMatch(text, /\(\?[=!]|\(\?<[=!]/, Model.name);
        assert.ok(text.includes("(?:a|b)(?<c>d)"), Model.name);
      }
  assert.deepEqual(schema, before);
  const message = { role: "assistant", content: '{"to":".a"}' };
  const fetch = async () => Response.json({ choices: [{ message, finish_reason: "stop" }] });
  const model = new ChatOpenAICompatible({ model: "m", fetch });
  await assert.rejects(model.withStructuredOutput(schema).invoke("hi"), { code: "BAD_ANSWER" });
});

test("chat completions get strict schemas closed, unless a property would have to be nullable", async () => {
  const place = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
  const schema = { ...place, properties: { city: { type: "string", format: "x" }, place } };
  schema.required = ["city", "place"];
  const optional = { ...schema, required: ["city"] };
  const inner = {
    ...schema,
    properties: { ...schema.properties, place: { ...place, required: [] } },
  };
  const closed = {
    type: "object",
    properties: {
      city: { type: "string" },
      place: { ...place, additionalProperties: false },
    },
    required: ["city", "place"],
    additionalProperties: false,
  };
  for (const [given, strict, expected] of [
    [schema, true, closed],
    [optional, true, optional],
    [inner, true, inner],
    [schema, false, schema],
    [schema, undefined, schema],
  ]) {
    const look = { type: "function", function: { name: "look", parameters: given } };
    const { tools } = await bodyOf(ChatOpenAICompatible, (model) =>
      model.bindTools([look], { strict }).invoke("hi"),
    );
    assert.deepEqual(tools[0].function.parameters, expected);
    const { response_format } = await bodyOf(ChatOpenAICompatible, (model) =>
      model.withStructuredOutput(given, { strict }).invoke("hi"),
    );
    assert.deepEqual(response_format.json_schema.schema, expected);
    assert.equal(response_format.json_schema.strict, strict);
  }
});

test("Responses gets short ids of calls that another service named at length, each its own", async () => {
  const ids = ["a", "b"].map((letter) => letter.repeat(64) + "x".repeat(40));
  const messages = [
    new HumanMessage("hi"),
    new AIMessage({
      content: "",
      tool_calls: [...ids, "short"].map((id) => ({ id, name: "look", args: {} })),
    }),
    ...[...ids, "short"].map((id) => new ToolMessage({ content: id[0], tool_call_id: id })),
  ];
  const { input } = await bodyOf(ChatOpenAIResponses, (model) => model.invoke(messages));
  const of = (type) => input.filter((item) => item.type === type);
  const called = of("function_call").map(({ call_id }) => call_id);
  assert.deepEqual(called, ["weft_call_0", "weft_call_1", "short"]);
  assert.deepEqual(
    of("function_call_output").map(({ call_id, output }) => [call_id, output]),
    called.map((id, at) => [id, ["a", "b", "s"][at]]),
  );
});

test("two calls of an answer with one id are two calls, in each adapter", async () => {
  const item = (id, n) => ({
    ...{ type: "function_call", id, call_id: "same", name: "pay", status: "completed" },
    arguments: `{"n":${n}}`,
  });
  const call = (n) => ({
    ...{ id: "same", type: "function" },
    function: { name: "pay", arguments: `{"n":${n}}` },
  });
  const answers = [
    [
      ChatOpenAIResponses,
      { id: "r", model: "m", status: "completed", output: [item("fc_1", 1), item("fc_2", 2)] },
    ],
    [
      ChatOpenAICompatible,
      { choices: [{ index: 0, message: { content: "", tool_calls: [call(1), call(2)] } }] },
    ],
    [
      ChatAnthropicMessages,
      {
        ...{ id: "m", type: "message", role: "assistant", model: "m", stop_reason: "tool_use" },
        content: [1, 2].map((n) => ({ type: "tool_use", id: "same", name: "pay", input: { n } })),
        usage: { input_tokens: 1, output_tokens: 1 },
      },
    ],
  ];
  for (const [Model, answer] of answers) {
    const model = new Model({ model: "m", apiKey: "k", fetch: async () => Response.json(answer) });
    const { tool_calls } = await model.invoke("pay twice");
    assert.deepEqual(
      tool_calls.map(({ args }) => args),
      [{ n: 1 }, { n: 2 }],
      Model.name,
    );
    assert.equal(new Set(tool_calls.map(({ id }) => id)).size, 2, Model.name);
  }
});

test("handlers hear of a call whose request cannot be made, also when it is streamed", async () => {
  const llm = new ChatOpenAIResponses({ model: "m", apiKey: "k" });
  const heard = [];
  const handleLLMError = (error) => heard.push(error.message);
  const config = { callbacks: [{ handleLLMError }], stop: ["."] };
  const said = /has no stop sequences/;
  await assert.rejects(llm.invoke("hi", config), said);
  await assert.rejects(llm.stream("hi", config).next(), said);
  assert.equal(heard.length, 2);
  for (const message of heard) assert.match(message, said);
});
