// SPDX-License-Identifier: MIT
// Knows: how a page of a developer's own with <weft-studio> is bundled, served under a strict
// policy and opened in Chromium, and how a person uses the element. Must not know what a test
// expects.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { build } from "esbuild";
import { WAIT_MS, launchChromium } from "./chromium.mjs";

const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; base-uri 'none'; " +
  "form-action 'none'; require-trusted-types-for 'script'; trusted-types lit-html";
const PICTURES = process.env.WEFT_PICTURES;

/**
 * Serves the page.
 * @param {string} entry its script, beside this file
 * @returns {Promise<{ origin: string, close: () => void }>}
 */
export async function serveStudio(entry) {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(entry, import.meta.url))],
    bundle: true,
    format: "esm",
    write: false,
    target: "es2022",
  });
  const http = createServer((request, response) => {
    const isScript = request.url === "/page.js";
    response.writeHead(200, {
      "content-type": isScript ? "text/javascript" : "text/html; charset=utf-8",
      "content-security-policy": POLICY,
    });
    response.end(
      isScript
        ? outputFiles[0].contents
        : '<!doctype html><html lang="en"><title>my page</title><body><script type="module" src="/page.js"></script>',
    );
  });
  await new Promise((resolve) => http.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${http.address().port}`,
    close() {
      http.closeAllConnections();
      http.close();
    },
  };
}

export class StudioBrowser {
  /** @param {string} [entry] the page's script, beside this file */
  static async open(entry = "studio-page.mjs") {
    const studio = new StudioBrowser();
    studio.http = await serveStudio(entry);
    studio.origin = studio.http.origin;
    studio.browser = await launchChromium();
    return studio;
  }

  async close() {
    await this.browser?.close();
    this.http?.close();
  }

  /**
   * Opens the page. At the end of the test: no error was thrown, and the policy had nothing to say.
   * @param {import("node:test").TestContext} t
   * @param {string} [query]
   * @param {object} [options]
   */
  async page(t, query = "", options = {}) {
    const page = await this.browser.newPage({
      viewport: { width: 1440, height: 900 },
      ...options,
    });
    page.setDefaultTimeout(WAIT_MS);
    const errors = [];
    page.on("pageerror", (error) => errors.push(error.message));
    t.after(async () => {
      const violations = await page.evaluate("globalThis.violations");
      await page.close();
      assert.deepEqual(errors, []);
      assert.deepEqual(violations, []);
    });
    await page.goto(`${this.origin}/${query}`);
    await page.locator("weft-studio .status", { hasText: "ready" }).waitFor();
    return page;
  }
}

/** A picture for who looks at it, where WEFT_PICTURES names a folder. */
export async function picture(page, name) {
  if (PICTURES === undefined) return;
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: `${PICTURES}/${name}.png` });
}

export const nodeStates = (page) =>
  page
    .locator("weft-studio .node")
    .evaluateAll((nodes) =>
      Object.fromEntries(nodes.map(({ dataset }) => [dataset.node, dataset.state])),
    );
export const marks = (page) =>
  page.locator("weft-studio .mark").evaluateAll((list) => list.map(({ dataset }) => dataset.kind));
export const untilState = (page, node, state) =>
  page.locator(`weft-studio .node[data-node="${node}"][data-state="${state}"]`).waitFor();
export const settled = (page) => page.locator('weft-studio .status[data-run="none"]').waitFor();

/** What is read when it is the same for 200 ms: a layout that has come to rest. */
export async function atRest(look) {
  for (let before; ; ) {
    const seen = await look();
    if (isDeepStrictEqual(seen, before)) return seen;
    before = seen;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

export async function say(page, text) {
  await page.getByLabel("Message", { exact: true }).fill(text);
  await page.getByRole("button", { name: "Run", exact: true }).click();
}

/** Brings in sight what a card says it lacks, until its button works. @returns the button */
export async function read(card, act) {
  const button = card.locator(`[data-do="${act}"]`);
  const unread = card.locator(".hint", { hasText: "Scroll to the end" });
  for (const end = Date.now() + WAIT_MS; await button.isDisabled(); ) {
    if (Date.now() > end) throw new Error(`${act} does not work`);
    const lacks = (await unread.count()) > 0 ? card.locator(".end") : button;
    await lacks.evaluate((one) => one.scrollIntoView({ block: "center" }));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return button;
}
