// SPDX-License-Identifier: MIT
// Two real tabs of Chromium on one thread: the second run waits or is told BUSY, by Web Locks; a
// tab follows what the other one does, by BroadcastChannel. T7 and T20 in part.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { WAIT_MS, launchChromium } from "./chromium.mjs";
import { startTabs } from "./tabs.mjs";

let server, origin, browser, context;

before(async () => {
  server = await startTabs();
  origin = server.origin;
  browser = await launchChromium();
  context = await browser.newContext();
});

after(async () => {
  await browser?.close();
  server?.close();
});

async function openTab(place = context) {
  const page = await place.newPage();
  page.setDefaultTimeout(WAIT_MS);
  await page.goto(origin);
  await page.waitForFunction(() => globalThis.tab !== undefined);
  return page;
}

const call = (page, name, ...words) =>
  page.evaluate(([what, args]) => globalThis.tab[what](...args), [name, words]);
const working = (page) => page.waitForFunction(() => globalThis.tab.isWorking());

test('"enqueue": the second tab runs when the first has ended, from its state', {
  timeout: 600_000,
}, async () => {
  const [one, two] = [await openTab(), await openTab()];
  await call(one, "start", "queue", "1", "enqueue");
  await working(one);
  await call(two, "start", "queue", "1", "enqueue");
  await two.waitForTimeout(50);
  assert.equal(await call(two, "isWorking"), false);
  await call(one, "open");
  assert.equal(await call(one, "outcome"), 11);
  await working(two);
  await call(two, "open");
  assert.equal(await call(two, "outcome"), 22);
  await Promise.all([one.close(), two.close()]);
});

test('"reject": the second tab is told BUSY, and has the thread when the first is gone', {
  timeout: 600_000,
}, async () => {
  const [one, two] = [await openTab(), await openTab()];
  await call(one, "start", "busy", "1", "reject");
  await working(one);
  await call(two, "start", "busy", "1", "reject");
  assert.equal(await call(two, "outcome"), "BUSY");
  await call(two, "start", "busy", "2", "reject");
  await working(two);
  await call(two, "open");
  assert.equal(await call(two, "outcome"), 11);
  await call(two, "start", "busy", "1", "enqueue");
  await one.close();
  await working(two);
  await call(two, "open");
  assert.equal(await call(two, "outcome"), 11);
  await two.close();
});

test("a tab follows what another one stores, step by step, and hears of the thread's end", {
  timeout: 600_000,
}, async () => {
  const [one, two] = [await openTab(), await openTab()];
  await call(two, "follow", "watched", "1");
  await call(one, "start", "watched", "1");
  await working(one);
  await two.waitForFunction(() => globalThis.heard.length > 0);
  await call(one, "open");
  assert.equal(await call(one, "outcome"), 11);
  await two.waitForFunction(() => globalThis.heard.at(-1)?.count === 11);
  const heard = await call(two, "heard");
  assert.ok(heard.length >= 3, `${heard.length} commits`);
  assert.deepEqual(
    heard.map(({ seq }) => seq),
    [...heard.keys()].map((index) => heard[0].seq + index),
  );
  await call(one, "start", "watched", "another");
  await working(one);
  await call(one, "remove", "watched", "1");
  await two.waitForFunction((length) => globalThis.heard.length > length, heard.length);
  assert.equal((await call(two, "heard"))[heard.length].seq, undefined);
  await Promise.all([one.close(), two.close()]);
});

test("an origin whose storage is gone: DATA_LOSS by the witness on the server, also when the page's own witness went too", {
  timeout: 600_000,
}, async () => {
  const page = await openTab();
  assert.equal(await call(page, "witnessed", "evicted", "1"), 1);
  assert.equal(await call(page, "witnessed", "evicted", "1"), 2);
  await page.waitForFunction(async () => (await (await fetch("/witness/1")).json())?.seq >= 4);
  const session = await context.newCDPSession(page);
  await session.send("Storage.clearDataForOrigin", {
    origin: origin.slice(0, -1),
    storageTypes: "all",
  });
  await page.reload();
  await page.waitForFunction(() => globalThis.tab !== undefined);
  assert.deepEqual(
    await page.evaluate(async () => [await indexedDB.databases(), localStorage.length]),
    [[], 0],
  );
  assert.equal(await call(page, "witnessed", "evicted", "1"), "DATA_LOSS");
  assert.equal(await call(page, "witnessed", "evicted", "2"), 1);
  await call(page, "remove", "evicted", "1");
  await page.close();
});

test("a full origin: QUOTA, the thread can be read, and goes on when there is room", {
  timeout: 600_000,
}, async (t) => {
  // A context of its own, limited before anything is stored: Chromium remembers for a while how
  // much room there was.
  const small = await browser.newContext();
  const page = await openTab(small);
  const session = await small.newCDPSession(page);
  const limit = (quotaSize) =>
    session.send("Storage.overrideQuotaForOrigin", { origin: origin.slice(0, -1), quotaSize });
  await limit(4_000_000);
  const { quota, persistence } = await call(page, "quota");
  assert.ok(quota > 0);
  assert.equal(persistence, "best-effort");
  assert.equal((await call(page, "write", "full", 1000)).code, "OK");
  let last;
  let texts = 1;
  for (let turn = 0; turn < 20; turn++) {
    last = await call(page, "write", "full", 400_000);
    if (last.code !== "OK") break;
    texts++;
  }
  assert.equal(last.code, "QUOTA");
  assert.ok(last.texts >= texts, "what was acknowledged can be read");
  await limit(200_000_000);
  const after = await call(page, "write", "full", 1000);
  assert.deepEqual([after.code, after.texts], ["OK", last.texts + 1]);
  t.diagnostic(`QUOTA after ${last.ms.toFixed(0)} ms, at ${texts} texts of 400 kB`);
  await small.close();
});
