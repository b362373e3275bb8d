// SPDX-License-Identifier: MIT
// Facts 4.10 and 3.1 on a checkpointer made for LangGraph.js: when a DeltaChannel is stored whole,
// what is counted between, how a value is made of it again, and threads that one package leaves to
// the other.
import assert from "node:assert/strict";
import { test } from "node:test";
import { HumanMessage, RemoveMessage } from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import { LIBRARIES, fact, logState, thread } from "./harness.mjs";

/** A line of nodes that add to `list`; the reducer says how many writes it saw at once. */
function line(lib, saver, { snapshotFrequency = 3, calls = [], more = {} } = {}) {
  const reducer = (value, writes) => (
    calls.push([value.length, writes.length]), value.concat(writes.flat())
  );
  const list = () => new lib.DeltaChannel(reducer, { snapshotFrequency });
  return new lib.StateGraph(logState(lib, { list, last: lib.Annotation, ...more }))
    .addNode("a", () => ({ list: ["a"] }))
    .addNode("b", ({ list }) => ({ last: list.length }))
    .addNode("c", ({ list }) => ({ list: ["c", list.length] }))
    .addNode("d", ({ over }) => ({
      list: over ? new lib.Overwrite(["new"]) : [lib.interrupt("and?")],
    }))
    .addNode("e", ({ list }) => ({ list: ["e"], last: list.join() }))
    .addEdge(lib.START, "a")
    .addEdge("a", "b")
    .addEdge("b", "c")
    .addEdge("c", "d")
    .addEdge("d", "e")
    .compile({ checkpointer: saver });
}

async function stored(t, saver, config) {
  const rows = [];
  for await (const { checkpoint, metadata, pendingWrites } of saver.list(config)) {
    const { list, last } = checkpoint.channel_values;
    rows.push([
      metadata,
      list?.lg_name === "DeltaSnapshot" ? { snapshot: list.value } : list,
      last,
      pendingWrites.filter(([, channel]) => channel === "list").map(([, , value]) => value),
    ]);
  }
  t.note("stored", rows);
}

for (const snapshotFrequency of [1, 2, 3, 1000]) {
  fact(
    "4.10, 3.2",
    `a DeltaChannel stored whole every ${snapshotFrequency} updates`,
    async (lib, t) => {
      const saver = new MemorySaver();
      const calls = [];
      const graph = line(lib, saver, { snapshotFrequency, calls, more: { over: lib.Annotation } });
      const config = thread("t");
      const act = async (input) => {
        await t.invoke(graph, input, config);
        await t.state(graph, config);
      };
      await act({ list: ["in"] });
      await act(new lib.Command({ resume: "R" }));
      await act({ list: ["in2"], over: true });
      await act({ list: [new lib.Overwrite(["x"])].slice(1) });
      await t.update(graph, config, { list: ["upd"] }, "a");
      await act(null);
      t.note("calls", calls.length > 0);
      await stored(t, saver, config);
      await t.history(graph, config);
    },
  );
}

// LangGraph.js applies writes twice where history branches, so Weft is compared with itself on its
// own saver.
test("time travel and forks of a DeltaChannel", async () => {
  const lib = LIBRARIES.weft;
  const seen = [];
  for (const saver of [new MemorySaver(), new lib.MemorySaver()]) {
    const values = [];
    const graph = line(lib, saver);
    const note = async () => values.push((await graph.getState(thread("t"))).values);
    await graph.invoke({ list: ["in"] }, thread("t"));
    await graph.invoke(new lib.Command({ resume: "R" }), thread("t"));
    const history = [];
    for await (const snapshot of graph.getStateHistory(thread("t"))) history.push(snapshot);
    for (const at of [1, 3, 5, 3]) {
      await graph.invoke(null, history[at].config);
      await note();
    }
    await graph.updateState(history[2].config, { list: ["edit"] }, "a");
    await note();
    for (let turn = 0; turn < 2; turn++) {
      await graph.invoke(null, (await graph.getState(thread("t"))).config);
      await note();
    }
    for await (const snapshot of graph.getStateHistory(thread("t"))) values.push(snapshot.values);
    seen.push(values);
  }
  assert.deepEqual(seen[0], seen[1]);
});

