// SPDX-License-Identifier: MIT
// The studio's page of the demo, in Chromium: sample graphs run in the tab, their threads outlive a
// reload.
import { test } from "node:test";
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { decide } from "./bench.mjs";
import { DemoBrowser } from "./demo-browser.mjs";

const PICTURES = process.env.WEFT_PICTURES;
const browser = DemoBrowser.forTests();

async function openStudio() {
  const page = await browser.context.newPage();
  await page.goto(`${browser.server.url}#/work`);
  await page.locator("weft-studio .status", { hasText: "ready" }).waitFor();
  return page;
}

async function sample(page, name, story) {
  await page.getByRole("link", { name }).click();
  await page.getByRole("button", { name: story }).click();
}
const untilState = (page, node, state) =>
  page.locator(`weft-studio .node[data-node="${node}"][data-state="${state}"]`).waitFor();
const settled = (page) => page.locator('weft-studio .status[data-run="none"]').waitFor();

async function picture(page, name) {
  if (PICTURES === undefined) return;
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: `${PICTURES}/${name}.png` });
}

test("twenty searches run side by side and are joined; a chosen node leads to its code", async () => {
  const page = await openStudio();
  await sample(page, "Research", "Read up on tea");
  await page.locator("weft-studio .tasks", { hasText: "of 20" }).waitFor();
  await picture(page, "page-research");
  await untilState(page, "join", "done");
  await settled(page);
  await page.locator("weft-studio .tree", { hasText: "20 sources were read" }).first().waitFor();
  await page.locator('weft-studio .node[data-node="join"]').click();
  await picture(page, "page-node");
  await page.locator("weft-studio").getByRole("link", { name: "See the node's code" }).click();
  await page.locator('.screen.code .node[data-node="join"][aria-pressed="true"]').waitFor();
  await page.locator('.screen.code .code [aria-current="true"]').first().waitFor();
  await page.close();
});

test("a question is answered after a reload, and the text is written again as it says", async () => {
  const page = await openStudio();
  await sample(page, "Writer and editor", "A note on tea");
  await untilState(page, "ask", "waiting");
  await settled(page);
  await page.reload();
  await page.locator("weft-studio .question").waitFor();
  await page.getByLabel("Answer: a text, or JSON").fill("mention honey");
  await decide(page, "Answer");
  await page.locator("weft-studio .question .said", { hasText: "Now mention honey." }).waitFor();
  await settled(page);
  await decide(page, "Publish");
  await untilState(page, "publish", "done");
  await page.close();
});

test("a node that fails is tried again, and tells how often; an order waits for approval", async () => {
  const page = await openStudio();
  await sample(page, "Flaky services", "A usual day");
  await untilState(page, "report", "done");
  await settled(page);
  await page.locator('weft-studio .node[data-node="price"]').click();
  await page.locator('weft-studio > [slot="node"]', { hasText: "3 attempts." }).waitFor();
  await page.locator('weft-studio .node[data-node="report"]').click();
  await page.locator('weft-studio > [slot="node"]', { hasText: /^See/ }).waitFor();
  await sample(page, "Order desk", "Order 3 teapots");
  await untilState(page, "tools", "waiting");
  await picture(page, "page-orders");
  await decide(page, "Approve");
  await page.locator("weft-studio .talk", { hasText: "The order is placed: 3 x" }).waitFor();
  await page.close();
  assert.deepEqual(browser.faults, []);
});
