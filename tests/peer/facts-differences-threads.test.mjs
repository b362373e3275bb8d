// SPDX-License-Identifier: MIT
// docs/differences.md, threads and values: each claim holds of LangGraph.js, and Weft does the
// other thing.
import { setTimeout as pause } from "node:timers/promises";
import { MemorySaver as TheirSaver } from "@langchain/langgraph";
import { chain, logState, thread } from "./harness.mjs";
import { differs, saved, shownBy, sideBySide, tried, turns } from "./differences.mjs";
import { drain } from "./scripted-model.mjs";

const fails = (text) => {
  throw new Error(text);
};
const logOf = async (graph, config) => (await graph.getState(config)).values.log;
const history = (graph) => drain(graph.getStateHistory(thread("t")));

differs(
  "runs of one thread wait for each other",
  async (lib) => {
    const graph = chain(lib, { a: ({ log }) => pause(5, { log: [log.length] }) }, saved(lib));
    const run = (text) => graph.invoke({ log: [text] }, thread("t"));
    await Promise.all([run("one"), run("two")]);
    return logOf(graph, thread("t"));
  },
  { theirs: ["two", 1], ours: ["one", 1, "two", 3] },
);

differs(
  '`checkpoint_ns: ""` given inside a node is the root of the thread',
  async (lib) => {
    const options = saved(lib);
    const other = chain(lib, { a: ({ log }) => ({ log: [log.length] }) }, options);
    await other.invoke({ log: ["first"] }, thread("other"));
    const config = thread("other", { configurable: { checkpoint_ns: "" } });
    const node = async () => ({ log: (await other.invoke({ log: ["in"] }, config)).log });
    return shownBy(await chain(lib, { node }, options).invoke({ log: [] }, thread("t")));
  },
  { theirs: ["in", 1], ours: ["first", 1, "in", 3] },
);

differs(
  "a checkpoint that is not there is nobody's parent",
  async (lib) => {
    const checkpoint_id = "1ef00000-0000-6000-8000-000000000000";
    const graph = chain(lib, { a: () => ({}) }, saved(lib));
    const go = async (input) => {
      const before = (await history(graph)).length;
      await graph.invoke(input, thread("t", { configurable: { checkpoint_id } }));
      const made = (await history(graph)).slice(0, -before || undefined);
      return [made.length, made.at(-1).parentConfig?.configurable.checkpoint_id === checkpoint_id];
    };
    return [await go({ log: [] }), await go(new lib.Command({ goto: "a" }))];
  },
  {
    theirs: [
      [3, true],
      [3, true],
    ],
    ours: [
      [3, false],
      [2, false],
    ],
  },
);

differs(
  "D3: an edit by a Command belongs to the checkpoint that it makes",
  async (lib) => {
    const nodes = { a: () => ({ log: ["a"] }), b: () => ({ log: ["b"] }) };
    const graph = chain(lib, nodes, saved(lib, { interruptBefore: ["b"] }));
    await graph.invoke({ log: [] }, thread("t"));
    const { config } = await graph.getState(thread("t"));
    await graph.invoke(new lib.Command({ update: { log: ["edit"] } }), thread("t"));
    return shownBy(await graph.invoke(null, config));
  },
  { theirs: ["a", "edit", "b"], ours: ["a", "b"] },
);

differs(
  "D3: under durability exit such an edit counts once",
  async (lib) => {
    let isBroken = true;
    const graph = chain(lib, { a: () => (isBroken ? fails("a") : {}) }, saved(lib));
    const go = (input) =>
      tried(() => graph.invoke(input, thread("t", { durability: "exit" }))).then(shownBy);
    await go({ log: [] });
    await go(new lib.Command({ update: { log: ["edit"] } }));
    isBroken = false;
    return go(null);
  },
  { theirs: ["edit", "edit"], ours: ["edit"] },
);

