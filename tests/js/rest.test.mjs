// SPDX-License-Identifier: MIT
// Serves: the engine in parts. A page loads what reads schemas with the first tool that brings a JSON Schema or with
// weftgraph/schema, what writes logs anew with the first log that is, with a graph inside a task, with limits, a cache or an
// edit, with a long thread, whose commits then hold their change and at most 256 bytes more, neither before; runs that wait in the core go on when it is completed. A bundle for browsers does all that, run here. The tool that cuts refuses a core that would reach into the rest by itself.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import log from "../../js/engine/log-bytes.js";
import letters from "../../js/engine/rest-bytes.js";
import { HEADER, framesOf } from "../../js/log/frames.js";

const top = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "weft-rest-"));
after(() => rmSync(folder, { recursive: true, maxRetries: 5 }));

const PAGE = `
import { AIMessage, Annotation, Command, MemorySaver, StateGraph, interrupt } from "weftgraph";
import { ToolNode, ValidationNode, createReactAgent, reviewToolCalls } from "weftgraph/prebuilt";
import { tool } from "weftgraph/tools";
import { getEngine } from "./js/engine/realm.js";

const call = (name, args) => new AIMessage({ content: "", tool_calls: [{ id: "c", name, args, type: "tool_call" }] });
const State = Annotation.Root({ n: Annotation(), seen: Annotation() });
const schema = { type: "object", properties: { a: { type: "integer" } }, required: ["a"] };
const add = (runs) => tool(({ a }) => (runs.push(a), String(a + 1)), { name: "add", description: "", schema });
const graph = new StateGraph(State).addNode("ask", () => ({ seen: interrupt("?") })).addEdge("__start__", "ask").compile({ checkpointer: new MemorySaver() });
const config = { configurable: { thread_id: "t" } };
export const isWhole = () => !getEngine().lacking.has("schema");

const echo = { name: "echo", description: "", invoke: async ({ args }) => JSON.stringify(args) };
/** One good call in a page whose engine is a core. */
export const judge = async (args) => [await new ToolNode([echo]).invoke([call("echo", args)]).then(([{ content }]) => content), isWhole()];
export async function wrapped() {
  const wrapToolCall = (request, handler) => handler({ ...request, toolCall: { ...request.toolCall, args: { a: 0.1 } } });
  return (await new ToolNode([echo], { wrapToolCall }).invoke([call("echo", { a: 1 })]))[0].content;
}
/** A person changes the arguments of the call that waits. */
export async function edited(postModelHook) {
  const replies = [call("echo", { a: 1 }), new AIMessage("done")];
  const llm = { bindTools: () => llm, invoke: async () => replies.shift() };
  const agent = createReactAgent({ llm, tools: [postModelHook === undefined ? { ...echo, approval: "ask" } : echo], checkpointer: new MemorySaver(), postModelHook });
  const { __interrupt__: [{ value }] } = await agent.invoke({ messages: [{ role: "user", content: "?" }] }, config);
  const asked = Array.isArray(value) ? value[0] : value;
  const answer = { type: "edit", args: { action: "echo", args: { a: 0.25, b: 1e300 } } };
  const { messages } = await agent.invoke(new Command({ resume: [answer] }), config);
  return [asked.action_request.args, messages.find(({ type }) => type === "tool").content];
}
export const reviewed = () => edited(reviewToolCalls({ policies: {}, fallback: "ask" }));
export const zodLike = async () => (await new ValidationNode({ any: { safeParse: (data) => ({ success: true, data }) } }).invoke([call("any", { a: 2.5 })]))[0].content;
export async function plain() {
  const own = { name: "own", schema, invoke: async ({ args }) => String(args.a) };
  const [{ content }] = await new ToolNode([own]).invoke([call("own", { a: 123456789, b: "x.y", c: [true, null, -1] })]);
  await graph.invoke({ n: 1 }, config);
  return content;
}
export async function described(replies) {
  const runs = [];
  const llm = { bindTools: () => llm, invoke: async () => replies.shift() };
  const agent = createReactAgent({ llm, tools: [add(runs)] });
  const { messages } = await agent.invoke({ messages: [{ role: "user", content: "?" }] });
  return { runs, said: messages.filter(({ type }) => type === "tool").map(({ content }) => content) };
}
export const calls = { good: call("add", { a: 1 }), bad: call("add", { a: "x" }), last: new AIMessage("done") };
export const resume = async () => (await graph.invoke(new Command({ resume: "yes" }), config)).seen;
export const refused = async () => createReactAgent({ llm: { invoke: async () => calls.good, bindTools: (tools) => ({ invoke: async () => calls.good }) }, tools: [tool(() => "", { name: "add", description: "", schema: { type: "strin" } })] }).invoke({ messages: [] });
export const validated = async () => (await new ValidationNode({ add: schema }).invoke([call("add", { a: "x" })]))[0].content;
`;

