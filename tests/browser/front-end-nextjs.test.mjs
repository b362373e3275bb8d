// SPDX-License-Identifier: MIT
// Builds examples/nextjs as its README says, and drives it in Chromium. Under WEFT_LONG (`make
// check-long PART=front-ends`): Next.js has 390 MB and compiles for a minute.
import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { buildExample, checkVersions, copyExample, startExample } from "./example.mjs";
import { checkGrew, openBrowser, textsOf, untilIdle, watchTexts } from "./front-end.mjs";

const isLong = process.env.WEFT_LONG === "1";
const options = { skip: isLong ? false : "make check-long PART=front-ends: Next.js is large" };
let folder, server, app;

const start = (port = "0") =>
  startExample(
    folder,
    [join(folder, "node_modules/next/dist/bin/next"), "start", "-H", "127.0.0.1", "-p", port],
    /(http:\/\/127\.0\.0\.1:\d+)[\s\S]*Ready/,
  );

before(async () => {
  if (!isLong) return;
  folder = await copyExample("nextjs");
  await buildExample(folder);
  server = await start();
  app = await openBrowser(server.origin);
});

after(async () => {
  await server?.stop();
  if (folder) await fs.rm(folder, { recursive: true, force: true, maxRetries: 5 });
  await app?.close();
});

const say = (page, text) =>
  untilIdle(page, async () => {
    await page.fill("input", text);
    await page.click("text=Send");
  });

test("it names the versions that are tested here", () =>
  checkVersions("nextjs", ["next", "@types/react"]));

test("it answers word by word, asks, and takes both answers", options, async () => {
  const page = await app.open();
  const seen = await watchTexts(page, ".assistant p");
  await say(page, "hello");
  checkGrew((await seen()).texts);
  await say(page, "Order 3 teapots and order 2 cups");
  await page.locator("text=Approve").first().click();
  await untilIdle(page, () => page.click("text=Reject"));
  assert.deepEqual(await textsOf(page, ".output-available"), [
    'place_order {"item":"teapots","quantity":3} 3 x teapots ',
  ]);
  assert.equal(await page.locator(".output-denied").count(), 1);
  await page.close();
});

test("a page that is loaded again joins the run that goes on, and stops it", options, async () => {
  const page = await app.open();
  await page.fill("input", "hello");
  await page.click("text=Send");
  await page.waitForSelector("text=Hello! I am");
  const seen = await page.reload().then(() => watchTexts(page, ".assistant p"));
  await page.waitForSelector("text=a quantity of an item.");
  const { texts, most } = await seen();
  checkGrew(texts);
  assert.equal(most, 1);
  await page.fill("input", "hello again");
  await page.click("text=Send");
  await page.waitForFunction(() => document.querySelectorAll(".assistant p").length === 2);
  await page.reload();
  await page.waitForFunction(() => document.querySelectorAll(".assistant p").length === 2);
  await untilIdle(page, () => page.click("text=Stop"));
  await say(page, "Order 3 teapots");
  assert.equal(await page.locator(".approval-requested").count(), 1);
  await page.close();
});

test(
  "a question waits while the server is killed, and is answered by the next one",
  options,
  async () => {
    const page = await app.open();
    await say(page, "Order 3 teapots");
    await server.stop();
    server = await start(new URL(server.origin).port);
    await page.reload();
    await page.click("text=Approve");
    await page.waitForSelector("text=The order is placed: 3 x teapots.");
    assert.equal(await page.locator("article").count(), 2);
    await page.close();
  },
);
