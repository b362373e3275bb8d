// SPDX-License-Identifier: MIT
// T7, the back/forward cache of a real Chromium, and of Firefox: a page that works on a thread,
// asks, or has asked, is left and kept while another tab goes on with its thread, and comes back as
// it was. It is told FENCED or goes on behind the other; nothing is lost. T5: databases that a
// person deletes under a page at work.
import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { figure, isBroken } from "../proof/kit.mjs";
import { launchPipe } from "./chromium-pipe.mjs";
import { hasFirefox, launchFirefox } from "./firefox.mjs";
import { CALL, NO_LOCKS, READY, WORKING, startTabs } from "./tabs.mjs";

const counts = { kept: 0, fenced: 0, "made anew": 0 };
// A page to which a message comes while it is kept is not kept any longer.
const NO_MESSAGES = "async () => { globalThis.BroadcastChannel = undefined; }";
const MARK =
  "async () => { globalThis.mark = 1; addEventListener('pageshow', ({ persisted }) => (globalThis.persisted = persisted)); }";
const KEPT = "async () => globalThis.mark === 1 && globalThis.persisted === true";
let server, profile, chrome;

before(async () => {
  server = await startTabs();
  profile = await fs.mkdtemp(join(tmpdir(), "weft-back-"));
  chrome = launchPipe(profile);
});

after(async () => {
  await chrome?.kill();
  server?.close();
  await fs.rm(profile, { recursive: true, force: true, maxRetries: 5 });
});

const openTab = () => chrome.openTab(server.origin, READY);

/** Two tabs that neither see each other's locks nor hear of each other's writes. */
async function openApart(open = openTab) {
  const tabs = [await open(), await open()];
  for (const { call } of tabs) {
    await call(NO_LOCKS);
    await call(NO_MESSAGES);
  }
  return tabs;
}

async function turnOf(tab, prefix) {
  await tab.call(CALL, "start", prefix, "1", "enqueue");
  await tab.call(WORKING);
  await tab.call(CALL, "open");
  return tab.call(CALL, "outcome");
}

/** Leaves a page, lets others work, comes back to it. @returns whether it was kept */
async function leave(tab, work) {
  await tab.call(MARK);
  await tab.goto(`${server.origin}away`);
  await work();
  await tab.back();
  const isKept = await tab.call(KEPT);
  counts[isKept ? "kept" : "made anew"]++;
  return isKept;
}

async function overtake(one, two) {
  await one.call(CALL, "start", "work", "1", "enqueue", "sync");
  await one.call(WORKING);
  assert.ok(
    await leave(one, async () => assert.equal(await turnOf(two, "work"), 11)),
    `it was not kept: ${chrome.reasons}`,
  );
  await one.call(CALL, "open");
  assert.equal(
    await one.call(CALL, "outcome"),
    isBroken("T7") ? 11 : "FENCED",
    "T7: the loser is told",
  );
  counts.fenced++;
  assert.equal(await turnOf(one, "work"), 22, "T7: nothing is lost");
  assert.equal(await turnOf(two, "work"), 33, "T7: nothing is lost");
}

async function followOn(one, two) {
  assert.equal(await turnOf(one, "rest"), 11);
  assert.ok(
    await leave(one, async () => assert.equal(await turnOf(two, "rest"), 22)),
    `it was not kept: ${chrome.reasons}`,
  );
  assert.equal(await turnOf(one, "rest"), 33, "T7: nothing is lost");
}

test("a page at work that was kept is fenced by who was there meanwhile, and goes on behind it", {
  timeout: 120_000,
}, async () => {
  const [one, two] = await openApart();
  await overtake(one, two);
  await Promise.all([one.close(), two.close()]);
});

test("a page at work that was kept, and nobody else was there, goes on", {
  timeout: 120_000,
}, async () => {
  const [one, two] = await openApart();
  await one.call(CALL, "start", "alone", "1", "enqueue", "sync");
  await one.call(WORKING);
  assert.ok(await leave(one, async () => {}), `it was not kept: ${chrome.reasons}`);
  await one.call(CALL, "open");
  assert.equal(await one.call(CALL, "outcome"), 11);
  assert.equal(await turnOf(two, "alone"), 22, "T7: nothing is lost");
  await Promise.all([one.close(), two.close()]);
});

