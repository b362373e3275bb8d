// SPDX-License-Identifier: MIT
// Builds examples/react-tab as its README says, with nothing but what its package.json names, and
// drives it in Chromium.
import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { build } from "vite";
import { checkVersions, copyExample, readJson, top } from "./example.mjs";
import { openSite, textsOf } from "./front-end.mjs";

let folder, app;

before(async () => {
  folder = await copyExample("react-tab");
  const { dependencies } = await readJson(join(folder, "package.json"));
  for (const name of Object.keys(dependencies)) {
    const at = join(folder, "node_modules", name);
    await fs.mkdir(dirname(at), { recursive: true });
    await fs.symlink(name === "weftgraph" ? top : join(top, "node_modules", name), at, "dir");
  }
  await build({ root: folder, configFile: false, logLevel: "error" });
  const files = new Map();
  const dist = join(folder, "dist");
  for (const entry of await fs.readdir(dist, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(dist.length);
    files.set(name === "/index.html" ? "/" : name, await fs.readFile(path));
  }
  app = await openSite(files);
});

after(async () => {
  await app?.close();
  await fs.rm(folder, { recursive: true, force: true });
});

test("it names the versions that are tested here", () => checkVersions("react-tab"));

test("it answers, asks, shows its question after it is loaded again, and takes the answer", async () => {
  const page = await app.open();
  await page.fill("input", "hello");
  await page.click("text=Send");
  await page.waitForSelector("text=a quantity of an item.");
  await page.fill("input", "Order 3 teapots");
  await page.click("text=Send");
  await page.waitForSelector("text=Approve");
  await page.reload();
  await page.click("text=Approve");
  await page.waitForSelector("text=The order is placed: 3 x teapots.");
  assert.equal(await page.locator("text=Approve").count(), 0);
  assert.deepEqual(await textsOf(page, "b"), ["human", "ai", "human", "ai", "tool", "ai"]);
  await page.close();
});
