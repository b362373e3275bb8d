// SPDX-License-Identifier: MIT
// What threads cost in a store: each commit no more than its change and 256 bytes, a conversation
// no more than twice its text.
// Own process: takes as long as many other files.
import assert from "node:assert/strict";
import test from "node:test";
import {
  AIMessage,
  Annotation,
  Command,
  END,
  HumanMessage,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
  interrupt,
} from "weftgraph";
import { Topic } from "weftgraph/channels";
import { pruneThread } from "weftgraph/savers/retention";
import { exportThread, importThread } from "weftgraph/savers/transfer";

const on = (thread_id) => ({ configurable: { thread_id } });
const bytesOf = (value) => new TextEncoder().encode(JSON.stringify(value)).length;

/** A graph of one node that runs `steps` times; `change` makes what it writes in step n. */
const looping = (spec, change, steps, checkpointer) =>
  new StateGraph(Annotation.Root({ ...spec, at: Annotation }))
    .addNode("step", ({ at }) => ({ at: at + 1, ...change(at) }))
    .addEdge(START, "step")
    .addConditionalEdges("step", ({ at }) => (at >= steps ? END : "step"))
    .compile({ checkpointer });

/** Words that differ, so that no two places of a document look alike. */
const DOCUMENT = Array.from({ length: 11_000 }, (_, i) => `word${(i * 7919) % 100_003}`)
  .join(" ")
  .slice(0, 100_000);
const put = (document, at, word) => document.slice(0, at) + word + document.slice(at + 8);
const RECORDS = Object.fromEntries(
  Array.from({ length: 1000 }, (_, i) => [`key${i}`, { count: i, text: "text" }]),
);

const text = (n, length) => `${n} `.padEnd(length, "abcdefgh");
const CHANGES = {
  "a small value": [{ n: Annotation }, (at) => ({ n: at })],
  "nothing but the step": [{}, () => ({})],
  "a message of 500 bytes": [
    MessagesAnnotation.spec,
    (at) => ({ messages: { role: "user", content: text(at, 500), id: `m${at}` } }),
  ],
  "a message of 5 bytes": [
    MessagesAnnotation.spec,
    (at) => ({ messages: [{ role: "user", content: text(at, 5), id: `m${at}` }] }),
  ],
  "four messages": [
    MessagesAnnotation.spec,
    (at) => ({
      messages: [1, 2, 3, 4].map((n) => ({
        role: "user",
        content: text(at, 100),
        id: `m${at}-${n}`,
      })),
    }),
  ],
  "an item of a list that grows": [
    { list: () => new Topic({ accumulate: true }) },
    (at) => ({ list: [text(at, 100)] }),
  ],
  "one key of several": [
    Object.fromEntries(Array.from({ length: 40 }, (_, k) => [`key${k}`, Annotation])),
    (at) => ({ [`key${at % 40}`]: { at, text: text(at, 60) } }),
  ],
};

const said = (content) => [new AIMessage({ id: "m1", content })];

/**
 * Values that are overwritten by slightly different ones: how they begin, what becomes of them in
 * step n, and the bytes that this changes.
 * @type {Record<string, [first: any, change: (value: any, at: number) => any, size: number,
 *   reducer?: any]>} the last: a reducer, or a channel
 */
