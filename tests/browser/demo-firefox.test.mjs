// SPDX-License-Identifier: MIT
// The studio in Firefox: the engine starts also where the service worker has the files, and goes on
// after its plug was pulled.
import { test } from "node:test";
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildDemo } from "../../web-demo/build.mjs";
import { serveDemo } from "../../web-demo/serve.mjs";
import { hasFirefox, launchFirefox } from "./firefox.mjs";

const WAIT_MS = 60_000;

test("a page of the service worker starts the engine, which goes on after its plug was pulled", {
  skip: !hasFirefox && "no Firefox",
}, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "weft-demo-"));
  const server = await serveDemo({
    folder: await buildDemo({ out: join(folder, "dist") }),
    port: 0,
  });
  const browser = await launchFirefox(await mkdtemp(join(folder, "profile-")));
  t.after(async () => {
    await browser.close();
    await server.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  const page = await browser.openPage(`${server.url}#/work/research`);
  /** Waits until the page shows it. */
  const until = async (source) => {
    for (const end = Date.now() + WAIT_MS; ; ) {
      if (await page.call(`async () => Boolean(${source})`)) return;
      assert.ok(Date.now() < end, `${source} did not come`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  const press = (name) =>
    page.call(
      `async (name) => [...document.querySelectorAll("button")].find((button) => button.textContent.trim() === name).click()`,
      name,
    );
  const isReady = `document.querySelector(".bench")?.dataset.engine === "ready"`;
  const isRunning = `document.querySelector("weft-studio").shadowRoot.querySelector('[data-node="search"][data-state="running"]')`;
  await until(isReady);
  await until("navigator.serviceWorker.controller");
  await page.goto(`${server.url}?again#/work/research`);
  await until(isReady);
  await press("Read up on tea");
  await until(isRunning);
  await press("Pull the plug");
  await until(`document.querySelector(".bench")?.dataset.engine === "gone"`);
  await press("Start again");
  await until(
    `/^0 lost, 0 run twice, resumed at/.test(document.querySelector(".bench-note h2")?.textContent)`,
  );
});
