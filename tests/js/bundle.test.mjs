// SPDX-License-Identifier: MIT
// Serves: PERFORMANCE row 14 (what a browser app loads): who brings no tool of ours loads no reader of schemas, constants
// of the border are written where they are used, and the engine's letters stand before the code, not within it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { firstLoad } from "../../tools/bundle.mjs";

const AGENT = `export { StateGraph, interrupt } from "weftgraph"; export { createReactAgent } from "weftgraph/prebuilt";`;
const SCHEMAS = ["js/tools/zod3.js", "js/tools/zod4.js", "js/tools/schema.js"];

test("an agent alone loads no schemas, no models and no savers; a tool of ours brings the schemas", async () => {
  const { files } = await firstLoad(AGENT);
  assert.deepEqual(files.filter((path) => /^js\/(models|savers)\//.test(path) || SCHEMAS.includes(path)), ["js/savers/log-port.js"]);
  const withTool = await firstLoad(`${AGENT} export { tool } from "weftgraph/tools";`);
  for (const path of SCHEMAS) assert.ok(withTool.files.includes(path), path);
});

test("the engine comes first, and each error's text once", async () => {
  const { files, text } = await firstLoad(AGENT, { whole: true });
  assert.equal(files[0], "js/engine/bytes.js");
  assert.ok(!text.includes("ERR_FENCED") && text.split("Another writer has continued").length === 2);
});
