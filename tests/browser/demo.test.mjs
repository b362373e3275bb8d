// SPDX-License-Identifier: MIT
// The demo in a real Chromium with a profile on disk: ask, stream, tools, notes, approve, edit,
// reject, a page reloaded and a browser closed while a request waits (T6), two tabs on one thread
// (T7, T20), approval by id and what is shown (T17), any OpenAI-compatible service, errors, Stop,
// threads. Nothing may break the page's policy or leave this machine.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import {
  DemoBrowser,
  approve,
  ask,
  card,
  choose,
  editJson,
  lastSaid,
  notes,
  orders,
  press,
  send,
  settled,
  statusIs,
  threadOf,
} from "./demo-browser.mjs";

/** @type {DemoBrowser} */
let demo;
before(async () => {
  demo = await DemoBrowser.open();
});
after(() => demo?.close());

const check = (name, run) => test(name, { timeout: 600_000 }, run);

check("an answer grows word by word; calculator and clock are called", async () => {
  const page = await demo.page();
  await page.evaluate(() => {
    window.lengths = [];
    new MutationObserver(() => {
      const length =
        [...document.querySelectorAll(".turn.agent .prose")].at(-1)?.textContent.length ?? 0;
      if (length > 0 && length !== window.lengths.at(-1)) window.lengths.push(length);
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  await ask(page, "What is 12 * (3 + 4), and what time is it in Asia/Tokyo?");
  assert.match(await lastSaid(page), /12 \* \(3 \+ 4\) is 84\. It is \w+day, .* \d{2}:\d{2}:\d{2}/);
  const lengths = await page.evaluate(() => window.lengths);
  assert.ok(lengths.length >= 5, `${lengths.length} steps`);
  assert.deepEqual(
    lengths,
    [...lengths].sort((one, other) => one - other),
  );
  assert.deepEqual(
    await page
      .locator(".call")
      .evaluateAll((calls) => calls.map(({ dataset }) => [dataset.tool, dataset.status])),
    [
      ["calculator", "done"],
      ["clock", "done"],
    ],
  );
  assert.match(await page.innerText("#said"), /The agent said: 12/);
  assert.match(
    await page.innerText("#storage"),
    /Storage is (persistent|best-effort).* KiB in use/s,
  );
  await page.close();
});

check("the examples of an empty conversation do what they say", async () => {
  const page = await demo.page();
  const examples = page.locator(".examples button");
  assert.equal(await examples.count(), 4);
  await examples.first().click();
  await page.locator(".prose", { hasText: "17/100*2340 is 397.8" }).waitFor();
  await page.click(".new");
  await examples.last().click();
  await card(page).waitFor();
  await page.close();
});

check("a tool's error is told, and the run goes on", async () => {
  const page = await demo.page();
  await ask(page, "what is 1/0");
  assert.match(await lastSaid(page), /could not be calculated: division by zero/);
  assert.equal(await page.locator(".call").getAttribute("data-status"), "failed");
  await page.close();
});

check("a note is kept, also after a reload and in another thread", async () => {
  const page = await demo.page();
  await ask(page, "Remember that the spare key is with Ann");
  assert.match(await lastSaid(page), /I saved the note: spare key is with Ann/);
  await page.reload();
  await settled(page);
  assert.match(await lastSaid(page), /I saved the note/);
  assert.deepEqual(await notes(page), ["spare key is with Ann"]);
  await page.click(".new");
  await page.waitForSelector(".welcome");
  await ask(page, "what notes do I have?");
  assert.match(await lastSaid(page), /Your notes:\s*spare key is with Ann/);
  await page.close();
});

check(
  "approve: the exact arguments are shown, the button works after a while, the order is placed once",
  async () => {
    const page = await demo.page();
    await page.evaluate(() => {
      const seen = { shown: 0, enabled: 0 };
      window.seen = seen;
      new MutationObserver(() => {
        const button = document.querySelector('.approval [data-do="approve"]');
        if (button && !seen.shown)
          Object.assign(seen, { shown: performance.now(), disabledFirst: button.disabled });
        if (button && !button.disabled && !seen.enabled) seen.enabled = performance.now();
      }).observe(document.body, { subtree: true, childList: true, attributes: true });
    });
    await ask(page, "Order two pizzas");
    assert.equal(await card(page).locator(".tool code").innerText(), "place_order");
    assert.deepEqual(JSON.parse(await card(page).locator(".arguments").textContent()), {
      item: "pizzas",
      quantity: 2,
    });
    assert.match(await card(page).locator(".digest code").innerText(), /^[0-9a-f]{64}$/);
    assert.deepEqual(await orders(page), []);
    assert.ok(await page.locator("#message").isDisabled(), "words are no decision");
    assert.match(await page.title(), /^\(1\) Your decision is wanted/);
    await page.locator('.approval [data-do="approve"]:enabled').waitFor();
    await page.evaluate(() => dispatchEvent(new Event("focus")));
    await page.locator('.approval [data-do="approve"]:disabled').waitFor();
    await page.locator('.approval [data-do="approve"]:enabled').dblclick();
    await page.waitForFunction(() => document.querySelectorAll("#orders li").length > 0);
    await settled(page);
    const seen = await page.evaluate(() => window.seen);
    assert.equal(seen.disabledFirst, true);
    assert.ok(seen.enabled - seen.shown >= 500, `${seen.enabled - seen.shown} ms`);
    assert.match(await lastSaid(page), /The order is placed: 2 × pizzas/);
    assert.match((await orders(page)).join(), /^2 × pizzas \(\w{6}\)$/);
    await page.close();
  },
);

check(
  "edit: wrong arguments are refused while they are written, the changed ones run",
  async () => {
    const page = await demo.page();
    await ask(page, "Order 7 cakes");
    await editJson(page);
    const save = page.locator('.approval [data-do="save"]');
    for (const [text, fault] of [
      ["{", /not JSON/],
      ["[]", /must be an object/],
      ['{"item":"cakes"}', /"quantity" is missing/],
      ['{"item":"cakes","quantity":0}', /1 or more/],
      ['{"item":"cakes","quantity":1,"gift":true}', /"gift" is not an argument/],
    ]) {
      await page.fill(".approval .json", text);
      await card(page).locator(".wrong").filter({ hasText: fault }).waitFor();
      assert.ok(await save.isDisabled());
    }
    await page.fill(".approval .json", '{"item":"small cakes","quantity":3}');
    await press(page, "save");
    await page.waitForFunction(() => document.querySelectorAll("#orders li").length === 2);
    await settled(page);
    assert.equal(await card(page).count(), 0);
    assert.match(await lastSaid(page), /3 × small cakes/);
    await page.close();
  },
);

check("reject: the reason reaches the agent, nothing is ordered", async () => {
  const page = await demo.page();
  const before = await orders(page);
  await ask(page, "Order 5 pies");
  await press(page, "reject");
  await page.fill(".approval .reason", "too sweet");
  await press(page, "confirm-reject");
  await page.waitForFunction(() => !document.querySelector(".approval"));
  await settled(page);
  assert.match(await lastSaid(page), /The order was not placed: too sweet/);
  assert.deepEqual(await orders(page), before);
  await page.close();
});

check("two requests at once: each is decided by its own id, in any order", async () => {
  const page = await demo.page();
  const before = await orders(page);
  await ask(page, "Order 2 apples, then order 3 lemons");
  assert.equal(await card(page).count(), 2);
  const lemons = card(page).filter({ hasText: "lemons" });
  const apples = card(page).filter({ hasText: "apples" });
  assert.notEqual(
    await lemons.getAttribute("data-interrupt"),
    await apples.getAttribute("data-interrupt"),
  );
  await lemons.locator('[data-do="approve"]:enabled').click();
  await page.waitForFunction(() => document.querySelectorAll(".approval").length === 1);
  await settled(page);
  await page.reload();
  await apples.waitFor();
  assert.equal(await card(page).count(), 1);
  await press(page, "reject");
  await press(page, "confirm-reject");
  await page.waitForFunction(() => !document.querySelector(".approval"));
  await settled(page);
  assert.match(await lastSaid(page), /not placed: no reason was given.*3 × lemons/s);
  await page.waitForFunction(
    (count) => document.querySelectorAll("#orders li").length === count,
    before.length + 1,
  );
  assert.match((await orders(page)).at(-1), /^3 × lemons/);
  await page.waitForFunction(() => document.activeElement.id === "message");
  await page.close();
});

check("the page is reloaded while a request waits: it still waits, and goes on once", async () => {
  const page = await demo.page();
  const before = await orders(page);
  await ask(page, "Order 4 melons");
  const id = await card(page).getAttribute("data-interrupt");
  await page.reload();
  await card(page).waitFor();
  assert.equal(await card(page).getAttribute("data-interrupt"), id);
  assert.deepEqual(JSON.parse(await card(page).locator(".arguments").textContent()), {
    item: "melons",
    quantity: 4,
  });
  await approve(page);
  await page.waitForFunction(
    (count) => document.querySelectorAll("#orders li").length === count,
    before.length + 1,
  );
  assert.match(await lastSaid(page), /4 × melons/);
  await page.reload();
  await settled(page);
  assert.equal((await orders(page)).length, before.length + 1);
  assert.equal(await card(page).count(), 0);
  await page.close();
});

check(
  "the browser is closed while a request waits, and opened again: it still waits, and goes on",
  async () => {
    let page = await demo.page();
    const before = await orders(page);
    await ask(page, "Order 6 plums");
    const thread = threadOf(page);
    await demo.reopen();
    page = await demo.page();
    await page.click(`.threads a[href="${thread}"]`);
    await card(page).waitFor();
    await approve(page);
    assert.match(await lastSaid(page), /6 × plums/);
    await page.waitForFunction(
      (count) => document.querySelectorAll("#orders li").length === count,
      before.length + 1,
    );
    await page.close();
  },
);

check("two tabs: a decision in one takes the card from the other", async () => {
  const one = await demo.page();
  await ask(one, "Order 8 figs");
  const two = await demo.page(threadOf(one));
  await card(two).waitFor();
  const before = (await orders(two)).length;
  await one.bringToFront();
  await approve(one);
  await card(two).waitFor({ state: "detached" });
  await two.locator(".prose", { hasText: "The order is placed: 8 × figs" }).waitFor();
  // The list hears of the order by an event of its own.
  await two.waitForFunction(
    (count) => document.querySelectorAll("#orders li").length === count,
    before + 1,
  );
  await Promise.all([one.close(), two.close()]);
});

check("two tabs that approve one request at the same moment: it runs once", async () => {
  const one = await demo.page();
  const count = (await orders(one)).length;
  await ask(one, "Order 10 dates");
  const two = await demo.page(threadOf(one));
  for (const page of [one, two]) {
    await page.bringToFront();
    await page.locator('.approval [data-do="approve"]:enabled').waitFor();
  }
  const click = () =>
    setTimeout(
      () => document.querySelector('.approval [data-do="approve"]')?.click(),
      500 - (Date.now() % 500),
    );
  await Promise.all([one, two].map((page) => page.evaluate(click)));
  for (const page of [one, two]) {
    await page.bringToFront();
    await page.locator(".prose", { hasText: "10 × dates" }).waitFor();
    await settled(page);
  }
  await one.reload();
  await settled(one);
  assert.equal((await orders(one)).length, count + 1);
  await Promise.all([one.close(), two.close()]);
});

check(
  "two tabs that write one thread: one is fenced, shown read-only, and loads again",
  async () => {
    const one = await demo.page();
    await choose(one, { pace: 0 });
    await ask(one, "what is 1+1");
    const two = await demo.page(threadOf(one));
    await one.bringToFront();
    await choose(one, { pace: 150 });
    // Long enough for the other tab to come first, on any machine.
    await send(one, `what is ${Array.from({ length: 24 }, (_, i) => `1+${i + 2}`).join(", ")}`);
    await one.locator(".turn.live .prose").waitFor();
    await two.bringToFront();
    await two.locator('.notice[data-kind="busy"]').waitFor();
    await two.fill("#message", "what is 2+2");
    await two.press("#message", "Enter");
    await two.getByRole("button", { name: "Send here anyway" }).click();
    await two.locator(".prose", { hasText: "2+2 is 4" }).waitFor();
    await statusIs(one, "readOnly");
    assert.match(
      await one.innerText('.notice[data-kind="fenced"]'),
      /Another tab has continued this conversation.*read-only/s,
    );
    assert.ok(await one.locator("#message").isDisabled());
    await one.bringToFront();
    await one.getByRole("button", { name: "Load again" }).click();
    await settled(one);
    assert.match(await lastSaid(one), /2\+2 is 4/);
    await choose(one, { pace: 30 });
    await ask(one, "what is 3+3");
    assert.match(await lastSaid(one), /3\+3 is 6/);
    await two.locator(".prose", { hasText: "3+3 is 6" }).waitFor();
    await Promise.all([one.close(), two.close()]);
  },
);

check("a thread whose storage was emptied is not continued, and the others are", async () => {
  const page = await demo.page();
  const known = new Set(
    await page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name)),
  );
  await ask(page, "what is 4+4");
  const name = await page.evaluate(
    async (old) =>
      (await indexedDB.databases()).map((one) => one.name).find((one) => !old.includes(one)),
    [...known],
  );
  const thread = threadOf(page);
  await page.click(".new");
  await page.reload();
  await settled(page);
  await page.evaluate(
    (one) =>
      new Promise((resolve, reject) =>
        Object.assign(indexedDB.deleteDatabase(one), { onsuccess: resolve, onerror: reject }),
      ),
    name,
  );
  await page.click(`.threads a[href="${thread}"]`);
  await page.locator(".notice h2", { hasText: "lost a part of this conversation" }).waitFor();
  assert.ok(await page.locator("#message").isDisabled());
  await page.locator(".notice").getByRole("button", { name: "New conversation" }).click();
  await page.waitForSelector(".welcome");
  await ask(page, "what is 4+5");
  assert.match(await lastSaid(page), /4\+5 is 9/);
  await page.close();
});

test("no page broke the policy, reported an error or went elsewhere", () =>
  assert.deepEqual(demo.faults, []));
