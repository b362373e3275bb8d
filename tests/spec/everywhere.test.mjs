// SPDX-License-Identifier: MIT
// T18: each page's log, byte for byte, in every runtime: the hash of what the WASI build prints in
// Node and Chromium, under WEFT_LONG in Deno, Bun, workerd and (where it is installed) Firefox too,
// is that of the log on the page, which the native and the Emscripten build print too
// (pages.test.mjs). A thousand random threads (threads.mjs) likewise: theirs is what the native
// build prints.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import * as fs from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Miniflare } from "miniflare";
import { WAIT_MS, launchChromium } from "../browser/chromium.mjs";
import { hasFirefox, launchFirefox } from "../browser/firefox.mjs";
import { LONG, figure, isBroken } from "../proof/kit.mjs";
import { runIn } from "../runtime/smoke-runtimes.mjs";
import { threadOf } from "./threads.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const wasm = join(here, "../../build/wasm/spec/pages.wasm");
const pages = readdirSync(here).filter((name) => name.endsWith(".md"));
const part = (name, kind) =>
  new RegExp(`\`\`\`${kind}\\n([\\s\\S]*?)\`\`\``).exec(readFileSync(join(here, name), "utf8"))[1];
const THREADS = Number(process.env.WEFT_THREADS ?? 1000);
const player = new WebAssembly.Module(readFileSync(wasm));
const threads = Object.fromEntries(
  Array.from({ length: THREADS }, (_, i) => [`thread ${i + 1}`, threadOf(player, i + 1)]),
);
const scripts = {
  ...Object.fromEntries(pages.map((name) => [name, part(name, "script").slice(0, -1)])),
  ...threads,
};
const hashOf = (log) => createHash("sha256").update(log).digest("hex");
// T18's planted bug: one log is another.
const expected = Object.fromEntries(
  pages.map((name, i) => [
    name,
    hashOf(part(name, "log") + (i === 0 && isBroken("T18") ? "." : "")),
  ]),
);
const PLAY = `async () => (await import("/player.mjs")).playAll(await WebAssembly.compileStreaming(fetch("/pages.wasm")), await (await fetch("/scripts")).json())`;
const TYPES = {
  "/player.mjs": "text/javascript",
  "/pages.wasm": "application/wasm",
  "/scripts": "application/json",
  "/": "text/html",
};
const counts = { pages: pages.length, runtimes: 0, threads: THREADS, checkpoints: 0, asked: 0 };
let folder, server, origin;

before(async () => {
  folder = await fs.mkdtemp(join(tmpdir(), "weft-pages-"));
  await fs.writeFile(join(folder, "scripts"), JSON.stringify(scripts));
  const files = {
    "/player.mjs": join(here, "player.mjs"),
    "/pages.wasm": wasm,
    "/scripts": join(folder, "scripts"),
  };
  server = createServer(async ({ url }, response) => {
    response.writeHead(TYPES[url] ? 200 : 404, { "content-type": TYPES[url] ?? "text/plain" });
    response.end(
      files[url] ? await fs.readFile(files[url]) : "<!doctype html><title>pages</title>",
    );
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${server.address().port}/`;
});

after(async () => {
  server?.closeAllConnections();
  server?.close();
  await fs.rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

async function inWorkerd() {
  const text = (name) => ({
    type: "ESModule",
    path: name,
    contents: readFileSync(join(here, name), "utf8"),
  });
  const worker = new Miniflare({
    modules: [
      text("player-worker.mjs"),
      text("player.mjs"),
      { type: "CompiledWasm", path: "pages.wasm", contents: readFileSync(wasm) },
    ],
    compatibilityDate: "2026-01-01",
  });
  try {
    return await (
      await worker.dispatchFetch("http://pages/", { method: "POST", body: JSON.stringify(scripts) })
    ).json();
  } finally {
    await worker.dispose();
  }
}

async function inChromium() {
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(WAIT_MS);
    await page.goto(origin);
    return await page.evaluate(`(${PLAY})()`);
  } finally {
    await browser.close();
  }
}

async function inFirefox() {
  const browser = await launchFirefox(await fs.mkdtemp(join(folder, "firefox-")));
  try {
    return await (await browser.openPage(origin)).call(PLAY);
  } finally {
    await browser.kill();
  }
}

/** What a build prints of all threads. */
function logsOf(program, ...words) {
  const ran = spawnSync(program, words, {
    input: Object.values(threads).join("\f"),
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  assert.equal(ran.status, 0, `${program}: ${ran.error ?? ran.stderr}`);
  return ran.stdout.split("\f");
}

test("random threads: the native and the Emscripten build print the same", () => {
  const logs = logsOf(join(here, "../../build/native/spec/pages"));
  const others = logsOf(process.execPath, join(here, "../../build/emcc/spec/pages.js"));
  Object.keys(threads).forEach((name, i) => {
    assert.equal(others[i], logs[i], `T18: ${name}`);
    assert.doesNotMatch(logs[i], /LEAK|NO SUCH LINE/);
    expected[name] = hashOf(logs[i]);
    counts.checkpoints += logs[i].match(/^SAVE/gm)?.length ?? 0;
    counts.asked += logs[i].match(/^INTERRUPTS/gm)?.length ?? 0;
  });
});

const RUNTIMES = {
  ...Object.fromEntries(
    ["Node", "Deno", "Bun"].map((name) => [
      name,
      async () =>
        JSON.parse(
          await runIn(name, folder, join(here, "player-main.mjs"), wasm, join(folder, "scripts")),
        ),
    ]),
  ),
  workerd: inWorkerd,
  Chromium: inChromium,
  Firefox: inFirefox,
};

const QUICK = ["Node", "Chromium"];
for (const [name, run] of Object.entries(RUNTIMES).slice(0, isBroken("T18") ? 1 : undefined)) {
  const slow = LONG || QUICK.includes(name) ? false : "slow: make check-long PART=T18";
  test(`the log of every page and thread is the same in ${name}`, {
    timeout: 600_000,
    skip: name === "Firefox" && !hasFirefox ? "there is no Firefox" : slow,
  }, async () => {
    const found = await run();
    for (const script of Object.keys(scripts))
      assert.equal(found[script], expected[script], `T18: ${script} in ${name}`);
    counts.runtimes++;
  });
}

test("T18: they were all played", () =>
  figure(LONG ? "T18 pages" : "T18 pages in make test", counts));
