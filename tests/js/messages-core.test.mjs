// SPDX-License-Identifier: MIT
// Serves docs/semantics.md 19 (messages, coercion) and 18 (chunks) differentially: the same
// programs on
// @langchain/core and on our classes must give the same JSON; each must accept the other's
// instances. The differences that are wanted are written out at the end.
import { test } from "node:test";
import assert from "node:assert/strict";
import loose from "node:assert";
import { inspect } from "node:util";
import { equals, iterableEquality } from "@vitest/expect";
import * as core from "@langchain/core/messages";
import * as ours from "weftgraph/messages";

const throughJson = (value) => JSON.parse(JSON.stringify(value));
const outcome = (run, lib) => {
  try {
    return throughJson(run(lib));
  } catch (error) {
    return { error: error.message };
  }
};
const same = (label, run) => assert.deepEqual(outcome(run, ours), outcome(run, core), label);
const text = (value, more) => ({ type: "text", text: value, ...more });
const pieces = (...chunks) => ({
  content: "",
  tool_call_chunks: chunks.map((chunk) => ({ type: "tool_call_chunk", ...chunk })),
});

const FIELDS = [
  "hi",
  "",
  [text("x")],
  { content: "hi" },
  { content: [text("x")], id: "1", name: "n" },
  { content: "x", additional_kwargs: { a: 1 }, response_metadata: { b: 2 } },
  { content: "x", foo: 1 },
  {},
  {
    content: "",
    tool_calls: [{ name: "a", args: {}, id: "1" }],
    usage_metadata: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
  },
];
const CLASSES = [
  "HumanMessage",
  "AIMessage",
  "SystemMessage",
  "HumanMessageChunk",
  "AIMessageChunk",
  "SystemMessageChunk",
];

test("constructors, JSON, dict, text and type", () => {
  for (const name of CLASSES) {
    for (const fields of FIELDS) {
      const label = `${name} ${JSON.stringify(fields)}`;
      same(label, (lib) => new lib[name](fields));
      same(`${label} dict`, (lib) => new lib[name](fields).toDict());
      same(`${label} text`, (lib) => new lib[name](fields).text);
      same(`${label} type`, (lib) => [
        new lib[name](fields).getType(),
        new lib[name](fields).type,
        new lib[name](fields).lc_id,
        String(new lib[name](fields)),
      ]);
      if (name !== "AIMessageChunk")
        same(`${label} blocks`, (lib) => new lib[name](fields).contentBlocks);
    }
  }
  for (const args of [
    ["r", "c", "n"],
    ["r", "c"],
    [
      {
        content: "r",
        tool_call_id: "c",
        artifact: { z: 1 },
        status: "error",
        metadata: { k: 1 },
        name: "n",
        id: "i",
      },
    ],
  ])
    same("tool", (lib) => new lib.ToolMessage(...args));
  same("chat", (lib) => new lib.ChatMessage("c", "r"));
  same("chat fields", (lib) => new lib.ChatMessage({ content: "c", role: "r" }));
  same("function", (lib) => new lib.FunctionMessage({ content: "c", name: "n" }));
  same("remove", (lib) => new lib.RemoveMessage({ id: "x" }));
});

