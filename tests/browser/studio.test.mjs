// SPDX-License-Identifier: MIT
// <weft-studio> in Chromium, on a page of its own under a strict policy: a live graph, checkpoints,
// forks, questions.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { WAIT_MS } from "./chromium.mjs";
import {
  StudioBrowser,
  atRest,
  marks,
  nodeStates,
  picture,
  say,
  settled,
  untilState,
} from "./studio-browser.mjs";

let studio;

before(async () => {
  studio = await StudioBrowser.open();
});

after(async () => {
  await studio?.close();
});

test("the box for a message grows with its lines", async (t) => {
  const page = await studio.page(t, "?graph=agent");
  const box = page.locator("weft-studio .composer textarea");
  const height = () => box.evaluate((element) => element.offsetHeight);
  const low = await height();
  await box.fill("Hello\nin\nfour\nlines");
  assert.ok((await height()) >= low + 40, `${low} px, then ${await height()}`);
  await box.fill("Hello");
  assert.equal(await height(), low);
});

test("a message runs the graph, a call is approved once it was seen, and the graph shows it", async (t) => {
  const page = await studio.page(t, "?graph=agent");
  await say(page, "Please order 3 teapots");
  await untilState(page, "tools", "waiting");
  const approve = page.getByRole("button", { name: "Approve", exact: true });
  await page.locator('weft-studio button[data-do="approve"]:enabled').waitFor();
  await picture(page, "studio-approval");
  assert.deepEqual(await page.evaluate("globalThis.ran"), []);
  await approve.click();
  await page
    .locator("weft-studio .talk", { hasText: "The order is placed: 3 x teapots." })
    .waitFor();
  await settled(page);
  assert.deepEqual(await page.evaluate("globalThis.ran"), ["teapots"]);
  assert.equal((await nodeStates(page)).tools, "done");
  assert.deepEqual(await marks(page), ["open", "open", "open", "open", "done"]);
});

test("each checkpoint shows its own state and what its step changed, by keyboard", async (t) => {
  const page = await studio.page(t, "?graph=agent");
  await say(page, "Please order 3 teapots");
  await untilState(page, "tools", "waiting");
  await settled(page);
  // The run ends before its history is read: until then the first checkpoint may be the newest.
  await page.locator('weft-studio .timeline[aria-valuemax="3"]').waitFor();
  const slider = page.getByRole("slider", { name: "Checkpoints" });
  await slider.focus();
  await page.keyboard.press("Home");
  const at = (place) => page.locator(`weft-studio .timeline[aria-valuenow="${place}"]`).waitFor();
  await at(1);
  await page.keyboard.press("ArrowRight");
  await at(2);
  assert.match(await slider.getAttribute("aria-valuetext"), /step 0, before agent/);
  const changes = page.locator("weft-studio .changes li");
  assert.deepEqual(await changes.evaluateAll((list) => list.map(({ dataset }) => dataset.change)), [
    "added",
  ]);
  assert.match(await changes.first().innerText(), /\/messages\/0[^]*Please order 3 teapots/);
  assert.equal((await nodeStates(page)).agent, "next");
  await page.getByRole("button", { name: "Play the history" }).click();
  await at(3);
  await page.getByRole("button", { name: "Play the history" }).waitFor();
});

test("a view that is only read has nothing to write, to answer or to choose", async (t) => {
  const page = await studio.page(t, "?graph=agent&readonly=");
  await page.evaluate(async () => {
    await globalThis.studio.run("agent", { messages: [{ role: "user", content: "Order 3 cups" }] });
  });
  await untilState(page, "tools", "waiting");
  await settled(page);
  await page.getByRole("slider", { name: "Checkpoints" }).press("Home");
  const left = await page.locator("weft-studio button:visible, weft-studio textarea:visible").all();
  const names = await Promise.all(left.map((one) => one.evaluate((b) => b.dataset.do ?? b.role)));
  assert.deepEqual(
    [...new Set(names)].sort(),
    ["back", "fit", "forward", "larger", "play", "smaller", "tab"].sort(),
  );
});