differs(
  "D3: an edit inside a graph that has saved nothing yet takes that graph's nodes",
  async (lib) => {
    const inner = chain(lib, { deep: () => ({}) });
    const graph = chain(lib, { inner: [inner] }, saved(lib, { interruptBefore: ["inner"] }));
    await graph.invoke({ log: [] }, thread("t"));
    const { tasks } = await graph.getState(thread("t"), { subgraphs: true });
    const { config } = tasks[0].state;
    return tried(async () => (await graph.updateState(config, { log: ["e"] }, "deep"), "edited"));
  },
  { theirs: 'InvalidUpdateError: Node "deep" does not exist', ours: "edited" },
);

differs(
  "D7: under durability exit a step that two writers of a LastValue break is not half applied",
  async (lib) => {
    let writes = { last: 1 };
    const log = logState(lib, { last: lib.Annotation });
    const nodes = { p: () => ({}), a: () => writes, b: () => writes, z: () => ({ log: ["z"] }) };
    const builder = new lib.StateGraph(log);
    for (const [name, act] of Object.entries(nodes)) builder.addNode(name, act);
    builder.addEdge(lib.START, "p").addEdge("p", "a").addEdge("p", "b").addEdge(["a", "b"], "z");
    const graph = builder.compile(saved(lib));
    await tried(() => graph.invoke({ log: [] }, thread("t", { durability: "exit" })));
    writes = {};
    // The step stays to be done, with what its tasks wrote.
    return tried(async () => shownBy(await graph.invoke(null, thread("t"))));
  },
  { theirs: [], ours: 'InvalidUpdateError: Invalid update for channel "last" with values [1,1]' },
);

differs(
  "D12: under durability exit time travel goes back inside a graph with `checkpointer: true`",
  async (lib) => {
    const seen = [];
    const inner = chain(
      lib,
      {
        i: ({ log }) => (seen.push(log.length), { log: ["i"] }),
        asks: () => (lib.interrupt("q"), {}),
      },
      { checkpointer: true },
    );
    const node = async () => (await inner.invoke({ log: [] }), {});
    const graph = chain(lib, { node }, saved(lib));
    const exit = { durability: "exit" };
    await graph.invoke({ log: [] }, thread("t", exit));
    const { config } = await graph.getState(thread("t"));
    await graph.invoke(new lib.Command({ resume: 1 }), thread("t", exit));
    await graph.invoke(null, { ...config, ...exit });
    return seen;
  },
  { theirs: [0, 1], ours: [0, 0] },
);

differs(
  "D9: a deferred node waits through an update beside finished neighbours",
  async (lib) => {
    const ran = [];
    const node = (name) => () => (ran.push(name), {});
    const graph = sideBySide(lib, { a: node("a"), b: async () => (await pause(3), fails("b")) })
      .addNode("c", node("c"))
      .addNode("d", node("d"), { defer: true })
      .addEdge("a", "d")
      .addEdge("b", "c")
      .addEdge("c", "d")
      .compile(saved(lib));
    await tried(() => graph.invoke({ log: [] }, thread("t")));
    await graph.updateState(thread("t"), {}, "b");
    await graph.invoke(null, thread("t"));
    return ran;
  },
  { theirs: ["a", "c", "d", "d"], ours: ["a", "c", "d"] },
);

differs(
  "updateState keeps what a Command wrote beside an answer, where the checkpoint is named",
  async (lib) => {
    const a = () => ({ log: [lib.interrupt("one"), lib.interrupt("two")] });
    const graph = chain(lib, { a }, saved(lib));
    await graph.invoke({ log: [] }, thread("t"));
    const update = { log: ["beside"] };
    await graph.invoke(new lib.Command({ resume: 1, update }), thread("t"));
    const { config } = await graph.getState(thread("t"));
    await graph.updateState(config, { log: ["edit"] }, "a");
    return logOf(graph, thread("t"));
  },
  { theirs: ["edit"], ours: ["beside", "edit"] },
);

