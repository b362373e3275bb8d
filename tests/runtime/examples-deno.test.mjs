// SPDX-License-Identifier: MIT
// examples/deno in Deno: an order that waits for a person while the process is killed; two
// processes on one thread, one of which is told that the other is at work (T6).
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startOpenAIServer } from "../js/openai-server.mjs";
import {
  approveTeapots,
  checkPending,
  checkRefusals,
  makeClient,
  openShop,
  orderTeapots,
  runAndLeave,
  settled,
} from "./examples-client.mjs";

const example = fileURLToPath(new URL("../../examples/deno/", import.meta.url));
const deno = fileURLToPath(new URL("../../node_modules/.bin/deno", import.meta.url));
const ROUNDS = 20;
const processes = new Set();
let folder, shop;

/** A server process on a KV file; its client and how to kill it. */
async function start(kv, settings) {
  const env = {
    ...process.env,
    PORT: "0",
    KV_PATH: join(folder, kv),
    ORDERS_URL: shop.url,
    DENO_DIR: join(folder, "deno"),
    NO_COLOR: "1",
    ...settings,
  };
  const server = spawn(
    deno,
    ["run", "--quiet", "--allow-net", "--allow-env", "--allow-read", "--allow-write", "main.ts"],
    { cwd: example, env, stdio: ["ignore", "pipe", "pipe"] },
  );
  processes.add(server);
  let said = "";
  server.stderr.on("data", (piece) => (said += piece));
  const exit = once(server, "exit");
  const port = await Promise.race([
    once(server.stdout, "data").then(([line]) => /:(\d+)\//.exec(String(line))[1]),
    exit.then(([code]) => Promise.reject(new Error(`deno ended with ${code}: ${said}`))),
  ]);
  const fetcher = (path, init) => fetch(`http://127.0.0.1:${port}${path}`, init);
  return {
    fetcher,
    client: makeClient(fetcher),
    async kill() {
      server.kill("SIGKILL");
      await exit;
      processes.delete(server);
    },
  };
}

before(async () => {
  folder = await fs.mkdtemp(join(tmpdir(), "weft-example-"));
  shop = await openShop();
});

after(async () => {
  for (const server of processes) server.kill("SIGKILL");
  shop?.close();
  if (folder) await fs.rm(folder, { recursive: true, force: true, maxRetries: 3 });
});

test("an approval outlives a killed process; the order is placed once", {
  timeout: 600_000,
}, async () => {
  const first = await start("killed.db");
  const id = await orderTeapots(first.client, "teapots");
  await first.kill();
  const second = await start("killed.db");
  await checkPending(second.client, "teapots", id);
  assert.deepEqual(shop.orders, []);
  await approveTeapots(second.client, "teapots", id);
  await second.kill();
  const third = await start("killed.db");
  assert.equal((await third.client.state("teapots")).messages.length, 4);
  assert.equal((await third.client.approve("teapots", id, { type: "accept" })).status, 404);
  assert.deepEqual(
    shop.orders.map(({ item, quantity }) => [item, quantity]),
    [["teapots", 3]],
  );
  await checkRefusals(third.client, "refusals");
  await runAndLeave(third.fetcher, "left", "What time is it?");
  assert.equal((await settled(third.client, "left")).messages.length, 4);
  await third.kill();
});

test("two processes on one thread: one goes on, the other is told BUSY with a status", {
  timeout: 600_000,
}, async (t) => {
  const servers = await Promise.all([start("shared.db"), start("shared.db")]);
  let refused = 0;
  for (let round = 0; round < ROUNDS && refused === 0; round++) {
    const thread = `round-${round}`;
    const answers = await Promise.all(
      servers.map(({ client }) => client.run(thread, "What time is it?")),
    );
    const errors = answers.map(
      ({ events, error }) => error ?? events.find(({ event }) => event === "error")?.data,
    );
    for (const error of errors)
      if (error !== undefined) assert.equal(error.code, "BUSY", error.message);
    assert.ok(errors.includes(undefined), "one of them goes on");
    refused += answers.filter(({ status }) => status === 409).length;
    const [one, two] = await Promise.all(servers.map(({ client }) => client.state(thread)));
    assert.deepEqual(one, two);
    assert.deepEqual(one.next, []);
  }
  t.diagnostic(`${refused} answered 409`);
  assert.equal(refused, 1);
  await Promise.all(servers.map((server) => server.kill()));
});

test("a message that comes to another process while the model thinks is refused, and answered when it is sent again", {
  timeout: 600_000,
}, async (t) => {
  let answer;
  const thinking = new Promise((resolve) => (answer = resolve));
  let asked;
  const request = new Promise((resolve) => (asked = resolve));
  const script = async () => {
    asked();
    await thinking;
    return "I have thought.";
  };
  const model = await startOpenAIServer({ script });
  t.after(() => model.close());
  const [slow, quick] = await Promise.all([
    start("busy.db", { OPENAI_BASE_URL: model.url }),
    start("busy.db"),
  ]);
  const first = slow.client.run("thread", "What do you think?");
  await request;
  const { status, error } = await quick.client.run("thread", "What time is it?");
  assert.deepEqual([status, error.code], [409, "BUSY"]);
  answer();
  assert.deepEqual((await first).events.at(-1), { event: "done", data: { next: [] } });
  await quick.client.run("thread", "And what time is it?");
  const { messages } = await quick.client.state("thread");
  assert.deepEqual(
    messages.filter(({ type }) => type === "human").map(({ content }) => content),
    ["What do you think?", "And what time is it?"],
  );
  assert.equal(messages[1].content, "I have thought.");
  await Promise.all([slow.kill(), quick.kill()]);
});
