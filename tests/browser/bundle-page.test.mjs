// SPDX-License-Identifier: MIT
// Serves: docs/benchmarks.md. A page with a ReAct agent and a graph over IDBFS, bundled by Vite,
// fetches in Chromium what it needs and no more.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ALLOWED, CEILINGS } from "../../tools/ceilings.mjs";
import { AGENT_PAGE, SCHEMA_PAGE, loadPage } from "../../tools/page-load.mjs";

for (const [what, page, ceiling] of [
  ["tools by shape", AGENT_PAGE, CEILINGS.page],
  ["tools with JSON Schema", SCHEMA_PAGE, CEILINGS.schemaPage],
]) {
  test(`the scripts that a page with an agent and ${what} loads stay within their budget`, {
    timeout: 600_000,
  }, async (t) => {
    const { outcome, scripts, gzip } = await loadPage(page);
    assert.deepEqual(outcome, {
      said: [true, "tools", "The tool said 3.", "Order it?", "The tool said ordered: yes."],
      seen: [0, 1, 2, "yes"],
    });
    t.diagnostic(scripts.map((script) => `${script.name} ${script.gzip}`).join(", "));
    assert.ok(gzip <= ALLOWED * ceiling, `${gzip} bytes, the budget is ${ceiling}`);
  });
}