differs(
  "updateState keeps what the nodes of such a Command's goto wrote",
  async (lib) => {
    const asks = (name) => () => (lib.interrupt(name), { log: [name] });
    const graph = sideBySide(lib, { p: () => ({}) })
      .addNode("a", asks("a"))
      .addNode("b", asks("b"))
      .addNode("k", () => ({ log: ["k"] }))
      .addConditionalEdges("p", () => ["a", "b"], ["a", "b", "k"])
      .compile(saved(lib));
    const [{ id }] = (await graph.invoke({ log: [] }, thread("t"))).__interrupt__;
    await graph.invoke(new lib.Command({ resume: { [id]: 1 }, goto: "k" }), thread("t"));
    await graph.updateState(thread("t"), { log: ["edit"] }, "b");
    return logOf(graph, thread("t"));
  },
  { theirs: ["a", "edit"], ours: ["a", "k", "edit"] },
);

differs(
  "channels of another graph stay",
  async (lib) => {
    const options = saved(lib);
    const a = () => ({ log: ["a"] });
    const one = chain(lib, { a }, { ...options, state: logState(lib, { own: lib.Annotation }) });
    const two = chain(lib, { a }, { ...options, state: logState(lib) });
    await one.invoke({ log: [], own: "kept" }, thread("t"));
    await two.invoke({ log: [] }, thread("t"));
    return (await one.getState(thread("t"))).values.own;
  },
  { theirs: undefined, ours: "kept" },
);

differs(
  "on a saver that keeps values by their versions they stay in both",
  async (lib) => {
    const values = {};
    class ByVersion extends TheirSaver {
      async put(config, checkpoint, ...more) {
        for (const [name, version] of Object.entries(checkpoint.channel_versions))
          values[`${name} ${version}`] ??= checkpoint.channel_values[name];
        return super.put(config, checkpoint, ...more);
      }
      async getTuple(config) {
        const tuple = await super.getTuple(config);
        for (const [name, version] of Object.entries(tuple?.checkpoint.channel_versions ?? {}))
          tuple.checkpoint.channel_values[name] = values[`${name} ${version}`];
        return tuple;
      }
    }
    const checkpointer = new ByVersion();
    const a = () => ({ log: ["a"] });
    const own = logState(lib, { own: lib.Annotation });
    const one = chain(lib, { a }, { checkpointer, state: own });
    await one.invoke({ log: [], own: "kept" }, thread("t"));
    await chain(lib, { a }, { checkpointer, state: logState(lib) }).invoke({}, thread("t"));
    return (await one.getState(thread("t"))).values.own;
  },
  { theirs: "kept", ours: "kept" },
);

const REMOVAL = "Error: Attempting to delete a message with an ID that doesn't exist ('none')";
differs(
  "writes that cannot be applied leave a thread that can be read",
  async (lib) => {
    const look = async (message) => {
      const node = () => ({ messages: [message] });
      const graph = chain(lib, { node }, saved(lib, { state: lib.MessagesAnnotation }));
      await tried(() => graph.invoke({ messages: [] }, thread("t")));
      return tried(async () => (await graph.getState(thread("t"))).values.messages.length);
    };
    return [await look(7), await look(new lib.RemoveMessage({ id: "none" }))];
  },
  {
    theirs: ["Error: Unable to coerce message from array", REMOVAL],
    ours: [0, 0],
  },
);

differs(
  "a state after a failure has what finished tasks wrote to Topics, AnyValues and EphemeralValues",
  async (lib) => {
    const state = logState(lib, {
      topic: () => new lib.Topic(),
      any: () => new lib.AnyValue(),
      once: () => new lib.EphemeralValue(false),
    });
    const a = () => ({ log: ["a"], topic: "t", any: "a", once: "o" });
    const b = async () => (await pause(2), fails("b"));
    const graph = sideBySide(lib, { a, b }, { state }).compile(saved(lib));
    await tried(() => graph.invoke({ log: [] }, thread("t")));
    return (await graph.getState(thread("t"))).values;
  },
  { theirs: { log: ["a"] }, ours: { log: ["a"], topic: ["t"], any: "a", once: "o" } },
);

