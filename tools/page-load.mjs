// SPDX-License-Identifier: MIT
// What a page really loads: bundles a module with Vite, opens it in Chromium and lists the scripts
// that were fetched until its work was done, each compressed by itself as a server would.
import { readFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

/** An agent whose tools are objects with `invoke`. */
export const AGENT_PAGE = fileURLToPath(new URL("agent-page/shapes.mjs", import.meta.url));
/** The same with tools of `tool()` and JSON Schema. */
export const SCHEMA_PAGE = fileURLToPath(new URL("agent-page/schemas.mjs", import.meta.url));
export const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";

/** @param {string} entry @param {string} folder */
async function bundle(entry, folder) {
  const { build } = await import("vite");
  await build({
    configFile: false,
    logLevel: "error",
    root: dirname(entry),
    build: {
      outDir: folder,
      emptyOutDir: false,
      modulePreload: false,
      rollupOptions: { input: entry, output: { entryFileNames: "page.js" } },
    },
  });
  await writeFile(
    join(folder, "index.html"),
    '<!doctype html><title>page</title><script type="module" src="/page.js"></script>',
  );
}

/** @param {string} folder @returns {Promise<import("node:http").Server>} */
async function serve(folder) {
  const server = createServer(async ({ url }, response) => {
    const path = url === "/" ? "/index.html" : url;
    const bytes = await readFile(join(folder, path)).catch(() => undefined);
    response.writeHead(bytes === undefined ? 404 : 200, {
      "content-type": path.endsWith(".js") ? "text/javascript" : "text/html",
    });
    response.end(bytes);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

/**
 * @param {string} entry a module that leaves a promise in globalThis.outcome
 * @returns {Promise<{ outcome: any, scripts: { name: string, raw: number, gzip: number }[], raw:
 *   number, gzip: number }>}
 */
export async function loadPage(entry) {
  const { chromium } = await import("playwright-core");
  const folder = await mkdtemp(join(tmpdir(), "weft-page-"));
  let server, browser;
  try {
    await bundle(entry, folder);
    server = await serve(folder);
    browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
    });
    const page = await browser.newPage();
    const fetched = new Set();
    page.on("request", (request) => fetched.add(new URL(request.url()).pathname));
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    await page.waitForFunction(() => globalThis.outcome !== undefined);
    const outcome = await page.evaluate(() => globalThis.outcome);
    const scripts = [];
    for (const path of fetched) {
      if (!path.endsWith(".js")) continue;
      const bytes = await readFile(join(folder, path));
      scripts.push({
        name: basename(path),
        raw: bytes.length,
        gzip: gzipSync(bytes, { level: 9 }).length,
      });
    }
    const sum = (field) => scripts.reduce((total, script) => total + script[field], 0);
    return { outcome, scripts, raw: sum("raw"), gzip: sum("gzip") };
  } finally {
    await browser?.close();
    server?.closeAllConnections();
    server?.close();
    await rm(folder, { recursive: true, force: true });
  }
}
