// SPDX-License-Identifier: MIT
// The studio's frame in Chromium: addresses and the history, what is told and focused, themes,
// widths, large letters, badges, and that no other page can show it.
import { test } from "node:test";
import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { ROUTES } from "../../web-demo/src/shell/routes.js";
import { hashOf, readRoute } from "../../web-demo/src/shell/route.js";
import { WHOLE } from "./chromium.mjs";
import { DemoBrowser } from "./demo-browser.mjs";
import { followTour } from "./follow-tour.mjs";
import { overflows } from "./overflows.mjs";

const SCREENS = ROUTES.map(({ screen }) => screen);
/** Of letters in the browser's settings, in px; the last ones are twice as large as usual. */
const LARGE = process.env.WEFT_LONG ? [26, 32] : [26];
const browser = DemoBrowser.forTests();

/** Opens the studio, behind an empty page. @param {string} [hash] */
async function openStudio(hash = "") {
  const page = await browser.context.newPage();
  await page.goto(`${browser.server.url}${hash}`);
  await page.locator(`.screen.${readRoute(hash).screen}`).waitFor();
  return page;
}

const link = (page, name) => page.locator("#screens").getByRole("link", { name }).click();
const at = (page, hash) => page.waitForFunction((wanted) => location.hash.startsWith(wanted), hash);

test("links of the start lead to the package's page, to a sample's code, and to a page that is there", async () => {
  const page = await openStudio();
  const links = await page.locator("footer a").evaluateAll((all) => all.map(({ href }) => href));
  const npm = "https://www.npmjs.com/package/weftgraph";
  const useStream = `${browser.server.url}use-stream.html`;
  const source = `${browser.server.url}#/code/orders`;
  assert.deepEqual(links, [`${npm}#readme`, source, npm, useStream]);
  assert.equal((await fetch(useStream)).status, 200);
  await page.locator("footer").getByRole("link", { name: "Source", exact: true }).click();
  await page.locator(".screen.code").getByText("place_order").first().waitFor();
  await page.close();
});

test("addresses are read with care: what is none is the start", () => {
  assert.deepEqual(readRoute("#/work/orders/a%2Fb"), { screen: "work", params: ["orders", "a/b"] });
  for (const hash of ["", "#", "#main", "#/", "#/nowhere", "#/__proto__", "#work"])
    assert.deepEqual(readRoute(hash), { screen: "start", params: [] }, hash);
  assert.deepEqual(readRoute("#/work/%E0%A4%A/x").params, ["x"]);
  const long = readRoute(`#/work/${"a".repeat(5000)}/${"b/".repeat(5000)}`);
  assert.ok(long.params.length <= 4 && long.params.every(({ length }) => length <= 200));
  const route = { screen: "work", params: ["a b", "ü/%"] };
  assert.deepEqual(readRoute(hashOf(route)), route);
});

test("one Back leaves: a thread that was not used leaves no entry", async () => {
  const page = await openStudio("#/work");
  await at(page, "#/work/orders");
  for (const name of ["Research", "Team of agents", "Order desk"]) {
    await page.getByRole("link", { name }).click();
    await page.getByRole("heading", { level: 1, name }).waitFor();
  }
  await page.goBack();
  assert.equal(page.url(), "about:blank");
  await page.close();
});

test("a thread that runs takes the place of the unused one; Back goes to where one was", async () => {
  const page = await openStudio();
  await link(page, "Workbench");
  await page.getByRole("button", { name: "Order 3 teapots" }).click();
  await at(page, "#/work/orders/");
  await page.locator("weft-studio .question").first().waitFor();
  await page.goBack();
  await page.locator(".screen.start .hero").waitFor();
  await page.goBack();
  assert.equal(page.url(), "about:blank");
  await page.close();
});

test("a screen that is being left cannot lead back", async () => {
  const page = await openStudio("#/work");
  await at(page, "#/work/orders");
  await page.evaluate(() => {
    document.querySelector('#screens [data-screen="code"]').click();
    const detail = { graph: "research", thread: "" };
    document.querySelector("weft-studio").dispatchEvent(new CustomEvent("weft-open", { detail }));
  });
  await page.locator(".screen.code h1").waitFor();
  assert.equal(readRoute(new URL(page.url()).hash).screen, "code");
  await page.close();
});

