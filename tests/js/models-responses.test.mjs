// SPDX-License-Identifier: MIT
// Serves: ChatOpenAIResponses: requests and answers of OpenAI's Responses API, whole and streamed,
// what goes back to the service, its errors, and hostile answers.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { LLMock } from "@copilotkit/aimock";
import { z } from "zod";
import {
  AIMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
  messageFromRecord,
  messageToRecord,
} from "weftgraph/messages";
import { ChatOpenAIResponses, ModelError } from "weftgraph/models/responses";
import { createReactAgent } from "weftgraph/prebuilt";
import { tool } from "weftgraph/tools";
import {
  OUTPUT,
  answerOf,
  eventsFor,
  joined,
  line,
  modelOf,
  response,
} from "./responses-events.mjs";

const WEATHER = tool(() => "4 °C", {
  name: "weather",
  description: "tells the weather",
  schema: {
    type: "object",
    properties: { city: { type: "string" }, unit: { type: "string" } },
    required: ["city"],
  },
});
const TIME = tool(() => "12:00", { name: "time", description: "tells the time", schema: {} });
const [REASONING, MESSAGE, CALL] = OUTPUT;
const answered = (id, content = "4 °C") => new ToolMessage({ content, tool_call_id: id });
const text = (words, rest) => ({
  ...MESSAGE,
  content: [{ type: "output_text", text: words, annotations: [] }],
  ...rest,
});
const failure = (promise) =>
  promise.then(
    () => assert.fail("no error"),
    (error) => error,
  );

test("an answer: reasoning, text with citations, calls, usage and metadata, streamed and whole", async () => {
  const model = modelOf([eventsFor(), response(), eventsFor()]);
  const streamed = await joined(model.stream("hi"));
  const whole = await model.invoke("hi");
  const told = await model.invoke("hi", { callbacks: [{ handleLLMNewToken() {} }] });
  for (const message of [streamed, whole, told]) {
    const blocks = message.content.filter(({ type }) => type !== "tool_call");
    assert.deepEqual(
      blocks.map(({ index: _place, extras: _extras, ...block }) => block),
      [
        { type: "reasoning", reasoning: "First.\n\nThen." },
        {
          type: "text",
          text: "I look at both.",
          annotations: MESSAGE.content[0].annotations,
        },
      ],
    );
    assert.deepEqual(
      message.tool_calls.map(({ id, name, args }) => [id, name, args]),
      [
        ["call_1", "weather", { city: "Oslo" }],
        ["call_2", "time", {}],
      ],
    );
    assert.deepEqual(message.usage_metadata, {
      input_tokens: 34,
      output_tokens: 20,
      total_tokens: 54,
      input_token_details: { cache_read: 4, cache_creation: 2 },
      output_token_details: { reasoning: 8 },
    });
    assert.deepEqual(message.response_metadata, {
      model_provider: "openai",
      status: "completed",
      finish_reason: "tool_calls",
      response_id: "resp_1",
      model_name: "gpt-6-sol",
    });
  }
  assert.deepEqual(
    whole.content.map(({ type }) => type),
    ["reasoning", "text", "tool_call", "tool_call"],
  );
});

test("the request is stateless and holds what the model and the call say", async () => {
  const model = modelOf([eventsFor()], {
    maxTokens: 9,
    reasoning: { effort: "low", summary: "auto" },
    verbosity: "low",
    headers: async () => ({ "x-app": "weft" }),
    baseURL: "https://gate.example/v1/",
    modelKwargs: { prompt_cache_key: "k" },
  });
  await joined(
    model.bindTools([WEATHER]).stream([new SystemMessage("Be kind."), "hi"], {
      tool_choice: "any",
      reasoning_effort: "high",
      parallel_tool_calls: false,
    }),
  );
  const [{ url, body, headers }] = model.sent;
  assert.equal(url, "https://gate.example/v1/responses");
  assert.deepEqual([headers.get("authorization"), headers.get("x-app")], ["Bearer sk-1", "weft"]);
  assert.deepEqual(body, {
    model: "gpt-6-sol",
    store: false,
    instructions: "Be kind.",
    input: [{ type: "message", role: "user", content: [{ type: "input_text", text: "hi" }] }],
    max_output_tokens: 9,
    reasoning: { effort: "high", summary: "auto" },
    text: { verbosity: "low" },
    prompt_cache_key: "k",
    include: ["reasoning.encrypted_content"],
    parallel_tool_calls: false,
    tools: [
      {
        type: "function",
        name: "weather",
        description: "tells the weather",
        parameters: WEATHER.schema,
        strict: false,
      },
    ],
    tool_choice: "required",
    stream: true,
    stream_options: { include_obfuscation: false },
  });
});

test("system messages alone are the input", async () => {
  const model = modelOf([response()]);
  await model.invoke([new SystemMessage("Be kind."), new SystemMessage("Tell a joke.")]);
  const { instructions, input } = model.sent[0].body;
  const said = (text) => ({
    type: "message",
    role: "system",
    content: [{ type: "input_text", text }],
  });
  assert.equal(instructions, undefined);
  assert.deepEqual(input, [said("Be kind."), said("Tell a joke.")]);
});

test("no tools: no `tools`; a model that does not reason is not asked for reasoning", async () => {
  const model = modelOf([response()], { model: "gpt-4.1-mini" });
  await model.bindTools([]).invoke("hi", { tool_choice: "any" });
  assert.deepEqual(Object.keys(model.sent[0].body), ["model", "store", "input"]);
  await assert.rejects(model.invoke("hi", { stop: ["."] }), { name: "TypeError", message: /stop/ });
});

