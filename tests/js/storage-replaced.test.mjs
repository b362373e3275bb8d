// SPDX-License-Identifier: MIT
// put() of a checkpoint that is there already and has others behind it, as LangGraph's savers take
// it: it is replaced, and the others, which the log holds as what they changed of it, stay as they
// were, for getTuple and for the engine.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  AIMessage,
  Annotation,
  Command,
  HumanMessage,
  MemorySaver,
  MessagesAnnotation,
  START,
  Send,
  StateGraph,
  interrupt,
} from "weftgraph";
import { exportThread, importThread } from "weftgraph/savers/transfer";
import { kvOver } from "./kv-map.mjs";

const on = { configurable: { thread_id: "1" } };

test("a checkpoint that others follow is replaced; those stay as they were", async () => {
  const Wide = Annotation.Root({
    ...MessagesAnnotation.spec,
    n: Annotation(),
    log: Annotation({ reducer: (a, b) => a.concat(b), default: () => [] }),
  });
  const make = (checkpointer) =>
    new StateGraph(Wide)
      .addNode("a", () => ({
        n: 1,
        messages: new HumanMessage({ id: "h", content: "hi" }),
        log: ["a"],
      }))
      .addNode(
        "b",
        ({ n }) =>
          new Command({
            update: { log: ["b"] },
            goto: [new Send("work", { n }), new Send("work", { n: 7 })],
          }),
        { ends: ["work"] },
      )
      .addNode("c", () => ({ messages: new AIMessage({ id: "x", content: "there" }) }))
      .addNode("work", ({ n }) => ({ log: [n] }))
      .addNode("end", () => ({ log: [interrupt("so?")] }))
      .addEdge(START, "a")
      .addEdge("a", "b")
      .addEdge("a", "c")
      .addEdge(["b", "c"], "end")
      .compile({ checkpointer });
  const map = new Map();
  const saver = kvOver(map);
  await make(saver).invoke({}, on);
  const told = async (list) => {
    const all = [];
    for await (const each of list) all.push(each);
    return JSON.parse(JSON.stringify(all));
  };
  const read = async () => [
    await told(kvOver(map).list(on)),
    await told(make(kvOver(map)).getStateHistory(on)),
  ];
  const before = await read();
  const tuples = await told(saver.list(on));
  for (let at = tuples.length - 2; at >= 1; at--) {
    const { config, parentConfig } = tuples[at];
    const { checkpoint, metadata } = await saver.getTuple(config);
    const changed = {
      ...checkpoint,
      channel_values: {
        ...checkpoint.channel_values,
        n: 90 + at,
        log: ["X"],
        messages: [new HumanMessage({ id: "z", content: "else" })],
      },
    };
    await saver.put(parentConfig, changed, metadata, checkpoint.channel_versions);
    const [listed, history] = await read();
    for (const [now, was] of [
      [listed, before[0]],
      [history, before[1]],
    ]) {
      assert.deepEqual(now.slice(0, at), was.slice(0, at));
      assert.deepEqual(now.slice(at + 1), was.slice(at + 1));
    }
    assert.deepEqual(
      [
        listed[at].checkpoint.channel_values.n,
        history[at].values.n,
        history[at].values.log,
        history[at].values.messages[0].kwargs?.id ?? history[at].values.messages[0].id,
      ],
      [90 + at, 90 + at, ["X"], "z"],
    );
    assert.deepEqual(
      [history[at].next, history[at].tasks, history[at].config],
      [before[1][at].next, before[1][at].tasks, before[1][at].config],
    );
    before[0][at] = listed[at];
    before[1][at] = history[at];
  }
  const other = new MemorySaver();
  await importThread(other, await exportThread(saver, "1"));
  assert.deepEqual(await told(make(other).getStateHistory(on)), before[1]);
  await saver.prune("1", { last: 2 });
  const [, kept] = await read();
  assert.deepEqual(
    kept.slice(0, 2).map(({ values }) => values),
    before[1].slice(0, 2).map(({ values }) => values),
  );
  const untouched = make(new MemorySaver());
  await untouched.invoke({}, on);
  const resume = new Command({ resume: "yes" });
  assert.deepEqual(
    (await make(saver).invoke(resume, on)).log,
    (await untouched.invoke(resume, on)).log,
  );
});

test("a checkpoint that others follow is replaced at the price of what changes", async () => {
  const document = Array.from({ length: 3000 }, (_, i) => `word${(i * 7919) % 100_003}`).join(" ");
  const Wide = Annotation.Root({ ...MessagesAnnotation.spec, doc: Annotation(), n: Annotation() });
  const said = (id) => new HumanMessage({ id, content: `${id} `.padEnd(300, "abc") });
  const make = (checkpointer) =>
    new StateGraph(Wide)
      .addNode("a", ({ doc }) => ({ n: 1, doc: `${doc} a`, messages: said("a") }))
      .addNode("b", ({ doc }) => ({ n: 2, doc: `${doc} b`, messages: said("b") }))
      .addNode("c", () => ({ n: 3 }))
      .addEdge(START, "a")
      .addEdge("a", "b")
      .addEdge("b", "c")
      .compile({ checkpointer });
  const map = new Map();
  await make(kvOver(map)).invoke(
    { doc: document, messages: Array.from({ length: 40 }, (_, i) => said(`m${i}`)) },
    on,
  );
  const states = async () => {
    const all = [];
    for await (const { values } of make(kvOver(map)).getStateHistory(on))
      all.push(JSON.parse(JSON.stringify(values)));
    return all;
  };
  const before = await states();
  const tuples = [];
  for await (const tuple of kvOver(map).list(on)) tuples.push(tuple);
  for (let at = 0; at < 3; at++) {
    const { checkpoint, metadata, parentConfig } = tuples[at];
    const bytes = await kvOver(map).byteLength("1");
    const n = 70 + at;
    await kvOver(map).put(
      parentConfig,
      { ...checkpoint, channel_values: { ...checkpoint.channel_values, n } },
      metadata,
      checkpoint.channel_versions,
    );
    // Two records, each with the names of its channels and nodes, their versions and its metadata.
    const more = (await kvOver(map).byteLength("1")) - bytes;
    assert.ok(more <= 1250, `${more} bytes`);
    before[at] = { ...before[at], n };
    assert.deepEqual(await states(), before);
  }
});