test("a graph is moved and made larger, and shows graphs inside or as one node", async (t) => {
  const page = await studio.page(t, "?graph=research");
  const graph = page.locator("weft-studio .graph");
  const box = async () => (await graph.getAttribute("viewBox")).split(" ").map(Number);
  const rest = () => atRest(async () => [await box(), await graph.boundingBox()]);
  const [whole, { x, y, width, height }] = await rest();
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.wheel(0, -300);
  await page.waitForFunction(
    (was) => globalThis.studio.shadowRoot.querySelector(".graph").viewBox.baseVal.width < was,
    whole[2],
  );
  const [near] = await rest();
  await page.mouse.down();
  await page.mouse.move(x + width / 2 + 80, y + height / 2 + 30, { steps: 4 });
  await page.mouse.up();
  await page.waitForFunction(
    (was) => globalThis.studio.shadowRoot.querySelector(".graph").viewBox.baseVal.x < was - 10,
    near[0],
  );
  await page.getByRole("button", { name: "Show the whole graph" }).click();
  await page.waitForFunction(
    (was) =>
      Math.abs(globalThis.studio.shadowRoot.querySelector(".graph").viewBox.baseVal.x - was) < 1,
    whole[0],
  );
  const nodes = async () => Object.keys(await nodeStates(page));
  assert.ok((await nodes()).includes("deep:read"));
  await page.getByRole("checkbox", { name: "Graphs inside" }).uncheck();
  await page.locator('weft-studio .node[data-node="deep"]').waitFor();
  assert.ok(!(await nodes()).includes("deep:read"));
  await page.locator('weft-studio .node[data-node="deep"]').click();
  await page.locator("weft-studio .inspected", { hasText: "Node deep" }).waitFor();
});

test("a state written at an old checkpoint is a branch that runs on by itself", async (t) => {
  const page = await studio.page(t, "?graph=agent");
  await say(page, "Please order 3 teapots");
  await untilState(page, "tools", "waiting");
  await settled(page);
  await page.locator('weft-studio .timeline[aria-valuemax="3"]').waitFor();
  await page.getByRole("slider", { name: "Checkpoints" }).focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await page.getByRole("button", { name: "Edit state" }).click();
  await page
    .getByLabel("What to write")
    .fill('{ "messages": [{ "role": "user", "content": "Please order 2 cups" }] }');
  await page.getByRole("button", { name: "Write as a branch" }).click();
  await page.locator("weft-studio .at", { hasText: "written by hand" }).waitFor();
  assert.equal((await marks(page)).length, 4);
  await page.locator("weft-studio .notice", { hasText: "This branch has not run yet" }).waitFor();
  await page.getByRole("button", { name: "Run it", exact: true }).click();
  await page.locator("weft-studio .question pre", { hasText: "cups" }).waitFor();
  await settled(page);
  await picture(page, "studio-fork");
  const lanes = await page
    .locator("weft-studio .mark")
    .evaluateAll((list) => list.map(({ dataset }) => dataset.lane));
  assert.equal(new Set(lanes).size, 2);
  assert.deepEqual(await page.evaluate("globalThis.ran"), []);
});

test("parallel tasks are counted, nodes of graphs inside light up, a failure names its node", async (t) => {
  const page = await studio.page(t, "?graph=research");
  const topics = [...Array(19).keys()].map((at) => `t${at}`).concat("fail");
  await page.getByLabel("Input of the graph").fill(JSON.stringify({ topics }));
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.locator("weft-studio .tasks", { hasText: "20 of 20" }).waitFor();
  await untilState(page, "deep:read", "running");
  await picture(page, "studio-parallel");
  await page.evaluate("globalThis.release()");
  await untilState(page, "broken", "failed");
  await page.locator('weft-studio .node[data-node="broken"]').click();
  const problem = page.locator("weft-studio .inspected .problem").first();
  assert.match(await problem.innerText(), /<img src=x onerror=alert\(1\)>/);
  assert.match(await problem.innerText(), /\\u\{202E\}/);
  assert.equal(await page.locator("weft-studio img").count(), 0);
  assert.equal((await nodeStates(page)).search, "done");
  await picture(page, "studio-failed");
});

