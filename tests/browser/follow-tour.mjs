// SPDX-License-Identifier: MIT
// Knows: how a visitor follows the tour from the start page to its end, by what is written there.
import assert from "node:assert/strict";

/** @param {import("playwright-core").Page} page that shows the start */
export async function followTour(page) {
  const press = (name) => page.getByRole("button", { name, exact: true }).click();
  const tour = page.getByRole("complementary", { name: "Tour" });
  await press("Show me (60 s)");
  await press("Run it");
  await tour.getByRole("heading", { name: "Step 2 of 5: It asks before it acts" }).waitFor();
  await page.locator('weft-studio [data-do="approve"]:enabled').click();
  await press("Run, and pull the plug");
  await page.getByRole("heading", { name: "The engine is gone" }).first().waitFor();
  await press("Start it again");
  await page.getByRole("heading", { name: /^0 lost, 0 run twice/ }).waitFor();
  await press("Fork from an early one");
  await tour.getByRole("heading", { name: "All of it ran in this tab" }).waitFor();
  await press("Done");
  assert.equal(await tour.count(), 0);
}
