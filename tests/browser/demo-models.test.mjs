// SPDX-License-Identifier: MIT
// The demo with a model service: streamed answers and tool calls in pieces, the key that stays in
// its tab, hostile output (T17), what a person is told when the service fails, Stop; and the page
// itself: threads, keyboard, names, a phone.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { startOpenAIServer } from "../js/openai-server.mjs";
import {
  DemoBrowser,
  approve,
  ask,
  card,
  choose,
  editJson,
  lastSaid,
  orders,
  send,
  settled,
  threadOf,
} from "./demo-browser.mjs";

const KEY = "sk-secret-of-this-tab";
/** @type {DemoBrowser} */
let demo;
before(async () => {
  demo = await DemoBrowser.open();
});
after(() => demo?.close());

const check = (name, run) => test(name, { timeout: 600_000 }, run);

/** A page whose model is a service that follows the script. */
async function withService(script, run) {
  const service = await startOpenAIServer({ script });
  const page = await demo.page();
  await choose(page, { url: service.url, key: KEY, model: "test-model" });
  try {
    await run(page, service);
  } finally {
    await choose(page, { pace: 0 });
    await page.close();
    await service.close();
  }
}

check(
  "an OpenAI-compatible service answers; its tool calls come in pieces and are approved",
  async () => {
    const script = [
      {
        content: "Let me see.",
        tool_calls: [
          { id: "c1", name: "calculator", args: { expression: "6*7" } },
          { id: "c2", name: "place_order", args: { item: "green tea", quantity: 2 } },
        ],
        pieceSize: 3,
        delayMs: 5,
      },
      { content: "It is **42**, and the tea is on its way.", delayMs: 20 },
    ];
    await withService(script, async (page, service) => {
      await ask(page, "6*7, and two green teas please");
      assert.deepEqual(JSON.parse(await card(page).locator(".arguments").textContent()), {
        item: "green tea",
        quantity: 2,
      });
      await approve(page);
      assert.equal(await page.locator(".turn.agent .prose strong").innerText(), "42");
      assert.match((await orders(page)).join(), /2 × green tea/);
      assert.equal(service.requests.length, 2);
      const [first, second] = service.requests;
      assert.equal(first.headers.authorization, `Bearer ${KEY}`);
      assert.deepEqual(
        [first.body.model, first.body.stream, first.body.tools.length],
        ["test-model", true, 6],
      );
      assert.deepEqual(
        second.body.messages
          .slice(-2)
          .map(({ role, tool_call_id, content }) => [
            role,
            tool_call_id,
            content.replace(/order \w+/, "order X"),
          ]),
        [
          ["tool", "c1", "42"],
          ["tool", "c2", "2 × green tea, order X"],
        ],
      );
    });
  },
);

check(
  "the key stays in its tab: a reload keeps it, storage and other tabs do not have it",
  async () => {
    await withService(["Hello there."], async (page) => {
      await ask(page, "hi");
      await page.reload();
      await settled(page);
      await page.click("#open-settings");
      assert.equal(await page.inputValue("#set-key"), KEY);
      assert.equal(await page.getAttribute("#set-key", "type"), "password");
      await page.keyboard.press("Escape");
      assert.ok(!(await page.evaluate(() => JSON.stringify({ ...localStorage }))).includes(KEY));
      const databases = await page.evaluate(readDatabases);
      assert.ok(databases.includes("Hello there.") && !databases.includes(KEY));
      const other = await demo.page();
      await other.click("#open-settings");
      assert.equal(await other.inputValue("#set-key"), "");
      await other.close();
    });
  },
);

/** All bytes of all databases of the page, as Latin-1 text. */
async function readDatabases() {
  const decoder = new TextDecoder("latin1");
  const texts = [];
  const flat = (value) => {
    if (ArrayBuffer.isView(value)) texts.push(decoder.decode(value));
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(flat);
    else texts.push(String(value));
  };
  const done = (request) =>
    new Promise((resolve, reject) =>
      Object.assign(request, {
        onsuccess: () => resolve(request.result),
        onerror: () => reject(request.error),
      }),
    );
  for (const { name } of await indexedDB.databases()) {
    const database = await done(indexedDB.open(name));
    for (const store of database.objectStoreNames)
      flat(await done(database.transaction(store).objectStore(store).getAll()));
    database.close();
  }
  return texts.join("\n");
}

