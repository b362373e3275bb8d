// SPDX-License-Identifier: MIT
// A page in Chromium whose files vanish from their server after it was loaded, as when its site is
// replaced: an agent asks, is approved and calls its tools, nodes fail, are tried again and run
// side by side, states are edited, in memory and in IndexedDB. A feature that needs a file says so
// and leaves the thread as it was; once the files are back, it works.
import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { init, parse } from "es-module-lexer";
import { build as esbuild } from "esbuild";
import { build as vite } from "vite";
import { checkFailures, checkWork } from "../js/without-files.mjs";
import { WAIT_MS, launchChromium } from "./chromium.mjs";
import { hasFirefox, launchFirefox } from "./firefox.mjs";

const top = fileURLToPath(new URL("../../", import.meta.url));
const entry = fileURLToPath(new URL("files-gone-page.mjs", import.meta.url));
const isScript = (path) => /\.m?js$/.test(path);
/** How they are gone: no file, no server, a site that answers all it has not got with its page. */
const GONE = ["not found", "refused", "another page"];
const html = (script, head = "") =>
  `<!doctype html><title>page</title>${head}<script type="module" src="${script}"></script>`;

let folder, browser;

before(async () => {
  await init;
  folder = await fs.mkdtemp(join(tmpdir(), "weft-gone-"));
  browser = await launchChromium();
});

