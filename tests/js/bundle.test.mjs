// SPDX-License-Identifier: MIT
// Serves: docs/benchmarks.md (what a browser app loads): who brings no tool of ours loads none, who
// brings one no printer of zod's schemas; constants of the border are written where they are used.
// What only a feature needs that its caller names is loaded with that, and a bundle stays within
// its budget; so does the server beside an agent.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { AGENT, AGENT_IDBFS, firstLoad } from "../../tools/bundle.mjs";
import {
  ADAPTER,
  ALLOWED,
  BESIDE,
  CEILINGS,
  CONNECT_MCP,
  MIDDLEWARE_AGENT,
} from "../../tools/ceilings.mjs";

test("an agent alone loads no models, and no saver", async () => {
  const { files } = await firstLoad(AGENT);
  assert.deepEqual(
    files.filter((path) =>
      /^js\/(models\/(openai|demo|scripted)|savers\/(memory|file|idbfs|kv|deno-kv|durable-object|sealed)\/)/.test(
        path,
      ),
    ),
    [],
  );
});

test("the engine comes once, and each error's text once", async () => {
  const { files, text } = await firstLoad(AGENT, { whole: true });
  assert.ok(files.includes("js/engine/generated/engine-text.js"));
  assert.ok(
    !text.includes("ERR_FENCED") && text.split("Another writer has continued").length === 2,
  );
});

test("streams of events, LangGraph.js's checkpointers and the maintenance of threads are not in the first load", async () => {
  const { files } = await firstLoad(AGENT_IDBFS);
  const lazy =
    /^js\/(events\/(event-views|protocol\/(run-stream|transformers)\.|langchain\/)|compat\/streams\/|savers\/(methods|langgraph\/|maintenance\/|core\/(put|read-checkpoints))|log\/(read-log|recover|hashed-ids)\.)/;
  assert.deepEqual(
    files.filter((path) => lazy.test(path)),
    [],
  );
});

test("what servers of several tabs need is not in the first load of a server", async () => {
  const { files } = await firstLoad(`${AGENT} export { createServer } from "weftgraph/server";`);
  assert.deepEqual(
    files.filter((path) => /^js\/server\/tabs\/(tabs|remote-run)/.test(path)),
    [],
  );
});

test("a bundle for Node or a Worker, which is one file, includes its parts and wraps no module", async () => {
  for (const conditions of [undefined, ["workerd", "worker", "browser"]]) {
    const { outputFiles, metafile } = await build({
      stdin: {
        contents: 'export * from "weftgraph"; export * from "weftgraph/server";',
        resolveDir: fileURLToPath(new URL("../..", import.meta.url)),
      },
      bundle: true,
      format: "esm",
      platform: conditions === undefined ? "node" : "neutral",
      conditions,
      write: false,
      metafile: true,
      external: ["*.wasm"],
    });
    assert.ok(Object.keys(metafile.inputs).includes("js/savers/methods.js"));
    // How esbuild names the function around a module that is imported later.
    assert.doesNotMatch(outputFiles[0].text, /__esm\b/);
  }
});

test("a tool alone, or a graph on a server, brings no engine, in one file either", async () => {
  for (const contents of [
    'export { tool } from "weftgraph/tools";',
    'export { RemoteGraph } from "weftgraph/remote";',
  ]) {
    const { files } = await firstLoad(contents, { whole: true });
    assert.deepEqual(
      files.filter((path) => /^js\/(engine\/generated\/|run\/|graph\/compiled)/.test(path)),
      [],
    );
  }
});

for (const [name, contents, options] of [
  ["first", AGENT, {}],
  ["whole", AGENT, { whole: true }],
  ["firstSaved", AGENT_IDBFS, {}],
  ["wholeSaved", AGENT_IDBFS, { whole: true }],
]) {
  test(`a bundle of agent and graph stays within its budget: ${name}`, async () => {
    const { length } = gzipSync((await firstLoad(contents, options)).bytes, { level: 9 });
    assert.ok(
      length <= ALLOWED * CEILINGS[name],
      `${length} bytes, the budget is ${CEILINGS[name]}`,
    );
  });
}