/** Bundled modules, by text. */
const bundled = new Map();

/** The page's module, bundled as for a browser, with an engine of its own. @param {string} name @param {string} contents */
async function load(name, contents) {
  const outdir = join(folder, name);
  if (bundled.has(contents)) cpSync(bundled.get(contents), outdir, { recursive: true });
  else await build({ stdin: { contents, resolveDir: top }, bundle: true, format: "esm", platform: "browser", conditions: ["browser"], splitting: true, outdir, outExtension: { ".js": ".mjs" }, logLevel: "error" });
  bundled.set(contents, outdir);
  return import(pathToFileURL(join(outdir, "stdin.mjs")).href);
}

test("the rest comes with the first schema, once, and what waits in the core goes on", async () => {
  const page = await load("page", PAGE);
  const holding = readdirSync(join(folder, "page")).filter((name) => readFileSync(join(folder, "page", name), "utf8").includes(letters.slice(0, 99)));
  assert.equal(holding.length, 1);
  assert.notEqual(holding[0], "stdin.mjs");
  assert.equal(await page.plain(), "123456789");
  assert.equal(page.isWhole(), false);
  const { good, bad, last } = page.calls;
  const { runs, said } = await page.described([bad, good, last]);
  assert.deepEqual(runs, [1]);
  assert.match(said[0], /^Error: Received tool input did not match expected schema\n\n✖ .a: expected integer/);
  assert.equal(said[1], "2");
  assert.equal(page.isWhole(), true);
  assert.equal(await page.resume(), "yes");
  await assert.rejects(page.refused(), { code: "BAD_SCHEMA" });
});

test("a node that only validates brings it too, and a schema that is compiled at once", async () => {
  const page = await load("validated", PAGE);
  assert.match(await page.validated(), /expected integer/);
  assert.equal(page.isWhole(), true);
  const schemas = await load("schemas", 'export { compileSchema } from "weftgraph/schema"; export { getEngine } from "./js/engine/realm.js";');
  const before = schemas.getEngine();
  assert.ok(before.lacking.has("schema"));
  assert.equal(schemas.compileSchema({ type: "string" }).validate(1).valid, false);
  assert.equal(schemas.getEngine(), before);
  assert.deepEqual([...before.lacking], ["log"]);
});

test("numbers that are no short integers bring it, wherever they come from", async () => {
  for (const [index, args] of [{ a: 1.5 }, { a: 1e21 }, { a: 12345678901 }, '{"a":-0}', '{"a":2E1}', { a: { b: [0.1] } }].entries()) {
    const [content, isWhole] = await (await load(`number${index}`, PAGE)).judge(args);
    assert.deepEqual(JSON.parse(content), typeof args === "string" ? JSON.parse(JSON.stringify(JSON.parse(args))) : args);
    assert.equal(isWhole, true);
  }
  assert.equal(await (await load("wrapped", PAGE)).wrapped(), '{"a":0.1}');
  assert.deepEqual(await (await load("edited", PAGE)).edited(), [{ a: 1 }, '{"a":0.25,"b":1e+300}']);
  assert.deepEqual(await (await load("reviewed", PAGE)).reviewed(), [{ a: 1 }, '{"a":0.25,"b":1e+300}']);
  assert.equal(await (await load("zod", PAGE)).zodLike(), '{"a":2.5}');
});

test("a log written anew brings a part of its own", async () => {
  const page = await load("trim", `
import { Annotation, MemorySaver, StateGraph } from "weftgraph";
import { copyThread } from "weftgraph/savers/transfer";
import { getEngine } from "./js/engine/realm.js";
const saver = new MemorySaver();
const graph = new StateGraph(Annotation.Root({ n: Annotation() })).addNode("a", ({ n }) => ({ n: n + 1 })).addEdge("__start__", "a").compile({ checkpointer: saver });
export async function run() {
  await graph.invoke({ n: 1 }, { configurable: { thread_id: "one" } });
  const before = [...getEngine().lacking];
  await copyThread(saver, "one", "two");
  return [before, [...getEngine().lacking], (await graph.getState({ configurable: { thread_id: "two" } })).values];
}`);
  assert.deepEqual(await page.run(), [["schema", "log"], ["schema"], { n: 2 }]);
  const texts = readdirSync(join(folder, "trim")).map((name) => readFileSync(join(folder, "trim", name), "utf8"));
  assert.equal(texts.filter((text) => text.includes(log.slice(0, 99)) && !text.includes(letters.slice(0, 99))).length, 1);
});

