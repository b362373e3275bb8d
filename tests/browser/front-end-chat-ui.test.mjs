// SPDX-License-Identifier: MIT
// agent-chat-ui, made and built as its package says, on a static site whose service worker has the
// agent (examples/service-worker), driven in Chromium: no request leaves the site. Under WEFT_LONG
// (`make check-long PART=front-ends`): what the chat asks for has 415 packages and 380 MB. The same
// chat stands in the folder of the demo's studio, too, whose own engine it asks there.
import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { after, before, test } from "node:test";
import { decide } from "./bench.mjs";
import { WAIT_MS, launchChromium } from "./chromium.mjs";
import { copyDemo } from "./demo-browser.mjs";
import { buildExample, checkVersions, copyExample, npm } from "./example.mjs";
import { checkGrew, takePicture, textsOf, watchTexts } from "./front-end.mjs";

const isLong = process.env.WEFT_LONG === "1";
const options = {
  skip: isLong ? false : "make check-long PART=front-ends: agent-chat-ui is large",
};
const TYPES = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};
const ANSWER = ".markdown-content";
const INPUT = "textarea[placeholder^=Type]";
const CREATE =
  "exec --yes create-agent-chat-app@0.1.6 -- --project-name chat --package-manager npm --install-deps false --framework vite --include-agent react";

let folder, site, server, browser;
/** What the site was asked for, and what pages and their service workers asked for. */
const served = [];
const asked = [];
/** What the service worker answered. */
const answered = [];

