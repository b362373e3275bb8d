// SPDX-License-Identifier: MIT
// Our savers are LangGraph's BaseCheckpointSavers: the same calls to LangGraph's MemorySaver and to
// each of ours give the same tuples; LangGraph's own StateGraph runs on them; a subclass's methods
// are called; threads go between packages.
import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import * as langgraph from "@langchain/langgraph";
import { MemorySaver as PeerSaver } from "@langchain/langgraph-checkpoint";
import { IDBFactory, IDBKeyRange } from "fake-indexeddb";
import * as weft from "weftgraph";
import {
  JsonPlusSerializer,
  compareChannelVersions,
  deepCopy,
  getCheckpointId,
  maxChannelVersion,
  uuid6,
} from "weftgraph/checkpoint";
import { FileSaver } from "weftgraph/savers/file";
import { IdbfsSaver } from "weftgraph/savers/idbfs";
import { KvSaver } from "weftgraph/savers/kv";

globalThis.IDBKeyRange = IDBKeyRange;
const made = [];
test.after(() =>
  Promise.all(made.map((path) => fs.rm(path, { recursive: true, force: true, maxRetries: 5 }))),
);

const makers = {
  MemorySaver: async () => new weft.MemorySaver(),
  FileSaver: async () => {
    const path = await fs.mkdtemp(join(tmpdir(), "weft-saver-"));
    made.push(path);
    return new FileSaver({ path });
  },
  IdbfsSaver: async () => new IdbfsSaver({ indexedDB: new IDBFactory() }),
  KvSaver: async () => {
    const map = new Map();
    return new KvSaver({
      get: (key) => map.get(key),
      put: (key, value) => map.set(key, value),
      list: (prefix) => [...map.keys()].filter((key) => key.startsWith(prefix)),
      delete: (key) => map.delete(key),
      cas: (key, expected, value) =>
        (expected === undefined
          ? !map.has(key)
          : Buffer.compare(map.get(key) ?? Buffer.of(), expected) === 0) &&
        (map.set(key, value), true),
    });
  },
};

const at = (thread_id, checkpoint_id, checkpoint_ns = "") => ({
  configurable: { thread_id, checkpoint_ns, ...(checkpoint_id && { checkpoint_id }) },
});
const bare = (value) => JSON.parse(JSON.stringify(value ?? null));
const collect = async (iterable) => {
  const items = [];
  for await (const item of iterable) items.push(bare(item));
  return items;
};

/** Puts, writes and reads, with ids that both savers get. */
async function script(saver, ids) {
  const seen = [];
  const note = async (promise) => seen.push(bare(await promise.catch((error) => error.message)));
  const point = (id, values, versions, seenVersions = {}) => ({
    v: 4,
    id,
    ts: "2026-01-02T03:04:05.678Z",
    channel_values: values,
    channel_versions: versions,
    versions_seen: seenVersions,
  });
  const [a, b, c, d] = ids;
  await note(saver.getTuple({ configurable: {} }));
  await note(saver.getTuple(at("t")));
  await note(
    saver.put(
      { configurable: { thread_id: "t", more: 1 } },
      point(a, { list: [1], map: { deep: [null, "x"] } }, { list: 1, map: 1 }),
      { source: "input", step: -1, parents: {}, user: "u" },
      { list: 1, map: 1 },
    ),
  );
  await note(saver.getTuple(at("t")));
  await note(
    saver.put(
      at("t", a),
      point(
        b,
        { list: [1, 2], text: "é\ud83d\ude00", none: null },
        { list: 2, map: 2, text: 2 },
        { n: { list: 1 }, e: {} },
      ),
      { source: "loop", step: 0, parents: {} },
      { list: 2, map: 2, text: 2 },
    ),
  );
  await note(
    saver.putWrites(
      at("t", b),
      [
        ["list", 3],
        ["__error__", { message: "m" }],
        ["__interrupt__", { id: "i", value: 1 }],
      ],
      "task-1",
    ),
  );
  await note(
    saver.putWrites(
      at("t", b),
      [
        ["list", 4],
        ["__interrupt__", { id: "i", value: 2 }],
        ["more", [1, 2]],
      ],
      "task-1",
    ),
  );
  await note(
    saver.putWrites(
      at("t", b),
      [
        ["__resume__", ["r", "s"]],
        ["branch:to:x", null],
      ],
      ids[4],
    ),
  );
  await note(
    saver.putWrites(at("t", b), [["__resume__", "plain"]], "00000000-0000-0000-0000-000000000000"),
  );
  await note(
    saver.put(
      at("t", b, "sub|x"),
      point(c, { own: true }, { own: 1 }),
      { source: "fork", step: 4, parents: { "": b } },
      { own: 1 },
    ),
  );
  await note(
    saver.put(
      at("t", a),
      point(d, { list: "no list any more" }, { list: "0002.5" }),
      { source: "update", step: 7, parents: {} },
      { list: "0002.5" },
    ),
  );
  await note(
    saver.put(at("other"), point(a, {}, {}), { source: "input", step: -1, parents: {} }, {}),
  );
  for (const config of [
    at("t"),
    at("t", a),
    at("t", b),
    at("t", undefined, "sub|x"),
    at("t", c),
    at("none"),
  ])
    await note(saver.getTuple(config));
  await note(saver.get(at("t", b)));
  const listings = [
    [at("t")],
    [{ configurable: { thread_id: "t" } }],
    [{ configurable: {} }],
    [at("t"), { limit: 1 }],
    [at("t"), { before: at("t", d) }],
    [at("t"), { filter: { source: "loop" } }],
    [at("t"), { filter: { step: 9 } }],
    [at("t", a)],
  ];
  for (const listing of listings) seen.push(await collect(saver.list(...listing)));
  await note(
    saver.getDeltaChannelHistory({ config: at("t", b), channels: ["list", "map", "never"] }),
  );
  await note(saver.deleteThread("t"));
  await note(saver.getTuple(at("t")));
  seen.push(await collect(saver.list({ configurable: {} })));
  await note(saver.put({ configurable: {} }, point(a, {}, {}), {}, {}));
  await note(saver.putWrites({ configurable: { thread_id: "t" } }, [["x", 1]], "task"));
  return seen;
}

