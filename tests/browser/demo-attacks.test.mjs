// SPDX-License-Identifier: MIT
// Texts that mean harm in what the demo is given, in Chromium: imported threads and their questions
// in the inbox, recordings, models that a service lists, and what a service says of a failure.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import {
  readFile as readRecording,
  writeFile as writeRecording,
} from "../../web-demo/src/screens/recordings/recording-file.js";
import { startOpenAIServer } from "../js/openai-server.mjs";
import { DemoBrowser } from "./demo-browser.mjs";
import { lookAt } from "./hostile-look.mjs";
import { questionsOf } from "./hostile-questions.mjs";
import { importThreads, picture, waitingThreads } from "./inbox-page.mjs";
import { PAYLOADS } from "./studio-payloads.mjs";

/** Characters of a text in questions, which show all of it in some thirty places. */
const LONG = 2000;
/** Characters of a recording's title. */
const MOST_TITLE = 200;
const TEXTS = PAYLOADS.map((payload) => payload.toWellFormed().slice(0, LONG));
const isLong = process.env.WEFT_LONG === "1";
const ALL = [...TEXTS.keys()];
/** One of each kind, where each takes long; under WEFT_LONG all. */
const KINDS = isLong ? ALL : [0, 1, 12, 19, 23, 24, 25, 26, 28, 29, 33];
/** The runs of a tab that are listed. */
const MOST_RUNS = 20;
const browser = DemoBrowser.forTests();
let service;

before(async () => {
  service = await hostileService();
});
after(() => service?.close());

/** A model service that lists the texts as its models. */
async function hostileService() {
  const said = [];
  const models = await startOpenAIServer({ script: () => said.shift() });
  const lists = createServer((request, response) => {
    response.writeHead(200, {
      "access-control-allow-origin": "*",
      "access-control-allow-headers": "*",
    });
    response.end(JSON.stringify({ data: PAYLOADS.map((id) => ({ id })) }));
  });
  await new Promise((resolve) => lists.listen(0, "127.0.0.1", resolve));
  return {
    said,
    url: models.url,
    listUrl: `http://127.0.0.1:${lists.address().port}/v1`,
    close: () => (lists.closeAllConnections(), lists.close(), models.close()),
  };
}

async function openScreen(hash) {
  const page = await browser.context.newPage();
  await page.goto(browser.server.url + hash);
  return page;
}

const goTo = (page, hash) => page.evaluate((to) => void (location.hash = to), hash);
const drawn = (page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));

async function assertText(page, about) {
  await drawn(page);
  const { wrong } = await lookAt(page.locator("#main"));
  assert.deepEqual(wrong, [], about);
}

const hostileThreads = () =>
  waitingThreads(
    TEXTS.map((text, at) => ({
      id: `hostile-${at}`,
      title: text,
      messages: [
        { role: "user", content: text, name: text },
        {
          role: "assistant",
          content: text,
          name: text,
          tool_calls: [{ name: text, args: { [text]: text }, id: text }],
        },
        { role: "tool", content: text, name: text, tool_call_id: text },
        { role: "assistant", content: [{ type: "text", text }] },
      ],
      questions: questionsOf(text),
    })),
  );

test("imported threads and their questions are text in the inbox and in the list of threads", async () => {
  const page = await openScreen("#/recordings");
  await importThreads(page, await hostileThreads(), TEXTS.length);
  await goTo(page, "#/inbox");
  const count = TEXTS.length * questionsOf("").length;
  await page.getByText(`${count} requests wait in ${TEXTS.length} threads`).waitFor();
  await assertText(page, "the inbox");
  for (const at of KINDS) {
    await goTo(page, `#/inbox/hostile-${at}`);
    await page.locator(`.question[data-thread="hostile-${at}"]`).nth(6).waitFor();
    await page
      .locator('.question [data-do="edit"]')
      .evaluateAll((all) => all.forEach((one) => one.click()));
    await page.locator(".editor").first().waitFor();
    await assertText(page, `the questions of ${JSON.stringify(TEXTS[at])}`);
    if (at === 24) await picture(page, "inbox-attack");
  }
  await page.setViewportSize({ width: 1600, height: 900 });
  await goTo(page, "#/work/orders/hostile-24");
  await page.locator("weft-studio .question").nth(6).waitFor();
  await page
    .locator("weft-studio .rail .thread")
    .nth(TEXTS.length - 1)
    .waitFor();
  for (const at of isLong ? ALL : [24, 25, 26]) {
    await page.locator(`weft-studio .rail [data-thread="hostile-${at}"] .thread`).click();
    await page.locator(`weft-studio .question[data-thread="hostile-${at}"]`).nth(6).waitFor();
    await assertText(page, `the thread ${at}`);
  }
  await page.close();
});

/** Elements and names of attributes, in order. */
const shapeOf = (page) =>
  page
    .locator("body, body *")
    .evaluateAll((all) => all.map((one) => [one.localName, ...one.getAttributeNames()].join(" ")));