before(async () => {
  if (!isLong) return;
  folder = await copyExample("service-worker");
  await buildExample(folder);
  await npm(folder, CREATE.split(" "));
  const chat = join(folder, "chat");
  await npm(
    chat,
    "install --workspace web --legacy-peer-deps --prefer-offline --no-audit".split(" "),
  );
  await npm(chat, "run build:internal --workspace web".split(" "));
  site = join(chat, "apps/web/dist");
  await fs.cp(join(folder, "dist"), site, { recursive: true });
  const studio = await copyDemo(join(site, "studio"));
  await fs.copyFile(join(site, "index.html"), join(studio, "chat.html"));
  server = createServer(async ({ method, url }, response) => {
    served.push(`${method} ${url}`);
    const { pathname } = new URL(url, "http://site");
    const path = join(site, pathname.replace(/\/$/, "/index.html"));
    const bytes = await fs.readFile(path).catch(() => undefined);
    response.writeHead(bytes === undefined ? 404 : 200, {
      "content-type": TYPES[extname(path)] ?? "application/octet-stream",
    });
    response.end(bytes);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  browser = await launchChromium();
  await watchWorkers();
});

after(async () => {
  await browser?.close();
  server?.closeAllConnections();
  server?.close();
  if (folder) await fs.rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** Writes down what service workers ask a network for. */
async function watchWorkers() {
  const session = await browser.newBrowserCDPSession();
  session.on("Target.targetCreated", async ({ targetInfo: { type, targetId } }) => {
    if (type !== "service_worker") return;
    const { sessionId } = await session.send("Target.attachToTarget", { targetId });
    const message = JSON.stringify({ id: 1, method: "Network.enable", params: {} });
    await session.send("Target.sendMessageToTarget", { sessionId, message });
  });
  session.on("Target.receivedMessageFromTarget", ({ message }) => {
    const { method, params } = JSON.parse(message);
    if (method === "Network.requestWillBeSent") asked.push(params.request.url);
  });
  await session.send("Target.setDiscoverTargets", { discover: true });
}

const originOf = () => `http://127.0.0.1:${server.address().port}`;

/** A chat in a profile of its own, opened as a person does for the first time. */
async function openChat() {
  const context = await browser.newContext({ viewport: { width: 900, height: 1400 } });
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT_MS);
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  session.on("Network.requestWillBeSent", ({ request }) => asked.push(request.url));
  session.on("Network.responseReceived", ({ response }) => {
    if (response.fromServiceWorker) answered.push(new URL(response.url).pathname);
  });
  const faults = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  await page.goto(`${originOf()}/start.html`);
  await page.waitForSelector(INPUT);
  return {
    page,
    /** Stops the service worker, as the browser does with idle ones. */
    async stopWorker() {
      await session.send("ServiceWorker.enable");
      await session.send("ServiceWorker.stopAllWorkers");
    },
    async close() {
      await context.close();
      assert.deepEqual(faults, []);
    },
  };
}

/** A test with a chat of its own. */
const chatTest = (title, run) =>
  test(title, options, async () => {
    const chat = await openChat();
    try {
      await run(chat.page, chat);
    } finally {
      await chat.close();
    }
  });

async function tell(page, text) {
  await page.waitForSelector("text=Cancel", { state: "detached" });
  await page.fill(INPUT, text);
  await page.keyboard.press("Enter");
}

const answerOf = (page) => page.locator(ANSWER).last().innerText();
const button = (text) => `button:text-is("${text}")`;

chatTest("an answer is shown word by word, once", async (page) => {
  const seen = await watchTexts(page, ANSWER);
  await tell(page, "hello");
  await page.waitForSelector("text=a quantity of an item.");
  await page.waitForSelector("text=Cancel", { state: "detached" });
  const { texts, most } = await seen();
  checkGrew(texts.map((text) => text.replaceAll("\n", "")));
  assert.equal(most, 1);
});

chatTest("a tool's question is a card: accepted, edited, answered with words", async (page) => {
  await tell(page, "Order 3 teapots");
  await page.waitForSelector(button("Accept"));
  assert.match(await page.locator("table").first().innerText(), /item\s+teapots\s+quantity\s+3/);
  await takePicture(page, "agent-chat-ui", 960);
  await page.click(button("Accept"));
  await page.waitForSelector("text=The order is placed: 3 x teapots.");

  await tell(page, "Order 2 cups");
  await page.waitForSelector(button("Accept"));
  const fields = page.locator(`textarea:not(${INPUT.slice("textarea".length)})`);
  await fields.nth(0).fill("mugs");
  await page.click(button("Submit"));
  await page.waitForSelector("text=The order is placed: 2 x mugs.");

  await tell(page, "Order 4 spoons");
  await page.waitForSelector(button("Send Response"));
  await fields.last().fill("Not today.");
  await page.click(button("Send Response"));
  await page.waitForSelector("text=The order was not placed: Not today.");
  assert.equal(await page.locator(button("Accept")).count(), 0);
});

chatTest("a question that is marked as resolved is gone, and the chat goes on", async (page) => {
  await tell(page, "Order 3 teapots");
  await page.click(button("Mark as Resolved"));
  await page.waitForSelector(button("Accept"), { state: "detached" });
  await page.waitForSelector("text=Cancel", { state: "detached" });
  await page.reload();
  await page.waitForSelector("text=Order 3 teapots >> visible=true");
  assert.equal(await page.locator(button("Accept")).count(), 0);
  await tell(page, "Order 2 cups");
  await page.click(button("Accept"));
  await page.waitForSelector("text=The order is placed: 2 x cups.");
});

chatTest(
  "a page that is loaded again, its service worker stopped, shows the thread and its open question",
  async (page, { stopWorker }) => {
    await tell(page, "hello");
    await page.waitForSelector("text=a quantity of an item.");
    await tell(page, "Order 3 teapots");
    await page.waitForSelector(button("Accept"));
    const before = await textsOf(page, ANSWER);
    await stopWorker();
    await page.reload();
    await page.waitForSelector(button("Accept"));
    assert.deepEqual(await textsOf(page, ANSWER), before);
    await page.click(button("Accept"));
    await page.waitForSelector("text=The order is placed: 3 x teapots.");
  },
);

chatTest(
  "a run is stopped in the middle of an answer, and the next one starts at once",
  async (page) => {
    await tell(page, "hello");
    await page.waitForSelector(`${ANSWER}:has-text("Hello! I am")`);
    await page.click(button("Cancel"));
    await page.waitForSelector("text=Cancel", { state: "detached" });
    assert.doesNotMatch(await answerOf(page), /a quantity of an item/);
    await tell(page, "Order 3 teapots");
    await page.waitForSelector(button("Accept"));
  },
);

chatTest("an answer made anew, and a message that is edited, are branches", async (page) => {
  const press = (text) => page.locator("button", { hasText: text }).last().click({ force: true });
  await tell(page, "hello");
  await page.waitForSelector("text=a quantity of an item.");
  await page.waitForSelector("text=Cancel", { state: "detached" });
  const first = await answerOf(page);
  await press("Refresh");
  await page.waitForSelector("text=2 / 2");
  await page.waitForSelector("text=Cancel", { state: "detached" });
  assert.equal(await answerOf(page), first);
  await press("Edit");
  await page.locator("textarea").first().fill("Order 7 pots");
  await press("Submit");
  await page.waitForSelector(button("Accept"));
  await page.click(button("Accept"));
  await page.waitForSelector("text=The order is placed: 7 x pots.");
});

test(
  "in the studio's folder the chat runs the studio's engine: its question is answered in the studio",
  options,
  async () => {
    const context = await browser.newContext({ viewport: { width: 1100, height: 900 } });
    context.setDefaultTimeout(WAIT_MS);
    const faults = [];
    context.on("weberror", (error) => faults.push(String(error.error())));
    const studio = await context.newPage();
    await studio.goto(`${originOf()}/studio/#/work/orders`);
    await studio.waitForFunction(() => navigator.serviceWorker.controller !== null);

    const chat = await context.newPage();
    const apiUrl = `${originOf()}/studio/agents`;
    await chat.goto(
      `${originOf()}/studio/chat.html?${new URLSearchParams({ apiUrl, assistantId: "orders" })}`,
    );
    await tell(chat, "Please order 3 teapots");
    await chat.waitForSelector(button("Accept"));
    const thread = new URL(chat.url()).searchParams.get("threadId");

    await studio.bringToFront();
    await studio.evaluate((id) => void (location.hash = `#/work/orders/${id}`), thread);
    await studio.locator("weft-studio .question pre", { hasText: "teapots" }).waitFor();
    await decide(studio, "Approve");
    const end = "The order is placed: 3 x teapots.";
    await studio.locator("weft-studio .talk", { hasText: end }).waitFor();

    await chat.bringToFront();
    // The chat asks for a thread when it is loaded, and after runs of its own.
    await chat.reload();
    await chat.waitForSelector(`text=${end}`);
    assert.equal(await chat.locator(button("Accept")).count(), 0);
    await context.close();
    assert.deepEqual(faults, []);
  },
);

test("nothing left the site, and the site's server was asked for files alone", options, () => {
  assert.ok(asked.length > 0);
  for (const url of asked)
    assert.ok(url.startsWith(`${originOf()}/`) || /^(data|blob):/.test(url), url);
  for (const path of ["/agents/info", "/agents/threads", "/agents/threads/search"])
    assert.ok(answered.includes(path), path);
  assert.ok(answered.some((path) => /^\/agents\/threads\/[^/]+\/runs\/stream$/.test(path)));
  for (const line of served) assert.match(line, /^GET \/(?!(studio\/)?agents)/);
});

test("it names the versions that are tested here", () => checkVersions("service-worker"));
