// SPDX-License-Identifier: MIT
// The workbench's meters, in Chromium: what they show is what the thread really took, as its state
// tells, also where a limit stops a run.
import { test } from "node:test";
import assert from "node:assert/strict";
import { ask, begin, openBench, settled } from "./bench.mjs";
import { DemoBrowser } from "./demo-browser.mjs";

const browser = DemoBrowser.forTests();
/** Dollars per million tokens, as the meter's title says. */
const PRICE = 10;

/** What all messages of the open thread took, as the meter writes it. */
async function tokensOf(page) {
  const { values } = await ask(page, "/state");
  const tokens = values.messages.reduce(
    (sum, { usage_metadata: usage }) => sum + (usage?.total_tokens ?? 0),
    0,
  );
  const dollars = Number(((tokens * PRICE) / 1e6).toPrecision(2));
  return { tokens, text: `${tokens.toLocaleString("en")} · $${dollars}` };
}

const meter = (page, name) => page.locator(`[data-meter="${name}"]`);
const shows = (page, name, text) =>
  meter(page, name)
    .filter({ hasText: new RegExp(`^${text.replace(/[$.]/g, "\\$&")}$`) })
    .waitFor();
/** Steps of nodes that the newest run committed: its first one only takes the input. */
async function stepsOf(page) {
  const [newest, ...older] = await ask(page, "/history");
  const own = [newest, ...older].filter(
    ({ metadata }) => metadata.run_id === newest.metadata.run_id,
  );
  const hasInput = own.some(({ metadata }) => metadata.source === "input");
  return own.filter(({ metadata }) => metadata.source === "loop").length - (hasInput ? 1 : 0);
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

  // Of another run in the thread: its own steps, tokens of both.
  await page.getByLabel("Message", { exact: true }).fill("Plan a trip to Rome");
  await page.locator('weft-studio [data-do="start"]').click();
  await page.locator("weft-studio .talk", { hasText: "10:40 to Rome" }).waitFor();
  await settled(page);
  const both = await tokensOf(page);
  assert.ok(both.tokens > first.tokens, both.text);
  await shows(page, "Tokens", both.text);
  assert.notEqual(await stepsOf(page), steps);
  await shows(page, "Steps", String(await stepsOf(page)));
  await page.reload();
  await shows(page, "Tokens", both.text);
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
