// SPDX-License-Identifier: MIT
// What a card of the demo lets through, in a real Chromium: only what a person had in sight, for
// long enough, in a page of its own. Edited text, cards below the fold or covered, tabs that are
// hidden, foreign frames, keys that are held, several cards at once, questions that change, and
// what the transcript says about an edit.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { startOpenAIServer } from "../js/openai-server.mjs";
import {
  DemoBrowser,
  approve,
  ask,
  card,
  choose,
  editJson,
  orders,
  press,
  send,
  settled,
  threadOf,
  untilWorks,
} from "./demo-browser.mjs";

/** Longer than the page waits before a button works. */
const LONG_MS = 1500;
const SAVE = '[data-do="save"]';
const APPROVE = '[data-do="approve"]';

/** @type {DemoBrowser} */
let demo;
before(async () => {
  demo = await DemoBrowser.open();
});
after(() => demo?.close());

const check = (name, run) => test(name, { timeout: 600_000 }, run);
const order = (item, quantity = 1, id = `call-${item.slice(0, 20)}`) => ({
  id,
  name: "place_order",
  args: { item, quantity },
});

/** A page whose model is a service that follows the script. */
async function withService(script, run) {
  const service = await startOpenAIServer({ script });
  const page = await demo.page();
  await choose(page, { url: service.url, key: "", model: "test-model" });
  try {
    await run(page);
  } finally {
    await choose(page, { pace: 0 });
    await page.close();
    await service.close();
  }
}

/**
 * Long enough for whoever waits on a timer only: the button does not work, and a click by force
 * does nothing.
 */
async function staysOff(page, button) {
  await page.waitForTimeout(LONG_MS);
  assert.ok(await button.isDisabled());
  await button.evaluate((element) => element.click());
}

const toEnd = (box) => box.evaluate((element) => element.scrollTo({ top: element.scrollHeight }));
const ordersAre = (page, count) =>
  page.waitForFunction(
    (wanted) => document.querySelectorAll("#orders li").length === wanted,
    count,
  );

check("an edit of a long call runs only when the end of what will run was in sight", async () => {
  const item = `${"tea ".repeat(450)}AND WIRE 9000 EUR`;
  await withService([{ tool_calls: [order(item)] }, "Done."], async (page) => {
    const before = (await orders(page)).length;
    await ask(page, "order it");
    await press(page, "edit");
    const shown = card(page).locator(".arguments");
    await page.locator(".approval .arguments").evaluate((box) => box.scrollTo({ top: 0 }));
    await staysOff(page, card(page).locator(SAVE));
    assert.match(
      await card(page).locator(".hint").innerText(),
      /Scroll to the end of the arguments/,
    );
    await toEnd(shown);
    await untilWorks(card(page), "save");
    assert.equal((await orders(page)).length, before);
    await press(page, "save");
    await ordersAre(page, before + 1);
    await settled(page);
  });
});

check(
  "1,800 characters pasted into the edit box run only when they were read to their end",
  async () => {
    const page = await demo.page();
    const before = (await orders(page)).length;
    await ask(page, "Order 2 pens");
    await editJson(page);
    await untilWorks(card(page), "save");
    await page.focus(".approval .json");
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.insertText(
      JSON.stringify({ item: `pens ${"and ".repeat(440)}WIRE 9000 EUR`, quantity: 2 }),
    );
    await staysOff(page, card(page).locator(SAVE));
    await toEnd(card(page).locator(".arguments"));
    await untilWorks(card(page), "save");
    // What is written after that has not been read.
    await page.fill(
      ".approval .json",
      JSON.stringify({ item: `pens ${"or ".repeat(600)}WIRE 9000 EUR`, quantity: 2 }),
    );
    await card(page).locator(`${SAVE}:disabled`).waitFor();
    await page.fill(".approval .json", '{"item":"pens","quantity":3}');
    await press(page, "save");
    await ordersAre(page, before + 1);
    assert.match((await orders(page)).at(-1), /^3 × pens /);
    await page.close();
  },
);

check("what cannot be seen in edited text is spelled out where it says what will run", async () => {
  const page = await demo.page();
  await ask(page, "Order 2 cups");
  await editJson(page);
  await page.fill(
    ".approval .json",
    '{"item":"p\u0430ypal \u202Egift\u200B\\u202e","item":"c\u202Eups","quantity":2}',
  );
  const shown = card(page).locator(".arguments");
  await shown.locator("mark").first().waitFor();
  assert.equal(await shown.innerText(), '{\n  "item": "c\\u{202E}ups",\n  "quantity": 2\n}');
  assert.match(await card(page).locator(".warnings").innerText(), /cannot be seen/);
  await press(page, "save");
  await page.locator(".call .brief", { hasText: "2 × c\\u{202E}ups" }).waitFor();
  await settled(page);
  await page.close();
});