test("the page of useStream shows messages, calls, questions, failures and what is sent as text", async () => {
  // A thread that is not there.
  browser.expected = /Failed to load resource|404|not found/i;
  // useStream shows what the server said of it, and leaves the error to the page as well.
  browser.expectedUncaught = /^HTTP 404: .*There is no thread/;
  const page = await browser.context.newPage();
  const open = (thread) =>
    page.goto(`${browser.server.url}use-stream.html?thread=${encodeURIComponent(thread)}`);
  const assertShown = async (about) => {
    await drawn(page);
    const { wrong } = await lookAt(page.locator("body"));
    assert.deepEqual(wrong, [], about);
  };
  /** @type {string[] | undefined} */
  let shape;
  for (const at of KINDS) {
    const name = JSON.stringify(TEXTS[at].slice(0, 60));
    await open(`hostile-${at}`);
    await page.locator(".question").nth(6).waitFor();
    assert.equal(await page.locator(".messages li").count(), 4, name);
    await assertShown(name);
    shape ??= await shapeOf(page);
    assert.deepEqual(await shapeOf(page), shape, name);
    await open(TEXTS[at]);
    await page.getByRole("alert").waitFor();
    await assertShown(`the thread ${name}`);
  }
  for (const at of isLong ? ALL : [1, 24]) {
    await page.goto(`${browser.server.url}use-stream.html`);
    await page.getByLabel("Message").fill(`Please order 3 ${TEXTS[at]}`);
    await page.getByRole("button", { name: "Send" }).click();
    await page.locator('main[data-loading="false"] .messages li.human').waitFor();
    await assertShown(`sent ${JSON.stringify(TEXTS[at].slice(0, 60))}`);
  }
  await page.close();
  Object.assign(browser, { expected: undefined, expectedUncaught: undefined });
});

test("recordings of harmful texts, and files with harmful titles, are listed and played as text", async () => {
  const page = await openScreen("#/work/orders");
  const rows = page.locator("[data-run]");
  await page.locator("weft-studio .status", { hasText: "ready" }).waitFor();
  const told = isLong ? ALL.slice(-MOST_RUNS) : [1, 24, 25];
  for (const at of told)
    await page
      .locator("weft-studio")
      .evaluate(
        (studio, content) => studio.run("orders", { messages: [{ role: "user", content }] }),
        TEXTS[at],
      );
  await page.locator("weft-studio .mark[data-kind=done]").waitFor();
  await goTo(page, "#/recordings");
  await rows.nth(told.length - 1).waitFor();
  await assertText(page, "runs of this tab");
  for (const at of told.keys()) {
    await rows.nth(at).locator('[data-do="play"]').click();
    const name = await rows.nth(at).locator("span").first().innerText();
    await page.locator(".player h2", { hasText: name.slice(0, 10) }).waitFor();
    await page.locator('[data-verdict="same"]').waitFor();
    await page.locator("weft-studio .mark").first().waitFor();
    await assertText(page, `the recording of ${JSON.stringify(name)}`);
  }
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    rows.first().locator('[data-do="save"]').click(),
  ]);
  const saved = readRecording(await readFile(await download.path(), "utf8"));
  for (const at of KINDS) {
    const title = TEXTS[at].slice(0, MOST_TITLE);
    const graph = at % 2 ? title : saved.graph;
    const file = writeRecording({ ...saved, title, at: title, graph });
    const [chooser] = await Promise.all([
      page.waitForEvent("filechooser"),
      page.locator('[data-do="open"]').click(),
    ]);
    await chooser.setFiles({
      name: `${at}.json`,
      mimeType: "text/plain",
      buffer: Buffer.from(file),
    });
    const verdict = at % 2 ? "refused" : "same";
    await page.locator(`[data-verdict="${verdict}"]`).waitFor();
    await assertText(page, `a file called ${JSON.stringify(title.slice(0, 60))}`);
  }
  await page.close();
});

test("models that a service lists, failures that it reports, and its answers are text", async () => {
  browser.expected = /Failed to load resource/;
  const page = await openScreen("#/models");
  await page.getByRole("radio", { name: /A model service/ }).check();
  await page.getByLabel("Service", { exact: true }).selectOption("other");
  await page.getByLabel("Address").fill(service.listUrl);
  await page.getByRole("button", { name: "List models", exact: true }).click();
  await page.locator(".names button").nth(20).waitFor();
  await assertText(page, "the list of models");
  await page.getByLabel("Address").fill(service.url);
  await page.getByLabel("Model", { exact: true }).fill("m");
  const run = page.getByRole("button", { name: "Test", exact: true });
  for (const text of TEXTS) {
    service.said.push({ status: 400, body: { error: { message: text, code: text, type: text } } });
    await run.click();
    await page.locator("weft-notice section").waitFor();
    await assertText(page, `a notice of ${JSON.stringify(text.slice(0, 60))}`);
  }
  for (const text of TEXTS) {
    service.said.push({ content: text, finish_reason: text });
    await run.click();
    await page.locator(".tested blockquote").waitFor();
    await assertText(page, `an answer of ${JSON.stringify(text.slice(0, 60))}`);
  }
  browser.expected = undefined;
  await page.close();
});

test("no page broke the policy, reported an error or went elsewhere", () =>
  assert.deepEqual(browser.faults, []));