differs(
  "the states of one history share their values",
  async (lib) => {
    const graph = chain(lib, { a: () => ({}), b: () => ({}) }, saved(lib));
    await graph.invoke({ log: [], x: {} }, thread("t"));
    const [last, before] = await history(graph);
    return last.values.x === before.values.x;
  },
  { theirs: false, ours: true },
);

differs(
  "a namespace is its labels",
  async (lib) => {
    const store = new lib.InMemoryStore();
    const cache = new lib.InMemoryCache();
    await cache.set([{ key: [["a,b"], "k"], value: "of a,b" }]);
    return {
      colon: await tried(async () => (await store.put(["a:b"], "k", {}), "kept")),
      comma: await cache.get([[["a", "b"], "k"]]),
      namespace: await tried(() => store.put("a", "k", {})),
      key: await tried(async () => (await store.put(["a"], {}, {}), "kept")),
      value: await tried(async () => (await store.put(["a"], "k", undefined), "kept")),
      list: await tried(() => store.batch(null)),
    };
  },
  {
    theirs: {
      colon: "InvalidNamespaceError: Invalid namespace label 'a",
      comma: [{ key: [["a", "b"], "k"], value: "of a,b" }],
      namespace: "TypeError: namespace",
      key: "kept",
      value: "kept",
      list: "TypeError: Cannot read properties of null (reading 'length')",
    },
    ours: {
      colon: "kept",
      comma: [],
      namespace: "BAD_ARGUMENT",
      key: "BAD_ARGUMENT",
      value: "BAD_ARGUMENT",
      list: "BAD_ARGUMENT",
    },
  },
);

differs(
  "a store's batch ends with its turn of the microtask queue",
  async (lib) => {
    const store = new lib.InMemoryStore();
    const batches = [];
    const { batch } = store;
    store.batch = (operations) => (batches.push(operations.length), batch.call(store, operations));
    const a = async (_, config) => {
      const get = (key) => config.store.get(["n"], key);
      const first = [get("1"), get("2")];
      await turns(5);
      await Promise.all([...first, get("3")]);
      return {};
    };
    await chain(lib, { a }, { store }).invoke({ log: [] });
    return batches;
  },
  { theirs: [3], ours: [2, 1] },
);

differs(
  "Dates stay Dates",
  async (lib) => {
    const a = () => ({ x: new Date(0) });
    const options = saved(lib);
    await chain(lib, { a }, options).invoke({ log: [] }, thread("t"));
    const { values } = await chain(lib, { a }, options).getState(thread("t"));
    return values.x instanceof Date ? "a Date" : values.x;
  },
  { theirs: "1970-01-01T00:00:00.000Z", ours: "a Date" },
);

differs(
  "D8: a message without an id gets one when its node returns it, and keeps it",
  async (lib) => {
    let isBroken = true;
    const a = () => ({ messages: [new lib.AIMessage("a")] });
    const b = async () => (await pause(3), isBroken ? fails("b") : {});
    const graph = sideBySide(lib, { a, b }, { state: lib.MessagesAnnotation }).compile(saved(lib));
    await tried(() => graph.invoke({ messages: [] }, thread("t")));
    const look = async () => (await graph.getState(thread("t"))).values.messages[0].id;
    const ids = [await look(), await look()];
    isBroken = false;
    await graph.invoke(null, thread("t"));
    return new Set([...ids, await look()]).size;
  },
  { theirs: 3, ours: 1 },
);

differs(
  "D8: a task's result in the state shows messages; the text of an error about two Overwrites does not",
  async (lib) => {
    const state = lib.MessagesAnnotation;
    const graph = chain(lib, { a: () => ({ messages: [["ai", "a"]] }) }, saved(lib, { state }));
    await graph.invoke({ messages: [] }, thread("t"));
    const [, { tasks }] = await history(graph);
    const write = () => ({ messages: new lib.Overwrite([new lib.AIMessage("secret")]) });
    const two = sideBySide(lib, { a: write, b: write }, { state }).compile();
    const { message } = await two.invoke({ messages: [] }).catch((error) => error);
    return [Array.isArray(tasks[0].result.messages[0]), message.includes("secret")];
  },
  { theirs: [true, true], ours: [false, false] },
);