fact("4.10, 13.1", "a DeltaChannel under durability exit and sync", async (lib, t) => {
  for (const durability of ["exit", "sync"]) {
    const graph = line(lib, new MemorySaver());
    for (const input of [{ list: ["in"] }, new lib.Command({ resume: "R" }), { list: ["again"] }]) {
      await t.invoke(graph, input, thread("t", { durability }));
      // Under exit Weft stores the whole value with each run that changed it.
      t.note("state", (await graph.getState(thread("t"))).values);
    }
  }
});

fact("4.10, 19.1", "messages as a DeltaValue", async (lib, t) => {
  const saver = new MemorySaver();
  const graph = new lib.StateGraph(new lib.StateSchema({ messages: lib.MessagesDeltaValue }))
    .addNode("a", () => ({ messages: [new HumanMessage({ content: "a", id: "1" })] }))
    .addNode("b", () => ({
      messages: [new RemoveMessage({ id: "1" }), new HumanMessage({ content: "b", id: "2" })],
    }))
    .addEdge(lib.START, "a")
    .addEdge("a", "b")
    .compile({ checkpointer: saver });
  for (const content of ["x", "y"]) {
    await t.invoke(graph, { messages: [{ role: "user", content, id: content }] }, thread("t"));
    await t.state(graph, thread("t"));
  }
});

for (const [first, second] of [
  ["langgraph", "weft"],
  ["weft", "langgraph"],
]) {
  for (const durability of ["async", "exit"]) {
    test(`a thread of a DeltaChannel goes from ${first} to ${second}, durability ${durability}`, async () => {
      const saver = new MemorySaver();
      const graphs = Object.fromEntries(
        Object.entries(LIBRARIES).map(([name, lib]) => [name, line(lib, saver)]),
      );
      const config = thread("t", { durability });
      await graphs[first].invoke({ list: ["in"] }, config);
      const before = (await graphs[first].getState(config)).values;
      assert.deepEqual((await graphs[second].getState(config)).values, before);
      const resumed = await graphs[second].invoke(
        new LIBRARIES[second].Command({ resume: "R" }),
        config,
      );
      assert.deepEqual(resumed.list, ["in", "a", "c", 2, "R", "e"]);
      const again = await graphs[first].invoke({ list: ["more"] }, config);
      assert.deepEqual(again.list, ["in", "a", "c", 2, "R", "e", "more", "a", "c", 8]);
      const values = [];
      for await (const snapshot of graphs[second].getStateHistory(config))
        values.push(snapshot.values);
      const theirs = [];
      for await (const snapshot of graphs[first].getStateHistory(config))
        theirs.push(snapshot.values);
      // By their ids, which two programs do not draw in order within a millisecond, a child may
      // stand before its parent.
      const sorted = (list) => list.map((one) => JSON.stringify(one)).sort();
      assert.deepEqual(sorted(values), sorted(theirs));
    });
  }
}

test("a checkpoint whose id is lower than its parent's is shown behind it, and goes on", async () => {
  const saver = new MemorySaver();
  const { weft: lib } = LIBRARIES;
  const graph = line(lib, saver);
  const config = thread("t");
  await graph.invoke({ list: ["in"] }, config);
  const { config: newest, checkpoint, metadata } = await saver.getTuple(config);
  const at = newest.configurable.checkpoint_id;
  const low = `${at.slice(0, 13)}-6000-8000-000000000000`;
  assert.ok(low < at);
  await saver.put(newest, { ...checkpoint, id: low }, { ...metadata, step: metadata.step + 1 });
  const steps = [];
  for await (const snapshot of graph.getStateHistory(config)) steps.push(snapshot.metadata.step);
  assert.deepEqual(steps, [4, 3, 2, 1, 0, -1]);
});
