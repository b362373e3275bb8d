// SPDX-License-Identifier: MIT
// Serves: PERFORMANCE row 14. A page with a ReAct agent and a graph over IDBFS, bundled by Vite, fetches in Chromium what it
// needs and no more.
import assert from "node:assert/strict";
import { test } from "node:test";
import { CEILINGS } from "../../tools/ceilings.mjs";
import { AGENT_PAGE, loadPage } from "../../tools/page-load.mjs";

test("the scripts that a page with an agent loads stay below their ceiling", { timeout: 600_000 }, async (t) => {
  const { outcome, scripts, gzip } = await loadPage(AGENT_PAGE);
  assert.deepEqual(outcome, { said: [true, "tools", "The tool said 3.", "Order it?", "The tool said ordered: yes."], seen: [0, 1, 2, "yes"] });
  t.diagnostic(scripts.map((script) => `${script.name} ${script.gzip}`).join(", "));
  assert.ok(gzip <= CEILINGS.page, `${gzip} bytes, ${CEILINGS.page} at most`);
});
