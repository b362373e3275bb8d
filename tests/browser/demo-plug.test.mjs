// SPDX-License-Identifier: MIT
// The workbench's plug and limits, in Chromium: the engine is ended at random moments and goes on,
// tools that were cut ask, limits stop a run that then continues from the same step. WEFT_PULLS
// sets how often the plug is pulled (10); 100 and more also hold the time of a restart.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { DemoBrowser } from "./demo-browser.mjs";

const PICTURES = process.env.WEFT_PICTURES;
const PULLS = Number(process.env.WEFT_PULLS ?? 10);
const RESUME_MS = 300;
let browser;

before(async () => {
  browser = await DemoBrowser.open();
  browser.context.setDefaultTimeout(25_000);
});

after(async () => {
  await browser?.close();
});

async function openBench(graph) {
  const page = await browser.context.newPage();
  await page.goto(`${browser.server.url}#/work/${graph}`);
  await page.locator("weft-studio .status", { hasText: "ready" }).waitFor();
  return page;
}

async function picture(page, name) {
  if (PICTURES === undefined) return;
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: `${PICTURES}/${name}.png` });
}

const press = (page, name) => page.getByRole("button", { name, exact: true }).click();
const report = (page) => page.getByRole("status", { name: "Restart" });
const settled = (page) => page.locator('weft-studio .status[data-run="none"]').waitFor();
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Asks the server in the page's worker about the open thread. */
const ask = (page, path) =>
  page.evaluate(async (below) => {
    const thread = location.hash.split("/").at(-1);
    const { server } = document.querySelector("weft-studio");
    const options = { method: "POST", body: JSON.stringify({ limit: 100 }) };
    const read = below === "history" ? options : {};
    return (await server.fetch(`http://weft.local/threads/${thread}/${below}`, read)).json();
  }, path);

/** Numbers between 0 and 1 that a seed gives again. */
function randomOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Pulls the plug and starts again; answers what the page says. */
async function pull(page) {
  await press(page, "Pull the plug");
  await press(page, "Start again");
  const headline = report(page).getByRole("heading", { name: /resumed at|under way|its end/ });
  return headline.innerText();
}

test("a plug that is pulled at any moment loses nothing, runs nothing twice, and goes on", async (t) => {
  const seed = Number(process.env.WEFT_SEED ?? Date.now() % 2 ** 31);
  const random = randomOf(seed);
  const page = await openBench("research");
  const times = [];
  for (let pulls = 0; pulls < PULLS; ) {
    await press(page, "Read up on tea");
    for (let inRun = 0; inRun < 3 && pulls < PULLS; inRun++, pulls++) {
      await page.locator('weft-studio .status[data-run="going"]').waitFor();
      await pause(random() * 500);
      const said = await pull(page);
      assert.match(said, /^0 lost, 0 run twice/, `seed ${seed}: ${said}`);
      const [, ms] = /in (\d+) ms/.exec(said) ?? [];
      if (ms !== undefined) times.push(Number(ms));
    }
    await page.locator("weft-studio .tree", { hasText: "20 sources were read" }).first().waitFor();
    await settled(page);
    assert.match(await report(page).innerText(), /0 lost, 0 run twice/);
    const { values } = await ask(page, "state");
    assert.equal(new Set(values.found).size, 20, `seed ${seed}`);
    assert.equal(values.found.length, 20, `seed ${seed}`);
    assert.equal((await ask(page, "history")).length, 5, `seed ${seed}`);
  }
  await picture(page, "plug-resumed");
  times.sort((one, other) => one - other);
  const p95 = times[Math.ceil(times.length * 0.95) - 1];
  t.diagnostic(`${times.length} restarts, median ${times[times.length >> 1]} ms, p95 ${p95} ms`);
  if (PULLS >= 100) assert.ok(p95 <= RESUME_MS, `p95 ${p95} ms`);
  await page.close();
});

