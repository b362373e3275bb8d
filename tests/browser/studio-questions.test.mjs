// SPDX-License-Identifier: MIT
// Questions in <weft-studio>, in Chromium: several calls with one question, repaired and
// misleading arguments, arguments that are too long to be seen at once, edits, forms, choices, and
// a foreign frame.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { StudioBrowser, picture, read } from "./studio-browser.mjs";
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

/** The request to deliver something, with its edit open. */
async function edit(t) {
  const { page, question } = await ask(t, "fields");
  await question.getByRole("button", { name: "Edit" }).click();
  const field = (path) =>
    question.locator(`[data-path="${path}"] :is(input, select, textarea)`).first();
  /** What will run, once it has this text in it. */
  const shown = async (text) =>
    JSON.parse(await question.locator(".arguments", { hasText: text }).textContent());
  return { page, question, field, shown };
}

test("an edit has a field for each argument, says there what is wrong, and runs what was written", async (t) => {
  const { page, question, field, shown } = await edit(t);
  const item = question.getByLabel("Item", { exact: true });
  await item.and(page.locator(":focus")).waitFor();
  assert.equal(await item.inputValue(), "cakes");
  const quantity = question.getByLabel("Quantity", { exact: true });
  for (const [text, problem] of [
    ["", /required/],
    ["1.5", /whole number/],
    ["101", /100 or less/],
    ["9007199254740993", /more digits/],
  ]) {
    await quantity.fill(text);
    await question.locator('[data-path="/quantity"] .wrong', { hasText: problem }).waitFor();
    const about = await quantity.evaluate((input) =>
      input
        .getAttribute("aria-describedby")
        .split(" ")
        .map((id) => input.getRootNode().getElementById(id).textContent)
        .join(" "),
    );
    assert.match(about, /How many/);
    assert.match(about, problem);
    assert.equal(await quantity.getAttribute("aria-invalid"), "true");
    assert.ok(await question.locator('[data-do="save"]').isDisabled());
    assert.equal(await question.locator(".arguments").count(), 0);
  }
  await quantity.fill("3");
  await question.getByLabel("Day (optional)", { exact: true }).fill("2026-12-24");
  await field("/delivery/speed").selectOption("express");
  await field("/delivery/signed").selectOption("false");
  const add = question.getByRole("button", { name: "Add to Wishes" });
  for (const [at, text] of ["red", "blue", "green"].entries()) {
    await add.click();
    await field(`/wishes/${at}`).and(page.locator(":focus")).waitFor();
    await page.keyboard.type(text);
  }
  await question.getByRole("button", { name: "Remove Wishes 2" }).click();
  await add.and(page.locator(":focus")).waitFor();
  const args = {
    item: "cakes",
    quantity: 3,
    delivery: { day: "2026-12-24", speed: "express", signed: false },
    wishes: ["red", "green"],
  };
  assert.deepEqual(await shown(/"red",\s+"green"/), args);
  await (await read(question, "save")).click();
  assert.deepEqual(await told(page, "ran"), [args]);
});

test("fields and JSON are two tabs of one edit; what cannot be read stays where it is written", async (t) => {
  const { page, question, field, shown } = await edit(t);
  const tab = (name) => question.getByRole("tab", { name });
  const isStuck = (name) =>
    tab(name).and(question.locator('[aria-disabled="true"]')).click({ force: true });
  await field("/quantity").fill("5");
  await tab("Fields").focus();
  await page.keyboard.press("ArrowRight");
  await tab("JSON").and(page.locator(":focus")).waitFor();
  const json = question.getByLabel("Arguments as JSON");
  assert.deepEqual(JSON.parse(await json.inputValue()), { item: "cakes", quantity: 5 });
  await json.fill('{"item":');
  await isStuck("Fields");
  assert.equal(await json.inputValue(), '{"item":');
  await json.fill('{"item":"c\u202Eups","quantity":6,"gift":true}');
  await question.locator(".wrong", { hasText: '"gift" is not an argument' }).waitFor();
  assert.ok(await question.locator('[data-do="save"]').isDisabled());
  await json.fill('{"item":"c\u202Eups","item":"m\u202Eugs","quantity":6,"wishes":["red"]}');
  await question.locator(".arguments", { hasText: '"m\\u{202E}ugs"' }).waitFor();
  await question.locator(".warnings", { hasText: "cannot be seen" }).waitFor();
  await tab("Fields").click();
  assert.equal(await field("/wishes/0").inputValue(), "red");
  await question
    .locator('[data-path="/item"]', { hasText: "cannot be seen: m\\u{202E}ugs" })
    .waitFor();
  await field("/quantity").fill("x");
  await isStuck("JSON");
  assert.equal(await field("/quantity").inputValue(), "x");
  await field("/quantity").fill("6");
  await field("/item").fill("mugs");
  assert.deepEqual(await shown("mugs"), { item: "mugs", quantity: 6, wishes: ["red"] });
});

test("what is written after an edit was read has to be read, and no field is cut off at 320 px", async (t) => {
  const { page, question, field } = await edit(t);
  await read(question, "save");
  await field("/item").fill(`pens ${"and ".repeat(440)}WIRE 9000 EUR`);
  const save = question.locator('[data-do="save"]');
  await save.evaluate((button) => button.scrollIntoView({ block: "nearest" }));
  await page.waitForTimeout(LONG_MS);
  assert.ok(await save.isDisabled());
  await save.evaluate((button) => button.click());
  await read(question, "save");
  await field("/item").fill(`pens ${"or ".repeat(600)}WIRE 9000 EUR`);
  await question.locator('[data-do="save"]:disabled').waitFor();
  assert.deepEqual(await page.evaluate("globalThis.ran"), []);
  for (const width of [320, 760, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    await question.locator(".editor").waitFor();
    const cut = await question.evaluate((card) =>
      [...card.querySelectorAll(":not(.digest *)")]
        .filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
        .map((one) => one.outerHTML.slice(0, 80)),
    );
    assert.deepEqual(cut, [], String(width));
    await picture(page, `question-edit-${width}`);
  }
  const touch = await page.context().newCDPSession(page);
  await touch.send("Emulation.setTouchEmulationEnabled", { enabled: true });
  await page.waitForFunction(() => matchMedia("(pointer: coarse)").matches);
  const small = await question.evaluate((card) =>
    [...card.querySelectorAll("button:not(.link)")]
      .filter((one) => one.getBoundingClientRect().height < 40)
      .map((one) => one.outerHTML),
  );
  assert.deepEqual(small, []);
  const unnamed = await question.evaluate((card) =>
    [...card.querySelectorAll("input, select, textarea")]
      .filter((one) => !one.labels?.[0]?.textContent.trim())
      .map((one) => one.outerHTML),
  );
  assert.deepEqual(unnamed, []);
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

test("a page's own field that began a run keeps the keyboard while a person writes on in it", async (t) => {
  const page = await studio.page(t, "?graph=choice");
  await page.evaluate(() => {
    const field = document.createElement("input");
    document.body.prepend(field);
    field.focus();
    globalThis.studio.run("choice", { topic: "x" });
    field.value = "And then";
  });
  await page.locator("weft-studio .question").waitFor();
  await page.evaluate(async () => {
    for (let frames = 3; frames > 0; frames--) await new Promise(requestAnimationFrame);
  });
  assert.equal(await page.evaluate(() => document.activeElement.value), "And then");
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
