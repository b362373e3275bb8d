// SPDX-License-Identifier: MIT
// What JavaScript does for a checkpoint that is asked for (getTuple, list) does not grow with what
// nobody asks for: lists that graphs inside were given and gave back, edits below a text that was
// made just before, room for each packed record.
import assert from "node:assert/strict";
import test from "node:test";
import {
  AIMessage,
  HumanMessage,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
} from "weftgraph";
import { Patch, readingCost } from "../../js/log/patch.js";
import { SavedThread, checkpointOf, pendingOf } from "../../js/log/saved-thread.js";
import { WholeFrames } from "../../js/log/unpack.js";

const TURNS = 40;
const around = (node) =>
  new StateGraph(MessagesAnnotation).addNode("inside", node).addEdge(START, "inside");
const answer = ({ messages }) => ({ messages: new AIMessage(`answer ${messages.length}`) });

const saver = new MemorySaver();
const graph = around(around(answer).compile()).compile({ checkpointer: saver });
for (let turn = 0; turn < TURNS; turn++)
  await graph.invoke(
    { messages: new HumanMessage(`question ${turn}`) },
    { configurable: { thread_id: "1" } },
  );
const pieces = saver.store.read("1");

test("what tasks wrote is made for the checkpoint whose writes are asked for", () => {
  const before = readingCost.lists;
  const thread = new SavedThread(pieces);
  const { messages } = checkpointOf(thread.latest("")).channel_values;
  assert.equal(messages.length, 2 * TURNS);
  assert.equal(readingCost.lists, before);
  const written = thread
    .newest("")
    .flatMap((entry) =>
      [...pendingOf(entry).values()].map(([, , value]) =>
        Array.isArray(value) ? value.length : 0,
      ),
    );
  assert.equal(Math.max(...written), 2 * TURNS);
  assert.ok(readingCost.lists > before);
});

test("a text that is an edit of one that was made just before takes one step", () => {
  let steps = 0;
  let held = { bytes: new TextEncoder().encode("a text") };
  for (let depth = 1; depth <= 1000; depth++) {
    const base = held;
    held = {
      bytes: Uint8Array.from([0, 0, 1, 120]),
      length: 6 + depth,
      depth,
      base: () => (steps++, base),
    };
  }
  const chain = [];
  for (let at = held; at.base !== undefined; at = at.base()) chain.unshift(at);
  steps = 0;
  for (const each of chain) assert.equal(String(new Patch(each)).length, each.length);
  assert.ok(steps <= 5 * chain.length, `${steps}`);
  // So it is if nobody asked for those between.
  for (const each of chain) each.made = undefined;
  steps = 0;
  for (const each of chain.filter(({ depth }) => depth % 2 === 0))
    assert.equal(String(new Patch(each)).length, each.length);
  assert.ok(steps <= 5 * chain.length, `${steps}`);
});

test("packed records share the room that they are unpacked to", () => {
  const reader = new WholeFrames();
  const rooms = new Set();
  let packed = 0;
  for (const piece of pieces) {
    for (const { bytes } of reader.of(piece)) {
      if (bytes.buffer === piece.buffer) continue;
      packed++;
      rooms.add(bytes.buffer);
    }
  }
  assert.ok(packed > 200 && rooms.size < 20, `${packed} in ${rooms.size}`);
});