test("each form of the choice of a tool", async () => {
  const allowed = {
    type: "allowed_tools",
    mode: "auto",
    tools: [{ type: "function", name: "time" }],
  };
  for (const [given, sent] of [
    ["auto", "auto"],
    ["none", "none"],
    ["time", { type: "function", name: "time" }],
    [
      { type: "function", function: { name: "time" } },
      { type: "function", name: "time" },
    ],
    [{ type: "any" }, "required"],
    [allowed, allowed],
  ]) {
    const model = modelOf([response()]);
    await model.bindTools([TIME], { tool_choice: given }).invoke("hi");
    assert.deepEqual(model.sent[0].body.tool_choice, sent);
  }
});

test("items go back in order and as they came, from any form of the message", async () => {
  const model = modelOf([eventsFor(), response(), eventsFor(), response()]);
  const streamed = await joined(model.stream("hi"));
  const whole = await model.invoke("hi");
  const kept = messageFromRecord(JSON.parse(JSON.stringify(messageToRecord(whole))));
  for (const message of [streamed, whole, kept]) {
    await model.invoke(["hi", message, answered("call_1"), answered("call_2", "12:00"), "so?"]);
    const { input } = model.sent.at(-1).body;
    assert.deepEqual(input.slice(1, 5), OUTPUT);
    assert.deepEqual(input.slice(5), [
      { type: "function_call_output", call_id: "call_1", output: "4 °C" },
      { type: "function_call_output", call_id: "call_2", output: "12:00" },
      { type: "message", role: "user", content: [{ type: "input_text", text: "so?" }] },
    ]);
  }
});

test("reasoning between calls keeps its place, also in a message joined of chunks", async () => {
  const output = [REASONING, CALL, { ...REASONING, id: "rs_2" }, OUTPUT[3]];
  const model = modelOf([eventsFor(output), response()]);
  await model.invoke([
    "hi",
    await joined(model.stream("hi")),
    answered("call_1"),
    answered("call_2"),
  ]);
  assert.deepEqual(model.sent[1].body.input.slice(1, 5), output);
});

test("another provider's history goes without ids, reasoning and annotations", async () => {
  const model = modelOf([response()]);
  const own = await model.invoke("hi");
  own.response_metadata.model_provider = "elsewhere";
  const other = new AIMessage({
    content: [
      { type: "thinking", thinking: "hm", signature: "s" },
      { type: "text", text: "Hello" },
    ],
    tool_calls: [{ id: "t1", name: "time", args: { zone: 1 } }],
    response_metadata: { model_provider: "anthropic" },
  });
  await model.invoke(["hi", own, answered("call_1"), answered("call_2"), other, answered("t1")]);
  const said = (words) => ({
    type: "message",
    role: "assistant",
    content: [{ type: "output_text", text: words, annotations: [] }],
  });
  const call = (call_id, name, args) => ({ type: "function_call", call_id, name, arguments: args });
  const { input } = model.sent.at(-1).body;
  assert.deepEqual(input.filter(({ type }) => type !== "function_call_output").slice(1), [
    said("I look at both."),
    call("call_1", "weather", '{"city":"Oslo"}'),
    call("call_2", "time", "{}"),
    said("Hello"),
    call("t1", "time", '{"zone":1}'),
  ]);
});

test("changed arguments and texts go back changed; untouched arguments keep their bytes", async () => {
  const model = modelOf([response()]);
  const message = await model.invoke("hi");
  message.tool_calls[0].args = { city: "Bergen" };
  message.content[1].text = "(hidden)";
  await model.invoke(["hi", message, answered("call_1"), answered("call_2")]);
  const { input } = model.sent[1].body;
  assert.equal(input[2].content[0].text, "(hidden)");
  assert.equal(input[3].arguments, '{"city":"Bergen"}');
  assert.equal(input[3].id, "fc_1");
});

test("reasoning that is neither stored nor encrypted is left out, with the ids that need it", async () => {
  const { encrypted_content: _gone, ...bare } = REASONING;
  const model = modelOf([response([bare, MESSAGE])]);
  await model.invoke(["hi", await model.invoke("hi"), "go on"]);
  const { id: _id, ...message } = MESSAGE;
  assert.deepEqual(model.sent[1].body.input.slice(1, -1), [message]);
});

test("store: the next request names the last stored answer and holds what came after", async () => {
  const model = modelOf([response(OUTPUT, { store: true })], { store: true });
  const message = await model.invoke([new SystemMessage("Be kind."), "hi"]);
  assert.equal(model.sent[0].body.include, undefined);
  const before = [new SystemMessage("Be kind."), "hi", message];
  await model.invoke([...before, answered("call_1"), answered("call_2")]);
  const { store, previous_response_id, instructions, input } = model.sent[1].body;
  assert.deepEqual([store, previous_response_id, instructions], [true, "resp_1", "Be kind."]);
  assert.deepEqual(
    input.map(({ type, call_id }) => [type, call_id]),
    [
      ["function_call_output", "call_1"],
      ["function_call_output", "call_2"],
    ],
  );
  // An answer that was not stored is sent itself.
  message.response_metadata.store = undefined;
  await model.invoke([...before, answered("call_1"), answered("call_2")]);
  assert.equal(model.sent[2].body.previous_response_id, undefined);
  assert.equal(model.sent[2].body.input.length, 7);
  await model.invoke("more", { previous_response_id: "resp_9" });
  assert.equal(model.sent[3].body.previous_response_id, "resp_9");
});

