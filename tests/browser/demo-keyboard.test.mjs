// SPDX-License-Identifier: MIT
// The studio's whole tour by keyboard alone, in Chromium (A15): the focus is never lost, the first
// waiting card gets it, Escape stops and closes.
import { test } from "node:test";
import assert from "node:assert/strict";
import { ask, picture, settled } from "./bench.mjs";
import { DemoBrowser } from "./demo-browser.mjs";
import { Keyboard } from "./keyboard.mjs";

const browser = DemoBrowser.forTests();

test("the whole tour goes by keyboard alone, and the focus is never lost", async () => {
  const page = await browser.context.newPage();
  await page.goto(browser.server.url);
  await page.getByRole("link", { name: "Order desk" }).waitFor();
  const keys = new Keyboard({
    press: (key) => page.keyboard.press(key),
    does: (act, word) => page.evaluate(act, word),
  });
  await keys.press("Tab");
  await keys.watch();
  const studio = page.locator("weft-studio");
  const ready = () => studio.locator(".status", { hasText: "ready" }).waitFor();

  // Start: a sample. Workbench: the talk; the card that waits gets the focus.
  await keys.use(/^a Order desk/);
  await ready();
  await keys.to(/^textarea/);
  await page.keyboard.type("Please order 3 teapots");
  await keys.press("Enter");
  await keys.until(/^h3 Order 3 × teapots/);
  await studio.locator('[data-do="approve"]:enabled').waitFor();
  await keys.use(/^button Approve$/);
  await studio.locator(".talk", { hasText: "The order is placed" }).waitFor();
  await settled(page);
  assert.notEqual(await keys.focused(), "lost");

  // The graph: it grows, a node shows its tasks; the timeline, a fork, the events.
  await keys.to(/^button agent/);
  await keys.press("+");
  await keys.press("0");
  await keys.press("Enter");
  await studio.locator("[data-task]").first().waitFor();
  await keys.to(/^tab Tasks/);
  await keys.press("ArrowRight");
  await studio.locator(".events li").first().waitFor();
  await keys.to(/^slider/);
  await keys.press("Home");
  await keys.press("ArrowRight");
  await keys.use(/^button Fork here/, "Shift+Tab");
  await studio.locator('.mark[data-lane="1"]').first().waitFor();
  await keys.use(/^button Edit state/);
  await studio.locator(".edit").waitFor();
  await keys.press("Escape");
  await studio.locator(".edit").waitFor({ state: "detached" });

  // Another sample: Escape stops its run; of the next one the plug is pulled.
  await keys.use(/^a Research/, "Shift+Tab");
  await ready();
  // On a slow machine a run may be over before the key is pressed: then it is begun again.
  let isStopped = false;
  for (let tries = 0; tries < 8 && !isStopped; tries++) {
    await keys.use(/^button Read up on tea/, tries === 0 ? "Tab" : "Shift+Tab");
    await studio.locator('.status[data-run="going"]').waitFor();
    await page.getByText(/of 20/).first().waitFor();
    await keys.to(/^textarea/);
    await keys.press("Escape");
    await ready();
    isStopped = (await settled(page)).next[0] === "search";
  }
  assert.ok(isStopped, "Escape stops a run");
  await keys.use(/^button Read up on bridges/, "Shift+Tab");
  await page.getByText(/of 20/).first().waitFor();
  await keys.use(/^button Pull the plug/);
  await keys.until(/^button Start again/);
  await keys.press("Enter");
  await page.getByRole("heading", { name: /^0 lost, 0 run twice/ }).waitFor();
  await page.getByText("20 sources were read").first().waitFor();
  await keys.use(/^button Close/);

  // The inbox: a call that waits there is approved.
  await keys.use(/^a Order desk/);
  await ready();
  await keys.use(/^button Order 3 teapots/);
  await keys.until(/^h3 Order 3 × teapots/);
  const waiting = ask(page, "/state");
  await keys.use(/^a Inbox/, "Shift+Tab");
  await page.locator('[data-do="approve"]:enabled').waitFor();
  await keys.use(/^button Approve$/);
  await page.getByText("Nothing waits").first().waitFor();
  assert.equal((await waiting).next[0], "tools");

  // The other screens, also where a button goes with what it did.
  await keys.use(/^a Code/, "Shift+Tab");
  await keys.use(/^button Lines of tools/);
  await page.locator(`[data-line][aria-current="true"]`).first().waitFor();
  await keys.use(/^a Recordings/, "Shift+Tab");
  await keys.use(/^button Keep/);
  await page.locator("[data-kept]").waitFor();
  await keys.use(/^button Delete/);
  await page.locator("[data-kept]").waitFor({ state: "detached" });
  await keys.use(/^button Play/, "Shift+Tab");
  await page.locator(".player").waitFor();
  await keys.use(/^a Models/, "Shift+Tab");
  await keys.to(/^input Built in/);
  await keys.press("ArrowDown");
  await keys.to(/^input Address/);
  await page.keyboard.type(browser.server.url);
  await keys.use(/^button Use this model/);
  await keys.until(/^input Model/);
  await page.keyboard.type("m");
  await keys.use(/^button Use this model/);
  await page.getByRole("button", { name: "In use" }).waitFor();
  await keys.press("Tab");
  await keys.use(/^a Race/, "Shift+Tab");
  await keys.use(/^button Start the race/);
  await page.locator("[data-part]", { hasText: "Both are loaded" }).waitFor();
  await keys.press("Enter");
  await page.locator("[data-part]", { hasText: "Cancelled" }).waitFor();
  await picture(page, "keyboard");
  assert.deepEqual(await keys.lost(), []);
  await page.close();
  assert.deepEqual(browser.faults, []);
});
