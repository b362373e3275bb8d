// SPDX-License-Identifier: MIT
// The smoke set in Chromium, in a page bundled by Vite and served under a strict content security
// policy, over the memory and the IDBFS saver, and in a worker.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { WAIT_MS, WHOLE, launchChromium } from "../browser/chromium.mjs";
import { report } from "./smoke-report.mjs";

const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'";
const TYPES = { html: "text/html", js: "text/javascript" };
let folder, server, origin, browser;

before(async () => {
  folder = await fs.mkdtemp(join(tmpdir(), "weft-smoke-"));
  await build({
    configFile: false,
    logLevel: "error",
    root: fileURLToPath(new URL("../../", import.meta.url)),
    // The page's own file is the worker's too: Vite's preloading needs a document.
    build: {
      outDir: folder,
      modulePreload: false,
      rollupOptions: {
        input: fileURLToPath(new URL("smoke-page.mjs", import.meta.url)),
        output: { entryFileNames: "page.js" },
      },
    },
  });
  await fs.writeFile(
    join(folder, "index.html"),
    '<!doctype html><title>smoke</title><script type="module" src="/page.js"></script>',
  );
  server = createServer(async (request, response) => {
    const name = new URL(request.url, origin).pathname.slice(1) || "index.html";
    const bytes = await fs.readFile(join(folder, name)).catch(() => undefined);
    response.writeHead(bytes === undefined ? 404 : 200, {
      "content-type": TYPES[name.split(".").at(-1)] ?? "text/plain",
      "content-security-policy": POLICY,
    });
    response.end(bytes);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${server.address().port}/`;
  browser = await launchChromium(WHOLE);
});

after(async () => {
  await browser?.close();
  server?.close();
  if (folder) await fs.rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

for (const [kind, place] of [
  ["memory", "over the memory saver"],
  ["idbfs", "over the IDBFS saver"],
  ["worker", "in a dedicated worker"],
]) {
  test(`the smoke set in Chromium, ${place}`, { timeout: 600_000 }, async (t) => {
    const page = await browser.newPage();
    page.setDefaultTimeout(WAIT_MS);
    const complaints = [];
    page.on("pageerror", (error) => complaints.push(error.message));
    await page.goto(`${origin}?${kind}`);
    await page.waitForFunction(() => globalThis.smokeResults !== undefined);
    await report(t, await page.evaluate(() => globalThis.smokeResults));
    await t.test("the page's policy forbids eval, and nothing asked for it", async () => {
      assert.deepEqual(complaints, []);
      assert.equal(await page.evaluate(() => globalThis.evalAnswer), "EvalError");
    });
    await page.close();
  });
}
