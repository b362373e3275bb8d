// SPDX-License-Identifier: MIT
// A model in the tab, in Chromium with a stand-in for WebLLM: asked before it is downloaded, its
// progress shown, cancelled, failed with a way out, and then it answers the order desk.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { buildDemo } from "../../web-demo/build.mjs";
import { DemoBrowser } from "./demo-browser.mjs";

const FAKE = fileURLToPath(new URL("./fake-webllm.mjs", import.meta.url));
let browser;

before(async () => {
  browser = await DemoBrowser.open((out) => buildDemo({ out, alias: { "@mlc-ai/web-llm": FAKE } }));
});
after(() => browser?.close());

test("a model in the tab is chosen, downloaded in sight, cancelled, fails, is loaded, and answers", async () => {
  const page = await browser.context.newPage();
  await page.addInitScript(() => {
    const adapter = { features: new Set(["shader-f16"]) };
    Object.defineProperty(navigator, "gpu", { value: { requestAdapter: async () => adapter } });
  });
  await page.goto(`${browser.server.url}#/models`);
  const press = (name) => page.getByRole("button", { name, exact: true }).click();
  await page.evaluate(() => {
    globalThis.channel = new BroadcastChannel("fake-webllm");
    globalThis.told = [];
    globalThis.channel.onmessage = ({ data }) => globalThis.told.push(data);
  });
  const lead = (what) => page.evaluate((data) => globalThis.channel.postMessage(data), what);
  const shows = (part) => page.locator(".progress", { hasText: part });
  /** The download has begun when it hears what it is told. */
  const until = async (what, part) => {
    for (; (await shows(part).count()) === 0; await page.waitForTimeout(50)) await lead(what);
  };

  await page.getByRole("radio", { name: /A small model in this tab/ }).check();
  await page.getByRole("radio", { name: /Qwen3 0.6B/ }).check();
  await press("Load Qwen3 0.6B…");
  await press("Not now");
  await press("Load Qwen3 0.6B…");
  await press("Download 350 MB");
  await until(0.25, "25 % Fetching Qwen3-0.6B");
  assert.equal(await page.getByRole("progressbar").evaluate(({ value }) => value), 0.25);
  await press("Cancel");
  await page.locator(".progress").waitFor({ state: "detached" });
  assert.equal(await page.locator("weft-notice").count(), 0);
  assert.deepEqual(await page.evaluate(() => globalThis.told), ["unloaded"]);

  await press("Load Qwen3 0.6B…");
  await press("Download 350 MB");
  await until(0.5, "50 %");
  await lead("Failed to fetch");
  await page.locator("weft-notice h3", { hasText: "could not be downloaded" }).waitFor();
  // Its first button tries again.
  await page.locator("weft-notice button").first().click();
  await until(0.75, "75 %");
  await lead("done");
  await page.locator(".good", { hasText: "The model is loaded." }).waitFor();
  await press("Use this model");
  await page.getByRole("link", { name: "Workbench" }).click();
  await page.locator("weft-studio .status", { hasText: "ready" }).waitFor();
  await page.getByLabel("Message", { exact: true }).fill("who are you?");
  await page.locator('weft-studio [data-do="start"]').click();
  await page.locator("weft-studio .talk", { hasText: "I am in this tab." }).waitFor();
  await page.locator('[data-meter="Tokens"]', { hasText: /^18 · / }).waitFor();
  await page.close();
  assert.deepEqual(browser.faults, []);
});