test("a screen is told, named in the title, and gets the focus; the skip link leads into it", async () => {
  const page = await openStudio();
  assert.match(await page.title(), /Weft Studio$/);
  await page.evaluate(() => {
    const live = document.getElementById("live");
    globalThis.said = [];
    new MutationObserver(() => globalThis.said.push(live.textContent)).observe(live, {
      childList: true,
    });
  });
  await link(page, "Code");
  await page.locator(".screen.code").waitFor();
  assert.match(await page.title(), /Code · Weft Studio$/);
  assert.ok((await page.evaluate("said")).includes("Code"));
  assert.equal(await page.evaluate(() => document.activeElement.id), "main");
  assert.equal(await page.locator('#screens [aria-current="page"]').innerText(), "Code");
  const before = page.url();
  await page.evaluate(() => document.activeElement.blur());
  await page.locator(".skip").focus();
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.id), "main");
  assert.equal(page.url(), before);
  await page.close();
});

test("what waits is counted in the title, the icon and the navigation, also in a new tab", async () => {
  const page = await openStudio();
  await page.waitForFunction(() => document.title.startsWith("(1) "));
  assert.equal(await page.locator("#icon").getAttribute("href"), "icon-waiting.svg");
  assert.equal(await page.locator("#screens .badge").innerText(), "1");
  assert.equal(await page.locator("#live").innerText(), "1 request waits for you");
  await page.close();
});

test("a theme that was chosen is kept, and followed by other tabs", async () => {
  const [page, other] = [await openStudio(), await openStudio()];
  const ground = (which) => which.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await ground(page);
  const theme = page.locator("#theme");
  assert.equal(await theme.getAttribute("aria-label"), "Theme: system");
  await theme.click();
  assert.equal(await theme.getAttribute("aria-label"), "Theme: light");
  await theme.click();
  assert.equal(await theme.getAttribute("aria-label"), "Theme: dark");
  const dark = await ground(page);
  assert.notEqual(dark, light);
  await other.waitForFunction(() => document.documentElement.dataset.theme === "dark");
  assert.equal(await ground(other), dark);
  await page.reload();
  assert.equal(await ground(page), dark);
  await theme.click();
  assert.equal(await theme.getAttribute("aria-label"), "Theme: system");
  await Promise.all([page.close(), other.close()]);
});

test("the tour leads through a run, an approval that a person gives, the plug, and a fork", async () => {
  const page = await openStudio();
  await followTour(page);
  await page.close();
});

