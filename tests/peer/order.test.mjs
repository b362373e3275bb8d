// SPDX-License-Identifier: MIT
// The order of all chunks, across namespaces, of graphs inside nodes beside other nodes; and of steps whose nodes take
// turns of the microtask queue.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { compare, logState, thread } from "./harness.mjs";

/** What a node of this name does. @param {string} name @param {number} waits turns; below 0: it is synchronous */
function nodeOf(name, waits) {
  const update = { log: [name] };
  if (waits < 0) return () => update;
  return async () => {
    for (let i = 0; i < waits; i++) await null;
    return update;
  };
}

/** @param {any} lib @param {string[]} names @param {number} waits @returns {any} a graph of nodes one after the other */
function chain(lib, names, waits) {
  const builder = new lib.StateGraph(logState(lib));
  for (const [i, name] of names.entries()) builder.addNode(name, nodeOf(name, waits)).addEdge(i === 0 ? lib.START : names[i - 1], name);
  return builder.addEdge(names.at(-1), lib.END).compile();
}

/** @param {any} lib @param {Record<string, any>} nodes that all begin at once @param {any} [more] of compile() @returns {any} */
function beside(lib, nodes, more) {
  const builder = new lib.StateGraph(logState(lib));
  for (const [name, node] of Object.entries(nodes)) builder.addNode(name, node).addEdge(lib.START, name);
  return builder.compile(more);
}

const called = (graph) => async (state, config) => ({ log: (await graph.invoke({ log: [] }, config)).log });

/** @type {Record<string, (lib: any, waits: number) => Record<string, any>>} */
const PROGRAMS = {
  "a node before a graph": (lib, waits) => ({ a: nodeOf("a", waits), s: chain(lib, ["i"], waits) }),
  "a graph before a node": (lib, waits) => ({ s: chain(lib, ["i"], waits), z: nodeOf("z", waits) }),
  "two graphs": (lib, waits) => ({ s: chain(lib, ["i"], waits), t: chain(lib, ["j"], waits) }),
  "two graphs of two steps": (lib, waits) => ({ s: chain(lib, ["i", "j"], waits), t: chain(lib, ["k", "l"], waits) }),
  "graphs that nodes call": (lib, waits) => ({ s: called(chain(lib, ["i"], waits)), t: called(chain(lib, ["j"], waits)) }),
  "a graph that a node calls, and a node": (lib, waits) => ({ s: called(chain(lib, ["i", "j"], waits)), z: nodeOf("z", waits) }),
  "a graph inside a graph, and a node": (lib, waits) => ({ s: beside(lib, { n: chain(lib, ["i"], waits), m: nodeOf("m", waits) }), a: nodeOf("a", waits) }),
};

for (const [title, make] of Object.entries(PROGRAMS)) {
  test(`chunks of ${title} come in LangGraph.js's order`, async () => {
    for (const waits of [-1, 0]) for (const streamMode of [["updates"], ["updates", "values", "tasks"]]) for (const subgraphs of [false, true]) {
      const difference = await compare(async (lib, t) => {
        const chunks = [];
        for await (const chunk of await beside(lib, make(lib, waits)).stream({ log: [] }, { streamMode, subgraphs })) chunks.push(chunk);
        t.note("stream", chunks);
      });
      if (difference !== undefined) assert.fail(`Weft (+) differs from LangGraph.js (-):\n${difference}`);
    }
  });
}

const form = fc.constantFrom("object", "null", "list", "goto", "ask", "edge", "edges", "condition", "end", "condition and edge", "handler", "late handler");
const steps = fc.array(fc.record({ form, waits: fc.oneof(fc.constant(-1), fc.nat(4), fc.nat(40)) }), { minLength: 2, maxLength: 5 });

/** What a node of this form returns. @param {any} lib @param {string} form */
function resultOf(lib, form) {
  if (form === "ask") return lib.interrupt("?");
  if (form.endsWith("handler")) throw new Error("fails");
  if (form === "null") return null;
  if (form === "goto") return new lib.Command({ goto: "y" });
  return form === "list" ? [{ log: ["a"] }, new lib.Command({ update: { log: ["b"] } })] : { log: ["a"] };
}

