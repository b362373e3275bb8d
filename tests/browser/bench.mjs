// SPDX-License-Identifier: MIT
// Knows: how the studio's workbench is opened and used, and what its server says of the open
// thread. Must not know what a test expects.
import { mkdirSync } from "node:fs";

const PICTURES = process.env.WEFT_PICTURES;

/** A page of the workbench, at a graph or at one of its threads. */
export async function openBench(browser, graph) {
  const page = await browser.context.newPage();
  await page.goto(`${browser.server.url}#/work/${graph}`);
  await page.locator("weft-studio .status", { hasText: "ready" }).waitFor();
  return page;
}

/** Takes a picture for who looks at it, where WEFT_PICTURES names a folder. */
export async function picture(page, name) {
  if (PICTURES === undefined) return;
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: `${PICTURES}/${name}.png` });
}

export const press = (page, name) => page.getByRole("button", { name, exact: true }).click();
export const report = (page) => page.getByRole("status", { name: "Restart" });
export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Asks the server in the page's worker about the open thread. */
export const ask = (page, path) =>
  page.evaluate(async (below) => {
    const thread = location.hash.split("/")[3];
    if (thread === undefined) return {};
    const { server } = document.querySelector("weft-studio");
    const options = { method: "POST", body: JSON.stringify({ limit: 100 }) };
    const read = below === "/history" ? options : {};
    return (await server.fetch(`http://weft.local/threads/${thread}${below}`, read)).json();
  }, path);

/** Waits until the open thread is no more at work; answers its state. */
export async function settled(page) {
  for (;;) {
    const { status } = await ask(page, "");
    if (status !== undefined && status !== "busy") return ask(page, "/state");
    await pause(50);
  }
}

/** Starts a story; its thread is another one than before. */
export async function begin(page, story) {
  const before = page.url();
  await press(page, story);
  await page.waitForURL((url) => url.href !== before && url.hash.split("/").length === 4);
}

/** Presses a button of a card that waits, once the card has been in sight. */
export async function decide(page, name) {
  const button = page.getByRole("button", { name, exact: true }).first();
  while (await button.isDisabled()) {
    await button.evaluate((element) => element.scrollIntoView({ block: "center" }));
    await pause(100);
  }
  await button.click();
}