after(async () => {
  await browser?.close();
  await fs.rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

/**
 * A server of one folder whose files can be taken away.
 * @param {string} root
 * @param {string} index the page at /
 */
async function serve(root, index) {
  /** @type {"there" | "not found" | "another page" | "refused"} */
  let files = "there";
  const server = createServer(async ({ url = "/" }, response) => {
    const path = new URL(url, "http://a").pathname;
    const bytes = path === "/" ? index : await fs.readFile(join(root, path)).catch(() => undefined);
    const [status, body] =
      files === "not found" || bytes === undefined
        ? [404, undefined]
        : files === "another page"
          ? [200, index]
          : [200, bytes];
    response.writeHead(status, {
      "content-type": body !== index && isScript(path) ? "text/javascript" : "text/html",
      "cache-control": "no-store",
    });
    response.end(body);
  });
  const listen = (port) =>
    new Promise((resolve) => server.listen(port, "127.0.0.1", () => resolve(undefined)));
  await listen(0);
  const { port } = server.address();
  const close = () =>
    new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  return {
    origin: `http://127.0.0.1:${port}`,
    close,
    /** @param {typeof files} next */
    async setFiles(next) {
      if (next === "refused") await close();
      else if (files === "refused") await listen(port);
      files = next;
    },
  };
}

const BUILDS = {
  "esbuild, split": async (outdir) => {
    await esbuild({
      entryPoints: [entry],
      bundle: true,
      splitting: true,
      minify: true,
      format: "esm",
      platform: "browser",
      outdir,
      entryNames: "page",
      logLevel: "error",
    });
    return { root: outdir, index: html("/page.js") };
  },
  Vite: async (outDir) => {
    await vite({
      configFile: false,
      logLevel: "error",
      root: top,
      build: {
        outDir,
        emptyOutDir: false,
        rollupOptions: { input: entry, output: { entryFileNames: "page.js" } },
      },
    });
    return { root: outDir, index: html("/page.js") };
  },
  "modules as they are": async () => {
    const { exports } = JSON.parse(await fs.readFile(join(top, "package.json"), "utf8"));
    const imports = Object.fromEntries(
      Object.entries(exports).map(([name, target]) => [
        `weftgraph${name.slice(1)}`,
        (target.default ?? target).slice(1),
      ]),
    );
    imports["#load"] = "/js/engine/load/load-inline.js";
    imports["#event-views"] = "/js/events/lazy-views.js";
    imports["#saver-methods"] = "/js/savers/lazy-methods.js";
    imports["#server-tabs"] = "/js/server/tabs/lazy-tabs.js";
    return {
      root: top,
      index: html(
        "/tests/browser/files-gone-page.mjs",
        `<script type="importmap">${JSON.stringify({ imports })}</script>`,
      ),
    };
  },
};

/**
 * In which wave a browser asks for each script: one file names the files of the next.
 * @param {string} root
 * @param {string} first
 */
async function waves(root, first) {
  const found = [[first]];
  const seen = new Set(found[0]);
  for (const wave of found) {
    const next = [];
    for (const path of wave) {
      const [imports] = parse(await fs.readFile(join(root, path), "utf8"));
      for (const { specifier } of imports.filter(({ type }) => type === "static")) {
        const to = join(path, "..", specifier);
        if (!seen.has(to)) next.push(to);
        seen.add(to);
      }
    }
    if (next.length > 0) found.push(next);
  }
  return found;
}

for (const [name, make] of Object.entries(BUILDS)) {
  const isLater = name === "modules as they are" && !process.env.WEFT_LONG;
  test(`a page whose files are gone goes on: ${name}`, {
    timeout: 600_000,
    skip: isLater ? "slow: make check-long" : false,
  }, async (t) => {
    const { root, index } = await make(join(folder, name.replace(/\W+/g, "-")));
    const server = await serve(root, index);
    t.after(server.close);
    for (const gone of GONE) {
      for (const saver of ["memory", "idbfs"]) {
        await t.test(`${gone}, ${saver}`, async () => {
          await server.setFiles("there");
          const context = await browser.newContext();
          const page = await context.newPage();
          page.setDefaultTimeout(WAIT_MS);
          let asked = [];
          page.on("request", (request) => asked.push(new URL(request.url()).pathname));
          await page.goto(`${server.origin}/`);
          await page.waitForFunction(() => globalThis.page !== undefined);
          await server.setFiles(gone);
          if (name !== "modules as they are") {
            const scripts = asked.filter(isScript);
            const expected = await waves(root, "/page.js");
            assert.deepEqual(scripts.toSorted(), expected.flat().toSorted());
            assert.ok(
              scripts.length <= 6 && expected.length <= 2,
              `at most six files in two waves: ${JSON.stringify(expected)}`,
            );
          }
          asked = [];
          checkWork(assert, await page.evaluate((name) => globalThis.page.work(name), saver));
          await page.evaluate((name) => globalThis.page.open(name), saver);
          assert.deepEqual(asked, [], "nothing was asked for");
          checkFailures(
            assert,
            await page.evaluate(() => globalThis.page.tryAll()),
            /Failed to fetch/,
          );
          assert.equal(await page.evaluate(() => globalThis.page.read()), 2);
          assert.equal(await page.evaluate(() => globalThis.page.goOn(5)), 6);
          await server.setFiles("there");
          assert.deepEqual(
            Object.entries(await page.evaluate(() => globalThis.page.tryAll())).filter(
              ([, failure]) => failure != null,
            ),
            [],
          );
          await context.close();
        });
      }
    }
  });
}

test("in Firefox too, where what was gone is there again after a reload", {
  timeout: 600_000,
  skip: !process.env.WEFT_LONG
    ? "slow: make check-long PART=firefox"
    : hasFirefox
      ? false
      : "there is no Firefox",
}, async (t) => {
  const { root, index } = await BUILDS.Vite(join(folder, "firefox"));
  const server = await serve(root, index);
  const profile = await fs.mkdtemp(join(tmpdir(), "weft-gone-firefox-"));
  const firefox = await launchFirefox(profile);
  t.after(async () => {
    await firefox.kill();
    await server.close();
    await fs.rm(profile, { recursive: true, force: true, maxRetries: 5 });
  });
  const page = await firefox.openPage(`${server.origin}/`);
  await server.setFiles("not found");
  checkWork(assert, await page.call("async () => page.work('idbfs')"));
  await page.call("async () => page.open('idbfs')");
  checkFailures(assert, await page.call("async () => page.tryAll()"), /error loading/);
  assert.equal(await page.call("async () => page.read()"), 2);
  assert.equal(await page.call("async () => page.goOn(5)"), 6);
  await server.setFiles("there");
  await page.goto(`${server.origin}/`);
  await page.call("async () => page.open('idbfs')");
  assert.deepEqual(await page.call("async () => page.tryAll()"), {});
});
