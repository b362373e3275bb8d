// SPDX-License-Identifier: MIT
// Knows: how the demo is built, served and opened in Chromium with a profile that outlives the
// browser, and how a person uses it. Owns the server, the profile and what went wrong in any page.
// Must not know what a test expects.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
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

export class DemoBrowser {
  /**
   * Console errors, uncaught errors, violations of the policy, requests that leave this machine.
   */
  faults = [];
  /** Console errors that match are expected. @type {RegExp | undefined} */
  expected = undefined;

  static async open() {
    const browser = new DemoBrowser();
    browser.folder = await mkdtemp(join(tmpdir(), "weft-demo-"));
    browser.profile = join(browser.folder, "profile");
    browser.server = await serveDemo({
      folder: await buildDemo({ out: join(browser.folder, "dist") }),
      port: 0,
    });
    await browser.launch();
    return browser;
  }

  async launch() {
    this.context = await openProfile(this.profile, {
      args: ARGS,
      viewport: { width: 1100, height: 800 },
    });
    this.context.setDefaultTimeout(WAIT_MS);
    this.context.on("console", (message) => {
      if (message.type() === "error" && !this.expected?.test(message.text()))
        this.faults.push(`console: ${message.text()}`);
    });
    this.context.on("weberror", (error) => this.faults.push(`uncaught: ${error.error().stack}`));
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
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /** A page of the chat, at a thread or at a new one. */
  async page(hash = "") {
    const page = await this.context.newPage();
    await page.goto(`${this.server.url}chat.html${hash}`);
    await settled(page);
    return page;
  }
}

export const threadOf = (page) => new URL(page.url()).hash;
export const statusIs = (page, status) => page.waitForSelector(`.log[data-status="${status}"]`);
export const settled = (page) => statusIs(page, "idle");

/** Writes and sends; does not wait for the answer, which may be there at once. */
export async function send(page, text) {
  const before = await page.locator(".turn.human").count();
  await page.fill("#message", text);
  await page.press("#message", "Enter");
  await page.locator(".turn.human").nth(before).waitFor();
}

/** Asks and waits until the run ended: by an answer or by a request for approval. */
export async function ask(page, text) {
  await send(page, text);
  await settled(page);
}

/** What the agent said last. */
export const lastSaid = (page) => page.locator(".turn.agent .prose").last().innerText();
export const orders = (page) => page.locator("#orders li > span").allInnerTexts();
export const notes = (page) => page.locator("#notes li > span").allInnerTexts();
export const card = (page) => page.locator(".approval");

/** Keeps a button of a card in sight, which may grow, until it works. */
export async function untilWorks(cards, act) {
  const button = cards.locator(`[data-do="${act}"]`).first();
  for (
    const end = Date.now() + WAIT_MS;
    ;
    await new Promise((resolve) => setTimeout(resolve, 50))
  ) {
    if (
      await button.evaluate(
        (element) => (element.scrollIntoView({ block: "nearest" }), !element.disabled),
      )
    )
      return button;
    if (Date.now() > end) throw new Error(`${act} does not work`);
  }
}

/** Presses a button of the card when it works. */
export async function press(page, act) {
  await (await untilWorks(card(page), act)).click();
}

/** Opens the edit of the first card as JSON. */
export async function editJson(page, cards = card(page).first()) {
  await (await untilWorks(cards, "edit")).click();
  await cards.locator('[data-tab="json"]').click();
  await cards.locator(".json").waitFor();
}

export async function approve(page) {
  await press(page, "approve");
  await page.waitForFunction(
    () =>
      !document.querySelector(".approval") && document.querySelector('.log[data-status="idle"]'),
  );
}

/** Chooses the model in the settings. */
export async function choose(page, { url, key, model, pace }) {
  await page.click("#open-settings");
  await page.check(`#settings input[value="${url ? "endpoint" : "demo"}"]`);
  if (url) {
    await page.fill("#set-url", url);
    await page.fill("#set-key", key);
    await page.fill("#set-model", model);
  } else await page.selectOption("#pace", String(pace));
  await page.click('#settings button[type="submit"]');
  await page.waitForSelector("#settings", { state: "hidden" });
}
