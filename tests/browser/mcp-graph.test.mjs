// SPDX-License-Identifier: MIT
// Serves docs/guides/mcp.md: a graph is an MCP server in Chromium, in a tab over a port and in a
// worker of its own; it reports, asks its person, returns a structure, and stops when it is left.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { TAKEN } from "../js/mcp-trip.mjs";
import { WAIT_MS, launchChromium } from "./chromium.mjs";

const PLACES = ["in the page, over a MessagePort", "in a worker of its own"];
const KINDS = [
  "our client, modern",
  "our client, legacy",
  "the official client 2, modern",
  "the official client 2, legacy",
  "the official client 1",
];
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'";
let server, browser, origin;

/** @returns {Promise<Uint8Array>} a script with all that it imports */
async function bundle(name) {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(name, import.meta.url))],
    bundle: true,
    format: "esm",
    write: false,
    target: "es2022",
    conditions: ["browser"],
  });
  return outputFiles[0].contents;
}

before(async () => {
  const scripts = {
    "/page.js": await bundle("mcp-graph-page.mjs"),
    "/worker.js": await bundle("mcp-graph-worker.mjs"),
  };
  server = createServer(({ url }, response) => {
    const script = scripts[url];
    response.writeHead(200, {
      "content-type": script ? "text/javascript" : "text/html",
      "content-security-policy": url === "/eval" ? `${POLICY} 'unsafe-eval'` : POLICY,
    });
    response.end(
      script ??
        '<!doctype html><title>a page</title><script type="module" src="/page.js"></script>',
    );
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${server.address().port}`;
  browser = await launchChromium();
});

after(async () => {
  await browser?.close();
  server?.closeAllConnections();
  server?.close();
});

for (const place of PLACES)
  for (const kind of KINDS)
    test(`${kind} uses a graph ${place}`, { timeout: 600_000 }, async (t) => {
      const page = await browser.newPage();
      t.after(() => page.close());
      page.setDefaultTimeout(WAIT_MS);
      page.on("pageerror", (error) => assert.fail(error));
      // Version 1 makes code of schemas.
      await page.goto(kind === "the official client 1" ? `${origin}/eval` : origin);
      await page.waitForFunction(() => globalThis.tab !== undefined);
      const take = ([where, who]) => globalThis.tab.take(where, who);
      assert.deepEqual(await page.evaluate(take, [place, kind]), TAKEN);
    });
