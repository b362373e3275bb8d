// SPDX-License-Identifier: MIT
// The workbench's meters, in Chromium: what they show is what the thread really took, as its
// checkpoints tell, on all branches, also where a limit stops a run, and after a reload.
import { test } from "node:test";
import assert from "node:assert/strict";
import { ask, begin, decide, openBench, picture, settled } from "./bench.mjs";
import { DemoBrowser } from "./demo-browser.mjs";
import { atRest } from "./studio-browser.mjs";

const browser = DemoBrowser.forTests();
/** Dollars per million tokens, as the meter's title says. */
const PRICE = 10;

/** What all messages of the open thread took, as the meter writes it. */
async function tokensOf(page) {
  const taken = new Map();
  for (const { values } of await ask(page, "/history"))
    for (const { id, usage_metadata: usage } of values.messages ?? [])
      taken.set(id, usage?.total_tokens ?? 0);
  const tokens = [...taken.values()].reduce((sum, one) => sum + one, 0);
  const dollars = Number(((tokens * PRICE) / 1e6).toPrecision(2));
  return { tokens, text: `${tokens.toLocaleString("en")} · $${dollars}` };
}

const meter = (page, name) => page.locator(`[data-meter="${name}"]`);
const shows = (page, name, text) =>
  meter(page, name)
    .filter({ hasText: new RegExp(`^${text.replace(/[$.]/g, "\\$&")}$`) })
    .waitFor();
/** Steps of nodes that the thread has stored: those that only took an input are none. */
async function stepsOf(page) {
  const history = await ask(page, "/history");
  const loops = history.filter(({ metadata }) => metadata.source === "loop");
  return loops.length - history.filter(({ next }) => next[0] === "__start__").length;
}

/** What a text such as "1.3 s" says, in ms. */
function msOf(text) {
  const [, number, unit] = /^([\d.]+) (µs|ms|s)$/.exec(text);
  return Number(number) * { µs: 0.001, ms: 1, s: 1000 }[unit];
}

async function limit(page, label, value) {
  await page.getByText("Limits", { exact: true }).click();
  await page.getByRole("spinbutton", { name: `${label}, exactly` }).fill(value);
  await page.keyboard.press("Enter");
}

test("steps, time, tokens and cost are those of the run and the thread", async () => {
  const page = await openBench(browser, "team");
  assert.equal(await meter(page, "Tokens").innerText(), "0 · $0");
  const begun = performance.now();
  await begin(page, "A trip to Lisbon");
  await settled(page);
  const first = await tokensOf(page);
  assert.ok(first.tokens > 100, first.text);
  await shows(page, "Tokens", first.text);
  const steps = await stepsOf(page);
  assert.equal(steps, 3);
  await shows(page, "Steps", "3");
  // The timetable's tool alone takes 700 ms.
  const waited = msOf(await meter(page, "Waiting for nodes").innerText());
  const took = performance.now() - begun;
  assert.ok(waited >= 650 && waited <= took + 50, `${waited} ms of ${took} ms`);
  const engine = msOf(await meter(page, "Engine").innerText());
  assert.ok(engine > 0 && engine < took, `${engine} ms of ${took} ms`);

  // Another run in the thread adds its own.
  await page.getByLabel("Message", { exact: true }).fill("Plan a trip to Rome");
  await page.locator('weft-studio [data-do="start"]').click();
  await page.locator("weft-studio .talk", { hasText: "10:40 to Rome" }).waitFor();
  await settled(page);
  const both = await tokensOf(page);
  assert.ok(both.tokens > first.tokens, both.text);
  await shows(page, "Tokens", both.text);
  assert.ok((await stepsOf(page)) > steps);
  await shows(page, "Steps", String(await stepsOf(page)));
  assert.ok(msOf(await meter(page, "Waiting for nodes").innerText()) >= waited + 650);
  await page.close();
});

/** All meters, once they change no more. */
const readMeters = (page) =>
  atRest(() =>
    page
      .locator("[data-meter]")
      .evaluateAll((list) => list.map(({ dataset, innerText }) => [dataset.meter, innerText])),
  );

for (const [graph, story, decisions, last] of [
  ["orders", "Order 3 teapots", ["Approve"], "The order is placed"],
  ["team", "A trip to Lisbon", [], "you sleep in, and arrive for lunch"],
])
  test(`after a reload the meters of "${graph}" show what all branches have cost, as before it`, async () => {
    const page = await openBench(browser, graph);
    const talk = page.locator("weft-studio .talk");
    await begin(page, story);
    for (const name of decisions) await decide(page, name);
    await talk.getByText(last).waitFor();
    await settled(page);
    const first = [await stepsOf(page), (await tokensOf(page)).tokens];
    // The state before the first node has a branch of its own, which runs to a question or its end.
    const slider = page.getByRole("slider", { name: "Checkpoints" });
    await slider.press("Home");
    await slider.press("ArrowRight");
    const { length } = await ask(page, "/history");
    await page.getByRole("button", { name: "Run from here" }).click();
    while ((await ask(page, "/history")).length < length + 2) await settled(page);
    await settled(page);
    const [steps, { tokens, text }] = [await stepsOf(page), await tokensOf(page)];
    assert.ok(steps > first[0]);
    if (first[1] > 0) assert.ok(tokens > first[1]);
    await shows(page, "Steps", String(steps));
    await shows(page, "Tokens", text);
    const before = await readMeters(page);
    for (const [name, value] of before)
      if (name !== "Tokens") assert.match(value, /[1-9]/, `${name} ${value}`);
    await page.reload();
    for (const [name, value] of before) await shows(page, name, value);
    assert.deepEqual(await readMeters(page), before);
    await picture(page, `meters-${graph}`);
    await page.close();
  });

for (const [label, value, reached] of [
  ["Tokens", "60", ({ tokens }) => tokens >= 60],
  ["Cost in $", "0.0005", ({ tokens }) => tokens * PRICE >= 500],
])
  test(`where the limit "${label}" stops a run, the meters show what was used until then`, async () => {
    const page = await openBench(browser, "team");
    await limit(page, label, value);
    await begin(page, "A trip to Lisbon");
    await page.getByRole("status", { name: "Stopped by a limit" }).waitFor();
    await settled(page);
    const used = await tokensOf(page);
    assert.ok(reached(used), used.text);
    await shows(page, "Tokens", used.text);
    await page.close();
  });

test('where the limit "Steps" stops a run, the meter shows as many', async () => {
  const page = await openBench(browser, "research");
  await limit(page, "Steps", "2");
  await begin(page, "Read up on tea");
  await page.getByRole("heading", { name: "Stopped by the limit of 2 steps" }).waitFor();
  await settled(page);
  assert.equal(await stepsOf(page), 2);
  await shows(page, "Steps", "2");
  await page.close();
});

test("nothing went wrong in any page", () => {
  assert.deepEqual(browser.faults, []);
});
