// SPDX-License-Identifier: MIT
// examples/cloudflare in workerd: an order that waits for a person, while the Worker is stopped and killed; the order is
// placed once (T6: a process that dies during an approval).
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Miniflare } from "miniflare";
import { approveTeapots, checkPending, checkRefusals, makeClient, openShop, orderTeapots, tokens } from "./examples-client.mjs";
import { bundleWorker } from "./smoke-bundle.mjs";

const example = fileURLToPath(new URL("../../examples/cloudflare/", import.meta.url));
const top = fileURLToPath(new URL("../../", import.meta.url));
let modules, settings, folder, shop, worker;
const client = makeClient((path, init) => worker.dispatchFetch(`http://agent${path}`, init));

async function start() {
  const [{ name, class_name }] = settings.durable_objects.bindings;
  worker = new Miniflare({
    modules,
    compatibilityDate: settings.compatibility_date,
    durableObjects: { [name]: { className: class_name, useSQLite: settings.migrations[0].new_sqlite_classes.includes(class_name) } },
    durableObjectsPersist: join(folder, "objects"),
    bindings: { ORDERS_URL: shop.url },
  });
  await worker.ready;
}

/** The workerd processes that this process started. */
async function workerdIds() {
  const ids = [];
  for (const id of (await fs.readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    const [stat, command] = await Promise.all(["stat", "cmdline"].map((file) => fs.readFile(`/proc/${id}/${file}`, "latin1").catch(() => "")));
    const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
    if (parent === process.pid && /\/workerd\0/.test(command)) ids.push(Number(id));
  }
  return ids;
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
  if (folder) await fs.rm(folder, { recursive: true, force: true });
});

test("a question is answered token by token", async () => {
  const answer = await client.run("clock", "What time is it?");
  assert.match(tokens(answer), /It is \d{4}-\d\d-\d\dT/);
  assert.ok(answer.events.filter(({ event }) => event === "token").length > 2);
  assert.deepEqual(answer.events.filter(({ event }) => event === "update").map(({ data }) => data.node), ["agent", "tools", "agent"]);
});

test("an approval outlives a stopped and a killed Worker; the order is placed once", { timeout: 60_000 }, async () => {
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
  assert.deepEqual(shop.orders.map(({ item, quantity }) => [item, quantity]), [["teapots", 3]]);

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
  await client.approve("edited", id, { type: "edit", args: { action: "place_order", args: { item: "cups", quantity: 2 } } });
  const { item, quantity } = shop.orders.at(-1);
  assert.deepEqual([item, quantity], ["cups", 2]);
});

test("what the service refuses", () => checkRefusals(client, "refusals"));
