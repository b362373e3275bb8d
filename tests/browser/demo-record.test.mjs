// SPDX-License-Identifier: MIT
// The studio's screens Code, Recordings and Race, in Chromium: what is shown is what runs, a run
// saved as a file is played again without network, and a changed one says where it differs.
import { test } from "node:test";
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { SAMPLES } from "../../web-demo/src/samples/index.js";
import { readFile as readRecording } from "../../web-demo/src/screens/recordings/recording-file.js";
import { writeFile as writeRecording } from "../../web-demo/src/screens/recordings/recording-file.js";
import { DemoBrowser } from "./demo-browser.mjs";

const PICTURES = process.env.WEFT_PICTURES;
const top = fileURLToPath(new URL("../..", import.meta.url));
const browser = DemoBrowser.forTests();

async function openScreen(hash) {
  const page = await browser.context.newPage();
  await page.goto(browser.server.url + hash);
  return page;
}

async function picture(page, name) {
  if (PICTURES === undefined) return;
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: `${PICTURES}/${name}.png`, fullPage: true });
}

/** What <weft-studio> shows of a thread. */
async function shownThread(page) {
  const studio = page.locator("weft-studio");
  await studio.locator('.status[data-run="none"]').waitFor();
  return {
    marks: await studio.locator(".mark").count(),
    transcript: await studio
      .locator(".talk :is(.words, .prose, .tool-call summary)")
      .allInnerTexts(),
    state: await studio.locator(".tree").first().innerText(),
  };
}

/** What <weft-studio> shows as the state of each checkpoint. */
async function shownStates(page) {
  const studio = page.locator("weft-studio");
  const slider = studio.getByRole("slider", { name: "Checkpoints" });
  const states = [];
  await slider.press("Home");
  for (let at = 1; at <= (await studio.locator(".mark").count()); at++) {
    await studio.locator(`.timeline[aria-valuenow="${at}"]`).waitFor();
    states.push(await studio.locator(".inspected .tree").allInnerTexts());
    await slider.press("ArrowRight");
  }
  return states;
}

/** Runs a sample's first story in the workbench. */
async function runStory(page, graph, end = "done") {
  const { input } = SAMPLES.find((sample) => sample.graph === graph).stories[0];
  await page.locator("weft-studio .status", { hasText: "ready" }).waitFor();
  await page
    .locator("weft-studio")
    .evaluate((studio, [of, value]) => studio.run(of, value), [graph, input]);
  await page.locator(`weft-studio .mark[data-kind=${end}]`).waitFor();
  return shownThread(page);
}

const goTo = (page, hash) => page.evaluate((to) => void (location.hash = to), hash);

/** Drops a file on the screen, as a person does, of a text that is repeated. */
async function dropFile(page, text, times = 1) {
  const transfer = await page.evaluateHandle(
    ([content, count]) => {
      const data = new DataTransfer();
      data.items.add(new File([content.repeat(count)], "recording.json"));
      return data;
    },
    [text, times],
  );
  await page.locator(".drop").dispatchEvent("drop", { dataTransfer: transfer });
}

const verdict = (page) => page.locator("[data-verdict]");

let saved = "";

test("a run saved as a file is played after a reload and offline: steps, states, transcript", async () => {
  const page = await openScreen("#/work/team");
  const before = await runStory(page, "team");
  assert.ok(before.marks > 3 && before.transcript.length === 7, JSON.stringify(before));
  const states = await shownStates(page);
  assert.ok(new Set(states.map(String)).size > 3, JSON.stringify(states));
  await goTo(page, "#/recordings");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.locator('[data-run] [data-do="save"]').first().click(),
  ]);
  saved = await readFile(await download.path(), "utf8");
  await page.evaluate(() => navigator.serviceWorker.ready);
  await browser.context.setOffline(true);
  try {
    await page.reload();
    await page.locator(".drop").waitFor();
    await dropFile(page, saved);
    assert.equal(await verdict(page).getAttribute("data-verdict"), "same");
    assert.deepEqual(await page.locator(".steps li").allInnerTexts(), [
      "desk",
      "timetable",
      "writer",
    ]);
    await page.locator("weft-studio .mark[data-kind=done]").waitFor();
    assert.deepEqual(await shownThread(page), before);
    assert.deepEqual(await shownStates(page), states);
    await picture(page, "recordings");
    await page.locator('[data-do="rewind"]').click();
    await page.locator("weft-studio .at", { hasText: "1 of" }).waitFor();
    await page.locator('[data-do="speed"]').selectOption("10");
    await page.locator('[data-do="toggle"]').click();
    await page.locator("weft-studio .at", { hasText: `${before.marks} of` }).waitFor();
    await page.locator('[data-do="toggle"]', { hasText: "Play" }).waitFor();
    browser.expected = /ERR_|Failed|network error/;
    await goTo(page, "#/race");
    await page.locator('[data-do="race"]').click();
    await page.getByRole("alert").filter({ hasText: "LangGraph.js is not kept" }).waitFor();
  } finally {
    browser.expected = undefined;
    await browser.context.setOffline(false);
  }
  await page.close();
});

