// SPDX-License-Identifier: MIT
// What lists cost that come back: nodes that return all messages and one more, cut what is old, or
// put a summary in its place, and calls that bring the whole conversation. Each commit holds what
// is new and at most 256 bytes more.
import assert from "node:assert/strict";
import test from "node:test";
import {
  AIMessage,
  Annotation,
  END,
  HumanMessage,
  MemorySaver,
  MessagesAnnotation,
  REMOVE_ALL_MESSAGES,
  RemoveMessage,
  START,
  StateGraph,
} from "weftgraph";
import { pruneThread } from "weftgraph/savers/retention";
import { exportThread, importThread } from "weftgraph/savers/transfer";

const on = { configurable: { thread_id: "1" }, recursionLimit: 1000 };
const bytesOf = (value) => new TextEncoder().encode(JSON.stringify(value)).length;
const said = (id) =>
  new HumanMessage({ id, content: Array.from({ length: 20 }, (_, i) => `${id} ${i}`).join(" ") });
const begun = (count) => Array.from({ length: count }, (_, at) => said(`m${at}`));
const clear = () => new RemoveMessage({ id: REMOVE_ALL_MESSAGES });

/**
 * What a node writes in step n, and what of it is new.
 * @type {Record<string, (messages: any[], at: number) => { write: any[], news: any[] }>}
 */
const BACK = {
  "all messages and one more": (messages, at) => ({
    write: [...messages, said(`n${at}`)],
    news: [said(`n${at}`)],
  }),
  "all but the oldest, and one more": (messages, at) => ({
    write: [clear(), ...messages.slice(1), said(`n${at}`)],
    news: [clear(), said(`n${at}`)],
  }),
  "all but one in the middle, and one more": (messages, at) => ({
    write: [clear(), ...messages.toSpliced(50, 1), said(`n${at}`)],
    news: [clear(), said(`n${at}`)],
  }),
  "a summary, what came later, and one more": (messages, at) => ({
    write: [clear(), said(`s${at}`), ...messages.slice(2), said(`n${at}`)],
    news: [clear(), said(`s${at}`), said(`n${at}`)],
  }),
};

function metered() {
  const saver = new MemorySaver();
  const sizes = [];
  const { append } = saver.store;
  saver.store.append = (id, commit, bytes, expected) => (
    sizes.push(bytes.length), append.call(saver.store, id, commit, bytes, expected)
  );
  return { saver, sizes };
}

/** Reads all versions of `messages`, newest first. */
async function versions(graph) {
  const all = [];
  for await (const { values } of graph.getStateHistory(on))
    all.push(values.messages?.map(({ id, content }) => [id, content]) ?? []);
  return all;
}

for (const [name, change] of Object.entries(BACK)) {
  test(`a node that returns ${name} stores what is new`, async (t) => {
    const { saver, sizes } = metered();
    const news = [];
    const build = (checkpointer) =>
      new StateGraph(Annotation.Root({ ...MessagesAnnotation.spec, at: Annotation }))
        .addNode("step", ({ messages, at }) => {
          const made = change(messages, at);
          news.push(bytesOf(made.news));
          return { messages: made.write, at: at + 1 };
        })
        .addEdge(START, "step")
        .addConditionalEdges("step", ({ at }) => (at >= 60 ? END : "step"))
        .compile({ checkpointer });
    const graph = build(saver);
    const expected = [begun(100)];
    for (let at = 0; at < 60; at++) {
      const written = change(expected.at(-1), at).write;
      const start = written.findIndex(({ id }) => id === REMOVE_ALL_MESSAGES) + 1;
      expected.push(written.slice(start));
    }
    await graph.invoke({ messages: begun(100), at: 0 }, on);
    const most = Math.max(...sizes.slice(2).map((size, at) => size - news[at]));
    t.diagnostic(`at most ${most} bytes more than what is new`);
    assert.equal(news.length, 60);
    assert.ok(most <= 256, `${sizes.slice(2).map((size, at) => size - news[at])}`);
    // Every version is there, in an export too, and in what a rewriting leaves.
    const wanted = expected.reverse().map((list) => list.map(({ id, content }) => [id, content]));
    assert.deepEqual(await versions(graph), [...wanted, []]);
    const other = new MemorySaver();
    await importThread(other, await exportThread(saver, "1"));
    assert.deepEqual(await versions(build(other)), [...wanted, []]);
    assert.ok(
      (await other.byteLength("1")) <= (await saver.byteLength("1")) + 1000,
      "an export carries the numbers",
    );
    await pruneThread(saver, "1", { last: 3 });
    assert.deepEqual(await versions(graph), wanted.slice(0, 3));
    assert.deepEqual(
      (await saver.getTuple(on)).checkpoint.channel_values.messages.map(
        ({ id, content, kwargs }) => [id ?? kwargs.id, content ?? kwargs.content],
      ),
      wanted[0],
    );
  });
}