const record = (id, kwargs) => ({ lc: 1, type: "constructor", id, kwargs });
const LIKES = [
  "hello",
  ["human", "x"],
  ["user", "x"],
  ["assistant", "x"],
  ["ai", "x"],
  ["system", "x"],
  ["developer", "x"],
  ["tool", "x"],
  ["bogus", "x"],
  ["human", [text("q")]],
  ["function", "x"],
  ["remove", "id"],
  ["human"],
  { role: "user", content: "x" },
  {
    role: "assistant",
    content: "x",
    tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: '{"a":1}' } }],
  },
  { role: "assistant", content: "x", tool_calls: [{ id: "c", name: "f", args: {} }] },
  { role: "assistant", content: null, tool_calls: [] },
  { role: "tool", content: "x", tool_call_id: "c" },
  { role: "tool", content: "x" },
  { role: "system", content: "x", id: "5", name: "n" },
  { role: "developer", content: "x" },
  { role: "bogus", content: "x" },
  { role: "user", content: "x", additional_kwargs: { a: 1 }, foo: 2 },
  { role: "user", content: "x", type: "foo" },
  { type: "human", content: "x", id: "1" },
  {
    type: "ai",
    content: "x",
    tool_calls: [{ id: "c", name: "f", args: {}, type: "tool_call" }],
    usage_metadata: { input_tokens: 1 },
  },
  { type: "tool", content: "x", tool_call_id: "1", status: "error" },
  { type: "remove", id: "x" },
  { type: "user", content: "x" },
  { type: "assistant", content: "x" },
  { type: "bogus", content: "x" },
  { type: "remove" },
  3,
  {},
  { content: "x" },
  record(["langchain_core", "messages", "AIMessage"], {
    content: "x",
    id: "1",
    tool_calls: [{ name: "a", args: {}, id: "q" }],
  }),
  record(["langchain_core", "messages", "ToolMessage"], { content: "x", tool_call_id: "1" }),
  record(["langchain", "schema", "HumanMessage"], { content: "x" }),
  record(["langchain_core", "prompts", "X"], { content: "x" }),
];

test("coercion of every written form, errors included", () => {
  for (const like of LIKES)
    same(JSON.stringify(like), (lib) => lib.coerceMessageLikeToMessage(like));
});

const usage = {
  input_tokens: 1,
  output_tokens: 2,
  total_tokens: 3,
  input_token_details: { cache_read: 1, audio: 1 },
};
const CHUNKS = [
  "a",
  "",
  { content: "a", id: "1" },
  { content: [text("x")] },
  { content: [text("c", { index: 0 }), text("d", { index: 1 })] },
  { content: [{ type: "input_json_delta", input: "{", index: 1, n: 2 }] },
  { content: [text("b", { id: "x" })] },
  { content: [text("")] },
  {
    content: "a",
    additional_kwargs: { s: "a", n: 1, o: { x: "1" }, l: [1], nul: null, type: "t", id: "i" },
  },
  {
    content: "b",
    additional_kwargs: {
      s: "b",
      n: 2,
      o: { x: "2", y: 1 },
      l: [2],
      nul: 3,
      z: 1,
      type: "u",
      id: "j",
    },
  },
  { content: "b", additional_kwargs: { s: 1 } },
  { content: "a", response_metadata: { model_name: "gpt", created: 1, k: 1 } },
  { content: "a", usage_metadata: usage },
  pieces({ name: "f", args: '{"a"', id: "1", index: 0 }),
  pieces({ args: ":1}", index: 0 }),
  pieces({ name: "g", args: "{}", id: "2", index: 0 }),
  pieces({ name: "g", args: "{}", id: "2", index: 1 }),
  pieces({ name: "g", args: "{}", id: "2" }),
  pieces({ args: "}", id: "2" }),
  pieces({ name: null, args: "}", id: null, index: 0 }),
  pieces({ name: "f", id: "1", index: 0 }),
  pieces({ name: "f", args: "garbage", id: "1", index: 0 }),
  pieces({ args: '{"a":1}', id: "1", index: 0 }),
  pieces({ name: "f", args: '{"a":1}', index: 0 }),
  pieces({ name: "f", args: '{"a":', id: "1", index: 0 }, { args: "1}", index: 0 }),
  pieces({ name: "f", args: "{}" }),
];

