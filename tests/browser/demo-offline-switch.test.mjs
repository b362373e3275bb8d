// SPDX-License-Identifier: MIT
// The studio's offline switch, in Chromium with a fake service on another port: what it keeps from
// being sent, what says so, what goes on.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { startOpenAIServer } from "../js/openai-server.mjs";
import { ask, pause } from "./bench.mjs";
import { DemoBrowser } from "./demo-browser.mjs";

const PICTURES = process.env.WEFT_PICTURES;
let demo;
let service;
/** What the service does next. */
let script = [];

before(async () => {
  [demo, service] = await Promise.all([
    DemoBrowser.open(),
    startOpenAIServer({ script: () => script.shift() }),
  ]);
  demo.context.setDefaultTimeout(60_000);
});
after(() => Promise.all([demo?.close(), service?.close()]));

/** @param {string} hash @param {string} [source] of the model that was chosen before */
async function open(hash, source = "builtin") {
  const page = await demo.context.newPage();
  const choice = { source, service: "other", url: service.url, model: "m" };
  await page.addInitScript(
    (text) => localStorage.setItem("weft-studio-model", text),
    JSON.stringify(choice),
  );
  await page.goto(`${demo.server.url}${hash}`);
  return page;
}

const offline = (page) => page.getByRole("switch", { name: "Offline" });
const press = (page, name) => page.getByRole("button", { name, exact: true }).click();
const tryAgain = (page) => page.locator('weft-notice [data-act="retry"]').click();
/** Waits until so many runs of the open thread failed: a notice may be that of the run before. */
async function runsFailed(page, count) {
  const failedRuns = async () =>
    (await ask(page, "/runs")).filter(({ status }) => status === "error");
  while ((await failedRuns()).length < count) await pause(50);
}
const noticed = (page) =>
  page.locator("weft-notice h3", { hasText: "The offline switch is on" }).waitFor();

async function say(page, words) {
  await page.locator("weft-studio .status", { hasText: "ready" }).waitFor();
  await page.getByLabel("Message", { exact: true }).fill(words);
  await page.locator('[data-do="start"]').click();
}

/** How a request of the page to the service fails. */
const failed = (page) =>
  page.evaluate(
    (url) => fetch(url).then(String, ({ name, code, message }) => ({ name, code, message })),
    service.url,
  );

test("switched by keyboard, it refuses what leaves for another server, and models say so", async () => {
  const page = await open("#/models", "service");
  // The switch is there before its script.
  await page.getByRole("button", { name: "Test", exact: true }).waitFor();
  await offline(page).focus();
  await page.keyboard.press("Space");
  assert.equal(await offline(page).getAttribute("aria-checked"), "true");
  assert.match(await page.locator("#live").textContent(), /^Offline: no request/);
  await page.getByText("A model service needs the network").waitFor();
  await press(page, "Test");
  await noticed(page);
  await press(page, "List models");
  await noticed(page);
  const { host } = new URL(service.url);
  assert.deepEqual(await failed(page), {
    name: "OfflineError",
    code: "OFFLINE_SWITCH",
    message: `The offline switch is on: no request is sent to ${host}.`,
  });
  await page.goto(`${demo.server.url}#/work/orders`);
  await say(page, "hello");
  await noticed(page);
  assert.match(await page.locator("weft-notice section").innerText(), /needs the network/);
  // It outlives a reload, and a new engine.
  await page.reload();
  await noticed(page);
  assert.equal(await offline(page).getAttribute("aria-checked"), "true");
  await press(page, "Pull the plug");
  await press(page, "Start again");
  await tryAgain(page);
  await runsFailed(page, 2);
  await noticed(page);
  assert.equal(service.requests.length, 0);
  script = ["Good day from the service."];
  await offline(page).click();
  assert.equal(await offline(page).getAttribute("aria-checked"), "false");
  await tryAgain(page);
  await page.getByText("Good day from the service.").first().waitFor();
  assert.equal(service.requests.length, 1);
  await page.close();
});

test("an answer that is on its way is cut when the switch is turned on", async () => {
  const page = await open("#/work/orders", "service");
  const half = { choices: [{ delta: { content: "Half of" } }] };
  script = [{ raw: [`data: ${JSON.stringify(half)}\n\n`], end: "hang" }];
  await say(page, "hello");
  await page.getByText("Half of").first().waitFor();
  await offline(page).click();
  await noticed(page);
  await page.close();
});

test("all that needs no network goes on: stories, approval, other screens", async () => {
  const page = await open("#/work/orders");
  await offline(page).click();
  const before = service.requests.length;
  await press(page, "Order 3 teapots");
  await press(page, "Approve");
  await page
    .getByText(/The order is placed/)
    .first()
    .waitFor();
  for (const name of ["Inbox", "Code", "Recordings"]) {
    await page.locator("#screens").getByRole("link", { name }).click();
    await page.locator("main h1", { hasText: name }).first().waitFor();
  }
  assert.equal(service.requests.length, before);
  await page.close();
});

test("its state is seen at every width, in light, dark and forced colours", async () => {
  const page = await open("#/start");
  await offline(page).click();
  for (const width of [320, 390, 768, 1440])
    for (const look of [
      { colorScheme: "light", forcedColors: "none" },
      { colorScheme: "dark", forcedColors: "none" },
      { colorScheme: "light", forcedColors: "active" },
    ]) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia(look);
      const { cut, wide, bar, outline } = await page.evaluate(
        (width) => ({
          cut: document.querySelector("#offline .cut").getBoundingClientRect().width,
          wide: document.documentElement.scrollWidth > innerWidth,
          bar: width < 500 ? document.querySelector(".rail").offsetHeight : 0,
          outline: getComputedStyle(document.querySelector("#offline")).outlineStyle,
        }),
        width,
      );
      assert.ok(cut > 0 && !wide && bar <= 57, `${width} px: ${bar} px high`);
      if (look.forcedColors === "active") assert.equal(outline, "solid");
      if (PICTURES === undefined) continue;
      mkdirSync(PICTURES, { recursive: true });
      const name = `offline-${width}-${look.colorScheme}-${look.forcedColors}`;
      await page.screenshot({ path: `${PICTURES}/${name}.png` });
    }
  await page.close();
});

test("no page broke the policy, reported an error or went elsewhere", () =>
  assert.deepEqual(demo.faults, []));
