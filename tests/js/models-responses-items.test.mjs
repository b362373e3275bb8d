// SPDX-License-Identifier: MIT
// Serves: ChatOpenAIResponses: items that are neither texts nor plain calls, whose they are, and
// what goes back for them, at OpenAI and at services with the same API.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  AIMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
  messageFromRecord,
  messageToRecord,
} from "weftgraph/messages";
import { ChatOpenAICompatible } from "weftgraph/models/openai";
import { tool } from "weftgraph/tools";
import { OUTPUT, eventsFor, joined, modelOf, response } from "./responses-events.mjs";

const XAI = { model: "grok-4.6", baseURL: "https://api.x.ai/v1" };
const TIME = tool(() => "12:00", { name: "time", description: "tells the time", schema: {} });
const [REASONING, MESSAGE, CALL] = OUTPUT;
const SQL = { type: "custom_tool_call", id: "ct_1", call_id: "c1", name: "sql", input: "SELECT 1" };
const answered = (tool_call_id, content = "1") => new ToolMessage({ content, tool_call_id });
const stored = (message) => messageFromRecord(JSON.parse(JSON.stringify(messageToRecord(message))));
const inputOf = (model) => model.sent.at(-1).body.input;
const user = (words) => ({
  type: "message",
  role: "user",
  content: [{ type: "input_text", text: words }],
});

test("a result of a tool that the service's program called says so, also after a checkpoint", async () => {
  const caller = { type: "program", caller_id: "call_p" };
  const program = { type: "program", id: "cm_1", call_id: "call_p", code: "…", fingerprint: "f" };
  const output = [REASONING, program, { ...CALL, caller }, { ...SQL, caller }];
  const model = modelOf([eventsFor(output), response(output)]);
  const streamed = await joined(model.stream("hi"));
  for (const message of [streamed, await model.invoke("hi"), stored(streamed)]) {
    await model.invoke(["hi", message, answered("call_1"), answered("c1", "2")]);
    assert.deepEqual(inputOf(model).slice(1), [
      ...output,
      { type: "function_call_output", call_id: "call_1", output: "1", caller },
      { type: "custom_tool_call_output", call_id: "c1", output: "2", caller },
    ]);
  }
});

test("a tool keeps what only this service knows of it", async () => {
  const more = {
    defer_loading: true,
    allowed_callers: ["programmatic"],
    output_schema: { type: "object" },
  };
  const parameters = { type: "object", properties: {} };
  const model = modelOf([response()]);
  const given = { type: "function", function: { name: "time", parameters, ...more } };
  await model.bindTools([given, { type: "tool_search" }]).invoke("hi");
  assert.deepEqual(model.sent[0].body.tools, [
    { type: "function", name: "time", description: "", parameters, strict: false, ...more },
    { type: "tool_search" },
  ]);
});

test("models that do not reason are not asked for it, whatever their names begin with", async () => {
  for (const [name, include] of [
    ["gpt-4.1", undefined],
    ["chatgpt-4o-latest", undefined],
    ["gpt-5-chat-latest", undefined],
    ["ft:gpt-4o:mine", undefined],
    ["gpt-5.4", ["reasoning.encrypted_content"]],
    ["o4-mini", ["reasoning.encrypted_content"]],
  ]) {
    const model = modelOf([response()], { model: name });
    await model.invoke("hi");
    assert.deepEqual(model.sent[0].body.include, include, name);
  }
});

test("what the model's own fields ask for is asked for besides the reasoning", async () => {
  const modelKwargs = { include: ["web_search_call.action.sources"], background: false };
  const model = modelOf([response()], { modelKwargs });
  await model.invoke("hi", { include: ["file_search_call.results"] });
  assert.deepEqual(model.sent[0].body.include, [
    "reasoning.encrypted_content",
    "web_search_call.action.sources",
    "file_search_call.results",
  ]);
  assert.equal(model.sent[0].body.background, false);
});