test("pictures, files and sound go in; what the service cannot take is refused before", async () => {
  const model = modelOf([response()]);
  const content = [
    { type: "text", text: "See" },
    { type: "image", mimeType: "image/png", data: "AAAA" },
    { type: "image_url", image_url: { url: "https://x.example/a.png", detail: "low" } },
    { type: "image", source_type: "id", id: "file_1" },
    { type: "file", mimeType: "application/pdf", data: "BBBB", metadata: { filename: "a.pdf" } },
    { type: "file", url: "https://x.example/a.pdf" },
    { type: "input_file", file_id: "file_2" },
    { type: "audio", mimeType: "audio/mpeg", data: "CCCC" },
    { type: "non_standard", value: { type: "input_image", file_id: "file_3" } },
  ];
  const call = { id: "c", name: "time", args: {} };
  const output = [
    { type: "text", text: "a" },
    { type: "image", mimeType: "image/png", data: "D" },
  ];
  await model.invoke([
    new HumanMessage({ content }),
    new AIMessage({ content: "", tool_calls: [call] }),
    new ToolMessage({ content: output, tool_call_id: "c" }),
  ]);
  const { input } = model.sent[0].body;
  assert.deepEqual(input[0].content, [
    { type: "input_text", text: "See" },
    { type: "input_image", detail: "auto", image_url: "data:image/png;base64,AAAA" },
    { type: "input_image", detail: "low", image_url: "https://x.example/a.png" },
    { type: "input_image", detail: "auto", file_id: "file_1" },
    { type: "input_file", filename: "a.pdf", file_data: "data:application/pdf;base64,BBBB" },
    { type: "input_file", file_url: "https://x.example/a.pdf" },
    { type: "input_file", file_id: "file_2" },
    { type: "input_audio", input_audio: { data: "CCCC", format: "mp3" } },
    { type: "input_image", file_id: "file_3" },
  ]);
  assert.deepEqual(input[2].output, [
    { type: "input_text", text: "a" },
    { type: "input_image", detail: "auto", image_url: "data:image/png;base64,D" },
  ]);
  for (const block of [{ type: "video", url: "https://x.example/a.mp4" }, { type: "hologram" }])
    await assert.rejects(model.invoke([new HumanMessage({ content: [block] })]), {
      name: "TypeError",
      message: `Message 0 has a block "${block.type}", which the Responses API cannot take`,
    });
  assert.equal(model.sent.length, 1);
});

test("a strict tool: its optional properties may be null for the service and are absent for the tool", async () => {
  const args = '{"city":"Oslo","unit":null}';
  const output = [{ ...CALL, arguments: args }];
  const model = modelOf([eventsFor(output), response(output), response(output)]);
  const bound = model.bindTools([
    { type: "function", function: { name: "weather", parameters: WEATHER.schema, strict: true } },
  ]);
  const streamed = await joined(bound.stream("hi"));
  const whole = await bound.invoke("hi");
  for (const message of [streamed, whole])
    assert.deepEqual(message.tool_calls[0].args, { city: "Oslo" });
  assert.deepEqual(model.sent[0].body.tools[0], {
    type: "function",
    name: "weather",
    description: "",
    parameters: {
      type: "object",
      properties: { city: { type: "string" }, unit: { type: ["string", "null"] } },
      required: ["city", "unit"],
      additionalProperties: false,
    },
    strict: true,
  });
  await bound.invoke(["hi", whole, answered("call_1")]);
  assert.equal(model.sent[2].body.input[1].arguments, args);
});

test("a schema that strict mode cannot express is sent as it is, not strict", async () => {
  const deep = (levels) =>
    levels === 0
      ? { type: "string" }
      : { type: "object", properties: { a: deep(levels - 1) }, required: ["a"] };
  for (const schema of [
    { type: "object", properties: { a: { oneOf: [{ type: "string" }] } } },
    { type: "object", additionalProperties: { type: "string" } },
    { type: "object", properties: { a: { type: "object" } } },
    { type: "object", properties: { a: { type: "array" } } },
    { type: "object", properties: { a: {} } },
    { type: "object", properties: { a: { anyOf: 7 } } },
    { type: "object", properties: { a: { type: "string" } }, required: { a: 1 } },
    { type: "object", properties: {}, anyOf: [{ type: "object" }] },
    {
      type: "object",
      properties: { a: { type: "array", items: { type: "string" }, uniqueItems: true } },
    },
    deep(12),
  ]) {
    const model = modelOf([response()]);
    await model
      .bindTools([{ type: "function", function: { name: "f", parameters: schema, strict: true } }])
      .invoke("hi");
    const { parameters, strict } = model.sent[0].body.tools[0];
    assert.deepEqual([parameters, strict], [schema, false]);
  }
});

test("structured output: text.format in strict mode, checked against the schema as it was", async () => {
  const City = z.object({
    name: z.string(),
    site: z.string().url().optional(),
    parts: z.array(z.object({ name: z.string(), size: z.number().optional() })).default([]),
    kind: z.enum(["town", "city"]).optional(),
  });
  const value = { name: "Oslo", site: null, parts: [{ name: "a", size: null }], kind: null };
  const model = modelOf([response([text(JSON.stringify(value))])]);
  assert.deepEqual(await model.withStructuredOutput(City, { name: "city" }).invoke("hi"), {
    name: "Oslo",
    parts: [{ name: "a" }],
  });
  const { format } = model.sent[0].body.text;
  assert.deepEqual([format.type, format.name, format.strict], ["json_schema", "city", true]);
  const { properties, required, additionalProperties } = format.schema;
  assert.deepEqual(required, ["name", "site", "parts", "kind"]);
  assert.equal(additionalProperties, false);
  assert.deepEqual(properties.site, { type: ["string", "null"] });
  assert.deepEqual(properties.parts.anyOf ?? properties.parts.type, ["array", "null"]);
  assert.deepEqual(properties.kind, {
    anyOf: [{ type: "string", enum: ["town", "city"] }, { type: "null" }],
  });
  const bad = modelOf([response([text('{"name":7}')])]).withStructuredOutput(City);
  const error = await failure(bad.invoke("hi"));
  assert.deepEqual([error.code, error.raw.text], ["BAD_ANSWER", '{"name":7}']);
  const loose = modelOf([response([text('{"value":[1,2]}')])]);
  const list = loose.withStructuredOutput(
    { type: "array", items: { type: "number" } },
    { strict: false },
  );
  assert.deepEqual(await list.invoke("hi"), [1, 2]);
  assert.equal(loose.sent[0].body.text.format.strict, false);
});

