// SPDX-License-Identifier: MIT
// Bundles the pages of front-ends, and opens them in Chromium, which asks no server for anything.
import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { WAIT_MS, launchChromium } from "./chromium.mjs";

const ORIGIN = "http://localhost";
const folder = fileURLToPath(new URL("front-ends", import.meta.url));

/**
 * @param {string} name of a file in front-ends
 * @param {import("esbuild").BuildOptions} [options]
 * @returns {Promise<Map<string, Uint8Array>>} its files, by their paths
 */
export async function bundle(name, options) {
  const { outputFiles } = await build({
    entryPoints: { page: join(folder, name) },
    outdir: "/",
    bundle: true,
    write: false,
    format: "esm",
    jsx: "automatic",
    define: { "process.env.NODE_ENV": '"production"' },
    loader: { ".ttf": "empty", ".woff": "empty", ".woff2": "empty" },
    logLevel: "error",
    ...options,
  });
  return new Map(outputFiles.map(({ path, contents }) => [path, contents]));
}

/**
 * A browser with one front end.
 * @param {string} name of its page in front-ends
 * @param {import("esbuild").BuildOptions} [options]
 */
export async function openFrontEnd(name, options) {
  const files = await bundle(name, options);
  const style = files.has("/page.css") ? '<link rel="stylesheet" href="/page.css">' : "";
  const html = `<!doctype html><title>${name}</title>${style}<div id="root"></div><script type="module" src="/page.js"></script>`;
  return openSite(files.set("/", Buffer.from(html)));
}

/**
 * A browser with a site of files alone.
 * @param {Map<string, Uint8Array>} files by their paths
 */
export function openSite(files) {
  return openBrowser(ORIGIN, (route, pathname) => {
    const found = files.get(pathname);
    if (pathname === "/favicon.ico") return route.fulfill({ status: 404 });
    if (found === undefined) return undefined;
    return route.fulfill({ contentType: typeOf(pathname), body: Buffer.from(found) });
  });
}

/**
 * A browser with the pages of one server.
 * @param {string} origin
 * @param {(route: import("playwright-core").Route, pathname: string) => Promise<void> | undefined}
 *   [answer] nothing for what the server does not have; without it the server itself is asked
 */
export async function openBrowser(origin, answer = (route) => route.continue()) {
  const browser = await launchChromium();
  const context = await browser.newContext();
  /** What went wrong in a page, and whom it called. @type {string[]} */
  const faults = [];
  await context.route("**", (route) => {
    const url = new URL(route.request().url());
    const answered = url.origin === origin ? answer(route, url.pathname) : undefined;
    if (answered !== undefined) return answered;
    faults.push(`called ${url}`);
    return route.abort();
  });

  /** @param {string} [query] */
  async function open(query = "") {
    const page = await context.newPage();
    page.setDefaultTimeout(WAIT_MS);
    page.on("pageerror", (error) => faults.push(`threw ${error.stack ?? error}`));
    page.on("console", (message) => {
      if (message.type() === "error")
        faults.push(`said ${message.text()} (${message.location().url})`);
    });
    await page.goto(`${origin}/${query}`);
    await page.waitForSelector("#root *, main", { state: "attached" });
    return page;
  }

  return {
    open,
    faults,
    /** Fails for anything that a page threw, or asked of a network. */
    async close() {
      await browser.close();
      assert.deepEqual(faults, []);
    },
  };
}

/** @param {string} path */
function typeOf(path) {
  if (path === "/") return "text/html";
  return path.endsWith(".css") ? "text/css" : "text/javascript";
}

/**
 * Does something, and waits until what it started is over: `data-loading` of the page's main part
 * was true, and is false again. Sees also what takes less time than a frame.
 * @param {import("playwright-core").Page} page
 * @param {() => Promise<unknown>} act
 */
export async function untilIdle(page, act) {
  const over = await page.evaluateHandle(() => {
    const { dataset } = /** @type {HTMLElement} */ (document.querySelector("[data-loading]"));
    let wasBusy = false;
    return {
      done: new Promise((resolve) => {
        const look = () => {
          wasBusy ||= dataset.loading === "true";
          if (wasBusy && dataset.loading === "false") resolve(undefined);
        };
        look();
        new MutationObserver(look).observe(document.body, {
          subtree: true,
          attributeFilter: ["data-loading"],
        });
      }),
    };
  });
  await act();
  await Promise.race([
    over.evaluate(({ done }) => done),
    new Promise((_, reject) => setTimeout(reject, WAIT_MS, new Error("It does not end.")).unref()),
  ]);
}

/** @param {import("playwright-core").Page} page @param {string} text */
export const say = (page, text) =>
  untilIdle(page, async () => {
    await page.fill("input", text);
    await page.click("text=Send");
  });

/** @param {import("playwright-core").Page} page @param {string} selector */
export const textsOf = (page, selector) => page.locator(selector).allTextContents();

/**
 * Writes down, from now on, each text that the last of some elements shows.
 * @param {import("playwright-core").Page} page
 * @param {string} selector
 * @returns {Promise<() => Promise<{ texts: string[], most: number }>>} the texts, and how many such
 *   elements there were at most
 */
export async function watchTexts(page, selector) {
  const watch = await page.evaluateHandle((selector) => {
    const seen = { texts: /** @type {string[]} */ ([]), most: 0 };
    const look = () => {
      const found = [...document.querySelectorAll(selector)];
      const text = found.at(-1)?.textContent ?? "";
      seen.most = Math.max(seen.most, found.length);
      if (text !== seen.texts.at(-1)) seen.texts.push(text);
    };
    look();
    new MutationObserver(look).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
    });
    return seen;
  }, selector);
  return () => watch.jsonValue();
}

/** Checks that a text grew word by word, nothing was taken back. @param {string[]} texts */
export function checkGrew(texts) {
  const grown = texts.filter((text) => text !== "");
  assert.ok(grown.length > 4, `${grown.length} texts: ${JSON.stringify(grown)}`);
  for (const [at, text] of grown.entries())
    assert.ok(
      at === 0 || text.startsWith(grown[at - 1]),
      JSON.stringify(grown.slice(at - 1, at + 1)),
    );
}
