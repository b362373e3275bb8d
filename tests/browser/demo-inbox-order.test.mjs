// SPDX-License-Identifier: MIT
// The order of the demo's inbox, in Chromium: each choice lists what waits as it says.
import { test } from "node:test";
import assert from "node:assert/strict";
import { DemoBrowser } from "./demo-browser.mjs";
import { cards, importThreads, rows, waitingThreads } from "./inbox-page.mjs";

const browser = DemoBrowser.forTests();

/** A question about a call, which may expire. */
const question = (item, expires_at) => ({
  value: {
    action_request: { action: "place_order", args: { item, quantity: 2 } },
    config: { allow_accept: true, allow_edit: true, allow_respond: true, allow_ignore: true },
    ...(expires_at && { expires_at }),
  },
});

test("the list is in the order that is chosen, the cards stay where they are, and a new visit begins with the newest", async () => {
  const page = await browser.context.newPage();
  await page.goto(`${browser.server.url}#/recordings`);
  // The oldest first.
  const waiting = [
    ["ants", "2999-03-01T00:00:00Z"],
    ["bees", undefined],
    ["cats", "2999-01-01T00:00:00Z"],
    ["dogs", "2999-02-01T00:00:00Z"],
  ];
  for (const [id, expires] of waiting) {
    const questions = [question(id, expires)];
    const file = await waitingThreads([{ id, title: id, messages: [], questions }]);
    await importThreads(page, file, 1);
  }
  await page.evaluate(() => (location.hash = "#/inbox"));
  await rows(page).nth(3).waitFor();
  const choice = page.getByLabel("Order", { exact: true });
  const listed = () => rows(page).locator(".title").allInnerTexts();
  const named = (items) => items.map((item) => `Order 2 × ${item}`);
  const newest = named(["dogs", "cats", "bees", "ants"]);
  assert.deepEqual(await choice.locator("option").allInnerTexts(), [
    "Newest first",
    "Oldest first",
    "First to expire",
  ]);
  assert.deepEqual(await listed(), newest);
  const stack = await cards(page).locator("h3").allInnerTexts();
  for (const [name, items] of [
    ["Oldest first", ["ants", "bees", "cats", "dogs"]],
    // What never expires is the last.
    ["First to expire", ["cats", "dogs", "ants", "bees"]],
    ["Newest first", ["dogs", "cats", "bees", "ants"]],
    ["First to expire", ["cats", "dogs", "ants", "bees"]],
  ]) {
    await choice.selectOption(name);
    await rows(page).first().locator(".title", { hasText: items[0] }).waitFor();
    assert.deepEqual(await listed(), named(items), name);
    assert.deepEqual(await cards(page).locator("h3").allInnerTexts(), stack, name);
  }
  await page.reload();
  await rows(page).nth(3).waitFor();
  assert.deepEqual(await listed(), newest);
  assert.equal(await choice.inputValue(), "newest");
  await page.close();
  assert.deepEqual(browser.faults, []);
});
