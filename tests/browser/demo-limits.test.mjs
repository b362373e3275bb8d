// SPDX-License-Identifier: MIT
// The workbench's limits, in Chromium: each stops a run by name, and the run goes on from the same
// step.
import { test } from "node:test";
import assert from "node:assert/strict";
import { ask, openBench, pause, picture, press, settled } from "./bench.mjs";
import { DemoBrowser } from "./demo-browser.mjs";

const browser = DemoBrowser.forTests();

for (const [label, value, graph, story, name, error] of [
  ["Steps", "2", "research", "Read up on tea", "2 steps", "GraphRecursionError"],
  ["Deadline in seconds", "0.5", "research", "Read up on tea", "0.5 seconds", "DeadlineError"],
  ["Tokens", "60", "team", "A trip to Lisbon", "60 tokens", "TokenLimitError"],
  ["Cost in $", "0.0005", "team", "A trip to Lisbon", "$0.0005", "CostLimitError"],
])
  test(`the limit "${label}" stops a run by name, and it continues from the same step`, async () => {
    const page = await openBench(browser, graph);
    await page.getByText("Limits", { exact: true }).click();
    await page.getByRole("spinbutton", { name: `${label}, exactly` }).fill(value);
    await page.keyboard.press("Enter");
    await page.getByText(/^Limits \(1\)$/).click();
    await press(page, story);
    const stopped = page.getByRole("status", { name: "Stopped by a limit" });
    await stopped.getByText(`Stopped by the limit of ${name}`).waitFor();
    assert.equal(await stopped.locator("code").innerText(), error);
    const { next } = await settled(page);
    const before = await ask(page, "/history");
    await picture(page, `limit-${error}`);
    // A limit that counts on may be reached again.
    for (let state = { next }; state.next.length > 0; state = await settled(page)) {
      const { length } = await ask(page, "/runs");
      await page.getByRole("button", { name: /^Continue/ }).click();
      while ((await ask(page, "/runs")).length === length) await pause(20);
    }
    const ids = (list) => list.map(({ checkpoint }) => checkpoint.checkpoint_id);
    const history = await ask(page, "/history");
    assert.deepEqual(ids(history).slice(-before.length), ids(before));
    const first = history.at(-before.length - 1);
    assert.deepEqual(first.parent_checkpoint.checkpoint_id, ids(before)[0]);
    const [ran] = before[0].tasks.map(({ name: node }) => node);
    assert.equal(ran, next[0]);
    await page.close();
  });

test("a limit is a slider with its value beside it, by keys and by name, and none at its end", async () => {
  const page = await openBench(browser, "research");
  const slider = page.getByRole("slider", { name: "Steps" });
  const exact = page.getByRole("spinbutton", { name: "Steps, exactly" });
  const shows = async (text, value) => {
    await page.locator(`[data-limit="steps"][aria-valuetext="${text}"]`).waitFor();
    assert.equal(await exact.inputValue(), value);
  };
  await page.getByText("Limits", { exact: true }).click();
  await shows("none", "");
  await slider.focus();
  await slider.press("ArrowLeft");
  await shows("100 steps", "100");
  await slider.press("Home");
  await shows("1 step", "1");
  await slider.press("ArrowRight");
  await shows("2 steps", "2");
  // A value between two stops is typed; the next key goes to the next stop.
  await exact.fill("11");
  await exact.press("Enter");
  await shows("11 steps", "11");
  await slider.press("ArrowRight");
  await shows("15 steps", "15");
  await slider.press("Home");
  await press(page, "Read up on tea");
  await page.getByRole("heading", { name: "Stopped by the limit of 1 step" }).waitFor();
  await slider.press("End");
  await shows("none", "");
  await press(page, "Continue");
  await page.getByText("20 sources were read").first().waitFor();
  for (const width of [320, 390, 768, 1440])
    for (const forcedColors of ["none", "active"]) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ forcedColors, colorScheme: width < 600 ? "dark" : "light" });
      const outside = await page.locator(".limits > div").evaluate((box) => {
        const { left, right } = box.getBoundingClientRect();
        return left < 0 || right > innerWidth || box.scrollWidth > box.clientWidth;
      });
      assert.equal(outside, false, `${width} px`);
      await picture(page, `limits-${width}-${forcedColors}`);
    }
  await page.close();
});

test("nothing went wrong in any page", () => {
  assert.deepEqual(browser.faults, []);
});
