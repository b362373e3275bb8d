// SPDX-License-Identifier: MIT
// `useStream` of @langchain/langgraph-sdk/react in Chromium, on a server in the same tab.
import assert from "node:assert/strict";
import * as shared from "./front-end.mjs";

const { TEAPOTS, questionsOf, say, textsOf, untilIdle } = shared;
const test = shared.frontEnd("sdk-react.tsx");

test("an answer is shown word by word, once, and without a network", async (page) => {
  await shared.checkWordByWord(page, ".ai p");
  assert.deepEqual(await textsOf(page, ".human p"), ["hello"]);
});

test("a tool's question is shown and answered, both ways", async (page) => {
  await shared.askForTeapots(page, "sdk-react");
  assert.deepEqual(await questionsOf(page), [TEAPOTS]);
  await untilIdle(page, () => page.click("text=Approve"));
  assert.equal(await page.locator("section").count(), 0);
  assert.deepEqual(await textsOf(page, ".tool p"), ["3 x teapots"]);
  assert.deepEqual(await textsOf(page, ".ai p"), ["", "The order is placed: 3 x teapots."]);
  await say(page, "Order 2 cups");
  await untilIdle(page, () => page.click("text=Reject"));
  assert.equal(await page.locator("section").count(), 0);
  assert.deepEqual(await textsOf(page, ".human p"), ["Order 3 teapots", "Order 2 cups"]);
});

test("of two questions each is answered by itself", (page) =>
  shared.checkTwoQuestions(page, ".tool p"));

test("an answer made again is a branch beside the first one, and each goes on by itself", async (page) => {
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
});

test(
  "a run is stopped in the middle of an answer, and the next one starts at once",
  "?delay=60",
  async (page) => {
    await shared.checkStop(page);
    assert.deepEqual(await textsOf(page, ".human p"), ["hello", "Order 3 teapots"]);
  },
);

test(
  "a run goes on while its chat is not shown, and is joined when it is shown again",
  "?delay=40",
  (page) => shared.checkJoin(page, ".ai p"),
);

test("a page that is loaded again shows the thread and its open question, and goes on", async (page) => {
  await say(page, "hello");
  await say(page, "Order 3 teapots");
  await page.waitForSelector("section");
  const before = await textsOf(page, "article p");
  await page.reload();
  await page.waitForSelector("section");
  assert.deepEqual(await textsOf(page, "article p"), before);
  await untilIdle(page, () => page.click("text=Approve"));
  assert.equal(await page.locator("section").count(), 0);
});

test(
  "a page that is loaded again in the middle of an answer goes on from its last checkpoint",
  "?delay=60",
  async (page) => {
    await shared.beginAnswer(page);
    await page.reload();
    await page.waitForSelector("text=Go on");
    assert.deepEqual(await textsOf(page, "article p"), ["hello"]);
    const seen = await shared.watchTexts(page, ".ai p");
    await untilIdle(page, () => page.click("text=Go on"));
    const { texts, most } = await seen();
    shared.checkGrew(texts);
    assert.equal(most, 1);
  },
);
