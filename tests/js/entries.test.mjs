// SPDX-License-Identifier: MIT
// Serves: batches and blocks as wasm/README.md lays them out; entries of a task (state writes, then
// routes); missing message ids are set in place as a write crosses; every hand-out of a list is a
// fresh slice.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Batch } from "../../js/engine/batch.js";
import { Block } from "../../js/engine/block.js";
import * as codes from "../../js/base/codes.js";
import { ABSENT, Slots } from "../../js/engine/slots.js";
import { AIMessage, HumanMessage, RemoveMessage } from "weftgraph/messages";
import { END_INDEX, Entries, readEntries } from "../../js/run/tasks/entries.js";
import { RunIds } from "../../js/run/ids.js";
import { Mirror } from "../../js/run/channel-mirror.js";

/** The block that holds a batch's records, as if the engine had lent it. */
function echo(batch, { at = 64, flags = 0, ticks = 0, status = 0 } = {}) {
  const memory = new Uint32Array(at + batch.at + 64);
  memory.set([batch.at - 4, flags, ticks, status >>> 0], at);
  memory.set(batch.u32.subarray(4, batch.at), at + 4);
  const block = new Block();
  block.copy(memory, new Uint8Array(memory.buffer), at * 4);
  return block;
}

const graph = {
  isList: (channel) => channel === 1,
  defaults: [],
  hosts: new Map(),
  lists: [false, true, false],
  names: ["n", "m", "t"],
  blank: [ABSENT, ABSENT, ABSENT],
};
const entriesOf = () => new Entries(graph, new RunIds());

test("a record's strings, ids and numbers come back, across growth of the buffer", () => {
  const batch = new Batch();
  batch.start();
  const texts = ["", "a", "abcd", "é", "日本語", "x".repeat(64), "y".repeat(5000), "\u0000"];
  for (const text of texts) {
    batch.begin(7, 3);
    batch.string(text);
    batch.word(0xfffffffe);
    batch.end();
  }
  batch.begin(8, 0);
  assert.equal(batch.id("0123456789abcdef0123456789ABCDEF"), true);
  assert.equal(batch.id("00112233-4455-6677-8899-aabbccddeeff"), true);
  for (const bad of [
    "",
    "01",
    "g0112233445566778899aabbccddeeff",
    "00112233445566778899aabbccddeeff00",
  ])
    assert.equal(batch.id(bad), false);
  batch.end();
  const block = echo(batch, { flags: 1, ticks: 9, status: -3 });
  assert.deepEqual([block.flags, block.ticks, block.status], [1, 9, -3]);
  for (const text of texts) {
    assert.ok(block.next());
    assert.deepEqual([block.op, block.opFlags], [7, 3]);
    assert.equal(block.string(), text);
    assert.equal(block.int(), -2);
    assert.equal(block.at, block.end);
  }
  assert.ok(block.next());
  assert.equal(block.hex(), "0123456789abcdef0123456789abcdef");
  assert.equal(block.uuid(), "00112233-4455-6677-8899-aabbccddeeff");
  assert.equal(block.next(), false);
});

test("padding behind a string is zero even where the buffer was used before", () => {
  const batch = new Batch();
  batch.u32.fill(0xffffffff);
  batch.start();
  batch.begin(1, 0);
  batch.string("abcde");
  batch.string("éé1");
  batch.end();
  assert.deepEqual([...batch.u8.subarray(28, 36)], [97, 98, 99, 100, 101, 0, 0, 0]);
  assert.deepEqual([...batch.u8.subarray(40, 48)], [0xc3, 0xa9, 0xc3, 0xa9, 49, 0, 0, 0]);
});

test("TEXT takes its bytes along, SAVE is found first: the engine's memory may change afterwards", () => {
  const memory = new Uint32Array(80);
  const u8 = new Uint8Array(memory.buffer);
  u8.set(new TextEncoder().encode('"é"'), 200);
  u8.set([255, 1], 220);
  memory.set([10 + 13 + 6, 0, 0, 0], 0);
  memory.set([codes.COMMAND_TEXT, 8, 10, 200, 0, 4, 26, 220, 0, 1], 4);
  memory.set(
    [codes.COMMAND_SAVE | (codes.SAVE_AWAIT << 16), 11, 1, 0, 2, 0, 77, 0, 0, 0, 220, 0, 2],
    14,
  );
  memory.set([codes.COMMAND_TEXT, 4, 42, 200, 0, 4], 27);
  const block = new Block();
  block.copy(memory, u8, 0);
  memory.fill(0);
  block.seekSave();
  assert.deepEqual(
    [block.opFlags, block.long(), block.long(), block.word()],
    [codes.SAVE_AWAIT, 1, 2, 77],
  );
  assert.deepEqual([block.long(), block.word(), block.long(), block.word()], [0, 0, 220, 2]);
  const texts = [];
  while (block.next()) {
    if (block.op === codes.COMMAND_TEXT)
      while (block.at < block.end) texts.push([block.word(), block.takeText()]);
  }
  assert.deepEqual(texts, [
    [10, '"é"'],
    [26, undefined],
    [42, '"é"'],
  ]);
});

