// SPDX-License-Identifier: MIT
// Questions in <weft-studio>, in Chromium: several calls with one question, repaired and misleading
// arguments, arguments that are too long to be seen at once, forms, choices, and a foreign frame.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { StudioBrowser, picture } from "./studio-browser.mjs";
import { WAIT_MS } from "./chromium.mjs";

const APPROVE = '[data-do="approve"]';
const LONG_MS = 1000;
let studio;

before(async () => {
  studio = await StudioBrowser.open("studio-questions-page.mjs");
});
after(() => studio?.close());

/** Runs the graph, which stops at its question. */
async function ask(t, graph, options) {
  const page = await studio.page(t, `?graph=${graph}`, options);
  await page.evaluate(
    (name) =>
      globalThis.studio.run(
        name,
        name === "form" || name === "choice"
          ? { topic: "x" }
          : { messages: [{ role: "user", content: "go" }] },
      ),
    graph,
  );
  const question = page.locator("weft-studio .question");
  await question.waitFor();
  return { page, question };
}

const told = (page, name) =>
  page
    .waitForFunction((key) => globalThis[key].length > 0 && globalThis[key], name)
    .then((handle) => handle.jsonValue());

test("several calls are decided one by one and answered at once; what was repaired or hidden is said", async (t) => {
  const { page, question } = await ask(t, "batch");
  const [cards, cups] = [question.locator(".call").nth(0), question.locator(".call").nth(1)];
  assert.match(
    await cards.locator(".repairs").innerText(),
    /quantity.*text to number.*the model wrote 2/s,
  );
  assert.match(
    await cards.locator(".warnings").innerText(),
    /cannot be seen.*mixes letters of Latin and Cyrillic/s,
  );
  assert.match(await cards.locator(".arguments").innerText(), /\\u\{202E\}cards/);
  assert.match(await question.locator(".expiry").innerText(), /^expires in (59 min|1 h)$/);
  await cards.locator(`${APPROVE}:enabled`).waitFor();
  await picture(page, "question-batch");
  await cards.locator(APPROVE).click();
  await cards.getByRole("button", { name: "Undo" }).click();
  await cards.getByRole("button", { name: "Edit" }).click();
  await cards.getByLabel("Item").fill("cards");
  await cards.locator('[data-do="save"]:enabled').click();
  assert.deepEqual(await page.evaluate("globalThis.ran"), []);
  await cups.getByRole("button", { name: "Reject" }).click();
  await cups.getByLabel("Why not?").fill("we have some");
  await cups.getByLabel("Why not?").press("Enter");
  assert.deepEqual(await told(page, "ran"), ["2 cards"]);
  await page.locator(".decided", { hasText: /Rejected.*we have some.*Changed.*cards/s }).waitFor();
  await picture(page, "question-decided");
});

test("long arguments are there to their end, which has to be read, also after an edit", async (t) => {
  const { page, question } = await ask(t, "long");
  assert.match(
    await question.locator(".arguments").evaluate((box) => box.textContent),
    /WIRE 9000 EUR/,
  );
  await page.waitForTimeout(LONG_MS);
  assert.ok(await question.locator(APPROVE).isDisabled());
  await question.locator(".hint", { hasText: "Scroll to the end of the arguments" }).waitFor();
  await question.getByRole("button", { name: "Edit" }).click();
  await question.locator('[data-do="save"]').waitFor();
  await page.waitForTimeout(LONG_MS);
  assert.ok(await question.locator('[data-do="save"]').isDisabled());
  await question.locator(".arguments").evaluate((box) => box.scrollTo({ top: box.scrollHeight }));
  await question.locator('[data-do="save"]:enabled').waitFor();
});

test("a request that has expired is not approved, and the run goes on without an answer", async (t) => {
  const { page, question } = await ask(t, "brief");
  await question.locator(".expiry", { hasText: "expired" }).waitFor();
  assert.ok(await question.locator(APPROVE).isDisabled());
  await question.getByRole("button", { name: "Go on without an answer" }).click();
  await page.locator(".decided", { hasText: /Expired/ }).waitFor();
  assert.deepEqual(await page.evaluate("globalThis.ran"), []);
});

test("a node's question is answered in a form of its schema, and problems are told when it is filled in", async (t) => {
  const { page, question } = await ask(t, "form", { colorScheme: "dark" });
  assert.equal(await question.locator(".wrong").count(), 0);
  await question.getByLabel("City").fill("Rome");
  await question.locator(".wrong").first().waitFor();
  assert.ok(await question.locator('[data-do="answer"]').isDisabled());
  await question.getByLabel("Days").fill("3");
  await picture(page, "question-form-dark");
  await question.locator('[data-do="answer"]:enabled').click();
  assert.deepEqual(await told(page, "said"), [{ city: "Rome", days: 3 }]);
});

test("choices that a question offers are buttons, and the keyboard does not fall to the page", async (t) => {
  const { page, question } = await ask(t, "choice");
  await question.locator("h3:focus").waitFor();
  await question.locator('[data-do="choose"]:enabled').first().waitFor();
  await picture(page, "question-choice");
  await question.getByRole("button", { name: "no", exact: true }).press("Enter");
  assert.deepEqual(await told(page, "said"), ["no"]);
  await question.waitFor({ state: "detached" });
  assert.ok(await page.evaluate(() => globalThis.studio.shadowRoot.activeElement !== null));
});

test("inside another page's frame nothing can be decided, and the card says so", async (t) => {
  const page = await studio.browser.newPage({ viewport: { width: 1440, height: 900 } });
  page.setDefaultTimeout(WAIT_MS);
  t.after(() => page.close());
  await page.setContent(
    `<title>Prizes</title><iframe src="${studio.origin}/?graph=batch" width="1400" height="860"></iframe>`,
  );
  const frame = page.frameLocator("iframe");
  await frame.locator("weft-studio .status", { hasText: "ready" }).waitFor();
  await page
    .frames()[1]
    .evaluate(() =>
      globalThis.studio.run("batch", { messages: [{ role: "user", content: "go" }] }),
    );
  await frame
    .locator(".question .framed", { hasText: "Nothing can be decided here" })
    .first()
    .waitFor();
  await page.waitForTimeout(LONG_MS);
  for (const act of ["approve", "edit", "reject"])
    for (const at of [0, 1])
      assert.ok(await frame.locator(`[data-do="${act}"]`).nth(at).isDisabled(), act);
});
