// SPDX-License-Identifier: MIT
// What a page does whose files are gone, as when its site was replaced while it was open: what
// runs, fails, retries, is approved and saved needs none of them; a feature that does says which,
// with the host's error, and the thread goes on. The same in Chromium:
// tests/browser/files-gone.test.mjs.
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { checkFailures, checkWork, openFeatures, workWithoutFiles } from "./without-files.mjs";

const top = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "weft-parts-"));
/** @type {any} */
let weft;
/** @type {string[]} */
let parts = [];
/** @type {string[]} */
let files = [];

before(async () => {
  const contents =
    'export * from "weftgraph"; export { ToolNode, createReactAgent } from "weftgraph/prebuilt"; export { tool } from "weftgraph/tools"; export { ScriptedModel } from "weftgraph/models/scripted";';
  await build({
    stdin: { contents, resolveDir: top },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "browser",
    conditions: ["browser"],
    outdir: folder,
    entryNames: "page",
    chunkNames: "[name]-[hash]",
    logLevel: "error",
    external: ["node:*"],
  });
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  weft = await import(pathToFileURL(join(folder, "page.js")).href);
  files = readdirSync(folder).filter((name) => name.endsWith(".js"));
  parts = files.filter((name) => /^(event-views|methods)-/.test(name));
  for (const name of parts) renameSync(join(folder, name), join(folder, `${name}.gone`));
});

after(() => rmSync(folder, { recursive: true, force: true }));

test("a bundle imports two parts when their features are asked for, and a page loads at most six files", () => {
  assert.deepEqual(parts.map((name) => name.replace(/-[^-]*$/, "")).sort(), [
    "event-views",
    "methods",
  ]);
  assert.ok(files.length - parts.length <= 6, files.join());
});

test("without its files an agent asks, is approved, calls tools that fail, tries again and runs tasks side by side", async () => {
  checkWork(assert, await workWithoutFiles(weft, new weft.MemorySaver()));
});

test("a feature whose part is gone says which, with the host's error; its thread is as it was, and the next call tries again", async () => {
  const saver = new weft.MemorySaver();
  const { tryAll, read, goOn } = await openFeatures(weft, () => saver);
  const failures = await tryAll();
  checkFailures(assert, failures, /^ERR_MODULE_NOT_FOUND$/);
  for (const [name, { message }] of Object.entries(failures))
    assert.match(message, /page|Cannot find module/, name);
  assert.equal(await read(), 2);
  assert.equal(await goOn(5), 6);
  for (const name of parts) renameSync(join(folder, `${name}.gone`), join(folder, name));
  assert.deepEqual(
    Object.entries(await tryAll()).filter(([, failure]) => failure !== undefined),
    [],
  );
});
