// SPDX-License-Identifier: MIT
// Serves docs/semantics.md 19 (messages are coerced; foreign messages by shape) and 18 (chunks),
// and the promise that a stored message comes back whole. LangChain's behaviour is compared in
// messages-core.test.mjs.
import { test } from "node:test";
import assert from "node:assert/strict";
import {
  AIMessage,
  AIMessageChunk,
  BaseMessage,
  BaseMessageChunk,
  ChatMessage,
  ChatMessageChunk,
  FunctionMessage,
  HumanMessage,
  HumanMessageChunk,
  MessageCoercionError,
  RemoveMessage,
  REMOVE_ALL_MESSAGES,
  SystemMessage,
  SystemMessageChunk,
  ToolMessage,
  ToolMessageChunk,
  UnknownMessageError,
  coerceMessageLikeToMessage,
  isAIMessage,
  isBaseMessage,
  isBaseMessageChunk,
  isDirectToolOutput,
  isToolMessage,
  messageFromRecord,
  messageToRecord,
  messageType,
} from "weftgraph/messages";
import { parsePartialJson } from "../../js/messages/partial-json.js";

const throughJson = (value) => JSON.parse(JSON.stringify(value));
const call = (id, name = "f", args = {}) => ({ name, args, id, type: "tool_call" });

test("constructors take text, blocks or fields", () => {
  assert.equal(new HumanMessage("hi").content, "hi");
  assert.deepEqual(new HumanMessage([{ type: "text", text: "a" }]).text, "a");
  const message = new AIMessage({
    content: "x",
    id: "1",
    name: "n",
    tool_calls: [call("c")],
    additional_kwargs: { a: 1 },
  });
  assert.deepEqual(
    [message.id, message.name, message.tool_calls[0].id, message.additional_kwargs],
    ["1", "n", "c", { a: 1 }],
  );
  const tool = new ToolMessage("r", "c", "f");
  assert.deepEqual(
    [tool.content, tool.tool_call_id, tool.name, tool.status],
    ["r", "c", "f", undefined],
  );
  assert.equal(new ChatMessage("x", "critic").role, "critic");
  assert.equal(new FunctionMessage({ content: "x", name: "f" }).name, "f");
  for (const bad of [undefined, null, 3]) assert.throws(() => new HumanMessage(bad), TypeError);
});

test("two messages never share their default objects", () => {
  const [a, b] = [new AIMessage("a"), new AIMessage("b")];
  a.additional_kwargs.x = 1;
  a.tool_calls.push(call("c"));
  assert.deepEqual([b.additional_kwargs, b.tool_calls], [{}, []]);
});

test("JSON is LangChain's constructor record and follows later changes", () => {
  const message = new HumanMessage({ content: "hi", foo: 3 });
  message.id = "later";
  assert.deepEqual(throughJson(message), {
    lc: 1,
    type: "constructor",
    id: ["langchain_core", "messages", "HumanMessage"],
    kwargs: { content: "hi", id: "later", additional_kwargs: {}, response_metadata: {}, foo: 3 },
  });
  assert.deepEqual(new ToolMessage({ content: "r", tool_call_id: "c", status: "error" }).toDict(), {
    type: "tool",
    data: {
      content: "r",
      tool_call_id: "c",
      status: "error",
      additional_kwargs: {},
      response_metadata: {},
    },
  });
});

test("a spread copy keeps the type and makes a new message", () => {
  const copy = coerceMessageLikeToMessage({
    ...new AIMessage({ content: "a", tool_calls: [call("c")] }),
    content: "b",
  });
  assert.ok(copy instanceof AIMessage && Object.getPrototypeOf(copy) === AIMessage.prototype);
  assert.deepEqual(
    [copy.lc_kwargs.content, copy.content, copy.lc_kwargs.tool_calls === copy.tool_calls],
    ["b", "b", true],
  );
  assert.deepEqual([copy.content, copy.tool_calls], ["b", [call("c")]]);
});

