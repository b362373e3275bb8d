// SPDX-License-Identifier: MIT
// CopilotKit in Chromium, on a graph in the same tab. Its 870 packages have 480 MB, so they are no
// dependency: `npm install --no-save @copilotkit/react-core@1.74.0` lets this run.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, before, test } from "node:test";
import { checkGrew, openFrontEnd, textsOf, untilIdle, watchTexts } from "./front-end.mjs";

const isThere = existsSync(new URL("../../node_modules/@copilotkit/react-core", import.meta.url));
const options = { skip: isThere ? false : "@copilotkit/react-core is not installed" };
const ANSWER = "[data-testid=copilot-assistant-message]";

let app;
before(async () => {
  if (isThere) app = await openFrontEnd("copilotkit.tsx");
});
after(() => app?.close());

/** Opens the chat, whose thread has been read when its input is there. */
async function openChat(query) {
  const page = await app.open(query);
  await page.waitForSelector("textarea");
  return page;
}

async function tell(page, text) {
  await page.fill("textarea", text);
  await page.keyboard.press("Enter");
}

test("an answer is shown word by word, once", options, async () => {
  const page = await openChat();
  const seen = await watchTexts(page, ANSWER);
  await tell(page, "hello");
  await page.waitForSelector("text=a quantity of an item.");
  const { texts, most } = await seen();
  checkGrew(texts.map((text) => text.replaceAll("\n", "")));
  assert.equal(most, 1);
  await page.close();
});

test("of two questions each is answered by itself", options, async () => {
  const page = await openChat();
  await tell(page, "Order 3 teapots and order 2 cups");
  await page.waitForSelector("section");
  assert.deepEqual(await textsOf(page, "section p"), [
    '{"item":"teapots","quantity":3}',
    '{"item":"cups","quantity":2}',
  ]);
  await page.locator("text=Approve").last().click();
  await page.locator("text=Reject").first().click();
  await page.waitForSelector("text=The order is placed: 2 x cups.");
  assert.equal(await page.locator("section").count(), 0);
  assert.match((await textsOf(page, ANSWER)).at(-1), /was not placed/);
  await page.close();
});

test("a run is stopped, and the next one starts at once", options, async () => {
  const page = await openChat("?delay=60");
  await tell(page, "hello");
  await page.waitForSelector("text=Hello! I am");
  await untilIdle(page, () => page.click("[data-testid=copilot-send-button]"));
  await tell(page, "Order 3 teapots");
  await page.waitForSelector("section");
  await page.close();
});

test("a page that is loaded again shows the thread and its open question", options, async () => {
  const page = await openChat();
  await tell(page, "Order 3 teapots");
  await page.waitForSelector("section");
  await page.reload();
  await page.waitForSelector("section");
  assert.equal(await page.locator("text=Order 3 teapots").count(), 1);
  await page.click("text=Approve");
  await page.waitForSelector("text=The order is placed: 3 x teapots.");
  await page.close();
});
