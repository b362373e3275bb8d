// SPDX-License-Identifier: MIT
// What the studio shows is deleted under it, in Chromium: a thread by another tab, all of them with
// the browser's storage. It says so, stops asking, and goes on with others.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { begin, openBench, picture, settled } from "./bench.mjs";
import { DemoBrowser } from "./demo-browser.mjs";

let browser;

before(async () => {
  browser = await DemoBrowser.open();
});

after(async () => {
  await browser?.close();
});

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

test("nothing went wrong in any page", () => {
  assert.deepEqual(browser.faults, []);
});
