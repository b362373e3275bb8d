// SPDX-License-Identifier: MIT
// `useStream` of @langchain/react (protocol v2) in Chromium, on a server in the same tab.
import assert from "node:assert/strict";
import * as shared from "./front-end.mjs";

const { TEAPOTS, questionsOf, say, textsOf, untilIdle } = shared;
const test = shared.frontEnd("langchain-react.tsx");

test("an answer is shown word by word, once, and without a network", async (page) => {
  await shared.checkWordByWord(page, ".ai");
  assert.deepEqual(await textsOf(page, ".human"), ["hello"]);
});

test("a tool's question is shown and answered, both ways, and its call and result", async (page) => {
  await shared.askForTeapots(page, "langchain-react");
  assert.deepEqual(await questionsOf(page), [TEAPOTS]);
  await untilIdle(page, () => page.click("text=Approve"));
  assert.equal(await page.locator("section").count(), 0);
  assert.deepEqual(await textsOf(page, "li"), [`place_order ${TEAPOTS} finished`]);
  assert.deepEqual(await textsOf(page, ".ai"), ["", "The order is placed: 3 x teapots."]);
  await say(page, "Order 2 cups");
  await untilIdle(page, () => page.click("text=Reject"));
  assert.equal(await page.locator("section").count(), 0);
  assert.match((await textsOf(page, ".ai")).at(-1), /was not placed/);
});

test("of two questions each is answered by itself", (page) =>
  shared.checkTwoQuestions(page, ".tool"));

test(
  "a run is stopped in the middle of an answer, and the next one starts at once",
  "?delay=60",
  async (page) => {
    await shared.checkStop(page);
    assert.deepEqual(await textsOf(page, ".human"), ["hello", "Order 3 teapots"]);
  },
);

test(
  "a run goes on while its chat is not shown, and is joined when it is shown again",
  "?delay=40",
  (page) => shared.checkJoin(page, ".ai"),
);

test("a page that is loaded again shows the thread and its open question, and goes on", async (page) => {
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
});

test(
  "a page that is loaded again in the middle of an answer takes the next message",
  "?delay=60",
  async (page) => {
    await shared.beginAnswer(page);
    await page.reload();
    await page.waitForSelector(".human");
    assert.deepEqual(await textsOf(page, "main > p"), ["hello"]);
    await say(page, "Order 3 teapots");
    await page.waitForSelector("section");
    assert.deepEqual(await textsOf(page, ".human"), ["hello", "Order 3 teapots"]);
  },
);
