// SPDX-License-Identifier: MIT
// Serves: values have two faces; what JSON cannot hold lies beside the text, never as tags in user
// data; a closed set of classes is revived (docs/semantics.md 19, serialiser); bytes that cannot be
// ours are refused.
import assert from "node:assert/strict";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import { decodeValue, encodeValue, registerCodec } from "../../js/engine/codec.js";
import { DamagedValue } from "../../js/engine/decode.js";
import { AIMessage, HumanMessage, ToolMessage } from "weftgraph/messages";
import { Annotation, MemorySaver, START, Send, StateGraph } from "weftgraph";

const round = (value, options) => decodeValue(encodeValue(value, options));

test("plain data is its JSON, nothing more", () => {
  for (const value of [
    null,
    true,
    "x",
    "\ud800",
    1.5,
    1e300,
    [],
    {},
    [1, [2, { a: null }]],
    { "": 0, "a\0b": "\0" },
  ]) {
    assert.equal(encodeValue(value), JSON.stringify(value));
    assert.deepEqual(round(value), value);
  }
});

test("keys named __proto__ and constructor are data", () => {
  const value = JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":2}}');
  const back = round(value);
  assert.equal(JSON.stringify(back), JSON.stringify(value));
  assert.equal({}.polluted, undefined);
  const special = round({ ["__proto__"]: { d: new Date(3) }, ["x"]: undefined });
  assert.equal(Object.getPrototypeOf(special), Object.prototype);
  assert.equal(Object.getOwnPropertyDescriptor(special, "__proto__").value.d.getTime(), 3);
});

test("what JSON has no word for comes back", () => {
  const value = {
    list: [1, undefined, null],
    gone: undefined,
    date: new Date(1e12),
    map: new Map([[{ k: 1 }, new Set([1n, new Date(0)])]]),
    numbers: [NaN, Infinity, -Infinity, -0],
    pattern: /a"b/giu,
    bytes: new Uint8Array([0, 255, 7]),
    floats: new Float64Array([1.5, -0]),
    buffer: new Uint8Array([9, 8]).buffer,
    big: -(2n ** 70n),
  };
  assert.deepStrictEqual(round(value), value);
  assert.deepEqual(Object.keys(round(value)), Object.keys(value));
  assert.ok(Number.isNaN(round([new Date(NaN)])[0].getTime()));
});

test("what another realm made comes back as what it is here", () => {
  const { date, map, set, pattern, error, bytes } = round(
    runInNewContext(
      "({ date: new Date(5), map: new Map([[1, { a: 1 }]]), set: new Set([1]), pattern: /a/g, error: new TypeError('bad'), bytes: new Uint8Array([7]) })",
    ),
    { strict: true },
  );
  assert.deepStrictEqual(
    { date, map, set, pattern, bytes },
    {
      date: new Date(5),
      map: new Map([[1, { a: 1 }]]),
      set: new Set([1]),
      pattern: /a/g,
      bytes: new Uint8Array([7]),
    },
  );
  assert.ok(error instanceof TypeError && error.message === "bad");
});

test("views of a part of a buffer keep their part only", () => {
  const all = new Uint8Array([1, 2, 3, 4]);
  assert.deepEqual(round(all.subarray(1, 3)), new Uint8Array([2, 3]));
  assert.equal(round(new Uint8Array(100000).fill(65)).length, 100000);
});

test("errors keep class, name, message, fields and cause", () => {
  const error = new TypeError("bad", { cause: new RangeError("why") });
  error.code = 7;
  const back = round({ error }).error;
  assert.ok(back instanceof TypeError);
  assert.equal(back.message, "bad");
  assert.equal(back.code, 7);
  assert.ok(back.cause instanceof RangeError);
  const odd = new Error("m");
  odd.name = "Odd";
  assert.equal(round(odd).name, "Odd");
});

test("messages come back as messages, alone, in lists and deep inside", () => {
  const ai = new AIMessage({
    content: "c",
    id: "1",
    tool_calls: [{ name: "t", args: { at: new Date(5) }, id: "x", type: "tool_call" }],
  });
  const human = new HumanMessage({ content: "h", id: "2" });
  assert.ok(HumanMessage.isInstance(round(human)));
  assert.equal(round(human).content, "h");
  const back = round({
    deep: [ai, new ToolMessage({ content: "r", tool_call_id: "x", artifact: undefined })],
  }).deep;
  assert.equal(back[0].tool_calls[0].args.at.getTime(), 5);
  assert.equal(back[1].tool_call_id, "x");
});

test("a Send keeps its class", () => {
  const back = round({ s: new Send("n", { when: new Date(1) }) }).s;
  assert.equal(back.lg_name, "Send");
  assert.equal(back.node, "n");
  assert.equal(back.args.when.getTime(), 1);
});

test("numbers, texts and booleans in objects are what JSON makes of them", () => {
  const value = {
    n: Object(5),
    s: Object("text"),
    b: [Object(false)],
    nan: Object(NaN),
    d: new Date(0),
  };
  assert.deepEqual(round(value), { n: 5, s: "text", b: [false], nan: NaN, d: new Date(0) });
});

test("user data that looks like our tables, or LangChain's, stays data", () => {
  for (const value of [
    ["date", []],
    [["message", []]],
    { lc: 1, type: "constructor", id: ["x"], kwargs: {} },
    '\0[["date",[]]]',
    ["human", { content: "x" }],
  ]) {
    assert.deepEqual(round(value), value);
    assert.deepEqual(round([value, new Date(0)])[0], value);
  }
});

