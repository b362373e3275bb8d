// SPDX-License-Identifier: MIT
// The studio and the browser's storage, in Chromium: none at all, a full one, a browser that is
// killed in the middle of a run. Nothing is lost in silence.
import { test } from "node:test";
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFile, readlink, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ask, begin, decide, openBench, picture, settled } from "./bench.mjs";
import { DemoBrowser } from "./demo-browser.mjs";

const browser = DemoBrowser.forTests();

const mark = (page, kind) => page.locator(`weft-studio .mark[data-kind=${kind}]`).first().waitFor();

/** Asks the server in the page's worker. */
const request = (page, path, body) =>
  page.evaluate(
    async ([below, content]) => {
      const { server } = document.querySelector("weft-studio");
      const init = { method: "POST", body: JSON.stringify(content) };
      const response = await server.fetch(`http://weft.local${below}`, init);
      return { status: response.status, value: await response.json() };
    },
    [path, body],
  );

// First: Chromium counts no quota in a profile whose browser was killed.
test("a full storage is told by name, damages nothing, and lets go on when there is room", async () => {
  const page = await browser.context.newPage();
  const devtools = await browser.context.newCDPSession(page);
  const { origin } = new URL(browser.server.url);
  const setQuota = (quotaSize) =>
    devtools.send("Storage.overrideQuotaForOrigin", { origin, quotaSize });
  const { usage } = await devtools.send("Storage.getUsageAndQuota", { origin });
  await setQuota(usage + 2_000_000);
  await page.goto(`${browser.server.url}#/work/review`);
  await page.locator("weft-studio .status", { hasText: "ready" }).waitFor();
  await page.locator(".bench-stories button").first().click();
  await mark(page, "waiting");
  const stored = await ask(page, "/state");
  const [, , , thread] = new URL(page.url()).hash.split("/");
  const spare = await request(page, "/threads", { metadata: { graph_id: "review" } });
  const old = await request(page, "/threads", { metadata: { graph_id: "review" } });
  const began = { assistant_id: "review", input: { topic: "the sea" } };
  await request(page, `/threads/${old.value.thread_id}/runs/wait`, began);
  // What a person answers is more than there is room for, and cannot be compressed.
  const answer = randomBytes(6_000_000).toString("base64");
  const run = { assistant_id: "review", command: { resume: answer } };
  browser.expected = /507|storage/;
  const { status } = await request(page, `/threads/${thread}/runs`, run);
  assert.ok(status === 200 || status === 507, String(status));
  if (status === 200) {
    const notice = page.locator("weft-notice");
    await notice.getByRole("heading", { name: "The browser's storage is full" }).waitFor();
    await picture(page, "storage-full");
  }
  await settled(page);
  const now = await ask(page, "/state");
  assert.deepEqual([now.values, now.checkpoint], [stored.values, stored.checkpoint]);

  // A thread can be deleted.
  const remove = ({ value: { thread_id: id } }) =>
    page.evaluate(async (path) => {
      const { server } = document.querySelector("weft-studio");
      return (await server.fetch(`http://weft.local${path}`, { method: "DELETE" })).status;
    }, `/threads/${id}`);
  assert.equal(await remove(spare), 204);

  // The rest of the room is taken: nothing new begins.
  await page.evaluate(async () => {
    const open = indexedDB.open("fill");
    open.onupgradeneeded = () => open.result.createObjectStore("rows", { autoIncrement: true });
    const database = await new Promise((resolve) => {
      open.onsuccess = () => resolve(open.result);
    });
    const add = (bytes) =>
      new Promise((resolve) => {
        const transaction = database.transaction("rows", "readwrite");
        transaction.objectStore("rows").add(crypto.getRandomValues(new Uint8Array(bytes)));
        transaction.oncomplete = () => resolve(true);
        transaction.onabort = () => resolve(false);
      });
    for (const bytes of [60_000, 6000, 600]) while (await add(bytes));
    database.close();
  });
  await page.getByRole("button", { name: "New thread" }).click();
  await page.locator(".bench-stories button").first().click();
  const problem = page.locator("weft-studio .problem", {
    hasText: "The browser's storage is full",
  });
  await problem.waitFor();
  await picture(page, "storage-full-new");

  // A thread with steps can be deleted all the same: that is what a person does then.
  assert.equal(await remove(old), 204);
  const listed = async () =>
    (await request(page, "/threads/search", {})).value.map(({ thread_id }) => thread_id);
  assert.ok(!(await listed()).includes(old.value.thread_id));

  // All threads can be saved as a file.
  await page.locator("#screens").getByRole("link", { name: "Recordings" }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.locator('[data-do="export"]').click(),
  ]);
  assert.ok((await readFile(await download.path())).length > 1000);
  await setQuota(100_000_000);
  await page.goto(`${browser.server.url}#/work/review/${thread}`);
  await page.reload();
  await mark(page, "waiting");
  assert.deepEqual((await ask(page, "/state")).values, stored.values);
  await request(page, `/threads/${thread}/runs`, { ...run, command: { resume: "Publish" } });
  await mark(page, "done");
  // Its record, whose end found no room, is an empty thread that is deleted for good now.
  await remove(old);
  await page.reload();
  await mark(page, "done");
  assert.ok(!(await listed()).includes(old.value.thread_id));
  browser.expected = undefined;
  await page.close();
});

