// SPDX-License-Identifier: MIT
// What the race shows, in Chromium, with workers in the place of both libraries whose figures are
// known: nothing before it is measured, then these figures, and bars as long as they are.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DemoBrowser } from "./demo-browser.mjs";

const SOURCES = new URL("../../web-demo/src/screens/race/", import.meta.url);
/** What each side measures: the ms of its laps, one after the other, and what it stores. */
const LAPS = {
  weft: { ms: [999, 20, 25, 40, 50, 100], bytes: 3 * 1024 },
  langgraph: { ms: [999, 400, 400, 400, 400, 400], bytes: 12 * 1024 },
};
const STEPS = 200;
let browser;

/** A worker that answers at once, and tells of its laps what is given. */
const worker = ({ ms, bytes }) => `const all = ${JSON.stringify(ms)};
addEventListener("message", ({ data: { steps } }) =>
  postMessage({ lap: { ms: all.shift(), steps, bytes: ${bytes} } }));
postMessage({ answered: true });`;

before(async () => {
  browser = await DemoBrowser.open((folder) => {
    const assets = readdirSync(join(folder, "assets"));
    for (const [side, laps] of Object.entries(LAPS)) {
      const [file] = assets.filter(
        (name) => name.startsWith(`${side}-worker-`) && name.endsWith(".js"),
      );
      writeFileSync(join(folder, "assets", file), worker(laps));
    }
  });
});
after(() => browser?.close());

/** A chart's rows: what is written, what was measured, and how long the bar is. */
const chartOf = (page, title) =>
  page.locator(`[data-chart="${title}"]`).evaluate((chart) =>
    ["weft", "langgraph"].map((side) => ({
      said: chart.querySelector(`tr[data-side="${side}"] td`).textContent,
      value: Number(chart.querySelector(`tr[data-side="${side}"] td`).dataset.value),
      length: chart.querySelector(`.bar.${side}`).getBoundingClientRect().width,
    })),
  );

test("no figure is shown before the start; then each is the median of what was measured", async () => {
  const page = await browser.context.newPage();
  await page.goto(`${browser.server.url}#/race`);
  const start = page.getByRole("button", { name: "Start the race" });
  await start.waitFor();
  const before = await page
    .locator("main h1")
    .evaluate((title) => title.closest(".screen").innerText);
  const [shown, rules] = before.split("How it is measured");
  assert.match(shown, /Start the race/);
  assert.doesNotMatch(shown, /\d/);
  // The rules name what is done, in steps and rounds, and no result.
  assert.deepEqual(rules.match(/\d+/g), ["200", "200", "100"]);
  assert.equal(await page.locator("[data-chart]").count(), 0);

  await start.click();
  await page.locator("[data-part]", { hasText: "Both are done" }).waitFor();
  const perSecond = await chartOf(page, "Steps per second");
  // The first lap of each warms up; of 20 to 100 ms the middle is 40.
  assert.deepEqual(
    perSecond.map(({ value }) => value),
    [(STEPS / 40) * 1000, (STEPS / 400) * 1000],
  );
  assert.deepEqual(
    perSecond.map(({ said }) => said),
    ["5,000 / s (2,000 / s to 10,000 / s)", "500 / s (500 / s to 500 / s)"],
  );
  const stored = await chartOf(page, "Stored");
  assert.deepEqual(
    stored.map(({ said }) => said),
    ["3 kB", "12 kB"],
  );
  const first = await chartOf(page, "First answer");
  for (const { said, value } of first) {
    assert.ok(value > 0 && value < 60_000, String(value));
    assert.ok(
      said.startsWith(value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString("en")),
    );
  }
  for (const [weft, langgraph] of [perSecond, stored, first]) {
    const [lengths, values] = [weft.length / langgraph.length, weft.value / langgraph.value];
    assert.ok(Math.abs(lengths / values - 1) < 0.02, `bars ${lengths}, figures ${values}`);
  }
  await page.close();
  assert.deepEqual(browser.faults, []);
});

test("the race's source quotes no figure of either library", () => {
  for (const name of readdirSync(SOURCES)) {
    const text = readFileSync(new URL(name, SOURCES), "utf8");
    const code = text.replace(/^\s*(\/\/|\/?\*).*$/gm, "");
    assert.doesNotMatch(code, /\d\s*(ms|µs|kB|MB|seconds|%|times|x faster|x as)\b/i, name);
  }
});