test("no screen is wider than the page, from 320 to 1440 px", async () => {
  const page = await openStudio();
  const wrong = [];
  for (const screen of SCREENS) {
    await page.evaluate((hash) => (location.hash = hash), `#/${screen}`);
    await page.locator(`.screen.${screen} h1`).first().waitFor();
    for (const width of [320, 390, 768, 1024, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      for (const what of await page.evaluate(overflows)) wrong.push(`${screen} ${width}: ${what}`);
    }
  }
  assert.deepEqual(wrong, []);
  await page.close();
});

test("screens have one left edge, and titles of one size", async () => {
  const page = await openStudio();
  await page.setViewportSize({ width: 1440, height: 900 });
  const titles = [];
  for (const screen of ["inbox", "code", "recordings", "models", "race"]) {
    await page.evaluate((hash) => (location.hash = hash), `#/${screen}`);
    const title = page.locator(`.screen.${screen} h1`).first();
    await title.waitFor();
    titles.push(
      await title.evaluate((h1) => {
        const { left, top } = h1.getBoundingClientRect();
        return { left, top, size: getComputedStyle(h1).fontSize };
      }),
    );
  }
  for (const title of titles) assert.deepEqual(title, titles[0]);
  await page.close();
});

test("on a phone the menu opens, closes with Escape, and leads to the screens", async () => {
  const page = await openStudio();
  await page.setViewportSize({ width: 390, height: 800 });
  const menu = page.getByRole("button", { name: /^Menu/ });
  const screens = page.locator("#screens");
  assert.ok(!(await screens.isVisible()));
  await menu.click();
  assert.ok(await screens.isVisible());
  await page.keyboard.press("Escape");
  assert.ok(!(await screens.isVisible()));
  assert.ok(await menu.evaluate((element) => element === document.activeElement));
  await menu.click();
  await link(page, "Recordings");
  await page.locator(".screen.recordings").waitFor();
  assert.ok(!(await screens.isVisible()));
  await page.close();
});

test("in forced colours the current screen has an outline", async () => {
  const page = await openStudio();
  await page.emulateMedia({ forcedColors: "active" });
  await page.locator("#screens a[aria-current]").waitFor();
  const [current, other] = await page.evaluate(() =>
    ["[aria-current]", ":not([aria-current])"].map(
      (which) => getComputedStyle(document.querySelector(`#screens a${which}`)).outlineStyle,
    ),
  );
  assert.deepEqual([current, other], ["solid", "none"]);
  await page.close();
});

test("where another page shows it, it shows nothing to decide; its own server forbids that", async () => {
  const dist = join(browser.folder, "dist");
  const plain = createServer(async (request, response) => {
    const path = new URL(request.url, "http://localhost").pathname;
    const type = { js: "text/javascript", css: "text/css" }[path.split(".").at(-1)];
    const framed = path === "/own" ? browser.server.url : "/index.html";
    const body = /^\/(own|other)$/.test(path)
      ? `<!doctype html><title>Prizes</title><iframe src="${framed}"></iframe>`
      : await readFile(join(dist, path)).catch(() => undefined);
    response.writeHead(body === undefined ? 404 : 200, { "content-type": type ?? "text/html" });
    response.end(body);
  });
  await new Promise((resolve) => plain.listen(0, "127.0.0.1", resolve));
  const page = await browser.context.newPage();
  browser.expected = /frame-ancestors|X-Frame-Options|404|manifest/i;
  const url = `http://127.0.0.1:${plain.address().port}`;
  await page.goto(`${url}/other`);
  const frame = page.frameLocator("iframe");
  await frame.getByRole("heading", { name: "Not inside another page" }).waitFor();
  assert.equal(await frame.locator(".screen").count(), 0);
  const opens = browser.context.waitForEvent("page");
  await frame.getByRole("link", { name: "Open the studio by itself" }).click();
  const alone = await opens;
  await alone.locator(".figures dd").first().waitFor();
  await page.goto(`${url}/own`);
  await page.waitForFunction(() => window.length === 1);
  assert.equal(await page.frameLocator("iframe").locator("#main").count(), 0);
  await Promise.all([page.close(), alone.close()]);
  browser.expected = undefined;
  plain.closeAllConnections();
  plain.close();
});

for (const size of LARGE)
  test(`with letters of ${size} px in the browser's settings text grows with them and is not cut off`, async () => {
    await browser.context.close();
    browser.profile = join(browser.folder, `large-${size}`);
    await mkdir(join(browser.profile, "Default"), { recursive: true });
    const settings = { webkit: { webprefs: { default_font_size: size } } };
    await writeFile(join(browser.profile, "Default/Preferences"), JSON.stringify(settings));
    await browser.launch(WHOLE);
    const page = await openStudio();
    // A tab behind the one that the browser opens by itself gets no frames to draw.
    await page.bringToFront();
    const wrong = [];
    const look = async (screen) => {
      await page.locator(`.screen.${screen} h1`).first().waitFor();
      for (const width of [390, 1440]) {
        await page.setViewportSize({ width, height: 800 });
        for (const what of await page.evaluate(overflows))
          wrong.push(`${screen} ${width}: ${what}`);
      }
      const sizes = await page.evaluate(fontSizes);
      assert.equal(sizes.body, size, screen);
      assert.ok(sizes.body >= sizes.hint, `${screen}: hints of ${sizes.hint} px`);
    };
    for (const screen of SCREENS) {
      await page.evaluate((hash) => (location.hash = hash), `#/${screen}`);
      await look(screen);
    }
    await page.evaluate(() => (location.hash = "#/work/orders"));
    await page.getByRole("button", { name: "Order 3 teapots" }).click();
    await page.locator("weft-studio .question.open").waitFor();
    await look("work");
    await page.evaluate(() => (location.hash = "#/inbox"));
    await page.locator(".screen.inbox .question.open, .screen.inbox .rows li").first().waitFor();
    await look("inbox");
    assert.deepEqual(wrong, []);
    await page.close();
  });

/** Of the page, and the largest of its hints, in px. */
function fontSizes() {
  const all = (root) =>
    [...root.querySelectorAll("*")].flatMap((one) => [
      one,
      ...(one.shadowRoot ? all(one.shadowRoot) : []),
    ]);
  const size = (element) => Number.parseFloat(getComputedStyle(element).fontSize);
  const hints = all(document.body).filter((one) => one.matches("small, .hint, dt"));
  return { body: size(document.body), hint: Math.max(0, ...hints.map(size)) };
}

test("nothing went wrong in any page", () => {
  assert.deepEqual(browser.faults, []);
});