test("a tool that was cut in the middle asks, and does not run again unasked", async () => {
  const page = await openBench("orders");
  await press(page, "Order 3 teapots");
  await page.locator('weft-studio button[data-do="approve"]:enabled').click();
  await page.locator('weft-studio .node[data-node="tools"][data-state="running"]').waitFor();
  await pull(page);
  await report(page).getByText("A tool call was cut in the middle.").waitFor();
  // The answer was given to the run that is gone: it is asked for first.
  await settled(page);
  await page.locator('weft-studio button[data-do="approve"]:enabled').click();
  await page.locator("weft-studio .question", { hasText: "unknown_tool_call" }).waitFor();
  await settled(page);
  const asked = await ask(page, "state");
  assert.deepEqual(
    asked.tasks.flatMap(({ interrupts }) => interrupts.map(({ value }) => value.kind)),
    ["unknown_tool_call"],
  );
  await picture(page, "plug-asks");
  assert.match(await pull(page), /0 lost, 0 run twice\. Nothing was under way/);
  const still = await ask(page, "state");
  assert.deepEqual(still.values, asked.values);
  assert.equal(still.tasks[0].interrupts.length, 1);
  await page.close();
});

test("the page says that the engine is gone, and keeps the keyboard", async () => {
  const page = await openBench("research");
  await press(page, "Read up on tea");
  await page.locator("weft-studio .tasks", { hasText: "of 20" }).waitFor();
  await page.getByRole("button", { name: "Pull the plug" }).focus();
  await page.keyboard.press("Enter");
  const gone = page.getByRole("alert", { name: "The engine is gone" });
  await gone.getByText(/in the middle of search \(\d+ tasks\)/).waitFor();
  await picture(page, "plug-gone");
  assert.equal(await page.evaluate("document.querySelector('weft-studio').inert"), true);
  assert.equal(await page.evaluate("document.activeElement.textContent"), "Start again");
  await page.keyboard.press("Enter");
  await report(page)
    .getByRole("heading", { name: /resumed at search/ })
    .waitFor();
  assert.notEqual(await page.evaluate("document.activeElement.localName"), "body");
  await page.close();
});

for (const [label, value, graph, story, name, error] of [
  ["Steps", "2", "research", "Read up on tea", "2 steps", "GraphRecursionError"],
  ["Deadline in seconds", "0.5", "research", "Read up on tea", "0.5 seconds", "DeadlineError"],
  ["Tokens", "60", "team", "A trip to Lisbon", "60 tokens", "TokenLimitError"],
  ["Cost in $", "0.0005", "team", "A trip to Lisbon", "$0.0005", "CostLimitError"],
])
  test(`the limit "${label}" stops a run by name, and it continues from the same step`, async () => {
    const page = await openBench(graph);
    await page.getByText("Limits", { exact: true }).click();
    await page.getByLabel(label).fill(value);
    await page.keyboard.press("Enter");
    await page.getByText(/^Limits \(1\)$/).click();
    await press(page, story);
    const stopped = page.getByRole("status", { name: "Stopped by a limit" });
    await stopped.getByText(`Stopped by the limit of ${name}`).waitFor();
    assert.equal(await stopped.locator("code").innerText(), error);
    await settled(page);
    const { next } = await ask(page, "state");
    const before = await ask(page, "history");
    await picture(page, `limit-${error}`);
    for (;;) {
      await page.getByRole("button", { name: /^Continue/ }).click();
      await page.locator('weft-studio .status[data-run="none"]').waitFor();
      const state = await ask(page, "state");
      if (state.next.length === 0 && (await stopped.count()) === 0) break;
      await stopped.waitFor();
    }
    const ids = (list) => list.map(({ checkpoint }) => checkpoint.checkpoint_id);
    const history = await ask(page, "history");
    assert.deepEqual(ids(history).slice(-before.length), ids(before));
    const first = history.at(-before.length - 1);
    assert.deepEqual(first.parent_checkpoint.checkpoint_id, ids(before)[0]);
    const [ran] = before[0].tasks.map(({ name: node }) => node);
    assert.equal(ran, next[0]);
    await page.close();
  });

test("nothing went wrong in any page", () => {
  assert.deepEqual(browser.faults, []);
});
