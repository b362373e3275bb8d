// SPDX-License-Identifier: MIT
// Where chunks come among the events of a run: it follows from the turns of the microtask queue that LangGraph.js takes.
import { dispatchCustomEvent } from "@langchain/core/callbacks/dispatch";
import { AIMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import * as theirs from "@langchain/langgraph/prebuilt";
import * as ours from "weftgraph/prebuilt";
import { chain, fact, logState, thread } from "./harness.mjs";
import { ScriptedModel, call } from "./scripted-model.mjs";

/** @type {Record<string, (lib: any, options: any) => any>} */
const GRAPHS = {
  "two nodes": (lib, options) => chain(lib, { a: () => ({ log: ["a"] }), b: async () => ({ x: 1 }) }, options),
  "nodes that write": (lib, options) => chain(lib, { a: (_, { writer }) => (writer?.("a"), { log: ["a"] }), b: writing("b") }, options),
  "nodes side by side": (lib, options) => new lib.StateGraph(logState(lib)).addNode("a", (_, { writer }) => (writer?.("a"), { log: ["a"] })).addNode("b", writing("b")).addEdge(lib.START, "a").addEdge(lib.START, "b").compile(options),
  "a condition": (lib, options) => new lib.StateGraph(logState(lib)).addNode("a", writing("a")).addNode("b", () => ({ log: ["b"] })).addEdge(lib.START, "a").addConditionalEdges("a", () => "b", ["b"]).compile(options),
  "a graph inside": (lib, options) => chain(lib, { g: chain(lib, { a: writing("a") }), z: () => ({}) }, options),
  "a node that calls a task": (lib, options) => chain(lib, { a: () => ({ log: ["a"] }), b: async () => ({ log: [await lib.task("one", async (x) => x)(1)] }) }, options),
  "an entrypoint": (lib, options) => lib.entrypoint({ name: "flow", ...options }, async (x) => lib.task("one", async (y) => y)(x)),
  "an entrypoint whose calls write": (lib, options) => {
    const call = (name, act) => lib.task(name, (x) => (lib.getWriter()?.(name), act(x)));
    const [one, two] = [call("one", async (x) => x), call("two", (x) => x)];
    return lib.entrypoint({ name: "flow", ...options }, async (x) => {
      lib.getWriter()?.("before");
      const found = await two(await one(x));
      lib.getWriter()?.("after");
      return found;
    });
  },
};

function writing(name) {
  return async (_, { writer }) => {
    writer?.(`${name} begins`);
    await null;
    writer?.(`${name} ends`);
    return { log: [name] };
  };
}

const MODES = [undefined, "values", "updates", "custom", "tasks", "debug", "checkpoints", ["custom", "updates"], ["tasks"]];

/** Configs hold what each package calls itself by. */
function bare(event) {
  return JSON.parse(JSON.stringify(event, (key, value) => (["config", "parentConfig", "timestamp"].includes(key) ? undefined : value)));
}

for (const [name, make] of Object.entries(GRAPHS)) {
  fact("18.11", `chunks among events: ${name}`, async (lib, t) => {
    for (const version of ["v1", "v2"]) for (const streamMode of MODES) for (const checkpointer of [undefined, new lib.MemorySaver()]) {
      t.note("of", [version, streamMode, checkpointer !== undefined]);
      const input = name.includes("entrypoint") ? 1 : { log: [] };
      for await (const { event, name: told, data } of make(lib, { checkpointer }).streamEvents(input, thread("t", { version, streamMode }))) t.note("event", bare([event, told, data]));
    }
  });
}

const nothing = { type: "object", properties: {} };

/** What takes so many turns until it is done. */
const waiting = (name, turns) => tool(async () => {
  for (let i = 0; i < turns; i++) await null;
  return name;
}, { name, description: name, schema: nothing });

/** @type {Record<string, () => any>} */
const TOOLS = {
  none: () => waiting("none", 0), one: () => waiting("one", 1), two: () => waiting("two", 2), three: () => waiting("three", 3),
  tells: () => tool(async (_, config) => (await dispatchCustomEvent("told", 1, config), "told"), { name: "tells", description: "tells", schema: nothing }),
  asks: () => tool(async (_, config) => (await new ScriptedModel("an answer").invoke("q", config)).text, { name: "asks", description: "asks", schema: nothing }),
};

for (const version of ["v1", "v2"]) {
  fact("18.11, 18.12", `events of what goes on side by side, one after the other: tools of an agent of ${version}`, async (lib, t) => {
    const { createReactAgent } = t.isPeer ? theirs : ours;
    const tools = Object.values(TOOLS).map((make) => make());
    // Who asks a model for longer than its neighbour is there shows when that one's result comes (D1).
    const names = tools.map(({ name }) => name).filter((name) => version === "v1" || name !== "asks");
    for (const both of names.flatMap((one, i) => [["none", one], [one, names[(i + 3) % names.length]]])) {
      for (const events of ["v1", "v2"]) {
        const agent = createReactAgent({ llm: new ScriptedModel(both.map((name, i) => call(name, {}, `c${i}`)), "done"), tools, version });
        const seen = [];
        for await (const { event, name, run_id: run } of agent.streamEvents({ messages: [["human", "go"]] }, { version: events })) seen.push([event, name, run]);
        t.note(`${both} ${events}`, seen);
      }
    }
  });
}

fact("18.11, 18.12", "events of models side by side", async (lib, t) => {
  for (const words of [["a", "b c d e"], ["a b c", "d e"], ["a b", "c d"]]) {
    const ask = async () => ({ messages: (await Promise.all(words.map((text) => new ScriptedModel(text).invoke("q")))).map(({ text }, i) => new AIMessage({ id: `m${i}`, content: text })) });
    const graph = new lib.StateGraph(lib.MessagesAnnotation).addNode("ask", ask).addEdge(lib.START, "ask").compile();
    for (const version of ["v1", "v2"]) for await (const { event, name, run_id: run } of graph.streamEvents({ messages: [] }, { version })) t.note(version, [event, name, run]);
    for await (const { ops } of graph.streamLog({ messages: [] }, {})) t.note("log", ops.map(({ op, path }) => [op, path]));
  }
});