const OVERWRITTEN = {
  "a word of a document of 100 kB": [
    DOCUMENT,
    (value, at) => put(value, (at * 7919) % 99_000, `<${at}>`),
    5,
  ],
  "two words of it": [
    DOCUMENT,
    (value, at) => put(put(value, 90_000 - at, `<${at}>`), 300 + at * 20, `[${at}]`),
    10,
  ],
  "words at its end": [DOCUMENT, (value, at) => `${value} and ${at}`, 9],
  "an element of a long array": [
    Array.from({ length: 5000 }, (_, i) => i * 3),
    (value, at) => value.with((at * 31) % 5000, -at),
    5,
  ],
  "what a reducer adds to an array": [
    Array.from({ length: 5000 }, (_, i) => `element ${i}`),
    (_, at) => [`new ${at}`],
    10,
    (all, more) => [...all, ...more],
  ],
  "a key of a large object": [
    RECORDS,
    (value, at) => ({ ...value, [`key${(at * 37) % 1000}`]: { count: -at, text: "new" } }),
    30,
  ],
  "a word of a long message": [
    said(DOCUMENT.slice(0, 20_000)),
    ([message], at) => said(put(message.content, (at * 7919) % 19_000, `<${at}>`)),
    5,
    MessagesAnnotation.spec.messages,
  ],
  "what a message grows by": [
    said("it begins, and goes on until it is long enough for it to be an edit"),
    ([message], at) => said(`${message.content} token${at}`),
    12,
    MessagesAnnotation.spec.messages,
  ],
  "three keys of it": [
    { first: 0, ...RECORDS, last: 0 },
    (value, at) => ({
      ...value,
      first: at,
      [`key${(at * 37) % 1000}`]: { count: -at, text: "new" },
      last: at * 7,
    }),
    36,
  ],
};

/**
 * Runs `steps` steps over such a value and tells what each committed, and what the value came to.
 */
async function overwrite([first, change, , reducer], steps, saver) {
  const sizes = [];
  const { append } = saver.store;
  saver.store.append = (id, commit, bytes, expected) => {
    sizes.push(bytes.length);
    return append.call(saver.store, id, commit, bytes, expected);
  };
  const values = [];
  const node = ({ value, at }) => {
    values.push(value);
    return { at: at + 1, value: change(value, at) };
  };
  const graph = new StateGraph(
    Annotation.Root({
      value:
        reducer === undefined
          ? Annotation
          : reducer.length === 2
            ? Annotation({ reducer, default: () => [] })
            : reducer,
      at: Annotation,
    }),
  )
    .addNode("step", node)
    .addEdge(START, "step")
    .addConditionalEdges("step", ({ at }) => (at >= steps ? END : "step"))
    .compile({ checkpointer: saver });
  values.push(
    (await graph.invoke({ value: first, at: 0 }, { ...on("1"), recursionLimit: steps + 10 })).value,
  );
  return { graph, sizes: sizes.slice(2), values };
}

for (const [name, row] of Object.entries(OVERWRITTEN)) {
  test(`each commit holds what it changes and at most 256 bytes more: ${name}`, async (t) => {
    const saver = new MemorySaver();
    const { graph, sizes, values } = await overwrite(row, 120, saver);
    const most = Math.max(...sizes) - row[2];
    assert.equal(sizes.length, 120);
    assert.ok(most <= 256, `${most} bytes more`);
    t.diagnostic(`at most ${most} bytes more than the change`);
    // Every version is there, for this process, for another one, and for LangGraph's methods.
    const other = new MemorySaver();
    await importThread(other, await exportThread(saver, "1"));
    assert.ok(
      (await other.byteLength("1")) <= (await saver.byteLength("1")) + 1000,
      "an export carries the patches",
    );
    const read = async (history, valuesOf) => {
      let seen = 0;
      for await (const each of history) {
        const held = valuesOf(each);
        if (held.at === undefined || (held.at % 20 !== 0 && held.at < 116)) continue;
        assert.deepEqual(held.value, values[held.at]);
        seen++;
      }
      assert.ok(seen >= 10, `${seen} versions`);
    };
    await read(graph.getStateHistory(on("1")), (snapshot) => snapshot.values);
    await read(saver.list(on("1")), (tuple) => tuple.checkpoint.channel_values);
    await read(other.list(on("1")), (tuple) => tuple.checkpoint.channel_values);
    await pruneThread(saver, "1", { last: 2 });
    assert.deepEqual((await graph.getState(on("1"))).values.value, values[120]);
    assert.deepEqual((await saver.getTuple(on("1"))).checkpoint.channel_values.value, values[120]);
  });
}

