// SPDX-License-Identifier: MIT
// `weftgraph studio` in Chromium: its addresses, the order of its graphs, and a server that ends.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { launchChromium } from "./chromium.mjs";
import { picture, settled, untilState } from "./studio-browser.mjs";
import { StudioCommand, ready } from "./studio-command.mjs";

let browser;

before(async () => {
  browser = await launchChromium();
});

after(async () => {
  await browser?.close();
});

const SLOW = `
import { Annotation, START, StateGraph } from "weftgraph";
const State = Annotation.Root({ ms: Annotation });
export default new StateGraph(State)
  .addNode("wait", ({ ms }) => new Promise((ok) => setTimeout(() => ok({}), ms)))
  .addEdge(START, "wait")
  .compile();`;

const SEVERAL = `
import { Annotation, START, StateGraph } from "weftgraph";
const graph = (name) => new StateGraph(Annotation.Root({ text: Annotation }))
  .addNode(name, () => ({}))
  .addEdge(START, name)
  .compile();
export default graph("main");
export const basket = graph("basket");
export const zebra = graph("zebra");`;

async function give(page, input) {
  await page.getByLabel("Input of the graph").fill(JSON.stringify(input));
  await page.getByRole("button", { name: "Run", exact: true }).click();
}
const problem = (page) => page.locator("weft-studio .problem[role=alert]");

test("a server that was killed in a run and started anew: the run is unfinished, and goes on", async (t) => {
  const studio = await StudioCommand.start(t, SLOW, ["--token", "first"]);
  const page = await studio.open(t, browser);
  await give(page, { ms: 3000 });
  await untilState(page, "wait", "running");
  await studio.end();
  await problem(page).filter({ hasText: "does not answer" }).waitFor();
  await studio.begin(["--port", studio.port, "--token", "first"]);
  await page.locator("weft-studio .notice", { hasText: "This run did not finish" }).waitFor();
  const listed = page.locator("weft-studio .rail li");
  await listed.filter({ hasText: "unfinished" }).waitFor();
  assert.equal(await page.locator("weft-studio .bar .count").count(), 0);
  await picture(page, "studio-unfinished");
  await page.getByRole("button", { name: "Go on", exact: true }).click();
  await untilState(page, "wait", "done");
  await settled(page);
  await listed.filter({ hasText: "unfinished" }).waitFor({ state: "detached" });
});

test("graphs are listed as the server has them, and the default export is opened", async (t) => {
  const studio = await StudioCommand.start(t, SEVERAL, ["--memory"]);
  const page = await studio.open(t, browser);
  const options = page.locator('weft-studio [data-do="graph"] option');
  assert.deepEqual(await options.allInnerTexts(), ["agent", "basket", "zebra"]);
  await page.locator('weft-studio .node[data-node="main"]').waitFor();
});

test("the address names graph and thread, for a reload, Back and links, and never the token", async (t) => {
  const studio = await StudioCommand.start(t, SEVERAL, ["--memory"]);
  const page = await studio.open(t, browser);
  const token = new URL(studio.address).hash.slice("#token=".length);
  const at = (hash) => page.waitForFunction((wanted) => location.hash === wanted, hash);
  const title = (text) => page.locator("weft-studio h2.title", { hasText: text }).waitFor();
  const entries = () => page.evaluate("history.length");
  await at("#/agent");
  await page.locator('weft-studio [data-do="graph"]').selectOption("basket");
  await at("#/basket");
  const before = await entries();
  await give(page, { text: "first" });
  await title("first");
  await settled(page);
  const first = await page.evaluate("location.hash");
  assert.match(first, /^#\/basket\/[\w-]+$/);
  // A thread without a run was no place of its own.
  assert.equal(await entries(), before);
  await page.reload();
  await ready(page);
  await title("first");
  await untilState(page, "basket", "done");
  assert.equal(await page.locator('weft-studio [data-do="graph"]').inputValue(), "basket");
  assert.equal(await page.evaluate("location.hash"), first);

  await page.getByRole("button", { name: "New thread" }).click();
  await at("#/basket");
  await page.locator('weft-studio [data-do="graph"]').selectOption("zebra");
  await at("#/zebra");
  await give(page, { text: "second" });
  await title("second");
  await settled(page);
  await page.goBack();
  await at(first);
  await title("first");
  await page.locator('weft-studio .node[data-node="basket"]').waitFor();
  await page.goForward();
  await title("second");
  await page.locator('weft-studio .node[data-node="zebra"]').waitFor();
  assert.ok(!page.url().includes(token));

  // A link from elsewhere, in a tab that has the token.
  await page.goto(`http://127.0.0.1:${studio.port}/studio${first}`);
  await title("first");
  await page.goto(`http://127.0.0.1:${studio.port}/studio#/basket/never-there`);
  await page.getByRole("status").filter({ hasText: "This thread is not there" }).waitFor();
  await at("#/basket");
});

test("the command's new address, opened in the same tab, goes on with the new token", async (t) => {
  const studio = await StudioCommand.start(t, SEVERAL, ["--token", "old"]);
  const page = await studio.open(t, browser);
  await give(page, { text: "first" });
  await settled(page);
  await page.locator('weft-studio .node[data-node="main"][data-state="done"]').waitFor();
  const place = await page.evaluate("location.hash");
  await studio.end();
  await studio.begin(["--port", studio.port, "--token", "new"]);
  await problem(page).filter({ hasText: "Open the address that the command prints" }).waitFor();
  await page.goto(studio.address);
  await ready(page);
  await page.waitForFunction((wanted) => location.hash === wanted, place);
  await page.locator("weft-studio h2.title", { hasText: "first" }).waitFor();
  assert.equal(await problem(page).count(), 0);
});
