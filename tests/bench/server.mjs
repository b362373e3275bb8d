// SPDX-License-Identifier: MIT
// docs/benchmarks.md: an Agent Server in the same process, beside createEmbedServer of
// @langchain/langgraph-api, which is installed into build/ when it is missing: the first event of a
// run, a token's way through the server, runs at once, and what 100,000 runs leave in memory.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { FakeListChatModel } from "@langchain/core/utils/testing";
import { ScriptedModel } from "weftgraph/models/scripted";
import { createServer } from "weftgraph/server";
import { compare, round } from "./measure.mjs";

const API = "@langchain/langgraph-api";
const VERSION = "1.5.1";
const URL_OF_SERVER = "http://agent.local";
const TOKENS = 2000;
const TEXT = Array.from({ length: TOKENS }, (_, i) => `w${i % 10} `).join("");
const AT_ONCE = 1000;
const MEMORY_RUNS = 100_000;

/** The peer's server; its peers are the ones that the tests have. */
async function importEmbed() {
  const folder = fileURLToPath(new URL("../../build/bench/agent-server", import.meta.url));
  if (!existsSync(join(folder, "node_modules", API))) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
    const flags = ["--legacy-peer-deps", "--ignore-scripts", "--no-audit", "--no-fund"];
    execFileSync("npm", ["install", ...flags, `${API}@${VERSION}`], { cwd: folder });
  }
  const { resolve } = createRequire(join(folder, "package.json"));
  return import(pathToFileURL(resolve(`${API}/experimental/embed`)).href);
}

/** Where the peer's server keeps its threads. */
function memoryThreads() {
  const threads = new Map();
  return {
    get: async (id) => threads.get(id),
    set: async (id, { metadata }) => {
      const thread = { thread_id: id, metadata: { ...threads.get(id)?.metadata, ...metadata } };
      threads.set(id, thread);
      return thread;
    },
    delete: async (id) => void threads.delete(id),
  };
}

const answering = (lib) =>
  new lib.StateGraph(lib.MessagesAnnotation)
    .addNode("answer", () => ({ messages: [new lib.AIMessage("hello")] }))
    .addEdge(lib.START, "answer")
    .compile();

const speaking = (lib, model, options) =>
  new lib.StateGraph(lib.MessagesAnnotation)
    .addNode("say", async ({ messages }, config) => ({
      messages: [await model.invoke(messages, config)],
    }))
    .addEdge(lib.START, "say")
    .compile(options);

let serial = 0;

