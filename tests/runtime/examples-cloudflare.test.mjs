// SPDX-License-Identifier: MIT
// examples/cloudflare in workerd: an order that waits for a person, while the Worker is stopped and
// killed; the order is placed once (T6: a process that dies during an approval).
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Miniflare } from "miniflare";
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
  tokens,
} from "./examples-client.mjs";
import { bundleWorker, workerdIds } from "./smoke-bundle.mjs";

const example = fileURLToPath(new URL("../../examples/cloudflare/", import.meta.url));
const top = fileURLToPath(new URL("../../", import.meta.url));
let modules, settings, folder, shop, worker;
const fetcher = (path, init) => worker.dispatchFetch(`http://agent${path}`, init);
const client = makeClient(fetcher);

async function start(settingsOfModel) {
  const [{ name, class_name }] = settings.durable_objects.bindings;
  worker = new Miniflare({
    modules,
    compatibilityDate: settings.compatibility_date,
    durableObjects: {
      [name]: {
        className: class_name,
        useSQLite: settings.migrations[0].new_sqlite_classes.includes(class_name),
      },
    },
    durableObjectsPersist: join(folder, "objects"),
    bindings: { ORDERS_URL: shop.url, ...settingsOfModel },
  });
  await worker.ready;
}

before(async () => {
  settings = JSON.parse(await fs.readFile(join(example, "wrangler.jsonc"), "utf8"));
  assert.equal(settings.compatibility_flags, undefined);
  folder = await fs.mkdtemp(join(tmpdir(), "weft-example-"));
  await fs.mkdir(join(folder, "installed"));
  await fs.symlink(top, join(folder, "installed", "weftgraph"));
  modules = await bundleWorker(join(example, settings.main), [join(folder, "installed")]);
  shop = await openShop();
  await start();
});

after(async () => {
  await worker?.dispose();
  shop?.close();
  if (folder) await fs.rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

test("a question is answered token by token", async () => {
  const answer = await client.run("clock", "What time is it?");
  assert.match(tokens(answer), /It is \d{4}-\d\d-\d\dT/);
  assert.ok(answer.events.filter(({ event }) => event === "token").length > 2);
  assert.deepEqual(
    answer.events.filter(({ event }) => event === "update").map(({ data }) => data.node),
    ["agent", "tools", "agent"],
  );
});

test("an approval outlives a stopped and a killed Worker; the order is placed once", {
  timeout: 600_000,
}, async () => {
  const id = await orderTeapots(client, "teapots");
  await worker.dispose();
  await start();
  await checkPending(client, "teapots", id);

  const [workerd, ...others] = await workerdIds();
  assert.deepEqual(others, []);
  process.kill(workerd, "SIGKILL");
  await worker.dispose();
  await start();
  await checkPending(client, "teapots", id);

  assert.deepEqual(shop.orders, []);
  await approveTeapots(client, "teapots", id);
  assert.deepEqual(shop.orders, [{ item: "teapots", quantity: 3, key: "teapots/demo_1" }]);

  assert.equal((await client.approve("teapots", id, { type: "accept" })).status, 404);
  await worker.dispose();
  await start();
  assert.equal((await client.state("teapots")).messages.length, 4);
  assert.equal(shop.orders.length, 1);
});

test("a rejected order is not placed", async () => {
  const before = shop.orders.length;
  const id = await orderTeapots(client, "rejected");
  const answer = await client.approve("rejected", id, { type: "ignore" });
  assert.equal(answer.events.at(-1).event, "done");
  assert.equal(shop.orders.length, before);
});

test("an order can be edited before it is placed", async () => {
  const id = await orderTeapots(client, "edited");
  await client.approve("edited", id, {
    type: "edit",
    args: { action: "place_order", args: { item: "cups", quantity: 2 } },
  });
  const { item, quantity } = shop.orders.at(-1);
  assert.deepEqual([item, quantity], ["cups", 2]);
});

test("twenty threads at once, each with its own order", { timeout: 600_000 }, async () => {
  const threads = Array.from({ length: 20 }, (_, index) => `crowd-${index}`);
  const before = shop.orders.length;
  const ids = await Promise.all(threads.map((thread) => orderTeapots(client, thread)));
  assert.equal(new Set(ids).size, 20);
  await Promise.all(threads.map((thread, index) => approveTeapots(client, thread, ids[index])));
  assert.deepEqual(
    shop.orders
      .slice(before)
      .map(({ key }) => key)
      .sort(),
    threads.map((thread) => `${thread}/demo_1`).sort(),
  );
});

test("a reader that goes away does not end the run", async () => {
  await runAndLeave(fetcher, "left", "What time is it?");
  const { messages } = await settled(client, "left");
  assert.deepEqual(
    messages.map(({ type }) => type),
    ["human", "ai", "tool", "ai"],
  );
});

test("a second run of a thread is BUSY while the first goes on", async () => {
  const answers = await Promise.all([
    client.run("busy", "What time is it?"),
    client.run("busy", "What time is it?"),
  ]);
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
  assert.equal(answers.find(({ status }) => status === 409).error.code, "BUSY");
});

test("a model behind an OpenAI-compatible endpoint", { timeout: 600_000 }, async (t) => {
  const order = { id: "call_7", name: "place_order", args: { item: "kettles", quantity: 1 } };
  const model = await startOpenAIServer({
    script: [
      { tool_calls: [order] },
      "The kettle is on its way.",
      { status: 401, body: { error: { message: "no such key" } } },
    ],
  });
  t.after(() => model.close());
  await worker.dispose();
  await start({ OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "key-1", OPENAI_MODEL: "some-model" });
  const { events } = await client.run("kettle", "A kettle, please");
  const { data } = events.find(({ event }) => event === "approval");
  assert.deepEqual(data[0].value.action_request, { action: "place_order", args: order.args });
  assert.equal(
    tokens(await client.approve("kettle", data[0].id, { type: "accept" })),
    "The kettle is on its way.",
  );
  assert.deepEqual(shop.orders.at(-1), { ...order.args, key: "kettle/call_7" });
  assert.deepEqual(
    [model.requests[0].headers.authorization, model.requests[0].body.model],
    ["Bearer key-1", "some-model"],
  );
  const refused = await client.run("kettle", "Another one");
  assert.equal(refused.status, 500);
  assert.match(refused.error.message, /no such key/);
});

test("what the service refuses", () => checkRefusals(client, "refusals"));
