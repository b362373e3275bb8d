// SPDX-License-Identifier: MIT
// Serves: weftgraph/wasm in a page that Vite built: the engine comes as a file of its own; where
// the server has not got it, from the bytes in JavaScript; under the condition weft-asset the page
// carries none. A page whose main thread refuses to compile is told to await init(), and works
// after it.
import assert from "node:assert/strict";
import { mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { build, defaultClientConditions } from "vite";
import { CHROMIUM } from "../../tools/page-load.mjs";

const program = `
import { Annotation, StateGraph, init } from "weftgraph";
import { loadEngine } from "weftgraph/wasm";
const run = async () => new StateGraph(Annotation.Root({ n: Annotation() })).addNode("a", ({ n }) => ({ n: n + 1 })).addEdge("__start__", "a").compile().invoke({ n: 1 });
const early = async () => run().then(() => "ran", ({ code }) => code);
globalThis.page = { early, init, loadEngine, run };`;

let folder, browser, server, requests;

/** @param {string} name @param {string[]} conditions */
async function make(name, conditions) {
  const root = join(folder, name);
  const entry = join(
    fileURLToPath(new URL("../..", import.meta.url)),
    `build/engine-file-${name}.mjs`,
  );
  await writeFile(entry, program);
  await build({
    configFile: false,
    logLevel: "error",
    root: join(entry, ".."),
    base: `/${name}/`,
    resolve: { conditions },
    build: {
      outDir: root,
      emptyOutDir: false,
      modulePreload: false,
      rollupOptions: { input: entry, output: { entryFileNames: "page.js" } },
    },
  });
  await rm(entry);
  await writeFile(
    join(root, "index.html"),
    `<!doctype html><title>page</title><script type="module" src="/${name}/page.js"></script>`,
  );
  const files = await readdir(root, { recursive: true });
  return {
    script: await readFile(join(root, "page.js"), "utf8"),
    wasm: files.filter((path) => path.endsWith(".wasm")),
  };
}

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "weft-engine-file-"));
  const types = { js: "text/javascript", wasm: "application/wasm", html: "text/html" };
  server = createServer(async ({ url }, response) => {
    const path = new URL(url, "http://a").pathname;
    requests.push(path);
    const bytes = await readFile(join(folder, path)).catch(() => undefined);
    response.writeHead(bytes === undefined ? 404 : 200, {
      "content-type": types[path.split(".").at(-1)] ?? "text/html",
    });
    response.end(bytes);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
  });
});

after(async () => {
  await browser?.close();
  server?.closeAllConnections();
  server?.close();
  await rm(folder, { recursive: true, force: true });
});

/** @param {string} name @param {() => void} [prepare] runs in the page before its scripts */
async function open(name, prepare) {
  requests = [];
  const page = await browser.newPage();
  if (prepare) await page.addInitScript(prepare);
  await page.goto(`http://127.0.0.1:${server.address().port}/${name}/index.html`);
  await page.waitForFunction(() => globalThis.page !== undefined);
  return page;
}

test("the engine comes as a file that the bundler copied, and without it from the JavaScript", {
  timeout: 120_000,
}, async () => {
  const { wasm } = await make("both", defaultClientConditions);
  assert.equal(wasm.length, 1);
  const page = await open("both");
  assert.deepEqual(
    await page.evaluate(async () => [
      await globalThis.page.loadEngine(),
      await globalThis.page.run(),
    ]),
    [undefined, { n: 2 }],
  );
  assert.equal(requests.filter((path) => path.endsWith(".wasm")).length, 1);
  await rm(join(folder, "both", wasm[0]));
  const bare = await open("both");
  assert.deepEqual(
    await bare.evaluate(async () => [
      await globalThis.page.loadEngine(),
      await globalThis.page.run(),
    ]),
    [undefined, { n: 2 }],
  );
});

test("under the condition weft-asset the page carries the file alone", {
  timeout: 120_000,
}, async () => {
  const { script } = await make("asset", ["weft-asset", ...defaultClientConditions]);
  const text = (
    await readFile(new URL("../../js/engine/generated/engine-text.js", import.meta.url), "utf8")
  ).split('"')[1];
  assert.ok(!script.includes(text.slice(0, 200)));
  const page = await open("asset");
  assert.deepEqual(
    await page.evaluate(async () => [
      await globalThis.page.early(),
      await globalThis.page.loadEngine(),
      await globalThis.page.run(),
    ]),
    ["ENGINE_NOT_READY", undefined, { n: 2 }],
  );
});

test("a main thread that refuses to compile is told so, and init() without an argument makes the engine", {
  timeout: 120_000,
}, async () => {
  await make("refusing", defaultClientConditions);
  const page = await open("refusing", () => {
    const refuse = (Old) =>
      new Proxy(Old, {
        construct() {
          throw new RangeError(
            "disallowed on the main thread, if the buffer size is larger than 4KB",
          );
        },
      });
    WebAssembly.Module = refuse(WebAssembly.Module);
    WebAssembly.Instance = refuse(WebAssembly.Instance);
  });
  assert.deepEqual(
    await page.evaluate(async () => [
      await globalThis.page.early(),
      await globalThis.page.init(),
      await globalThis.page.run(),
    ]),
    ["ENGINE_NOT_READY", undefined, { n: 2 }],
  );
});
