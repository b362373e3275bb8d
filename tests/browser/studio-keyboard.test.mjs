// SPDX-License-Identifier: MIT
// <weft-studio> by keyboard alone, in Chromium: the focus is never lost, Escape closes and stops.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { StudioBrowser, settled, untilState } from "./studio-browser.mjs";

let studio;

before(async () => {
  studio = await StudioBrowser.open();
});

after(async () => {
  await studio?.close();
});

/** What has the focus: its `data-do`, role or element. */
const focused = (page) =>
  page.evaluate(() => {
    const { activeElement } = globalThis.studio.shadowRoot;
    if (document.activeElement !== globalThis.studio || activeElement === null) return "lost";
    const { dataset, localName } = activeElement;
    return dataset.do ?? activeElement.getAttribute("role") ?? localName;
  });

/** Presses Tab until something has the focus. */
async function tabTo(page, wanted, key = "Tab") {
  for (let at = 0; at < 60; at++) {
    await page.keyboard.press(key);
    if ((await focused(page)) === wanted) return;
  }
  assert.fail(`${wanted} is not reached by ${key}`);
}

/** The focus after an act has settled. */
async function settledFocus(page) {
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50))),
  );
  return focused(page);
}

test("order, approve, go back, fork and edit a state by keyboard", async (t) => {
  const page = await studio.page(t, "?graph=agent");
  await tabTo(page, "textarea");
  await page.keyboard.type("Please order 3 teapots");
  await page.keyboard.press("Enter");
  await untilState(page, "tools", "waiting");
  await settled(page);
  // The question has the focus; its first button is near.
  assert.equal(await settledFocus(page), "h3");
  await page.locator('weft-studio button[data-do="approve"]:enabled').waitFor();
  await tabTo(page, "approve");
  await page.keyboard.press("Enter");
  await page.locator("weft-studio .talk", { hasText: "The order is placed" }).waitFor();
  await settled(page);
  assert.notEqual(await settledFocus(page), "lost");

  await tabTo(page, "slider");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await page.locator('weft-studio .timeline[aria-valuenow="3"]').waitFor();
  assert.equal(await focused(page), "slider");
  await tabTo(page, "fork", "Shift+Tab");
  await page.keyboard.press("Enter");
  await page.locator('weft-studio .timeline[aria-valuemax="6"]').waitFor();
  assert.equal(await settledFocus(page), "fork");
  await tabTo(page, "edit");
  await page.keyboard.press("Enter");
  await page.locator("weft-studio .edit").waitFor();
  await tabTo(page, "textarea", "Shift+Tab");
  await page.keyboard.press("End");
  await page.keyboard.type("x");
  await page.locator("weft-studio #edit-place", { hasText: /Line \d+, column \d+: / }).waitFor();
  await page.keyboard.press("Escape");
  await page.locator("weft-studio .edit").waitFor({ state: "detached" });
  assert.notEqual(await settledFocus(page), "lost");
});

test("the graph is moved by keys, a node opens its tasks, Escape stops the run", async (t) => {
  const page = await studio.page(t, "?graph=talker");
  await tabTo(page, "textarea");
  await page.keyboard.type("go");
  await page.keyboard.press("Enter");
  await untilState(page, "speak", "running");
  const node = page.locator('weft-studio .node[data-node="speak"]');
  for (let at = 0; at < 60 && !(await node.evaluate((one) => one.matches(":focus"))); at++)
    await page.keyboard.press("Tab");
  const box = () => page.locator("weft-studio .graph").getAttribute("viewBox");
  const whole = await box();
  await page.keyboard.press("+");
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction(
    (was) => globalThis.studio.shadowRoot.querySelector(".graph").getAttribute("viewBox") !== was,
    whole,
  );
  await page.keyboard.press("0");
  await page.waitForFunction(
    (was) => globalThis.studio.shadowRoot.querySelector(".graph").getAttribute("viewBox") === was,
    whole,
  );
  await page.keyboard.press("Enter");
  await page.locator('weft-studio [data-task="running"]', { hasText: "speak" }).waitFor();
  await page.keyboard.press("Escape");
  await settled(page);
  assert.notEqual(await settledFocus(page), "lost");
  await tabTo(page, "delete", "Shift+Tab");
  await page.keyboard.press("Enter");
  assert.notEqual(await settledFocus(page), "lost");
  await page.keyboard.press("Escape");
  await page.locator('weft-studio [data-do="delete"]').first().waitFor();
  assert.notEqual(await settledFocus(page), "lost");
});

test("a narrow page shows one part at a time, and none is wider than the page", async (t) => {
  const page = await studio.page(t, "?graph=agent", { viewport: { width: 390, height: 844 } });
  for (const [name, part] of [
    ["Graph", "graph"],
    ["Time", "time"],
    ["Inspector", "inspector"],
    ["Talk", "talk"],
  ]) {
    await page.getByRole("button", { name, exact: true }).click();
    await page.locator(`weft-studio .part-${part}`).waitFor();
    const width = await page.evaluate("document.documentElement.scrollWidth");
    assert.ok(width <= 390, `${name}: ${width} px wide`);
  }
  assert.equal(await page.locator("weft-studio .part-graph").isVisible(), false);
});

test("a window that is made narrow closes the list of threads, which would lie over the talk", async (t) => {
  const page = await studio.page(t, "?graph=agent");
  const list = page.getByRole("navigation", { name: "Threads" });
  await list.getByLabel("Find a thread").focus();
  await page.setViewportSize({ width: 900, height: 800 });
  await list.waitFor({ state: "detached" });
  assert.notEqual(await settledFocus(page), "lost");
  assert.equal(
    await page.locator('weft-studio [data-do="threads"]').getAttribute("aria-expanded"),
    "false",
  );
  // Who opens it there keeps it, in any width.
  await page.getByRole("button", { name: /^Threads/ }).click();
  await list.waitFor();
  for (const width of [390, 1000, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    assert.notEqual(await settledFocus(page), "lost");
    assert.equal(await list.count(), 1, `${width} px`);
  }
});
