// SPDX-License-Identifier: MIT
// assistant-ui with its LangGraph runtime in Chromium, on a server in the same tab.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { checkGrew, openFrontEnd, textsOf, untilIdle, watchTexts } from "./front-end.mjs";

let app;
before(async () => (app = await openFrontEnd("assistant-ui.tsx")));
after(() => app?.close());

/** @param {import("playwright-core").Page} page @param {string} text */
const tell = (page, text) =>
  untilIdle(page, async () => {
    await page.fill("textarea", text);
    await page.click("text=Send");
  });

test("an answer is shown word by word, once", async () => {
  const page = await app.open();
  await page.waitForSelector("textarea");
  const seen = await watchTexts(page, "[data-message-id] + [data-message-id] p");
  await tell(page, "hello");
  const { texts, most } = await seen();
  checkGrew(texts);
  assert.equal(most, 1);
  assert.equal(await page.locator("[data-message-id]").count(), 2);
  await page.close();
});

test("a tool's question is shown and answered, both ways", async () => {
  const page = await app.open();
  await page.waitForSelector("textarea");
  await tell(page, "Order 3 teapots");
  assert.deepEqual(await textsOf(page, "section p"), ['{"item":"teapots","quantity":3}']);
  await untilIdle(page, () => page.click("text=Approve"));
  assert.equal(await page.locator("section").count(), 0);
  assert.deepEqual(await textsOf(page, "pre"), ['{"item":"teapots","quantity":3} 3 x teapots']);
  assert.equal((await textsOf(page, "p")).at(-1), "The order is placed: 3 x teapots.");
  await tell(page, "Order 2 cups");
  await untilIdle(page, () => page.click("text=Reject"));
  assert.equal(await page.locator("section").count(), 0);
  assert.match((await textsOf(page, "p")).at(-1), /was not placed/);
  await page.close();
});

test("of two questions each is answered by itself", async () => {
  const page = await app.open();
  await page.waitForSelector("textarea");
  await tell(page, "Order 3 teapots and order 2 cups");
  assert.deepEqual(await textsOf(page, "section p"), ['{"item":"teapots","quantity":3}']);
  await untilIdle(page, () => page.click("text=Approve"));
  assert.deepEqual(await textsOf(page, "section p"), ['{"item":"cups","quantity":2}']);
  await untilIdle(page, () => page.click("text=Reject"));
  assert.equal(await page.locator("section").count(), 0);
  assert.match((await textsOf(page, "pre"))[0], /3 x teapots/);
  assert.match((await textsOf(page, "pre"))[1], /rejected/);
  await page.close();
});

test("a run is stopped in the middle of an answer, and the next one starts at once", async () => {
  const page = await app.open("?delay=60");
  await page.waitForSelector("textarea");
  await page.fill("textarea", "hello");
  await page.click("text=Send");
  await page.waitForSelector("text=Hello! I am");
  await page.click("text=Stop");
  await tell(page, "Order 3 teapots");
  assert.equal(await page.locator("section").count(), 1);
  await page.close();
});
