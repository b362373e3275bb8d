// SPDX-License-Identifier: MIT
// The parts of sub-paths that are imported when their feature is asked for (docs/decisions/008),
// with their files gone: in the first run of a thread, after an answer, beside another task, and
// when a failed run goes on, the call says which part, with the host's error; the thread loses
// nothing, and once the file is back the same run ends.
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { chunk, scripted, sse } from "./gemini-service.mjs";
import { URL_OF_ALL, legacyServer, modernServer } from "./mcp-servers.mjs";

const top = fileURLToPath(new URL("../..", import.meta.url));
const outside = mkdtempSync(join(tmpdir(), "weft-named-"));
after(() => rmSync(outside, { recursive: true, force: true }));

/**
 * A bundle of these sub-paths that splits. `take` takes the file of a part away, `put` puts it
 * back.
 */
async function bundleOf(part, ...subPaths) {
  const folder = join(outside, part);
  const contents = ["weftgraph", ...subPaths.map((name) => `weftgraph/${name}`)]
    .map((name) => `export * from "${name}";`)
    .join("\n");
  await build({
    stdin: { contents, resolveDir: top },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "browser",
    conditions: ["browser"],
    outdir: folder,
    entryNames: "page",
    chunkNames: "[name]-[hash]",
    logLevel: "error",
    external: ["node:*"],
  });
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  const files = readdirSync(folder).filter((name) => name.startsWith(`${part}-`));
  assert.equal(files.length, 1, `${part} is a file of its own: ${readdirSync(folder)}`);
  const [path] = files.map((name) => join(folder, name));
  return {
    weft: await import(pathToFileURL(join(folder, "page.js")).href),
    take: () => renameSync(path, `${path}.gone`),
    put: () => renameSync(`${path}.gone`, path),
  };
}

/** Does the call fail, naming the part, with the host's error? */
const isGone = (feature) => (error) => {
  assert.equal(error.code, "PART_NOT_LOADED", `${error.stack}`);
  assert.ok(error.message.includes(feature), error.message);
  assert.equal(error.cause?.code, "ERR_MODULE_NOT_FOUND");
  return true;
};

/** A graph that asks, and then uses the feature beside another task. */
function graphOf({ Annotation, MemorySaver, START, StateGraph, interrupt }, use) {
  const ran = { ask: 0, beside: 0 };
  const State = Annotation.Root({
    isUsed: Annotation(),
    log: Annotation({ reducer: (a, b) => a.concat(b), default: () => [] }),
  });
  const graph = new StateGraph(State)
    .addNode("ask", () => {
      ran.ask++;
      return { log: [`said ${interrupt("go on?")}`] };
    })
    .addNode("use", async ({ isUsed }) => ({ log: [isUsed ? await use() : "unused"] }))
    .addNode("beside", () => {
      ran.beside++;
      return { log: ["beside"] };
    })
    .addEdge(START, "ask")
    .addEdge("ask", "use")
    .addEdge("ask", "beside")
    .compile({ checkpointer: new MemorySaver() });
  return { graph, ran };
}

/**
 * Uses a feature in each state of a run, while its part is gone and when it is back.
 * @param {Awaited<ReturnType<typeof bundleOf>>} bundle
 * @param {string} feature as errors name it @param {string} expected what `use` returns
 * @param {() => Promise<string>} use
 */
async function checkStates({ weft, take, put }, feature, expected, use) {
  const { Command } = weft;
  const { graph, ran } = graphOf(weft, use);
  const on = (thread_id) => ({ configurable: { thread_id } });
  const log = async (id) => (await graph.getState(on(id))).values.log;
  take();
  await assert.rejects(use(), isGone(feature), "by itself");
  await graph.invoke({ isUsed: false }, on("later"));
  await graph.invoke(new Command({ resume: "yes" }), on("later"));
  const kept = { first: ["said sure"], later: [...(await log("later")), "said sure"] };
  assert.equal(kept.later.length, 4);
  for (const id of ["first", "later"]) {
    await graph.invoke({ isUsed: true }, on(id));
    const answered = graph.invoke(new Command({ resume: "sure" }), on(id));
    await assert.rejects(answered, isGone(feature), `${id}: after an answer`);
    assert.deepEqual(await log(id), [...kept[id], "beside"], `${id}: nothing is lost`);
    await assert.rejects(graph.invoke(null, on(id)), isGone(feature), `${id}: going on`);
    assert.deepEqual(await log(id), [...kept[id], "beside"], `${id}: nothing is lost then either`);
  }
  const before = { ...ran };
  put();
  for (const id of ["first", "later"]) {
    const ended = await graph.invoke(null, on(id));
    assert.deepEqual(ended.log.slice(0, -2), kept[id]);
    assert.deepEqual(ended.log.slice(-2).toSorted(), ["beside", expected].toSorted());
  }
  assert.deepEqual(ran, before, "what was done beside it is not done again");
}

