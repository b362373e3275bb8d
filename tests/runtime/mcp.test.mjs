// SPDX-License-Identifier: MIT
// Serves docs/guides/mcp.md: MCP servers and clients on real connections in Deno, Bun and workerd.
import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Miniflare } from "miniflare";
import { connectMcp } from "weftgraph/mcp";
import { startEverything } from "../js/mcp-everything.mjs";
import { CLIENTS } from "../js/mcp-served.mjs";
import { TAKEN, takeTrip } from "../js/mcp-trip.mjs";
import { bundleWorker } from "./smoke-bundle.mjs";
import { runIn } from "./smoke-runtimes.mjs";

const fileOf = (name) => fileURLToPath(new URL(name, import.meta.url));
let everything;
before(async () => {
  everything = await startEverything();
});
after(() => everything?.stop());

for (const runtime of ["Deno", "Bun"]) {
  test(`an MCP server and a client in ${runtime}`, { timeout: 600_000 }, async (t) => {
    const folder = await fs.mkdtemp(join(tmpdir(), "weft-mcp-"));
    t.after(() => fs.rm(folder, { recursive: true, force: true, maxRetries: 5 }));
    const printed = await runIn(runtime, folder, fileOf("mcp-main.mjs"), everything.url);
    const [modern, legacy, [era, sum]] = JSON.parse(printed);
    assert.deepEqual(modern, ["modern", [1, 2], "paid 1", "AbortError", ["aborted"]]);
    assert.deepEqual(legacy, ["legacy", [1, 2], "paid 1", "AbortError", ["aborted"]]);
    assert.equal(era, "legacy");
    assert.match(sum, /5/);
  });
}

test("an MCP server and a client in workerd", { timeout: 600_000 }, async (t) => {
  const modules = await bundleWorker(fileOf("mcp-worker.mjs"));
  const worker = new Miniflare({ modules, compatibilityDate: "2026-01-01" });
  t.after(() => worker.dispose());
  const url = new URL("/mcp", await worker.ready);
  const approve = { action: "accept", content: { decision: "approve" } };
  for (const era of ["modern", "legacy"]) {
    const client = await connectMcp(url, { era, onElicit: () => approve });
    const seen = [];
    const { structuredContent } = await client.callTool(
      { name: "count", arguments: { to: 2 } },
      { onProgress: ({ progress }) => seen.push(progress) },
    );
    assert.deepEqual(structuredContent, { to: 2 });
    assert.deepEqual(seen, [1, 2]);
    const params = { name: "pay", arguments: { amount: 1 } };
    let paid = await client.callTool(params);
    if (paid.resultType === "input_required")
      paid = await client.callTool({
        ...params,
        inputResponses: { [Object.keys(paid.inputRequests)[0]]: approve },
        requestState: paid.requestState,
      });
    assert.equal(paid.content[0].text, "paid 1", era);
    await client.close();
  }
  const asked = await worker.dispatchFetch(
    `http://worker/ask?${encodeURIComponent(everything.url)}`,
  );
  assert.deepEqual(await asked.json(), ["legacy", "Echo: hi"]);
});

test("a graph as an MCP server in workerd: progress, questions, a structure, an end", {
  timeout: 600_000,
}, async (t) => {
  const modules = await bundleWorker(fileOf("mcp-worker.mjs"));
  const worker = new Miniflare({ modules, compatibilityDate: "2026-01-01" });
  t.after(() => worker.dispose());
  const url = new URL("/trip", await worker.ready);
  const server = { fetch: (_, init) => fetch(url, init) };
  // A Worker whose client has gone runs nothing any more, nor says so.
  const { told: _, ...expected } = TAKEN;
  for (const [kind, open] of Object.entries(CLIENTS)) {
    const { told: _, ...taken } = await takeTrip(open, server);
    assert.deepEqual(taken, expected, kind);
  }
});