test("what stands beside a reference in a schema goes around it in strict mode", async () => {
  const $defs = {
    Address: {
      type: "object",
      properties: { street: { type: "string" }, zip: { type: "string" } },
      required: ["street"],
    },
  };
  const $ref = "#/$defs/Address";
  const place = { $ref, description: "Where", title: "Place" };
  const properties = { home: place, work: { ...place, default: null }, other: { $ref } };
  const schema = { type: "object", properties, required: ["home", "other"], $defs };
  const value = { home: { street: "a", zip: null }, work: null, other: { street: "b", zip: "1" } };
  const model = modelOf([response([text(JSON.stringify(value))])]);
  assert.deepEqual(await model.withStructuredOutput(schema).invoke("hi"), {
    home: { street: "a" },
    other: { street: "b", zip: "1" },
  });
  const { format } = model.sent[0].body.text;
  const around = { description: "Where", title: "Place", anyOf: [{ $ref }] };
  assert.equal(format.strict, true);
  assert.deepEqual(format.schema.properties, {
    home: around,
    work: { anyOf: [around, { type: "null" }] },
    other: { $ref },
  });
  for (const beside of [{ minLength: 1 }, { properties: {} }, { nullable: true }]) {
    const odd = { ...schema, properties: { home: { $ref, ...beside } } };
    const loose = modelOf([response([text("{}")])]);
    await failure(loose.withStructuredOutput(odd).invoke("hi"));
    assert.equal(loose.sent[0].body.text.format.strict, false);
  }
});

test("items are joined by output_index though every event has another id", async () => {
  let next = 0;
  const changed = eventsFor().map((event) => {
    const own = { ...event };
    if (own.item_id) own.item_id = `x${next++}`;
    if (own.item) own.item = { ...own.item, id: `x${next++}` };
    return own;
  });
  const message = await joined(modelOf([changed]).stream("hi"));
  assert.equal(message.text, "I look at both.");
  assert.deepEqual(
    message.tool_calls.map(({ id, args }) => [id, args]),
    [
      ["call_1", { city: "Oslo" }],
      ["call_2", {}],
    ],
  );
});

test("items that the service does not number, or all alike, are items of their own", async () => {
  const usual = await joined(modelOf([eventsFor()]).stream("hi"));
  const numbered = (output_index) => eventsFor().map((event) => ({ ...event, output_index }));
  for (const events of [numbered(undefined), numbered(0)]) {
    const model = modelOf([events, eventsFor()]);
    const message = await joined(model.stream("hi"));
    assert.deepEqual(message.content, usual.content);
    assert.deepEqual(message.tool_calls, usual.tool_calls);
  }
});

test("an end that repeats the items under other ids adds nothing", async () => {
  const usual = await joined(modelOf([eventsFor([MESSAGE, CALL])]).stream("hi"));
  const renamed = [MESSAGE, CALL].map((item) => ({ ...item, id: `${item.id}_again` }));
  const events = eventsFor([MESSAGE, CALL]);
  const last = { ...events.at(-1), response: response([REASONING, ...renamed]) };
  const message = await joined(modelOf([[...events.slice(0, -1), last]]).stream("hi"));
  assert.equal(message.text, usual.text);
  assert.deepEqual(message.tool_calls, usual.tool_calls);
});

test("texts and arguments that come without pieces are taken from where they are whole", async () => {
  const only = (...kept) =>
    eventsFor().filter(({ type }) => kept.some((end) => type.endsWith(end)));
  for (const events of [
    eventsFor().filter(({ type }) => !type.endsWith(".delta")),
    only("output_item.done", "response.completed"),
    only("response.created", "response.completed"),
  ]) {
    const model = modelOf([events, response()]);
    const message = await joined(model.stream("hi"));
    assert.equal(message.text, "I look at both.");
    assert.equal(message.content[0].reasoning, "First.\n\nThen.");
    assert.deepEqual(message.tool_calls[0].args, { city: "Oslo" });
    await model.invoke(["hi", message, answered("call_1"), answered("call_2")]);
    assert.deepEqual(model.sent[1].body.input.slice(1, 5), OUTPUT);
  }
});

test("an output that the end leaves empty is the one of the events", async () => {
  const events = eventsFor();
  events.at(-1).response.output = [];
  const model = modelOf([events, response()]);
  await model.invoke([
    "hi",
    await joined(model.stream("hi")),
    answered("call_1"),
    answered("call_2"),
  ]);
  assert.deepEqual(model.sent[1].body.input.slice(1, 5), OUTPUT);
});

