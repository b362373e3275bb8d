// SPDX-License-Identifier: MIT
// Knows: what text of others may have made in a page, shadow roots included, that shows it as text:
// elements, handlers, addresses, characters that are not seen or turn text round. Must not know
// where the text is shown.

/** What only such text could have made. */
const MADE =
  "script, img, iframe, object, embed, math, base, meta, link, style, template, animate, " +
  'a:not([href^="https:"], [href^="http:"], [href^="mailto:"], [href^="#/"], [href="./"], [href^="./#/"]), [onerror], ' +
  "[onload], [ontoggle], form[action]";
/** Outside of fields to write in. */
const HIDDEN =
  /[\u00ad\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c\u200b\u2060\ufeff\u2028\u2029\0\u{e0000}-\u{e007f}]/u;

/** Runs in the page. @param {Element} start @param {string} made */
function find(start, made) {
  const found = { made: [], shown: [], links: [] };
  const read = (root) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.nodeType === Node.TEXT_NODE) found.shown.push(node.data);
      else for (const { name, value } of node.attributes) found.shown.push(`${name}=${value}`);
      if (node.shadowRoot) read(node.shadowRoot);
    }
    found.made.push(...[...root.querySelectorAll(made)].map((one) => one.outerHTML.slice(0, 200)));
    for (const { href, rel, target } of root.querySelectorAll('a:not([href^="#/"])'))
      found.links.push([href, rel, target].join(" "));
  };
  read(start.shadowRoot ?? start);
  return { ...found, hit: globalThis.hit, polluted: {}.polluted ?? Object.keys(Object.prototype) };
}

/**
 * What is wrong with what is shown.
 * @param {import("playwright-core").Locator} place an element with or without a shadow root
 * @returns {Promise<{ wrong: string[], links: string[] }>}
 */
export async function lookAt(place) {
  const { made, shown, links, hit, polluted } = await place.evaluate(find, MADE);
  const hidden = shown.filter((word) => !/^data-|^value=/.test(word) && HIDDEN.test(word));
  const wrong = [
    ...made.map((one) => `made: ${one}`),
    ...hidden.map((one) => `hidden: ${JSON.stringify(one).slice(0, 200)}`),
    ...polluted.map((name) => `polluted: ${name}`),
  ];
  if (hit !== undefined) wrong.push("it ran");
  return { wrong, links };
}
