// SPDX-License-Identifier: MIT
// What a card of the demo lets through, in Chromium: the call that it shows, once, and only when a
// person had all of it in sight; also over a reload and a restart of the browser.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { ask, openBench, pause } from "./bench.mjs";
import { DemoBrowser } from "./demo-browser.mjs";
import { APPROVE, askScript, cardOf, cards, clear, order, results, rows } from "./inbox-page.mjs";
import { read } from "./studio-browser.mjs";

/** Longer than a card waits before a button works. */
const LONG_MS = 1100;
let demo;
let script;

before(async () => {
  demo = await DemoBrowser.open();
  script = await askScript();
  await demo.context.addInitScript({ content: script });
});
after(() => demo?.close());

async function say(page, words) {
  await page.getByLabel("Message", { exact: true }).fill(words);
  await page.locator('[data-do="start"]').click();
}

/** A page of the inbox with one request for an order. */
async function waiting(thread, words, viewport = { width: 1100, height: 800 }) {
  const page = await demo.context.newPage();
  await page.setViewportSize(viewport);
  await page.goto(`${demo.server.url}#/inbox`);
  await page.waitForFunction(() => globalThis.ask !== undefined);
  await clear(page);
  await order(page, thread, words);
  await rows(page).first().locator("a").click();
  return { page, card: cards(page).first() };
}

/** For whoever waits on a timer only: the button does not work, nor does a click by force. */
async function staysOff(page, button) {
  await page.waitForTimeout(LONG_MS);
  assert.ok(await button.isDisabled());
  await button.evaluate((element) => element.click());
}

const threadOf = (page) => new URL(page.url()).hash.split("/")[3];
const ran = (page) => results(page, threadOf(page));

/** Waits until the open thread stops with this many questions. */
async function stopsAt(page, count) {
  for (;;) {
    const { status, interrupts } = await ask(page, "");
    const isAtRest = status === "idle" || status === "interrupted";
    if (isAtRest && Object.values(interrupts).flat().length === count) return;
    await pause(50);
  }
}

test("two calls of a message are decided by their own cards, each once, over a reload and a restart", async () => {
  let page = await openBench(demo, "orders");
  await say(page, "Order 2 apples, then order 3 lemons");
  const lemons = cardOf(page, "Order 3 × lemons");
  await read(lemons, "approve");
  assert.equal(await cards(page).count(), 2);
  assert.deepEqual(JSON.parse(await lemons.locator(".arguments").textContent()), {
    item: "lemons",
    quantity: 3,
  });
  assert.match(await lemons.locator(".digest code").innerText(), /^[0-9a-f]{8}…[0-9a-f]{4}$/);
  await lemons.locator(APPROVE).dblclick();
  await lemons.and(page.locator(".open")).waitFor({ state: "detached" });
  await stopsAt(page, 1);
  await page.reload();
  await cards(page).waitFor();
  const address = page.url();
  await demo.reopen();
  await demo.context.addInitScript({ content: script });
  page = await demo.context.newPage();
  await page.goto(address);
  const apples = cards(page);
  await read(apples, "approve");
  await apples.locator(APPROVE).focus();
  await page.keyboard.down("Enter");
  for (let times = 0; times < 5; times++) await page.keyboard.down("Enter");
  await page.keyboard.up("Enter");
  await stopsAt(page, 0);
  assert.deepEqual(await ran(page), ["2 x apples", "3 x lemons"]);
  await page.reload();
  await page.locator("weft-studio .tool-call").first().waitFor();
  assert.equal(await cards(page).count(), 0);
  assert.deepEqual(await ran(page), ["2 x apples", "3 x lemons"]);
  await page.close();
});

test("who asks from above is brought to the card", async () => {
  const page = await openBench(demo, "orders");
  for (let times = 0; times < 6; times++) {
    await say(page, "hello");
    await page.locator("weft-studio li.ai").nth(times).waitFor();
  }
  await page.locator('weft-studio .status[data-run="none"]').waitFor();
  await page.locator("weft-studio .talk").evaluate((box) => box.scrollTo({ top: 0 }));
  await say(page, "Order 4 rugs");
  await cards(page).locator(`${APPROVE}:enabled`).waitFor();
  assert.ok(await page.locator("weft-studio .talk").evaluate((box) => box.scrollTop > 0));
  await page.close();
});

test("a key that is held since Reject says nothing; Enter in the reason rejects", async () => {
  const { page, card } = await waiting("forks", "Please order 2 forks");
  await card.locator('[data-do="reject"]').focus();
  for (let times = 0; times < 5; times++) await page.keyboard.down("Enter");
  await card.getByLabel("Why not?").and(page.locator(":focus")).waitFor();
  for (let times = 0; times < 5; times++) await page.keyboard.down("Enter");
  await page.keyboard.up("Enter");
  assert.deepEqual(await results(page, "forks"), []);
  await page.keyboard.type("no room");
  await page.keyboard.press("Enter");
  await page.locator(".lead", { hasText: "Nothing waits" }).waitFor();
  assert.match((await results(page, "forks"))[0], /Reason: no room/);
  await page.close();
});

test("arguments above the window do not count as seen, and a key decides nothing that was scrolled away", async () => {
  const { page, card } = await waiting("mats", "Please order 4 mats");
  const button = card.locator(APPROVE);
  await card.waitFor();
  await page.setViewportSize({ width: 1100, height: 120 });
  await page.reload();
  await card.locator(".actions").waitFor();
  await page.setViewportSize({ width: 1100, height: 90 });
  await card.locator(".actions").evaluate((row) => row.scrollIntoView({ block: "start" }));
  await staysOff(page, button);
  await page.setViewportSize({ width: 1100, height: 800 });
  await read(card, "approve");
  await page.setViewportSize({ width: 1100, height: 200 });
  await button.focus();
  const away = await page.evaluate(() => (scrollTo(0, 0), scrollY));
  await page.keyboard.press("Enter");
  await page.waitForFunction((from) => scrollY > from, away);
  assert.deepEqual(await results(page, "mats"), []);
  // The next key decides once the button is known to be in sight again.
  const isOver = page.locator(".lead", { hasText: "Nothing waits" });
  for (let tries = 0; tries < 100 && !(await isOver.isVisible()); tries++) {
    await page.keyboard.press("Enter");
    await page.waitForTimeout(300);
  }
  assert.deepEqual(await results(page, "mats"), ["4 x mats"]);
  await page.close();
});

test("a card that is made transparent, or in a tab that is not shown, does not work", async () => {
  const { page, card } = await waiting("bowls", "Please order 4 bowls");
  const button = card.locator(APPROVE);
  await page.addInitScript(() => {
    Object.defineProperty(document, "visibilityState", {
      configurable: true,
      get: () => "hidden",
    });
  });
  await page.reload();
  await card.waitFor();
  await staysOff(page, button);
  await page.evaluate(() => {
    document.querySelector("main").style.opacity = "0.01";
    delete document.visibilityState;
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await staysOff(page, button);
  await page.evaluate(() => (document.querySelector("main").style.opacity = ""));
  await read(card, "approve");
  assert.deepEqual(await results(page, "bowls"), []);
  await page.close();
});

test("a window of 320 by 256 points, as of a page at 400 %, is enough to decide", async () => {
  const small = { width: 320, height: 256 };
  const { page, card } = await waiting("lamps", "Please order 2 lamps", small);
  await (await read(card, "approve")).click();
  await page.locator(".lead", { hasText: "Nothing waits" }).waitFor();
  await page.close();
});

test("no page broke the policy, reported an error or went elsewhere", () =>
  assert.deepEqual(demo.faults, []));