test("classes without a codec become their data, with a warning that names the path; strict refuses", () => {
  class Point {
    constructor(x) {
      this.x = x;
    }
  }
  const warnings = [];
  const warn = (lost) => warnings.push(lost.join());
  assert.deepEqual(round({ at: { p: new Point(1) } }, { warn }), { at: { p: { x: 1 } } });
  assert.match(warnings[0], /Point.*at\.p/);
  assert.throws(() => encodeValue({ at: new Point(1) }, { strict: true }), {
    code: "BAD_ARGUMENT",
    message: /Point.*at/,
  });
  let calls = 0;
  const own = { toJSON: () => (calls++, { j: 1 }) };
  assert.deepEqual(round([own], { warn }), [{ j: 1 }]);
  assert.equal(calls, 1);
});

test("a class is warned of once, wherever its instances stand", (t) => {
  class Line {}
  class Curve {}
  const { mock } = t.mock.method(console, "warn", () => {});
  encodeValue({ first: new Line() });
  encodeValue([new Line(), new Curve()]);
  encodeValue(new Curve());
  assert.deepEqual(
    mock.calls.map(({ arguments: [text] }) => /\(.*?\) at \w+/.exec(text)[0]),
    ["(Line) at first", "(Curve) at 1"],
  );
  assert.match(mock.calls[0].arguments[0], /registerCodec/);
});

test("functions are left out, circles are cut, both without a hang", () => {
  const circle = { a: 1, f() {} };
  circle.self = circle;
  const warnings = [];
  assert.deepEqual(round(circle, { warn: (text) => warnings.push(text) }), {
    a: 1,
    self: "[Circular]",
  });
  assert.equal(warnings.length, 1);
  const shared = { s: 1 };
  assert.deepEqual(round([shared, shared, new Date(0)])[1], { s: 1 });
  let deep = {};
  for (let i = 0; i < 500; i++) deep = { deep };
  assert.deepEqual(round(deep), deep);
});

test("registered codecs keep instances of their classes", () => {
  class Money {
    constructor(amount) {
      this.amount = amount;
    }
  }
  registerCodec("money", {
    is: (value) => value instanceof Money,
    encode: (money) => ({ amount: money.amount }),
    decode: (parts) => new Money(parts.amount),
  });
  const back = round({ price: new Money(12n) });
  assert.ok(back.price instanceof Money);
  assert.equal(back.price.amount, 12n);
  assert.throws(() => registerCodec("", { is() {}, encode() {}, decode() {} }), {
    code: "BAD_ARGUMENT",
  });
  assert.throws(() => registerCodec("x", { is() {} }), { code: "BAD_ARGUMENT" });
});

test("damaged texts are refused, never revived as something else", () => {
  const texts = [
    undefined,
    "",
    "{",
    '1\0[["date",["a"]]]',
    '{}\0[["date",["toString"]]]',
    '{}\0[["date",["__proto__"]]]',
    '{}\0{"a":1}',
    '[1]\0[["evil",[0]]]',
    '["AA"]\0[["bytes",[0],"Function"]]',
    '["AA"]\0[["bytes",[0],"constructor"]]',
    '["1"]\0[["number",[0]]]',
    '["x"]\0[["bigint",[0]]]',
    '["x"]\0[["codec",[0],"nobody"]]',
    '["nobody",{}]\0[["message",[]]]',
    '1\0[["message"]]',
    "1\0",
  ];
  for (const text of texts) assert.throws(() => decodeValue(text), DamagedValue, String(text));
});

/** One node, whose result is the value, on a thread. */
async function keep(value, threadId) {
  const config = { configurable: { thread_id: threadId } };
  const graph = new StateGraph(Annotation.Root({ value: Annotation() }))
    .addNode("keep", () => ({ value: value() }))
    .addEdge(START, "keep")
    .compile({ checkpointer: new MemorySaver() });
  const failed = await graph.invoke({ value: "before" }, config).then(
    () => undefined,
    (error) => error,
  );
  return { failed, value: (await graph.getState(config)).values.value };
}

test("a value nested too deep to be stored fails with a code, and the thread stays as it was", async () => {
  const deep = () => {
    let value = 1;
    for (let level = 0; level < 100_000; level++) value = { inner: value };
    return value;
  };
  const { failed, value } = await keep(deep, "deep");
  assert.deepEqual(
    [failed.code, failed.cause.name, value],
    ["BAD_ARGUMENT", "RangeError", "before"],
  );
  assert.match(failed.message, /nested too deep/);
});

test("a Buffer comes back as a Buffer, other bytes as what they were", async () => {
  const { value } = await keep(
    () => ({
      buffer: Buffer.from("hi"),
      bytes: new Uint8Array([1]),
      named: { [Symbol.toStringTag]: "Buffer", kept: true },
    }),
    "bytes",
  );
  assert.deepEqual([Buffer.isBuffer(value.buffer), String(value.buffer)], [true, "hi"]);
  assert.deepEqual(
    [Buffer.isBuffer(value.bytes), [...value.bytes], value.named.kept],
    [false, [1], true],
  );
});

test("a restored error says what it is, without the stack of who read it", async () => {
  const { value } = await keep(() => new TypeError("no such order"), "error");
  assert.deepEqual([value instanceof TypeError, value.stack], [true, "TypeError: no such order"]);
});

test("what is not kept is told with the thread and the way out", async (t) => {
  const warned = t.mock.method(console, "warn", () => {});
  class Order {
    number = 1;
  }
  await keep(() => ({ order: new Order() }), "of orders");
  await keep(() => [() => {}], "of functions");
  const told = warned.mock.calls.map(({ arguments: [text] }) => text);
  assert.deepEqual(told, [
    'Not kept in the checkpoint of thread "of orders": the class of an object (Order) at order. registerCodec() keeps classes.',
    'Not kept in the checkpoint of thread "of functions": a function at 0. A state holds data: keep functions and symbols outside of it.',
  ]);
});
