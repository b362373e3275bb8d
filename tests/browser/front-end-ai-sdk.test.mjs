// SPDX-License-Identifier: MIT
// `useChat` of @ai-sdk/react in Chromium, on a graph in the same tab: of the AI SDK 6 and 7.
import assert from "node:assert/strict";
import * as shared from "./front-end.mjs";

const { CUPS, TEAPOTS, say, textsOf, untilIdle } = shared;

const VERSIONS = [
  [7, { ai: "ai-7", "@ai-sdk/react": "ai-sdk-react-4" }],
  // The older one under WEFT_LONG (`make check-long PART=front-ends`).
  ...(process.env.WEFT_LONG ? [[6, {}]] : []),
];
for (const [version, alias] of VERSIONS) {
  const test = shared.frontEnd("ai-sdk-react.tsx", { alias });

  test(`ai ${version}: an answer is shown word by word, once, and without a network`, async (page) => {
    await shared.checkWordByWord(page, ".assistant p");
    assert.deepEqual(await textsOf(page, ".user p"), ["hello"]);
  });

  test(`ai ${version}: a tool's approval is asked for and answered by the SDK's own call, both ways`, async (page) => {
    await shared.askForTeapots(page, "ai-sdk");
    assert.equal(await page.locator("section.approval-requested").count(), 1);
    await untilIdle(page, () => page.click("text=Approve"));
    assert.deepEqual(await textsOf(page, ".output-available"), [`${TEAPOTS} 3 x teapots`]);
    assert.deepEqual(await textsOf(page, ".assistant p"), ["The order is placed: 3 x teapots."]);
    await say(page, "Order 2 cups");
    await untilIdle(page, () => page.click("text=Reject"));
    assert.equal(await page.locator("section.output-denied").count(), 1);
    assert.match((await textsOf(page, ".assistant p")).at(-1), /was not placed/);
    assert.equal(await page.locator(".assistant").count(), 2);
  });

  test(`ai ${version}: of two approvals the run goes on when both are answered, each in its own way`, async (page) => {
    await say(page, "Order 3 teapots and order 2 cups");
    await page.locator("text=Reject").last().click();
    await page.waitForSelector("section.approval-responded");
    assert.equal(await page.locator("section.approval-requested").count(), 1);
    await untilIdle(page, () => page.click("text=Approve"));
    assert.deepEqual(await textsOf(page, "section"), [`${TEAPOTS} 3 x teapots`, `${CUPS} `]);
    assert.equal(await page.locator("section.output-denied").count(), 1);
  });

  test(`ai ${version}: an answer is made again in the place of the old one`, async (page) => {
    await say(page, "hello");
    const before = await textsOf(page, "article p");
    await untilIdle(page, () => page.click("text=Again"));
    assert.deepEqual(await textsOf(page, "article p"), before);
    await say(page, "Order 3 teapots");
    assert.equal(await page.locator("section.approval-requested").count(), 1);
  });

  test(`ai ${version}: a new message in place of an answer takes the buttons away, also when loaded again`, async (page) => {
    await say(page, "Order 3 teapots");
    assert.equal(await page.locator("text=Approve").count(), 1);
    await say(page, "hello");
    assert.equal(await page.locator("text=Approve").count(), 0);
    await page.reload();
    await page.waitForSelector("section.output-error");
    assert.equal(await page.locator("text=Approve").count(), 0);
    assert.match((await textsOf(page, ".assistant p")).at(-1), /^Hello!/);
  });

  test(
    `ai ${version}: a run is stopped in the middle of an answer, and the next one starts at once`,
    "?delay=60",
    async (page) => {
      await shared.checkStop(page);
      assert.match((await textsOf(page, ".assistant p"))[0], /^Hello! I am/);
    },
  );

  test(`ai ${version}: a page that is loaded again shows the thread and its open approval, and goes on`, async (page) => {
    await say(page, "hello");
    await say(page, "Order 3 teapots");
    const before = await textsOf(page, "article");
    await page.reload();
    await page.waitForSelector("section.approval-requested");
    assert.deepEqual(await textsOf(page, "article"), before);
    await untilIdle(page, () => page.click("text=Approve"));
    assert.equal((await textsOf(page, ".assistant p")).at(-1), "The order is placed: 3 x teapots.");
    assert.equal(await page.locator("article").count(), 4);
  });
}
