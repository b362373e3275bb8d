// SPDX-License-Identifier: MIT
// Where chunks come among the events of a run: it follows from the turns of the microtask queue that LangGraph.js takes.
import { chain, fact, logState, thread } from "./harness.mjs";

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
