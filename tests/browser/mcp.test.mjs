// SPDX-License-Identifier: MIT
// Serves docs/guides/mcp.md: a page of Chromium uses MCP servers of other origins, in both eras; a
// question outlives the tab that it was asked in; a page serves tools over a port.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { serveMcp } from "weftgraph/mcp/server";
import { toNodeHandler } from "weftgraph/server/node";
import { makeGraph, MAIL, makeTools } from "../js/mcp-served.mjs";
import { startEverything } from "../js/mcp-everything.mjs";
import { WAIT_MS, launchChromium } from "./chromium.mjs";

const servers = [];
let site, browser, everything;

/** @returns {Promise<string>} the origin */
async function listen(handler) {
  const server = createServer(handler);
  servers.push(server);
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${server.address().port}`;
}

before(async () => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("mcp-page.mjs", import.meta.url))],
    bundle: true,
    format: "esm",
    write: false,
    target: "es2022",
  });
  site = await listen((request, response) => {
    const isScript = request.url === "/page.js";
    response.writeHead(200, {
      "content-type": isScript ? "text/javascript" : "text/html",
      "content-security-policy":
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src http://127.0.0.1:*",
    });
    response.end(
      isScript
        ? outputFiles[0].contents
        : '<!doctype html><title>a page</title><script type="module" src="/page.js"></script>',
    );
  });
  [browser, everything] = await Promise.all([launchChromium(), startEverything()]);
});

after(async () => {
  await browser?.close();
  everything?.stop();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

/** @returns {Promise<(name: string, ...words: unknown[]) => Promise<any>>} calls of a new tab */
async function openTab(context) {
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT_MS);
  page.on("pageerror", (error) => assert.fail(error));
  await page.goto(site);
  await page.waitForFunction(() => globalThis.tab !== undefined);
  const call = (name, ...words) =>
    page.evaluate(([what, args]) => globalThis.tab[what](...args), [name, words]);
  return Object.assign(call, { close: () => page.close() });
}

test("a page uses the official example server: tools, progress, a question", {
  timeout: 600_000,
}, async (t) => {
  const context = await browser.newContext();
  t.after(() => context.close());
  const tab = await openTab(context);
  const operation = { duration: 0.2, steps: 2 };
  const { era, names, results, progress } = await tab(
    "use",
    everything.url,
    [
      { name: "echo", arguments: { message: "hi" } },
      { name: "get-structured-content", arguments: { location: "New York" } },
      { name: "trigger-long-running-operation", arguments: operation },
      { name: "trigger-elicitation-request", arguments: {} },
    ],
    { action: "accept", content: { name: "Ada" } },
  );
  assert.equal(era, "legacy");
  assert.ok(names.includes("get-sum"));
  assert.match(results[0].content[0].text, /hi/);
  assert.equal(typeof results[1].structuredContent.temperature, "number");
  assert.deepEqual(progress, [1, 2]);
  assert.match(JSON.stringify(results[3].content), /Ada/);
});

test("a served graph's question outlives the tab, and is answered in another one", {
  timeout: 600_000,
}, async (t) => {
  const context = await browser.newContext();
  t.after(() => context.close());
  const calls = [];
  const server = serveMcp(makeGraph(calls), { ...MAIL, output: ({ sent }) => sent });
  const url = `${await listen(toNodeHandler(server))}/mcp`;
  const first = await openTab(context);
  await first("ask", url, "send_mail", { to: "Ada" });
  await first.close();
  const second = await openTab(context);
  const [[key, { params }]] = Object.entries(await second("question", url));
  assert.equal(params.message, "What to write?");
  const answer = { [key]: { action: "accept", content: { answer: "hello" } } };
  assert.equal(await second("resume", url, answer), "Dear Ada, hello");
  assert.deepEqual(calls, ["greet", "write"]);
});

test("a page calls a server of another origin that allows it, and learns why another cannot be reached", {
  timeout: 600_000,
}, async (t) => {
  const context = await browser.newContext();
  t.after(() => context.close());
  const tab = await openTab(context);
  const serve = async (options) =>
    `${await listen(toNodeHandler(serveMcp(makeTools(), options)))}/mcp`;
  const closed = await serve({ hosts: ["tools.example"] });
  assert.match(await tab("refused", closed), /^NETWORK: .*CORS/);
  const { era, results } = await tab("use", await serve({ cors: [site] }), [
    { name: "slow", arguments: {} },
    { name: "add", arguments: { a: 1, b: 2 } },
  ]);
  assert.equal(era, "modern");
  assert.equal(results[0].content[0].text, "done");
  assert.deepEqual(results[1].structuredContent, { sum: 3 });
});

test("a page serves tools over a port", { timeout: 600_000 }, async (t) => {
  const context = await browser.newContext();
  t.after(() => context.close());
  const tab = await openTab(context);
  assert.deepEqual(await tab("overPort"), ["a page", "a page"]);
});