differs(
  "messages whose id is an empty text stay apart; of two with one id in an Overwrite the last one stays",
  async (lib) => {
    const pair = (id) => ["1", "2"].map((content) => new lib.AIMessage({ id, content }));
    const read = async (messages) => {
      const graph = chain(lib, { a: () => ({ messages }) }, { state: lib.MessagesAnnotation });
      return (await graph.invoke({ messages: [] })).messages.map(({ text }) => text);
    };
    return [await read(pair("")), await read(new lib.Overwrite(pair("x")))];
  },
  { theirs: [["2"], ["1", "2"]], ours: [["1", "2"], ["2"]] },
);

/** How a DeltaChannel `list` stands in each checkpoint, the newest first. */
async function rowsOf(checkpointer) {
  const rows = [];
  for await (const { checkpoint, metadata } of checkpointer.list(thread("t"))) {
    const value = checkpoint.channel_values.list;
    const isCounted = metadata.counters_since_delta_snapshot !== undefined;
    rows.push(
      `${metadata.step} ${value?.lg_name ?? value ?? "changes"}${isCounted ? ", counted" : ""}`,
    );
  }
  return rows;
}
const deltas = (lib) =>
  lib.Annotation.Root({
    list: () => new lib.DeltaChannel((value, writes) => value.concat(writes.flat()), {}),
  });

differs(
  "a DeltaChannel that several nodes write in one step is stored whole on LangGraph.js's savers",
  async (lib) => {
    const checkpointer = new TheirSaver();
    const node = (name) => () => ({ list: [name] });
    const graph = sideBySide(lib, { a: node("a"), b: node("b") }, { state: deltas(lib) });
    await graph.compile({ checkpointer }).invoke({ list: ["in"] }, thread("t"));
    return (await rowsOf(checkpointer))[0];
  },
  { theirs: "1 changes, counted", ours: "1 DeltaSnapshot" },
);

differs(
  "our own savers store changes of every channel; durability exit keeps one checkpoint",
  async (lib) => {
    const rows = [];
    for (const durability of ["async", "exit"]) {
      const options = saved(lib, { state: deltas(lib) });
      const graph = chain(lib, { a: () => ({ list: ["a"] }) }, options);
      await graph.invoke({ list: ["in"] }, thread("t", { durability }));
      rows.push(await rowsOf(options.checkpointer));
    }
    return [rows[0][0], rows[1]];
  },
  {
    theirs: ["1 changes, counted", ["1 changes, counted", "-2 changes"]],
    ours: ["1 in,a", ["1 in,a"]],
  },
);

differs(
  "a checkpointer is told no path of what a task() gave",
  async (lib) => {
    const paths = [];
    class Listening extends TheirSaver {
      putWrites(config, writes, task, path) {
        if (writes[0][0] === "__return__") paths.push(path === "");
        return super.putWrites(config, writes, task);
      }
    }
    const one = lib.task("one", async () => 1);
    const work = lib.entrypoint({ name: "work", checkpointer: new Listening() }, () => one());
    await work.invoke({}, thread("t"));
    return paths;
  },
  { theirs: [false], ours: [true] },
);

differs(
  "a stored step whose tasks have all ended shows what follows as `next`",
  async (lib) => {
    class Dying extends TheirSaver {
      put(config, checkpoint, metadata, versions) {
        if (metadata.step > 0) fails("died");
        return super.put(config, checkpoint, metadata, versions);
      }
    }
    const options = { checkpointer: new Dying() };
    const graph = chain(lib, { a: () => ({}), b: () => ({}) }, options);
    await tried(() => graph.invoke({ log: [] }, thread("t")));
    return (await graph.getState(thread("t"))).next;
  },
  { theirs: [], ours: ["b"] },
);