test("a page that rests on a thread and was kept goes on behind what others did", {
  timeout: 120_000,
}, async () => {
  const [one, two] = await openApart();
  await followOn(one, two);
  await Promise.all([one.close(), two.close()]);
});

test("a question that a kept page shows is answered once, whoever was first", {
  timeout: 120_000,
}, async () => {
  const [one, two] = await openApart();
  for (const isFirst of [true, false]) {
    const prefix = isFirst ? "first" : "second";
    assert.equal(await one.call(CALL, "ask", prefix, "1"), "send it?");
    const elsewhere = async () =>
      isFirst ||
      assert.deepEqual(await two.call(CALL, "answer", prefix, "1", "by two"), { sent: ["by two"] });
    assert.ok(await leave(one, elsewhere), `it was not kept: ${chrome.reasons}`);
    const { sent } = await one.call(CALL, "answer", prefix, "1", "by one");
    assert.deepEqual(sent, isFirst ? ["by one"] : [], "T7: it is answered once");
    assert.equal(await two.call(CALL, "asked", prefix, "1"), null);
  }
  await Promise.all([one.close(), two.close()]);
});

test("a page whose lock somebody waits for, or that would hear of a write, is not kept; nobody waits and nothing is lost", {
  timeout: 120_000,
}, async () => {
  const [one, two] = [await openTab(), await openTab()];
  await one.call(CALL, "start", "lock", "1", "enqueue", "sync");
  await one.call(WORKING);
  assert.equal(await leave(one, async () => assert.equal(await turnOf(two, "lock"), 11)), false);
  assert.equal(await turnOf(one, "lock"), 22, "T7: nothing is lost");
  assert.equal(await leave(one, async () => assert.equal(await turnOf(two, "lock"), 33)), false);
  assert.equal(await turnOf(one, "lock"), 44, "T7: nothing is lost");
  assert.deepEqual(chrome.reasons, ["WebLocksContention", "BroadcastChannelOnMessage"]);
  await Promise.all([one.close(), two.close()]);
});

test("T5: databases deleted under a page at work: it is told, and what is gone is not taken for new", {
  timeout: 120_000,
}, async () => {
  const one = await chrome.openTab(server.origin, READY);
  assert.equal(await turnOf(one, "cleared"), 11);
  await one.call(CALL, "start", "cleared", "1", "enqueue", "sync");
  await one.call(WORKING);
  await one.clear(server.origin);
  await one.call(CALL, "open");
  const told = await one.call(CALL, "outcome");
  assert.ok(["FENCED", "STORE", "DATA_LOSS"].includes(told), `T5: it is told ${told}`);
  for (const tab of [one, await chrome.openTab(server.origin, READY)]) {
    await tab.call(CALL, "start", "cleared", "1", "enqueue");
    assert.equal(await tab.call(CALL, "outcome"), "DATA_LOSS", "T5: the loss is told");
    await tab.close();
  }
});

test("T7: they were all run", () => figure("T7 in the back/forward cache", counts));

test("in Firefox: a page that was kept at work, and one at rest", {
  timeout: 120_000,
  skip: !process.env.WEFT_LONG
    ? "slow: make check-long PART=firefox"
    : hasFirefox && !isBroken("T7")
      ? false
      : "there is no Firefox",
}, async (t) => {
  const folder = await fs.mkdtemp(join(tmpdir(), "weft-firefox-back-"));
  const browser = await launchFirefox(folder);
  t.after(async () => {
    await browser.kill();
    await fs.rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  const open = async () => {
    const page = await browser.openPage(server.origin);
    await page.call(READY);
    // The page that one comes back to is there a little after the call.
    const back = async () => {
      await page.back();
      while (!(await page.call(KEPT).catch(() => false)))
        await new Promise((resolve) => setTimeout(resolve, 20));
    };
    return { ...page, back };
  };
  await overtake(...(await openApart(open)));
  await followOn(...(await openApart(open)));
});
