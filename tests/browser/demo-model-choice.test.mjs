// SPDX-License-Identifier: MIT
// The studio's models, in Chromium with a fake service: choose, test, list, refusals with the way
// out, failures of runs as notices, and the key, which is in its tab and its service's requests
// alone.
import { after, before, beforeEach, test } from "node:test";
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { createServer } from "node:http";
import { startOpenAIServer } from "../js/openai-server.mjs";
import { WAIT_MS } from "./chromium.mjs";
import { DemoBrowser } from "./demo-browser.mjs";

const PICTURES = process.env.WEFT_PICTURES;
const KEY = "sk-secret/of+this-tab";
let demo;
let service;
let lists;
/** What the service does next. */
let script = [];

before(async () => {
  [demo, service, lists] = await Promise.all([
    DemoBrowser.open(),
    startOpenAIServer({ script: () => script.shift() }),
    listServer(),
  ]);
});
after(() => Promise.all([demo?.close(), service?.close(), lists?.close()]));
beforeEach(() => {
  demo.expected = undefined;
  script = [];
});

/** Lists models at /v1/models, refuses pages at /closed/v1/models. */
async function listServer() {
  const server = createServer((request, response) => {
    const isClosed = request.url.startsWith("/closed");
    const open = {
      "access-control-allow-origin": "*",
      "access-control-allow-headers": "*",
    };
    response.writeHead(request.method === "OPTIONS" ? 204 : 200, isClosed ? {} : open);
    response.end(JSON.stringify({ data: [{ id: "small" }, { id: "large\u202Exe" }] }));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${server.address().port}`;
  return { url, close: () => (server.closeAllConnections(), server.close()) };
}

async function open(hash, context = demo.context) {
  const page = await context.newPage();
  await page.goto(`${demo.server.url}${hash}`);
  return page;
}

async function fill(page, { url = service.url, key = KEY, model = "m" } = {}) {
  await page.getByRole("radio", { name: /A model service/ }).check();
  await page.getByLabel("Service", { exact: true }).selectOption("other");
  await page.getByLabel("Address").fill(url);
  await page.getByLabel(/^Key/).fill(key);
  await page.getByLabel("Model", { exact: true }).fill(model);
}

const press = (page, name) => page.getByRole("button", { name, exact: true }).click();
const notice = (page) => page.locator("weft-notice section");
async function noticed(page, title) {
  await page.locator("weft-notice h3", { hasText: title }).waitFor();
  return (await notice(page).locator("button").allInnerTexts())[0];
}

/** Says something to the order desk. */
async function ask(page, words) {
  await page.locator("weft-studio .status", { hasText: "ready" }).waitFor();
  await page.getByLabel("Message", { exact: true }).fill(words);
  await page.locator('[data-do="start"]').click();
}

async function picture(page, name) {
  if (PICTURES === undefined) return;
  mkdirSync(PICTURES, { recursive: true });
  for (const [scheme, width] of [
    ["light", 1440],
    ["dark", 1440],
    ["light", 390],
    ["dark", 390],
  ]) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 900 });
    await page.waitForTimeout(150);
    await page.screenshot({ path: `${PICTURES}/${name}-${scheme}-${width}.png` });
  }
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize({ width: 1100, height: 800 });
}

test("a service is tested, its models listed, then it answers the order desk", async () => {
  const page = await open("#/models");
  await picture(page, "models-built-in");
  await fill(page);
  script = [{ tool_calls: [{ id: "c", name: "ping", args: { word: "hello" } }] }];
  await press(page, "Test");
  await page.getByRole("heading", { name: "It answers, and calls tools" }).waitFor();
  assert.match(await page.locator(".tested").innerText(), /11 in, 7 out/);
  await picture(page, "models-tested");
  assert.equal(service.requests.at(-1).headers.authorization, `Bearer ${KEY}`);
  await page.getByLabel("Address").fill(`${lists.url}/v1`);
  await press(page, "List models");
  await page.getByRole("button", { name: "small" }).click();
  assert.equal(await page.getByLabel("Model", { exact: true }).inputValue(), "small");
  assert.match(await page.locator(".names").textContent(), /large\\u\{202E\}xe/);
  await picture(page, "models-listed");
  await fill(page);
  await press(page, "Use this model");
  await page.getByRole("button", { name: "In use" }).waitFor();
  script = ["Good day from the service."];
  await page.goto(`${demo.server.url}#/work/orders`);
  await page.getByText(/choose its model: m\./).waitFor();
  await ask(page, "hello");
  await page.getByText("Good day from the service.").first().waitFor();
  const told = await page.evaluate(() => JSON.stringify([{ ...localStorage }, location.href]));
  assert.ok(!told.includes(KEY));
  await page.reload();
  await page.goto(`${demo.server.url}#/models`);
  assert.equal(await page.getByLabel(/^Key/).inputValue(), KEY);
  const other = await open("#/models");
  assert.equal(await other.getByLabel("Address").inputValue(), service.url);
  assert.equal(await other.getByLabel(/^Key/).inputValue(), "");
  await other.close();
  await page.close();
});

test("failures of a run are told with what helps, and the key is in none of them", async () => {
  demo.expected = /Failed to load resource/;
  const page = await open("#/models");
  await fill(page);
  await press(page, "Use this model");
  await page.goto(`${demo.server.url}#/work/orders`);
  const body = { error: { message: `Incorrect API key: ${KEY}`, code: "invalid_api_key" } };
  script = [{ status: 401, body }];
  await ask(page, "hello");
  assert.equal(await noticed(page, "The key is not accepted"), "Open Models");
  await page.locator("weft-notice summary").click();
  assert.match(await notice(page).innerText(), /Incorrect API key: \(/);
  await picture(page, "work-wrong-key");
  await page.reload();
  assert.equal(await noticed(page, "The key is not accepted"), "Open Models");
  const half = { choices: [{ delta: { content: "Half of" } }] };
  script = [{ raw: [`data: ${JSON.stringify(half)}\n\n`], end: "cut" }];
  await ask(page, "once more");
  assert.equal(await noticed(page, "The answer broke off"), "Try again");
  assert.match(await notice(page).innerText(), /is not kept/);
  const slow = { status: 429, body: { error: { message: "Please try again in 2s." } } };
  script = [slow, "There it is."];
  await press(page, "Try again");
  assert.equal(await noticed(page, "Too many requests"), "Try now");
  assert.match(await page.locator("weft-notice .wait").innerText(), /Trying again in [12] s/);
  await picture(page, "work-rate");
  await page.getByText("There it is.").first().waitFor();
  await notice(page).waitFor({ state: "detached" });
  const asked = service.requests.length;
  script = Array.from({ length: 9 }, () => ({ ...slow, headers: { "retry-after": "0" } }));
  await ask(page, "and now?");
  // One by the person and three by itself; then it waits for the person.
  for (const end = Date.now() + WAIT_MS; service.requests.length - asked < 4; ) {
    assert.ok(Date.now() < end, `${service.requests.length - asked} requests`);
    await page.waitForTimeout(50);
  }
  await page.locator('weft-notice [data-act="retry"]', { hasText: "Try again" }).waitFor();
  await page.waitForTimeout(1300);
  assert.equal(service.requests.length - asked, 4);
  script = [{ content: "Cut", finish_reason: "length" }];
  await ask(page, "a long answer please");
  await noticed(page, "The answer is cut off");
  const kept = await page.evaluate(readDatabases);
  assert.ok(kept.includes("There it is.") && !kept.includes(KEY));
  const shown = await page.evaluate(() => document.body.innerText + JSON.stringify(localStorage));
  assert.ok(!shown.includes(KEY) && !page.url().includes(KEY));
  await page.close();
});

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

test("what cannot work is refused in the form; what fails says why, and where to look", async () => {
  demo.expected = /Failed to load resource|blocked by CORS policy/;
  const page = await open("#/models");
  await fill(page, { url: "http://192.168.1.5:11434/v1" });
  await press(page, "Test");
  assert.match(
    await page.locator("#url-wrong").innerText(),
    /--connect http:\/\/192\.168\.1\.5:11434/,
  );
  assert.equal(await page.evaluate(() => document.activeElement.id), "url");
  await picture(page, "models-refused");
  await fill(page, { url: "http://[::1]:11434/v1" });
  await press(page, "Use this model");
  assert.match(await page.locator("#url-wrong").innerText(), /write http:\/\/localhost:11434\/v1/);
  await fill(page, { model: "" });
  await press(page, "Test");
  assert.match(await page.locator("#model-wrong").innerText(), /list its models/);
  await fill(page, { url: "http://127.0.0.1:9/v1" });
  await press(page, "Test");
  assert.equal(await noticed(page, "The model service cannot be reached"), "Check the fields");
  await fill(page, { url: `${lists.url}/closed/v1` });
  await press(page, "List models");
  await noticed(page, "The model service cannot be reached");
  assert.match(await notice(page).innerText(), /CORS/);
  await fill(page);
  script = [{ status: 401, body: { error: { message: `No ${KEY}` } } }];
  await press(page, "Test");
  await noticed(page, "The key is not accepted");
  assert.ok(!(await notice(page).textContent()).includes(KEY));
  await picture(page, "models-wrong-key");
  script = ["I only talk."];
  await press(page, "Test");
  await page.getByRole("heading", { name: /called no tool/ }).waitFor();
  await page.getByRole("radio", { name: /small model in this tab/ }).check();
  await page.getByText(/offers no WebGPU/).waitFor();
  assert.ok(await page.locator('[data-do="ask"]').isDisabled());
  await picture(page, "models-tab");
  await page.getByRole("radio", { name: /browser's own model/ }).check();
  await page.getByText(/This browser has none/).waitFor();
  await page.getByRole("radio", { name: /Built in/ }).check();
  await press(page, "Use this model");
  await page.close();
});

test("the page itself reaches its own server alone; its worker says what its policy blocks", async () => {
  demo.expected = /policy: connect-src|Content Security Policy|Failed to load resource/;
  const page = await open("#/work/orders");
  const isReached = (url) =>
    page.evaluate(
      (address) =>
        fetch(address).then(
          () => true,
          () => false,
        ),
      url,
    );
  assert.equal(await isReached(`${lists.url}/v1/models`), false);
  assert.equal(await isReached(demo.server.url), true);
  // As a page kept it that was served with another --connect.
  const choice = {
    source: "service",
    service: "other",
    url: "http://192.168.1.5:1/v1",
    model: "m",
  };
  await page.evaluate(
    (text) => localStorage.setItem("weft-studio-model", text),
    JSON.stringify(choice),
  );
  await page.reload();
  await ask(page, "hello");
  await noticed(page, "This page may not connect to that address");
  assert.match(await notice(page).innerText(), /--connect http:\/\/192\.168\.1\.5:1/);
  await page.evaluate(() => localStorage.removeItem("weft-studio-model"));
  await page.close();
});

test("the built-in model answers what strangers write, and no request leaves the page's server", async () => {
  const page = await open("#/work/orders");
  const requests = [];
  demo.context.on("request", (request) => requests.push(new URL(request.url()).origin));
  await ask(page, "What time is it in Tokyo?");
  await page
    .getByText(/\d\d:\d\d in Tokyo/)
    .first()
    .waitFor();
  await ask(page, "cancel my order");
  await page
    .getByText(/I cannot cancel an order/)
    .first()
    .waitFor();
  assert.deepEqual(
    [...new Set(requests)].filter((origin) => !demo.server.url.startsWith(origin)),
    [],
  );
  await page.close();
});

test("the browser's own model answers in the worker, through the page", async () => {
  const page = await demo.context.newPage();
  await page.addInitScript(() => {
    const session = () => ({
      contextUsage: 1,
      contextWindow: 1000,
      prompt: async () => '{"answer":"I am in the browser."}',
      promptStreaming: () =>
        new ReadableStream({
          start(controller) {
            for (const piece of ['{"calls":[],"answer":"I am ', 'in the browser."}'])
              controller.enqueue(piece);
            controller.close();
          },
        }),
      clone: async () => session(),
      destroy() {},
    });
    globalThis.LanguageModel = {
      availability: async () => "available",
      create: async () => session(),
    };
  });
  await page.goto(`${demo.server.url}#/models`);
  await page.getByRole("radio", { name: /browser's own model/ }).check();
  await page.getByText("It is ready.").waitFor();
  await press(page, "Use this model");
  await page.goto(`${demo.server.url}#/work/orders`);
  await ask(page, "who are you?");
  await page.getByText("I am in the browser.").first().waitFor();
  await page.goto(`${demo.server.url}#/models`);
  await page.getByRole("radio", { name: /Built in/ }).check();
  await press(page, "Use this model");
  await page.close();
});

test("no page broke the policy, reported an error or went elsewhere", () =>
  assert.deepEqual(demo.faults, []));
