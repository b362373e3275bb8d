// SPDX-License-Identifier: MIT
// What LangGraph Studio's basic views ask, of `npx weftgraph serve` and of the server of
// @langchain/langgraph-api, over the same graphs: what that one answers has the same form here.
// Under WEFT_LONG (`make check-long PART=studio`), since it installs that server into build/.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs/promises";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

const isLong = process.env.WEFT_LONG === "1";
const options = { skip: isLong ? false : "make check-long PART=studio: installs a server" };
const API = "@langchain/langgraph-api@1.5.1";
const STUDIO = "https://smith.langchain.com";
const top = fileURLToPath(new URL("../..", import.meta.url));
const folder = join(top, "build/peer/studio");
const children = [];
let ours, theirs;

/** Starts a program in the folder. @returns {Promise<string>} the address that it says */
async function start(words) {
  const child = spawn(process.execPath, words, {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NODE_OPTIONS: "", LANGSMITH_TRACING: "false" },
  });
  children.push(child);
  let said = "";
  child.stdout.on("data", (piece) => (said += piece));
  const ended = once(child, "exit").then(([code]) => assert.fail(`${code}: ${said}`));
  ended.catch(() => {});
  const address = /(http:\/\/127\.0\.0\.1:\d+)/;
  while (!address.test(said)) await Promise.race([once(child.stdout, "data"), ended]);
  return address.exec(said)[1];
}

before(async () => {
  if (!isLong) return;
  await fs.mkdir(folder, { recursive: true });
  if (!existsSync(join(folder, "node_modules/@langchain/langgraph-api"))) {
    await fs.writeFile(join(folder, "package.json"), '{ "private": true }\n');
    const flags = ["--legacy-peer-deps", "--ignore-scripts", "--no-audit", "--no-fund"];
    execFileSync("npm", ["install", ...flags, API], { cwd: folder });
  }
  const made = new URL("studio-graphs.mjs", import.meta.url).href;
  for (const [name, lib] of [
    ["ours", import.meta.resolve("weftgraph")],
    ["theirs", "@langchain/langgraph"],
  ])
    await fs.writeFile(
      join(folder, `${name}.mjs`),
      `import * as messages from "@langchain/core/messages";
import * as graphs from ${JSON.stringify(lib)};
import * as zod from "zod";
import { makeGraphs } from ${JSON.stringify(made)};
export const { agent, typed } = makeGraphs({ ...messages, ...graphs }, zod);
`,
    );
  await fs.writeFile(
    join(folder, "start.mjs"),
    `import { createServer } from "node:http";
import { once } from "node:events";
import { startServer } from "@langchain/langgraph-api/server";
const probe = createServer().listen(0, "127.0.0.1");
await once(probe, "listening");
const { port } = probe.address();
await new Promise((resolve) => probe.close(resolve));
const graphs = { agent: "./theirs.mjs:agent", typed: "./theirs.mjs:typed" };
await startServer({ port, nWorkers: 2, host: "127.0.0.1", cwd: process.cwd(), graphs });
console.log("at http://127.0.0.1:" + port);
`,
  );
  theirs = await start(["start.mjs"]);
  ours = await start([
    join(top, "js/cli/main.js"),
    ...["serve", "./ours.mjs", "--port", "0", "--memory", "--origin", STUDIO],
  ]);
});

after(async () => {
  for (const child of children) {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  }
});

