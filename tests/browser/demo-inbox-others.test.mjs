// SPDX-License-Identifier: MIT
// The demo's inbox in Firefox and WebKitGTK: a request is listed, its card works when it was in
// sight with nothing on top, also outside of its root, and what was approved runs.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copyDemo } from "./demo-browser.mjs";
import { serveDemo } from "../../web-demo/serve.mjs";
import { hasFirefox, launchFirefox } from "./firefox.mjs";
import { hasWebkit, launchWebkit } from "./webkit.mjs";

let folder, server;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "weft-inbox-"));
  server = await serveDemo({ folder: await copyDemo(join(folder, "dist")), port: 0 });
});
after(async () => {
  await server?.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** Runs in the page. */
async function flow() {
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const until = async (find) => {
    for (let tries = 0; tries < 1200; tries++) {
      const found = find();
      if (found) return found;
      await pause(50);
    }
    throw new Error(`waited in vain for ${find}`);
  };
  const within = (root, selector) =>
    root.querySelector(selector) ??
    [...root.querySelectorAll("*")]
      .filter(({ shadowRoot }) => shadowRoot)
      .map(({ shadowRoot }) => within(shadowRoot, selector))
      .find(Boolean);
  const studio = await until(() => within(document, "weft-studio"));
  const ask = async (path, body) =>
    (
      await studio.server.fetch(`http://weft.local${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      })
    ).json();
  await ask("/threads", { thread_id: "t", metadata: { graph_id: "orders" } });
  const input = { messages: [{ role: "user", content: "Please order 3 teapots" }] };
  await ask("/threads/t/runs/wait", { assistant_id: "orders", input });
  const cover = document.body.appendChild(document.createElement("div"));
  Object.assign(cover.style, { position: "fixed", inset: "0", zIndex: 99, background: "white" });
  location.hash = "#/inbox";
  const inbox = (selector) => within(document, `.inbox ${selector}`);
  const button = await until(() => inbox('[data-do="approve"]'));
  await pause(1500);
  const isCovered = button.disabled;
  cover.remove();
  await until(() => !button.disabled);
  button.click();
  await until(() => /Nothing waits/.test(inbox(".lead").textContent));
  const { values } = await (await studio.server.fetch("http://weft.local/threads/t/state")).json();
  return {
    isCovered,
    ran: values.messages.filter(({ type }) => type === "tool").map(({ content }) => content),
    focus: document.activeElement.localName,
  };
}

async function check(browser) {
  const page = await browser.openPage(`${server.url}#/work/orders`);
  const { isCovered, ran, focus } = await page.call(String(flow));
  assert.ok(isCovered);
  assert.deepEqual(ran, ["3 x teapots"]);
  assert.notEqual(focus, "body");
  await page.close();
}

test("the inbox works in Firefox", { skip: !hasFirefox }, async (t) => {
  const profile = await mkdtemp(join(tmpdir(), "weft-firefox-"));
  const browser = await launchFirefox(profile);
  t.after(async () => {
    await browser.close();
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  });
  await check(browser);
});

test("the inbox works in WebKitGTK", { skip: !hasWebkit && "there is no WebKitGTK" }, async (t) => {
  const browser = await launchWebkit();
  t.after(() => browser.close());
  await check(browser);
});