test("an approval, and what a program did for the model, are items of their own", async () => {
  const request = {
    type: "mcp_approval_request",
    id: "mcpr_1",
    server_label: "s",
    name: "deploy",
    arguments: "{}",
  };
  const shell = {
    type: "shell_call",
    id: "sh_1",
    call_id: "call_s",
    status: "completed",
    action: { commands: ["ls"] },
  };
  const model = modelOf([eventsFor([REASONING, request, shell]), response()]);
  const asked = stored(await joined(model.stream("hi")));
  assert.deepEqual(asked.tool_calls, []);
  const approval = { type: "mcp_approval_response", approval_request_id: "mcpr_1", approve: true };
  const done = {
    type: "shell_call_output",
    call_id: "call_s",
    output: [{ stdout: "a", stderr: "", outcome: { type: "exit", exit_code: 0 } }],
  };
  const reply = [approval, { type: "non_standard", value: done }, { type: "text", text: "go on" }];
  await model.invoke(["hi", asked, new HumanMessage({ content: reply })]);
  assert.deepEqual(inputOf(model).slice(1), [
    REASONING,
    request,
    shell,
    approval,
    done,
    user("go on"),
  ]);
  await model.invoke(["hi", asked, new HumanMessage({ content: [approval] })]);
  assert.deepEqual(inputOf(model).slice(4), [approval]);
});

test("a choice is the service's word, also as an object, and names the service's own tools", async () => {
  const tools = [
    TIME,
    { type: "web_search" },
    { type: "custom", name: "sql" },
    { type: "function", name: "flat", parameters: { type: "object", properties: {} } },
  ];
  for (const [given, sent] of [
    [{ type: "auto" }, "auto"],
    [{ type: "none" }, "none"],
    [{ type: "required" }, "required"],
    [{ type: "any" }, "required"],
    ["web_search", { type: "web_search" }],
    ["sql", { type: "custom", name: "sql" }],
    ["flat", { type: "function", name: "flat" }],
    ["time", { type: "function", name: "time" }],
    [
      { type: "mcp", server_label: "s" },
      { type: "mcp", server_label: "s" },
    ],
    [null, undefined],
  ]) {
    const model = modelOf([response()]);
    await model.bindTools(tools, { tool_choice: given }).invoke("hi");
    assert.deepEqual(model.sent[0].body.tool_choice, sent);
  }
});

test("what xAI's search does is no call for the program, and goes back as it came", async () => {
  const search = {
    type: "custom_tool_call",
    id: "ctc_1",
    call_id: "xs_call_1",
    name: "x_keyword_search",
    input: '{"query":"weft","limit":10}',
    status: "completed",
  };
  const output = [REASONING, search, MESSAGE];
  const model = modelOf([eventsFor(output), response(output)], XAI);
  const bound = model.bindTools([TIME, { type: "x_search" }]);
  const streamed = await joined(bound.stream("hi"));
  for (const message of [streamed, await bound.invoke("hi"), stored(streamed)]) {
    assert.deepEqual(message.tool_calls, []);
    assert.equal(message.response_metadata.finish_reason, "stop");
    const { type, name, args } = message.content[1];
    assert.deepEqual([type, name], ["server_tool_call", "x_keyword_search"]);
    assert.deepEqual(args, { query: "weft", limit: 10 });
    await bound.invoke(["hi", message, "so?"]);
    assert.deepEqual(inputOf(model).slice(1, -1), output);
  }
});

test("an item of the service's own tools goes back as the end of the answer tells it", async () => {
  // OpenAI says of a picture that is there that it is being made, until the end of the answer.
  const picture = {
    type: "image_generation_call",
    id: "ig_1",
    status: "completed",
    output_format: "webp",
    result: "UklGRg==",
  };
  const output = [picture, MESSAGE];
  const events = eventsFor(output).map((event) =>
    event.item?.id === "ig_1" ? { ...event, item: { ...event.item, status: "generating" } } : event,
  );
  const model = modelOf([events, events, response(output)]);
  const sum = await joined(model.stream("hi"));
  const streamed = await model.invoke("hi", { callbacks: [{ handleLLMNewToken() {} }] });
  for (const message of [sum, streamed, await model.invoke("hi"), stored(streamed)]) {
    const [call, image] = message.content;
    assert.deepEqual(
      [call.type, call.id, call.name],
      ["server_tool_call", "ig_1", "image_generation"],
    );
    assert.equal(call.extras.item.status, "completed");
    assert.deepEqual([image.mimeType, image.data], ["image/webp", "UklGRg=="]);
    await model.invoke(["hi", message, "so?"]);
    assert.deepEqual(inputOf(model).slice(1, -1), output);
  }
});