test("a browser that is killed in the middle of a run loses nothing: the run goes on after it", async () => {
  const page = await openBench(browser, "research");
  await begin(page, "Read up on tea");
  const some = async () => (await ask(page, "/state")).tasks.filter(({ result }) => result).length;
  while ((await some()) === 0);
  const address = page.url();
  const stored = await some();
  const process_id = (await readlink(join(browser.profile, "SingletonLock"))).split("-").at(-1);
  process.kill(Number(process_id), "SIGKILL");
  // Its end may be known already.
  await browser.context.close().catch(() => {});
  for (const name of ["SingletonLock", "SingletonCookie", "SingletonSocket"])
    await rm(join(browser.profile, name), { force: true });
  await browser.launch();
  const again = await browser.context.newPage();
  await again.goto(address);
  await again.getByText("This run did not finish").waitFor();
  const { tasks, values } = await ask(again, "/state");
  // What the thread shows of tasks that have a result beside those that have none.
  assert.ok(tasks.filter(({ result }) => result).length + (values.found?.length ?? 0) >= stored);
  await again.locator("weft-studio").getByRole("button", { name: "Go on" }).click();
  await mark(again, "done");
  const end = await settled(again);
  assert.equal(new Set(end.values.found).size, 20);
  assert.equal(end.values.found.length, 20);
  await again.close();
});

test("where the browser refuses storage, the studio says so, runs, and asks before it is left", async () => {
  await browser.context.close();
  const preferences = join(browser.profile, "Default/Preferences");
  const kept = JSON.parse(await readFile(preferences, "utf8"));
  kept.profile = { ...kept.profile, default_content_setting_values: { cookies: 2 } };
  await writeFile(preferences, JSON.stringify(kept));
  await browser.launch();
  const page = await openBench(browser, "orders");
  await page.getByRole("alert").filter({ hasText: "Nothing is stored" }).waitFor();
  await picture(page, "storage-refused");
  assert.equal(await page.getByRole("button", { name: "Pull the plug" }).count(), 0);
  await begin(page, "Order 3 teapots");
  await decide(page, "Approve");
  await mark(page, "done");
  const asks = page.waitForEvent("dialog");
  await page.evaluate(() => void setTimeout(() => location.reload()));
  const dialog = await asks;
  assert.equal(dialog.type(), "beforeunload");
  await dialog.dismiss();
  await page.getByRole("link", { name: "Save them as a file" }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.locator('[data-do="export"]').click(),
  ]);
  assert.match(await page.locator("[data-did]").innerText(), /^1 thread is saved/);
  assert.ok((await readFile(await download.path())).length > 1000);
  await page.locator("[data-run]").first().waitFor();
  await page.close({ runBeforeUnload: false });
});

test("nothing went wrong in any page", () => {
  assert.deepEqual(browser.faults, []);
});
