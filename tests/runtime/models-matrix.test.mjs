// SPDX-License-Identifier: MIT
// Serves: the matrix of model adapters (tests/js/models-matrix) in Chromium, workerd, Deno and Bun:
// bundled as for a page, in workerd as wrangler does. In Node: tests/js/models-matrix.test.mjs.
import { test } from "node:test";
import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Miniflare } from "miniflare";
import { WAIT_MS, launchChromium } from "../browser/chromium.mjs";
import { TITLES } from "../js/models-matrix/cases.mjs";
import { columns } from "../js/models-matrix/columns.mjs";
import { bundleModule, bundleWorker } from "./smoke-bundle.mjs";
import { runIn } from "./smoke-runtimes.mjs";

const fileOf = (name) => fileURLToPath(new URL(name, import.meta.url));
/** A secure context without a server: the page's requests are answered below. */
const PAGE = "http://localhost/matrix";
const LIMIT = { timeout: 600_000 };

const bundlePage = () => bundleModule(fileOf("models-matrix-entry.mjs"));

/** Each case of each column as a subtest; a hole is one with its reason. */
async function report(t, results) {
  assert.equal(results.length, columns.length * TITLES.length);
  const holes = results.filter(({ hole }) => hole !== undefined);
  t.diagnostic(`${results.length - holes.length} hold, ${holes.length} are named holes`);
  for (const { name, ok, error, hole } of results)
    await t.test(name, { skip: hole ?? false }, () => assert.ok(ok, error));
}

test("the matrix of models in Chromium", LIMIT, async (t) => {
  const body = `<!doctype html><script type="module">${await bundlePage()}</script>`;
  const browser = await launchChromium();
  t.after(() => browser.close());
  const page = await browser.newPage();
  page.setDefaultTimeout(WAIT_MS);
  await page.route(PAGE, (route) => route.fulfill({ contentType: "text/html", body }));
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(PAGE);
  await page.waitForFunction(() => globalThis.matrixResults !== undefined);
  await report(t, await page.evaluate(() => globalThis.matrixResults));
  assert.deepEqual(complaints, []);
});

test("the matrix of models in workerd", LIMIT, async (t) => {
  const modules = await bundleWorker(fileOf("models-matrix-worker.mjs"));
  const worker = new Miniflare({ modules, compatibilityDate: "2026-01-01" });
  t.after(() => worker.dispose());
  await report(t, await (await worker.dispatchFetch("http://matrix/")).json());
});

for (const runtime of ["Deno", "Bun"]) {
  test(`the matrix of models in ${runtime}`, LIMIT, async (t) => {
    const folder = await fs.mkdtemp(join(tmpdir(), "weft-matrix-"));
    t.after(() => fs.rm(folder, { recursive: true, force: true, maxRetries: 5 }));
    const program = join(folder, "matrix.mjs");
    await fs.writeFile(program, await bundlePage());
    await report(t, JSON.parse(await runIn(runtime, folder, program)));
  });
}
