// SPDX-License-Identifier: MIT
// `useStream` of @langchain/langgraph-sdk/react in Chromium, on a server in the same tab.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { checkGrew, openFrontEnd, say, textsOf, untilIdle, watchTexts } from "./front-end.mjs";

let app;
before(async () => (app = await openFrontEnd("sdk-react.tsx")));
after(() => app?.close());

test("an answer is shown word by word, once, and without a network", async () => {
  const page = await app.open();
  const seen = await watchTexts(page, ".ai p");
  await say(page, "hello");
  const { texts, most } = await seen();
  checkGrew(texts);
  assert.equal(most, 1);
  assert.deepEqual(await textsOf(page, ".human p"), ["hello"]);
  await page.close();
});

test("a tool's question is shown and answered, both ways", async () => {
  const page = await app.open();
  await say(page, "Order 3 teapots");
  assert.deepEqual(await textsOf(page, "section p"), ['{"item":"teapots","quantity":3}']);
  await untilIdle(page, () => page.click("text=Approve"));
  assert.equal(await page.locator("section").count(), 0);
  assert.deepEqual(await textsOf(page, ".tool p"), ["3 x teapots"]);
  assert.deepEqual(await textsOf(page, ".ai p"), ["", "The order is placed: 3 x teapots."]);
  await say(page, "Order 2 cups");
  await untilIdle(page, () => page.click("text=Reject"));
  assert.equal(await page.locator("section").count(), 0);
  assert.deepEqual(await textsOf(page, ".human p"), ["Order 3 teapots", "Order 2 cups"]);
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
  const [teapots, cups] = await textsOf(page, ".tool p");
  assert.equal(teapots, "3 x teapots");
  assert.match(cups, /rejected/);
  await page.close();
});

test("an answer made again is a branch beside the first one, and each goes on by itself", async () => {
  const page = await app.open();
  await say(page, "hello");
  const [first] = await textsOf(page, ".ai p");
  await untilIdle(page, () => page.click("text=Again"));
  assert.deepEqual(await textsOf(page, "article p"), ["hello", first]);
  assert.equal(await page.isDisabled("text=Branch 2"), true);
  await say(page, "Order 3 teapots");
  await untilIdle(page, () => page.click("text=Approve"));
  await page.click("text=Branch 1");
  await page.waitForSelector("text=The order is placed", { state: "detached" });
  assert.deepEqual(await textsOf(page, "article p"), ["hello", first]);
  await say(page, "what now");
  // The hook shows the newest fork after a run, whichever branch went on.
  assert.deepEqual(await textsOf(page, ".human p"), ["hello", "Order 3 teapots"]);
  await page.click("text=Branch 1");
  await page.waitForSelector("text=what now");
  assert.deepEqual(await textsOf(page, ".human p"), ["hello", "what now"]);
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
  assert.deepEqual(await textsOf(page, ".human p"), ["hello", "Order 3 teapots"]);
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
  const seen = await watchTexts(page, ".ai p");
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
  await say(page, "Order 3 teapots");
  await page.waitForSelector("section");
  const before = await textsOf(page, "article p");
  await page.reload();
  await page.waitForSelector("section");
  assert.deepEqual(await textsOf(page, "article p"), before);
  await untilIdle(page, () => page.click("text=Approve"));
  assert.equal(await page.locator("section").count(), 0);
  await page.close();
});

test("a page that is loaded again in the middle of an answer goes on from its last checkpoint", async () => {
  const page = await app.open("?delay=20");
  await page.fill("input", "hello");
  await page.click("text=Send");
  await page.waitForSelector("text=Hello! I am");
  await page.reload();
  await page.waitForSelector("text=Go on");
  assert.deepEqual(await textsOf(page, "article p"), ["hello"]);
  const seen = await watchTexts(page, ".ai p");
  await untilIdle(page, () => page.click("text=Go on"));
  const { texts, most } = await seen();
  checkGrew(texts);
  assert.equal(most, 1);
  await page.close();
});
