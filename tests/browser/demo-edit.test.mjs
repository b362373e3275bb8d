// SPDX-License-Identifier: MIT
// The edit of a request in the demo, in a real Chromium: fields made of the tool's schema beside
// its JSON, with the keyboard and for a screen reader, on a phone and in the dark; what is written
// is kept, and runs only when it was read.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { WAIT_MS } from "./chromium.mjs";
import { DemoBrowser, ask, card, orders, press, settled, untilWorks } from "./demo-browser.mjs";

const SAVE = '[data-do="save"]';
/** Longer than the page waits before a button works. */
const LONG_MS = 1500;

/** @type {DemoBrowser} */
let demo;
before(async () => {
  demo = await DemoBrowser.open();
});
after(() => demo?.close());

const check = (name, run) => test(name, { timeout: 600_000 }, run);
const field = (place, path) =>
  place.locator(`.approval [data-path="${path}"] :is(input, select, textarea)`);
/** Waits until this is what will run, as it is shown. */
async function shows(cards, args) {
  const box = cards.locator(".arguments");
  for (const end = Date.now() + WAIT_MS; Date.now() < end; ) {
    const text = (await box.count()) === 1 ? await box.innerText() : "null";
    if (isDeepStrictEqual(JSON.parse(text), args)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.deepEqual(JSON.parse(await box.innerText()), args);
}
/** Waits until a tab of the edit has, or has not, what the other one can show. */
const tabIs = (page, tab, isOff) =>
  page.locator(`.approval [data-tab="${tab}"][aria-disabled="${isOff}"]`).waitFor();
const ordersAre = (page, count) =>
  page.waitForFunction(
    (wanted) => document.querySelectorAll("#orders li").length === wanted,
    count,
  );

/** Reads what will run to its end. */
const readOn = (page) =>
  card(page)
    .locator(".arguments")
    .evaluate((box) => box.scrollTo({ top: box.scrollHeight }));

/** A page whose agent wants to order something, with the edit open. */
async function editing(text) {
  const page = await demo.page();
  const before = (await orders(page)).length;
  await ask(page, text);
  await press(page, "edit");
  return { page, before };
}

check("Edit shows a field for each argument, and runs what was written in them", async () => {
  const { page, before } = await editing("Order 2 cakes");
  await page.waitForFunction(() => document.activeElement.matches(".approval [data-path] *"));
  assert.equal(await page.evaluate(() => document.activeElement.value), "cakes");
  const one = card(page);
  for (const [name, type] of [
    ["Item", "multiline"],
    ["Quantity", "text"],
    ["Day (optional)", "date"],
  ])
    assert.equal(await one.getByLabel(name, { exact: true }).count(), 1, `${name} ${type}`);
  assert.match(
    await field(page, "/quantity").evaluate(
      (input) => document.getElementById(input.getAttribute("aria-describedby")).textContent,
    ),
    /How many/,
  );
  await field(page, "/item").fill("small cakes");
  await field(page, "/quantity").fill("3");
  await field(page, "/delivery/day").fill("2026-12-24");
  await field(page, "/delivery/speed").selectOption("express");
  await field(page, "/delivery/signed").selectOption("false");
  const args = {
    item: "small cakes",
    quantity: 3,
    delivery: { day: "2026-12-24", speed: "express", signed: false },
  };
  await shows(one, args);
  await readOn(page);
  await press(page, "save");
  await ordersAre(page, before + 1);
  await settled(page);
  assert.match((await orders(page)).at(-1), /^3 × small cakes /);
  assert.match(await page.locator(".call pre").last().textContent(), /delivered on 2026-12-24/);
  await page.close();
});

check("what is wrong is told at its field, and nothing runs until it is right", async () => {
  const { page, before } = await editing("Order 2 cakes");
  const quantity = field(page, "/quantity");
  for (const [text, problem] of [
    ["", /required/],
    ["two", /whole number/],
    ["1.5", /whole number/],
    ["101", /100 or less/],
    ["9007199254740993", /more digits/],
  ]) {
    await quantity.fill(text);
    await card(page).locator('[data-path="/quantity"] .wrong', { hasText: problem }).waitFor();
    assert.equal(await quantity.getAttribute("aria-invalid"), "true");
    const told = await quantity.evaluate((input) =>
      input
        .getAttribute("aria-describedby")
        .split(" ")
        .map((id) => document.getElementById(id).textContent)
        .join(" "),
    );
    assert.match(told, /How many/);
    assert.match(told, problem);
    assert.ok(await card(page).locator(SAVE).isDisabled());
    assert.equal(await card(page).locator(".arguments").count(), 0);
  }
  await quantity.fill("7");
  await card(page).locator('[data-path="/quantity"] [aria-invalid="false"]').waitFor();
  await press(page, "save");
  await ordersAre(page, before + 1);
  assert.match((await orders(page)).at(-1), /^7 × cakes /);
  await page.close();
});

check("fields and JSON are two tabs of one edit, also by the keyboard", async () => {
  const { page, before } = await editing("Order 2 cups");
  await field(page, "/quantity").fill("5");
  await shows(card(page), { item: "cups", quantity: 5 });
  const tab = (name) => card(page).getByRole("tab", { name });
  await tab("Fields").focus();
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(() => document.activeElement.textContent === "JSON");
  assert.equal(await tab("JSON").getAttribute("aria-selected"), "true");
  const json = card(page).getByLabel("Arguments as JSON");
  assert.deepEqual(JSON.parse(await json.inputValue()), { item: "cups", quantity: 5 });
  // What cannot be read stays where it is written.
  await json.fill('{"item":');
  await tabIs(page, "fields", true);
  await tab("Fields").click({ force: true });
  assert.equal(await json.inputValue(), '{"item":');
  await json.fill('{"item":"mugs","quantity":6,"wishes":["red"]}');
  await tabIs(page, "fields", false);
  await tab("Fields").click();
  await field(page, "/wishes/0").waitFor();
  assert.equal(await field(page, "/item").inputValue(), "mugs");
  assert.equal(await field(page, "/wishes/0").inputValue(), "red");
  await field(page, "/quantity").fill("x");
  await tabIs(page, "json", true);
  await tab("JSON").click({ force: true });
  assert.equal(await field(page, "/quantity").inputValue(), "x");
  await field(page, "/quantity").fill("6");
  await shows(card(page), { item: "mugs", quantity: 6, wishes: ["red"] });
  await readOn(page);
  await press(page, "save");
  await ordersAre(page, before + 1);
  await page.close();
});

check("items are added and removed, and the keyboard stays in the list", async () => {
  const { page } = await editing("Order 2 hats");
  const add = card(page).getByRole("button", { name: "Add to Wishes" });
  for (const text of ["red", "blue", "green"]) {
    await add.click();
    await page.waitForFunction(
      () => document.activeElement.matches("input") && document.activeElement.value === "",
    );
    await page.keyboard.type(text);
  }
  await card(page).getByRole("button", { name: "Remove Wishes 2" }).click();
  await page.waitForFunction(() => document.activeElement.matches(".add"));
  await shows(card(page), { item: "hats", quantity: 2, wishes: ["red", "green"] });
  assert.equal(await field(page, "/wishes/2").inputValue(), "green");
  await readOn(page);
  await press(page, "save");
  await page.waitForFunction(() => !document.querySelector(".approval"));
  await page.close();
});

check("a decision on one card keeps the fields, the list and the tab of the others", async () => {
  const page = await demo.page();
  const before = (await orders(page)).length;
  await ask(page, "Order 2 apples, then order 3 lemons");
  const ids = await card(page).evaluateAll((all) => all.map((one) => one.dataset.interrupt));
  const [apples, lemons] = ids.map((id) => page.locator(`.approval[data-interrupt="${id}"]`));
  await (await untilWorks(lemons, "edit")).click();
  await lemons.getByRole("button", { name: "Add to Wishes" }).click();
  await lemons.locator('[data-path="/wishes/0"] input').fill("ripe");
  await lemons.locator('[data-path="/quantity"] input').fill("30");
  await shows(lemons, { item: "lemons", quantity: 30, wishes: ["ripe"] });
  await apples.evaluate((section) => section.scrollIntoView({ block: "start" }));
  await apples.locator('[data-do="approve"]:enabled').click();
  await page.locator(".settled").waitFor();
  await ordersAre(page, before + 1);
  await settled(page);
  assert.equal(await lemons.getAttribute("data-mode"), "edit");
  await shows(lemons, { item: "lemons", quantity: 30, wishes: ["ripe"] });
  await readOn(page);
  await (await untilWorks(lemons, "save")).click();
  await ordersAre(page, before + 2);
  await page.close();
});

check("1,800 characters written in a field run only when they were read to their end", async () => {
  const { page, before } = await editing("Order 2 pens");
  await untilWorks(card(page), "save");
  await field(page, "/item").fill(`pens ${"and ".repeat(440)}WIRE 9000 EUR`);
  const save = card(page).locator(SAVE);
  const box = card(page).locator(".arguments");
  await save.evaluate((button) => button.scrollIntoView({ block: "nearest" }));
  await page.waitForTimeout(LONG_MS);
  assert.ok(await save.isDisabled());
  await save.evaluate((button) => button.click());
  assert.match(await card(page).locator(".hint").innerText(), /Scroll to the end/);
  await box.evaluate((element) => element.scrollTo({ top: element.scrollHeight }));
  await box.evaluate((element) => element.scrollIntoView({ block: "center" }));
  await page.waitForTimeout(LONG_MS);
  await untilWorks(card(page), "save");
  // What is written after that has not been read.
  await field(page, "/item").fill(`pens ${"or ".repeat(600)}WIRE 9000 EUR`);
  await card(page).locator(`${SAVE}:disabled`).waitFor();
  assert.equal((await orders(page)).length, before);
  await page.close();
});

check("what cannot be seen in a field is spelled out below it and in what will run", async () => {
  const { page } = await editing("Order 2 bags");
  await field(page, "/item").fill("b\u202Eags\u200B");
  const place = card(page).locator('[data-path="/item"]');
  await place.locator("mark").first().waitFor();
  assert.match(await place.innerText(), /cannot be seen: b\\u\{202E\}ags\\u\{200B\}/);
  assert.match(await card(page).locator(".arguments").innerText(), /b\\u\{202E\}ags\\u\{200B\}/);
  assert.match(await card(page).locator(".warnings").innerText(), /cannot be seen/);
  await page.close();
});

check("from 320 to 1440 points wide nothing is cut, and each field has a name", async () => {
  const { page } = await editing("Order 2 tents");
  for (const path of ["/wishes", "/wishes"])
    await card(page)
      .locator(`[data-path="${path}"] > .add`)
      .evaluate((button) => button.click());
  for (const [width, scheme] of [
    [320, "light"],
    [760, "dark"],
    [1440, "dark"],
  ]) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 800 });
    const wide = await page.evaluate(() => {
      const log = document.querySelector(".log");
      const cards = [...document.querySelectorAll(".approval, .approval :not(.digest *)")];
      return {
        over: log.scrollWidth - log.clientWidth,
        out: cards
          .filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
          .map((one) => one.outerHTML.slice(0, 80)),
      };
    });
    assert.deepEqual(wide, { over: 0, out: [] }, String(width));
    if (process.env.WEFT_PICTURES)
      await page.screenshot({ path: `${process.env.WEFT_PICTURES}/edit-${width}-${scheme}.png` });
  }
  const unnamed = await page.evaluate(() =>
    [...document.querySelectorAll(".approval :is(input, select, textarea)")]
      .filter((one) => !one.labels?.[0]?.textContent.trim())
      .map((one) => one.outerHTML),
  );
  assert.deepEqual(unnamed, []);
  await page.close();
});

test("no page broke the policy, reported an error or went elsewhere", () =>
  assert.deepEqual(demo.faults, []));