const UNUSUAL = `
import { Annotation, Command, MemorySaver, StateGraph, interrupt } from "weftgraph";
import { InMemoryCache } from "weftgraph/checkpoint";
import { createReactAgent } from "weftgraph/prebuilt";
import { record, replay } from "weftgraph/record";
import { tool } from "weftgraph/tools";
import { getEngine } from "./js/engine/realm.js";

const list = () => Annotation({ reducer: (a, b) => a.concat(b), default: () => [] });
const State = Annotation.Root({ seen: list(), n: Annotation() });
const texts = (from, count) => Array.from({ length: count }, (_, index) => "text " + (from + index));
const inside = (store) =>
  new StateGraph(State)
    .addNode("grow", ({ n, seen }) => ({ n: n + 1, seen: texts(seen.length, 40) }))
    .addNode("ask", ({ seen }) => ({ seen: [interrupt(seen.length)] }))
    .addEdge("__start__", "grow")
    .addConditionalEdges("grow", ({ n }) => (n < 3 ? "grow" : "ask"))
    .addEdge("ask", "__end__")
    .compile();
export const saver = () => new MemorySaver();
const around = (checkpointer) => new StateGraph(State).addNode("inside", inside()).addNode("end", ({ seen }) => ({ seen: ["of " + seen.length] })).addEdge("__start__", "inside").addEdge("inside", "end").addEdge("end", "__end__").compile({ checkpointer });
const config = { configurable: { thread_id: "t" } };
export const lacking = () => [...getEngine().lacking];
const alone = (checkpointer) => new StateGraph(State).addNode("a", ({ n }) => ({ n: n + 1, seen: ["a"] })).addEdge("__start__", "a").compile({ checkpointer });
export const first = async (checkpointer) => (await around(checkpointer).invoke({ n: 0, seen: texts(0, 100) }, config)).__interrupt__[0].value;
export const second = async (checkpointer, resume) => (await around(checkpointer).invoke(new Command({ resume }), config)).seen;
export async function read(checkpointer) {
  const history = [];
  for await (const { values, next } of around(checkpointer).getStateHistory(config)) history.push([values.seen?.length, ...next]);
  const { tasks } = await around(checkpointer).getState(config, { subgraphs: true });
  return [history, tasks.map(({ state }) => [state.values.seen.length, state.next])];
}
export async function edited() {
  const graph = alone(new MemorySaver());
  await graph.invoke({ n: 1 }, config);
  const before = lacking();
  await graph.updateState(config, { n: 5, seen: ["edit"] }, "a");
  await graph.bulkUpdateState(config, [{ updates: [{ values: { seen: ["more"] }, asNode: "a" }] }]);
  await graph.updateState(config, null, "__end__");
  return [before, (await graph.getState(config)).values, (await graph.invoke({ n: 7 }, config)).n];
}
export async function limited() {
  const reply = (id) => ({ role: "assistant", content: "", tool_calls: [{ id, name: "look", args: { id } }] });
  let calls = 0;
  const llm = { bindTools: () => llm, invoke: async () => reply("c" + ++calls) };
  const look = tool(() => "seen", { name: "look", description: "", schema: { type: "object" } });
  const agent = createReactAgent({ llm, tools: [look], checkpointer: new MemorySaver(), limits: { toolCalls: 2 } });
  const error = await agent.invoke({ messages: [{ role: "user", content: "?" }] }, config).catch((error) => error);
  return [error.name, calls];
}
export async function cached() {
  let calls = 0;
  const twice = ({ n }) => (calls++, { n: n * 2 });
  const graph = new StateGraph(State).addNode("twice", twice, { cachePolicy: true }).addEdge("__start__", "twice").compile({ cache: new InMemoryCache() });
  const all = [await graph.invoke({ n: 4 }), await graph.invoke({ n: 5 }), await graph.invoke({ n: 4 })];
  return all.map(({ n }) => n).concat(calls);
}
export async function recorded() {
  const graph = new StateGraph(State).addNode("in", alone()).addEdge("__start__", "in").compile();
  const recording = record();
  const { n } = await graph.invoke({ n: 1 }, { record: recording });
  return [n, replay(recording.text()).output.n];
}
`;