test("a list that comes back beside another task, or stays the same, is stored once", async () => {
  const { saver, sizes } = metered();
  const build = (checkpointer) =>
    new StateGraph(MessagesAnnotation)
      .addNode("all", ({ messages }) => ({ messages: [clear(), ...messages] }))
      .addNode("also", ({ messages }) => ({ messages: messages.slice(0, 90) }))
      .addNode("one", ({ messages }) => ({ messages: [said(`n${messages.length}`)] }))
      .addEdge(START, "all")
      .addEdge(START, "also")
      .addEdge(["all", "also"], "one")
      .compile({ checkpointer });
  const graph = build(saver);
  await graph.invoke({ messages: begun(100) }, on);
  sizes.length = 0;
  for (let turn = 0; turn < 10; turn++) {
    const { messages } = await graph.invoke({ messages: [said(`t${turn}`)] }, on);
    assert.equal(messages.length, 103 + turn * 2);
  }
  assert.ok(Math.max(...sizes) <= bytesOf(said("n110")) + bytesOf(clear()) + 256, `${sizes}`);
  const other = new MemorySaver();
  await importThread(other, await exportThread(saver, "1"));
  assert.deepEqual(await versions(build(other)), await versions(graph));
  // Another process goes on with it.
  const { messages } = await build(other).invoke({ messages: [said("last")] }, on);
  assert.deepEqual(
    messages.slice(-2).map(({ id }) => id),
    ["last", "n122"],
  );
});

for (const [name, form] of Object.entries({
  "as it was given": (messages) => messages,
  "as plain objects": (messages) =>
    messages.map(({ id, type, content }) => ({
      role: type === "ai" ? "assistant" : "user",
      id,
      content,
    })),
})) {
  test(`a call that brings the whole conversation, ${name}, stores what it brings more than the call before`, async (t) => {
    const { saver, sizes } = metered();
    const build = (checkpointer) =>
      new StateGraph(MessagesAnnotation)
        .addNode("answer", ({ messages }) => ({
          messages: [new AIMessage(said(`a${messages.length}`))],
        }))
        .addEdge(START, "answer")
        .compile({ checkpointer });
    let { messages } = await build(saver).invoke({ messages: form(begun(60)) }, on);
    let most = 0;
    for (let turn = 0; turn < 20; turn++) {
      sizes.length = 0;
      const input = form([...messages, said(`q${turn}`)]);
      ({ messages } = await build(saver).invoke({ messages: input }, on));
      most = Math.max(
        most,
        sizes[0] - bytesOf(input.slice(-2)),
        ...sizes.slice(1).map((size) => size - bytesOf(said("a100"))),
      );
    }
    t.diagnostic(`at most ${most} bytes more than a question and an answer`);
    assert.ok(most <= 256, `${most} bytes more`);
    assert.equal(messages.length, 101);
    assert.deepEqual(
      (await build(saver).getState(on)).values.messages.map(({ id }) => id),
      messages.map(({ id }) => id),
    );
  });
}

test("texts that change places are stored once", async () => {
  const { saver, sizes } = metered();
  const text = (word) =>
    Array.from({ length: 2000 }, (_, at) => `${word}${(at * 7919) % 10_007}`).join(" ");
  const build = (checkpointer) =>
    new StateGraph(Annotation.Root({ a: Annotation, b: Annotation, c: Annotation, at: Annotation }))
      .addNode("turn", ({ a, b, c, at }) => ({ a: b, b: c, c: a, at: at + 1 }))
      .addEdge(START, "turn")
      .addConditionalEdges("turn", ({ at }) => (at >= 20 ? END : "turn"))
      .compile({ checkpointer });
  const first = [text("one"), { text: text("two") }, text("three")];
  const { a, b, c } = await build(saver).invoke(
    { a: first[0], b: first[1], c: first[2], at: 0 },
    on,
  );
  assert.deepEqual([a, b, c], [first[2], first[0], first[1]]);
  assert.ok(Math.max(...sizes.slice(2)) <= 256, `${sizes}`);
  const other = new MemorySaver();
  await importThread(other, await exportThread(saver, "1"));
  for await (const { values } of build(other).getStateHistory(on))
    if (values.at !== undefined)
      assert.deepEqual(
        [values.a, values.b, values.c],
        [0, 1, 2].map((n) => first[(n + values.at) % 3]),
      );
});