test("a changed file or graph says where it differs first, and nothing runs", async () => {
  assert.notEqual(saved, "", "the first test saves the file");
  const page = await openScreen("#/recordings");
  await page.locator(".drop").waitFor();
  const at = saved.indexOf("Lisbon", saved.length / 2);
  await dropFile(page, `${saved.slice(0, at)}l${saved.slice(at + 1)}`);
  const alert = page.getByRole("alert");
  await alert.filter({ hasText: /The first difference is at characters \d+ to \d+/ }).waitFor();
  assert.equal(await verdict(page).count(), 0);
  await dropFile(page, writeRecording({ ...readRecording(saved), graph: "review" }));
  await alert.filter({ hasText: /of the nodes, number 0 was \w+, and is write/ }).waitFor();
  assert.equal(await verdict(page).getAttribute("data-verdict"), "diverged");
  assert.equal(await page.locator("weft-studio").count(), 0);
  await picture(page, "recordings-diverged");
  for (const [file, words, times] of [
    [writeRecording({ ...readRecording(saved), graph: "__proto__" }), /graph that this page/],
    [writeRecording({ ...readRecording(saved), recording: "[".repeat(100_000) }), /no recording/],
    ["{", /no recording/],
    ["x".repeat(1024), /bytes/, 33 * 1024],
  ]) {
    await dropFile(page, file, times);
    await alert.filter({ hasText: words }).waitFor();
  }
  assert.equal(await page.locator("[data-run]").count(), 0);
  await page.close();
});

test("a question in a recording is shown as it stood, and cannot be answered", async () => {
  const page = await openScreen("#/work/orders");
  await runStory(page, "orders", "waiting");
  await page.locator('weft-studio [data-do="approve"]').waitFor();
  await goTo(page, "#/recordings");
  await page.locator('[data-run] [data-do="play"]').first().click();
  await page.locator('weft-studio .node[data-node="tools"][data-state="waiting"]').waitFor();
  assert.equal(await page.locator("weft-studio :is(button.primary, textarea):visible").count(), 0);
  const status = await page.locator("weft-studio").evaluate(async ({ server }) => {
    const body = JSON.stringify({
      assistant_id: "orders",
      command: { resume: { type: "accept" } },
    });
    const init = { method: "POST", headers: { "content-type": "application/json" }, body };
    return (await server.fetch("http://weft.local/threads/recording/runs", init)).status;
  });
  assert.equal(status, 403);
  await page.close();
});

test("a run that holds any key of this tab is not saved, kept or played, nor a thread exported", async () => {
  const page = await openScreen("#/work/orders");
  await runStory(page, "orders", "waiting");
  await goTo(page, "#/recordings");
  const refused = page.getByRole("alert").filter({ hasText: "holds the key of a model service" });
  const hold = (keys) =>
    page.evaluate((held) => sessionStorage.setItem("weft-studio-keys", JSON.stringify(held)), keys);
  const press = (act) => page.locator(`[data-run] [data-do="${act}"]`).first().click();
  for (const act of ["save", "keep", "play"]) {
    // The chosen service is OpenAI's: the key in the run is another one's.
    await hold({ "https://api.openai.com": "sk-other", "https://api.anthropic.com": "3 teapots" });
    await press(act);
    await refused.waitFor();
    await hold({});
    await press("keep");
    await page.locator("[data-kept]").waitFor();
    await page.locator('[data-kept] [data-do="delete"]').click();
    await page.locator("[data-kept]").waitFor({ state: "detached" });
  }
  await hold({ "https://api.anthropic.com": "3 teapots" });
  await page.locator('[data-do="export"]').click();
  await page.getByRole("alert").filter({ hasText: "nothing is saved" }).waitFor();
  await page.close();
});

test("Recordings says what a pulled plug loses, with runs and without", async () => {
  const page = await openScreen("#/recordings");
  const lost = page.getByText("Pulling the engine's plug loses the recordings that are not kept");
  await page.getByText("Each run of the workbench is recorded").waitFor();
  await lost.waitFor();
  await goTo(page, "#/work/research");
  await runStory(page, "research");
  await goTo(page, "#/recordings");
  await page.locator("[data-run]").waitFor();
  await lost.waitFor();
  await page.close();
});