test("a graph inside a task brings it too, for lists that both share; another page reads, goes on and edits", async () => {
  const [page, other, reader] = [await load("inside", UNUSUAL), await load("after", UNUSUAL), await load("reader", UNUSUAL)];
  const saver = page.saver();
  assert.deepEqual(page.lacking(), ["schema", "log"]);
  assert.equal(await page.first(saver), 220);
  assert.deepEqual(page.lacking(), ["schema"]);
  // What a graph inside did is packed, which a core reads.
  assert.ok(Array.from(framesOf(Buffer.concat(saver.store.read("t"))), ({ bytes, at }) => bytes[at - HEADER + 4]).includes(4));
  assert.deepEqual(await reader.read(saver), [[[100, "inside"], [0, "__start__"]], [[220, ["ask"]]]]);
  assert.deepEqual(reader.lacking(), ["schema", "log"]);
  const seen = await other.second(saver, "yes");
  assert.deepEqual(other.lacking(), ["schema"]);
  assert.deepEqual([seen.length, seen[100], seen[219], seen[320], seen.at(-1)], [322, "text 0", "text 119", "yes", "of 321"]);
});

test("edits, limits, caches and recorded runs bring it", async () => {
  const page = await load("updated", UNUSUAL);
  assert.deepEqual(await page.edited(), [["schema", "log"], { n: 5, seen: ["a", "edit", "more"] }, 8]);
  assert.deepEqual(page.lacking(), ["schema"]);
  const other = await load("limited", UNUSUAL);
  assert.deepEqual(await other.limited(), ["ToolCallLimitError", 3]);
  assert.deepEqual(other.lacking(), []);
  const third = await load("cached", UNUSUAL);
  assert.deepEqual(await third.cached(), [8, 10, 8, 2]);
  assert.deepEqual(third.lacking(), ["schema"]);
  assert.deepEqual(await (await load("recorded", UNUSUAL)).recorded(), [2, 2]);
});

/** What a page imports for the second part. @param {string} name */
const partOf = (name) => join(folder, name, readdirSync(join(folder, name)).find((file) => file.startsWith("log-bytes")));

const BACK = `
import { Annotation, HumanMessage, MemorySaver, MessagesAnnotation, REMOVE_ALL_MESSAGES, RemoveMessage, StateGraph } from "weftgraph";
import { getEngine } from "./js/engine/realm.js";
const said = (id) => new HumanMessage({ id, content: Array.from({ length: 20 }, (_, i) => id + " " + i).join(" ") });
const clear = () => new RemoveMessage({ id: REMOVE_ALL_MESSAGES });
const BACK = {
  all: (messages, at) => ({ messages: [...messages, said("n" + at)], news: [said("n" + at)] }),
  oldest: (messages, at) => ({ messages: [clear(), ...messages.slice(1), said("n" + at)], news: [clear(), said("n" + at)] }),
  summary: (messages, at) => ({ messages: [clear(), said("s" + at), ...messages.slice(2), said("n" + at)], news: [clear(), said("s" + at), said("n" + at)] }),
};
const bytesOf = (value) => new TextEncoder().encode(JSON.stringify(value)).length;
export const saver = () => new MemorySaver();
export const { lacking } = getEngine();
export async function run(saver, name, count, from, to) {
  const sizes = [];
  const news = [];
  const { append } = Object.getPrototypeOf(saver.store);
  saver.store.append = (id, commit, bytes, expected) => (sizes.push(bytes.length), append.call(saver.store, id, commit, bytes, expected));
  const graph = new StateGraph(Annotation.Root({ ...MessagesAnnotation.spec, at: Annotation() }))
    .addNode("step", ({ messages, at }) => {
      const made = BACK[name](messages, at);
      news.push(bytesOf(made.news));
      return { messages: made.messages, at: at + 1 };
    })
    .addEdge("__start__", "step")
    .addConditionalEdges("step", ({ at }) => (at >= to ? "__end__" : "step"))
    .compile({ checkpointer: saver });
  const input = { at: from, messages: Array.from({ length: count }, (_, at) => said("m" + at)) };
  const { messages } = await graph.invoke(input, { configurable: { thread_id: "1" }, recursionLimit: 1000 });
  return [messages.length, news.length, Math.max(...news.map((bytes, at) => sizes[sizes.length - news.length + at] - bytes))];
}`;

