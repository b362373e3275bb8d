// SPDX-License-Identifier: MIT
// <weft-studio> looked at by axe, in Chromium: light and dark, wide and narrow, with a question, an
// answer, and a fault in what is written.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { StudioBrowser, say, settled } from "./studio-browser.mjs";

const RULES = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"];
let studio, axe;

before(async () => {
  axe = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");
  studio = await StudioBrowser.open();
});

after(async () => {
  await studio?.close();
});

/** What axe finds in the element. */
async function faults(page) {
  const { violations } = await page.evaluate(
    (runOnly) => globalThis.axe.run(document.querySelector("weft-studio"), { runOnly }),
    RULES,
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0].target.join(" ")}`);
}

const widths = { light: [1440, 390], dark: [1440, 390] };
const few = { light: [1440], dark: [390] };
for (const [colorScheme, list] of Object.entries(process.env.WEFT_LONG === "1" ? widths : few))
  for (const width of list)
    test(`axe finds nothing, ${colorScheme}, ${width} px`, async (t) => {
      const page = await studio.page(t, "?graph=agent", {
        colorScheme,
        viewport: { width, height: 900 },
        bypassCSP: true, // axe itself is put into the page
      });
      await page.evaluate(() => {
        document.documentElement.style.colorScheme = "light dark";
      });
      await page.evaluate(axe);
      await say(page, "Please order 3 teapots");
      const approve = page.locator('weft-studio button[data-do="approve"]:enabled');
      await approve.waitFor();
      await settled(page);
      assert.deepEqual(await faults(page), []);
      await approve.click();
      await page.locator("weft-studio .talk", { hasText: "The order is placed" }).waitFor();
      await settled(page);
      if (width === 390) await page.getByRole("button", { name: "Time", exact: true }).click();
      await page.getByRole("button", { name: "Edit state" }).click();
      await page.getByLabel("What to write").fill("{ x");
      await page.locator("weft-studio .place").waitFor();
      assert.deepEqual(await faults(page), []);
    });
