// SPDX-License-Identifier: MIT
// `weftgraph studio` in Chromium: its addresses, the order of its graphs, and a server that ends.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { decide } from "./bench.mjs";
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

const FLOWS = `
import { MemorySaver, entrypoint, task } from "weftgraph";
const checkpointer = new MemorySaver();
const write = task("write", async (topic) => "An essay about " + topic);
export default entrypoint({ name: "flow", checkpointer }, async (topic, { interrupt }) => {
  const essay = await write(topic);
  return topic === "cats" ? essay + interrupt({ question: "How does it end?" }) : essay;
});
export const kind = entrypoint({ name: "kind", checkpointer }, async (input) => [
  Array.isArray(input) ? "list" : typeof input,
  input,
]);`;

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
  await studio.stored();
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
  // The list of threads changes while the graph of the thread is being read.
  let release = () => {};
  const held = new Promise((resolve) => {
    release = resolve;
  });
  await page.route("**/assistants/*/graph*", (route) => held.then(() => route.continue()));
  await page.goBack();
  await fetch(`http://127.0.0.1:${studio.port}/threads`, {
    method: "POST",
    headers: { "x-api-key": token },
    body: JSON.stringify({ metadata: { graph_id: "basket", title: "third" } }),
  });
  await page.getByText("third").first().waitFor();
  release();
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

test("a workflow of functions is drawn, takes a text as it is, and shows a result of any kind", async (t) => {
  const studio = await StudioCommand.start(t, FLOWS, ["--memory"]);
  const page = await studio.open(t, browser);
  const talk = page.locator("weft-studio .talk");
  const run = page.getByRole("button", { name: "Run", exact: true });
  const nodes = () =>
    page
      .locator("weft-studio .node")
      .evaluateAll((list) => list.map(({ dataset }) => dataset.node).join());
  assert.equal(await nodes(), "__start__,flow,__end__");
  await talk.getByText("Give it an input and watch the graph work").waitFor();
  await page.getByLabel("Input of the graph, a text").fill("cats");
  await page.keyboard.press("Enter");
  await untilState(page, "flow", "waiting");
  await page.locator("weft-studio h2.title", { hasText: "cats" }).waitFor();
  await settled(page);
  await page.getByLabel("Answer: a text, or JSON").fill(", which purr");
  await decide(page, "Answer");
  await talk.getByText("An essay about cats, which purr").waitFor();
  await untilState(page, "flow", "done");
  await untilState(page, "__end__", "idle");
  const state = page.locator("weft-studio .inspected .tree", { hasText: "result" });
  await state.filter({ hasText: "An essay about cats, which purr" }).waitFor();
  await picture(page, "studio-workflow");
  await page.getByRole("button", { name: "Edit state" }).click();
  assert.equal(await page.locator("weft-studio .edit .chip").count(), 0);
  await page.getByRole("button", { name: "Cancel" }).click();

  await page.locator('weft-studio [data-do="graph"]').selectOption("kind");
  await page.locator('weft-studio .node[data-node="kind"]').waitFor();
  await page.getByLabel("Input of the graph, a text").fill("[1, 2]");
  await page.getByText("Is sent as a text: choose JSON to send the value").waitFor();
  await run.click();
  await talk.getByText('["string","[1, 2]"]').waitFor();
  await settled(page);
  await page.getByRole("checkbox", { name: "JSON" }).check();
  for (const [input, result] of [
    ["[1, 2]", '["list",[1,2]]'],
    ["5", '["number",5]'],
    ['"cats"', '["string","cats"]'],
    ["true", '["boolean",true]'],
    ['{ "a": 1 }', '["object",{"a":1}]'],
  ]) {
    await page.getByRole("button", { name: "New thread" }).click();
    await page.getByLabel("Input of the graph, as JSON").fill(input);
    await run.click();
    await talk.getByText(result).waitFor();
    await settled(page);
  }
  const titles = page.locator("weft-studio .rail .title");
  assert.deepEqual(await titles.allInnerTexts(), [
    '{"a":1}',
    "true",
    "cats",
    "5",
    "[1,2]",
    "[1, 2]",
    "cats",
  ]);
});