test("createAgent without the reader of responseFormat fails with PART_NOT_LOADED, for a tool's and the service's form", async () => {
  const bundle = await bundleOf("structured-answer", "agent");
  const { createAgent, providerStrategy, toolStrategy } = bundle.weft;
  const schema = {
    title: "answer",
    type: "object",
    properties: { n: { type: "number" } },
    required: ["n"],
  };
  const tool_calls = [{ name: "answer", args: { n: 7 }, id: "1", type: "tool_call" }];
  const model = {
    bindTools: () => model,
    withConfig: () => model,
    invoke: async () => new bundle.weft.AIMessage({ content: '{"n":7}', tool_calls }),
  };
  const plain = { ...model, invoke: async () => new bundle.weft.AIMessage('{"n":7}') };
  plain.bindTools = plain.withConfig = () => plain;
  const agents = [
    createAgent({ model, responseFormat: toolStrategy(schema) }),
    createAgent({ model: plain, responseFormat: providerStrategy(schema) }),
  ];
  // The first that finds the part has it for all.
  const use = async () => {
    const answers = await Promise.allSettled(
      agents.map((agent) => agent.invoke({ messages: "?" })),
    );
    const [failed, other] = answers.filter(({ status }) => status === "rejected");
    if (failed === undefined)
      return JSON.stringify(answers.map(({ value }) => value.structuredResponse));
    assert.equal(other?.reason.code, "PART_NOT_LOADED");
    throw failed.reason;
  };
  await checkStates(bundle, "responseFormat", '[{"n":7},{"n":7}]', use);
});

const SOURCES = {
  groundingMetadata: { groundingChunks: [{ web: { uri: "https://a.example", title: "A" } }] },
};

test("ChatGemini without the reader of citations fails with PART_NOT_LOADED where the service's tools find sources", async () => {
  const bundle = await bundleOf("citations", "models/gemini");
  const { fetch } = scripted(sse([chunk([{ text: "hello" }], "STOP", SOURCES)]));
  const model = new bundle.weft.ChatGemini({
    apiKey: "k",
    model: "gemini-3",
    maxRetries: 2,
    fetch,
  });
  const finder = model.bindTools([{ googleSearch: {} }]);
  const use = async () => {
    let answer;
    for await (const piece of await finder.stream("?")) answer = answer?.concat(piece) ?? piece;
    return JSON.stringify(answer.content).match(/https:..a.example/)?.[0];
  };
  await checkStates(bundle, "citations", "https://a.example", use);
});

test("ChatGemini without the writer of arguments fails with PART_NOT_LOADED where they are streamed, and answers elsewhere", async () => {
  const bundle = await bundleOf("partial-args", "models/gemini");
  const { ChatGemini } = bundle.weft;
  const { fetch } = scripted(
    sse([
      chunk([{ functionCall: { name: "f", willContinue: true } }]),
      chunk([
        {
          functionCall: {
            partialArgs: [{ jsonPath: "$.city", stringValue: "Rome" }],
            willContinue: true,
          },
        },
      ]),
      chunk([{ functionCall: {} }], "STOP"),
    ]),
  );
  const options = { apiKey: "k", model: "gemini-3" };
  const model = new ChatGemini({ ...options, streamArguments: true, fetch });
  const use = async () => {
    let answer;
    for await (const piece of await model.stream("?")) answer = answer?.concat(piece) ?? piece;
    return JSON.stringify(answer.tool_calls[0].args);
  };
  bundle.take();
  const other = new ChatGemini({ ...options, ...scripted(sse([chunk([{ text: "hi" }], "STOP")])) });
  assert.equal((await other.invoke("?")).text, "hi");
  bundle.put();
  await checkStates(bundle, "arguments in pieces", '{"city":"Rome"}', use);
});

test("an MCP client without the part for arguments in headers fails with PART_NOT_LOADED for tools that have such", async () => {
  const bundle = await bundleOf("parameter-headers", "mcp");
  const inputSchema = {
    type: "object",
    properties: { region: { type: "string", "x-mcp-header": "Region" } },
  };
  const listed = { resultType: "complete", tools: [{ name: "where", inputSchema }] };
  const said = { resultType: "complete", content: [{ type: "text", text: "there" }] };
  const found = {
    resultType: "complete",
    supportedVersions: ["2026-07-28"],
    capabilities: { tools: {} },
    serverInfo: { name: "s", version: "1" },
  };
  const regions = [];
  const fetch = async (_url, { headers, body }) => {
    const { id, method } = JSON.parse(body);
    regions.push(new Headers(headers).get("mcp-param-region"));
    const result = { "tools/list": listed, "tools/call": said }[method] ?? found;
    return Response.json({ jsonrpc: "2.0", id, result });
  };
  const client = await bundle.weft.connectMcp(URL_OF_ALL, { fetch, era: "modern" });
  const use = async () => {
    const result = await client.callTool({ name: "where", arguments: { region: "north" } });
    return result.content[0].text + regions.at(-1);
  };
  await checkStates(bundle, "arguments in headers", "therenorth", use);
});