/** @param {any} builder @param {any} lib @param {string} name @param {string} form */
function addWays(builder, lib, name, form) {
  if (form.includes("edge")) builder.addEdge(name, "y");
  if (form === "edges") builder.addEdge(name, "z");
  if (form === "end" || form.startsWith("condition")) builder.addConditionalEdges(name, () => (form === "end" ? lib.END : "y"));
}

/** A graph whose first step runs these nodes. @param {any} lib @param {{ form: string, waits: number }[]} nodes */
function stepOf(lib, nodes) {
  const builder = new lib.StateGraph(logState(lib)).addNode("y", () => ({})).addNode("z", () => ({}));
  builder.addConditionalEdges(lib.START, () => [], ["y", "z"]);
  for (const [number, { form, waits }] of nodes.entries()) {
    const act = waits < 0 ? () => resultOf(lib, form) : async () => {
      for (let i = 0; i < waits; i++) await null;
      return resultOf(lib, form);
    };
    const errorHandler = form === "handler" ? nodeOf("h", -1) : form === "late handler" ? nodeOf("h", 2) : undefined;
    builder.addNode(`n${number}`, act, { ends: ["y"], ...(errorHandler && { errorHandler }) }).addEdge(lib.START, `n${number}`);
    addWays(builder, lib, `n${number}`, form);
  }
  return builder.compile({ checkpointer: new lib.MemorySaver() });
}

for (const streamMode of [["updates", "tasks"], ["updates", "messages"]]) {
  test(`nodes of one step end in LangGraph.js's turns, shown as ${streamMode}`, async () => {
    const property = fc.asyncProperty(steps, async (nodes) => {
      const difference = await compare(async (lib, t) => {
        const chunks = [];
        for await (const chunk of await stepOf(lib, nodes).stream({ log: [] }, thread("t", { streamMode }))) chunks.push(chunk);
        t.note("stream", chunks);
      });
      if (difference !== undefined) assert.fail(difference);
    });
    await fc.assert(property, { seed: 20_261_122, numRuns: 80 });
  });
}

/** A condition that waits `waits` turns, or is synchronous, beside a node with one that does not wait. */
function asking(lib, [isLate, waits, to, isMapped], others) {
  const where = () => ({ send: new lib.Send("z", {}), list: ["z", "y"] })[to] ?? to;
  const ask = async () => {
    for (let i = 0; i < waits; i++) await null;
    return where();
  };
  const builder = new lib.StateGraph(logState(lib)).addNode("x", nodeOf("x", isLate ? 0 : -1)).addNode("o", nodeOf("o", others)).addNode("z", () => ({})).addNode("y", () => ({}))
    .addEdge(lib.START, "x").addEdge(lib.START, "o").addConditionalEdges("o", () => [], ["z", "y"]);
  return builder.addConditionalEdges("x", waits < 0 ? where : ask, isMapped ? { z: "z", y: "y", __end__: lib.END } : undefined).compile();
}

const LISTENING = { "nobody hears of": {}, "the messages stream hears of": { streamMode: ["updates", "messages"] }, "callbacks hear of": { callbacks: [{ name: "h", handleChainStart() {} }] } };

for (const [who, options] of Object.entries(LISTENING)) {
  test(`a step whose condition waits, which ${who}, is shown in LangGraph.js's order`, async () => {
    for (const isLate of [false, true]) for (const waits of [-1, 0, 2]) for (const [to, isMapped] of [["list", true], ["send", false], ["__end__", true]]) {
      const difference = await compare(async (lib, t) => {
        for (let others = -1; others < 7; others++) {
          const chunks = [];
          const stream = await asking(lib, [isLate, waits, to, isMapped], others).stream({ log: [] }, { streamMode: ["updates"], ...options });
          for await (const [mode, chunk] of stream) if (mode === "updates") chunks.push(Object.keys(chunk)[0]);
          t.note(`beside ${others}`, chunks);
        }
      });
      if (difference !== undefined) assert.fail(`${JSON.stringify({ isLate, waits, to })}: Weft (+) differs from LangGraph.js (-):\n${difference}`);
    }
  });
}
