// SPDX-License-Identifier: MIT
// <weft-studio> in Firefox and in WebKitGTK, where they are installed: a message runs, its text box
// grows, keys go through the checkpoints.
import { test } from "node:test";
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hasFirefox, launchFirefox } from "./firefox.mjs";
import { serveStudio } from "./studio-browser.mjs";
import { hasWebkit, launchWebkit } from "./webkit.mjs";

/** Uses the element in its page; answers what was seen. */
async function use() {
  const until = async (find) => {
    for (let tries = 0; tries < 3000; tries++) {
      const found = find();
      if (found) return found;
      await new Promise((done) => setTimeout(done, 20));
    }
    throw new Error(`not seen: ${find}`);
  };
  const root = (await until(() => globalThis.studio)).shadowRoot;
  const find = (selector) => root.querySelector(selector);
  const press = (element, key) =>
    element.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  await until(() => find(".status")?.textContent === "ready");
  const box = find(".composer textarea");
  const low = box.offsetHeight;
  box.value = "Hello\nin\nfour\nlines";
  box.dispatchEvent(new InputEvent("input", { bubbles: true }));
  await until(() => find(".composer .grow").dataset.text.includes("lines"));
  const high = box.offsetHeight;
  press(box, "Enter");
  await until(() => find(".talk li.ai .prose") && find('.status[data-run="none"]'));
  const line = await until(() => find(".timeline"));
  const marks = root.querySelectorAll(".mark").length;
  press(line, "Home");
  await until(() => line.getAttribute("aria-valuenow") === "1");
  press(line, "ArrowRight");
  await until(() => line.getAttribute("aria-valuenow") === "2");
  return {
    grown: high - low,
    marks,
    changes: find(".changes").textContent,
    agent: find('.node[data-node="agent"]').dataset.state,
    violations: globalThis.violations,
  };
}

/** @param {{ openPage: (url: string) => Promise<any>, close: () => Promise<void> }} browser */
async function check(browser) {
  const served = await serveStudio("studio-page.mjs");
  try {
    const page = await browser.openPage(`${served.origin}/?graph=agent`);
    const { grown, marks, changes, agent, violations } = await page.call(`${use}`);
    assert.ok(grown > 40, `the box has grown by ${grown} px`);
    assert.equal(marks, 3);
    assert.match(changes, /\/messages\/0[^]*Hello/);
    assert.equal(agent, "next");
    // WebKit asks for a page's icon by itself and tells the page that this was forbidden.
    const ofElement = violations.filter((what) => !/^img-src \S+\/favicon\.ico$/.test(what));
    assert.deepEqual(ofElement, []);
  } finally {
    await browser.close();
    served.close();
  }
}

test("in Firefox", { skip: hasFirefox ? false : "there is no Firefox" }, async (t) => {
  const profile = await mkdtemp(join(tmpdir(), "weft-studio-"));
  t.after(() => rm(profile, { recursive: true, force: true, maxRetries: 5 }));
  await check(await launchFirefox(profile));
});

test("in WebKitGTK", { skip: hasWebkit ? false : "there is no WebKitGTK" }, async () => {
  await check(await launchWebkit());
});
