// SPDX-License-Identifier: MIT
// Knows: how the demo is built, served and opened in Chromium with a profile that outlives the
// browser. Owns the server, the profile and what went wrong in any page. Must not know what a test
// expects.
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { buildDemo } from "../../web-demo/build.mjs";
import { serveDemo } from "../../web-demo/serve.mjs";
import { CHROMIUM, WAIT_MS, openProfile } from "./chromium.mjs";

const ARGS = [
  ...CHROMIUM.args,
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * Puts the built demo into a folder: the one that WEFT_DEMO names, built before for all tests, or
 * one that is built now.
 * @param {string} out
 * @returns {Promise<string>} the folder
 */
export async function copyDemo(out) {
  const built = process.env.WEFT_DEMO;
  if (!built) return buildDemo({ out });
  await cp(built, out, { recursive: true });
  return out;
}

export class DemoBrowser {
  /**
   * Console errors, uncaught errors, violations of the policy, requests that leave this machine.
   */
  faults = [];
  /** Console errors that match are expected. @type {RegExp | undefined} */
  expected = undefined;
  /** The same of uncaught errors. @type {RegExp | undefined} */
  expectedUncaught = undefined;

  /** @param {(folder: string) => Promise<void>} [change] of what was built */
  static async open(change) {
    const browser = new DemoBrowser();
    await browser.#start(change);
    return browser;
  }

  /** One for all tests of a file: it is there before the first of them, and closed after them. */
  static forTests() {
    const browser = new DemoBrowser();
    before(() => browser.#start());
    after(() => browser.close());
    return browser;
  }

  async #start(change) {
    this.folder = await mkdtemp(join(tmpdir(), "weft-demo-"));
    this.profile = join(this.folder, "profile");
    const folder = await copyDemo(join(this.folder, "dist"));
    await change?.(folder);
    this.server = await serveDemo({ folder, port: 0 });
    await this.launch();
  }

  /** @param {object} [more] options of Playwright's */
  async launch(more) {
    this.context = await openProfile(this.profile, {
      args: ARGS,
      viewport: { width: 1100, height: 800 },
      ...more,
    });
    this.context.setDefaultTimeout(WAIT_MS);
    this.context.on("console", (message) => {
      if (message.type() === "error" && !this.expected?.test(message.text()))
        this.faults.push(`console: ${message.text()}`);
    });
    this.context.on("weberror", (error) => {
      const { message, stack } = error.error();
      if (!this.expectedUncaught?.test(message)) this.faults.push(`uncaught: ${stack}`);
    });
    this.context.on("request", (request) => {
      if (!/^(http:\/\/127\.0\.0\.1:|blob:|data:)/.test(request.url()))
        this.faults.push(`request: ${request.url()}`);
    });
    await this.context.addInitScript(() => {
      addEventListener("securitypolicyviolation", (event) =>
        console.error(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`),
      );
    });
  }

  async reopen() {
    await this.context.close();
    await this.launch();
  }

  async close() {
    await this.context?.close();
    await this.server?.close();
    if (this.folder !== undefined)
      await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