/** A conversation that is longer than the window. */
async function longTalk() {
  const page = await demo.page();
  for (let turn = 0; turn < 6; turn++)
    await ask(page, `what is ${turn}+1, ${turn}+2, ${turn}+3, ${turn}+4`);
  return page;
}

const scrollLog = (page, top) =>
  page.locator(".log").evaluate((box, to) => box.scrollTo({ top: to }), top);

check(
  "a card below the fold does not work; when it comes in sight it does, a while later",
  async () => {
    const page = await longTalk();
    const before = (await orders(page)).length;
    await choose(page, { pace: 30 });
    await send(page, "Order 4 mats");
    await scrollLog(page, 0);
    await card(page).waitFor({ state: "attached" });
    await settled(page);
    await scrollLog(page, 0);
    await staysOff(page, card(page).locator(APPROVE));
    assert.equal(
      await page.locator(".log").evaluate((box) => box.scrollTop),
      0,
      "who reads is not torn away",
    );
    // The button in sight and the arguments above the window are not enough.
    await page.setViewportSize({ width: 1100, height: 240 });
    await page
      .locator(".approval .actions")
      .evaluate((row) => row.scrollIntoView({ block: "start" }));
    await staysOff(page, card(page).locator(APPROVE));
    await page.setViewportSize({ width: 1100, height: 800 });
    await card(page).evaluate((section) => section.scrollIntoView({ block: "end" }));
    await untilWorks(card(page), "approve");
    // Once seen it stays so; but a key does not decide what was scrolled away.
    await page.focus(`.approval ${APPROVE}`);
    await scrollLog(page, 0);
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.querySelector(".log").scrollTop > 0);
    assert.equal(await card(page).count(), 1);
    assert.equal((await orders(page)).length, before);
    await page.keyboard.press("Enter");
    await ordersAre(page, before + 1);
    await choose(page, { pace: 0 });
    await page.close();
  },
);

check("who asks from above is brought to the card", async () => {
  const page = await longTalk();
  await scrollLog(page, 0);
  await page.waitForFunction(() => document.querySelector(".log").scrollTop === 0);
  await ask(page, "Order 4 rugs");
  await card(page).locator(`${APPROVE}:enabled`).waitFor();
  assert.ok(
    await card(page)
      .locator(APPROVE)
      .evaluate((button) => button.getBoundingClientRect().bottom <= innerHeight),
  );
  await approve(page);
  await page.close();
});

check("a window of 320 by 256 points, as of a page at 400 %, is enough to decide", async () => {
  const page = await demo.page();
  await page.setViewportSize({ width: 320, height: 256 });
  const before = (await orders(page)).length;
  await ask(page, "Order 2 lamps");
  await page.locator(".approval .end").evaluate((end) => end.scrollIntoView({ block: "center" }));
  await page.waitForTimeout(LONG_MS);
  await page
    .locator(`.approval ${APPROVE}`)
    .evaluate((button) => button.scrollIntoView({ block: "center" }));
  await press(page, "approve");
  await page.waitForFunction(() => !document.querySelector(".approval"));
  await settled(page);
  await ordersAre(page, before + 1);
  await page.close();
});

check(
  "a card that something covers or hides does not work, nor one in a tab that is not shown",
  async () => {
    const page = await demo.page();
    await page.evaluate(() => {
      const cover = Object.assign(document.createElement("div"), {
        id: "cover",
        textContent: "Win a prize",
      });
      for (const [name, value] of Object.entries({
        position: "fixed",
        inset: "0",
        zIndex: 99,
        background: "white",
      }))
        cover.style[name] = value;
      document.body.append(cover);
    });
    await ask(page, "Order 4 bowls");
    const button = card(page).locator(APPROVE);
    await staysOff(page, button);
    // One that lets clicks through is as bad.
    await page.evaluate(() => (document.getElementById("cover").style.pointerEvents = "none"));
    await staysOff(page, button);
    await page.evaluate(() => document.getElementById("cover").remove());
    await untilWorks(card(page), "approve");
    await page.reload();
    await page.evaluate(() => (document.querySelector("#app").style.opacity = "0.01"));
    await card(page).waitFor();
    await staysOff(page, button);
    await page.reload();
    await page.evaluate(() =>
      Object.defineProperty(document, "visibilityState", {
        configurable: true,
        get: () => "hidden",
      }),
    );
    await card(page).waitFor();
    await staysOff(page, button);
    await page.evaluate(() => {
      delete document.visibilityState;
      document.dispatchEvent(new Event("visibilitychange"));
    });
    await approve(page);
    await page.close();
  },
);