check(
  "hostile output: shown as text, hidden characters spelled out, long arguments read to their end",
  async () => {
    const item = "p\u0430ypal \u202Egift\u200B card\u{E0041}";
    const padding = "very ".repeat(700);
    const script = [
      { tool_calls: [{ id: "h1", name: "place_order", args: { item, quantity: 1 } }] },
      {
        content: `<img src="https://evil.example/x.png" onerror="alert(1)"> ![i](https://evil.example/y.png) <script>alert(2)</script> [go](javascript:alert(3)) [ok](https://good.example/) <form><input></form> \u202Eback`,
      },
      {
        tool_calls: [
          { id: "h2", name: "place_order", args: { item: padding.slice(0, 1900), quantity: 1 } },
        ],
      },
      "Fine.",
    ];
    await withService(script, async (page) => {
      await page.setViewportSize({ width: 420, height: 700 });
      await ask(page, "order it");
      assert.deepEqual(await card(page).locator(".arguments mark").allInnerTexts(), [
        "\\u{202E}",
        "\\u{200B}",
        "\\u{E0041}",
      ]);
      assert.equal(
        await card(page)
          .locator(".arguments")
          .evaluate((box) => /[\u202E\u200B\u{E0041}]/u.test(box.textContent)),
        false,
      );
      assert.match(
        await card(page).locator(".warnings").innerText(),
        /cannot be seen.*pаypal.*mixes letters of Latin and Cyrillic/s,
      );
      await editJson(page);
      assert.match(
        await page.inputValue(".approval .json"),
        /\\u202egift\\u200b card\\udb40\\udc41/,
      );
      await page.getByRole("button", { name: "Back" }).click();
      await approve(page);
      const prose = page.locator(".turn.agent .prose").last();
      assert.equal(await prose.locator("img, script, form, input, [onerror]").count(), 0);
      assert.deepEqual(
        await prose
          .locator("a")
          .evaluateAll((links) => links.map(({ href, rel, target }) => [href, rel, target]))
          .then((links) => links.filter(([href]) => href)),
        [["https://good.example/", "noopener noreferrer nofollow", "_blank"]],
      );
      assert.ok(!(await prose.innerText()).includes("\u202E"));
      await ask(page, "again");
      await page.waitForTimeout(1200);
      assert.ok(
        await page.locator('.approval [data-do="approve"]').isDisabled(),
        "not read to its end",
      );
      await card(page)
        .locator(".arguments")
        .evaluate((box) => box.scrollTo({ top: box.scrollHeight }));
      await approve(page);
      assert.match(await lastSaid(page), /Fine/);
    });
  },
);

check(
  "a service that refuses or cannot be reached: what to do is said, and it goes on after that",
  async () => {
    demo.expected = /Failed to load resource/;
    const script = [
      { status: 401, body: { error: { message: "Incorrect API key", code: "invalid_api_key" } } },
      { raw: ['data: {"choices":[{"delta":{"content":"Half of"}}]}\n\n'], end: "close" },
      "Whole now.",
    ];
    await withService(script, async (page, service) => {
      await ask(page, "hello");
      assert.match(
        await page.innerText('.notice[data-kind="problem"]'),
        /does not accept the key.*Check the key in the settings/s,
      );
      assert.equal(await page.locator(".turn.human").count(), 1);
      await page.getByRole("button", { name: "Open the settings" }).click();
      assert.ok(await page.isVisible("#set-key"));
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Try again" }).click();
      await page.locator(".notice h2", { hasText: "The answer broke off" }).waitFor();
      await page.getByRole("button", { name: "Try again" }).click();
      await page.locator(".prose", { hasText: "Whole now." }).waitFor();
      assert.equal(await page.locator(".notice").count(), 0);
      assert.equal(service.requests.length, 3);
    });
    const page = await demo.page();
    await choose(page, { url: "http://127.0.0.1:9/v1", key: "", model: "none" });
    await send(page, "hello");
    await page.locator(".notice h2", { hasText: "No connection to the model service" }).waitFor();
    assert.match(await page.innerText('.notice[data-kind="problem"]'), /CORS/);
    await choose(page, { pace: 0 });
    await page.getByRole("button", { name: "Try again" }).click();
    await page.locator(".prose", { hasText: "demo planner" }).waitFor();
    await page.close();
    demo.expected = undefined;
  },
);

check("Stop ends the answer, what was kept stays, and it can go on", async () => {
  const page = await demo.page();
  await choose(page, { pace: 150 });
  await send(page, "hello, what can you do?");
  await page.locator(".prose", { hasText: "Hello! I am" }).waitFor();
  await page.click("#stop");
  await settled(page);
  assert.match(await page.innerText('.notice[data-kind="unfinished"]'), /Stopped/);
  await page.reload();
  await settled(page);
  assert.match(await page.innerText('.notice[data-kind="unfinished"]'), /did not finish/);
  await choose(page, { pace: 0 });
  await page.getByRole("button", { name: "Go on" }).click();
  await page.locator(".prose", { hasText: "I found no tool for that" }).waitFor();
  assert.equal(await page.locator(".turn.human").count(), 1);
  await page.close();
});

