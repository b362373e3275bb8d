// SPDX-License-Identifier: MIT
// docs/benchmarks.md: the first answer of an agent in a page, over an empty page. Chromium with a
// fresh profile, plain and slow (processor four times slower, 10 Mbit/s, 40 ms of latency); the
// second visit, with a warm HTTP cache; and the longest task of the main thread before the answer.
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { AGENT, importsOf } from "./first-agent.mjs";
import { limitOf } from "./first-limit.mjs";
import { compare, median, overEmpty, round } from "./measure.mjs";

const top = fileURLToPath(new URL("../..", import.meta.url));
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const MUST = 3;
const ANSWERED = "globalThis.answered = performance.now();";
const PROGRAM = `${AGENT}\nawait answer();\n${ANSWERED}`;

/** @returns {Promise<Map<string, Uint8Array>>} files by path, each side in a folder of its own */
async function bundles() {
  const files = new Map();
  const programs = Object.entries(importsOf("@langchain/langgraph/web")).map(([side, imports]) => [
    side,
    imports + PROGRAM,
  ]);
  const least = await limitOf({ platform: "browser", conditions: ["browser"], minify: true });
  for (const [side, contents] of [...programs, ["limit", least + ANSWERED]]) {
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: top, sourcefile: "page.js" },
      bundle: true,
      splitting: true,
      format: "esm",
      minify: true,
      platform: "browser",
      conditions: ["browser"],
      outdir: "/out",
      entryNames: "page",
      write: false,
      logLevel: "error",
      external: ["node:*"],
      // What LangGraph.js asks of Node, its bundlers replace with nothing.
      define: { "process.env.NODE_ENV": '"production"' },
    });
    for (const { path, contents } of outputFiles)
      files.set(`/${side}/${path.split("/").at(-1)}`, gzipSync(contents, { level: 9 }));
  }
  return files;
}

/** @param {Map<string, Uint8Array>} files */
async function serve(files) {
  const server = createServer(({ url = "" }, response) => {
    const [, side, name] = url.split("/");
    if (name === "") {
      // As Vite writes it: what the first file imports is asked for beside it, which esbuild leaves
      // to the page's author.
      const beside = [...files.keys()]
        .filter((path) => path.startsWith(`/${side}/chunk-`))
        .map((path) => `<link rel="modulepreload" href="${path}">`);
      const script = side === "empty" ? ANSWERED : `import "/${side}/page.js";`;
      return void response
        .writeHead(200, { "content-type": "text/html; charset=utf-8" })
        .end(
          `<!doctype html><title>${side}</title>${beside.join("")}<script type="module">${script}</script>`,
        );
    }
    const body = files.get(url);
    response.writeHead(body === undefined ? 404 : 200, {
      "content-type": "text/javascript",
      "content-encoding": "gzip",
      "cache-control": "max-age=3600",
    });
    response.end(body);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  return server;
}

/**
 * What a page loads before its answer: the parts that are imported later are not among it.
 * @param {Map<string, Uint8Array>} files
 */
function loaded(files) {
  const row = {
    name: "what the page of these answers loads, in one wave",
    unit: "kB gz",
    files: {},
  };
  for (const side of ["weft", "langgraph"]) {
    const own = [...files].filter(
      ([path]) => path.startsWith(`/${side}/`) && /\/(page|chunk-[^/]*)\.js$/.test(path),
    );
    row.files[side] = own.length;
    row[side] = round(own.reduce((sum, [, { length }]) => sum + length, 0) / 1000);
  }
  return { ...row, ratio: round(row.langgraph / row.weft) };
}

/** Times one visit in ms; `visits`: that many in one profile, the last one counts. */
function visit(browser, origin, side, { isSlow = false, visits = 1 }, longest) {
  return async () => {
    const context = await browser.newContext();
    try {
      let answered = 0;
      for (let i = 0; i < visits; i++) {
        const page = await context.newPage();
        const session = await context.newCDPSession(page);
        if (isSlow) {
          await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
          await session.send("Network.enable");
          await session.send("Network.emulateNetworkConditions", {
            offline: false,
            latency: 40,
            downloadThroughput: 10e6 / 8,
            uploadThroughput: 10e6 / 8,
          });
        }
        await page.addInitScript(() => {
          globalThis.tasks = [];
          new PerformanceObserver((list) =>
            globalThis.tasks.push(
              ...list.getEntries().map(({ startTime, duration }) => [startTime, duration]),
            ),
          ).observe({ type: "longtask", buffered: true });
        });
        /** @type {Error | undefined} */
        let failed;
        page.on("pageerror", (error) => (failed = error));
        await page.goto(`${origin}/${side}/`, { waitUntil: "commit" });
        await page
          .waitForFunction(() => globalThis.answered !== undefined, undefined, { timeout: 60_000 })
          .catch((error) => {
            throw failed ?? error;
          });
        answered = await page.evaluate(() => globalThis.answered);
        // A task is told of once it has ended.
        await page.waitForTimeout(20);
        longest?.push(
          await page.evaluate(() =>
            Math.max(
              0,
              ...globalThis.tasks
                .filter(([start]) => start < globalThis.answered)
                .map(([, duration]) => duration),
            ),
          ),
        );
        await page.close();
      }
      return answered;
    } finally {
      await context.close();
    }
  };
}

/**
 * @param {string} name
 * @param {any} browser
 * @param {string} origin
 * @param {{ isSlow?: boolean, visits?: number }} options
 */
async function measure(name, browser, origin, options) {
  const longest = { weft: [], langgraph: [], empty: undefined };
  const sides = Object.fromEntries(
    ["weft", "langgraph", "limit", "empty"].map((side) => [
      side,
      visit(browser, origin, side, options, longest[side]),
    ]),
  );
  const row = await compare(`first answer of an agent in Chromium, ${name}, over an empty page`, {
    unit: "ms",
    per: 1,
    rounds: 7,
    sides,
    must: MUST,
  });
  return { row: overEmpty(row), longest };
}

export async function rows() {
  const { chromium } = await import("playwright-core");
  const files = await bundles();
  const server = await serve(files);
  const origin = `http://127.0.0.1:${server.address().port}`;
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
  });
  try {
    const plain = await measure("plain", browser, origin, {});
    const slow = await measure("slow", browser, origin, { isSlow: true });
    const second = await measure("second visit", browser, origin, { visits: 2 });
    const [weft, langgraph] = [slow.longest.weft, slow.longest.langgraph].map((list) =>
      round(median(list).median),
    );
    return [
      loaded(files),
      plain.row,
      slow.row,
      second.row,
      {
        name: "longest task of the main thread before the answer, slow",
        unit: "ms",
        weft,
        langgraph,
        ratio: round(langgraph / Math.max(weft, 1)),
        must: "<= 100 ms",
      },
    ];
  } finally {
    await browser.close();
    server.closeAllConnections();
    server.close();
  }
}