/**
 * Serves files as a host that knows nothing of headers.
 * @param {(path: string) => Promise<string | Buffer> | string} read
 */
async function plainHost(read) {
  const types = { js: "text/javascript", css: "text/css", svg: "image/svg+xml" };
  const server = createServer(async (request, response) => {
    const path = new URL(request.url, "http://localhost").pathname;
    try {
      const body = await read(path === "/" ? "/index.html" : path);
      response
        .writeHead(200, { "content-type": types[path.split(".").at(-1)] ?? "text/html" })
        .end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    close: () => (server.closeAllConnections(), server.close()),
  };
}

check(
  "in a frame of another origin nothing can be decided; the page says so and opens by itself",
  async () => {
    const host = await plainHost((path) => readFile(join(demo.folder, "dist", path)));
    const foreign = await plainHost(
      () =>
        `<!doctype html><title>Prizes</title><iframe src="${host.url}chat.html" width="1000" height="700"></iframe>`,
    );
    const page = await demo.context.newPage();
    await page.goto(foreign.url);
    const frame = page.frameLocator("iframe");
    await frame.locator('.log[data-status="idle"]').waitFor();
    await frame.locator("#message").fill("Order 3 prizes");
    await frame.locator("#message").press("Enter");
    const framed = frame.locator(".approval");
    await framed.locator(".framed").waitFor();
    assert.match(
      await framed.locator(".framed").innerText(),
      /inside another page.*Nothing can be decided here/s,
    );
    await staysOff(page, framed.locator(APPROVE));
    for (const act of ["edit", "reject"])
      assert.ok(await framed.locator(`[data-do="${act}"]`).isDisabled());
    assert.equal(await frame.locator("#orders li").count(), 0);
    const opens = demo.context.waitForEvent("page");
    await framed.getByRole("link", { name: "Open it by itself" }).click();
    const own = await opens;
    assert.equal(new URL(own.url()).origin, new URL(host.url).origin);
    await approve(own);
    await ordersAre(own, 1);
    await Promise.all([own.close(), page.close()]);
    host.close();
    foreign.close();
  },
);

check("the demo's own server does not let another page frame it", async () => {
  const foreign = await plainHost(
    () => `<!doctype html><title>Prizes</title><iframe src="${demo.server.url}chat.html"></iframe>`,
  );
  const page = await demo.context.newPage();
  demo.expected = /frame-ancestors|X-Frame-Options/;
  await page.goto(foreign.url);
  await page.waitForFunction(() => window.length === 1);
  assert.equal(await page.frameLocator("iframe").locator("#app").count(), 0);
  await page.close();
  demo.expected = undefined;
  foreign.close();
});

check(
  "two cards: the first gets the keyboard, each has a name; to decide one keeps what is written in the other",
  async () => {
    const page = await demo.page();
    const before = (await orders(page)).length;
    await ask(page, "Order 2 apples, then order 3 lemons");
    const [apples, lemons] = [
      card(page).filter({ hasText: "apples" }),
      card(page).filter({ hasText: "lemons" }),
    ];
    await page.waitForFunction(
      () => document.activeElement.closest(".approval") === document.querySelector(".approval"),
    );
    const names = await card(page).evaluateAll((cards) =>
      cards.map((one) => document.getElementById(one.getAttribute("aria-labelledby")).textContent),
    );
    assert.equal(new Set(names).size, 2, names.join());
    for (const one of [apples, lemons]) await editJson(page, one);
    await lemons.locator(".json").fill('{"item":"lemons","quantity":30}');
    await apples.locator(".json").fill('{"item":"small apples","quantity":2}');
    assert.ok(
      await apples.locator(".json").evaluate((field) => field === document.activeElement),
      "the keyboard stays where one writes",
    );
    await (await untilWorks(apples, "save")).click();
    await page.locator(".settled").waitFor();
    await ordersAre(page, before + 1);
    await settled(page);
    assert.match(
      await page.locator(".settled").innerText(),
      /Decided.*small apples.*Changed and approved/s,
    );
    assert.equal(await lemons.locator(".json").inputValue(), '{"item":"lemons","quantity":30}');
    await (await untilWorks(lemons, "save")).click();
    await page.waitForFunction(() => !document.querySelector(".approval, .settled"));
    await ordersAre(page, before + 2);
    assert.deepEqual(
      (await orders(page)).slice(-2).map((line) => line.split(" (")[0]),
      ["2 × small apples", "30 × lemons"],
    );
    await page.close();
  },
);

check("a key that is held decides nothing; Enter in the reason rejects", async () => {
  const page = await demo.page();
  const before = (await orders(page)).length;
  await ask(page, "Order 2 forks, then order 3 knives");
  const [forks, knives] = [
    card(page).filter({ hasText: "forks" }),
    card(page).filter({ hasText: "knives" }),
  ];
  assert.equal(await forks.locator('[data-do="reject"]').count(), 1);
  await forks.locator('[data-do="reject"]').focus();
  for (let times = 0; times < 5; times++) await page.keyboard.down("Enter");
  await page.waitForFunction(() => document.activeElement.matches(".approval .reason"));
  for (let times = 0; times < 5; times++) await page.keyboard.down("Enter");
  await page.keyboard.up("Enter");
  assert.equal(await card(page).count(), 2);
  await page.keyboard.type("no room");
  await page.keyboard.press("Enter");
  await page.locator(".settled").waitFor();
  await settled(page);
  assert.match(await page.locator(".settled").innerText(), /Rejected/);
  await untilWorks(knives, "approve");
  await knives.locator(APPROVE).focus();
  await page.keyboard.down("Enter");
  for (let times = 0; times < 5; times++) await page.keyboard.down("Enter");
  await page.keyboard.up("Enter");
  await page.waitForFunction(() => !document.querySelector(".approval"));
  await settled(page);
  await ordersAre(page, before + 1);
  assert.match(await page.locator(".turn.agent").last().innerText(), /no room/);
  await page.close();
});

check(
  "twelve cards: what was seen once works as soon as the one before it is decided, and nothing moves",
  async () => {
    const calls = Array.from({ length: 12 }, (_, at) => order(`thing ${at}`, at + 1, `t${at}`));
    await withService([{ tool_calls: calls }, "All there."], async (page) => {
      const before = (await orders(page)).length;
      await page.setViewportSize({ width: 1100, height: 2600 });
      await ask(page, "twelve things");
      assert.equal(await card(page).count(), 12);
      await page.waitForFunction(
        (act) => document.querySelectorAll(`.approval ${act}:enabled`).length === 12,
        APPROVE,
      );
      const top = (item) =>
        page
          .locator(`section:has(.arguments):has-text('"${item}"')`)
          .evaluate((section) => section.offsetTop);
      const place = await top("thing 11");
      for (let left = 12; left > 0; left--) {
        assert.deepEqual(
          await page.evaluate(
            (act) =>
              [...document.querySelectorAll(`.approval ${act}`)].map(({ disabled }) => disabled),
            APPROVE,
          ),
          Array(left).fill(false),
        );
        if (left < 12) assert.equal(await top("thing 11"), place);
        await card(page).first().locator(APPROVE).click();
        await page.waitForFunction(
          (count) =>
            document.querySelectorAll(".approval").length === count &&
            document.querySelector('.log[data-status="idle"]'),
          left - 1,
        );
      }
      await page.locator(".prose", { hasText: "All there." }).waitFor();
      await ordersAre(page, before + 12);
    });
  },
);

check(
  "twelve cards that nobody scrolls to: the next one comes in sight by itself and gets the keyboard",
  async () => {
    const calls = Array.from({ length: 12 }, (_, at) => order(`part ${at}`, at + 1, `p${at}`));
    await withService([{ tool_calls: calls }, "All there."], async (page) => {
      const before = (await orders(page)).length;
      await ask(page, "twelve parts");
      let waits = 0;
      for (let left = 12; left > 0; left--) {
        const next = card(page).first();
        if (await next.locator(APPROVE).isDisabled()) waits++;
        await next.locator(`${APPROVE}:enabled`).waitFor();
        assert.ok(await next.evaluate((section) => section.contains(document.activeElement)));
        const { bottom, top } = await next
          .locator(APPROVE)
          .evaluate((button) => button.getBoundingClientRect().toJSON());
        assert.ok(top >= 0 && bottom <= 800);
        await next.locator(APPROVE).click();
        await page.waitForFunction(
          (count) =>
            document.querySelectorAll(".approval").length === count &&
            document.querySelector('.log[data-status="idle"]'),
          left - 1,
        );
      }
      // Of 0.7 s each: 3 s in all.
      assert.ok(waits <= 4, `${waits} waits`);
      await ordersAre(page, before + 12);
    });
  },
);

check(
  "an edit is in the transcript as what was wanted and what ran, also after a reload and in another tab",
  async () => {
    // A service may give the same id to a call of every message.
    const script = [
      { tool_calls: [order("pizzas", 2, "same")] },
      "Ordered.",
      { tool_calls: [order("cakes", 5, "same")] },
      "Ordered too.",
    ];
    await withService(script, async (page) => {
      await ask(page, "pizzas");
      await editJson(page);
      await page.fill(".approval .json", '{"item":"small pizzas","quantity":3}');
      await press(page, "save");
      await page.locator(".prose", { hasText: "Ordered." }).waitFor();
      await settled(page);
      const told = async (one) => {
        const rows = one.locator(".call");
        await rows.first().waitFor();
        return rows.evaluateAll((list) =>
          list.map((row) => ({
            state: row.querySelector(".state").textContent,
            texts: [...row.querySelectorAll("pre")].map(({ textContent }) =>
              textContent.replace(/order \w+/, "order X"),
            ),
          })),
        );
      };
      const edited = {
        state: "changed, done",
        texts: [
          '{"item":"pizzas","quantity":2}',
          '{"item":"small pizzas","quantity":3}',
          "3 × small pizzas, order X",
        ],
      };
      assert.deepEqual(await told(page), [edited]);
      assert.match(
        await page
          .locator(".call dl")
          .first()
          .evaluate((list) => list.textContent),
        /The agent wanted.*Changed by a person to.*Result/s,
      );
      await page.reload();
      await settled(page);
      assert.deepEqual(await told(page), [edited]);
      await ask(page, "cakes");
      await approve(page);
      const both = [
        edited,
        { state: "done", texts: ['{"item":"cakes","quantity":5}', "5 × cakes, order X"] },
      ];
      assert.deepEqual(await told(page), both);
      const other = await demo.page(threadOf(page));
      assert.deepEqual(await told(other), both);
      await other.close();
    });
  },
);

check(
  "a call that is asked about again keeps what was written, says why, and has to be read again",
  async () => {
    const page = await demo.page();
    // The page takes a number that the engine then refuses.
    await page.evaluate(() => {
      const { isInteger } = Number;
      Number.isInteger = (value) => value === 1.5 || isInteger(value);
    });
    const before = (await orders(page)).length;
    await ask(page, "Order 2 vases");
    await editJson(page);
    await page.fill(".approval .json", '{"item":"vases","quantity":1.5}');
    await untilWorks(card(page), "save");
    await page.evaluate((act) => {
      window.seen = [];
      new MutationObserver(() => {
        const button = document.querySelector(`.approval:has([role="alert"]) ${act}`);
        if (button) window.seen.push(button.disabled);
      }).observe(document.body, { subtree: true, childList: true, attributes: true });
    }, SAVE);
    await press(page, "save");
    await card(page).locator('[role="alert"]').waitFor();
    assert.match(await card(page).innerText(), /could not be used.*quantity/s);
    assert.equal(await page.inputValue(".approval .json"), '{"item":"vases","quantity":1.5}');
    await untilWorks(card(page), "save");
    assert.equal(await page.evaluate(() => window.seen[0]), true);
    await page.fill(".approval .json", '{"item":"vases","quantity":1}');
    await press(page, "save");
    await ordersAre(page, before + 1);
    await page.close();
  },
);

check(
  "a question that takes the place of another one under the pointer does not work at once",
  async () => {
    await withService(
      [{ tool_calls: [order("chairs", 2)] }, { tool_calls: [order("yachts", 2)] }, "Well."],
      async (page) => {
        await ask(page, "chairs");
        await untilWorks(card(page), "approve");
        await card(page).locator(APPROVE).hover();
        await page.evaluate((act) => {
          window.seen = [];
          new MutationObserver(() => {
            const button = [...document.querySelectorAll(".approval")]
              .find((one) => one.textContent.includes("yachts"))
              ?.querySelector(act);
            if (button) window.seen.push(button.disabled);
          }).observe(document.body, { subtree: true, childList: true, attributes: true });
        }, APPROVE);
        const other = await demo.page(threadOf(page));
        await press(other, "reject");
        await press(other, "confirm-reject");
        await page.bringToFront();
        await card(page).filter({ hasText: "yachts" }).waitFor();
        await untilWorks(card(page), "approve");
        assert.equal(await page.evaluate(() => window.seen[0]), true);
        await press(page, "reject");
        await press(page, "confirm-reject");
        await page.waitForFunction(() => !document.querySelector(".approval"));
        await settled(page);
        await other.close();
      },
    );
  },
);

test("no page broke the policy, reported an error or went elsewhere", () =>
  assert.deepEqual(demo.faults, []));