test("any two chunks of an answer join alike", () => {
  for (const left of CHUNKS) {
    for (const right of CHUNKS)
      same(`${JSON.stringify(left)} + ${JSON.stringify(right)}`, (lib) =>
        new lib.AIMessageChunk(left).concat(new lib.AIMessageChunk(right)).toDict(),
      );
  }
  for (const name of ["HumanMessageChunk", "SystemMessageChunk"])
    same(name, (lib) => new lib[name]({ content: "a", id: "1" }).concat(new lib[name]("b")));
  same("tool", (lib) =>
    new lib.ToolMessageChunk({ content: "a", tool_call_id: "1", artifact: { x: "a" } }).concat(
      new lib.ToolMessageChunk({ content: "b", tool_call_id: "2", artifact: { x: "b" } }),
    ),
  );
  same("chat", (lib) =>
    new lib.ChatMessageChunk({ content: "a", role: "r" }).concat(
      new lib.ChatMessageChunk({ content: "b", role: "r" }),
    ),
  );
  same("system", (lib) => new lib.SystemMessage("a").concat("b"));
});

test("our chunks and LangChain's join with each other", () => {
  assert.equal(new core.AIMessageChunk("a").concat(new ours.AIMessageChunk("b")).content, "ab");
  assert.equal(new ours.AIMessageChunk("a").concat(new core.AIMessageChunk("b")).content, "ab");
});

const oneOfEach = (lib) => [
  new lib.HumanMessage("a"),
  new lib.AIMessage("a"),
  new lib.ToolMessage("a", "b"),
  new lib.SystemMessage("q"),
  new lib.ChatMessage("a", "b"),
  new lib.FunctionMessage({ content: "a", name: "b" }),
  new lib.RemoveMessage({ id: "x" }),
  new lib.AIMessageChunk("a"),
  new lib.HumanMessageChunk("a"),
  new lib.ToolMessageChunk({ content: "a", tool_call_id: "q" }),
];

test("each library's guards and classes accept the other's messages", () => {
  const guards = Object.keys(core).filter((name) =>
    /^is(Base|Human|AI|System|Tool|Chat|Function)Message/.test(name),
  );
  assert.ok(guards.length >= 14);
  for (const name of guards) {
    const expected = oneOfEach(core).map((message) => core[name](message));
    assert.deepEqual(
      oneOfEach(core).map((message) => ours[name](message)),
      expected,
      `ours, ${name}`,
    );
    if (name !== "isBaseMessageChunk")
      assert.deepEqual(
        oneOfEach(ours).map((message) => core[name](message)),
        expected,
        `core's ${name} on ours`,
      );
  }
  for (const name of [
    "HumanMessage",
    "AIMessage",
    "ToolMessage",
    "SystemMessage",
    "BaseMessage",
    "RemoveMessage",
  ]) {
    const expected = oneOfEach(core).map((message) => message instanceof core[name]);
    assert.deepEqual(
      oneOfEach(ours).map((message) => message instanceof core[name]),
      expected,
      `our instance of core's ${name}`,
    );
    assert.deepEqual(
      oneOfEach(core).map((message) => message instanceof ours[name]),
      expected,
      `core's instance of our ${name}`,
    );
  }
  for (const name of ["AIMessageChunk", "BaseMessageChunk"]) {
    assert.deepEqual(
      oneOfEach(core).map((message) => message instanceof ours[name]),
      oneOfEach(core).map((message) => message instanceof core[name]),
      `core's instance of our ${name}`,
    );
  }
});

/** Every kind, from each of the forms that its constructor takes. */
const manyOfEach = (lib) => [
  ...oneOfEach(lib),
  ...CLASSES.flatMap((name) =>
    FIELDS.slice(0, 6).map((fields) => new lib[name](structuredClone(fields))),
  ),
  ...CHUNKS.map((fields) => new lib.AIMessageChunk(structuredClone(fields))),
  new lib.ToolMessage({
    content: "r",
    tool_call_id: "c",
    artifact: { z: 1 },
    status: "error",
    metadata: { k: 1 },
    name: "n",
    id: "i",
  }),
  new lib.ChatMessage({ content: "c", role: "r" }),
  new lib.AIMessage({
    content: "",
    tool_calls: [{ name: "a", args: { q: [1] }, id: "1", type: "tool_call" }],
    usage_metadata: usage,
  }),
  ...LIKES.slice(0, 7).map(lib.coerceMessageLikeToMessage),
];

