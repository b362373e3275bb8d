// SPDX-License-Identifier: MIT
// What threads cost in a store: each commit no more than its change and 256 bytes, a conversation no more than twice its
// text.
import assert from "node:assert/strict";
import test from "node:test";
import { Annotation, END, MemorySaver, MessagesAnnotation, START, StateGraph } from "weftgraph";

const on = (thread_id) => ({ configurable: { thread_id } });
const bytesOf = (value) => new TextEncoder().encode(JSON.stringify(value)).length;

/** A graph of one node that runs `steps` times; `change` makes what it writes in step n. */
const looping = (spec, change, steps, checkpointer) =>
  new StateGraph(Annotation.Root({ ...spec, at: Annotation }))
    .addNode("step", ({ at }) => ({ at: at + 1, ...change(at) }))
    .addEdge(START, "step")
    .addConditionalEdges("step", ({ at }) => (at >= steps ? END : "step"))
    .compile({ checkpointer });

const text = (n, length) => `${n} `.padEnd(length, "abcdefgh");
const CHANGES = {
  "a small value": [{ n: Annotation }, (at) => ({ n: at })],
  "nothing but the step": [{}, () => ({})],
  "a message of 500 bytes": [MessagesAnnotation.spec, (at) => ({ messages: { role: "user", content: text(at, 500), id: `m${at}` } })],
  "a message of 5 bytes": [MessagesAnnotation.spec, (at) => ({ messages: [{ role: "user", content: text(at, 5), id: `m${at}` }] })],
  "four messages": [MessagesAnnotation.spec, (at) => ({ messages: [1, 2, 3, 4].map((n) => ({ role: "user", content: text(at, 100), id: `m${at}-${n}` })) })],
  "one key of several": [Object.fromEntries(Array.from({ length: 40 }, (_, k) => [`key${k}`, Annotation])), (at) => ({ [`key${at % 40}`]: { at, text: text(at, 60) } })],
};

for (const [name, [spec, change]] of Object.entries(CHANGES)) {
  test(`each commit holds its change and at most 256 bytes more: ${name}`, async (t) => {
    const saver = new MemorySaver();
    const sizes = [];
    const { append } = saver.store;
    saver.store.append = (id, commit, bytes, expected) => {
      sizes.push(bytes.length);
      return append.call(saver.store, id, commit, bytes, expected);
    };
    await looping(spec, change, 300, saver).invoke({ at: 0 }, { ...on("1"), recursionLimit: 400 });
    let most = 0;
    // Commit 0 is the input, 1 what START made of it.
    sizes.slice(2).forEach((size, at) => (most = Math.max(most, size - bytesOf(change(at)))));
    assert.equal(sizes.length, 302);
    assert.ok(most <= 256, `${most} bytes more`);
    t.diagnostic(`at most ${most} bytes more than the change`);
  });
}

test("a conversation of 2,000 messages of 500 bytes takes at most twice its text", async (t) => {
  const saver = new MemorySaver();
  await looping(MessagesAnnotation.spec, (at) => ({ messages: { role: at % 2 ? "ai" : "user", content: text(at, 500), id: `m${at}` } }), 2000, saver).invoke({ at: 0 }, { ...on("1"), recursionLimit: 2010 });
  const stored = await saver.byteLength("1");
  assert.ok(stored <= 2 * 2000 * 500, `${stored} bytes`);
  t.diagnostic(`${(stored / 1_000_000).toFixed(2)} times its text`);
});