test("raw OpenAI calls are read; unreadable arguments are kept as text", () => {
  const raw = (id, args) => ({ id, type: "function", function: { name: "f", arguments: args } });
  const { tool_calls, invalid_tool_calls } = new AIMessage({
    content: "",
    additional_kwargs: { tool_calls: [raw("1", '{"a":1}'), raw("2", '{"a":'), raw("3", "[1]")] },
  });
  assert.deepEqual(tool_calls, [call("1", "f", { a: 1 })]);
  assert.deepEqual(
    invalid_tool_calls.map(({ id, args }) => [id, args]),
    [
      ["2", '{"a":'],
      ["3", "[1]"],
    ],
  );
  assert.match(invalid_tool_calls[0].error, /not valid JSON/);
  assert.deepEqual(
    coerceMessageLikeToMessage({ role: "assistant", content: null, tool_calls: [raw("2", "{")] })
      .invalid_tool_calls[0].args,
    "{",
  );
});

test("text skips other blocks; contentBlocks ends with the calls", () => {
  const message = new AIMessage({
    content: [
      { type: "text", text: "a" },
      { type: "image_url", image_url: "u" },
      { type: "text", text: "b" },
    ],
    tool_calls: [call("c")],
  });
  assert.equal(message.text, "ab");
  assert.deepEqual(message.contentBlocks.at(-1), {
    type: "tool_call",
    id: "c",
    name: "f",
    args: {},
  });
});

test("instanceof, isInstance and guards go by shape", () => {
  const foreign = { type: "ai", content: "x", [Symbol.for("langchain.message")]: true };
  const older = { content: "x", _getType: () => "tool" };
  assert.ok(
    foreign instanceof AIMessage &&
      AIMessage.isInstance(foreign) &&
      isAIMessage(foreign) &&
      isBaseMessage(foreign),
  );
  assert.ok(older instanceof ToolMessage && isToolMessage(older) && messageType(older) === "tool");
  assert.ok(
    !(foreign instanceof HumanMessage) &&
      !isBaseMessage({ type: "ai", content: "x" }) &&
      !isBaseMessage(null) &&
      !isBaseMessage("x"),
  );
  assert.ok(
    new AIMessageChunk("x") instanceof BaseMessageChunk &&
      new AIMessageChunk("x") instanceof AIMessage,
  );
  assert.ok(
    !(new AIMessage("x") instanceof AIMessageChunk) && new AIMessage("x") instanceof BaseMessage,
  );
  assert.ok(!isBaseMessageChunk(new SystemMessage("x")), "whole system messages have concat too");
  assert.ok(
    isDirectToolOutput(new ToolMessage("r", "c")) &&
      !isDirectToolOutput(new AIMessage("r")) &&
      !isDirectToolOutput(null),
  );
});

test("coercion: every written form", () => {
  const types = [
    ["hi", "human"],
    [["user", "x"], "human"],
    [["assistant", "x"], "ai"],
    [["system", "x"], "system"],
    [{ role: "tool", content: "x", tool_call_id: "c" }, "tool"],
    [{ type: "remove", id: "x" }, "remove"],
    [{ type: "generic", role: "critic", content: "x" }, "generic"],
    [throughJson(new AIMessageChunk("x")), "ai"],
    [throughJson(new RemoveMessage({ id: "x" })), "remove"],
  ];
  for (const [like, type] of types)
    assert.equal(coerceMessageLikeToMessage(like).type, type, JSON.stringify(like));
  assert.equal(
    coerceMessageLikeToMessage({ role: "developer", content: "x" }).additional_kwargs
      .__openai_role__,
    "developer",
  );
  const foreign = { type: "ai", content: "x", [Symbol.for("langchain.message")]: true };
  assert.equal(coerceMessageLikeToMessage(foreign), foreign);
  assert.equal(REMOVE_ALL_MESSAGES, "__remove_all__");
});

