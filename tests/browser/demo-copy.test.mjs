// SPDX-License-Identifier: MIT
// The studio's copy buttons, in Chromium: the clipboard has exactly the text, also what is shown
// spelled out, and a browser that refuses is told of.
import { test } from "node:test";
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { DemoBrowser } from "./demo-browser.mjs";
import { importThreads, waitingThreads } from "./inbox-page.mjs";

const CODE = 'if (a < b && c > "d") {\n\treturn `<b>` + e;  \n}\n\n// \u202eend\u200b &amp; é 🫖';
const SAID = `# Take *this*:\n\n\`\`\`js\n${CODE}\n\`\`\`\n\nand <i>that</i>  \n| a |\n`;
const ASKED = "  two  spaces,\n\n\ttabs, \u202ehidden\u2069 <img src=x> **stars** é 🫖 ";
const DIGEST = "0123456789abcdef".repeat(4);

const browser = DemoBrowser.forTests();

/** A page with a thread that has all of it, and waits. */
async function openThread() {
  const page = await browser.context.newPage();
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${browser.server.url}#/recordings`);
  const questions = [
    {
      value: {
        action_request: { action: "place_order", args: { item: "tea", quantity: 2 } },
        config: { allow_accept: true, allow_edit: true, allow_respond: true, allow_ignore: true },
        digest: DIGEST,
      },
    },
  ];
  const messages = [
    { role: "user", content: ASKED },
    { role: "assistant", content: SAID },
  ];
  const file = await waitingThreads([{ id: "copied", title: "copied", messages, questions }]);
  await importThreads(page, file, 1);
  await page.evaluate(() => (location.hash = "#/work/orders/copied"));
  await page.locator("weft-studio .question .digest").waitFor();
  return page;
}

const BUTTONS = [
  ["the person's message", 'li.human [data-do="copy"]', ASKED],
  ["the answer", 'li.ai .who [data-do="copy"]', SAID],
  ["the code in the answer", 'li.ai [data-do="copy-code"]', CODE],
  ["the digest", ".question .digest .copy", DIGEST],
];

test("each copy button puts exactly the text on the clipboard", async () => {
  await browser.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await openThread();
  for (const [name, selector, text] of BUTTONS) {
    await page.evaluate(() => navigator.clipboard.writeText("nothing yet"));
    await page.locator(`weft-studio ${selector}`).click();
    await page
      .locator(`weft-studio ${selector}:is([data-said="Copied"], [data-copied="✓"])`)
      .waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), text, name);
  }
  await page.close();
});

test("the module of the screen Code is copied as its file", async () => {
  const page = await browser.context.newPage();
  for (const name of ["orders", "team"]) {
    await page.goto(`${browser.server.url}#/code/${name}`);
    await page.locator(`[data-module="${name}"]`).waitFor();
    await page.locator('.actions [data-do="copy"]').click();
    await page.getByText("Copied.", { exact: true }).waitFor();
    const file = new URL(`../../web-demo/src/samples/${name}.js`, import.meta.url);
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.equal(copied, await readFile(file, "utf8"));
  }
  await page.close();
});

test("a browser that forbids the clipboard is told of at the button", async () => {
  const page = await browser.context.newPage();
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${browser.server.url}#/work/orders/copied`);
  await page.evaluate(() => {
    navigator.clipboard.writeText = async () => {
      throw new DOMException("Write permission denied.", "NotAllowedError");
    };
  });
  for (const [, selector] of BUTTONS) {
    await page.locator(`weft-studio ${selector}`).click();
    const told = ':is([data-said="Not allowed"], [data-copied="not allowed"])';
    await page.locator(`weft-studio ${selector}${told}`).waitFor();
  }
  await page.close();
  assert.deepEqual(browser.faults, []);
});