test("encrypted reasoning that comes several times: the last one goes back", async () => {
  const events = eventsFor();
  const last = { ...REASONING, encrypted_content: "gLAST" };
  events.at(-1).response = response([last, ...OUTPUT.slice(1)]);
  const model = modelOf([events, response()]);
  await model.invoke([
    "hi",
    await joined(model.stream("hi")),
    answered("call_1"),
    answered("call_2"),
  ]);
  assert.deepEqual(model.sent[1].body.input[1], last);
});

test("the `parallel` wrapper is its calls, unless a tool has that name", async () => {
  const uses = [
    { recipient_name: "functions.weather", parameters: { city: "Oslo" } },
    { recipient_name: "functions.time", parameters: {} },
  ];
  const wrapper = { ...CALL, name: "parallel", arguments: JSON.stringify({ tool_uses: uses }) };
  const model = modelOf([eventsFor([wrapper]), response([wrapper])]);
  for (const message of [await joined(model.stream("hi")), await model.invoke("hi")]) {
    assert.deepEqual(
      message.tool_calls.map(({ id, name, args }) => [id, name, args]),
      [
        ["call_1_0", "weather", { city: "Oslo" }],
        ["call_1_1", "time", {}],
      ],
    );
    await model.invoke(["hi", message, answered("call_1_0"), answered("call_1_1")]);
    const { input } = model.sent.at(-1).body;
    assert.deepEqual(input[1], {
      type: "function_call",
      call_id: "call_1_0",
      name: "weather",
      arguments: '{"city":"Oslo"}',
    });
    assert.equal(input[2].call_id, "call_1_1");
  }
  const own = tool(() => "", { name: "parallel", description: "", schema: {} });
  const named = await modelOf([eventsFor([wrapper])])
    .bindTools([own])
    .invoke("hi");
  assert.deepEqual(
    named.tool_calls.map(({ name }) => name),
    ["parallel"],
  );
  const broken = { ...wrapper, arguments: '{"tool_uses":[{"x":1}]}' };
  const kept = await modelOf([response([broken])]).invoke("hi");
  assert.deepEqual([kept.tool_calls.length, kept.tool_calls[0].id], [1, "call_1"]);
});

test("a refusal is a block and in additional_kwargs, and goes back", async () => {
  const refused = { ...MESSAGE, content: [{ type: "refusal", refusal: "I will not." }] };
  const model = modelOf([eventsFor([refused]), response([refused])]);
  for (const message of [await joined(model.stream("hi")), await model.invoke("hi")]) {
    assert.equal(message.additional_kwargs.refusal, "I will not.");
    assert.equal(message.content[0].refusal, "I will not.");
    await model.invoke(["hi", message, "why?"]);
    assert.deepEqual(model.sent.at(-1).body.input[1], refused);
  }
});

test("the service's own tools: call and result are blocks, and go back as one item", async () => {
  const items = [
    {
      type: "web_search_call",
      id: "ws_1",
      status: "completed",
      action: { type: "search", query: "q" },
    },
    {
      type: "mcp_call",
      id: "mcp_1",
      name: "echo",
      arguments: '{"a":1}',
      server_label: "s",
      output: "1",
    },
    {
      type: "image_generation_call",
      id: "ig_1",
      status: "completed",
      result: "AAAA",
      output_format: "webp",
    },
    { type: "compaction", id: "cmp_1", encrypted_content: "gC" },
    text("Done."),
  ];
  const model = modelOf([eventsFor(items), response(items)]);
  for (const message of [await joined(model.stream("hi")), await model.invoke("hi")]) {
    assert.deepEqual(
      message.content.map(({ type, name, args, output, data, mimeType }) =>
        [type, name, args ?? output ?? data, mimeType].filter((value) => value !== undefined),
      ),
      [
        ["server_tool_call", "web_search", { type: "search", query: "q" }],
        ["server_tool_call", "echo", { a: 1 }],
        ["server_tool_call_result", "1"],
        ["server_tool_call", "image_generation", {}],
        ["image", "AAAA", "image/webp"],
        ["non_standard"],
        ["text"],
      ],
    );
    await model.invoke(["hi", message, "go on"]);
    assert.deepEqual(model.sent.at(-1).body.input.slice(1, -1), items);
  }
});

test("a custom tool's call has its text as `input`, and its result goes back as its own", async () => {
  const custom = {
    type: "custom_tool_call",
    id: "ct_1",
    call_id: "c1",
    name: "sql",
    input: "SELECT 1",
  };
  const model = modelOf([response([custom])]);
  const message = await model.invoke("hi");
  assert.deepEqual(message.tool_calls[0].args, { input: "SELECT 1" });
  await model.invoke(["hi", message, answered("c1", "1")]);
  assert.deepEqual(model.sent[1].body.input.slice(1), [
    custom,
    { type: "custom_tool_call_output", call_id: "c1", output: "1" },
  ]);
});

test("incomplete answers say why; one that failed is an error, in both forms", async () => {
  for (const [reason, finish_reason] of [
    ["max_output_tokens", "length"],
    ["content_filter", "content_filter"],
    ["constructor", "constructor"],
  ]) {
    const rest = { status: "incomplete", incomplete_details: { reason } };
    const model = modelOf([eventsFor([MESSAGE], rest), response([MESSAGE], rest)]);
    for (const message of [await joined(model.stream("hi")), await model.invoke("hi")]) {
      const { status, incomplete_details, ...metadata } = message.response_metadata;
      assert.deepEqual([status, metadata.finish_reason], ["incomplete", finish_reason]);
      assert.deepEqual(incomplete_details, { reason });
      assert.equal(message.text, "I look at both.");
    }
  }
  const cut = { ...CALL, arguments: '{"city":', status: "incomplete" };
  const broken = await modelOf([response([cut], { status: "incomplete" })]).invoke("hi");
  assert.equal(broken.invalid_tool_calls[0].args, '{"city":');
  const error = { code: "content_policy", message: "no" };
  const failed = response([], { status: "failed", error });
  for (const body of [failed, [{ type: "response.failed", response: failed }]]) {
    const thrown = await failure(modelOf([body]).invoke("hi"));
    assert.ok(thrown instanceof ModelError);
    assert.deepEqual([thrown.code, thrown.retryable], ["content_policy", false]);
  }
  const unfinished = await failure(modelOf([response([], { status: "queued" })]).invoke("hi"));
  assert.equal(unfinished.code, "BAD_ANSWER");
});