/** Threads that are listed without a namespace come in an order of the saver's own. */
const sorted = (seen) =>
  seen.map((item) => (Array.isArray(item) ? item.map((one) => JSON.stringify(one)).sort() : item));

for (const [name, make] of Object.entries(makers)) {
  test(`${name}: the same calls give what LangGraph's MemorySaver gives`, async () => {
    const ids = [0, 1, 2, 3, 4].map(uuid6);
    const [ours, theirs] = [await script(await make(), ids), await script(new PeerSaver(), ids)];
    sorted(theirs).forEach((item, index) =>
      assert.deepEqual(sorted(ours)[index], item, `call ${index}`),
    );
  });

  test(`${name}: what waits on a checkpoint comes by the path of its task, then its id, then its place`, async () => {
    const told = new Map();
    class Told extends PeerSaver {
      putWrites(config, writes, taskId, taskPath) {
        told.set(taskId, taskPath);
        return super.putWrites(config, writes, taskId, taskPath);
      }
    }
    const state = (lib) =>
      lib.Annotation.Root({
        log: lib.Annotation({ reducer: (left, right) => left.concat(right), default: () => [] }),
      });
    const build = (lib, checkpointer) =>
      new lib.StateGraph(state(lib))
        .addNode(
          "a",
          () =>
            new lib.Command({
              update: { log: ["a"] },
              goto: [new lib.Send("s", 1), new lib.Send("s", 2), "z", "b"],
            }),
          { ends: ["s", "z", "b"] },
        )
        .addNode("s", (n) => ({ log: [n] }))
        .addNode("z", () => ({ log: ["z"] }))
        .addNode("b", () => ({ log: [lib.interrupt("q")] }))
        .addEdge(lib.START, "a")
        .compile({ checkpointer });
    for (const [saver, lib] of [
      [await make(), weft],
      [await make(), langgraph],
      [new Told(), weft],
    ]) {
      const graph = build(lib, saver);
      await graph.invoke({ log: [] }, at("t"));
      const { pendingWrites } = await saver.getTuple(at("t"));
      assert.deepEqual(
        pendingWrites.map(([, channel, value]) => (channel === "log" ? value : channel)),
        ["__interrupt__", ["z"], [1], [2]],
      );
      await graph.invoke(new lib.Command({ resume: "r" }), at("t"));
      const tuple = await saver.getTuple((await saver.getTuple(at("t"))).parentConfig);
      assert.deepEqual(
        tuple.pendingWrites.map(([, channel, value]) => (channel === "log" ? value : channel)),
        ["__resume__", "__resume__", "__interrupt__", ["r"], ["z"], [1], [2]],
      );
    }
    assert.deepEqual([...told.values()].sort(), [
      "",
      "~__pregel_pull, __start__",
      "~__pregel_pull, a",
      "~__pregel_pull, b",
      "~__pregel_pull, z",
      "~__pregel_push, 0000000000, 0000000000",
      "~__pregel_push, 0000000001, 0000000000",
    ]);
  });

  test(`${name}: LangGraph's own graph runs on it, and ours goes on`, async () => {
    const saver = await make();
    const thread = { configurable: { thread_id: "t" } };
    const build = (lib) =>
      new lib.StateGraph(lib.MessagesAnnotation)
        .addNode("ask", () => ({
          messages: [{ role: "ai", content: `${lib.interrupt("q")}`, id: "answer" }],
        }))
        .addNode("end", ({ messages }) => ({
          messages: [{ role: "ai", content: String(messages.length), id: `n${messages.length}` }],
        }))
        .addEdge(lib.START, "ask")
        .addEdge("ask", "end")
        .compile({ checkpointer: saver });
    const asked = await build(langgraph).invoke(
      { messages: [{ role: "user", content: "hi", id: "h" }] },
      thread,
    );
    assert.equal(asked.__interrupt__[0].value, "q");
    assert.equal((await build(weft).getState(thread)).tasks[0].interrupts[0].value, "q");
    const done = await build(weft).invoke(new weft.Command({ resume: "yes" }), thread);
    assert.deepEqual(
      done.messages.map(({ id, content }) => [id, content]),
      [
        ["h", "hi"],
        ["answer", "yes"],
        ["n2", "2"],
      ],
    );
    await build(langgraph).updateState(
      thread,
      { messages: [{ role: "user", content: "more", id: "m" }] },
      "end",
    );
    const back = await build(langgraph).getState(thread);
    assert.deepEqual(
      back.values.messages.map(({ id }) => id),
      ["h", "answer", "n2", "m"],
    );
    assert.deepEqual(
      (await build(weft).getState(thread)).values.messages.map(({ id }) => id),
      ["h", "answer", "n2", "m"],
    );
  });
}