for (const [name, contents, options, most] of [
  ["an agent with a saver", AGENT, {}, 25_000],
  ["an agent with savers of memory and IndexedDB", AGENT_IDBFS, {}, 25_000],
  ["an agent with a saver, all in one file", AGENT, { whole: true }, 26_500],
])
  test(`a server adds up to ${most / 1000} kB to ${name}`, async (t) => {
    const sizeOf = async (module) =>
      gzipSync((await firstLoad(module, options)).bytes, { level: 9 }).length;
    const server = 'export { createServer } from "weftgraph/server";';
    // A server without threads is none: what reads and writes them comes with any saver.
    const agent = `${contents} export { MemorySaver } from "weftgraph";`;
    const added = (await sizeOf(agent + server)) - (await sizeOf(agent));
    t.diagnostic(`${added} bytes`);
    assert.ok(added <= most, `${added} bytes`);
  });

/** Bytes of gzip that `more` adds to the first load of `before`. */
async function added(before, more) {
  const [alone, both] = await Promise.all([firstLoad(before), firstLoad(before + more)]);
  const [without, whole] = [alone, both].map(({ bytes }) => gzipSync(bytes, { level: 9 }).length);
  return whole - without;
}

for (const [name, model] of [
  ["openai", "ChatOpenAICompatible"],
  ["anthropic", "ChatAnthropicMessages"],
  ["gemini", "ChatGemini"],
  ["responses", "ChatOpenAIResponses"],
  ["workers-ai", "ChatWorkersAI"],
  ["ai-sdk", "fromAISDK"],
  ["prompt-api", "ChatPromptAPI"],
  ["webllm", "ChatWebLLM"],
])
  test(`one more adapter of a model stays within its budget: ${name}`, async (t) => {
    const others = BESIDE[name].map(
      (other, index) => `export * as first${index} from "weftgraph/models/${other}";`,
    );
    const more = `export { ${model} } from "weftgraph/models/${name}";`;
    const bytes = await added(`${AGENT} ${others.join(" ")}`, more);
    t.diagnostic(`${bytes} bytes`);
    assert.ok(bytes <= ADAPTER, `${bytes} bytes, the budget is ${ADAPTER}`);
  });

test("connectMcp stays within its budget beside a model", async (t) => {
  const before = `${AGENT} export * as model from "weftgraph/models/openai";`;
  const bytes = await added(before, 'export { connectMcp } from "weftgraph/mcp";');
  t.diagnostic(`${bytes} bytes`);
  assert.ok(bytes <= CONNECT_MCP, `${bytes} bytes, the budget is ${CONNECT_MCP}`);
});

test("connectMcp alone loads no messages, and no model", async () => {
  const { files } = await firstLoad('export { connectMcp } from "weftgraph/mcp";');
  assert.deepEqual(
    files.filter((path) => /^js\/(messages\/base|models\/base)\.js/.test(path)),
    [],
  );
});

test("createAgent stays within its budget beside createReactAgent", async (t) => {
  const bytes = await added(AGENT, 'export { createAgent } from "weftgraph/agent";');
  t.diagnostic(`${bytes} bytes`);
  assert.ok(bytes <= MIDDLEWARE_AGENT, `${bytes} bytes, it is ${MIDDLEWARE_AGENT}`);
});

test("a classic script whose page names no charset has the engine's bytes: as Latin-1 text it runs a graph", async () => {
  const contents =
    'import { Annotation, START, StateGraph } from "weftgraph"; globalThis.answer = new StateGraph(Annotation.Root({ n: Annotation() })).addNode("a", ({ n }) => ({ n: n + 1 })).addEdge(START, "a").compile().invoke({ n: 1 });';
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: fileURLToPath(new URL("../..", import.meta.url)) },
    // As webpack writes it; esbuild by itself writes ASCII alone.
    bundle: true,
    format: "iife",
    charset: "utf8",
    platform: "browser",
    conditions: ["browser"],
    write: false,
    logLevel: "error",
    external: ["node:*"],
  });
  const script = Buffer.from(outputFiles[0].contents).toString("latin1");
  const page = createContext({
    WebAssembly,
    crypto,
    TextEncoder,
    TextDecoder,
    URL,
    AbortController,
    AbortSignal,
    setTimeout,
    clearTimeout,
    MessageChannel,
    queueMicrotask,
    performance,
    console,
  });
  runInContext(script, page);
  assert.equal((await page.answer).n, 2);
});
