// SPDX-License-Identifier: MIT
// LangGraph's own front end over the studio's engine, in Chromium.
import { test } from "node:test";
import assert from "node:assert/strict";
import { DemoBrowser } from "./demo-browser.mjs";

const browser = DemoBrowser.forTests();

test("useStream runs the tab's graph; its question is decided in the studio, and it goes on", async () => {
  const page = await browser.context.newPage();
  await page.goto(browser.server.url);
  await page.getByRole("link", { name: "useStream" }).click();
  await page.getByRole("button", { name: "Send" }).click();
  const question = page.getByRole("region", { name: "waits for approval" });
  assert.match(await question.locator("pre").innerText(), /place_order[^]*teapots/);
  assert.equal(await page.getByRole("button", { name: "Approve" }).count(), 0);
  const address = page.url();
  await question.getByRole("link", { name: "Decide in the studio" }).click();
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByText("Nothing waits for you").locator("visible=true").first().waitFor();
  await page.goto(address);
  await page.getByText("3 x teapots").first().waitFor();
  assert.equal(await page.getByRole("region", { name: "waits for approval" }).count(), 0);
  assert.deepEqual(browser.faults, []);
});
