// SPDX-License-Identifier: MIT
// <weft-studio> over a server that means harm, in Chromium: whatever a server says is text.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { PAYLOADS } from "./studio-payloads.mjs";
import { StudioBrowser, picture } from "./studio-browser.mjs";

/** What only a server's text could have made. */
const MADE =
  "script, img, iframe, object, embed, math, base, meta, link, style, template, animate, " +
  'a:not([href^="https:"], [href^="http:"], [href^="mailto:"]), [onerror], [onload], form[action]';
/** Characters that turn text round, or are not seen, outside of fields to write in. */
const HIDDEN =
  /[\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c\u200b\u2060\ufeff\u2028\u2029\0\u{e0000}-\u{e007f}]/u;
let studio;

before(async () => {
  studio = await StudioBrowser.open("studio-hostile-page.mjs");
});

after(async () => {
  await studio?.close();
});

/** What is wrong with the element now. */
const look = (page) =>
  page.locator("weft-studio").evaluate((element, made) => {
    const root = element.shadowRoot;
    const words = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.nodeType === Node.TEXT_NODE) words.push(node.data);
      else for (const { name, value } of node.attributes) words.push(`${name}=${value}`);
    }
    return {
      made: [...root.querySelectorAll(made)].map(({ outerHTML }) => outerHTML.slice(0, 200)),
      shown: words.filter((word) => !/^data-|^value=/.test(word)),
      links: [...root.querySelectorAll("a")].map((link) =>
        [link.href, link.rel, link.target].join(" "),
      ),
      hit: globalThis.hit,
      polluted: {}.polluted ?? Object.keys(Object.prototype),
    };
  }, MADE);

test(`${PAYLOADS.length} payloads in all that a server says make no element and hide nothing`, async (t) => {
  assert.ok(PAYLOADS.length >= 30);
  const page = await studio.page(t);
  const linked = new Set();
  for (const [at, payload] of PAYLOADS.entries()) {
    await page.evaluate((n) => globalThis.show(n), at);
    await page.locator("weft-studio .talk .notice").waitFor();
    await page.locator("weft-studio .lost").waitFor();
    const open = page.locator("weft-studio details:not([open]) > summary");
    for (const tab of ["state", "tasks", "events"]) {
      await page.locator(`weft-studio [data-tab="${tab}"]`).click();
      await open.evaluateAll((list) => list.slice(0, 12).forEach((summary) => summary.click()));
      await page.evaluate(
        () => new Promise((done) => requestAnimationFrame(() => setTimeout(done))),
      );
      const { made, shown, links, hit, polluted } = await look(page);
      const name = JSON.stringify(payload.slice(0, 60));
      assert.deepEqual({ made, hit, polluted }, { made: [], hit: undefined, polluted: [] }, name);
      for (const link of links) linked.add(link);
      const hidden = shown.filter((word) => HIDDEN.test(word));
      assert.deepEqual(hidden, [], `${name} in ${tab}`);
    }
    if (at === 24) await picture(page, "studio-attack");
  }
  assert.ok(linked.has("https://good.example/ noopener noreferrer nofollow _blank"));
  assert.deepEqual(
    [...linked].filter((link) => !link.endsWith(" noopener noreferrer nofollow _blank")),
    [],
  );
});
