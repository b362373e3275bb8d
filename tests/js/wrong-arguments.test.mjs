// SPDX-License-Identifier: MIT
// Serves: R12: arguments of the wrong type are refused with a code and a text that names them, and what was called works afterwards.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Annotation, MemorySaver, START, StateGraph } from "weftgraph";

const State = Annotation.Root({ a: Annotation() });
const ALL = {
  a_symbol: Symbol("s"), a_number: 5, true: true, an_empty_object: {}, without_prototype: Object.create(null),
  throws_as_text: { toString() { throw new Error("no text"); } }, a_function: () => {},
};
const WRONG = {
  callbacks: ALL,
  signal: ALL,
  tags: ALL,
  recursionLimit: { a_symbol: ALL.a_symbol, an_object: {}, without_prototype: ALL.without_prototype },
  timeout: { a_symbol: ALL.a_symbol, an_object: {}, without_prototype: ALL.without_prototype },
  maxConcurrency: { a_symbol: ALL.a_symbol, an_object: {} },
};
const THREAD = { configurable: { thread_id: "1" } };
const app = new StateGraph(State).addNode("x", ({ a }) => ({ a: a + 1 })).addEdge(START, "x").compile({ checkpointer: new MemorySaver() });
const CALLS = {
  invoke: (config) => app.invoke({ a: 1 }, config),
  stream: async (config) => { for await (const _ of await app.stream({ a: 1 }, config)); },
  batch: (config) => app.batch([{ a: 1 }], config),
  getState: (config) => app.getState(config),
  getStateHistory: async (config) => { for await (const _ of app.getStateHistory(config)); },
  updateState: (config) => app.updateState(config, { a: 1 }),
  withConfig: async (config) => app.withConfig(config),
};

for (const [call, run] of Object.entries(CALLS)) {
  test(`${call}: a config of the wrong kind is refused by the name of its key, and the thread works afterwards`, async () => {
    for (const [key, values] of Object.entries(WRONG)) {
      for (const [name, value] of Object.entries(values)) {
        await assert.rejects(run({ ...THREAD, [key]: value }), { code: "BAD_ARGUMENT", message: new RegExp(`config\\.${key} must be`) }, `${key}: ${name}`);
      }
    }
    assert.equal((await app.invoke({ a: 1 }, THREAD)).a, 2);
    assert.equal((await app.getState(THREAD)).values.a, 2);
  });
}

test("addEdge and addConditionalEdges name what they are given", () => {
  for (const wrong of [Symbol("s"), null, 5, {}, undefined]) {
    const graph = new StateGraph(State).addNode("x", () => ({}));
    assert.throws(() => graph.addEdge(wrong, "x"), { code: "BAD_ARGUMENT", message: /addEdge.*startKey/ });
    assert.throws(() => graph.addConditionalEdges(wrong, () => "x"), { code: "BAD_ARGUMENT", message: /addConditionalEdges.*source/ });
    graph.addEdge(START, "x").compile();
  }
});