test("a custom tool of the program, or one in a namespace, is called beside the service's own", async () => {
  const other = { ...SQL, id: "ct_2", call_id: "c2", name: "find", namespace: "crm" };
  const model = modelOf([response([SQL, other])]);
  const tools = [{ type: "custom", name: "sql" }, { type: "web_search" }];
  const { tool_calls } = await model.bindTools(tools).invoke("hi");
  assert.deepEqual(
    tool_calls.map(({ name, args }) => [name, args]),
    [
      ["sql", { input: "SELECT 1" }],
      ["find", { input: "SELECT 1" }],
    ],
  );
});

test("xAI gets nothing that it refuses: options of the stream, instructions beside an answer it keeps", async () => {
  const system = new SystemMessage("Be kind.");
  for (const [options, isTold, stream_options] of [
    [XAI, false, undefined],
    [{}, true, { include_obfuscation: false }],
  ]) {
    const model = modelOf([eventsFor([MESSAGE], { store: true })], { ...options, store: true });
    const message = await joined(model.stream([system, "hi"]));
    assert.equal(model.sent[0].body.instructions, "Be kind.");
    assert.deepEqual(model.sent[0].body.stream_options, stream_options);
    await joined(model.stream([system, "hi", message, "so?"]));
    const { previous_response_id, instructions, input } = model.sent[1].body;
    assert.deepEqual([previous_response_id, input], ["resp_1", [user("so?")]]);
    assert.equal(instructions, isTold ? "Be kind." : undefined);
  }
});

test("a message without words is an empty text, since the service refuses one without parts", async () => {
  const model = modelOf([response()]);
  for (const content of ["", []]) {
    await model.invoke([new HumanMessage({ content })]);
    assert.deepEqual(inputOf(model), [{ type: "message", role: "user", content: "" }]);
  }
});

test("a call whose result a person's message has as an item gets no second one", async () => {
  const output = { type: "function_call_output", call_id: "call_1", output: "4 °C" };
  const model = modelOf([response([CALL]), response()]);
  const asked = await model.invoke("hi");
  await model.invoke(["hi", asked, new HumanMessage({ content: [output] }), "and now?"]);
  assert.deepEqual(inputOf(model).slice(2), [output, user("and now?")]);
});

test("another service's calls get names that this one takes, and results of the calls' form", async () => {
  const model = modelOf([response([SQL])], XAI);
  const elsewhere = await model.invoke("hi");
  const dotted = new AIMessage({
    content: "",
    tool_calls: [{ id: "t1", name: "crm.find/all", args: {} }],
  });
  const here = modelOf([response()]);
  await here.invoke(["hi", elsewhere, answered("c1"), dotted, answered("t1", "2")]);
  assert.deepEqual(inputOf(here).slice(1), [
    { type: "function_call", call_id: "c1", name: "sql", arguments: '{"input":"SELECT 1"}' },
    { type: "function_call_output", call_id: "c1", output: "1" },
    { type: "function_call", call_id: "t1", name: "crm_find_all", arguments: "{}" },
    { type: "function_call_output", call_id: "t1", output: "2" },
  ]);
});

test("reasoning that nothing followed is left out: the service refuses it without what it led to", async () => {
  const rest = { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } };
  const later = { ...REASONING, id: "rs_2" };
  const model = modelOf([
    eventsFor([REASONING, MESSAGE, later], rest),
    response([REASONING], rest),
  ]);
  const cut = await joined(model.stream("hi"));
  const bare = await model.invoke("hi");
  assert.equal(bare.response_metadata.finish_reason, "length");
  await model.invoke(["hi", cut, "go on", bare, "go on"]);
  assert.deepEqual(inputOf(model).slice(1), [REASONING, MESSAGE, user("go on"), user("go on")]);
});

