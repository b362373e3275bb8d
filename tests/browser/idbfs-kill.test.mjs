// SPDX-License-Identifier: MIT
// T6: the browser is killed (SIGKILL, all of its processes) while a page commits. What was
// acknowledged is there afterwards, in order, and the log is sound. Once; six times under
// WEFT_LONG; WEFT_KILLS=n kills n times. (This says nothing of a power cut.)
import { test } from "node:test";
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { chromium } from "playwright-core";
import { LONG, figure, isBroken } from "../proof/kit.mjs";
import { WHOLE, WAIT_MS } from "./chromium.mjs";
import { startServer } from "./idbfs-server.mjs";

const KILLS = Number(process.env.WEFT_KILLS ?? (LONG || isBroken("T6") ? 6 : 1));

/** A Chromium whose processes we can kill as one group. */
async function start(profile) {
  const portFile = join(profile, "DevToolsActivePort");
  await fs.rm(portFile, { force: true });
  for (const lock of ["SingletonLock", "SingletonCookie", "SingletonSocket"])
    await fs.rm(join(profile, lock), { force: true });
  const options = [
    ...WHOLE.args,
    "--headless=new",
    "--no-first-run",
    "--remote-debugging-port=0",
    `--user-data-dir=${profile}`,
  ];
  const child = spawn(WHOLE.executablePath, [...options, "about:blank"], {
    stdio: "ignore",
    detached: true,
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  let port;
  while (!port) {
    await sleep(20);
    [, port] = /^(\d+)\n/.exec(await fs.readFile(portFile, "utf8").catch(() => "")) ?? [];
  }
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
  return {
    page: async (address) => {
      const page = await browser.contexts()[0].newPage();
      page.setDefaultTimeout(WAIT_MS);
      await page.goto(address);
      return page;
    },
    kill: async () => {
      process.kill(-child.pid, "SIGKILL");
      await ended;
      await browser.close().catch(() => {});
    },
  };
}

/** A browser with a profile of its own, what it is served, and what it acknowledged. */
async function setUp(t) {
  const server = await startServer();
  const profile = await fs.mkdtemp(join(tmpdir(), "weft-kill-"));
  const room = { origin: server.origin, profile, acknowledged: [], browser: await start(profile) };
  t.after(async () => {
    await room.browser.kill();
    server.close();
    await fs.rm(profile, { recursive: true, force: true, maxRetries: 5 });
  });
  return room;
}

/** A page commits, 2 kB a line, until `count` commits more were acknowledged; then it goes on. */
async function commit({ browser, origin, acknowledged }, name, count) {
  const page = await browser.page(origin);
  await page.exposeBinding("acknowledge", (_source, line) => void acknowledged.push(line));
  const already = acknowledged.length;
  page
    .evaluate(
      async ([name, early]) =>
        (await import("/tests/browser/idbfs-page.mjs")).compete({
          prefix: "kill",
          name,
          count: 1e6,
          size: 2000,
          tell: globalThis.acknowledge,
          early,
        }),
      [name, isBroken("T6")],
    )
    .catch(() => {});
  while (acknowledged.length < already + count) await sleep(5);
}

async function expectAll({ browser, origin, acknowledged }) {
  const found = await (await browser.page(origin)).evaluate(async () =>
    (await import("/tests/browser/idbfs-page.mjs")).readShared("kill"),
  );
  assert.ok(found.head, "T6: all commits are lost");
  const lines = new Map(found.lines.map((line) => [Number(line.split(" ")[0]), line.trim()]));
  assert.equal(found.lines.length, found.head.seq);
  found.lines.forEach((line, i) => assert.equal(Number(line.split(" ")[0]), i + 1));
  for (const line of acknowledged)
    assert.equal(
      lines.get(Number(line.split(" ")[0])),
      line.trim(),
      "T6: an acknowledged commit is lost",
    );
}

test(`${KILLS === 1 ? "a kill" : `${KILLS} kills`} of the browser during commits: nothing is lost that was acknowledged`, {
  timeout: 600_000 + KILLS * 25_000,
}, async (t) => {
  const room = await setUp(t);
  for (let kill = 0; kill < KILLS; kill++) {
    await commit(room, `k${kill}.`, 30);
    await sleep(Math.random() * 50);
    await room.browser.kill();
    room.browser = await start(room.profile);
    await expectAll(room);
  }
  figure(LONG ? "T6" : "T6 in make test", { kills: KILLS, acknowledged: room.acknowledged.length });
});

/**
 * What a kill between the two writes of one LevelDB record leaves behind: a record's header, and
 * nothing of the record.
 */
async function cutRecord(profile) {
  const folder = join(profile, "Default/IndexedDB");
  const [origin] = await fs.readdir(folder);
  const logs = (await fs.readdir(join(folder, origin)))
    .filter((name) => name.endsWith(".log"))
    .sort();
  const path = join(folder, origin, logs.at(-1));
  const left = 32768 - ((await fs.stat(path)).size % 32768);
  const length = 1000;
  await fs.appendFile(
    path,
    Buffer.concat([
      Buffer.alloc(left < 2000 ? left : 0),
      Buffer.from([1, 2, 3, 4, length & 255, length >> 8, 1]),
    ]),
  );
}

test("a record that a kill cut in the middle costs nothing of what was stored before and after", {
  timeout: 300_000,
}, async (t) => {
  const room = await setUp(t);
  for (const name of ["before.", "behind."]) {
    await commit(room, name, 5);
    await room.browser.kill();
    await cutRecord(room.profile);
    room.browser = await start(room.profile);
  }
  await expectAll(room);
});