test("errors in a stream, nested and flat, also after text: typed, and not tried again", async () => {
  const quota = {
    type: "insufficient_quota",
    code: "insufficient_quota",
    message: "Pay.",
    param: null,
  };
  const nested = { type: "error", sequence_number: 2, error: quota };
  const flat = { ...quota, type: "error", sequence_number: 2 };
  for (const event of [nested, flat])
    for (const before of [[], eventsFor().slice(0, 14)]) {
      const model = modelOf([[...before, event, { type: "response.failed", response: {} }]]);
      const error = await failure(joined(model.stream("hi")));
      assert.ok(error instanceof ModelError);
      assert.deepEqual([error.code, error.retryable], ["insufficient_quota", false]);
      assert.match(error.message, /Pay\./);
      assert.equal(model.sent.length, 1);
    }
});

test("an overloaded stream is tried again before the first piece, as long as it says", async () => {
  const busy = { code: "rate_limit_exceeded", message: "Please try again in 12ms." };
  const waits = [];
  const model = modelOf([[{ ...busy, type: "error" }], eventsFor()], {
    onRetry: ({ delayMs }) => waits.push(delayMs),
  });
  assert.equal((await joined(model.stream("hi"))).text, "I look at both.");
  assert.deepEqual(waits, [12]);
});

test("HTTP errors: codes, context_overflow, Retry-After", async () => {
  const refusal = (status, error, headers) => () =>
    new Response(JSON.stringify({ error }), { status, headers });
  const long = {
    code: "context_length_exceeded",
    message: "Your input exceeds the context window",
  };
  const overflow = await failure(modelOf([refusal(400, long)]).invoke("hi"));
  assert.deepEqual(
    [overflow.code, overflow.status, overflow.retryable],
    ["context_overflow", 400, false],
  );
  const inStream = await failure(modelOf([[{ type: "error", error: long }]]).invoke("hi"));
  assert.equal(inStream.code, "context_overflow");
  const waits = [];
  const limited = refusal(
    429,
    { code: "rate_limit_exceeded", message: "slow" },
    { "retry-after-ms": "7" },
  );
  const model = modelOf([limited, response()], { onRetry: ({ delayMs }) => waits.push(delayMs) });
  await model.invoke("hi");
  assert.deepEqual(waits, [7]);
  const key = await failure(
    modelOf([refusal(401, { code: "invalid_api_key", message: "bad sk-1" })]).invoke("hi"),
  );
  assert.deepEqual([key.code, key.retryable], ["invalid_api_key", false]);
});

test("a stream that ends without response.completed is an error, also after [DONE]", async () => {
  for (const end of ["", "data: [DONE]\n\n"]) {
    const body = eventsFor().slice(0, -1).map(line).join("") + end;
    const model = modelOf([body], { maxRetries: 0 });
    const error = await failure(joined(model.stream("hi")));
    assert.deepEqual([error.code, error.retryable], ["STREAM_CUT", true]);
  }
  const done = `${eventsFor().map(line).join("")}data: [DONE]\n\n`;
  assert.equal((await joined(modelOf([done]).stream("hi"))).text, "I look at both.");
});

test("nothing after the end is waited for; unknown events and fields are ignored", async () => {
  let isCancelled = false;
  const events = [{ type: "response.keepalive" }, { type: "codex.rate_limits" }, ...eventsFor()];
  const open = () =>
    new Response(
      new ReadableStream({
        start: (to) => to.enqueue(new TextEncoder().encode(events.map(line).join(""))),
        cancel: () => {
          isCancelled = true;
        },
      }),
      { headers: { "content-type": "text/event-stream" } },
    );
  assert.equal((await joined(modelOf([open]).stream("hi"))).text, "I look at both.");
  assert.ok(isCancelled);
});

test("an abort in mid-stream is an AbortError and cancels the reading", async () => {
  let isCancelled = false;
  const open = () =>
    new Response(
      new ReadableStream({
        start: (to) =>
          to.enqueue(new TextEncoder().encode(eventsFor().slice(0, 20).map(line).join(""))),
        cancel: () => {
          isCancelled = true;
        },
      }),
      { headers: { "content-type": "text/event-stream" } },
    );
  const abort = new AbortController();
  const reading = async () => {
    for await (const chunk of modelOf([open]).stream("hi", { signal: abort.signal }))
      if (chunk.content.length > 0) abort.abort();
  };
  await assert.rejects(reading(), { name: "AbortError" });
  assert.ok(isCancelled);
});

test("events cut at every byte give the same message", async () => {
  const bytes = new TextEncoder().encode(
    eventsFor([text("Grüße 🌍 aus Oslo"), CALL])
      .map(line)
      .join(""),
  );
  const single = () =>
    new Response(
      new ReadableStream({
        start(to) {
          for (const byte of bytes) to.enqueue(Uint8Array.of(byte));
          to.close();
        },
      }),
      { headers: { "content-type": "text/event-stream" } },
    );
  const message = await joined(modelOf([single]).stream("hi"));
  assert.deepEqual(
    [message.text, message.tool_calls[0].args],
    ["Grüße 🌍 aus Oslo", { city: "Oslo" }],
  );
});

