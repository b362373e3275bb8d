// SPDX-License-Identifier: MIT
// T6 in Firefox: all of its processes are killed while a page commits. The page tells the server
// what was acknowledged; that is there afterwards, in order. Under WEFT_LONG, twice; WEFT_KILLS=n
// kills n times.
import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { LONG, figure } from "../proof/kit.mjs";
import { FIREFOX, hasFirefox, launchFirefox } from "./firefox.mjs";
import { startServer } from "./idbfs-server.mjs";

const KILLS = Number(process.env.WEFT_KILLS ?? (LONG ? 2 : 0));
const PAGE = "/tests/browser/idbfs-page.mjs";
const COMPETE =
  "async (path, options) => (await import(path)).compete({ ...options, tell: (line) => fetch('/told', { method: 'POST', body: line }) })";
// Killed again and again, it must not offer its safe mode, nor open what was open.
const PREFERENCES =
  'user_pref("toolkit.startup.max_resumed_crashes", -1);\nuser_pref("browser.sessionstore.resume_from_crash", false);\n';

const absent = hasFirefox ? false : `there is no ${FIREFOX}`;
test("Firefox is killed during commits: nothing is lost that was acknowledged", {
  timeout: 600_000 + KILLS * 40_000,
  skip: KILLS === 0 ? "slow: make check-long PART=T6" : absent,
}, async (t) => {
  const acknowledged = [];
  const server = await startServer((line) => acknowledged.push(line.trim()));
  const profile = await fs.mkdtemp(join(tmpdir(), "weft-firefox-kill-"));
  await fs.writeFile(join(profile, "user.js"), PREFERENCES);
  let browser = await launchFirefox(profile);
  t.after(async () => {
    await browser.kill();
    server.close();
    await fs.rm(profile, { recursive: true, force: true, maxRetries: 5 });
  });
  for (let kill = 0; kill < KILLS; kill++) {
    const page = await browser.openPage(server.origin);
    const already = acknowledged.length;
    page
      .call(COMPETE, PAGE, { prefix: "kill", name: `k${kill}.`, count: 1e6, size: 2000 })
      .catch(() => {});
    while (acknowledged.length < already + 20) await sleep(5);
    await sleep(Math.random() * 50);
    await browser.kill();
    browser = await launchFirefox(profile);
    const found = await (await browser.openPage(server.origin)).call(
      "async (path, prefix) => (await import(path)).readShared(prefix)",
      PAGE,
      "kill",
    );
    const lines = new Map(found.lines.map((line) => [Number(line.split(" ")[0]), line.trim()]));
    assert.equal(found.lines.length, found.head.seq);
    found.lines.forEach((line, i) => assert.equal(Number(line.split(" ")[0]), i + 1));
    for (const line of acknowledged)
      assert.equal(
        lines.get(Number(line.split(" ")[0])),
        line,
        "T6: an acknowledged commit is lost",
      );
  }
  if (LONG) figure("T6 in Firefox", { kills: KILLS, acknowledged: acknowledged.length });
});
