// SPDX-License-Identifier: MIT
// T6 in its CI size: the browser is killed (SIGKILL, all of its processes) while a page commits. What was acknowledged is
// there afterwards, in order, and the log is sound. WEFT_KILLS=n kills n times. (This says nothing of a power cut.)
import { test } from "node:test";
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { chromium } from "playwright-core";
import { figure, isBroken } from "../proof/kit.mjs";
import { CHROMIUM, WAIT_MS } from "./chromium.mjs";
import { startServer } from "./idbfs-server.mjs";

const KILLS = Number(process.env.WEFT_KILLS ?? 6);

/** A Chromium whose processes we can kill as one group. */
async function start(profile) {
  const portFile = join(profile, "DevToolsActivePort");
  await fs.rm(portFile, { force: true });
  for (const lock of ["SingletonLock", "SingletonCookie", "SingletonSocket"]) await fs.rm(join(profile, lock), { force: true });
  const options = [...CHROMIUM.args, "--headless=new", "--no-first-run", "--remote-debugging-port=0", `--user-data-dir=${profile}`];
  const child = spawn(CHROMIUM.executablePath, [...options, "about:blank"], { stdio: "ignore", detached: true });
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

test(`${KILLS} kills of the browser during commits lose nothing that was acknowledged`, { timeout: 600_000 + KILLS * 25_000 }, async (t) => {
  const server = await startServer();
  const profile = await fs.mkdtemp(join(tmpdir(), "weft-kill-"));
  const acknowledged = [];
  let browser = await start(profile);
  t.after(async () => {
    await browser.kill();
    server.close();
    await fs.rm(profile, { recursive: true, force: true, maxRetries: 5 });
  });
  for (let kill = 0; kill < KILLS; kill++) {
    const page = await browser.page(server.origin);
    await page.exposeBinding("acknowledge", (_source, line) => void acknowledged.push(line));
    const already = acknowledged.length;
    page.evaluate(async ([name, early]) => (await import("/tests/browser/idbfs-page.mjs")).compete({ prefix: "kill", name, count: 1e6, size: 2000, tell: globalThis.acknowledge, early }), [`k${kill}.`, isBroken("T6")]).catch(() => {});
    while (acknowledged.length < already + 30) await sleep(5);
    await sleep(Math.random() * 50);
    await browser.kill();
    browser = await start(profile);
    const found = await (await browser.page(server.origin)).evaluate(async () => (await import("/tests/browser/idbfs-page.mjs")).readShared("kill"));
    const lines = new Map(found.lines.map((line) => [Number(line.split(" ")[0]), line.trim()]));
    assert.equal(found.lines.length, found.head.seq);
    found.lines.forEach((line, i) => assert.equal(Number(line.split(" ")[0]), i + 1));
    for (const line of acknowledged) assert.equal(lines.get(Number(line.split(" ")[0])), line.trim(), "T6: an acknowledged commit is lost");
  }
  figure("T6", { kills: KILLS, acknowledged: acknowledged.length });
});