test("coercion: what is no message is a typed error", () => {
  const circular = {};
  circular.self = circular;
  for (const bad of [
    null,
    undefined,
    3,
    {},
    { content: "x" },
    ["bogus", "x"],
    { role: "tool", content: "no call id" },
    { type: "remove" },
    { lc: 1, type: "constructor", id: ["langchain", "llms", "OpenAI"], kwargs: {} },
    circular,
  ]) {
    assert.throws(
      () => coerceMessageLikeToMessage(bad),
      (error) =>
        error instanceof MessageCoercionError &&
        error.lc_error_code === "MESSAGE_COERCION_FAILURE" &&
        /MESSAGE_COERCION_FAILURE/.test(error.message),
    );
  }
});

test("chunks: text, calls by index, usage and metadata add up", () => {
  const piece = (tool_call_chunk, usage_metadata) =>
    new AIMessageChunk({
      content: "",
      tool_call_chunks: [{ type: "tool_call_chunk", ...tool_call_chunk }],
      usage_metadata,
    });
  const whole = new AIMessageChunk({ content: "a", id: "run" })
    .concat(piece({ index: 0, id: "1", name: "f", args: '{"x"' }))
    .concat(piece({ index: 1, id: "2", name: "g", args: "" }))
    .concat(
      piece({ index: 0, args: ":1}" }, { input_tokens: 1, output_tokens: 2, total_tokens: 3 }),
    )
    .concat(
      new AIMessageChunk({
        content: "b",
        usage_metadata: {
          input_tokens: 1,
          output_tokens: 2,
          total_tokens: 3,
          input_token_details: { cache_read: 4 },
        },
      }),
    );
  assert.deepEqual(
    [whole.content, whole.id, whole.tool_calls],
    ["ab", "run", [call("1", "f", { x: 1 }), call("2", "g")]],
  );
  assert.deepEqual(
    [whole.usage_metadata.total_tokens, whole.usage_metadata.input_token_details],
    [6, { cache_read: 4 }],
  );
  assert.equal(new HumanMessageChunk("a").concat(new HumanMessageChunk("b")).content, "ab");
  assert.equal(new SystemMessageChunk("a").concat(new SystemMessageChunk("b")).content, "ab");
  assert.equal(new ChatMessageChunk("a", "r").concat(new ChatMessageChunk("b", "r")).role, "r");
  const tool = new ToolMessageChunk({
    content: "a",
    tool_call_id: "1",
    status: "success",
    artifact: { x: "a" },
  }).concat(
    new ToolMessageChunk({
      content: "b",
      tool_call_id: "1",
      status: "error",
      artifact: { x: "b" },
    }),
  );
  assert.deepEqual([tool.content, tool.status, tool.artifact], ["ab", "error", { x: "ab" }]);
  assert.throws(
    () =>
      new AIMessageChunk({ content: "", additional_kwargs: { a: "x" } }).concat(
        new AIMessageChunk({ content: "", additional_kwargs: { a: 1 } }),
      ),
    TypeError,
  );
});

test("records: every kind comes back whole, through JSON", () => {
  const full = {
    content: [{ type: "text", text: "x" }],
    id: "i",
    name: "n",
    additional_kwargs: { a: [1] },
    response_metadata: { m: "x" },
  };
  const invalid = [{ name: "f", args: "{", id: "2", error: "bad", type: "invalid_tool_call" }];
  const usage_metadata = { input_tokens: 1, output_tokens: 2, total_tokens: 3 };
  const messages = [
    new HumanMessage(full),
    new HumanMessage(""),
    new SystemMessage(full),
    new AIMessage({
      ...full,
      tool_calls: [call("1")],
      invalid_tool_calls: invalid,
      usage_metadata,
    }),
    new AIMessage({}),
    new ToolMessage({
      ...full,
      tool_call_id: "1",
      status: "error",
      artifact: { z: 1 },
      metadata: { k: 1 },
    }),
    new ChatMessage({ ...full, role: "r" }),
    new FunctionMessage(full),
    new RemoveMessage({ id: "x" }),
    new AIMessageChunk({
      ...full,
      tool_call_chunks: [{ name: "f", args: '{"a', id: "1", index: 0, type: "tool_call_chunk" }],
      usage_metadata,
    }),
    new HumanMessageChunk(full),
    new SystemMessageChunk(full),
    new ToolMessageChunk({ ...full, tool_call_id: "1" }),
    new ChatMessageChunk({ ...full, role: "r" }),
  ];
  for (const message of messages) {
    const back = messageFromRecord(throughJson(messageToRecord(message)));
    assert.equal(back.constructor, message.constructor);
    assert.deepEqual(back, message);
    assert.equal(JSON.stringify(back), JSON.stringify(message));
  }
});

