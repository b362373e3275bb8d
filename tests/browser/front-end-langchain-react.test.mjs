// SPDX-License-Identifier: MIT
// `useStream` of @langchain/react (protocol v2) in Chromium, on a server in the same tab.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { checkGrew, openFrontEnd, say, textsOf, untilIdle, watchTexts } from "./front-end.mjs";

let app;
before(async () => (app = await openFrontEnd("langchain-react.tsx")));
after(() => app?.close());

test("an answer is shown word by word, once, and without a network", async () => {
  const page = await app.open();
  const seen = await watchTexts(page, ".ai");
  await say(page, "hello");
  const { texts, most } = await seen();
  checkGrew(texts);
  assert.equal(most, 1);
  assert.deepEqual(await textsOf(page, ".human"), ["hello"]);
  await page.close();
});

test("a tool's question is shown and answered, both ways, and its call and result", async () => {
  const page = await app.open();
  await say(page, "Order 3 teapots");
  assert.deepEqual(await textsOf(page, "section p"), ['{"item":"teapots","quantity":3}']);
  await untilIdle(page, () => page.click("text=Approve"));
  assert.equal(await page.locator("section").count(), 0);
  assert.deepEqual(await textsOf(page, "li"), [
    'place_order {"item":"teapots","quantity":3} finished',
  ]);
  assert.deepEqual(await textsOf(page, ".ai"), ["", "The order is placed: 3 x teapots."]);
  await say(page, "Order 2 cups");
  await untilIdle(page, () => page.click("text=Reject"));
  assert.equal(await page.locator("section").count(), 0);
  assert.match((await textsOf(page, ".ai")).at(-1), /was not placed/);
  await page.close();
});

test("of two questions each is answered by itself", async () => {
  const page = await app.open();
  await say(page, "Order 3 teapots and order 2 cups");
  assert.deepEqual(await textsOf(page, "section p"), [
    '{"item":"teapots","quantity":3}',
    '{"item":"cups","quantity":2}',
  ]);
  await untilIdle(page, () => page.locator("text=Reject").last().click());
  assert.deepEqual(await textsOf(page, "section p"), ['{"item":"teapots","quantity":3}']);
  await untilIdle(page, () => page.click("text=Approve"));
  assert.equal(await page.locator("section").count(), 0);
  const [teapots, cups] = await textsOf(page, ".tool");
  assert.equal(teapots, "3 x teapots");
  assert.match(cups, /rejected/);
  await page.close();
});

test("a run is stopped in the middle of an answer, and the next one starts at once", async () => {
  const page = await app.open("?delay=60");
  await page.fill("input", "hello");
  await page.click("text=Send");
  await page.waitForSelector("text=Hello! I am");
  await page.click("text=Stop");
  await say(page, "Order 3 teapots");
  await page.waitForSelector("section");
  assert.deepEqual(await textsOf(page, ".human"), ["hello", "Order 3 teapots"]);
  assert.equal(await page.locator("[role=alert]").count(), 0);
  await page.close();
});

test("a run goes on while its chat is not shown, and is joined when it is shown again", async () => {
  const page = await app.open("?delay=40");
  await page.fill("input", "hello");
  await page.click("text=Send");
  await page.waitForSelector("text=Hello! I am");
  await page.click("text=Leave");
  await page.click("text=Return");
  await page.waitForSelector("text=Hello! I am");
  const seen = await watchTexts(page, ".ai");
  await untilIdle(page, async () => {});
  const { texts, most } = await seen();
  checkGrew(texts);
  assert.match(texts.at(-1), /a quantity of an item\.$/);
  assert.equal(most, 1);
  await page.close();
});

test("a page that is loaded again shows the thread and its open question, and goes on", async () => {
  const page = await app.open();
  await say(page, "hello");
  await page.reload();
  await page.waitForSelector(".ai");
  await say(page, "Order 3 teapots");
  await page.waitForSelector("section");
  const before = await textsOf(page, "main > p");
  await page.reload();
  await page.waitForSelector("section");
  assert.deepEqual(await textsOf(page, "main > p"), before);
  await untilIdle(page, () => page.click("text=Approve"));
  assert.equal(await page.locator("section").count(), 0);
  assert.equal((await textsOf(page, ".ai")).at(-1), "The order is placed: 3 x teapots.");
  await page.close();
});

test("a page that is loaded again in the middle of an answer takes the next message", async () => {
  const page = await app.open("?delay=20");
  await page.fill("input", "hello");
  await page.click("text=Send");
  await page.waitForSelector("text=Hello! I am");
  await page.reload();
  await page.waitForSelector(".human");
  assert.deepEqual(await textsOf(page, "main > p"), ["hello"]);
  await say(page, "Order 3 teapots");
  await page.waitForSelector("section");
  assert.deepEqual(await textsOf(page, ".human"), ["hello", "Order 3 teapots"]);
  await page.close();
});