const State = weft.Annotation.Root({
  log: weft.Annotation({ reducer: (left, right) => left.concat(right), default: () => [] }),
});
const chain = (checkpointer) =>
  new weft.StateGraph(State)
    .addNode("a", () => ({ log: ["a"] }))
    .addNode("b", () => ({ log: ["b"] }))
    .addEdge(weft.START, "a")
    .addEdge("a", "b")
    .compile({ checkpointer });
const thread = { configurable: { thread_id: "t" } };

test("a subclass's methods are called", async () => {
  const calls = [];
  class Noting extends weft.MemorySaver {
    async put(config, checkpoint, metadata, versions) {
      calls.push(metadata.step);
      return super.put(config, checkpoint, metadata, versions);
    }
  }
  const saver = new Noting();
  assert.deepEqual(await chain(saver).invoke({ log: ["in"] }, thread), { log: ["in", "a", "b"] });
  assert.deepEqual(calls, [-1, 0, 1, 2]);
  assert.deepEqual(Object.keys(saver.storage), ["t"]);
  assert.deepEqual(await chain(saver).invoke({ log: ["more"] }, thread), {
    log: ["in", "a", "b", "more", "a", "b"],
  });
});

test("a method that is replaced on the object is called, one of a saver that is not is left out", async () => {
  const saver = new weft.MemorySaver();
  assert.ok(saver.logStore);
  let asked = 0;
  saver.getTuple = async (config) => (
    asked++, weft.MemorySaver.prototype.getTuple.call(saver, config)
  );
  assert.equal(saver.logStore, undefined);
  await chain(saver).invoke({ log: [] }, thread);
  assert.equal(asked, 1);
});

test("storage and writes are there when they are asked for, and are the thread from then on", async () => {
  const saver = new weft.MemorySaver();
  await chain(saver).invoke({ log: ["in"] }, thread);
  assert.ok(saver.logStore);
  const ids = Object.keys(saver.storage.t[""]);
  assert.equal(ids.length, 4);
  assert.equal(Object.keys(saver.writes).length, 3);
  assert.equal(saver.logStore, undefined);
  const last = JSON.parse(new TextDecoder().decode(saver.storage.t[""][ids.sort().at(-1)][0]));
  assert.deepEqual(last.channel_values.log, ["in", "a", "b"]);
  assert.deepEqual(await chain(saver).invoke({ log: [] }, thread), {
    log: ["in", "a", "b", "a", "b"],
  });
  assert.equal(Object.keys(saver.storage.t[""]).length, 8);
  assert.deepEqual(await saver.listThreads(), ["t"]);
});