test("a chain of patches ends with a whole value after 1,024, and goes on", async () => {
  const saver = new MemorySaver();
  const { graph, sizes, values } = await overwrite(
    [
      "0123456789".repeat(100),
      (value, at) => `${value.slice(0, at % 900)}${at}${value.slice((at % 900) + 4)}`,
      4,
    ],
    1100,
    saver,
  );
  assert.equal(sizes.filter((size) => size > 260).length, 1);
  assert.equal((await graph.getState(on("1"))).values.value, values[1100]);
  assert.equal((await saver.getTuple(on("1"))).checkpoint.channel_values.value, values[1100]);
});

test("a task that asks behind an edit keeps its edit small", async () => {
  const saver = new MemorySaver();
  const sizes = [];
  const { append } = saver.store;
  saver.store.append = (id, commit, bytes, expected) => (
    sizes.push(bytes.length), append.call(saver.store, id, commit, bytes, expected)
  );
  const graph = new StateGraph(Annotation.Root({ value: Annotation, note: Annotation }))
    .addNode("first", () => ({ note: "noted" }))
    .addNode("edits", ({ value }) => ({ value: put(value, 500, "<edited>") }))
    .addNode("asks", () => ({ note: interrupt("go on?") }))
    .addEdge(START, "first")
    .addEdge("first", "edits")
    .addEdge("first", "asks")
    .compile({ checkpointer: saver });
  await graph.invoke({ value: DOCUMENT }, on("1"));
  assert.ok(Math.max(...sizes.slice(2)) < 500, `${sizes}`);
  assert.deepEqual(await new Set((await graph.getState(on("1"))).next), new Set(["asks"]));
  const end = await graph.invoke(new Command({ resume: "yes" }), on("1"));
  assert.equal(end.value, put(DOCUMENT, 500, "<edited>"));
  assert.ok(Math.max(...sizes.slice(2)) < 500, `${sizes}`);
  assert.equal((await graph.getState(on("1"))).values.value, end.value);
});

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

test("an item of a Topic that grows is printed once", async () => {
  let printed = 0;
  const item = (n) => ({ toJSON: () => (printed++, { n }) });
  const graph = looping(
    { list: () => new Topic({ accumulate: true }) },
    (at) => ({ list: item(at) }),
    200,
    new MemorySaver(),
  );
  const { list } = await graph.invoke({ at: 0 }, { ...on("1"), recursionLimit: 300 });
  assert.equal(list.length, 200);
  assert.equal(printed, 200);
});

test("a conversation of 2,000 messages of 500 bytes takes at most twice its text", async (t) => {
  const saver = new MemorySaver();
  await looping(
    MessagesAnnotation.spec,
    (at) => ({ messages: { role: at % 2 ? "ai" : "user", content: text(at, 500), id: `m${at}` } }),
    2000,
    saver,
  ).invoke({ at: 0 }, { ...on("1"), recursionLimit: 2010 });
  const stored = await saver.byteLength("1");
  assert.ok(stored <= 2 * 2000 * 500, `${stored} bytes`);
  t.diagnostic(`${(stored / 1_000_000).toFixed(2)} times its text`);
});