check("threads: new, switched while one waits, deleted here and in another tab", async () => {
  const page = await demo.page();
  await ask(page, "Order 9 kiwis");
  const waiting = threadOf(page);
  await page.click(".new");
  await page.waitForSelector(".welcome");
  assert.equal(await card(page).count(), 0);
  await ask(page, "what is 5*5");
  assert.match(await lastSaid(page), /5\*5 is 25/);
  assert.equal(await page.locator(`.threads a[href="${waiting}"] .dot.waits`).count(), 1);
  await page.click(`.threads a[href="${waiting}"]`);
  await card(page).waitFor();
  const other = await demo.page(waiting);
  await page.bringToFront();
  await page.locator(".threads li.current button").click();
  await page.getByRole("button", { name: "Keep it" }).click();
  await page.locator(".threads li.current button").click();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  for (const one of [page, other]) {
    await one.waitForSelector(".welcome");
    await one.locator(`.threads a[href="${waiting}"]`).waitFor({ state: "detached" });
  }
  await page.goto(`${demo.server.url}chat.html${waiting}`);
  await page.waitForSelector(".welcome");
  await Promise.all([page.close(), other.close()]);
});

check(
  "the keyboard reaches everything, everything has a name, focus returns; a phone shows it all",
  async () => {
    const page = await demo.page();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement.id), "message");
    await page.keyboard.type("Order 2 pears");
    await page.keyboard.press("Shift+Enter");
    await page.keyboard.type("please");
    await page.keyboard.press("Enter");
    await card(page).waitFor();
    await page.waitForFunction(() => document.activeElement.closest(".approval"));
    assert.match(await page.innerText("#said"), /A request waits for your decision/);
    await page.focus("#open-settings");
    await page.keyboard.press("Enter");
    await page.locator("#settings").waitFor();
    await page.keyboard.press("Escape");
    assert.equal(await page.evaluate(() => document.activeElement.id), "open-settings");
    const nameless = await page.evaluate(() =>
      [...document.querySelectorAll("button, a, input, select, textarea")]
        .filter((element) => {
          const label = element.getAttribute("aria-label") ?? element.textContent ?? "";
          return (
            !label.trim() && !element.labels?.length && !element.getAttribute("aria-labelledby")
          );
        })
        .map((element) => element.outerHTML.slice(0, 120)),
    );
    assert.deepEqual(nameless, []);
    await page.setViewportSize({ width: 360, height: 680 });
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
    assert.ok(await page.locator('.approval [data-do="reject"]').isVisible());
    const touch = await page.context().newCDPSession(page);
    const setTouch = async (enabled) => {
      await touch.send("Emulation.setTouchEmulationEnabled", { enabled });
      await page.waitForFunction(
        (wanted) => matchMedia("(pointer: coarse)").matches === wanted,
        enabled,
      );
    };
    const smallTargets = () =>
      page.evaluate(() =>
        [...document.querySelectorAll("button:not(.link), summary, .threads a")]
          .filter((element) => {
            const { width, height } = element.getBoundingClientRect();
            return (
              element.checkVisibility({ visibilityProperty: true }) && (width < 40 || height < 40)
            );
          })
          .map((element) => element.outerHTML.slice(0, 120)),
      );
    await setTouch(true);
    assert.deepEqual(await smallTargets(), []);
    await page.getByRole("button", { name: "Conversations" }).click();
    await page.locator(".threads a").first().waitFor();
    assert.deepEqual(await smallTargets(), []);
    await setTouch(false);
    const isFocused = (selector) =>
      page.waitForFunction((wanted) => document.activeElement?.matches(wanted), selector);
    await isFocused(".side .new");
    assert.equal(await page.locator("main").getAttribute("inert"), "");
    await page.keyboard.press("Escape");
    await page.locator(".side .new").waitFor({ state: "hidden" });
    await isFocused(".bar .menu");
    await page.locator('.approval [data-do="reject"]').click();
    await isFocused(".approval .reason");
    await page.keyboard.press("Escape");
    await isFocused(".approval h2");
    await page.getByRole("button", { name: "Conversations" }).click();
    await isFocused(".side .new");
    await page.keyboard.press("Enter");
    await isFocused("#message");
    await page.getByRole("button", { name: "Conversations" }).click();
    await isFocused(".side .new");
    await page.setViewportSize({ width: 900, height: 680 });
    await page.locator("main:not([inert])").waitFor();
    await page.close();
  },
);

test("no page broke the policy, reported an error or went elsewhere", () =>
  assert.deepEqual(demo.faults, []));
