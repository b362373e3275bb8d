// SPDX-License-Identifier: MIT
// Bundles the pages of front-ends, and opens them in Chromium, which asks no server for anything.
// With WEFT_PICTURES=1 their tests make the pictures of docs/guides/front-ends too.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { WAIT_MS, launchChromium } from "./chromium.mjs";

const ORIGIN = "http://localhost";
/** What the model asks about, as the pages show it. */
export const TEAPOTS = '{"item":"teapots","quantity":3}';
export const CUPS = '{"item":"cups","quantity":2}';
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

/**
 * Checks that a text grew word by word, nothing was taken back.
 * @param {string[]} texts
 * @param {number} [least] how many different ones there are
 */
export function checkGrew(texts, least = 5) {
  const grown = texts.filter((text) => text !== "");
  assert.ok(grown.length >= least, `${grown.length} texts: ${JSON.stringify(grown)}`);
  for (const [at, text] of grown.entries())
    assert.ok(
      at === 0 || text.startsWith(grown[at - 1]),
      JSON.stringify(grown.slice(at - 1, at + 1)),
    );
}

/**
 * The tests of one front end, which share a browser; each has a page of its own.
 * @param {string} name of its page in front-ends
 * @param {import("esbuild").BuildOptions} [options]
 */
export function frontEnd(name, options) {
  /** @type {Awaited<ReturnType<typeof openFrontEnd>> | undefined} */
  let app;
  before(async () => (app = await openFrontEnd(name, options)));
  after(() => app?.close());
  /** @typedef {(page: import("playwright-core").Page) => Promise<void>} Run */
  /** @param {string} title @param {[Run] | [query: string, run: Run]} rest */
  return (title, ...rest) =>
    test(title, async () => {
      const [query, run] = rest.length === 2 ? rest : [undefined, rest[0]];
      const page = await /** @type {NonNullable<typeof app>} */ (app).open(query);
      await run(page);
      await page.close();
    });
}

/**
 * @param {import("playwright-core").Page} page
 * @param {string} answer selector of what the model says
 * @param {(page: import("playwright-core").Page, text: string) => Promise<void>} [tell]
 */
export async function checkWordByWord(page, answer, tell = say) {
  const seen = await watchTexts(page, answer);
  await tell(page, "hello");
  const { texts, most } = await seen();
  checkGrew(texts);
  assert.equal(most, 1);
}

/**
 * Lets the model ask for an order, and takes the page's picture with its question.
 * @param {import("playwright-core").Page} page
 * @param {string} picture its name
 * @param {(page: import("playwright-core").Page, text: string) => Promise<void>} [tell]
 */
export async function askForTeapots(page, picture, tell = say) {
  await tell(page, "Order 3 teapots");
  await page.waitForSelector("section");
  await takePicture(page, picture, 240, STYLE);
}

/** The questions that are shown. @param {import("playwright-core").Page} page */
export const questionsOf = (page) => textsOf(page, "section p");

/**
 * Two questions at once are shown, and each is answered by itself: the second one is refused.
 * @param {import("playwright-core").Page} page
 * @param {string} result selector of what a tool says
 */
export async function checkTwoQuestions(page, result) {
  await say(page, "Order 3 teapots and order 2 cups");
  assert.deepEqual(await questionsOf(page), [TEAPOTS, CUPS]);
  await untilIdle(page, () => page.locator("text=Reject").last().click());
  assert.deepEqual(await questionsOf(page), [TEAPOTS]);
  await untilIdle(page, () => page.click("text=Approve"));
  assert.equal(await page.locator("section").count(), 0);
  const [teapots, cups] = await textsOf(page, result);
  assert.equal(teapots, "3 x teapots");
  assert.match(cups, /rejected/);
}

/**
 * Sends a message, whose answer is slow.
 * @param {import("playwright-core").Page} page
 * @param {string} [input]
 */
export async function beginAnswer(page, input = "input") {
  await page.fill(input, "hello");
  await page.click("text=Send");
  await page.waitForSelector("text=Hello! I am");
}

/**
 * A run is stopped in the middle of an answer, the next one starts at once and asks.
 * @param {import("playwright-core").Page} page
 */
export async function checkStop(page) {
  await beginAnswer(page);
  await page.click("text=Stop");
  await say(page, "Order 3 teapots");
  await page.waitForSelector("section");
  assert.equal(await page.locator("section").count(), 1);
  assert.equal(await page.locator("[role=alert]").count(), 0);
}

/**
 * A run goes on while its chat is not shown, and is joined when it is shown again.
 * @param {import("playwright-core").Page} page
 * @param {string} answer selector of what the model says
 */
export async function checkJoin(page, answer) {
  await beginAnswer(page);
  await page.click("text=Leave");
  await page.click("text=Return");
  await page.waitForSelector("text=Hello! I am");
  const seen = await watchTexts(page, answer);
  await untilIdle(page, async () => {});
  const { texts, most } = await seen();
  // How much is left when the chat is shown again depends on the machine.
  checkGrew(texts, 1);
  assert.match(texts.at(-1) ?? "", /a quantity of an item\.$/);
  assert.equal(most, 1);
}

const pictures = fileURLToPath(new URL("../../docs/pictures/front-ends", import.meta.url));
const STYLE = `body { font: 14px/1.4 sans-serif; margin: 12px } p, ul, article { margin: 6px 0 }
section { border: 1px solid #bbb; border-radius: 6px; padding: 8px; margin: 8px 0 }
button, input, textarea { font: inherit; margin: 2px }`;

/**
 * With WEFT_PICTURES=1, as `make pictures-of-front-ends` sets it.
 * @param {import("playwright-core").Page} page
 * @param {string} name
 * @param {number} height
 * @param {string} [style] of a page that has none
 */
export async function takePicture(page, name, height, style) {
  if (process.env.WEFT_PICTURES !== "1") return;
  const size = page.viewportSize();
  await page.setViewportSize({ width: 480, height });
  const added = style === undefined ? undefined : await page.addStyleTag({ content: style });
  await page.screenshot({ path: join(pictures, `${name}.png`) });
  await added?.evaluate((one) => /** @type {Element} */ (one).remove());
  if (size) await page.setViewportSize(size);
}
