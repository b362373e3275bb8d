// SPDX-License-Identifier: MIT
// The guide's lines for <weft-studio>, as they stand there, on a foreign page under a strict policy
// of its own, in Chromium (A22).
import { test } from "node:test";
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { build } from "esbuild";
import { WAIT_MS, launchChromium } from "./chromium.mjs";

/** The page's own graph, which the guide's lines import. */
const AGENT = `import { MemorySaver, tool } from "weftgraph";
import { createReactAgent } from "weftgraph/prebuilt";
import { DemoModel } from "weftgraph/models/demo";
const order = tool(({ item }) => item, { name: "place_order", description: "Orders an item.",
  approval: "ask", schema: { type: "object", properties: { item: { type: "string" } } } });
export const agent = createReactAgent(
  { llm: new DemoModel(), tools: [order], checkpointer: new MemorySaver() });`;
const NAMES = { "weftgraph/studio": "studio", "weftgraph/server": "server", "./agent.js": "agent" };

/** What a bundler makes of the names that the lines import, by address. */
async function bundled() {
  const { outputFiles } = await build({
    entryPoints: Object.entries(NAMES).map(([name, out]) => ({ in: name, out })),
    outdir: "/",
    bundle: true,
    splitting: true,
    format: "esm",
    target: "es2022",
    write: false,
    plugins: [
      {
        name: "agent",
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^\.\/agent\.js$/ }, ({ kind }) =>
            kind === "entry-point" ? { path: "agent", namespace: "agent" } : undefined,
          );
          onLoad({ filter: /./, namespace: "agent" }, () => ({
            contents: AGENT,
            resolveDir: import.meta.dirname,
          }));
        },
      },
    ],
  });
  return new Map(outputFiles.map(({ path, contents }) => [path, contents]));
}

test("the guide's lines, as they stand, run on a page with a strict policy of its own", async (t) => {
  const guide = readFileSync(new URL("../../docs/guides/studio.md", import.meta.url), "utf8");
  const [, snippet] = /```html\n([^]*?)```/.exec(guide);
  assert.ok(snippet.trim().split("\n").length <= 10);
  const imports = Object.fromEntries(
    Object.entries(NAMES).map(([name, out]) => [name, `/${out}.js`]),
  );
  const map = JSON.stringify({ imports });
  const [, script] = /<script type="module">([^]*?)<\/script>/.exec(snippet);
  const hashes = [map, script].map(
    (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`,
  );
  // Neither eval nor inline scripts or styles, but for these very lines.
  const policy =
    `default-src 'none'; script-src 'self' ${hashes.join(" ")} 'wasm-unsafe-eval'; ` +
    "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types lit-html";
  const files = await bundled();
  const http = createServer(({ url }, response) => {
    const file = files.get(url);
    response.writeHead(url === "/" || file ? 200 : 404, {
      "content-type": file ? "text/javascript" : "text/html; charset=utf-8",
      "content-security-policy": policy,
    });
    response.end(
      file ??
        `<!doctype html><html lang="en"><title>a foreign page</title><h1>Mine</h1><script type="importmap">${map}</script>${snippet}`,
    );
  });
  await new Promise((resolve) => http.listen(0, "127.0.0.1", resolve));
  t.after(() => (http.closeAllConnections(), http.close()));
  const browser = await launchChromium();
  t.after(() => browser.close());
  const page = await browser.newPage();
  page.setDefaultTimeout(WAIT_MS);
  const faults = [];
  page.on("pageerror", ({ message }) => faults.push(message));
  page.on("console", (said) => said.type() === "error" && faults.push(said.text()));
  await page.addInitScript(() => {
    addEventListener("securitypolicyviolation", ({ violatedDirective, sample }) =>
      console.error(`policy: ${violatedDirective} ${sample}`),
    );
  });
  await page.goto(`http://127.0.0.1:${http.address().port}/`);
  await page.locator("weft-studio .status", { hasText: "ready" }).waitFor();
  await page.getByLabel("Message", { exact: true }).fill("Please order a teapot");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.locator('weft-studio .node[data-node="tools"][data-state="waiting"]').waitFor();
  await page.locator('weft-studio [data-do="approve"]:enabled').click();
  await page.locator("weft-studio .talk", { hasText: "The order is placed" }).waitFor();
  assert.deepEqual(faults, []);
});