test("a serializer of one's own is used", async () => {
  const inner = new JsonPlusSerializer();
  const seen = [];
  const serde = {
    dumpsTyped: (value) => (seen.push(value), inner.dumpsTyped(value)),
    loadsTyped: (type, data) => inner.loadsTyped(type, data),
  };
  const saver = new weft.MemorySaver(serde);
  await chain(saver).invoke({ log: ["in"] }, thread);
  assert.ok(seen.some((value) => value?.channel_values?.log?.length === 3));
});

test("a saver of one's own: BaseCheckpointSaver is enough to extend", async () => {
  class Own extends weft.BaseCheckpointSaver {
    inner = new weft.MemorySaver();
    getTuple(config) {
      return this.inner.getTuple(config);
    }
    async *list(config, options) {
      yield* this.inner.list(config, options);
    }
    put(...given) {
      return this.inner.put(...given);
    }
    putWrites(...given) {
      return this.inner.putWrites(...given);
    }
    deleteThread(id) {
      return this.inner.deleteThread(id);
    }
  }
  const saver = new Own();
  assert.deepEqual(await chain(saver).invoke({ log: ["in"] }, thread), { log: ["in", "a", "b"] });
  assert.equal((await chain(saver).getState(thread)).metadata.step, 2);
  assert.equal(JSON.stringify(saver), '"[Own]"');
  assert.equal(saver.getNextVersion(undefined), 1);
  assert.throws(
    () => saver.getNextVersion("1"),
    /Please override this method to use string versions/,
  );
});

test("prototype keys are refused", async () => {
  const saver = new weft.MemorySaver();
  for (const id of ["__proto__", "constructor", "prototype", ""]) {
    await assert.rejects(
      saver.put(at(id), weft.emptyCheckpoint(), {}, {}),
      /Invalid configurable value/,
    );
    await assert.rejects(saver.deleteThread(id), /Invalid configurable value/);
  }
  await assert.rejects(
    saver.putWrites(at("t", "x"), [["a", 1]], "__proto__"),
    /Invalid configurable value for key "task_id"/,
  );
  assert.equal({}.polluted, undefined);
});

test("a graph's thread of such a name harms nothing, and can be deleted", async () => {
  const saver = new weft.MemorySaver();
  const graph = new weft.StateGraph(weft.Annotation.Root({ n: weft.Annotation }))
    .addNode("a", () => ({ n: 1 }))
    .addEdge(weft.START, "a")
    .compile({ checkpointer: saver });
  for (const thread_id of ["__proto__", "constructor"]) {
    await graph.invoke({}, { configurable: { thread_id } });
    assert.deepEqual(await saver.listThreads(), [thread_id]);
    await saver.deleteThread(thread_id);
    assert.deepEqual(await saver.listThreads(), []);
  }
  assert.equal({}.n, undefined);
});

test("checkpoints and versions as data", () => {
  const empty = weft.emptyCheckpoint();
  assert.deepEqual(
    [empty.v, empty.channel_values, empty.channel_versions, empty.versions_seen],
    [4, {}, {}, {}],
  );
  const copy = weft.copyCheckpoint({ ...empty, versions_seen: { a: { b: 1 } }, extra: 1 });
  assert.deepEqual(Object.keys(copy), [
    "v",
    "id",
    "ts",
    "channel_values",
    "channel_versions",
    "versions_seen",
  ]);
  assert.deepEqual(
    [
      compareChannelVersions(1, 3),
      compareChannelVersions("b", "a"),
      compareChannelVersions(2, 2),
      maxChannelVersion(1, 5, 3),
    ],
    [-1, 1, 0, 5],
  );
  assert.deepEqual(deepCopy({ a: [{ b: null }] }), { a: [{ b: null }] });
  assert.equal(getCheckpointId({ configurable: { thread_ts: "x" } }), "x");
  const ids = Array.from({ length: 100 }, (_, step) => uuid6(step));
  assert.deepEqual(ids.slice().sort(), ids);
});

