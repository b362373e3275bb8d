// SPDX-License-Identifier: MIT
// What a page does whose files are gone, as when its site was replaced while it was open: what runs, fails, retries, is
// approved and saved needs none of them; a feature that does says which, with the host's error, and the thread goes on.
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const top = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "weft-parts-"));
/** @type {any} */
let weft;
/** @type {string[]} */
let parts = [];
/** @type {string[]} */
let files = [];

before(async () => {
  const contents = 'export * from "weftgraph"; export { ToolNode, createReactAgent } from "weftgraph/prebuilt"; export { tool } from "weftgraph/tools"; export { ScriptedModel } from "weftgraph/models/scripted";';
  await build({ stdin: { contents, resolveDir: top }, bundle: true, splitting: true, format: "esm", platform: "browser", conditions: ["browser"], outdir: folder, entryNames: "page", chunkNames: "[name]-[hash]", logLevel: "error", external: ["node:*"] });
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  weft = await import(pathToFileURL(join(folder, "page.js")).href);
  files = readdirSync(folder).filter((name) => name.endsWith(".js"));
  parts = files.filter((name) => /^(parts|methods)-/.test(name));
  for (const name of parts) renameSync(join(folder, name), join(folder, `${name}.gone`));
});

after(() => rmSync(folder, { recursive: true, force: true }));

const thread = (thread_id = "t") => ({ configurable: { thread_id } });

test("a bundle imports two parts when their features are asked for, and a page loads at most six files", () => {
  assert.deepEqual(parts.map((name) => name.split("-")[0]).sort(), ["methods", "parts"]);
  assert.ok(files.length - parts.length <= 6, files.join());
});

test("without its files an agent asks, is approved, calls tools that fail, tries again and runs tasks side by side", async () => {
  const { AIMessage, Annotation, Command, END, MemorySaver, START, Send, StateGraph, createReactAgent, ScriptedModel, tool } = weft;
  const call = (name, id) => ({ name, args: {}, id, type: "tool_call" });
  const ran = [];
  const tools = [
    tool(() => (ran.push("pay"), "paid"), { name: "pay", schema: { type: "object" }, approval: "ask" }),
    tool(() => { throw new Error("the payment service said no"); }, { name: "fail", schema: { type: "object" } }),
  ];
  const llm = new ScriptedModel({ responses: [new AIMessage({ content: "", tool_calls: [call("pay", "1"), call("fail", "2"), call("none", "3")] }), "done"] });
  const agent = createReactAgent({ llm, tools, checkpointer: new MemorySaver() });
  const asked = await agent.invoke({ messages: "go" }, thread());
  const { messages } = await agent.invoke(new Command({ resume: { [asked.__interrupt__[0].id]: { type: "accept" } } }), thread());
  assert.deepEqual(ran, ["pay"]);
  assert.match(messages.map(({ content }) => content).join(), /paid.*the payment service said no.*"none" not found|paid.*the payment service said no/s);
  assert.equal(messages.at(-1).content, "done");

  const State = Annotation.Root({ when: Annotation(), log: Annotation({ reducer: (a, b) => a.concat(b), default: () => [] }) });
  let attempts = 0;
  const graph = new StateGraph(State)
    .addNode("flaky", () => { if (++attempts < 3) throw new Error("once more"); return { log: ["flaky"], when: new Date(7) }; }, { retryPolicy: { maxAttempts: 3, initialInterval: 1, jitter: false, logWarning: false } })
    .addNode("left", () => ({ log: ["left"] }))
    .addNode("right", () => ({ log: ["right"] }))
    .addNode("each", ({ log }) => ({ log }))
    .addNode("bad", () => { throw new Error("the node's own error"); })
    .addEdge(START, "flaky").addEdge("flaky", "left").addEdge("flaky", "right")
    .addConditionalEdges("left", () => [new Send("each", { log: ["a"] }), new Send("each", { log: ["b"] })])
    .addConditionalEdges("each", () => END)
    .addConditionalEdges("right", ({ when }) => (when.getTime() === 7 ? "bad" : END))
    .compile({ checkpointer: new MemorySaver() });
  const chunks = [];
  await assert.rejects(async () => {
    for await (const chunk of await graph.stream({}, { ...thread("two"), streamMode: ["updates", "values", "messages", "debug"], limits: { toolCalls: 50 } })) chunks.push(chunk);
  }, { message: /the node's own error/ });
  assert.ok(chunks.length > 0);
  await graph.updateState(thread("two"), { log: ["edited"] }, "left");
  const states = [];
  for await (const state of graph.getStateHistory(thread("two"))) states.push(state);
  assert.ok(states[0].values.log.includes("edited") && states.length > 2);
});

test("a feature whose part is gone says which, with the host's error; its thread is as it was, and the next call tries again", async () => {
  const { Annotation, MemorySaver, START, StateGraph } = weft;
  const saver = new MemorySaver();
  const graph = new StateGraph(Annotation.Root({ n: Annotation() })).addNode("add", ({ n }) => ({ n: n + 1 })).addEdge(START, "add").compile({ checkpointer: saver });
  await graph.invoke({ n: 1 }, thread());
  const isGone = (/** @type {any} */ error) => error.code === "PART_NOT_LOADED" && /page|Cannot find module/.test(error.message) && error.cause?.code === "ERR_MODULE_NOT_FOUND";
  const foreign = { getTuple: async () => undefined, list: async function* () {}, put: async () => thread(), putWrites: async () => {}, deleteThread: async () => {}, serde: saver.serde };
  const features = {
    events: async () => { for await (const _ of graph.streamEvents({ n: 1 }, { ...thread(), version: "v2" })); },
    prune: () => saver.prune("t", { last: 1 }),
    tuple: () => saver.getTuple(thread()),
    foreign: () => graph.invoke({ n: 1 }, { ...thread("foreign"), checkpointer: foreign }),
  };
  for (const [name, use] of Object.entries(features)) await assert.rejects(use(), isGone, name);
  assert.equal((await graph.getState(thread())).values.n, 2);
  assert.equal((await graph.invoke({ n: 5 }, thread())).n, 6);
  for (const name of parts) renameSync(join(folder, `${name}.gone`), join(folder, name));
  for (const [name, use] of Object.entries(features)) await assert.doesNotReject(use(), name);
});
