// SPDX-License-Identifier: MIT
// <weft-studio> over a server that means harm, in Chromium: whatever a server says is text.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { lookAt } from "./hostile-look.mjs";
import { PAYLOADS, SOME } from "./studio-payloads.mjs";
import { StudioBrowser, picture } from "./studio-browser.mjs";

const isLong = process.env.WEFT_LONG === "1";
const SHOWN = [...PAYLOADS.entries()].filter(([at]) => isLong || SOME.includes(at));
let studio;

before(async () => {
  studio = await StudioBrowser.open("studio-hostile-page.mjs");
});

after(async () => {
  await studio?.close();
});

const nameOf = (payload) => JSON.stringify(payload.slice(0, 60));

test(`${SHOWN.length} of ${PAYLOADS.length} payloads in all that a server says make no element and hide nothing`, async (t) => {
  assert.ok(PAYLOADS.length >= 30);
  const page = await studio.page(t);
  const linked = new Set();
  for (const [at, payload] of SHOWN) {
    await page.evaluate((n) => globalThis.show(n), at);
    await page.locator("weft-studio .talk .notice").waitFor();
    await page.locator("weft-studio .lost").waitFor();
    const open = page.locator("weft-studio details:not([open]) > summary");
    for (const tab of ["state", "tasks", "events"]) {
      await page.locator(`weft-studio [data-tab="${tab}"]`).click();
      await open.evaluateAll((list) => list.slice(0, 12).forEach((summary) => summary.click()));
      await page.evaluate(
        () => new Promise((done) => requestAnimationFrame(() => setTimeout(done))),
      );
      const { wrong, links } = await lookAt(page.locator("weft-studio"));
      assert.deepEqual(wrong, [], `${nameOf(payload)} in ${tab}`);
      for (const link of links) linked.add(link);
    }
    if (at === 24) await picture(page, "studio-attack");
  }
  assert.ok(linked.has("https://good.example/ noopener noreferrer nofollow _blank"));
  assert.deepEqual(
    [...linked].filter((link) => !link.endsWith(" noopener noreferrer nofollow _blank")),
    [],
  );
});

test(`${SHOWN.length} of ${PAYLOADS.length} payloads in all that a question asks make no element and hide nothing`, async (t) => {
  const page = await studio.page(t);
  const element = page.locator("weft-studio");
  const press = (selector) =>
    page
      .locator(`weft-studio .question :is(${selector})`)
      .evaluateAll((all) => all.forEach((one) => one.click()));
  const drawn = () =>
    page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
  const found = [];
  for (const [at, payload] of SHOWN) {
    await page.evaluate((n) => globalThis.show(n, true), at);
    await page.locator("weft-studio .question.open").nth(6).waitFor();
    const count = await page.locator('weft-studio .question [data-do="edit"]').count();
    assert.equal(count, 6, nameOf(payload));
    for (const [stage, selector, seen] of [
      ["asked", "summary", ".arguments"],
      ["edited", '[data-do="edit"]', ".editor"],
      ["JSON", '[data-tab="json"]', ".editor textarea.json"],
      ["back", ".quiet", '[data-do="approve"]'],
      ["rejected", '[data-do="reject"]', "input.reason"],
    ]) {
      await press(selector);
      await page.locator(`weft-studio .question ${seen}`).first().waitFor();
      await drawn();
      const { wrong } = await lookAt(element);
      found.push(...wrong.map((one) => `${nameOf(payload)}, ${stage}: ${one}`));
    }
    if (at === 24) await picture(page, "studio-attack-questions");
  }
  assert.deepEqual(found, []);
});
