// SPDX-License-Identifier: MIT
// The studio's own engine at an address of its site, in Chromium: a chat of another page that knows
// an address alone runs the tab's graph, and the studio shows its run.
import { test } from "node:test";
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openBench, press } from "./bench.mjs";
import { DemoBrowser } from "./demo-browser.mjs";
import { bundle, untilIdle } from "./front-end.mjs";
import { untilState } from "./studio-browser.mjs";

const CHAT = "chat.html";

/** Puts the chat beside the built studio. @param {string} folder */
async function addChat(folder) {
  const files = await bundle("by-address.tsx");
  await writeFile(join(folder, "chat.js"), files.get("/page.js"));
  const html = `<!doctype html><title>chat</title><link rel="icon" href="icon.svg"><div id="root"></div><script type="module" src="chat.js"></script>`;
  await writeFile(join(folder, CHAT), html);
}

const isServed = (page) => page.waitForFunction(() => navigator.serviceWorker.controller !== null);

async function tell(page, text) {
  await page.getByLabel("Message").fill(text);
  await untilIdle(page, () => page.getByRole("button", { name: "Send" }).click());
}

test("a chat that knows an address alone runs the studio's engine, and the studio shows the run", async (t) => {
  const browser = await DemoBrowser.open(addChat);
  t.after(() => browser.close());
  const { url } = browser.server;
  const studio = await openBench(browser, "orders");
  await isServed(studio);
  const chat = await browser.context.newPage();
  const asked = [];
  chat.on("request", (request) => asked.push(request));
  // The start says which address and which graph.
  await studio.evaluate(() => void (location.hash = "#/"));
  await studio.locator("footer code").first().waitFor();
  const [apiUrl, assistantId] = await studio.locator("footer code").allTextContents();
  assert.deepEqual([apiUrl, assistantId], [`${url}agents`, "orders"]);
  const where = new URLSearchParams({ apiUrl, assistantId });
  await chat.goto(`${url}${CHAT}?${where}`);
  await isServed(chat);
  await tell(chat, "Please order 3 teapots");
  await chat.locator("section", { hasText: "teapots" }).waitFor();
  const thread = await chat.locator("main").getAttribute("data-thread");

  const question = studio.locator("weft-studio .question pre", { hasText: "teapots" });
  await studio.evaluate(() => void (location.hash = "#/work/orders"));
  await question.waitFor();
  await studio.evaluate((id) => void (location.hash = `#/work/orders/${id}`), thread);
  await untilState(studio, "tools", "waiting");
  await question.waitFor();
  await untilIdle(chat, () => chat.getByRole("button", { name: "Approve" }).click());
  await chat.getByText("The order is placed: 3 x teapots.").waitFor();
  await studio
    .locator("weft-studio .talk", { hasText: "The order is placed: 3 x teapots." })
    .waitFor();
  await untilState(studio, "tools", "done");
  await studio.locator('weft-studio .timeline[aria-valuemax="5"]').waitFor();

  // A worker that is ended and started anew is the one that answers.
  await press(studio, "Pull the plug");
  await Promise.all([tell(chat, "Please order 2 cups"), press(studio, "Start again")]);
  await chat.locator("section", { hasText: "cups" }).waitFor();
  const own = asked.filter((request) => new URL(request.url()).pathname.startsWith("/agents/"));
  assert.ok(own.length > 3);
  for (const request of own) {
    const response = await request.response();
    assert.ok(response === null || response.fromServiceWorker(), request.url());
  }
  assert.deepEqual(browser.faults, []);
  // Nobody else has the engine.
  await studio.close();
  const status = () =>
    fetch("agents/info").then(
      (response) => response.status,
      () => "cut",
    );
  // What was asked while it went is cut.
  const answers = [await chat.evaluate(status), await chat.evaluate(status)];
  assert.equal(answers[1], 503, String(answers));
});
