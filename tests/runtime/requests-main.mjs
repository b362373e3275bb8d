// SPDX-License-Identifier: MIT
// A server whose requests run agents. Each tells, before it does anything, in which task it is: in
// none. What few programs need is loaded inside of tasks here.
import { AsyncLocalStorage } from "node:async_hooks";
import { Annotation, MemorySaver, START, StateGraph, getConfig } from "weftgraph";
import { tool } from "weftgraph/tools";

const user = new AsyncLocalStorage();
const saver = new MemorySaver();
const State = Annotation.Root({ told: Annotation() });
const wrong = {
  "~standard": {
    version: 1,
    vendor: "here",
    validate: () => ({ issues: [{ message: "wrong", path: ["a"] }] }),
  },
};
const refused = tool(() => "never", {
  name: "refused",
  description: "takes nothing",
  schema: wrong,
});
const inner = new StateGraph(State)
  .addNode("in", () => ({ told: "in" }))
  .addEdge(START, "in")
  .compile();
const graph = new StateGraph(State)
  .addNode("node", async () => {
    await refused.invoke({ a: "x" }).catch(() => {});
    await saver.getTuple({ configurable: { thread_id: "none" } });
    for await (const chunk of await inner.stream({ told: "" }, { streamMode: "debug" })) void chunk;
    return { told: (await inner.batch([{ told: "" }]))[0].told };
  })
  .addEdge(START, "node")
  .compile({ checkpointer: saver });

const taskOf = () => {
  try {
    return getConfig()?.metadata.langgraph_node ?? null;
  } catch {
    return null;
  }
};
let served = 0;
const told = [];
async function serve() {
  told.push([taskOf(), user.getStore() ?? null]);
  const number = served++;
  const run = () => graph.invoke({ told: "" }, { configurable: { thread_id: `t${number}` } });
  return Response.json(await user.run(`user ${number}`, run));
}

const deno = globalThis.Deno;
const server = deno
  ? deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, serve)
  : globalThis.Bun.serve({ port: 0, fetch: serve });
const port = server.addr?.port ?? server.port;
for (let i = 0; i < 4; i++) await (await fetch(`http://127.0.0.1:${port}/`)).text();
console.log(JSON.stringify(told));
(deno ?? globalThis.process).exit(0);
