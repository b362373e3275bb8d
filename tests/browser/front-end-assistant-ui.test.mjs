// SPDX-License-Identifier: MIT
// assistant-ui with its LangGraph runtime in Chromium, on a server in the same tab.
import assert from "node:assert/strict";
import * as shared from "./front-end.mjs";

const { CUPS, TEAPOTS, questionsOf, textsOf, untilIdle } = shared;
const test = shared.frontEnd("assistant-ui.tsx");

/** @param {import("playwright-core").Page} page @param {string} text */
const tell = (page, text) =>
  untilIdle(page, async () => {
    await page.fill("textarea", text);
    await page.click("text=Send");
  });

test("an answer is shown word by word, once", async (page) => {
  await page.waitForSelector("textarea");
  await shared.checkWordByWord(page, "[data-message-id] + [data-message-id] p", tell);
  assert.equal(await page.locator("[data-message-id]").count(), 2);
});

test("a tool's question is shown and answered, both ways", async (page) => {
  await shared.askForTeapots(page, "assistant-ui", tell);
  assert.deepEqual(await questionsOf(page), [TEAPOTS]);
  await untilIdle(page, () => page.click("text=Approve"));
  assert.equal(await page.locator("section").count(), 0);
  assert.deepEqual(await textsOf(page, "pre"), [`${TEAPOTS} 3 x teapots`]);
  assert.equal((await textsOf(page, "p")).at(-1), "The order is placed: 3 x teapots.");
  await tell(page, "Order 2 cups");
  await untilIdle(page, () => page.click("text=Reject"));
  assert.equal(await page.locator("section").count(), 0);
  assert.match((await textsOf(page, "p")).at(-1), /was not placed/);
});

test("of two questions each is answered by itself", async (page) => {
  await tell(page, "Order 3 teapots and order 2 cups");
  assert.deepEqual(await questionsOf(page), [TEAPOTS]);
  await untilIdle(page, () => page.click("text=Approve"));
  assert.deepEqual(await questionsOf(page), [CUPS]);
  await untilIdle(page, () => page.click("text=Reject"));
  assert.equal(await page.locator("section").count(), 0);
  const [teapots, cups] = await textsOf(page, "pre");
  assert.match(teapots, /3 x teapots/);
  assert.match(cups, /rejected/);
});

test(
  "a run is stopped in the middle of an answer, and the next one starts at once",
  "?delay=60",
  async (page) => {
    await shared.beginAnswer(page, "textarea");
    await page.click("text=Stop");
    await tell(page, "Order 3 teapots");
    assert.equal(await page.locator("section").count(), 1);
  },
);