test("JsonPlus: the same bytes as LangGraph's, and nothing else is revived", async () => {
  const [ours, theirs] = [new JsonPlusSerializer(), new PeerSaver().serde];
  const circle = { a: 1 };
  circle.self = circle;
  const values = [
    undefined,
    null,
    1,
    "x",
    new Set([1, { a: undefined }]),
    new Map([["k", new Set([1])]]),
    /a/gi,
    new TypeError("boom"),
    new Date(0),
    [1, undefined, () => 1],
    { f: () => 1, n: NaN, u: new Uint8Array([1]) },
    circle,
    new weft.Send("n", { a: 1 }),
    new weft.HumanMessage({ id: "1", content: "hi" }),
  ];
  for (const value of values) {
    const [[type, bytes], [peerType, peerBytes]] = [
      await ours.dumpsTyped(value),
      await theirs.dumpsTyped(value),
    ];
    assert.deepEqual(
      [type, new TextDecoder().decode(bytes)],
      [peerType, new TextDecoder().decode(peerBytes)],
    );
  }
  assert.deepEqual(
    await ours.loadsTyped(
      "json",
      '{"a":{"lc":2,"type":"undefined"},"m":{"lc":2,"type":"constructor","id":["Map"],"args":[[["a",1]]]}}',
    ),
    { a: undefined, m: new Map([["a", 1]]) },
  );
  const message = await ours.loadsTyped(
    ...(await ours.dumpsTyped(new weft.AIMessage({ id: "1", content: "x" }))),
  );
  assert.ok(message instanceof weft.AIMessage);
  for (const hostile of [
    '{"lc":2,"type":"constructor","id":["Function"],"args":["return 1"]}',
    '{"lc":2,"type":"constructor","id":["Object"],"method":"assign","args":[]}',
    '{"__proto__":{"polluted":1}}',
  ]) {
    const value = await ours.loadsTyped("json", hostile);
    assert.deepEqual(Object.keys(value), Object.keys(JSON.parse(hostile)));
    assert.equal({}.polluted, undefined);
  }
  await assert.rejects(ours.loadsTyped("other", "x"), /Unknown serialization type: other/);
});

test("a list of messages in a channel with another reducer: no side loses it", async () => {
  const build = (lib, checkpointer, field) =>
    new lib.StateGraph(lib.Annotation.Root({ items: field }))
      .addNode("a", () => ({ items: [{ role: "ai", content: "a", id: `a${Math.random()}` }] }))
      .addEdge(lib.START, "a")
      .compile({ checkpointer });
  const concat = (lib) =>
    lib.Annotation({ reducer: (left, right) => left.concat(right), default: () => [] });
  const messages = (lib) =>
    lib.Annotation({ reducer: lib.messagesStateReducer, default: () => [] });
  const hello = () => ({ items: [new weft.HumanMessage({ content: "hi", id: "h" })] });
  for (const make of [makers.FileSaver, makers.MemorySaver]) {
    // LangGraph.js's graph puts messages under a reducer that Weft's engine does not know.
    const saver = await make();
    await build(langgraph, saver, concat(langgraph)).invoke(hello(), thread);
    const graph = build(weft, saver, concat(weft));
    assert.equal((await graph.getState(thread)).values.items.length, 2);
    assert.equal((await graph.invoke(hello(), thread)).items.length, 4);
    // A graph whose reducer was exchanged.
    const other = await make();
    await build(weft, other, concat(weft)).invoke(hello(), thread);
    assert.equal(
      (
        await build(weft, other, messages(weft)).invoke(
          { items: [new weft.HumanMessage({ content: "more", id: "m" })] },
          thread,
        )
      ).items.length,
      4,
    );
    const third = await make();
    await build(weft, third, messages(weft)).invoke(hello(), thread);
    const states = [];
    for await (const snapshot of build(weft, third, concat(weft)).getStateHistory(thread))
      states.push(snapshot.values.items.length);
    assert.deepEqual(states, [2, 1, 0]);
  }
});

for (const [name, make] of Object.entries({
  ...makers,
  "LangGraph's MemorySaver": async () => new PeerSaver(),
})) {
  test(`${name}: another graph that goes on with a thread leaves the channels it does not know`, async () => {
    const { Annotation, START, StateGraph } = weft;
    const config = { configurable: { thread_id: "shared" } };
    const checkpointer = await make();
    const line = (state, update) =>
      new StateGraph(state)
        .addNode("write", () => update)
        .addEdge(START, "write")
        .compile({ checkpointer });
    const joined = Annotation({ reducer: (left, right) => left.concat(right), default: () => [] });
    const first = line(Annotation.Root({ count: Annotation(), said: joined }), {
      count: 1,
      said: [{ role: "user", content: "one" }],
    });
    const second = line(Annotation.Root({ said: weft.MessagesAnnotation.spec.messages }), {
      said: [{ role: "user", content: "two" }],
    });
    await first.invoke({}, config);
    await second.invoke({ said: [] }, config);
    const { values } = await first.getState(config);
    assert.equal(values.count, 1);
    assert.deepEqual(
      values.said.map(({ content }) => content),
      ["one", "two"],
    );
    assert.deepEqual((await second.invoke({ said: [] }, config)).count, undefined);
  });
}
