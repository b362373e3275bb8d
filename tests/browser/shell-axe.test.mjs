// SPDX-License-Identifier: MIT
// The studio's states before axe-core (A14): WCAG 2.2 AA and best practice, light and dark, wide
// and narrow, without a violation.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFile } from "node:fs/promises";
import { ROUTES } from "../../web-demo/src/shell/routes.js";
import { DemoBrowser } from "./demo-browser.mjs";

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const WIDE = 1440;
const LOOKS = [
  { colorScheme: "light", width: WIDE },
  { colorScheme: "dark", width: 390 },
  ...(process.env.WEFT_EXACT === "1"
    ? [
        { colorScheme: "dark", width: WIDE },
        { colorScheme: "light", width: 390 },
      ]
    : []),
];
let browser, axe;

before(async () => {
  browser = await DemoBrowser.open();
  axe = await readFile(AXE, "utf8");
});

after(async () => {
  await browser?.close();
});

/** What axe finds, in each look. @returns {Promise<string[]>} */
async function violations(page, state) {
  const found = [];
  for (const { colorScheme, width } of LOOKS) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.setViewportSize({ width, height: 900 });
    const list = await page.evaluate(async (tags) => {
      for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
      const { violations } = await globalThis.axe.run(document, {
        runOnly: { type: "tag", values: tags },
        resultTypes: ["violations"],
      });
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(
          ({ target, any }) => `${id} ${target.flat().join(" > ")} ${any[0]?.message ?? ""}`,
        ),
      );
    }, RULES);
    for (const what of list) found.push(`${state}, ${colorScheme} ${width}: ${what}`);
  }
  await page.setViewportSize({ width: WIDE, height: 900 });
  return found;
}

test("no screen and no state of one breaks a rule", async () => {
  const page = await browser.context.newPage();
  page.setDefaultTimeout(20_000);
  const tools = await browser.context.newCDPSession(page);
  // The page's policy is for its own scripts.
  await tools.send("Page.setBypassCSP", { enabled: true });
  await page.goto(browser.server.url);
  await page.evaluate(axe);
  const found = [];
  const look = async (state) => found.push(...(await violations(page, state)));
  await page.locator(".samples svg").nth(4).waitFor();
  const show = async (hash) => {
    await page.evaluate((address) => (location.hash = address), hash);
    await page
      .locator(`.screen.${hash.split("/")[1]} h1`)
      .first()
      .waitFor();
  };
  const press = (name) => page.getByRole("button", { name }).first().click();
  const tour = async (name) => page.locator(".tour").getByRole("button", { name }).click();
  await look("start");
  await press("Show me");
  await look("tour");
  await tour("End the tour");
  await show("#/work/orders");
  await page.locator('weft-studio .node[data-node="agent"]').waitFor();
  await look("workbench");
  await press("Order 3 teapots");
  await page.locator('weft-studio [data-do="approve"]').waitFor();
  await look("approval");
  await press("Edit");
  await look("edit");
  await press("Pull the plug");
  await page.getByRole("button", { name: "Start again" }).waitFor();
  await look("engine gone");
  await press("Start again");
  await page.locator('.bench[data-engine="ready"]').waitFor();
  for (const { screen } of ROUTES.slice(2)) {
    await show(`#/${screen}`);
    await look(screen);
  }
  await page.setViewportSize({ width: 390, height: 900 });
  await press("Menu");
  found.push(...(await violations(page, "menu")));
  assert.deepEqual(found, []);
  await page.close();
});