test("a thread that was deleted elsewhere is said to be, is asked for no more and not made again", async (t) => {
  const page = await studio.page(t, "?graph=agent");
  await say(page, "Please order 3 teapots");
  await untilState(page, "tools", "waiting");
  await settled(page);
  await page.getByLabel("Message", { exact: true }).fill("half a sentence");
  const other = await page.evaluate(async () => {
    const { server, studio: element } = globalThis;
    const send = (path, init) => server.fetch(`http://weft.local${path}`, init);
    const made = await send("/threads", {
      method: "POST",
      body: JSON.stringify({ metadata: { graph_id: "agent", title: "Another one" } }),
    });
    const { fetch } = server;
    globalThis.asked = [];
    server.fetch = (input, init) => {
      globalThis.asked.push(String(input));
      return fetch.call(server, input, init);
    };
    globalThis.lost = element.thread;
    await fetch.call(server, `http://weft.local/threads/${element.thread}`, { method: "DELETE" });
    return (await made.json()).thread_id;
  });
  const gone = page.getByRole("status").filter({ hasText: "This thread was deleted elsewhere" });
  await gone.filter({ hasText: "Please order 3 teapots" }).waitFor();
  await picture(page, "studio-gone");
  assert.equal(await page.evaluate("globalThis.studio.thread"), "");
  const listed = page.locator("weft-studio .rail li");
  assert.deepEqual(await listed.evaluateAll((list) => list.map(({ dataset }) => dataset.thread)), [
    other,
  ]);
  assert.equal(await page.getByLabel("Message", { exact: true }).inputValue(), "half a sentence");
  const again = await page.evaluate(async () => {
    globalThis.asked.length = 0;
    await new Promise((resolve) => setTimeout(resolve, 2500));
    return globalThis.asked.filter((address) => address.includes(globalThis.lost));
  });
  assert.deepEqual(again, []);
  // Another one is chosen, or begun.
  await page.getByRole("button", { name: /^Another one/ }).click();
  await gone.waitFor({ state: "hidden" });
  await page.evaluate((id) => globalThis.studio.setAttribute("thread", id), "never-there");
  await page.getByRole("status").filter({ hasText: "This thread is not there" }).waitFor();
  await say(page, "Please order 2 cups");
  await untilState(page, "tools", "waiting");
  assert.equal(await gone.count(), 0);
  const ids = await page.evaluate(async () => {
    const init = { method: "POST", body: "{}" };
    const found = await globalThis.server.fetch("http://weft.local/threads/search", init);
    return (await found.json()).map(({ thread_id }) => thread_id);
  });
  assert.equal(ids.length, 2);
  assert.ok(!ids.includes(await page.evaluate("globalThis.lost")));
});

test("ten lines put it on a page, and it is at most 90 kB gzipped", () => {
  const guide = readFileSync(new URL("../../docs/guides/studio.md", import.meta.url), "utf8");
  const [, snippet] = /```html\n([^]*?)```/.exec(guide);
  assert.ok(snippet.includes('document.createElement("weft-studio")'));
  assert.ok(snippet.trim().split("\n").length <= 10);
  const file = readFileSync(new URL(import.meta.resolve("weftgraph/studio")));
  const { length } = gzipSync(file);
  assert.ok(length <= 90_000, `${length} bytes`);
});

test("`weftgraph studio` serves graphs and a page for them, with a token that nobody else has", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "weft-studio-"));
  writeFileSync(
    join(folder, "graph.mjs"),
    `import { createReactAgent } from ${JSON.stringify(import.meta.resolve("weftgraph/prebuilt"))};
     import { DemoModel } from ${JSON.stringify(import.meta.resolve("weftgraph/models/demo"))};
     export default createReactAgent({ llm: new DemoModel(), tools: [] });`,
  );
  const command = fileURLToPath(new URL("../../js/cli/main.js", import.meta.url));
  const child = spawn(process.execPath, [command, "studio", "./graph.mjs", "--port", "0"], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  t.after(async () => {
    child.kill();
    await once(child, "close");
    rmSync(folder, { recursive: true });
  });
  let told = "";
  while (!/http:\S+\n/.test(told)) told += await new Promise((ok) => child.stdout.once("data", ok));
  const [, address] = /(http:\S+)\n/.exec(told);
  const { origin: served, hash } = new URL(address);
  assert.match(hash, /^#token=[\w-]{32}$/);
  assert.equal(
    (await fetch(`${served}/assistants/search`, { method: "POST", body: "{}" })).status,
    401,
  );
  const withToken = { "x-api-key": hash.slice("#token=".length), origin: "https://other.example" };
  assert.equal((await fetch(`${served}/info`, { headers: withToken })).status, 403);
  const { headers } = await fetch(`${served}/studio`);
  assert.match(headers.get("content-security-policy"), /frame-ancestors 'none'/);

  const page = await studio.browser.newPage({
    colorScheme: "dark",
    viewport: { width: 390, height: 844 },
  });
  page.setDefaultTimeout(WAIT_MS);
  t.after(() => page.close());
  const errors = [];
  page.on("pageerror", (error) => errors.push(error.message));
  await page.goto(address);
  const ready = page.locator("weft-studio .status", { hasText: "ready" });
  await ready.waitFor();
  assert.equal(page.url(), `${served}/studio#/agent`);
  await say(page, "Hello");
  await page.locator("weft-studio .talk li.ai").waitFor();
  await page.reload();
  await ready.waitFor();
  const width = await page.evaluate("document.documentElement.scrollWidth");
  assert.ok(width <= 390, `${width} px wide`);
  await page.getByRole("button", { name: /^Threads/ }).click();
  await page.getByRole("button", { name: /^Hello/ }).click();
  await page.locator("weft-studio .talk li.ai").waitFor();
  await picture(page, "studio-phone-dark");
  assert.deepEqual(errors, []);
});
