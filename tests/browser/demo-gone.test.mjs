// SPDX-License-Identifier: MIT
// What the studio shows is deleted under it, in Chromium: a thread by another tab, all of them with
// the browser's storage. It says so, stops asking, and goes on with others.
import { test } from "node:test";
import assert from "node:assert/strict";
import { begin, openBench, picture, settled } from "./bench.mjs";
import { DemoBrowser } from "./demo-browser.mjs";

const browser = DemoBrowser.forTests();

const waits = (page) => page.locator("weft-studio .mark[data-kind=waiting]").first().waitFor();

/** What the page asks its worker, from now on. */
const listen = (page) =>
  page.evaluate(() => {
    globalThis.asked = [];
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function (message, ...rest) {
      globalThis.asked.push(JSON.stringify(message));
      return postMessage.call(this, message, ...rest);
    };
  });

test("a thread that another tab deletes is said to be gone, and is asked for no more", async () => {
  const page = await openBench(browser, "review");
  await begin(page, "A note on tea");
  await waits(page);
  await settled(page);
  const thread = page.url().split("/").at(-1);
  const other = await openBench(browser, `review/${thread}`);
  await waits(other);
  await listen(page);
  await other.getByRole("button", { name: /^Threads/ }).click();
  await other.locator("weft-studio .rail li").first().hover();
  await other.getByRole("button", { name: /^Delete / }).click();
  await other.locator('weft-studio [data-do="delete-now"]').click();
  await other.locator("weft-studio").getByText("No threads yet.").waitFor();
  assert.equal(await other.locator("weft-studio .gone").innerText(), "");

  const gone = page.getByRole("status").filter({ hasText: "This thread was deleted elsewhere" });
  await gone.waitFor();
  await page.waitForURL(/#\/work\/review$/);
  const askedFor = async () =>
    (await page.evaluate(() => globalThis.asked.splice(0))).filter((one) => one.includes(thread));
  assert.notDeepEqual(await askedFor(), []);
  await page.waitForTimeout(2500);
  assert.deepEqual(await askedFor(), []);
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    await picture(page, `gone-${colorScheme}`);
  }
  // Back leads to what was before, and the address of what is gone says so, too.
  await page.evaluate((id) => {
    location.hash = `#/work/review/${id}`;
  }, thread);
  await page.getByRole("status").filter({ hasText: "This thread is not there" }).waitFor();
  await page.waitForURL(/#\/work\/review$/);
  await begin(page, "A note on tea");
  await waits(page);
  assert.equal(await page.locator("weft-studio .gone").innerText(), "");
  assert.notEqual(page.url().split("/").at(-1), thread);
  await page.close();
  await other.close();
});

/** Another tab of the site deletes all its databases. */
async function deleteDatabases() {
  const other = await openBench(browser, "orders");
  await other.evaluate(async () => {
    for (const { name } of await indexedDB.databases())
      await new Promise((resolve, reject) => {
        const request = indexedDB.deleteDatabase(name);
        request.onsuccess = resolve;
        request.onerror = () => reject(request.error);
      });
  });
  await other.close();
}

/** A person clears the site's data in the browser. */
async function clearSite() {
  const devtools = await browser.context.newCDPSession(browser.context.pages().at(-1));
  const { origin } = new URL(browser.server.url);
  await devtools.send("Storage.clearDataForOrigin", { origin, storageTypes: "indexeddb" });
  await devtools.detach();
}

for (const [how, empty] of [
  ["another tab deletes the databases", deleteDatabases],
  ["a person clears the site's data", clearSite],
])
  test(`storage that is emptied under the page is told by name, and it goes on with new threads: ${how}`, async () => {
    const page = await openBench(browser, "review");
    await begin(page, "A note on tea");
    await waits(page);
    await settled(page);
    await empty();
    const told = page.getByRole("alert").filter({ hasText: "This site's storage was emptied." });
    await told.waitFor();
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      await page.waitForTimeout(400);
      await picture(page, `emptied-${colorScheme}`);
    }
    // Nothing is done as if all was there: a thread to begin, an answer to one that is gone.
    await page.getByRole("button", { name: "A note on the sea" }).click();
    const problem = page.locator("weft-studio .problem");
    await problem.filter({ hasText: "This site's storage was emptied, so this was not" }).waitFor();
    const started = await page.evaluate(async () => {
      const { server } = document.querySelector("weft-studio");
      const init = { method: "POST", body: "{}" };
      const response = await server.fetch("http://weft.local/threads", init);
      return { status: response.status, ...(await response.json()) };
    });
    assert.deepEqual([started.status, started.code], [500, "EMPTIED"]);
    await told.getByRole("button", { name: "Go on with new threads" }).click();
    await page.locator("weft-studio .status", { hasText: "ready" }).waitFor();
    await told.waitFor({ state: "detached" });
    await begin(page, "A note on tea");
    await waits(page);
    const thread = page.url().split("/").at(-1);
    await page.reload();
    await waits(page);
    assert.equal(page.url().split("/").at(-1), thread);
    await page.close();
  });

test("each of two tabs is told that the storage was emptied", async () => {
  const pages = [await openBench(browser, "review"), await openBench(browser, "orders")];
  await clearSite();
  for (const page of pages)
    await page
      .getByRole("alert")
      .filter({ hasText: "This site's storage was emptied." })
      .waitFor({ timeout: 30_000 });
  for (const page of pages) await page.close();
});

test("nothing went wrong in any page", () => {
  assert.deepEqual(browser.faults, []);
});