async function call(base, method, path, body, headers = {}) {
  const response = await fetch(`${base}${path}`, {
    method,
    headers: { ...(body && { "content-type": "application/json" }), origin: STUDIO, ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  const isJson = /json/.test(response.headers.get("content-type"));
  return { response, text, status: response.status, body: isJson ? JSON.parse(text) : text };
}

const kindOf = (value) => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value);

/**
 * That server closes the objects of zod's, which its graphs do not: they pass over other keys. It
 * copies the headers of a request into configs. `kwargs` are a run's arguments in
 * a form of its own.
 */
const OTHER = new Set(["additionalProperties", "user-agent", "kwargs"]);
/** What it puts into the metadata of each state: here the thread's has the graph. */
const OF_STATE = new Set([
  "graph_id",
  "assistant_id",
  "created_by",
  "ls_integration",
  "run_attempt",
  "langgraph_version",
  "langgraph_plan",
  "langgraph_host",
]);

/** What of a reference's form an answer lacks, by path; null and a value have one form. */
function missing(reference, value, path = "") {
  const [wanted, found] = [kindOf(reference), kindOf(value)];
  if (wanted === "null") return value === undefined ? [path] : [];
  if (wanted !== found) return [`${path}: ${found}, not ${wanted}`];
  if (wanted === "array")
    return reference.length > 0 && value.length === 0
      ? [`${path}: empty`]
      : reference
          .slice(0, value.length)
          .flatMap((one, at) => missing(one, value[at], `${path}/${at}`));
  if (wanted !== "object") return [];
  // Of each question by its task's id.
  if (path === "/interrupts") return missing(Object.values(reference), Object.values(value), path);
  return Object.keys(reference)
    .filter((key) => !OTHER.has(key) && !(path.endsWith("/metadata") && OF_STATE.has(key)))
    .flatMap((key) => missing(reference[key], value[key], `${path}/${key}`));
}

async function compare(method, path, body) {
  const [reference, answer] = [
    await call(theirs, method, path, body),
    await call(ours, method, path, body),
  ];
  assert.equal(answer.status, reference.status, `${method} ${path}: ${reference.text}`);
  assert.deepEqual(missing(reference.body, answer.body), [], `${method} ${path}`);
  return { reference: reference.body, answer: answer.body };
}

test("the list of graphs, and what each is", options, async () => {
  await compare("GET", "/ok");
  await compare("GET", "/info");
  const { reference, answer } = await compare("POST", "/assistants/search", { limit: 100 });
  const named = (list) => Object.fromEntries(list.map((one) => [one.graph_id, one.assistant_id]));
  assert.deepEqual(named(answer), named(reference));
  await compare("GET", "/assistants/agent");
  await compare("GET", `/assistants/${answer[0].assistant_id}`);
});

test("a graph's drawing: the same nodes and edges, also of the graph inside", options, async () => {
  for (const query of ["", "?xray=true", "?xray=1"]) {
    const { reference, answer } = await compare("GET", `/assistants/agent/graph${query}`);
    assert.deepEqual(
      answer.nodes.map(({ id, type }) => [id, type]).sort(),
      reference.nodes.map(({ id, type }) => [id, type]).sort(),
    );
    const edges = ({ edges }) =>
      edges.map(({ source, target, conditional }) => `${source} ${target} ${!!conditional}`).sort();
    assert.deepEqual(edges(answer), edges(reference));
  }
});

test("the schemas from which a form is made", options, async () => {
  const { reference, answer } = await compare("GET", "/assistants/typed/schemas");
  for (const part of ["input_schema", "output_schema", "state_schema", "context_schema"])
    assert.deepEqual(answer[part].properties, reference[part].properties, part);
  const agent = await call(ours, "GET", "/assistants/agent/schemas");
  assert.deepEqual(Object.keys(agent.body.input_schema.properties).sort(), ["may", "messages"]);
  const inner = await call(ours, "GET", "/assistants/agent/subgraphs?recurse=true");
  assert.deepEqual(Object.keys(inner.body.inner.state.properties), ["messages"]);
});

test("a run that asks, the thread's state and history, the answer", options, async () => {
  const threads = new Map();
  for (const base of [theirs, ours])
    threads.set(base, (await call(base, "POST", "/threads", {})).body.thread_id);
  const both = async (method, path, body) => {
    const [reference, answer] = await Promise.all(
      [theirs, ours].map((base) => call(base, method, path.replace(":t", threads.get(base)), body)),
    );
    assert.equal(answer.status, reference.status, `${method} ${path}: ${reference.text}`);
    assert.deepEqual(missing(reference.body, answer.body), [], `${method} ${path}`);
    return { reference: reference.body, answer: answer.body };
  };
  const eventsOf = (text) => [...text.matchAll(/^event: (.+)$/gm)].map(([, name]) => name.trim());
  const stream = async (more) => {
    const { reference, answer } = await both("POST", "/threads/:t/runs/stream", {
      assistant_id: "agent",
      stream_mode: ["values", "updates", "messages-tuple", "custom", "tasks", "checkpoints"],
      stream_subgraphs: true,
      ...more,
    });
    const kinds = (text) => [...new Set(eventsOf(text).map((name) => name.split("|")[0]))].sort();
    assert.deepEqual(kinds(answer), kinds(reference));
  };
  await stream({ input: { messages: [{ type: "human", content: "hello" }] } });
  await both("GET", "/threads/:t");
  const asked = await both("GET", "/threads/:t/state?subgraphs=true");
  assert.deepEqual(asked.answer.next, asked.reference.next);
  await stream({ command: { resume: true } });
  const { reference, answer } = await both("POST", "/threads/:t/history", { limit: 100 });
  assert.deepEqual(
    answer.map(({ next, metadata }) => [next, metadata.source, metadata.step]),
    reference.map(({ next, metadata }) => [next, metadata.source, metadata.step]),
  );
  await both("POST", "/threads/:t/state", { values: { may: false }, as_node: "ask" });
  await both("GET", "/threads/:t/runs");
  await both("POST", "/threads/search", { limit: 10, metadata: { graph_id: "agent" } });
});

test("Studio's page may ask: also across networks, as browsers want it", options, async () => {
  const { response } = await call(ours, "OPTIONS", "/threads", undefined, {
    "access-control-request-method": "POST",
    "access-control-request-headers": "content-type,x-auth-scheme",
    "access-control-request-private-network": "true",
  });
  assert.equal(response.status, 204);
  assert.equal(response.headers.get("access-control-allow-private-network"), "true");
  assert.equal(response.headers.get("access-control-allow-headers"), "content-type,x-auth-scheme");
  const found = await call(ours, "GET", "/ok");
  assert.match(found.response.headers.get("access-control-allow-origin"), /^(\*|https:\/\/smith)/);
  const reference = await call(theirs, "GET", "/ok");
  const exposed = ({ response }) =>
    response.headers.get("access-control-expose-headers").split(/,\s*/);
  for (const name of exposed(reference)) assert.ok(exposed(found).includes(name), name);
});
