// SPDX-License-Identifier: MIT
// `useChat` of @ai-sdk/react in Chromium, on a graph in the same tab: of the AI SDK 6 and 7.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { checkGrew, openFrontEnd, say, textsOf, untilIdle, watchTexts } from "./front-end.mjs";

for (const [version, alias] of [
  [6, {}],
  [7, { ai: "ai-7", "@ai-sdk/react": "ai-sdk-react-4" }],
]) {
  let app;
  before(async () => (app = await openFrontEnd("ai-sdk-react.tsx", { alias })));
  after(() => app?.close());

  test(`ai ${version}: an answer is shown word by word, once, and without a network`, async () => {
    const page = await app.open();
    const seen = await watchTexts(page, ".assistant p");
    await say(page, "hello");
    const { texts, most } = await seen();
    checkGrew(texts);
    assert.equal(most, 1);
    assert.deepEqual(await textsOf(page, ".user p"), ["hello"]);
    await page.close();
  });

  test(`ai ${version}: a tool's approval is asked for and answered by the SDK's own call, both ways`, async () => {
    const page = await app.open();
    await say(page, "Order 3 teapots");
    assert.equal(await page.locator("section.approval-requested").count(), 1);
    await untilIdle(page, () => page.click("text=Approve"));
    assert.deepEqual(await textsOf(page, ".output-available"), [
      '{"item":"teapots","quantity":3} 3 x teapots',
    ]);
    assert.deepEqual(await textsOf(page, ".assistant p"), ["The order is placed: 3 x teapots."]);
    await say(page, "Order 2 cups");
    await untilIdle(page, () => page.click("text=Reject"));
    assert.equal(await page.locator("section.output-denied").count(), 1);
    assert.match((await textsOf(page, ".assistant p")).at(-1), /was not placed/);
    assert.equal(await page.locator(".assistant").count(), 2);
    await page.close();
  });

  test(`ai ${version}: of two approvals the run goes on when both are answered, each in its own way`, async () => {
    const page = await app.open();
    await say(page, "Order 3 teapots and order 2 cups");
    await page.locator("text=Reject").last().click();
    await page.waitForSelector("section.approval-responded");
    assert.equal(await page.locator("section.approval-requested").count(), 1);
    await untilIdle(page, () => page.click("text=Approve"));
    assert.deepEqual(await textsOf(page, "section"), [
      '{"item":"teapots","quantity":3} 3 x teapots',
      '{"item":"cups","quantity":2} ',
    ]);
    assert.equal(await page.locator("section.output-denied").count(), 1);
    await page.close();
  });

  test(`ai ${version}: an answer is made again in the place of the old one`, async () => {
    const page = await app.open();
    await say(page, "hello");
    const before = await textsOf(page, "article p");
    await untilIdle(page, () => page.click("text=Again"));
    assert.deepEqual(await textsOf(page, "article p"), before);
    await say(page, "Order 3 teapots");
    assert.equal(await page.locator("section.approval-requested").count(), 1);
    await page.close();
  });

  test(`ai ${version}: a run is stopped in the middle of an answer, and the next one starts at once`, async () => {
    const page = await app.open("?delay=60");
    await page.fill("input", "hello");
    await page.click("text=Send");
    await page.waitForSelector("text=Hello! I am");
    await page.click("text=Stop");
    await say(page, "Order 3 teapots");
    assert.equal(await page.locator("section.approval-requested").count(), 1);
    assert.match((await textsOf(page, ".assistant p"))[0], /^Hello! I am/);
    assert.equal(await page.locator("[role=alert]").count(), 0);
    await page.close();
  });

  test(`ai ${version}: a page that is loaded again shows the thread and its open approval, and goes on`, async () => {
    const page = await app.open();
    await say(page, "hello");
    await say(page, "Order 3 teapots");
    const before = await textsOf(page, "article");
    await page.reload();
    await page.waitForSelector("section.approval-requested");
    assert.deepEqual(await textsOf(page, "article"), before);
    await untilIdle(page, () => page.click("text=Approve"));
    assert.equal((await textsOf(page, ".assistant p")).at(-1), "The order is placed: 3 x teapots.");
    assert.equal(await page.locator("article").count(), 4);
    await page.close();
  });
}