test("records: raw calls in additional_kwargs are not read a second time", () => {
  const raw = [{ id: "1", type: "function", function: { name: "f", arguments: "{}" } }];
  const message = new AIMessage({
    content: "",
    tool_calls: [],
    additional_kwargs: { tool_calls: raw },
  });
  assert.deepEqual(messageFromRecord(throughJson(messageToRecord(message))).tool_calls, []);
});

test("records: what the class does not know stays where it was", () => {
  const message = new HumanMessage({ content: "x", foo: 1 });
  message.seen = true;
  const back = messageFromRecord(throughJson(messageToRecord(message)));
  assert.equal(back.seen, true);
  assert.equal(back.toJSON().kwargs.foo, 1);
  const hostile = messageFromRecord(
    JSON.parse('["human",{"content":"x","own":{"__proto__":{"polluted":1}}}]'),
  );
  assert.equal(hostile.polluted, undefined);
  assert.ok(hostile instanceof HumanMessage && {}.polluted === undefined);
});

test("records: an unknown kind or shape is a typed error", () => {
  for (const bad of [["alien", {}], ["human", null], ["human"], {}, null, ["constructor", {}]])
    assert.throws(() => messageFromRecord(bad), UnknownMessageError);
  for (const bad of [
    null,
    {},
    { type: "alien", content: "x", [Symbol.for("langchain.message")]: true },
  ])
    assert.throws(() => messageToRecord(bad), UnknownMessageError);
});

test("partial JSON: a long text takes the time of its length", () => {
  const begun = process.cpuUsage();
  for (const piece of ["a", "1", " ", "\\n", ",-", '\\"', "\n"])
    assert.equal(
      parsePartialJson(`{"a":"${piece.repeat(100_000)}`).a.length,
      JSON.parse(`"${piece.replace("\n", "\\n")}"`).length * 100_000,
    );
  for (const piece of ["[1,", '{"a":1,', "1 "])
    assert.throws(() => parsePartialJson(`[${piece.repeat(50_000)}`), SyntaxError);
  assert.ok(process.cpuUsage(begun).user < 4e6);
});

test("partial JSON: a cut text is closed, a wrong one is refused", () => {
  const cuts = [
    ['{"a":1', { a: 1 }],
    ['{"a', {}],
    ['{"a":', {}],
    ['{"a":"x\\', { a: "x" }],
    ['{"a":"\\u00', { a: "" }],
    ['{"a":"\\\\', { a: "\\" }],
    ['{"a":-', { a: 0 }],
    ['{"a":1.', { a: 1 }],
    ['{"a":1e', { a: 1 }],
    ['{"a":1e+', { a: 1 }],
    ['{"a":fal', { a: false }],
    ['{"a":{"b":[1,', { a: { b: [1] } }],
    ["[", []],
    ['{"a":"l1\nl2', { a: "l1\nl2" }],
    ['{"a":"x" ,', { a: "x" }],
    ['{"a":[1,{"b":2', { a: [1, { b: 2 }] }],
  ];
  for (const [text, value] of cuts) assert.deepEqual(parsePartialJson(text), value, text);
  for (const text of [
    "",
    "  ",
    "garbage",
    '{"a":1}}',
    '{"a":1} x',
    "{a:1}",
    "{'a':1}",
    '{"a":01',
    '{"a":1,}',
    '{"a":NaN',
    '{"a":[}',
    '{"a" 1',
    "[1 2",
    "[".repeat(200),
  ])
    assert.throws(() => parsePartialJson(text), SyntaxError, text);
  assert.equal(Object.getPrototypeOf(parsePartialJson('{"__proto__":{"a":1')), Object.prototype);
});
