// SPDX-License-Identifier: MIT
// Builds examples/copilotkit as its README says, and drives it in Chromium: with its agent in the
// tab, and behind an address. Under WEFT_LONG (`make check-long PART=front-ends`): what CopilotKit
// asks for has 870 packages and 540 MB.
import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { buildExample, checkVersions, copyExample, startExample } from "./example.mjs";
import {
  checkGrew,
  openBrowser,
  takePicture,
  textsOf,
  untilIdle,
  watchTexts,
} from "./front-end.mjs";

const isLong = process.env.WEFT_LONG === "1";
const options = { skip: isLong ? false : "make check-long PART=front-ends: CopilotKit is large" };
const ANSWER = "[data-testid=copilot-assistant-message]";
/** Buttons that are the page's own have no form in CopilotKit's style. */
const STYLE = `section button { border: 1px solid #bbb; border-radius: 6px; padding: 2px 8px; margin: 4px }`;
let folder, server;

const start = (port = "0") =>
  startExample(folder, ["server.js"], /(http:\/\/127\.0\.0\.1:\d+)/, { PORT: port });

before(async () => {
  if (!isLong) return;
  folder = await copyExample("copilotkit");
  // So slow that there is time to stop it.
  const graph = join(folder, "graph.js");
  const text = await fs.readFile(graph, "utf8");
  await fs.writeFile(graph, text.replace(/(?<=tokenDelayMs: )\d+/, "150"));
  await buildExample(folder);
  server = await start();
});

after(async () => {
  await server?.stop();
  if (folder) await fs.rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

test("it names the versions that are tested here", () =>
  checkVersions("copilotkit", ["@copilotkit/react-core"]));

async function tell(page, text) {
  await page.fill("textarea", text);
  await page.keyboard.press("Enter");
}

for (const [where, query] of [
  ["in the tab", ""],
  ["behind an address", "?at=server"],
]) {
  /** A test with a chat of its own, whose thread has been read when its input is there. */
  const chatTest = (what, run) =>
    test(`${where}: ${what}`, options, async () => {
      const app = await openBrowser(server.origin);
      try {
        const page = await app.open(query);
        await page.waitForSelector("textarea");
        await run(page);
      } finally {
        await app.close();
      }
    });

  chatTest("an answer is shown word by word, once", async (page) => {
    const seen = await watchTexts(page, ANSWER);
    await tell(page, "hello");
    await page.waitForSelector("text=a quantity of an item.");
    const { texts, most } = await seen();
    checkGrew(texts.map((text) => text.replaceAll("\n", "")));
    assert.equal(most, 1);
  });

  chatTest("of two questions each is answered by itself", async (page) => {
    await tell(page, "Order 3 teapots and order 2 cups");
    await page.waitForSelector("section");
    assert.deepEqual(await textsOf(page, "section p"), [
      '{"item":"teapots","quantity":3}',
      '{"item":"cups","quantity":2}',
    ]);
    await page.locator("text=Approve").last().click();
    await page.locator("text=Reject").first().click();
    await page.waitForSelector("text=The order is placed: 2 x cups.");
    assert.equal(await page.locator("section").count(), 0);
    assert.match((await textsOf(page, ANSWER)).at(-1), /was not placed/);
  });

  chatTest("a run is stopped, and the next one starts at once", async (page) => {
    await tell(page, "hello");
    await page.waitForSelector("text=Hello! I am");
    await untilIdle(page, () => page.click("[data-testid=copilot-send-button]"));
    await tell(page, "Order 3 teapots");
    await page.waitForSelector("section");
  });

  chatTest("a page that is loaded again shows the thread and its open question", async (page) => {
    await tell(page, "Order 3 teapots");
    await page.waitForSelector("section");
    await takePicture(page, "copilotkit", 360, STYLE);
    if (where !== "in the tab") {
      await server.stop();
      server = await start(new URL(server.origin).port);
    }
    await page.reload();
    await page.waitForSelector("section");
    assert.equal(await page.locator("text=Order 3 teapots").count(), 1);
    await page.click("text=Approve");
    await page.waitForSelector("text=The order is placed: 3 x teapots.");
  });
}
