// SPDX-License-Identifier: MIT
// docs/benchmarks.md: the chain, the loop and the agent in Chromium, Deno and Bun, and the IDBFS
// store in Chromium.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { WHOLE, openProfile } from "../browser/chromium.mjs";
import { round } from "./measure.mjs";

const top = fileURLToPath(new URL("../..", import.meta.url));
const RUNTIMES = [
  ["Deno", ["deno", "run", "-A", "--quiet"]],
  ["Bun", ["bun", "run"]],
];

/** @param {"browser" | "node"} platform @param {string} outfile */
function bundle(platform, outfile) {
  return build({
    entryPoints: [fileURLToPath(new URL("elsewhere-page.mjs", import.meta.url))],
    bundle: true,
    format: "esm",
    platform,
    outfile,
    logLevel: "error",
    banner:
      platform === "node"
        ? {
            js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
          }
        : {},
  });
}

/** What a page of this bundle answers. @param {string} folder @param {string} script */
async function inChromium(folder, script) {
  const server = createServer((request, response) => {
    const isPage = request.url === "/";
    response.writeHead(200, { "content-type": isPage ? "text/html" : "text/javascript" });
    response.end(
      isPage
        ? '<!doctype html><script type="module" src="/page.js"></script>'
        : readFileSync(script),
    );
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  // With a profile on disk, as a user's: what is kept in memory is durable at once.
  const browser = await openProfile(join(folder, "profile"), WHOLE);
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    await page.waitForFunction(() => globalThis.bench !== undefined, undefined, {
      timeout: 120_000,
    });
    const saves = await page.evaluate(() => globalThis.bench.runSaves());
    return { saves, rows: await page.evaluate(() => globalThis.bench.runRows()) };
  } finally {
    await browser.close();
    server.close();
  }
}

export async function rows() {
  const folder = mkdtempSync(join(tmpdir(), "weft-elsewhere-"));
  try {
    const page = join(folder, "page.js");
    const script = join(folder, "main.mjs");
    await Promise.all([bundle("browser", page), bundle("node", script)]);
    const named = (runtime, list) =>
      list.map((row) => ({ ...row, name: `${runtime}: ${row.name}` }));
    const { saves, rows: pageRows } = await inChromium(folder, page);
    const save = (what, ms) => ({
      name: `Chromium: IDBFS, a step of 1 KB saved, ${what}`,
      unit: "ms",
      weft: round(ms),
      limit: round(saves.raw),
      ratio: round(ms / saves.raw),
      must: "<= 3x a put",
    });
    const made = [
      save("1 thread", saves.one),
      save("1,000 threads", saves.many),
      ...named("Chromium", pageRows),
    ];
    for (const [runtime, [command, ...args]] of RUNTIMES) {
      const told = execFileSync(join(top, "node_modules/.bin", command), [...args, script], {
        encoding: "utf8",
        maxBuffer: 1 << 24,
      });
      made.push(...named(runtime, JSON.parse(told.trim().split("\n").at(-1))));
    }
    return made;
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
