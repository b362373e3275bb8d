// SPDX-License-Identifier: MIT
// The studio without network (A12), in Chromium: after the first visit it opens, runs, asks and is
// answered; a new version takes over whole, and a page of the old one keeps its files.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { buildDemo } from "../../web-demo/build.mjs";
import { serveDemo } from "../../web-demo/serve.mjs";
import { DemoBrowser } from "./demo-browser.mjs";
import { followTour } from "./follow-tour.mjs";

let browser;

before(async () => {
  browser = await DemoBrowser.open();
  browser.expected = /ERR_CONNECTION_REFUSED|Failed to load resource|ServiceWorker/;
});

after(async () => {
  await browser?.close();
});

const ready = (page) => page.locator('.figures .pulse[data-state="ready"]').waitFor();
const cachesOf = (page) => page.evaluate(() => caches.keys());

/** Opens the studio and waits until its files are kept. */
async function visit() {
  const page = await browser.context.newPage();
  await page.goto(browser.server.url);
  await ready(page);
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated");
  return page;
}

test("after the first visit the studio opens without its server: run, approval, plug, every screen", async () => {
  const page = await visit();
  await browser.server.close();
  await page.reload();
  await ready(page);
  await page.getByRole("link", { name: "Open the workbench" }).click();
  await page.getByRole("button", { name: "Order 3 teapots" }).click();
  await page.locator('weft-studio button[data-do="approve"]:enabled').click();
  await page
    .getByText(/The order is placed/)
    .first()
    .waitFor();
  await page.getByRole("button", { name: "Pull the plug" }).click();
  await page.getByRole("button", { name: "Start again" }).click();
  await page.locator('.bench[data-engine="ready"]').waitFor();
  for (const screen of ["inbox", "code", "recordings", "models", "race"]) {
    await page.locator(`#screens [data-screen="${screen}"]`).click();
    await page.locator(`.screen.${screen} h1`).first().waitFor();
    assert.equal(await page.locator(".screen > .notice.problem").count(), 0, screen);
  }
  await page.close();
});

test("without its server the whole tour goes: a run, an approval, the plug, a fork", async () => {
  // Nothing answers there since the test before this one.
  await assert.rejects(fetch(browser.server.url));
  const page = await browser.context.newPage();
  await page.goto(browser.server.url);
  await ready(page);
  await followTour(page);
  assert.ok((await page.locator('weft-studio .mark[data-lane="1"]').count()) > 0);
  await page.close();
});

test("two studios in folders of one host keep their files apart", async () => {
  const host = join(browser.folder, "host");
  for (const [name, minify] of [
    ["one", true],
    ["other", false],
  ])
    await buildDemo({ out: join(host, name), minify });
  const server = await serveDemo({ folder: host, port: 0 });
  const one = `${server.url}one/index.html`;
  const other = `${server.url}other/index.html`;
  const page = await browser.context.newPage();
  // A second visit is told to the service worker, which then drops what it needs no more.
  for (const address of [one, one, other, other]) {
    await page.goto(address);
    await ready(page);
    await page.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated");
  }
  await server.close();
  for (const address of [one, other]) {
    await page.goto(address);
    await ready(page);
  }
  assert.equal((await cachesOf(page)).length, 2);
  await page.close();
});

test("a new version takes over whole; a page of the old one keeps its files until it is closed", async () => {
  const port = Number(new URL(browser.server.url).port);
  await browser.server.close();
  browser.server = await serveDemo({ folder: join(browser.folder, "dist"), port });
  const old = await visit();
  await browser.server.close();
  // Other bytes in each file, under other names.
  const folder = await buildDemo({ out: join(browser.folder, "next"), minify: false });
  const [before, next] = await Promise.all(
    ["dist", "next"].map(
      async (name) => new Set(await readdir(join(browser.folder, name, "assets"))),
    ),
  );
  assert.deepEqual(
    [...next].filter((name) => name.startsWith("main-") && before.has(name)),
    [],
  );
  browser.server = await serveDemo({ folder, port });
  await old.evaluate(async () => (await navigator.serviceWorker.getRegistration()).update());
  await old.getByText("A new version is ready.").waitFor();
  assert.equal((await cachesOf(old)).length, 2);
  // Not shown before: its part of the script is not on the server any more.
  await old.locator('#screens [data-screen="models"]').click();
  await old.locator(".screen.models h1").waitFor();
  // Its engine, too, starts again as it was.
  await old.locator('#screens [data-screen="work"]').click();
  await old.getByRole("button", { name: "Pull the plug" }).click();
  await old.getByRole("button", { name: "Start again" }).click();
  await old.locator('.bench[data-engine="ready"]').waitFor();

  const scripts = (page) =>
    page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
  const named = (name) => name.split("/assets/")[1];
  const page = await browser.context.newPage();
  await page.goto(browser.server.url);
  await ready(page);
  const loaded = (await scripts(page)).map(named).filter(Boolean);
  assert.ok(loaded.length > 5);
  assert.deepEqual(
    loaded.filter((name) => !next.has(name)),
    [],
  );
  assert.deepEqual(
    (await scripts(old)).map(named).filter((name) => name && !before.has(name)),
    [],
  );
  const [engine] = old.workers();
  // The one that its samples import.
  const shared = await engine.evaluate(async () =>
    (await fetch(new URL("../samples/weftgraph.js", location.href))).text(),
  );
  const inEngine = [
    ...(await scripts(engine)).map(named).filter(Boolean),
    ...Array.from(shared.matchAll(/assets\/([\w-]+\.js)/g), ([, name]) => name),
  ];
  assert.ok(inEngine.length > 0);
  assert.deepEqual(
    inEngine.filter((name) => !before.has(name)),
    [],
  );
  await old.close();
  await page.reload();
  await ready(page);
  for (let tries = 0; (await cachesOf(page)).length > 1 && tries < 100; tries++)
    await page.waitForTimeout(50);
  assert.equal((await cachesOf(page)).length, 1);
  await page.close();
});