test("an agent runs its tools and gives every result back", async () => {
  const model = modelOf([eventsFor(), eventsFor([text("4 °C at noon.")])]);
  const agent = createReactAgent({ llm: model, tools: [WEATHER, TIME] });
  const { messages } = await agent.invoke({ messages: "Weather and time?" });
  assert.equal(messages.at(-1).text, "4 °C at noon.");
  assert.deepEqual(model.sent[1].body.input.slice(1, 5), OUTPUT);
});

test("a checkpoint in another process: the next turn sends the same bytes", async (t) => {
  const path = mkdtempSync(join(tmpdir(), "weft-responses-"));
  t.after(() => rmSync(path, { recursive: true }));
  const turn = async (words) => {
    const program = `
      import { FileSaver } from "weftgraph/savers/file";
      import { createReactAgent } from "weftgraph/prebuilt";
      import { eventsFor, modelOf, OUTPUT } from ${JSON.stringify(new URL("./responses-events.mjs", import.meta.url).href)};
      const llm = modelOf([eventsFor(OUTPUT.slice(0, 2))]);
      const agent = createReactAgent({ llm, tools: [], checkpointer: new FileSaver({ path: ${JSON.stringify(path)} }) });
      await agent.invoke({ messages: ${JSON.stringify(words)} }, { configurable: { thread_id: "1" } });
      process.stdout.write(llm.sent.at(-1).text);`;
    const { stdout } = await promisify(execFile)(process.execPath, [
      "--input-type=module",
      "--eval",
      program,
    ]);
    return stdout;
  };
  await turn("hi");
  const sent = await turn("go on");
  const model = modelOf([eventsFor(OUTPUT.slice(0, 2))]);
  const message = await joined(model.stream("hi"));
  await joined(model.stream(["hi", message, "go on"]));
  assert.equal(JSON.stringify(JSON.parse(sent).input), JSON.stringify(model.sent[1].body.input));
  assert.deepEqual(JSON.parse(sent).input.slice(1, 3), OUTPUT.slice(0, 2));
});

test("aimock: text, reasoning, calls and errors of a server", async (t) => {
  const mock = new LLMock({ port: 0 });
  mock.on(
    { userMessage: "hi" },
    {
      content: "Hello there",
      reasoning: "hm",
      usage: { input_tokens: 5, output_tokens: 2, total_tokens: 7 },
    },
  );
  const call = { id: "call_7", name: "weather", arguments: '{"city":"Oslo"}' };
  mock.on({ userMessage: "weather" }, { toolCalls: [call] });
  mock.on(
    { userMessage: "busy" },
    { error: { message: "slow down", type: "rate_limit_error" }, status: 429 },
  );
  await mock.start();
  t.after(() => mock.stop());
  const model = new ChatOpenAIResponses({
    model: "gpt-5",
    apiKey: "k",
    baseURL: `${mock.url}/v1`,
    maxRetries: 0,
  });
  for (const message of [await joined(model.stream("hi")), await model.invoke("hi")]) {
    assert.equal(message.text, "Hello there");
    assert.equal(message.content[0].reasoning, "hm");
    assert.equal(message.usage_metadata.total_tokens, 7);
  }
  const bound = model.bindTools([WEATHER]);
  for (const { tool_calls } of [
    await joined(bound.stream("weather")),
    await bound.invoke("weather"),
  ])
    assert.deepEqual([tool_calls[0].id, tool_calls[0].args], ["call_7", { city: "Oslo" }]);
  const error = await failure(model.invoke("busy"));
  assert.deepEqual([error instanceof ModelError, error.status, error.retryable], [true, 429, true]);
});

const RECORDED = join(
  process.env.WEFT_TEST_DATA ?? "../shared/data",
  "model-streams/openai-responses",
);

test("recorded answers: every item goes back as it came", {
  skip: existsSync(RECORDED) ? false : `${RECORDED} is not there`,
}, async () => {
  const names = readdirSync(RECORDED);
  assert.ok(names.length > 10);
  for (const name of names) {
    const file = readFileSync(join(RECORDED, name), "utf8");
    const events = name.endsWith(".json")
      ? undefined
      : file.split("\n").filter(Boolean).map(JSON.parse);
    const whole = events?.at(-1).response ?? JSON.parse(file);
    // Stored, so that reasoning without encrypted content goes back too.
    const model = modelOf([events ?? whole], { store: true });
    const message = await (events ? joined(model.stream("hi")) : model.invoke("hi"));
    message.response_metadata.store = undefined;
    await joined(model.stream(["hi", message, "go on"]));
    const bare = (item) =>
      JSON.parse(JSON.stringify(item), (key, value) =>
        key === "logprobs" || value === null ? undefined : value,
      );
    const sent = model.sent[1].body.input.slice(1, whole.output.length + 1);
    assert.deepEqual(sent.map(bare), whole.output.map(bare), name);
    assert.equal(message.usage_metadata.total_tokens, whole.usage.total_tokens, name);
  }
});

