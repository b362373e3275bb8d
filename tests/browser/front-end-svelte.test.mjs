// SPDX-License-Identifier: MIT
// `useStream` of @langchain/svelte (protocol v2) in Chromium, on a server in the same tab.
import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { compile, compileModule } from "svelte/compiler";
import * as shared from "./front-end.mjs";

const { TEAPOTS, questionsOf, say, textsOf, untilIdle } = shared;

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

const test = shared.frontEnd("langchain-svelte.ts", { plugins: [svelte] });

test("an answer is shown word by word, once", (page) => shared.checkWordByWord(page, ".ai"));

test("a question is shown and answered, both ways", async (page) => {
  await shared.askForTeapots(page, "langchain-svelte");
  assert.deepEqual(await questionsOf(page), [TEAPOTS]);
  await untilIdle(page, () => page.click("text=Approve"));
  assert.equal(await page.locator("section").count(), 0);
  assert.deepEqual(await textsOf(page, "li"), [`place_order ${TEAPOTS} finished`]);
  assert.equal((await textsOf(page, ".ai")).at(-1), "The order is placed: 3 x teapots.");
  await say(page, "Order 2 cups");
  await untilIdle(page, () => page.click("text=Reject"));
  assert.equal(await page.locator("section").count(), 0);
  assert.match((await textsOf(page, ".ai")).at(-1), /was not placed/);
});

test("of two questions each is answered by itself", (page) =>
  shared.checkTwoQuestions(page, ".tool"));

test(
  "a run is stopped in the middle of an answer, and the next one starts at once",
  "?delay=60",
  (page) => shared.checkStop(page),
);
