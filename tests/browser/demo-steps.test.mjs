// SPDX-License-Identifier: MIT
// The bytes that each step stored, in the workbench's inspector, in Chromium: for every checkpoint,
// by keyboard, also after a reload.
import { test } from "node:test";
import assert from "node:assert/strict";
import { begin, openBench, pause, picture, settled } from "./bench.mjs";
import { DemoBrowser } from "./demo-browser.mjs";

const WIDTHS = [320, 390, 768, 1440];
const browser = DemoBrowser.forTests();

/** Bytes that a text such as "1.3 kB" says. */
function bytesOf(text) {
  const [, number, unit] = /([\d.]+) (k?B)/.exec(text);
  return Number(number) * (unit === "kB" ? 1000 : 1);
}

/** What the inspector says of each checkpoint, from the first on. */
async function said(page) {
  const slider = page.getByRole("slider", { name: "Checkpoints" });
  const most = Number(await slider.getAttribute("aria-valuemax"));
  const place = page.locator('weft-studio > [slot="checkpoint"]');
  await slider.press("Home");
  const texts = [];
  for (let at = 1; at <= most; at++) {
    await page.locator(`weft-studio .timeline[aria-valuenow="${at}"]`).waitFor();
    // The place is drawn in the frame after the event.
    await pause(100);
    await place.filter({ hasText: /^It stored/ }).waitFor();
    texts.push(await place.innerText());
    await slider.press("ArrowRight");
  }
  return texts;
}

test("each checkpoint says what its step stored; together that is what the thread takes", async () => {
  const page = await openBench(browser, "research");
  await begin(page, "Read up on tea");
  await settled(page);
  await page.locator('weft-studio .timeline[aria-valuemax="5"]').waitFor();
  const texts = await said(page);
  const sum = texts.map(bytesOf).reduce((a, b) => a + b);
  const stored = bytesOf(await page.locator('[data-meter="Stored"]').innerText());
  assert.ok(Math.abs(sum - stored) <= 50 * (texts.length + 1), `${texts.join(" ")}: ${stored}`);
  assert.ok(new Set(texts).size > 1, texts.join(" "));
  await page.reload();
  await page.locator('weft-studio .timeline[aria-valuemax="5"]').waitFor();
  assert.deepEqual(await said(page), texts);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    const tab = page.getByRole("button", { name: "Inspector", exact: true });
    if (await tab.isVisible()) await tab.click();
    await page.locator('weft-studio > [slot="checkpoint"]').scrollIntoViewIfNeeded();
    await picture(page, `steps-${width}`);
  }
  await page.close();
});

test("nothing went wrong in any page", () => {
  assert.deepEqual(browser.faults, []);
});
