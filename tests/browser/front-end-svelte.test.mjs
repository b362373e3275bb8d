// SPDX-License-Identifier: MIT
// `useStream` of @langchain/svelte (protocol v2) in Chromium, on a server in the same tab.
import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { after, before, test } from "node:test";
import { compile, compileModule } from "svelte/compiler";
import { checkGrew, openFrontEnd, say, textsOf, untilIdle, watchTexts } from "./front-end.mjs";

/** What Svelte's own plugin for Vite does with components and modules. */
const svelte = {
  name: "svelte",
  setup(build) {
    build.onLoad({ filter: /\.svelte$/ }, async ({ path }) => {
      const source = await fs.readFile(path, "utf8");
      return { contents: compile(source, { filename: path, css: "injected" }).js.code };
    });
    build.onLoad({ filter: /\.svelte\.js$/ }, async ({ path }) => {
      const source = await fs.readFile(path, "utf8");
      return { contents: compileModule(source, { filename: path }).js.code };
    });
  },
};

let app;
before(async () => (app = await openFrontEnd("langchain-svelte.ts", { plugins: [svelte] })));
after(() => app?.close());

test("an answer is shown word by word, once; a question is shown and answered", async () => {
  const page = await app.open();
  const seen = await watchTexts(page, ".ai");
  await say(page, "hello");
  const { texts, most } = await seen();
  checkGrew(texts);
  assert.equal(most, 1);
  await say(page, "Order 3 teapots");
  assert.deepEqual(await textsOf(page, "section p"), ['{"item":"teapots","quantity":3}']);
  await untilIdle(page, () => page.click("text=Approve"));
  assert.equal(await page.locator("section").count(), 0);
  assert.deepEqual(await textsOf(page, "li"), [
    'place_order {"item":"teapots","quantity":3} finished',
  ]);
  assert.equal((await textsOf(page, ".ai")).at(-1), "The order is placed: 3 x teapots.");
  await say(page, "Order 2 cups");
  await untilIdle(page, () => page.click("text=Reject"));
  assert.equal(await page.locator("section").count(), 0);
  assert.match((await textsOf(page, ".ai")).at(-1), /was not placed/);
  await page.close();
});

test("a run is stopped in the middle of an answer, and the next one starts at once", async () => {
  const page = await app.open("?delay=60");
  await page.fill("input", "hello");
  await page.click("text=Send");
  await page.waitForSelector("text=Hello! I am");
  await page.click("text=Stop");
  await say(page, "Order 3 teapots");
  assert.equal(await page.locator("section").count(), 1);
  assert.equal(await page.locator("[role=alert]").count(), 0);
  await page.close();
});
