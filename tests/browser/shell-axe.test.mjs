// SPDX-License-Identifier: MIT
// The studio's states before axe-core (A14): WCAG 2.2 AA and best practice, light and dark, wide
// and narrow, without a violation. WEFT_PICTURES names a folder for a picture of each state in each
// look (`make screenshots`), for who looks at them.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { ROUTES } from "../../web-demo/src/shell/routes.js";
import { DemoBrowser } from "./demo-browser.mjs";
import { lostStates } from "./forced-colours.mjs";

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const WIDE = 1440;
const PICTURES = process.env.WEFT_PICTURES;
/** How much the grey of a picture varies that is not blank. */
const LEAST_SPREAD = 3;
const LOOKS = [
  { colorScheme: "light", width: WIDE },
  { colorScheme: "dark", width: 390 },
  ...(process.env.WEFT_EXACT === "1" || PICTURES !== undefined
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
  if (PICTURES !== undefined) await mkdir(PICTURES, { recursive: true });
});

after(async () => {
  await browser?.close();
});

const pictureOf = (state, { colorScheme, width }) =>
  `${state.replaceAll(" ", "-")}-${colorScheme}-${width}.png`;

/** Each state has a picture of each look, which shows something. @param {Set<string>} states */
async function checkPictures(states) {
  for (const state of states)
    for (const look of LOOKS) {
      const name = pictureOf(state, look);
      const { channels } = await sharp(join(PICTURES, name)).greyscale().stats();
      assert.ok(channels[0].stdev > LEAST_SPREAD, `${name} is blank`);
    }
}

/**
 * What axe finds, in each look. `show` brings the state about where another width has ended it.
 * @returns {Promise<string[]>}
 */
async function violations(page, state, show) {
  const found = [];
  for (const look of LOOKS) {
    const { colorScheme, width } = look;
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.setViewportSize({ width, height: 900 });
    await show?.();
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
    if (PICTURES === undefined) continue;
    await page.evaluate(() => scrollTo(0, 0));
    await page.screenshot({ path: join(PICTURES, pictureOf(state, look)), fullPage: true });
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
  const [lost, states] = [new Set(), new Set()];
  const look = async (state, show) => {
    states.add(state);
    found.push(...(await violations(page, state, show)));
    for (const what of await lostStates(page)) lost.add(what);
  };
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
  await show("#/inbox");
  await page.getByText("Nothing waits for you.").first().waitFor();
  await look("empty inbox");
  await show("#/work/orders");
  await page.locator('weft-studio .node[data-node="agent"]').waitFor();
  await look("workbench");
  await page.getByText("Limits", { exact: true }).click();
  await look("limits");
  await page.getByText("Limits", { exact: true }).click();
  await press("Order 3 teapots");
  await page.locator('weft-studio [data-do="approve"]').waitFor();
  await look("approval");
  await press("Edit");
  await look("edit of a message");
  await press("Cancel");
  await page.locator('weft-studio .asks [data-do="edit"]').click();
  await look("edit of a request");
  await press("Pull the plug");
  await page.getByRole("button", { name: "Start again" }).waitFor();
  await look("engine gone");
  await press("Start again");
  await page.locator('.bench[data-engine="ready"]').waitFor();
  for (const { screen } of ROUTES.slice(2)) {
    await show(`#/${screen}`);
    await look(screen);
  }
  await show("#/inbox");
  await page.getByLabel("Choose all").check();
  await press("Reject…");
  await page.getByLabel("Why not?").waitFor();
  await look("rejection of chosen ones");
  await show("#/models");
  await page.getByRole("radio", { name: /A model service/ }).check();
  await look("model service");
  await show("#/work/orders");
  await page.locator('weft-studio [data-do="approve"]:enabled').click();
  await page.locator("weft-studio .talk", { hasText: "The order is placed" }).waitFor();
  await look("answer");
  await page.locator("weft-studio .timeline").press("Home");
  await page.getByRole("tab", { name: "Tasks" }).click();
  await look("earlier checkpoint");
  await page.getByRole("tab", { name: "State" }).click();
  await press("Edit state");
  await page.getByLabel("What to write").fill("{ x");
  await page.locator("weft-studio .place").waitFor();
  await look("state that is no JSON");
  await look("threads", async () => {
    // A layout of another width begins without the list.
    for (let frame = 0; frame < 3; frame++)
      await page.evaluate(() => new Promise(requestAnimationFrame));
    const list = page.getByRole("searchbox", { name: "Find a thread" });
    if (!(await list.isVisible())) await press(/^Threads/);
    await list.waitFor();
  });
  await show("#/recordings");
  await page.locator('[data-do="play"]').first().click();
  await page.locator('[data-verdict="same"]').waitFor();
  await look("replay");
  await page.setViewportSize({ width: 390, height: 900 });
  await press("Menu");
  found.push(...(await violations(page, "menu")));
  states.add("menu");
  assert.deepEqual(found, []);
  assert.equal([...lost].join("\n"), "");
  assert.ok(states.size >= 20, `${states.size} states`);
  if (PICTURES !== undefined) await checkPictures(states);
  await page.close();
});

test("the page with useStream breaks no rule: empty, with a question, with its answer", async () => {
  const page = await browser.context.newPage();
  page.setDefaultTimeout(20_000);
  const tools = await browser.context.newCDPSession(page);
  await tools.send("Page.setBypassCSP", { enabled: true });
  await page.goto(`${browser.server.url}use-stream.html`);
  await page.getByRole("button", { name: "Send" }).waitFor();
  await page.evaluate(axe);
  const found = await violations(page, "useStream empty");
  await page.getByRole("button", { name: "Send" }).click();
  const question = page.getByRole("region", { name: "waits for approval" });
  await question.waitFor();
  found.push(...(await violations(page, "useStream question")));
  const address = page.url();
  await question.getByRole("link", { name: "Decide in the studio" }).click();
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByText("Nothing waits for you").locator("visible=true").first().waitFor();
  await page.goto(address);
  await page.getByText("3 x teapots").first().waitFor();
  await page.evaluate(axe);
  found.push(...(await violations(page, "useStream answer")));
  assert.deepEqual(found, []);
  const states = ["useStream empty", "useStream question", "useStream answer"];
  if (PICTURES !== undefined) await checkPictures(new Set(states));
  await page.close();
});