test("hostile answers: a message or a ModelError, within bounds", async () => {
  const many = (count) =>
    Array.from({ length: count }, (_, at) => ({ ...CALL, call_id: `c${at}`, id: `f${at}` }));
  const uses = JSON.stringify({
    tool_uses: Array.from({ length: 2000 }, () => ({ recipient_name: "f.a" })),
  });
  const deep = "[".repeat(200_000);
  const item = (fields) => [
    { type: "response.output_item.added", output_index: 0, item: fields },
    { type: "response.output_item.done", output_index: 0, item: fields },
    { type: "response.completed", response: {} },
  ];
  for (const [body, code] of [
    [response(many(1025)), "TOO_LARGE"],
    [response([{ ...CALL, name: "parallel", arguments: uses }]), "TOO_LARGE"],
    [[{ type: "response.output_text.delta", output_index: -1, delta: "x" }], "BAD_ANSWER"],
    [[{ type: "response.output_text.delta", output_index: 0, delta: { a: 1 } }], "BAD_ANSWER"],
    [[{ type: "response.output_item.done", output_index: 0, item: null }], "BAD_ANSWER"],
    [[...item({ type: "message", content: "x" })], "BAD_ANSWER"],
    [[...item({ type: "message", content: [null] })], "BAD_ANSWER"],
    [[...item({ type: "reasoning", summary: [7] })], "BAD_ANSWER"],
    [[item({ type: "message" })[0], item({ type: "reasoning" })[1]], "BAD_ANSWER"],
    [[{ type: "response.completed" }], "BAD_ANSWER"],
    [[{ type: "response.completed", response: { output: "x" } }], "BAD_ANSWER"],
    [[{ type: { a: 1 } }], "BAD_ANSWER"],
    ["data: [1]\n\n", "BAD_ANSWER"],
    ["data: null\n\n", "BAD_ANSWER"],
    [{}, "BAD_ANSWER"],
    [{ status: 7 }, "BAD_ANSWER"],
  ]) {
    const error = await failure(
      modelOf([body], { maxRetries: 0 }).invoke("hi", { callbacks: [{ handleLLMNewToken() {} }] }),
    );
    assert.ok(error instanceof ModelError, `${JSON.stringify(body).slice(0, 200)} ${error.stack}`);
    assert.equal(error.code, code, JSON.stringify(body).slice(0, 200));
  }
  const strict = {
    type: "function",
    function: { name: "weather", parameters: WEATHER.schema, strict: true },
  };
  for (const args of [
    deep,
    `{"city":${deep}${"]".repeat(200_000)}}`,
    '{"__proto__":{"x":null}}',
    "null",
    "{}x",
  ])
    for (const name of ["weather", "parallel", "other"]) {
      const model = modelOf([response([{ ...CALL, name, arguments: args }]), response()]);
      const message = await model.bindTools([strict]).invoke("hi");
      assert.equal(message.tool_calls.length + message.invalid_tool_calls.length, 1);
      await model.invoke(["hi", message, answered("call_1")]);
    }
  assert.equal({}.x, undefined);
});

/** Random numbers that a seed repeats. */
function dice(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const ODD = [
  null,
  7,
  -1,
  1e300,
  "",
  "x",
  true,
  [],
  {},
  [null],
  "__proto__",
  { type: "error" },
  { toString: 1, valueOf: 1 },
];

/** Changes one value somewhere within. */
function spoil(value, roll) {
  const keys = Object.keys(value);
  if (keys.length === 0) return;
  const key = keys[roll(keys.length)];
  const inner = value[key];
  if (inner !== null && typeof inner === "object" && roll(4) > 0) spoil(inner, roll);
  else value[key] = structuredClone(ODD[roll(ODD.length)]);
}

test("answers with something wrong at random places give a message or a ModelError", async () => {
  const roll = dice(Number(process.env.WEFT_SEED ?? 1));
  const tools = [
    { type: "function", function: { name: "weather", parameters: WEATHER.schema, strict: true } },
  ];
  let good = 0;
  const times = process.env.WEFT_LONG ? 20_000 : 1500;
  for (let round = 0; round < times; round++) {
    const isStream = roll(2) === 0;
    const body = structuredClone(isStream ? eventsFor() : response());
    for (let count = roll(3); count >= 0; count--) spoil(body, roll);
    if (isStream && roll(4) === 0) body.splice(roll(body.length), roll(6));
    if (isStream && roll(4) === 0) body.push(body[roll(body.length)]);
    const model = modelOf([body, response()], { maxRetries: 0 });
    const bound = model.bindTools(tools);
    try {
      const message = await (isStream ? joined(bound.stream("hi")) : bound.invoke("hi"));
      if (message === undefined) continue;
      good++;
      JSON.stringify(message);
      for (const { id, name, args } of message.tool_calls)
        assert.ok(typeof id === "string" && typeof name === "string" && typeof args === "object");
      // What was kept can be sent again.
      await bound.invoke(["hi", message, "go on"]);
    } catch (error) {
      const label = `${round}: ${error.stack} ${JSON.stringify(body).slice(0, 4000)}`;
      assert.ok(error instanceof ModelError && typeof error.code === "string", label);
    }
  }
  assert.ok(good > times / 10, `${good} of ${times} are still answers`);
});

test("many small pieces and repeated wholes cost no more than their bytes", async () => {
  const words = "x".repeat(20_000);
  const events = eventsFor([text(words)]);
  const done = events.find(({ type }) => type === "response.output_text.done");
  const begun = performance.now();
  const doubled = events.flatMap((event) =>
    event.type.endsWith("text.delta") ? [event, { ...done, text: "y".repeat(50) }] : [event],
  );
  const message = await modelOf([answerOf(doubled)]).invoke("hi", {
    callbacks: [{ handleLLMNewToken() {} }],
  });
  assert.equal(message.text, words);
  assert.ok(performance.now() - begun < 5000);
});
