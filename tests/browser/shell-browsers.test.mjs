// SPDX-License-Identifier: MIT
// The studio in Firefox and WebKitGTK (A18): the engine starts and measures, a run asks, the badge
// counts, the theme turns, every screen opens, the composer grows.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copyDemo } from "./demo-browser.mjs";
import { serveDemo } from "../../web-demo/serve.mjs";
import { ROUTES } from "../../web-demo/src/shell/routes.js";
import { hasFirefox, launchFirefox } from "./firefox.mjs";
import { hasWebkit, launchWebkit } from "./webkit.mjs";

let folder, server;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "weft-browsers-"));
  server = await serveDemo({ folder: await copyDemo(join(folder, "dist")), port: 0 });
});

after(async () => {
  await server?.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** Uses the studio as a person, in the page; answers what was seen. */
const use = String(async (screens) => {
  const until = async (what, look) => {
    for (const end = Date.now() + 30_000; Date.now() < end; ) {
      const seen = look();
      if (seen) return seen;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`not seen: ${what}`);
  };
  const find = (selector) => document.querySelector(selector);
  const inside = (selector) => find("weft-studio")?.shadowRoot.querySelector(selector);
  const seen = {};
  await until("figures", () => !find(".figures")?.textContent.includes("…") && find(".figures dd"));
  seen.figures = find(".figures dl").textContent;
  await until("drawings", () => document.querySelectorAll(".samples svg").length === 5);
  find("#theme").click();
  find("#theme").click();
  seen.theme = getComputedStyle(document.body).colorScheme;
  location.hash = "#/work/orders";
  await until("workbench", () => inside('.node[data-node="agent"]'));
  const message = await until("composer", () => inside("textarea"));
  const before = message.offsetHeight;
  message.value = "one\ntwo\nthree\nfour";
  message.dispatchEvent(new Event("input", { bubbles: true }));
  await until("a higher composer", () => message.offsetHeight > before);
  message.value = "";
  message.dispatchEvent(new Event("input", { bubbles: true }));
  const story = await until("story", () => find(".bench-stories button:enabled"));
  story.click();
  await until("card", () => inside('[data-do="approve"]'));
  await until("count", () => document.title.startsWith("(1) "));
  seen.screens = [];
  for (const screen of screens) {
    find(`#screens [data-screen="${screen}"]`).click();
    // Some screens draw into a shadow root.
    const heading = () =>
      find(`.screen.${screen} h1`) ??
      find(`.screen.${screen} > div`)?.shadowRoot?.querySelector("h1");
    await until(screen, heading);
    if (find(".screen > .notice.problem") === null) seen.screens.push(screen);
  }
  return seen;
});

/** @param {{ openPage: (url: string) => Promise<any>, close: () => Promise<void> }} browser */
async function check(browser) {
  const screens = ROUTES.map(({ screen }) => screen);
  try {
    const page = await browser.openPage(server.url);
    const seen = await page.call(use, screens);
    assert.match(seen.figures, /Engine start\s*\d.*1,000 steps.*\d.*Requests sent\s*0/s);
    assert.equal(seen.theme, "dark");
    assert.deepEqual(seen.screens, screens);
  } finally {
    await browser.close();
  }
}

test("in Firefox", { skip: !hasFirefox && "no Firefox" }, async () => {
  const profile = join(folder, "profile");
  await mkdir(profile);
  await check(await launchFirefox(profile));
});

test("in WebKitGTK", { skip: !hasWebkit && "no WebKitGTK" }, async () => {
  await check(await launchWebkit());
});
