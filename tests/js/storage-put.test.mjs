// SPDX-License-Identifier: MIT
// What LangGraph's own graphs cost in a store of ours, which hears whole checkpoints: each step no
// more than its change, its task's write of it, and what put() was given besides. Every version is
// read back, by this process and by another one.
// Own process: takes as long as many other files.
import assert from "node:assert/strict";
import test from "node:test";
import { Annotation, END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { RemoveMessage } from "@langchain/core/messages";
import * as weft from "weftgraph";
import { KvSaver } from "weftgraph/savers/kv";

const DOCUMENT = Array.from({ length: 4000 }, (_, i) => `wörd${(i * 7919) % 100_003}`).join(" ");
const put = (document, at, word) => document.slice(0, at) + word + document.slice(at + 8);
const message = (id, text) => ({ role: "user", content: text, id });
const ten = Array.from({ length: 10 }, (_, i) => message(`m${i}`, "text ".repeat(100)));
const on = (thread_id) => ({ configurable: { thread_id } });

/** A saver over a map that other savers may share. */
function kvSaver(map = new Map()) {
  const same = (a, b) =>
    b === undefined ? a === undefined : a !== undefined && Buffer.compare(a, b) === 0;
  const saver = new KvSaver({
    get: async (key) => map.get(key),
    put: async (key, value) => void map.set(key, value),
    list: async (prefix) => [...map.keys()].filter((key) => key.startsWith(prefix)).sort(),
    delete: async (key) => void map.delete(key),
    cas: async (key, expected, value) =>
      same(map.get(key), expected) && (map.set(key, value), true),
  });
  return { saver, map };
}

/**
 * A channel, how its value begins, and what a node writes in step n: less than 100 bytes that are
 * new.
 */
const ROWS = {
  "a word of a document": [
    Annotation,
    DOCUMENT,
    (value, at) => put(value, (at * 7919) % 40_000, `<${at}>`),
  ],
  "what a reducer adds to an array": [
    Annotation({ reducer: (a, b) => [...a, ...b], default: () => [] }),
    Array.from({ length: 2000 }, (_, i) => `element ${i}`),
    (_, at) => [`new ${at}`],
  ],
  "a key of an object": [
    Annotation,
    Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`key${i}`, { count: i }])),
    (value, at) => ({ ...value, [`key${at % 500}`]: at }),
  ],
  "a message that comes": [
    MessagesAnnotation.spec.messages,
    ten,
    (_, at) => [message(`n${at}`, "more")],
  ],
  "a message that is replaced": [
    MessagesAnnotation.spec.messages,
    ten,
    (_, at) => [message(`m${at % 10}`, `edited ${at}`)],
  ],
  "a message that goes": [
    MessagesAnnotation.spec.messages,
    Array.from({ length: 60 }, (_, i) => message(`m${i}`, "text ".repeat(100))),
    (_, at) => [new RemoveMessage({ id: `m${(at * 7) % 60}` })],
  ],
};

for (const [name, [channel, first, change]] of Object.entries(ROWS)) {
  test(`a step of LangGraph.js costs its change: ${name}`, async (t) => {
    const STEPS = 40;
    const { saver, map } = kvSaver();
    const values = [];
    const sizes = [];
    const graph = new StateGraph(Annotation.Root({ value: channel, at: Annotation }))
      .addNode("step", async ({ value, at }) => {
        values[at] = JSON.stringify(value);
        sizes.push(await saver.byteLength("1"));
        return { at: at + 1, value: change(value, at) };
      })
      .addEdge(START, "step")
      .addConditionalEdges("step", ({ at }) => (at >= STEPS ? END : "step"))
      .compile({ checkpointer: saver });
    values[STEPS] = JSON.stringify(
      (await graph.invoke({ value: first, at: 0 }, { ...on("1"), recursionLimit: STEPS + 10 }))
        .value,
    );
    const most = Math.max(...sizes.slice(2).map((total, i) => total - sizes[i + 1]));
    // Versions, what nodes saw, and metadata are put as they are given.
    assert.ok(most <= 700, `${most} bytes a step`);
    t.diagnostic(`at most ${most} bytes a step`);
    for (const reader of [saver, kvSaver(map).saver]) {
      let seen = 0;
      for await (const { checkpoint } of reader.list(on("1"))) {
        const { value, at } = checkpoint.channel_values;
        if (at === undefined) continue;
        assert.equal(JSON.stringify(value), values[at], `after step ${at}`);
        seen++;
      }
      assert.ok(seen > STEPS);
      await assert.doesNotReject(reader.getTuple(on("1")));
    }
    // Our own graphs read what stands there, by the engine.
    const own = new weft.StateGraph(
      weft.Annotation.Root({
        value: name.includes("message") ? weft.MessagesAnnotation.spec.messages : weft.Annotation,
        at: weft.Annotation,
      }),
    )
      .addNode("step", () => ({}))
      .addEdge(weft.START, "step")
      .compile({ checkpointer: kvSaver(map).saver });
    const { value } = (await own.getState(on("1"))).values;
    const texts = (list) => list.map((one) => one.content ?? one.kwargs?.content);
    if (name.includes("message")) assert.deepEqual(texts(value), texts(JSON.parse(values[STEPS])));
    else assert.equal(JSON.stringify(value), values[STEPS]);
  });
}

test("an interrupted task's write is an edit too, and goes on from it", async () => {
  const { saver, map } = kvSaver();
  const value = `${DOCUMENT}`;
  const graph = new weft.StateGraph(weft.Annotation.Root({ value: weft.Annotation }))
    .addNode("step", () => ({}))
    .addEdge(weft.START, "step")
    .compile({ checkpointer: saver });
  await graph.invoke({ value }, on("1"));
  const { config } = await saver.getTuple(on("1"));
  const before = await saver.byteLength("1");
  await saver.putWrites(
    config,
    [["value", put(value, 500, "<first>")]],
    "6f1ff3d5-7e1e-5d0a-8a9c-0123456789ab",
  );
  assert.ok((await saver.byteLength("1")) - before < 600);
  const { pendingWrites } = await kvSaver(map).saver.getTuple(on("1"));
  assert.equal(pendingWrites[0][2], put(value, 500, "<first>"));
});
