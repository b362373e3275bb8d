// SPDX-License-Identifier: MIT
// examples/agent-server in Node, Deno, Bun and workerd, by its programs and by `weftgraph serve`,
// asked by the SDK's client over HTTP: an order is streamed until it waits for a person, its server
// is stopped or killed, the next one has its answer.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@langchain/langgraph-sdk";
import { Miniflare } from "miniflare";
import { bundleWorker } from "./smoke-bundle.mjs";

const top = fileURLToPath(new URL("../../", import.meta.url));
const example = join(top, "examples/agent-server");
const bin = join(top, "node_modules/.bin");
const started = new Set();
let folder;

before(async () => {
  folder = await fs.mkdtemp(join(tmpdir(), "weft-agent-server-"));
  await fs.cp(example, join(folder, "app"), { recursive: true });
  await fs.writeFile(join(folder, "app/package.json"), '{ "type": "module" }');
  await fs.mkdir(join(folder, "node_modules"));
  await fs.symlink(top, join(folder, "node_modules/weftgraph"));
});

after(async () => {
  for (const child of started) child.kill("SIGKILL");
  if (folder) await fs.rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** A server process, when it says where it listens. */
async function spawned(program, words, cwd, threads) {
  const env = {
    ...process.env,
    PORT: "0",
    THREADS: threads,
    DENO_DIR: join(folder, "deno"),
    NO_COLOR: "1",
  };
  const child = spawn(program, words, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  started.add(child);
  let said = "";
  child.stderr.on("data", (piece) => (said += piece));
  const ended = once(child, "exit");
  let told = "";
  while (!/http:\S+\n/.test(told))
    told += await Promise.race([
      once(child.stdout, "data").then(([piece]) => piece),
      ended.then(([code]) => assert.fail(`it ended with ${code}: ${said}`)),
    ]);
  return {
    url: /http:\S+/.exec(told)[0],
    async stop() {
      child.kill("SIGKILL");
      await ended;
      started.delete(child);
    },
  };
}

/** The Worker, with what it keeps in a folder. */
async function worker(threads) {
  const { main, compatibility_date, durable_objects } = JSON.parse(
    await fs.readFile(join(example, "wrangler.jsonc"), "utf8"),
  );
  const [{ name, class_name }] = durable_objects.bindings;
  const flare = new Miniflare({
    modules: await bundleWorker(join(folder, "app", main), []),
    compatibilityDate: compatibility_date,
    durableObjects: { [name]: { className: class_name, useSQLite: true } },
    durableObjectsPersist: threads,
  });
  return { url: (await flare.ready).href.replace(/\/$/, ""), stop: () => flare.dispose() };
}

const app = () => join(folder, "app");
const deno = ["run", "--quiet", "--no-lock", "--allow-net", "--allow-env", "--allow-read"];
const { bin: command } = JSON.parse(await fs.readFile(join(top, "package.json"), "utf8"));
const main = join(top, command.weftgraph);
const serve = (threads) => ["serve", "graph.js", "--port", "0", "--data", threads];

/** How each serves the example, given where it keeps threads. */
const SERVERS = {
  "Node's http": (threads) => spawned(process.execPath, ["node.js"], app(), threads),
  // In the checkout, whose files its deno.json names.
  "Deno.serve": (threads) =>
    spawned(join(bin, "deno"), [...deno, "--allow-write", "deno.js"], example, threads),
  "Bun.serve": (threads) => spawned(join(bin, "bun"), ["bun.js"], app(), threads),
  "a Worker": worker,
  "weftgraph serve in Node": (threads) =>
    spawned(process.execPath, [main, ...serve(threads)], app(), threads),
  "weftgraph serve in Deno": (threads) =>
    spawned(
      join(bin, "deno"),
      ["run", "--quiet", "--no-lock", "--node-modules-dir=manual", "-A", main, ...serve(threads)],
      app(),
      threads,
    ),
  "weftgraph serve in Bun": (threads) =>
    spawned(join(bin, "bun"), ["--bun", main, ...serve(threads)], app(), threads),
};

for (const [name, start] of Object.entries(SERVERS))
  test(`the SDK's client and the agent behind ${name}`, { timeout: 600_000 }, async (t) => {
    const threads = join(folder, `threads of ${name}`);
    let server = await start(threads);
    t.after(() => server.stop());
    const clientOf = ({ url }) =>
      new Client({ apiUrl: url, apiKey: null, callerOptions: { maxRetries: 0 } });
    const client = clientOf(server);
    const { thread_id } = await client.threads.create();
    const say = (content) => ({ messages: [{ role: "user", content }] });

    const told = [];
    for await (const event of client.runs.stream(thread_id, "agent", {
      input: say("What time is it?"),
      streamMode: ["messages-tuple", "values"],
    }))
      told.push(event);
    assert.equal(told[0].event, "metadata");
    const pieces = told.filter(
      ({ event, data }) => event === "messages" && data[0].type === "AIMessageChunk",
    );
    assert.ok(pieces.length > 2);
    assert.match(pieces.map(({ data }) => data[0].content).join(""), /It is \d{4}-\d\d-\d\dT/);

    const asked = await client.runs.wait(thread_id, "agent", {
      input: say("Please order 3 teapots"),
    });
    assert.equal(asked.__interrupt__.length, 1);

    const leaving = new AbortController();
    const other = await client.threads.create();
    const stream = client.runs.stream(other.thread_id, "agent", {
      input: say("What time is it?"),
      streamMode: ["messages-tuple"],
      signal: leaving.signal,
    });
    await stream.next();
    leaving.abort();
    await stream.next().catch(() => {});

    await server.stop();
    server = await start(threads);
    const next = clientOf(server);
    const thread = await next.threads.get(thread_id);
    assert.equal(thread.status, "interrupted");
    const [[question]] = Object.values(thread.interrupts);
    assert.equal(question.id, asked.__interrupt__[0].id);
    assert.deepEqual(question.value.action_request, {
      action: "place_order",
      args: { item: "teapots", quantity: 3 },
    });
    const done = await next.runs.wait(thread_id, "agent", {
      command: { resume: { [question.id]: { type: "accept" } } },
    });
    assert.match(done.messages.at(-1).content, /order is placed: 3 x teapots/);
    assert.equal((await next.threads.get(thread_id)).status, "idle");
    assert.equal((await next.threads.getState(thread_id)).values.messages.length, 8);
  });
