// SPDX-License-Identifier: MIT
// `weftgraph studio` in Chromium: its addresses, the order of its graphs, and a server that ends.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { launchChromium } from "./chromium.mjs";
import { picture, settled, untilState } from "./studio-browser.mjs";
import { StudioCommand } from "./studio-command.mjs";

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