test("a kept recording outlives the tab, and is played from the list", async () => {
  const page = await openScreen("#/work/research");
  await runStory(page, "research");
  await goTo(page, "#/recordings");
  await page.locator('[data-run] [data-do="keep"]').first().click();
  await page.locator("[data-kept]").waitFor();
  await page.close();
  const again = await openScreen("#/recordings");
  await again.locator('[data-kept] [data-do="play"]').click();
  await again.locator(".steps li", { hasText: "20 × search" }).waitFor();
  await again.locator('[data-kept] [data-do="delete"]').click();
  await again.locator("[data-kept]").waitFor({ state: "detached" });
  const [download] = await Promise.all([
    again.waitForEvent("download"),
    again.locator('[data-do="export"]').click(),
  ]);
  const [chooser] = await Promise.all([
    again.waitForEvent("filechooser"),
    again.locator('[data-do="import"]').click(),
  ]);
  await chooser.setFiles(await download.path());
  await again.locator("[data-did]", { hasText: "0 new, 5 already here" }).waitFor();
  await again.close();
});

test("the text of each sample is the file that the worker runs, and its nodes lead to their lines", async () => {
  await browser.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await openScreen("#/code/review/ask");
  await page.locator('.code [aria-current="true"]', { hasText: ".addNode(" }).waitFor();
  for (const { graph } of SAMPLES) {
    await goTo(page, `#/code/${graph}`);
    const module = page.locator(`[data-module="${graph}"]`);
    await module.locator('[data-same="true"]').waitFor();
    const shown = (await module.locator(".code code").allTextContents()).join("\n");
    const source = await readFile(join(top, `web-demo/src/samples/${graph}.js`), "utf8");
    assert.equal(shown.replace(/"\.\/(weftgraph[^"]*)\.js"/g, '"$1"'), source);
  }
  await goTo(page, "#/code/orders");
  await page.locator('.node[data-node="tools"]').click();
  await page.locator('.code [aria-current="true"]', { hasText: "const placeOrder" }).waitFor();
  await picture(page, "code");
  await page.close();
});

test("a copied project runs in Node as it is", async () => {
  const folder = await mkdtemp(join(tmpdir(), "weft-project-"));
  const page = await openScreen("#/code");
  try {
    await mkdir(join(folder, "node_modules"));
    await symlink(top, join(folder, "node_modules/weftgraph"));
    const runs = [];
    for (const { graph } of SAMPLES) {
      await goTo(page, `#/code/${graph}`);
      await page.locator(`[data-module="${graph}"]`).waitFor();
      await page.locator('[data-do="project"]').click();
      await page.getByText("The project is copied.").waitFor();
      const file = join(folder, `${graph}.mjs`);
      await writeFile(file, await page.evaluate(() => navigator.clipboard.readText()));
      runs.push(promisify(execFile)(process.execPath, [file]));
    }
    const printed = (await Promise.all(runs)).map(({ stdout }) => stdout);
    const expected = [/place_order/, /20 sources were read/, /draft/, /at try/, /to Lisbon/];
    for (const [at, text] of printed.entries()) assert.match(text, expected[at]);
  } finally {
    await page.close();
    await rm(folder, { recursive: true, force: true });
  }
});

test("the race loads LangGraph.js when it is started, and measures both", async () => {
  const page = await openScreen("#/race");
  const loaded = [];
  browser.context.on("request", (request) => loaded.push(request.url()));
  const isLangGraph = (url) => /langgraph/.test(url);
  await page.locator('[data-do="race"]').waitFor();
  assert.deepEqual(loaded.filter(isLangGraph), []);
  await page.locator('[data-do="race"]').click();
  await page.locator("[data-part]", { hasText: "First answer" }).waitFor();
  await page.locator('[data-do="cancel"]').click();
  await page.locator("[data-part]", { hasText: "Cancelled" }).waitFor();
  await page.locator('[data-do="race"]').click();
  await page.locator("[data-part]", { hasText: "Both are done" }).waitFor();
  const values = await page
    .locator("[data-value]")
    .evaluateAll((cells) => cells.map((cell) => Number(cell.getAttribute("data-value"))));
  assert.equal(values.length, 6);
  for (const value of values) assert.ok(value > 0 && Number.isFinite(value), String(values));
  assert.ok(loaded.some(isLangGraph));
  await picture(page, "race");
  await page.close();
  assert.deepEqual(browser.faults, []);
});
