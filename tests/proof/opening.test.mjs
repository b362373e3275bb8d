// SPDX-License-Identifier: MIT
// What opening a thread of 10,000 checkpoints costs over reading its bytes through the same store
// and a CRC-32C of them in JavaScript, in the same run, for each store in its runtime. `make
// check-long PART=opening` runs it and holds the goals; without WEFT_LONG the tool is only tried on
// a short thread.
import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { Miniflare } from "miniflare";
import { launchChromium } from "../browser/chromium.mjs";
import { bundleWorker } from "../runtime/smoke-bundle.mjs";
import { runIn } from "../runtime/smoke-runtimes.mjs";
import { LONG } from "./kit.mjs";
import { timeAll } from "./opening-work.mjs";

const CHECKPOINTS = Number(process.env.WEFT_CHECKPOINTS ?? (LONG ? 10_000 : 200));
const ROUNDS = LONG ? 15 : 1;
/** Newest over reading, any older over the newest. */
const MOST = { newest: 3, older: 2 };
const here = (name) => fileURLToPath(new URL(name, import.meta.url));

const inProcess = (runtime, kind) => async (folder) =>
  JSON.parse(
    await runIn(
      runtime,
      folder,
      here("opening-main.mjs"),
      kind,
      folder,
      String(CHECKPOINTS),
      String(ROUNDS),
    ),
  );

async function inWorkerd(folder) {
  const worker = new Miniflare({
    modules: await bundleWorker(here("opening-worker.mjs")),
    compatibilityDate: "2026-01-01",
    durableObjects: { THREAD: { className: "Thread", useSQLite: true } },
    durableObjectsPersist: folder,
  });
  const times = LONG ? 20 : 1;
  const get = async (path) => {
    const answer = await worker.dispatchFetch(`http://opening${path}`);
    if (!answer.ok) throw new Error(await answer.text());
    return answer;
  };
  try {
    const thread = await (await get(`/write?checkpoints=${CHECKPOINTS}`)).json();
    const ms = await timeAll(async (name) => {
      const start = performance.now();
      await (await get(`/work?name=${name}&times=${times}&ids=${thread.ids}`)).text();
      return (performance.now() - start) / times;
    }, ROUNDS);
    return { ...thread, ms };
  } finally {
    await worker.dispose();
  }
}

async function inChromium() {
  const { outputFiles } = await build({
    entryPoints: [here("opening-page.mjs")],
    bundle: true,
    format: "esm",
    target: "es2022",
    write: false,
    conditions: ["browser"],
  });
  const server = createServer((request, response) => {
    const isCode = request.url === "/page.js";
    response.writeHead(200, { "content-type": isCode ? "text/javascript" : "text/html" });
    response.end(
      isCode
        ? outputFiles[0].text
        : '<!doctype html><title>opening</title><script type="module" src="/page.js"></script>',
    );
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(0);
    await page.goto(`http://127.0.0.1:${server.address().port}/?${CHECKPOINTS},${ROUNDS}`);
    await page.waitForFunction(() => globalThis.measured !== undefined);
    return await page.evaluate(() => globalThis.measured);
  } finally {
    await browser.close();
    server.close();
  }
}

const PLACES = {
  "memory in Node": inProcess("Node", "memory"),
  "KV in Node": inProcess("Node", "kv"),
  "edited values, KV in Node": inProcess("Node", "kv-edits"),
  "edited values, memory in Node": inProcess("Node", "memory-edits"),
  "files in Node": inProcess("Node", "file"),
  "files in Deno": inProcess("Deno", "file"),
  "files in Bun": inProcess("Bun", "file"),
  "Deno KV": inProcess("Deno", "deno-kv"),
  "Durable Object in workerd": inWorkerd,
  "IndexedDB in Chromium": inChromium,
};
const wanted = process.env.WEFT_PLACE;

for (const [place, run] of Object.entries(PLACES).filter(([name]) =>
  wanted ? name.includes(wanted) : LONG || name.endsWith("KV in Node"),
)) {
  test(`opening a thread of ${CHECKPOINTS} checkpoints: ${place}`, async (t) => {
    const folder = await fs.mkdtemp(join(tmpdir(), "weft-opening-"));
    t.after(() => fs.rm(folder, { recursive: true, force: true, maxRetries: 5 }));
    const { checkpoints, pieces, bytes, ms, reads = 1 } = await run(folder);
    assert.equal(checkpoints, CHECKPOINTS);
    assert.equal(reads, 1, `opening: the log is read ${reads} times`);
    const worst = Math.max(ms.older, ms.middle, ms.recent);
    const newest = ms.newest / ms.read;
    console.log(
      `opening ${place}: ${checkpoints.toLocaleString("en")} checkpoints, ${bytes.toLocaleString("en")} bytes in ${pieces} pieces; read and CRC ${ms.read.toFixed(1)} ms, newest ${newest.toFixed(2)} times that, ` +
        `older ones at most ${(worst / ms.newest).toFixed(2)} times the newest; getTuple ${(ms.getTuple / ms.newest).toFixed(2)}, list of ten ${(ms.list / ms.newest).toFixed(2)} times it`,
    );
    if (!LONG) return;
    assert.ok(newest <= MOST.newest, `${newest.toFixed(2)} times reading`);
    assert.ok(
      worst / ms.newest <= MOST.older,
      `${(worst / ms.newest).toFixed(2)} times the newest`,
    );
  });
}
