// SPDX-License-Identifier: MIT
// The IDBFS store in a real WebKit (Debian's WebKitGTK), where it is installed: the store contract
// in a page and in a worker, two tabs that write one thread and two that run a graph (T7, T20 in
// part), a question that waits while its page is loaded anew.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startServer } from "./idbfs-server.mjs";
import { READY, WORKING, startTabs } from "./tabs.mjs";
import { hasWebkit, launchWebkit } from "./webkit.mjs";

const PAGE = "/tests/browser/idbfs-page.mjs";
const options = { timeout: 600_000, skip: hasWebkit ? false : "there is no WebKitGTK" };
const call = (page, name, ...words) =>
  page.call("async (path, name, words) => (await import(path))[name](...words)", PAGE, name, words);
const inTab = (page, name, ...words) =>
  page.call("async (name, words) => tab[name](...words)", name, words);
let server, tabs, browser;

before(async () => {
  if (!hasWebkit) return;
  [server, tabs, browser] = await Promise.all([startServer(), startTabs(), launchWebkit()]);
});

after(async () => {
  await browser?.close();
  server?.close();
  tabs?.close();
});

test("the store contract", options, async (t) => {
  const page = await browser.openPage(server.origin);
  for (const [where, results] of [
    ["page", await call(page, "runContract", { bigBytes: 2_000_000 })],
    ["worker", await call(page, "runContractInWorker")],
  ]) {
    assert.ok(results.length > 15);
    for (const { name, error, ms } of results)
      await t.test(`${where}: ${name} (${ms} ms)`, () => assert.equal(error, null));
  }
});

test("two tabs on one thread: none of the acknowledged commits lost", options, async () => {
  const pages = [await browser.openPage(server.origin), await browser.openPage(server.origin)];
  for (let run = 0; run < 3; run++) {
    const both = await Promise.all(
      pages.map((page, i) =>
        call(page, "compete", { prefix: `tabs-${run}`, name: "ab"[i], count: 25 }),
      ),
    );
    const { lines } = await call(pages[run % 2], "readShared", `tabs-${run}`);
    assert.deepEqual(
      lines.map((line) => line.trim()).sort(),
      both.flatMap((one) => one.acknowledged.map((line) => line.trim())).sort(),
    );
    lines.forEach((line, i) => assert.equal(Number(line.split(" ")[0]), i + 1));
  }
});

test(
  "a browser that loses the index of threads alone lists them all the same",
  options,
  async () => {
    assert.deepEqual(await call(await browser.openPage(server.origin), "loseIndex", "lost"), {
      before: ["a", "b", "ü/c"],
      after: ["a", "b", "ü/c"],
      dropped: ["a", "ü/c"],
      head: { seq: 1, crc: 7 },
    });
  },
);

async function openTab() {
  const tab = await browser.openPage(tabs.origin);
  await tab.call(READY);
  return tab;
}

test(
  "of two tabs that run a graph on one thread the second waits, or is told BUSY",
  options,
  async () => {
    const [one, two] = [await openTab(), await openTab()];
    await inTab(one, "start", "queue", "1", "enqueue");
    await one.call(WORKING);
    await inTab(two, "start", "queue", "1", "reject");
    assert.equal(await inTab(two, "outcome"), "BUSY");
    await inTab(two, "start", "queue", "1", "enqueue");
    await inTab(one, "open");
    assert.equal(await inTab(one, "outcome"), 11);
    await two.call(WORKING);
    await inTab(two, "open");
    assert.equal(await inTab(two, "outcome"), 22);
  },
);

test("a question waits while its page is loaded anew, and is answered once", options, async () => {
  const [one, two] = [await openTab(), await openTab()];
  assert.equal(await inTab(one, "ask", "asked", "1"), "send it?");
  await one.reload();
  await one.call(READY);
  assert.equal(await inTab(one, "asked", "asked", "1"), "send it?");
  assert.deepEqual(await inTab(two, "answer", "asked", "1", "yes"), { sent: ["yes"] });
  assert.equal(await inTab(one, "asked", "asked", "1"), null);
});