for (const name of ["all", "oldest", "summary"]) {
  test(`a long thread brings it: lists that come back are numbered (${name})`, async (t) => {
    for (const count of [1, 20, 100]) {
      if (name !== "all" && count < 100) continue;
      const [page, other] = [await load(`${name}${count}`, BACK), await load(`${name}${count}b`, BACK)];
      const saver = page.saver();
      assert.deepEqual([...page.lacking], ["schema", "log"]);
      const all = name === "all" ? 60 : 0;
      const [length, steps, most] = await page.run(saver, name, count, 0, 60);
      assert.deepEqual([length, steps, [...page.lacking]], [count + all, 60, ["schema"]]);
      // Another page goes on with it.
      const [later, more, atMost] = await other.run(saver, name, 0, 60, 70);
      assert.deepEqual([later, more, [...other.lacking]], [length + all / 6, 10, ["schema"]]);
      t.diagnostic(`from ${count} messages on: ${most}, then ${atMost} bytes more than what is new`);
      assert.ok(most <= 256 && atMost <= 256, `${most} ${atMost}`);
    }
  });
}

test("a long thread whose page can't have it goes on, and stores lists as often as they come", async () => {
  const page = await load("without", BACK);
  rmSync(partOf("without"));
  const saver = page.saver();
  const [length, steps, most] = await page.run(saver, "all", 100, 0, 20);
  assert.deepEqual([length, steps, [...page.lacking]], [120, 20, ["schema", "log"]]);
  assert.ok(most > 256 && most < 1200, String(most));
  assert.equal((await page.run(saver, "all", 0, 20, 21))[0], 121);
});

test("a page that lacks what numbers lists stores Sends whole, and goes on with it when it is there", async () => {
  const page = await load("sends", `
import { AIMessage, Annotation, HumanMessage, MemorySaver, MessagesAnnotation, Send, StateGraph } from "weftgraph";
import { getEngine } from "./js/engine/realm.js";
const saver = new MemorySaver();
const { append } = saver.store;
let size = 0;
saver.store.append = (id, commit, bytes, expected) => ((size += bytes.length), append.call(saver.store, id, commit, bytes, expected));
const graph = () => new StateGraph(MessagesAnnotation).addNode("say", ({ messages }) => ({ messages: new AIMessage("seen " + messages.length) }));
const sends = ({ messages }) => [new Send("say", { messages, n: 1 })];
const plain = graph().addConditionalEdges("__start__", sends).compile({ checkpointer: saver });
const inner = graph().addEdge("__start__", "say").compile();
const outer = graph().addNode("inner", inner).addEdge("__start__", "inner").addConditionalEdges("inner", sends).compile({ checkpointer: saver });
const config = { configurable: { thread_id: "one" } };
export const { lacking } = getEngine();
const many = Array.from({ length: 50 }, (_, i) => new HumanMessage({ content: "message " + i, id: "h" + i }));
async function turn(graph, messages) {
  size = 0;
  const { messages: all } = await graph.invoke({ messages }, config);
  const history = [];
  for await (const { values } of graph.getStateHistory(config)) history.push(values.messages?.length);
  return [all.slice(-2).map(({ content }) => content), size, history.slice(0, 3)];
}
export const begin = () => turn(plain, many);
export const next = () => turn(plain, new HumanMessage("and?"));
export const inside = () => turn(outer, new HumanMessage("and?"));`);
  const part = partOf("sends");
  renameSync(part, `${part}.away`);
  assert.deepEqual((await page.begin()).with(1, 0), [["message 49", "seen 50"], 0, [51, 50, 0]]);
  const [said, size, history] = await page.next();
  assert.deepEqual([said, history], [["and?", "seen 52"], [53, 52, 51]]);
  assert.ok(size > 4000, String(size));
  assert.equal(page.lacking.has("log"), true);
  renameSync(`${part}.away`, part);
  for (const count of [53, 56, 59]) {
    const [said, size, history] = await page.inside();
    assert.deepEqual([said, history], [[`seen ${count + 1}`, `seen ${count + 2}`], [count + 3, count + 2, count + 1]]);
    assert.ok(count === 53 || size < 2500, String(size));
  }
  assert.equal(page.lacking.has("log"), false);
});

test("a core that reaches into the rest by itself is refused", () => {
  const engine = join(folder, "engine.wasm");
  for (const more of ["", ".linked", ".symbols"]) copyFileSync(join(top, `build/wasm/engine.wasm${more}`), engine + more);
  writeFileSync(`${engine}.symbols`, readFileSync(`${engine}.symbols`, "utf8").replace(/:abi_tools_plan$/m, ":stranger"));
  const cut = () => execFileSync(process.execPath, [join(top, "tools/split.mjs"), engine, join(folder, "c.wasm"), join(folder, "r.wasm"), join(folder, "l.wasm"), "wasm-opt"], { stdio: "pipe" });
  assert.throws(cut, /stranger of the core calls .*weft_schema_validate.* which may not be there/);
});