test("a custom tool's input that was cut off is not run, though any text would do", async () => {
  const rest = { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } };
  const cut = { ...SQL, input: "DELETE FROM a", status: "incomplete" };
  const [created, ...events] = eventsFor([cut], rest);
  // Some services end such an answer without its items.
  const begun = { ...cut, input: "", status: "in_progress" };
  const bare = [
    created,
    { type: "response.output_item.added", output_index: 0, item: begun },
    { type: "response.incomplete", response: response([], rest) },
  ];
  const model = modelOf([[created, ...events], response([cut], rest), bare]);
  const streamed = { callbacks: [{ handleLLMNewToken() {} }] };
  for (const options of [streamed, undefined, streamed]) {
    const { tool_calls, invalid_tool_calls } = await model.invoke("hi", options);
    assert.deepEqual(tool_calls, []);
    assert.deepEqual([invalid_tool_calls[0].id, invalid_tool_calls[0].name], ["c1", "sql"]);
  }
});

test("structured output is the answer, not what the model said of its work before", async () => {
  const schema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
  const said = (text, id, phase) => ({
    ...MESSAGE,
    id,
    phase,
    content: [{ type: "output_text", text, annotations: [] }],
  });
  const output = [
    said("I count.", "msg_1", "commentary"),
    said('{"n":3}', "msg_2", "final_answer"),
  ];
  const model = modelOf([response(output), response([said("No.", "msg_1")])]);
  const asking = model.withStructuredOutput(schema);
  assert.deepEqual(await asking.invoke("hi"), { n: 3 });
  await assert.rejects(asking.invoke("hi"), { code: "BAD_ANSWER", body: "No." });
});

test("an error after the service said that it begins is tried again, until a piece came", async () => {
  const error = { type: "error", code: "server_error", message: "The server had an error" };
  const [created, begun, item, ...more] = eventsFor();
  const queued = { ...created, type: "response.queued" };
  for (const [events, count] of [
    [[created, queued, begun, error], 2],
    [[created, begun], 2],
    [[created, begun, item, error], 1],
  ]) {
    const model = modelOf([events, [created, begun, item, ...more]], { onRetry: () => {} });
    const text = await joined(model.stream("hi")).then(
      (message) => message.text,
      ({ code }) => code,
    );
    assert.deepEqual(
      [model.sent.length, text],
      [count, count > 1 ? "I look at both." : "server_error"],
    );
  }
});

test("a model that does not reason gets no reasoning of one that does, nor ids that need it", async () => {
  const own = await modelOf([response()]).invoke("hi");
  for (const options of [{ model: "gpt-4.1" }, { profile: { reasoningOutput: false } }]) {
    const plain = modelOf([response()], options);
    await plain.invoke(["hi", own, answered("call_1"), answered("call_2"), "go on"]);
    const expected = [MESSAGE, CALL, OUTPUT[3]].map(({ id: _id, ...item }) => item);
    assert.deepEqual(inputOf(plain).slice(1, 4), expected);
  }
});

test("a tool without parameters, as MCP's servers describe it, has an empty list of them", async () => {
  const map = { type: "object", additionalProperties: { type: "string" } };
  const empty = { type: "object", properties: {} };
  const cases = [
    [{ type: "object" }, empty],
    [
      { type: "object", additionalProperties: false },
      { ...empty, additionalProperties: false },
    ],
    [{}, empty],
    [map, map],
    [{ anyOf: [empty] }, { anyOf: [empty] }],
  ];
  const declared = cases.map(([parameters], at) => ({
    type: "function",
    function: { name: `f${at}`, parameters },
  }));
  const model = modelOf([response()]);
  await model.bindTools(declared).invoke("hi");
  const choices = [{ message: { role: "assistant", content: "ok" }, finish_reason: "stop" }];
  const sent = [];
  const fetch = async (_url, { body }) => {
    sent.push(JSON.parse(body));
    return Response.json({ choices });
  };
  await new ChatOpenAICompatible({ model: "m", apiKey: "k", baseURL: "https://a.example", fetch })
    .bindTools(declared)
    .invoke("hi");
  for (const [at, [, expected]] of cases.entries()) {
    assert.deepEqual(model.sent[0].body.tools[at].parameters, expected);
    assert.deepEqual(sent[0].tools[at].function.parameters, expected);
  }
});
