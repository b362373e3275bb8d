// SPDX-License-Identifier: MIT
// The colours of the screen Code, in Chromium: each token has that of its kind, the text stays the
// file's, and all of it can be read in light and in dark colours.
import { test } from "node:test";
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { SAMPLES } from "../../web-demo/src/samples/index.js";
import { DemoBrowser } from "./demo-browser.mjs";

const KINDS = ["call", "comment", "keyword", "number", "property", "string"];
/** What WCAG 2.2 AA asks of text of this size. */
const LEAST = 4.5;
/** How lines of the order desk are coloured: its pieces, without what is plain. */
const COLOURED = {
  "// SPDX-License-Identifier: MIT": ["comment// SPDX-License-Identifier: MIT"],
  "    await wait(900);": ["keywordawait", "callwait", "number900"],
  "    return `${quantity} x ${item}`;": ["keywordreturn", "string`${", "string} x ${", "string}`"],
  '    name: "place_order",': ["propertyname", 'string"place_order"'],
  "export const makeOrders = (llm) => createReactAgent({ llm, tools: [placeOrder] });": [
    ...["keywordexport", "keywordconst", "callcreateReactAgent", "propertytools"],
  ],
};

const browser = DemoBrowser.forTests();

async function openCode(graph) {
  const page = await browser.context.newPage();
  await page.goto(`${browser.server.url}#/code/${graph}`);
  await page.locator(`[data-module="${graph}"] [data-same="true"]`).waitFor();
  return page;
}

/** The lines of a module, each as its pieces with their classes. */
const linesOf = (page, graph) =>
  page
    .locator(`[data-module="${graph}"] .code code`)
    .evaluateAll((lines) =>
      lines.map(({ childNodes }) =>
        [...childNodes]
          .filter(({ nodeType }) => nodeType !== Node.COMMENT_NODE)
          .map((one) => [one.className ?? "", one.textContent]),
      ),
    );

test("each token has the class of its kind, and the text stays the file's, byte for byte", async () => {
  for (const { graph } of SAMPLES) {
    const page = await openCode(graph);
    const lines = await linesOf(page, graph);
    const served = await page.evaluate(
      async (name) => (await fetch(`samples/${name}.js`)).text(),
      graph,
    );
    const shown = lines.map((pieces) => pieces.map(([, text]) => text).join(""));
    assert.equal(shown.join("\n"), served);
    const file = new URL(`../../web-demo/src/samples/${graph}.js`, import.meta.url);
    const source = (await readFile(file, "utf8")).split("\n");
    for (const [at, line] of source.entries()) {
      const pieces = lines[at].filter(([kind]) => kind !== "");
      for (const [kind] of pieces) assert.ok(KINDS.includes(kind), kind);
      const told = pieces.map(([kind, text]) => kind + text);
      if (graph === "orders" && COLOURED[line]) assert.deepEqual(told, COLOURED[line]);
      if (/^\s*\/\//.test(line)) assert.deepEqual(told, [`comment${line.trim()}`]);
      for (const [text] of line.replace(/\/[/*].*/, "").matchAll(/"[^"]*"/g))
        assert.ok(/weftgraph/.test(text) || told.includes(`string${text}`), `${text} in ${line}`);
    }
    if (graph === "orders")
      assert.deepEqual(
        Object.keys(COLOURED).filter((line) => !source.includes(line)),
        [],
      );
    await page.close();
  }
});

/** Runs in the page: the least contrast of each kind of text in the lines of a module. */
function contrasts(code) {
  const pixel = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const over = (colours) => {
    pixel.clearRect(0, 0, 1, 1);
    for (const colour of colours) {
      pixel.fillStyle = colour;
      pixel.fillRect(0, 0, 1, 1);
    }
    return [...pixel.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const light = (rgb) => {
    const [r, g, b] = rgb.map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  /** From the page's ground to the element. */
  const grounds = (element) => {
    const above = element.parentElement ?? element.getRootNode().host;
    const own = getComputedStyle(element).backgroundColor;
    return [...(above ? grounds(above) : ["white"]), own];
  };
  const least = {};
  const note = (kind, colour, behind) => {
    const ground = light(over(behind));
    const ink = light(over([...behind, colour]));
    const ratio = (Math.max(ground, ink) + 0.05) / (Math.min(ground, ink) + 0.05);
    least[kind] = Math.min(least[kind] ?? Infinity, ratio);
  };
  for (const line of code.querySelectorAll("li")) {
    const behind = grounds(line.querySelector("code"));
    note("text", getComputedStyle(line).color, behind);
    note("line", getComputedStyle(line, "::before").color, behind);
    for (const piece of line.querySelectorAll("span"))
      note(piece.className, getComputedStyle(piece).color, behind);
  }
  return least;
}

test("every kind of text in the lines can be read in light and in dark colours, also in lines that are chosen", async () => {
  const page = await openCode("orders");
  await page.locator('.node[data-node="tools"]').click();
  await page.locator('ol.code [aria-current="true"]').first().waitFor();
  const keywords = new Set();
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    for (const line of ['[aria-current="true"]', "[data-node]"]) {
      await page.locator(`ol.code ${line}`).first().hover();
      const least = await page.locator("ol.code").first().evaluate(contrasts);
      assert.deepEqual(Object.keys(least).sort(), [...KINDS, "line", "text"].sort());
      for (const [kind, ratio] of Object.entries(least))
        assert.ok(ratio >= LEAST, `${kind} in ${colorScheme}: ${ratio.toFixed(2)}`);
      keywords.add(least.keyword);
    }
  }
  assert.ok(keywords.size > 1, "the dark colours are others");
  await page.close();
  assert.deepEqual(browser.faults, []);
});
