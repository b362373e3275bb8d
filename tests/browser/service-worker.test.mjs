// SPDX-License-Identifier: MIT
// A static page whose service worker answers for an Agent Server, in Chromium: the SDK's client by
// the page's own fetch, against a graph in the tab, in another tab, and in the service worker.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { WAIT_MS, launchChromium } from "./chromium.mjs";

const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";
const SCRIPTS = ["worker-page", "worker-forward", "worker-own"];
let server, origin, browser;

before(async () => {
  const { outputFiles } = await build({
    entryPoints: SCRIPTS.map((name) => fileURLToPath(new URL(`${name}.mjs`, import.meta.url))),
    bundle: true,
    format: "esm",
    platform: "browser",
    conditions: ["browser"],
    external: ["node:*"],
    outdir: "out",
    write: false,
    target: "es2022",
  });
  const files = new Map(
    outputFiles.map(({ path, contents }) => [`/${path.split("/").at(-1)}`, contents]),
  );
  server = createServer(({ url }, response) => {
    const script = files.get(url);
    if (script === undefined && url !== "/") return response.writeHead(404).end("the network");
    response.writeHead(200, {
      "content-type": script === undefined ? "text/html" : "text/javascript",
      "content-security-policy": POLICY,
    });
    return response.end(
      script ?? '<!doctype html><title>tab</title><script src="/worker-page.js"></script>',
    );
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${server.address().port}/`;
  browser = await launchChromium();
});

after(async () => {
  await browser?.close();
  server?.closeAllConnections();
  server?.close();
});

/** A tab with a service worker, in a profile of its own or one that is given. */
async function open(script, context) {
  const place = context ?? (await browser.newContext());
  const page = await place.newPage();
  page.setDefaultTimeout(WAIT_MS);
  await page.goto(origin);
  await page.waitForFunction(() => globalThis.tab !== undefined);
  const call = (name, ...words) =>
    page.evaluate(([what, args]) => globalThis.tab[what](...args), [name, words]);
  await call("register", script);
  return { page, call, context: place };
}

/** Stops the service workers of a tab's site, as the browser does with idle ones. */
async function stopWorkers({ page, context }) {
  const session = await context.newCDPSession(page);
  await session.send("ServiceWorker.enable");
  await session.send("ServiceWorker.stopAllWorkers");
  await session.detach();
}

/**
 * Pieces of an answer come as they are said. A page that was busy may get some at once: then it is
 * asked once more, in a thread of its own.
 */
async function checkPieces({ call }, threadId) {
  for (let turn = 0; turn < 5; turn++) {
    await call("createThread", `${threadId}-${turn}`);
    const told = await call("turn", `${threadId}-${turn}`, "hello");
    const times = told.pieces.map(([time]) => time);
    if (times.length >= 4 && times.at(-1) - times[0] > 100) return;
  }
  assert.fail("the pieces of five answers came at once");
}

async function checkTurns(tab, threadId) {
  const { call } = tab;
  await checkPieces(tab, `${threadId}-pieces`);
  await call("createThread", threadId);
  assert.equal((await call("turn", threadId, "hello")).text, "one two three four");
  const asked = await call("turn", threadId, "ask");
  assert.equal(asked.question, "may I?");
  const answered = await call("turn", threadId, undefined, "you may");
  assert.equal(answered.text, "you may");
}

test("a graph in the tab: the SDK's client streams, is asked and answers, by plain fetch", {
  timeout: 600_000,
}, async () => {
  const tab = await open("/worker-forward.js");
  assert.deepEqual((await tab.call("ask", "/ok"))[0], 503);
  await tab.call("offer");
  assert.deepEqual(await tab.call("ask", "/ok"), [200, { ok: true }]);
  await checkTurns(tab, "t");
  assert.deepEqual(await tab.call("control"), ["may I?", "yes"]);
  assert.equal((await tab.call("ask", "/nothing"))[0], 404);
  const outside = await tab.page.evaluate(async () => (await fetch("/agent")).text());
  assert.equal(outside, "the network");
  await tab.context.close();
});

test("a service worker that was stopped asks the tabs again; each tab keeps to its own graph", {
  timeout: 600_000,
}, async () => {
  const one = await open("/worker-forward.js");
  const two = await open("/worker-forward.js", one.context);
  await one.call("offer");
  await two.call("offer");
  await one.call("createThread", "mine");
  assert.equal((await two.call("ask", "/threads/mine"))[0], 404);
  for (let turn = 0; turn < 3; turn++) {
    await stopWorkers(one);
    assert.equal((await one.call("ask", "/threads/mine"))[0], 200);
    assert.equal((await two.call("ask", "/threads/mine"))[0], 404);
  }
  await two.call("takeBack");
  assert.equal((await two.call("ask", "/threads/mine"))[0], 200, "the other tab answers");
  await one.context.close();
});

test("who leaves a stream ends its run in the tab; a tab that closes ends what it answers", {
  timeout: 600_000,
}, async () => {
  const one = await open("/worker-forward.js");
  await one.call("offer");
  const two = await open("/worker-forward.js", one.context);
  await two.call("createThread", "t");
  await two.call("begin", "t");
  await two.call("leave");
  assert.notEqual(await two.call("end"), undefined);
  await one.page.waitForFunction(() => globalThis.tab.heard().length === 2);
  assert.deepEqual(await one.call("heard"), ["slow began", "slow was cancelled"]);
  await two.call("begin", "t");
  await one.page.close();
  assert.notEqual(await two.call("end"), undefined);
  assert.equal((await two.call("ask", "/ok"))[0], 503);
  await one.context.close();
});

test("a graph in the service worker: the same, and threads outlast the tab", {
  timeout: 600_000,
}, async () => {
  const tab = await open("/worker-own.js");
  await checkTurns(tab, "t");
  assert.deepEqual(await tab.call("control"), ["may I?", "yes"]);
  const other = await open("/worker-own.js", tab.context);
  await tab.page.close();
  assert.equal((await other.call("ask", "/threads/t/state"))[1].values.messages.length, 4);
  await tab.context.close();
});

test("a form, of whichever site, starts and writes nothing", async () => {
  const tab = await open("worker-forward.js");
  await tab.call("offer");
  assert.deepEqual((await tab.call("ask", "/ok"))[0], 200);
  const elsewhere = "http://other.example/";
  await tab.context.route(elsewhere, (route) =>
    route.fulfill({ contentType: "text/html", body: "<!doctype html><title>other</title>" }),
  );
  for (const from of [elsewhere, origin]) {
    const other = await tab.context.newPage();
    await other.goto(from);
    const [answer] = await Promise.all([
      other.waitForResponse((response) => response.url().endsWith("/agents/threads")),
      other.evaluate((action) => {
        const form = document.body.appendChild(document.createElement("form"));
        Object.assign(form, { method: "post", action, enctype: "text/plain" });
        const field = form.appendChild(document.createElement("input"));
        field.name = '{"thread_id":"by-a-form","metadata":{"x":"';
        field.value = '"}}';
        // It ends this script, too.
        setTimeout(() => form.submit());
      }, `${origin}agents/threads`),
    ]);
    assert.equal(answer.status(), 403, from);
  }
  assert.equal((await tab.call("ask", "/threads/by-a-form"))[0], 404);
  await tab.context.close();
});
