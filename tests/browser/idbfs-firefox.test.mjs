// SPDX-License-Identifier: MIT
// The IDBFS store in a real Firefox: the store contract, two tabs that write one thread (T7), a
// browser closed and opened again (T6 in part).
import { test } from "node:test";
import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FIREFOX, hasFirefox, launchFirefox } from "./firefox.mjs";
import { startServer } from "./idbfs-server.mjs";

const LONG = process.env.WEFT_LONG !== undefined;
const SLOW = "slow: make check-long PART=firefox";
const PAGE = "/tests/browser/idbfs-page.mjs";
const call = (page, name, ...words) =>
  page.call("async (path, name, words) => (await import(path))[name](...words)", PAGE, name, words);

test("the IDBFS store in Firefox", {
  timeout: 600_000,
  skip: hasFirefox ? false : `there is no ${FIREFOX}`,
}, async (t) => {
  const server = await startServer();
  const profile = await fs.mkdtemp(join(tmpdir(), "weft-firefox-"));
  let browser = await launchFirefox(profile);
  t.after(async () => {
    await browser.close();
    server.close();
    await fs.rm(profile, { recursive: true, force: true, maxRetries: 5 });
  });

  const pages = [await browser.openPage(server.origin), await browser.openPage(server.origin)];
  await t.test("the store contract", { skip: LONG ? false : SLOW }, async (sub) => {
    const results = await call(pages[0], "runContract", { bigBytes: 2_000_000 });
    assert.ok(results.length > 15);
    for (const { name, error, ms } of results)
      await sub.test(`${name} (${ms} ms)`, () => assert.equal(error, null));
  });

  await t.test("two tabs on one thread: none of the acknowledged commits lost", async () => {
    for (let run = 0; run < 3; run++) {
      const both = await Promise.all(
        pages.map((page, i) =>
          call(page, "compete", { prefix: `tabs-${run}`, name: "ab"[i], count: 25, meets: true }),
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

  await t.test("the index of threads alone is lost", async () => {
    assert.deepEqual(await call(pages[0], "loseIndex", "lost"), {
      before: ["a", "b", "ü/c"],
      after: ["a", "b", "ü/c"],
      dropped: ["a", "ü/c"],
      head: { seq: 1, crc: 7 },
    });
  });

  await t.test("closed and opened again", async () => {
    const { acknowledged } = await call(pages[0], "compete", {
      prefix: "kept",
      name: "k",
      count: 80,
    });
    await browser.close();
    browser = await launchFirefox(profile);
    const found = await call(await browser.openPage(server.origin), "readShared", "kept");
    assert.deepEqual(
      found.lines.map((line) => line.trim()),
      acknowledged.map((line) => line.trim()),
    );
    assert.deepEqual(found.witness, found.head);
  });
});