for (const [name, message] of Object.entries({
  messages: (at) => (at % 2 ? new AIMessage(text(at, 500)) : new HumanMessage(text(at, 500))),
  "plain objects": (at) => ({ role: at % 2 ? "ai" : "user", content: text(at, 500), id: `m${at}` }),
})) {
  test(`a conversation of 2,000 that is one input takes at most one and a half times its text: ${name}`, async (t) => {
    const saver = new MemorySaver();
    const build = (checkpointer) =>
      new StateGraph(MessagesAnnotation)
        .addNode("end", () => ({}))
        .addEdge(START, "end")
        .compile({ checkpointer });
    const messages = Array.from({ length: 2000 }, (_, at) => message(at));
    await build(saver).invoke({ messages }, on("1"));
    const stored = await saver.byteLength("1");
    assert.ok(stored <= 1.5 * 2000 * 500, `${stored} bytes`);
    t.diagnostic(`${(stored / 1_000_000).toFixed(2)} times its text`);
    // Another process reads it, an export holds it, and a rewriting, which the input does not
    // outlive.
    const other = new MemorySaver();
    await importThread(other, await exportThread(saver, "1"));
    await pruneThread(saver, "1", { last: 1 });
    for (const each of [other, saver]) {
      const { values } = await build(each).getState(on("1"));
      assert.deepEqual(
        values.messages.map(({ content }) => content),
        messages.map(({ content }) => content),
      );
    }
  });
}

/** 500 bytes that are like no others. */
const words = (at) =>
  Array.from({ length: 120 }, (_, i) => ((i * 7919 + at * 104_729) % 1_000_003).toString(36))
    .join(" ")
    .slice(0, 500);

/**
 * Threads in which messages are answers: what stands around the node that asks.
 * @type {Record<string, (graph: any) => any>}
 */
const ASKED = {
  "a question each turn": (graph) => graph.addEdge("ask", "ask"),
  "a question that quotes the last message, and an answer to it": (graph) =>
    graph
      .addNode("model", ({ messages }) => ({
        messages: { role: "ai", content: words(-1 - messages.length), id: `m${messages.length}` },
      }))
      .addEdge("ask", "model")
      .addEdge("model", "ask"),
};

for (const [name, edges] of Object.entries(ASKED)) {
  test(`answers of 500 bytes take at most twice their text: ${name}`, async (t) => {
    const saver = new MemorySaver();
    const ask = ({ messages }) => ({
      messages: {
        role: "user",
        content: interrupt(messages.at(-1)?.content ?? "?"),
        id: `m${messages.length}`,
      },
    });
    const graph = edges(
      new StateGraph(MessagesAnnotation).addNode("ask", ask).addEdge(START, "ask"),
    ).compile({ checkpointer: saver });
    await graph.invoke({ messages: [] }, on("1"));
    for (let at = 0; at < 300; at++)
      await graph.invoke(new Command({ resume: words(at) }), on("1"));
    const { messages } = (await graph.getState(on("1"))).values;
    const said = messages.reduce((sum, { content }) => sum + content.length, 0);
    assert.ok(
      said >= 300 * 500 &&
        messages.every(
          ({ content, type }, at) =>
            type === "ai" || content === words(messages.length === 300 ? at : at / 2),
        ),
    );
    const stored = await saver.byteLength("1");
    t.diagnostic(`${(stored / said).toFixed(2)} times its text`);
    assert.ok(stored <= 2 * said, `${stored} bytes for ${said}`);
    const other = new MemorySaver();
    await importThread(other, await exportThread(saver, "1"));
    for await (const { checkpoint } of other.list(on("1"), { limit: 1 }))
      assert.equal(checkpoint.channel_values.messages.length, messages.length);
  });
}

test("a message that a short input replaces is an edit of the one before", async () => {
  const saver = new MemorySaver();
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("end", () => ({}))
    .addEdge(START, "end")
    .compile({ checkpointer: saver });
  const input = (more) => ({
    messages: [{ role: "user", id: "m", content: `${text(1, 200)}${more}` }],
  });
  await graph.invoke(input(""), on("1"));
  const sizes = [];
  const { append } = saver.store;
  saver.store.append = (id, commit, bytes, expected) => (
    sizes.push(bytes.length), append.call(saver.store, id, commit, bytes, expected)
  );
  const { messages } = await graph.invoke(input("!"), on("1"));
  assert.equal(messages[0].content, input("!").messages[0].content);
  assert.ok(sizes[1] <= 256, `${sizes}`);
});