test("a test runner finds our messages equal to core's, both ways, also with an id given later and out of a record", () => {
  const named = (message) => (message._updateId("given"), message);
  const kept = (message) => ours.messageFromRecord(throughJson(ours.messageToRecord(message)));
  for (const [note, own, theirs] of [
    ["made", manyOfEach(ours), manyOfEach(core)],
    ["named", oneOfEach(ours).map(named), oneOfEach(core).map(named)],
    ["kept", oneOfEach(core).map(kept), oneOfEach(core)],
  ]) {
    for (const [at, message] of own.entries()) {
      const label = `${note}: ${message.constructor.lc_name()} ${JSON.stringify(message)}`;
      assert.ok(
        equals(message, theirs[at], [iterableEquality]) &&
          equals(theirs[at], message, [iterableEquality]),
        label,
      );
      if (note !== "kept") loose.deepEqual(message, theirs[at], label);
    }
  }
  assert.ok(
    !equals(new ours.AIMessage("a"), new core.AIMessage("b"), [iterableEquality]) &&
      !equals(new ours.AIMessage("a"), new core.HumanMessage("a"), [iterableEquality]),
  );
});

test("our chunks are instances of core's classes of chunks once one of core's was stored, and stay what they are", () => {
  // What has no such base class is passed over.
  class OtherChunk {
    content = "x";
    concat() {}
    _getType() {
      return "ai";
    }
    toDict() {}
  }
  for (const other of [
    new OtherChunk(),
    Object.setPrototypeOf({ content: "x" }, Object.setPrototypeOf(OtherChunk.prototype, null)),
  ])
    ours.messageToRecord(other);
  assert.ok(!(new ours.AIMessageChunk("x") instanceof OtherChunk));
  ours.messageToRecord(new core.AIMessageChunk("x"));
  for (const name of Object.keys(core).filter(
    (name) => typeof core[name] === "function" && core[name].isInstance !== undefined,
  )) {
    const expected = oneOfEach(core).map((message) => message instanceof core[name]);
    assert.deepEqual(
      oneOfEach(ours).map((message) => [
        message instanceof core[name],
        core[name].isInstance(message),
      ]),
      expected.map((is) => [is, is]),
      name,
    );
  }
  assert.deepEqual(
    oneOfEach(ours).map((message) => core.isBaseMessageChunk(message)),
    oneOfEach(core).map((message) => core.isBaseMessageChunk(message)),
  );
  const chunk = new ours.AIMessageChunk({ content: "a", foo: 1 });
  assert.ok(
    chunk instanceof ours.BaseMessage &&
      chunk.concat(new core.AIMessageChunk("b")) instanceof core.AIMessageChunk,
  );
  assert.equal(chunk.toJSON, ours.BaseMessage.prototype.toJSON);
  assert.equal(chunk.toDict().data.foo, 1);
});