test("entries: state writes first, then routes, small integers without slots", () => {
  const slots = new Slots();
  const batch = new Batch();
  const entries = entriesOf();
  entries.goto(3);
  entries.write(0, 7);
  entries.overwrite(2, null);
  entries.send(2, true);
  entries.branch(1);
  entries.destination(END_INDEX);
  entries.branchSend(4, 9);
  batch.start();
  entries.put(batch, slots);
  const words = [...batch.u32.subarray(4, batch.at)];
  const { ENTRY_WRITE, ENTRY_OVERWRITE, ENTRY_GOTO, ENTRY_SEND, ENTRY_BRANCH } = codes;
  assert.deepEqual(words, [
    5,
    ENTRY_WRITE,
    0,
    57,
    ENTRY_OVERWRITE,
    2,
    16,
    ENTRY_GOTO,
    3,
    ENTRY_SEND,
    2,
    32,
    ENTRY_BRANCH,
    1,
    2,
    0,
    END_INDEX,
    1,
    4,
    73,
  ]);
  assert.equal(slots.live, 0);
  assert.deepEqual(entries.list, [
    [0, 7],
    [2, null],
  ]);
  assert.throws(() => entriesOf().destination(1), TypeError);
});

test("messages cross with id and kind; missing ids are set in place and are UUIDs", () => {
  const slots = new Slots();
  const batch = new Batch();
  const entries = entriesOf();
  const human = new HumanMessage("hi");
  const foreign = { _getType: () => "ai", content: "x", lc_kwargs: {} };
  entries.messages(
    1,
    [
      human,
      ["ai", "there"],
      foreign,
      new RemoveMessage({ id: "r" }),
      new RemoveMessage({ id: "__remove_all__" }),
    ],
    true,
  );
  assert.match(human.id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal(foreign.lc_kwargs.id, foreign.id);
  assert.notEqual(foreign.id, human.id);
  batch.start();
  batch.begin(1, 0);
  entries.put(batch, slots);
  batch.end();
  const block = echo(batch);
  block.next();
  assert.deepEqual(
    [block.word(), block.word(), block.word(), block.word(), block.word()],
    [1, codes.ENTRY_MESSAGES, 1, codes.MESSAGES_LONE, 5],
  );
  const seen = [];
  for (let i = 0; i < 5; i++)
    seen.push([slots.toValue(block.word()), block.word(), block.string()]);
  assert.equal(seen[0][0], human);
  assert.equal(seen[0][2], human.id);
  assert.ok(AIMessage.isInstance(seen[1][0]));
  assert.deepEqual(
    seen.map((row) => row[1]),
    [0, 0, 0, codes.MESSAGE_REMOVE, codes.MESSAGE_REMOVE_ALL],
  );
  assert.throws(() => entries.messages(1, [{ role: "nobody" }], false), {
    lc_error_code: "MESSAGE_COERCION_FAILURE",
  });
});

test("an overwrite of a list says so before its messages", () => {
  const batch = new Batch();
  const entries = entriesOf();
  entries.overwrite(1, [new HumanMessage({ content: "a", id: "1" })]);
  batch.start();
  batch.begin(9, 0);
  entries.put(batch, new Slots());
  batch.end();
  assert.deepEqual([...batch.u32.subarray(7, 10)], [codes.ENTRY_OVERWRITE, 1, 0]);
});

test("entries of the log are read back; an overwrite of a list is one by its flag", () => {
  const slots = new Slots();
  const batch = new Batch();
  const entries = entriesOf();
  entries.messages(1, [new HumanMessage({ content: "a", id: "1" })], false);
  entries.write(2, "text");
  entries.send(1, {});
  entries.branch(0);
  entries.branchSend(1, 5);
  entries.write(0, 1);
  batch.start();
  batch.begin(9, 0);
  entries.put(batch, slots);
  batch.word(123456);
  batch.end();
  assert.deepEqual([...batch.u32.subarray(7, 10)], [codes.ENTRY_MESSAGES, 1, 0]);
  batch.u32[9] = codes.MESSAGES_OVERWRITE;
  const block = echo(batch);
  block.next();
  const back = entriesOf();
  back.state = readEntries(block, slots);
  assert.equal(block.word(), 123456);
  assert.deepEqual(
    back.list.map(([channel]) => channel),
    [1, 2, 0],
  );
  assert.equal(back.list[0][1].__overwrite__[0].content, "a");
});

test("the mirror follows SET and LIST, and hands out fresh slices", () => {
  const slots = new Slots();
  const mirror = new Mirror(graph);
  const patch = (...steps) => {
    const batch = new Batch();
    batch.start();
    batch.begin(codes.COMMAND_LIST, 0);
    batch.word(steps.length);
    for (const step of steps) for (const word of step) batch.word(word);
    batch.end();
    const block = echo(batch);
    block.next();
    mirror.patch(1, block, slots);
  };
  assert.deepEqual(mirror.pick([0, 1, 2]), {});
  mirror.set(0, 5);
  const words = ["a", "b", "c"].map((text) => slots.toWord(text));
  patch(...words.map((word) => [codes.LIST_APPEND, word, 0]));
  patch([codes.LIST_REMOVE, 0, 0], [codes.LIST_REPLACE, 0, slots.toWord("B")]);
  const first = mirror.pick([0, 1, 2]);
  assert.deepEqual(first, { n: 5, m: ["B", "c"] });
  first.m.push("mine");
  assert.deepEqual(mirror.pick([1]), { m: ["B", "c"] });
  patch([codes.LIST_CLEAR, 0, 0]);
  assert.deepEqual(mirror.pick([1]), { m: [] });
  mirror.set(1, ABSENT);
  assert.deepEqual(mirror.pick([1]), {});
});