async function post(fetch, path, body) {
  const response = await fetch(
    new Request(`${URL_OF_SERVER}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    }),
  );
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  return response;
}

const newThread = async (fetch) => (await (await post(fetch, "/threads", {})).json()).thread_id;

/** Starts a streamed run. */
function streamRun(fetch, thread, graph, mode) {
  const input = { messages: [{ role: "user", content: `go ${serial++}` }] };
  const body = { assistant_id: graph, input, stream_mode: [mode] };
  return post(fetch, `/threads/${thread}/runs/stream`, body);
}

async function readAll(response) {
  let bytes = 0;
  for await (const piece of response.body) bytes += piece.length;
  return bytes;
}

/** @returns {Promise<number>} ms until the first event of a run has been read */
async function firstEvent(fetch) {
  const thread = await newThread(fetch);
  const start = performance.now();
  const response = await streamRun(fetch, thread, "answer", "values");
  const reader = response.body.getReader();
  await reader.read();
  const ms = performance.now() - start;
  while (!(await reader.read()).done);
  return ms;
}

async function tokens(fetch) {
  const bytes = await readAll(
    await streamRun(fetch, await newThread(fetch), "say", "messages-tuple"),
  );
  if (bytes < TOKENS * 50) throw new Error(`only ${bytes} bytes came`);
}

async function graphTokens(lib, graph) {
  const input = { messages: [new lib.HumanMessage("go")] };
  const config = { configurable: { thread_id: `t${serial++}` }, streamMode: "messages" };
  for await (const chunk of await graph.stream(input, config)) void chunk;
}

const runsAtOnce = async (fetch) => {
  const one = async () =>
    readAll(await streamRun(fetch, await newThread(fetch), "answer", "values"));
  await Promise.all(Array.from({ length: AT_ONCE }, one));
};

/** A server without runs, which streams what one said: what requests and streams cost alone. */
async function constantServer(fetch) {
  const pieces = [];
  const { body } = await streamRun(fetch, await newThread(fetch), "answer", "values");
  for await (const piece of body) pieces.push(piece);
  return async (request) => {
    await request.json();
    if (request.url.endsWith("/threads")) return Response.json({ thread_id: "t" });
    let at = 0;
    const pull = (controller) =>
      at < pieces.length ? controller.enqueue(pieces[at++]) : controller.close();
    return new Response(new ReadableStream({ pull }, { highWaterMark: 0 }), {
      headers: { "content-type": "text/event-stream" },
    });
  };
}

/** MB of heap that stateless runs leave, between the first tenth of them and their end. */
async function heapGrowth({ fetch }) {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  const used = () => (collect(), process.memoryUsage().heapUsed / 1e6);
  const body = JSON.stringify({ assistant_id: "answer", input: { messages: [] } });
  const run = async () =>
    (await fetch(`${URL_OF_SERVER}/runs/wait`, { method: "POST", body })).text();
  let before = 0;
  for (let done = 0; done < MEMORY_RUNS; done += 100) {
    if (done === MEMORY_RUNS / 10) before = used();
    await Promise.all(Array.from({ length: 100 }, run));
  }
  return used() - before;
}

export async function rows({ weft, langgraph }) {
  const { createEmbedServer } = await importEmbed();
  const ours = new ScriptedModel({ responses: [TEXT], loop: true, tokenDelayMs: 0 });
  const theirs = new FakeListChatModel({ responses: [TEXT], sleep: 0 });
  const graphs = { answer: answering(weft), say: speaking(weft, ours) };
  const server = createServer({ graphs, saver: new weft.MemorySaver() });
  const checkpointer = new langgraph.MemorySaver();
  const graph = { answer: answering(langgraph), say: speaking(langgraph, theirs) };
  const embed = createEmbedServer({ graph, threads: memoryThreads(), checkpointer });
  const fetchOf = { weft: server.fetch, langgraph: (request) => embed.fetch(request) };
  const sides = (work) => ({
    weft: () => work(fetchOf.weft),
    langgraph: () => work(fetchOf.langgraph),
  });
  const first = await compare("Agent Server: first event of a run, same process", {
    unit: "ms",
    per: 1,
    warmups: 20,
    rounds: 51,
    sides: sides(firstEvent),
    must: "<= 1 ms",
  });
  const saved = (lib, model) => speaking(lib, model, { checkpointer: new lib.MemorySaver() });
  const [savedOurs, savedTheirs] = [saved(weft, ours), saved(langgraph, theirs)];
  // A round of LangChain's list model takes seconds: it waits for a timer at each character.
  const through = await compare("", {
    unit: "µs/token",
    per: TOKENS,
    warmups: 10,
    rounds: 31,
    sides: {
      weft: () => tokens(fetchOf.weft),
      weftRaw: () => graphTokens(weft, savedOurs),
    },
  });
  const throughTheirs = await compare("", {
    unit: "µs/token",
    per: TOKENS,
    warmups: 1,
    rounds: 5,
    sides: {
      langgraph: () => tokens(fetchOf.langgraph),
      langgraphRaw: () => graphTokens(langgraph, savedTheirs),
    },
  });
  // LangChain's list model streams characters, ours words.
  const perToken = TOKENS / TEXT.length;
  const overStream = {
    name: "Agent Server: 2,000-token stream, over graph.stream",
    unit: "µs/token",
    weft: round(Math.max(0, through.weft - through.weftRaw)),
    langgraph: round(
      Math.max(0, (throughTheirs.langgraph - throughTheirs.langgraphRaw) * perToken),
    ),
    must: "<= 3 µs",
  };
  const constant = await constantServer(fetchOf.weft);
  const many = await compare(`Agent Server: ${AT_ONCE} streamed runs at once`, {
    unit: "µs/run",
    per: AT_ONCE,
    warmups: 1,
    rounds: 3,
    sides: { ...sides(runsAtOnce), limit: () => runsAtOnce(constant) },
    must: 10,
  });
  const heap = {
    name: "Agent Server: heap that 90,000 runs leave",
    unit: "MB",
    weft: round(await heapGrowth(server)),
    must: "flat",
  };
  return [first, overStream, many, heap];
}