test("messages are printed and formatted as core's are", () => {
  const theirs = manyOfEach(core);
  for (const [at, message] of manyOfEach(ours).entries()) {
    assert.equal(message.toFormattedString(), theirs[at].toFormattedString());
    if (message.type !== "remove") assert.equal(inspect(message), inspect(theirs[at]));
    assert.equal(inspect([[[message]]], { depth: 0 }), inspect([[[theirs[at]]]], { depth: 0 }));
  }
  const deep = (lib) =>
    new lib.HumanMessage({
      content: [{ type: "x", a: { b: { c: { d: [1] } } } }],
      name: "n",
      id: "i",
    });
  for (const depth of [0, 9])
    assert.equal(inspect(deep(ours), { depth }), inspect(deep(core), { depth }));
  assert.match(inspect(new ours.RemoveMessage({ id: "x" })), /^RemoveMessage \{/);
  const cyclic = new ours.HumanMessage({ content: "c", additional_kwargs: { big: 1n } });
  cyclic.additional_kwargs.self = cyclic.additional_kwargs;
  assert.match(inspect(cyclic), /"big": "1"/);
  const calls = (lib) =>
    new lib.AIMessage({
      content: "text",
      tool_calls: [{ name: "f", args: { a: { b: 1 }, c: "d" }, id: "1" }],
    });
  assert.equal(calls(ours).toFormattedString(), calls(core).toFormattedString());
  assert.deepEqual(JSON.parse(calls(ours).toFormattedString("json")), throughJson(calls(ours)));
});

test("core's tools for lists of messages take ours", () => {
  const list = (lib) => [
    new lib.SystemMessage("s"),
    new lib.HumanMessage("a"),
    new lib.AIMessage({ content: "b", tool_calls: [{ name: "f", args: { a: 1 }, id: "1" }] }),
    new lib.ToolMessage({ content: "z", tool_call_id: "1", name: "f" }),
  ];
  assert.equal(core.getBufferString(list(ours)), core.getBufferString(list(core)));
  assert.deepEqual(
    throughJson(core.mapChatMessagesToStoredMessages(list(ours))),
    throughJson(core.mapChatMessagesToStoredMessages(list(core))),
  );
  assert.deepEqual(
    core.filterMessages(list(ours), { includeTypes: ["human"] }).map((message) => message.content),
    ["a"],
  );
  assert.equal(core.coerceMessageLikeToMessage(list(ours)[1]).content, "a");
});

test("a record of a core message revives as our class with equal fields", () => {
  const system = new core.SystemMessage({ content: "s", id: "1" });
  const changed = Object.assign(new core.HumanMessage({ content: "x", foo: 1 }), {
    seen: true,
    id: "2",
  });
  const tool = new core.ToolMessage({
    content: "r",
    tool_call_id: "c",
    artifact: { z: 1 },
    status: "error",
    metadata: { k: 1 },
  });
  const chunk = new core.AIMessageChunk({
    content: "",
    tool_call_chunks: [{ name: "f", args: '{"a', id: "1", index: 0, type: "tool_call_chunk" }],
  });
  for (const message of [...oneOfEach(core), system, changed, tool, chunk]) {
    const back = ours.messageFromRecord(throughJson(ours.messageToRecord(message)));
    assert.equal(
      back.constructor,
      ours[
        message.constructor.lc_name() === "BaseMessage"
          ? "RemoveMessage"
          : message.constructor.lc_name()
      ] ?? back.constructor,
    );
    const { id: _, ...kwargs } = throughJson(back).kwargs;
    const { id: __, ...expected } = throughJson(message).kwargs;
    assert.deepEqual(kwargs, expected);
    assert.deepEqual([back.type, back.id, back.seen], [message.type, message.id, message.seen]);
  }
});

test("messages differ from core's only where that is wanted", () => {
  const named = (lib) =>
    new lib.AIMessageChunk({ content: "a", name: "n" }).concat(new lib.AIMessageChunk("b")).name;
  assert.deepEqual([named(core), named(ours)], [undefined, "n"], "joining keeps the name");
  const later = (lib) => Object.assign(new lib.HumanMessage("a"), { id: "9" }).toJSON().kwargs.id;
  assert.deepEqual(
    [later(core), later(ours)],
    [undefined, "9"],
    "JSON shows an id that was set later",
  );
  const cut = {
    role: "assistant",
    content: "",
    tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: "{" } }],
  };
  assert.throws(() => core.coerceMessageLikeToMessage(cut), SyntaxError);
  assert.equal(
    ours.coerceMessageLikeToMessage(cut).invalid_tool_calls[0].args,
    "{",
    "unreadable arguments are kept",
  );
  assert.throws(() => core.coerceMessageLikeToMessage(null), TypeError);
  assert.throws(() => ours.coerceMessageLikeToMessage(null), ours.MessageCoercionError);
});
