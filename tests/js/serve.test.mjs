// SPDX-License-Identifier: MIT
// The command `weftgraph serve`: a real process and real HTTP, the SDK's client, signals, wrong
// words, other sites.
// Own process: it waits for processes of its own.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Client } from "@langchain/langgraph-sdk";

const top = fileURLToPath(new URL("../../", import.meta.url));
const { bin, version } = JSON.parse(readFileSync(join(top, "package.json"), "utf8"));
const program = join(top, bin.weftgraph);
const folders = [];
const children = new Set();

after(() => {
  for (const child of children) child.kill("SIGKILL");
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

const GRAPH = `import { MessagesAnnotation, START, StateGraph, interrupt } from "weftgraph";

async function answer({ messages }, { signal }) {
  const said = messages.at(-1).content;
  if (said === "ask") return { messages: [{ role: "ai", content: \`You want \${interrupt("What?")}.\` }] };
  if (said === "slow") {
    console.log("the node begins");
    await new Promise((resolve, reject) => {
      const timer = setTimeout(resolve, 60_000);
      signal.addEventListener("abort", () => {
        clearTimeout(timer);
        console.log("the node was aborted");
        reject(signal.reason);
      });
    });
  }
  if (said === "deaf") {
    isStuck = true;
    console.log("the node begins");
    await new Promise((resolve) => setTimeout(resolve, 60_000));
  }
  if (said === "fail") throw new TypeError("the payment service said no");
  if (said === "env") return { messages: [{ role: "ai", content: process.env.SECRET_OF_TEST }] };
  return { messages: [{ role: "ai", content: \`You said: \${said}\` }] };
}

export const builder = new StateGraph(MessagesAnnotation).addNode("answer", answer).addEdge(START, "answer");
export const other = builder.compile();
export const helper = () => "no graph";
let isStuck = false;
export default (config) => (isStuck ? new Promise(() => {}) : builder.compile());
`;

/** A folder with these files, in which the package is installed. */
function folderWith(files = { "graph.js": GRAPH }) {
  const folder = mkdtempSync(join(tmpdir(), "weft-serve-"));
  folders.push(folder);
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(top, join(folder, "node_modules/weftgraph"));
  for (const [path, text] of Object.entries({ "package.json": '{ "type": "module" }', ...files })) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

/** A server in a folder, when it listens. */
async function start(folder, words = ["./graph.js"], env = {}) {
  const child = spawn(process.execPath, [program, "serve", "--port", "0", ...words], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.add(child);
  let said = "";
  const ended = once(child, "exit").then(([code, signal]) => {
    children.delete(child);
    return code ?? signal;
  });
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece) => (said += piece));
  const address = () => /^ {2}(http:\S+:\d+)$/m.exec(said)?.[1];
  while (address() === undefined)
    await Promise.race([
      once(child.stdout, "data"),
      ended.then((code) => assert.fail(`it ended with ${code}: ${said}`)),
    ]);
  const url = address();
  const client = (apiKey) => new Client({ apiUrl: url, apiKey, callerOptions: { maxRetries: 0 } });
  return {
    url,
    /** Resolves when it has said this. */
    async until(text) {
      for (let tries = 0; !said.includes(text); tries++) {
        assert.ok(tries < 3000, `it does not say ${text}: ${said}`);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
    client: client(null),
    clientWith: client,
    said: () => said,
    /** @returns {Promise<number | string>} the code that it ends with */
    end: (signal = "SIGTERM") => (child.kill(signal), ended),
    kill: (signal) => child.kill(signal),
    ended,
  };
}

/** What a wrong use says, and with which code it ends. */
function refused(folder, words, env = {}) {
  return new Promise((resolve) =>
    execFile(
      process.execPath,
      [program, ...words],
      { cwd: folder, env: { ...process.env, ...env }, timeout: 60_000 },
      (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }),
    ),
  );
}

const say = (content) => ({ messages: [{ role: "user", content }] });
const lastOf = ({ messages }) => messages.at(-1).content;

/** A request with headers that fetch does not let one set. */
async function ask(url, path, { headers = {}, method = "GET", body } = {}) {
  const request = httpRequest(`${url}${path}`, { method, headers });
  request.end(body);
  const [answer] = await once(request, "response");
  let text = "";
  for await (const piece of answer) text += piece;
  return { status: answer.statusCode, headers: answer.headers, text };
}

test("threads, streams, a question; another process with the same folder goes on with its answer", async () => {
  const folder = folderWith();
  const first = await start(folder);
  assert.match(
    first.said(),
    new RegExp(`^weftgraph ${version} serves agent, builder, other, threads in \\.weft$`, "m"),
  );
  assert.match(first.url, /^http:\/\/127\.0\.0\.1:/);
  const { thread_id } = await first.client.threads.create();
  const events = [];
  for await (const event of first.client.runs.stream(thread_id, "agent", {
    input: say("hello"),
    streamMode: ["updates"],
  }))
    events.push(event);
  assert.deepEqual(
    events.map(({ event }) => event),
    ["metadata", "updates"],
  );
  const asked = await first.client.runs.wait(thread_id, "agent", { input: say("ask") });
  assert.equal(asked.__interrupt__[0].value, "What?");
  assert.equal(await first.end(), 0);

  const second = await start(folder);
  const thread = await second.client.threads.get(thread_id);
  assert.equal(thread.status, "interrupted");
  const [[question]] = Object.values(thread.interrupts);
  const done = await second.client.runs.wait(thread_id, "agent", {
    command: { resume: { [question.id]: "tea" } },
  });
  assert.deepEqual(
    done.messages.map(({ content }) => content),
    ["hello", "You said: hello", "ask", "You want tea."],
  );
  assert.equal((await second.client.runs.list(thread_id)).length, 3);
  assert.equal(readFileSync(join(folder, ".weft/.gitignore"), "utf8"), "*\n");
  assert.equal(await second.end("SIGINT"), 0);
  assert.equal(existsSync(join(folder, ".weft/serve.pid")), false);
});

test("AG-UI's clients and those that name a graph by an address are answered, too", async () => {
  const { url, client, end } = await start(folderWith());
  const post = { method: "POST", headers: { "content-type": "application/json" } };
  const messages = [{ id: "u1", role: "user", content: "hello" }];
  const body = JSON.stringify({ threadId: "t", runId: "r", messages, tools: [], context: [] });
  const { text } = await ask(url, "/agui/agent", { ...post, body });
  assert.match(text, /"type":"RUN_FINISHED".*"outcome":\{"type":"success"\}/);
  assert.equal(lastOf((await client.threads.getState("t")).values), "You said: hello");
  const config = { configurable: { thread_id: "t" } };
  const again = JSON.stringify({ input: say("again"), config });
  assert.match((await ask(url, "/stream/other", { ...post, body: again })).text, /You said: again/);
  assert.equal(await end(), 0);
});

test("a process that is killed in a run leaves a thread that another one goes on with", async () => {
  const folder = folderWith();
  const first = await start(folder);
  const { thread_id } = await first.client.threads.create();
  await first.client.runs.wait(thread_id, "agent", { input: say("hello") });
  const { runs } = first.client;
  const run = await runs.create(thread_id, "agent", { input: say("slow") });
  while ((await runs.get(thread_id, run.run_id)).status !== "running");
  const next = { input: say("next"), multitaskStrategy: "enqueue" };
  const waiting = await runs.create(thread_id, "agent", next);
  assert.equal(await first.end("SIGKILL"), "SIGKILL");
  const second = await start(folder);
  assert.equal((await second.client.runs.get(thread_id, run.run_id)).status, "interrupted");
  assert.equal(lastOf(await second.client.runs.join(thread_id, waiting.run_id)), "You said: next");
  const done = await second.client.runs.wait(thread_id, "agent", { input: say("again") });
  assert.equal(lastOf(done), "You said: again");
  await second.end();
});

test("a folder that was there keeps its other files", async () => {
  const folder = folderWith({ "graph.js": GRAPH, ".gitignore": "own\n" });
  await (await start(folder, ["./graph.js", "--data", "."])).end();
  assert.equal(readFileSync(join(folder, ".gitignore"), "utf8"), "own\n");
  assert.ok(existsSync(join(folder, "graph.js")));
});

test("each export that is a graph has its name; with --memory nothing is left", async () => {
  const folder = folderWith();
  const server = await start(folder, ["--memory", "./graph.js"]);
  for (const id of ["agent", "builder", "other"])
    assert.equal(
      lastOf(await server.client.runs.wait(null, id, { input: say(id) })),
      `You said: ${id}`,
    );
  await assert.rejects(server.client.runs.wait(null, "helper", { input: say("x") }), {
    status: 404,
  });
  const found = await server.client.assistants.search();
  assert.deepEqual(found.map(({ graph_id }) => graph_id).sort(), ["agent", "builder", "other"]);
  await server.client.store.putItem(["notes"], "a", { text: "b" });
  assert.deepEqual((await server.client.store.getItem(["notes"], "a")).value, { text: "b" });
  await server.end();
  assert.equal(existsSync(join(folder, ".weft")), false);
});

test("a module of CommonJS, several modules, another folder for threads", async () => {
  const folder = folderWith({
    "one.cjs": `const { Annotation, START, StateGraph } = require("weftgraph");
const graph = new StateGraph(Annotation.Root({ a: Annotation() })).addNode("n", ({ a }) => ({ a: a + 1 })).addEdge(START, "n").compile();
module.exports = { one: graph };
`,
    "two.mjs": GRAPH,
  });
  const server = await start(folder, ["one.cjs", "./two.mjs", "--data", "kept/here"]);
  const { thread_id } = await server.client.threads.create();
  assert.deepEqual(await server.client.runs.wait(thread_id, "one", { input: { a: 1 } }), { a: 2 });
  assert.equal(
    lastOf(await server.client.runs.wait(null, "agent", { input: say("x") })),
    "You said: x",
  );
  assert.deepEqual((await server.client.threads.getState(thread_id)).values, { a: 2 });
  assert.equal(await server.end(), 0);
  assert.ok(existsSync(join(folder, "kept/here/threads")));
});

test("langgraph.json names graphs and an environment", async () => {
  const folder = folderWith({
    "src/graph.js": GRAPH,
    "langgraph.json": JSON.stringify({
      node_version: "20",
      dependencies: ["."],
      graphs: { bot: "./src/graph.js:other", made: { path: "./src/graph.js" } },
      env: ".env",
    }),
    ".env": 'SECRET_OF_TEST="from the file"\nGIVEN_TO_TEST=file\n',
  });
  const server = await start(folder, []);
  assert.match(server.said(), /serves bot, made,/);
  const told = await server.client.runs.wait(null, "bot", { input: say("env") });
  assert.equal(lastOf(told), "from the file");
  assert.equal(
    lastOf(await server.client.runs.wait(null, "made", { input: say("x") })),
    "You said: x",
  );
  await server.end();
  const other = await start(folder, [], { SECRET_OF_TEST: "from outside" });
  assert.equal(
    lastOf(await other.client.runs.wait(null, "bot", { input: say("env") })),
    "from outside",
  );
  await other.end();
});

for (const token of [undefined, "a long one"])
  test(`${token === undefined ? "without" : "with"} a token, it does not answer under another name, nor pages of other sites`, () =>
    refusesOthers(token));

async function refusesOthers(token) {
  const server = await start(folderWith(), [
    ...["--memory", "./graph.js", "--origin", "https://chat.example/"],
    ...(token === undefined ? [] : ["--token", token]),
  ]);
  const known = token === undefined ? {} : { "x-api-key": token };
  const port = new URL(server.url).port;
  for (const [host, status] of [
    [`localhost:${port}`, 200],
    [`127.0.0.1:${port}`, 200],
    [`[::1]:${port}`, 200],
    ["rebound.example", 403],
    [`rebound.example:${port}`, 403],
    ["127.0.0.1.example", 403],
    ["localhost.example", 403],
    ["localhost@rebound.example", 400],
  ])
    assert.equal(
      (await ask(server.url, "/info", { headers: { host, ...known } })).status,
      status,
      host,
    );
  const simple = { method: "POST", body: "{}" };
  for (const [origin, status] of [
    ["http://localhost:5173", 200],
    ["http://127.0.0.1:3000", 200],
    ["https://chat.example", 200],
    ["https://chat.example.evil.test", 403],
    ["http://chat.example", 403],
    ["https://evil.test", 403],
    ["null", 403],
  ]) {
    const headers = { origin, "content-type": "text/plain", ...known };
    const answer = await ask(server.url, "/threads", { ...simple, headers });
    assert.equal(answer.status, status, origin);
    const preflight = await ask(server.url, "/threads", { method: "OPTIONS", headers: { origin } });
    assert.equal(preflight.status, status === 200 ? 204 : 403, origin);
    assert.equal(
      preflight.headers["access-control-allow-origin"],
      status === 200 ? "*" : undefined,
    );
  }
  assert.equal((await server.clientWith(token ?? null).threads.search()).length, 3);
  assert.match(server.said(), /Refused a page of "https:\/\/evil\.test": --origin lets it ask\./);
  await server.end();
}

test("pages of any site may ask with --origin *, if they send the token", async () => {
  const words = ["--memory", "./graph.js", "--token", "a long one", "--origin", "*"];
  const server = await start(folderWith(), words);
  const origin = "https://any.example";
  for (const [headers, status] of [
    [{ origin, "x-api-key": "a long one" }, 200],
    [{ origin: "null", "x-api-key": "a long one" }, 200],
    [{ origin }, 401],
    [{ origin, host: "rebound.example", "x-api-key": "a long one" }, 403],
  ])
    assert.equal(
      (await ask(server.url, "/info", { headers })).status,
      status,
      JSON.stringify(headers),
    );
  await server.end();
});

test("beyond this machine it answers by address, to its own pages, and by names it was told", async () => {
  const words = ["--memory", "./graph.js", "--token", "t", "--host", "0.0.0.0"];
  const server = await start(folderWith(), [...words, "--origin", "http://agents.example:2024"]);
  for (const [host, origin, status] of [
    ["192.0.2.7:2024", undefined, 200],
    ["[2001:db8::7]:2024", undefined, 200],
    ["192.0.2.7:2024", "http://192.0.2.7:2024", 200],
    ["192.0.2.7:2024", "http://192.0.2.7:3000", 403],
    ["192.0.2.7:2024", "http://192.0.2.8:2024", 403],
    ["192.0.2.7:2024", "http://localhost:5173", 200],
    ["agents.example:2024", "http://agents.example:2024", 200],
    ["192.0.2.7:2024", "http://agents.example:2024", 200],
    ["agents.example", undefined, 403],
    ["rebound.example:2024", undefined, 403],
    ["rebound.example:2024", "http://rebound.example:2024", 403],
    ["192.0.2.7.example:2024", undefined, 403],
  ]) {
    const headers = { host, "x-api-key": "t", ...(origin && { origin }) };
    assert.equal((await ask(server.url, "/info", { headers })).status, status, `${host} ${origin}`);
  }
  assert.match(
    server.said(),
    /Refused a request to rebound\.example:2024: --origin http:\/\/rebound\.example:2024 lets/,
  );
  await server.end();
});

test("with a token, only who sends it is served", async () => {
  const folder = folderWith();
  const words = ["./graph.js", "--token", "a long one"];
  const server = await start(folder, words);
  await assert.rejects(server.client.threads.create(), { status: 401 });
  await assert.rejects(server.clientWith("a long on").threads.create(), { status: 401 });
  const { thread_id } = await server.clientWith("a long one").threads.create();
  const path = `/threads/${thread_id}`;
  for (const [headers, status] of [
    [{ authorization: "Bearer a long one" }, 200],
    [{ authorization: "bearer a long one", origin: "http://localhost:5173" }, 200],
    [{ authorization: "Basic a long one" }, 401],
    [{ "x-api-key": "" }, 401],
    [{ "x-api-key": "wrong", origin: "http://localhost:5173" }, 401],
  ])
    assert.equal(
      (await ask(server.url, path, { headers })).status,
      status,
      JSON.stringify(headers),
    );
  assert.equal((await ask(server.url, "/ok", { method: "OPTIONS" })).status, 204);
  await server.end();
  // Threads are nobody's: they are there without a token too.
  const open = await start(folder);
  assert.equal((await open.client.threads.get(thread_id)).thread_id, thread_id);
  await open.end();
  const everywhere = await start(folder, ["./graph.js", "--host", "0.0.0.0"], {
    WEFTGRAPH_TOKEN: "from the environment",
  });
  assert.match(everywhere.url, /^http:\/\/localhost:/);
  const answer = await ask(everywhere.url, path, {
    headers: { "x-api-key": "from the environment" },
  });
  assert.equal(answer.status, 200);
  await everywhere.end();
});

test("the token of the environment is told to no server elsewhere", async () => {
  const words = [program, "studio", "http://127.0.0.1:9", "--port", "0"];
  for (const [given, expected] of [
    [[], /^ {2}\S+\/studio$/m],
    [["--token", "theirs"], /^ {2}\S+\/studio#token=theirs$/m],
  ]) {
    const child = spawn(process.execPath, [...words, ...given], {
      env: { ...process.env, WEFTGRAPH_TOKEN: "ours" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    children.add(child);
    const ended = once(child, "exit").then(() => children.delete(child));
    let said = "";
    for await (const piece of child.stdout) if (/\/studio\S*\n/.test((said += piece))) break;
    child.kill();
    await ended;
    assert.match(said, expected);
  }
});

test("a node that fails is told where the server runs, with its stack", async () => {
  const server = await start(folderWith(), ["--memory", "./graph.js"]);
  const { thread_id } = await server.client.threads.create();
  await assert.rejects(server.client.runs.wait(thread_id, "agent", { input: say("fail") }));
  await server.until("graph.js:");
  assert.match(
    server.said(),
    new RegExp(
      `weftgraph: a run of thread ${thread_id} failed: TypeError: the payment service said no\n +at .*graph\\.js:\\d+`,
    ),
  );
  await server.end();
});

test("a graph that cannot be made: clients are told where the reason stands, and it does", async () => {
  const made = 'export default () => {\n  throw new Error("there is no key");\n};\n';
  const server = await start(folderWith({ "made.js": made }), ["--memory", "./made.js"]);
  const origin = "http://localhost:3000";
  const { status, headers, text } = await ask(server.url, "/assistants/agent/schemas", {
    headers: { origin },
  });
  assert.deepEqual([status, headers["content-type"]], [500, "application/json"]);
  assert.ok(headers["access-control-allow-origin"]);
  assert.match(JSON.parse(text).detail, /failed at this request: the reason is told where it runs/);
  await server.until("a request failed: Error: there is no key");
  await server.end();
});

test("a body that is too long is refused, and the server goes on", async () => {
  const server = await start(folderWith(), ["--memory", "./graph.js"]);
  const body = JSON.stringify({ metadata: { long: "x".repeat(11 * 1024 * 1024) } });
  const answer = await ask(server.url, "/threads", { method: "POST", body });
  assert.equal(answer.status, 413);
  assert.equal((await server.client.threads.create({ threadId: "next" })).thread_id, "next");
  await server.end();
});

test("a reader that goes away ends its run, if it said so", async () => {
  const server = await start(folderWith(), ["--memory", "./graph.js"]);
  const { thread_id } = await server.client.threads.create();
  const controller = new AbortController();
  let runId;
  const stream = server.client.runs.stream(thread_id, "agent", {
    input: say("slow"),
    onDisconnect: "cancel",
    signal: controller.signal,
    onRunCreated: ({ run_id }) => (runId = run_id),
  });
  await stream.next();
  controller.abort();
  await stream.next().catch(() => {});
  await server.client.runs.join(thread_id, runId);
  assert.equal((await server.client.runs.get(thread_id, runId)).status, "interrupted");
  assert.match(server.said(), /the node was aborted/);
  await server.end();
});

test("SIGTERM ends runs, their streams and those of threads, and the process", async () => {
  const folder = folderWith();
  const server = await start(folder);
  const { thread_id } = await server.client.threads.create();
  const stream = server.client.runs.stream(thread_id, "agent", { input: say("slow") });
  const { value: metadata } = await stream.next();
  const endless = await fetch(`${server.url}/threads/${thread_id}/stream/events`, {
    method: "POST",
    body: JSON.stringify({ channels: ["lifecycle"] }),
  });
  await server.until("the node begins");
  server.kill("SIGTERM");
  const rest = [];
  for await (const { event } of stream) rest.push(event);
  assert.deepEqual(
    rest.filter((event) => event === "error"),
    [],
  );
  await endless.text().catch(() => {});
  assert.equal(await server.ended, 0);
  assert.doesNotMatch(server.said(), /A run did not end/);
  assert.match(server.said(), /the node was aborted/);
  const again = await start(folder);
  const run = await again.client.runs.get(thread_id, metadata.data.run_id);
  assert.equal(run.status, "interrupted");
  assert.equal((await again.client.threads.get(thread_id)).status, "interrupted");
  await again.end();
});

test("a node that heeds no signal is not waited for", async () => {
  const server = await start(folderWith(), ["./graph.js"]);
  const { thread_id } = await server.client.threads.create();
  await server.client.runs.create(thread_id, "other", { input: say("deaf") });
  await server.until("the node begins");
  assert.equal(await server.end("SIGINT"), 0);
});

test("a run that has no end is left after a while, or when somebody asks twice", async () => {
  const folder = folderWith();
  for (const isTwice of [true, false]) {
    const server = await start(folder);
    const { thread_id } = await server.client.threads.create();
    await server.client.runs.create(thread_id, "agent", { input: say("deaf") });
    await server.until("the node begins");
    server.kill("SIGINT");
    await server.until("ending");
    if (isTwice) server.kill("SIGINT");
    assert.equal(await server.ended, 1);
    assert.equal(/A run did not end/.test(server.said()), !isTwice);
  }
  await (await start(folder)).end();
});

test("two processes do not serve one folder", async () => {
  const folder = folderWith();
  const server = await start(folder);
  const { code, stderr } = await refused(folder, ["serve", "./graph.js", "--port", "0"]);
  assert.equal(code, 2);
  assert.match(
    stderr,
    /^weftgraph: Process \d+ serves the threads in \.weft: end it, or choose another folder with --data\.\n$/,
  );
  await server.end();
  await (await start(folder)).end();
});

test("a port in use is a sentence that names another way", async (t) => {
  const taken = createServer();
  taken.listen(0, "127.0.0.1");
  await once(taken, "listening");
  t.after(() => taken.close());
  const folder = folderWith();
  const words = ["serve", "./graph.js", "--port", String(taken.address().port)];
  const { code, stderr } = await refused(folder, words);
  assert.equal(code, 2);
  assert.match(stderr, /^weftgraph: Port \d+ is in use: choose another one with --port, [^\n]*\n$/);
  assert.equal(existsSync(join(folder, ".weft/serve.pid")), false);
});

test("each wrong use is one sentence with a way out, and code 2", async () => {
  const folder = folderWith({
    "graph.js": GRAPH,
    "again.js": GRAPH,
    "none.js": "export const a = 1;\nexport const b = () => {};\n",
    "throws.js": "\nconst a = undefined;\na.b();\n",
    "syntax.js": "export const = 1;\n",
    "edges.js":
      'import { Annotation, START, StateGraph } from "weftgraph";\nexport default new StateGraph(Annotation.Root({})).addEdge(START, "gone");\n',
    "rejects.js": 'export default Promise.reject(new Error("no key"));\n',
    "rejects-late.js":
      'export const a = 1;\nexport const b = new Promise((_, no) => setTimeout(() => no(new Error("no key")), 50));\n',
    "never.js": "await new Promise(() => {});\n",
    "imports.js": 'import "not-installed-here";\n',
    "misses.js": 'import "./not-there.js";\n',
    "wrong.unknown": "",
    "file/.weft": "",
    "manifest/langgraph.json": "{",
    "places/langgraph.json": '{ "graphs": { "a": 1 } }',
    "gone/langgraph.json": '{ "graphs": { "a": "./gone.js:a" } }',
    "rejecting/langgraph.json": '{ "graphs": { "a": "../rejects.js" } }',
    "export/langgraph.json": '{ "graphs": { "a": "../graph.js:none" } }',
    "env/langgraph.json": '{ "graphs": { "a": "../graph.js:other" }, "env": ".env" }',
  });
  const cases = [
    [[], /Say what to do: weftgraph serve/],
    [["server"], /no command "server": weftgraph --help/],
    ...["serve", "studio"].map((command) => [
      [command],
      /Say which graphs to serve: give their module, such as \.\/graph\.js, or name them in a langgraph\.json/,
    ]),
    [["serve", "./gone.js"], /There is no \.\/gone\.js: give the path/],
    [["serve", "./none.js"], /\.\/none\.js exports no graph: export what/],
    [
      ["serve", "./throws.js"],
      /\.\/throws\.js fails when it is loaded, mend it: TypeError: .* \(throws\.js:3:3\)/,
    ],
    [
      ["serve", "./syntax.js"],
      /\.\/syntax\.js fails when it is loaded, mend it: SyntaxError: .* \(syntax\.js:1\)/,
    ],
    [
      ["serve", "./rejects.js"],
      /\.\/rejects\.js fails when it is loaded, mend it: Error: no key \(rejects\.js:1:31\)/,
    ],
    [
      ["serve", "./rejects-late.js"],
      /\.\/rejects-late\.js fails when it is loaded, mend it: Error: no key \(rejects-late\.js:2/,
    ],
    [["studio", "./never.js"], /\.\/never\.js awaits what never comes when it is loaded, mend it/],
    [["studio", "http://127.0.0.1:8787", "./graph.js"], /Give the studio one address of a server/],
    [["studio", "http://[::1"], /Give the studio one address of a server, such as http:/],
    [["serve", "http://127.0.0.1:8787"], /There is no http:\/\/127\.0\.0\.1:8787: give the path/],
    [["serve", "./edges.js"], /edges\.js has a graph that cannot be compiled, mend it: /],
    [
      ["serve", "./imports.js"],
      /imports not-installed-here, which is not installed: npm install not-installed-here\./,
    ],
    [["serve", "./misses.js"], /misses\.js fails when it is loaded, mend it: .*not-there\.js/],
    [["serve", "./wrong.unknown"], /does not run \.\/wrong\.unknown: compile it/],
    [
      ["serve", "./graph.js", "./again.js"],
      /both have a graph "agent": name each in langgraph\.json/,
    ],
    [["serve", "./graph.js", "--prot", "1"], /There is no option --prot: weftgraph --help/],
    [["serve", "./graph.js", "--port"], /--port is not given as it has to be: weftgraph --help/],
    [["serve", "./graph.js", "--port", "70000"], /There is no port "70000": give --port a number/],
    [["serve", "./graph.js", "--port", "-1"], /--port is not given as it has to be|There is no/],
    [
      ["serve", "./graph.js", "--host", "0.0.0.0"],
      /At 0\.0\.0\.0 others could run your graphs: give --token/,
    ],
    [["serve", "./graph.js", "--host", "::", "--token", ""], /The token is empty: give --token/],
    [
      ["serve", "./graph.js", "--host", "192.0.2.1", "--token", "t"],
      /Nothing can listen at 192\.0\.2\.1 .*: choose another address with --host/,
    ],
    [["serve", "./graph.js", "--origin", "chat"], /There is no origin "chat": give --origin/],
    [
      ["serve", "./graph.js", "--memory", "--data", "x"],
      /--memory keeps threads in no folder: leave it out, or --data/,
    ],
    [
      ["serve", "./graph.js", "--data", "graph.js"],
      /Threads cannot be kept in graph\.js .*: choose another folder with --data, or --memory/,
    ],
    [["serve"], /langgraph\.json has to be JSON such as/, "manifest"],
    [["serve"], /langgraph\.json has to be JSON such as/, "places"],
    [["serve"], /There is no \.\/gone\.js/, "gone"],
    [["serve"], /rejects\.js fails when it is loaded, mend it: Error: no key/, "rejecting"],
    [["serve"], /exports no graph "none": langgraph\.json has to name an export/, "export"],
    [["serve"], /names \.env, which is not there: make it, or take "env" out/, "env"],
  ];
  for (const [words, expected, within = "."] of cases) {
    const { code, stdout, stderr } = await refused(join(folder, within), words);
    assert.match(stderr, expected, words.join(" "));
    assert.match(stderr, /^weftgraph: [^\n]*\n$/, words.join(" "));
    assert.deepEqual([code, stdout], [2, ""], words.join(" "));
  }
});

test("--help and --version tell, and end with 0", async () => {
  const folder = folderWith();
  const help = await refused(folder, ["--help"]);
  assert.equal(help.code, 0);
  for (const name of ["serve", "--port", "--host", "--token", "--origin", "--data", "--memory"])
    assert.ok(help.stdout.includes(name), name);
  assert.equal((await refused(folder, ["serve", "-h"])).stdout, help.stdout);
  assert.deepEqual(await refused(folder, ["--version"]), {
    code: 0,
    stdout: `${version}\n`,
    stderr: "",
  });
});

test("where another version of the package is installed, that one's command runs", async () => {
  const folder = folderWith();
  rmSync(join(folder, "node_modules/weftgraph"));
  const own = join(folder, "node_modules/weftgraph");
  mkdirSync(join(own, "bin"), { recursive: true });
  const manifest = {
    name: "weftgraph",
    version: "9.9.9",
    type: "module",
    bin: { weftgraph: "./bin/it.js" },
  };
  writeFileSync(join(own, "package.json"), JSON.stringify(manifest));
  writeFileSync(join(own, "bin/it.js"), "console.log(process.argv.slice(2).join());\n");
  assert.equal((await refused(folder, ["serve", "x"])).stdout, "serve,x\n");
});
