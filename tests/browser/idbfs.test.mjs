// SPDX-License-Identifier: MIT
// The IDBFS store in a real Chromium, under a strict content security policy: the store contract in
// a page and in a worker; T7, two tabs that write one thread; T6 in part, a browser closed and
// opened again.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WAIT_MS, openProfile } from "./chromium.mjs";
import { startServer } from "./idbfs-server.mjs";

const TWO_TAB_RUNS = Number(process.env.WEFT_TWO_TAB_RUNS ?? 10);
let server, profile, context;

const launch = () => openProfile(profile);

async function openPage() {
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT_MS);
  await page.goto(server.origin);
  return page;
}

/** Calls an export of idbfs-page.mjs in the page. */
const call = (page, name, ...words) =>
  page.evaluate(
    async ([path, what, args]) => (await import(path))[what](...args),
    ["/tests/browser/idbfs-page.mjs", name, words],
  );

before(async () => {
  server = await startServer();
  profile = await fs.mkdtemp(join(tmpdir(), "weft-chromium-"));
  context = await launch();
});

after(async () => {
  await context?.close();
  server?.close();
  if (profile) await fs.rm(profile, { recursive: true, force: true, maxRetries: 5 });
});

for (const place of ["runContract", "runContractInWorker"]) {
  test(`the store contract: ${place}`, { timeout: 600_000 }, async (t) => {
    const page = await openPage();
    const results = await call(page, place);
    assert.ok(results.length > 15);
    for (const { name, error, ms } of results)
      await t.test(`${name} (${ms} ms)`, () => assert.equal(error, null));
    await page.close();
  });
}

test(`${TWO_TAB_RUNS} runs of two tabs on one thread: none of the acknowledged commits lost, the loser fenced`, {
  timeout: 600_000,
}, async (t) => {
  const pages = [await openPage(), await openPage()];
  let fenced = 0;
  for (let run = 0; run < TWO_TAB_RUNS; run++) {
    const prefix = `tabs-${run}`;
    const results = await Promise.all(
      pages.map((page, i) =>
        call(page, "compete", { prefix, name: "ab"[i], count: 40, size: run * 200, meets: true }),
      ),
    );
    const { lines, threads } = await call(pages[run % 2], "readShared", prefix);
    const acknowledged = results.flatMap((result) =>
      result.acknowledged.map((line) => line.trim()),
    );
    assert.equal(acknowledged.length, 80);
    assert.deepEqual(lines.map((line) => line.trim()).sort(), acknowledged.sort());
    lines.forEach((line, i) => assert.equal(Number(line.split(" ")[0]), i + 1));
    assert.deepEqual(threads, ["shared"]);
    fenced += results[0].fenced + results[1].fenced;
    if (run === 0)
      t.diagnostic(
        `append: median ${results[0].median.toFixed(1)} ms, slowest ${results[0].slowest.toFixed(1)} ms`,
      );
  }
  t.diagnostic(`${fenced} fenced`);
  assert.ok(fenced >= TWO_TAB_RUNS, "the tabs met");
  await Promise.all(pages.map((page) => page.close()));
});

test("a thread's lock is held by one tab, and free when the tab is gone", {
  timeout: 600_000,
}, async () => {
  const [one, two] = [await openPage(), await openPage()];
  assert.equal(await call(one, "tryHold", "lock", true), true);
  assert.equal(await call(two, "tryHold", "lock", false), false);
  await one.close();
  while (!(await call(two, "tryHold", "lock", false)));
  assert.match(await call(two, "persistence"), /^(persistent|best-effort)$/);
  await two.close();
});

test("a browser that loses the index of threads alone lists them all the same", {
  timeout: 600_000,
}, async () => {
  const page = await openPage();
  assert.deepEqual(await call(page, "loseIndex", "lost"), {
    before: ["a", "b", "ü/c"],
    after: ["a", "b", "ü/c"],
    dropped: ["a", "ü/c"],
    head: { seq: 1, crc: 7 },
  });
  await page.close();
});

test("a browser closed and opened again has all that was acknowledged", {
  timeout: 600_000,
}, async (t) => {
  let page = await openPage();
  const { acknowledged } = await call(page, "compete", {
    prefix: "kept",
    name: "k",
    count: 150,
    size: 300,
  });
  await context.close();
  context = await launch();
  page = await openPage();
  const found = await call(page, "readShared", "kept");
  assert.deepEqual(
    found.lines.map((line) => line.trim()),
    acknowledged.map((line) => line.trim()),
  );
  assert.equal(found.head.seq, 150);
  assert.deepEqual(found.witness, found.head);
  assert.ok(found.batches < 70, `${found.batches} files: old commits are folded`);
  t.diagnostic(`opened and read in ${found.ms.toFixed(1)} ms`);
  const more = await call(page, "compete", { prefix: "kept", name: "m", count: 3 });
  assert.equal(Number(more.acknowledged[0].split(" ")[0]), 151);
});