test("an MCP client without the part for older servers fails with PART_NOT_LOADED, or tells the newer protocol's refusal", async () => {
  const bundle = await bundleOf("legacy-era", "mcp");
  const connect = (era) => bundle.weft.connectMcp(URL_OF_ALL, { fetch: legacyServer(), era });
  const sum = async (client) =>
    JSON.stringify((await client.callTool({ name: "add", arguments: { a: 1, b: 2 } })).content);
  const expected = '[{"type":"text","text":"3"}]';
  const newer = await bundle.weft.connectMcp(URL_OF_ALL, { fetch: modernServer() });
  assert.equal(await sum(newer), expected);
  bundle.take();
  await assert.rejects(connect("auto"), { name: "McpError" });
  bundle.put();
  await checkStates(bundle, "older servers", expected, async () => sum(await connect("legacy")));
  assert.equal(await sum(await connect("auto")), expected);
});

test("a server of several tabs without its part answers 500 and tells onError; the next request tries again", async () => {
  const bundle = await bundleOf("tabs", "server");
  const { createServer, MemorySaver } = bundle.weft;
  const { graph } = graphOf(bundle.weft, async () => "used");
  const saver = new MemorySaver();
  const errors = [];
  // Node 20 has no Web Locks: a single server gets each at once.
  const locks = {
    request: async (name, options, granted = options) => granted({ name }),
    query: async () => ({ held: [] }),
  };
  const had = Object.getOwnPropertyDescriptor(globalThis, "navigator");
  Object.defineProperty(globalThis, "navigator", { value: { locks }, configurable: true });
  const onError = (error) => errors.push(error);
  const server = createServer({ graphs: { agent: graph }, saver, tabs: "app", onError });
  const ask = async (path, body) => {
    const request = { method: "POST", body: JSON.stringify(body) };
    const response = await server.fetch(
      new Request(`http://server.test${path}`, {
        ...request,
        headers: { "content-type": "application/json" },
      }),
    );
    return { status: response.status, body: await response.json() };
  };
  const begin = () => ask("/threads", { thread_id: "6f2cdd5d-1f5c-4b5e-8f53-0a3f3f1f9b10" });
  const run = (id, fields) => ask(`/threads/${id}/runs/wait`, { assistant_id: "agent", ...fields });
  try {
    bundle.take();
    for (let time = 0; time < 2; time++) assert.equal((await begin()).status, 500);
    assert.equal(errors.length, 2);
    for (const error of errors) isGone("servers of several tabs")(error);
    bundle.put();
    const { status, body } = await begin();
    assert.equal(status, 200);
    assert.equal((await run(body.thread_id, { input: { isUsed: true } })).status, 200);
    const ended = await run(body.thread_id, { command: { resume: "sure" } });
    assert.deepEqual(ended.body.log?.toSorted(), ["beside", "said sure", "used"]);
    assert.equal(errors.length, 2);
  } finally {
    await server.close();
    if (had === undefined) delete globalThis.navigator;
    else Object.defineProperty(globalThis, "navigator", had);
  }
});

test("a saver with `keep` whose part is gone tells onError, the run is stored, and a later run prunes", async () => {
  const bundle = await bundleOf("methods");
  const { Annotation, MemorySaver, START, StateGraph } = bundle.weft;
  const errors = [];
  const keep = { last: 1, every: 1, onError: (error) => errors.push(error) };
  const graph = new StateGraph(Annotation.Root({ n: Annotation() }))
    .addNode("add", ({ n }) => ({ n: n + 1 }))
    .addEdge(START, "add")
    .compile({ checkpointer: new MemorySaver(undefined, { keep }) });
  const on = { configurable: { thread_id: "t" } };
  const kept = async () => {
    const states = [];
    for await (const { values } of graph.getStateHistory(on)) states.push(values.n);
    return states;
  };
  bundle.take();
  for (const n of [1, 3]) await graph.invoke({ n }, on);
  assert.deepEqual(await kept(), [4, 3, 2, 2, 1, undefined]);
  assert.ok(errors.length > 0);
  for (const error of errors) isGone("maintaining threads")(error);
  errors.length = 0;
  bundle.put();
  await graph.invoke({ n: 5 }, on);
  assert.deepEqual(await kept(), [6]);
  assert.deepEqual(errors, []);
});
