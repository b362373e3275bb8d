// SPDX-License-Identifier: MIT
// Serves: PERFORMANCE row 14 (what a browser app loads): who brings no tool of ours loads none, who brings one no printer of
// zod's schemas; constants of the border are written where they are used, and the engine's letters stand before the code, not
// within it. What an agent has no use for is loaded when it is needed, and a bundle does not grow unnoticed.
import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { AGENT, AGENT_IDBFS, firstLoad } from "../../tools/bundle.mjs";
import { CEILINGS } from "../../tools/ceilings.mjs";

test("an agent alone loads no models and no savers, and of tools what approvals are bound to: their schemas", async () => {
  const { files } = await firstLoad(AGENT);
  assert.deepEqual(files.filter((path) => /^js\/(models|savers|tools)\//.test(path)).sort(), ["js/savers/log-port.js", "js/tools/fragments.js", "js/tools/input.js", "js/tools/result.js", "js/tools/schema.js", "js/tools/unsupported.js", "js/tools/zod3.js", "js/tools/zod4.js"]);
  const withTool = await firstLoad(`${AGENT} export { tool } from "weftgraph/tools";`);
  assert.deepEqual(withTool.files.filter((path) => !files.includes(path)).sort(), ["js/pregel/inherited.js", "js/tools/tool.js"]);
});

test("the engine comes first, and each error's text once", async () => {
  const { files, text } = await firstLoad(AGENT, { whole: true });
  assert.equal(files[0], "js/engine/bytes.js");
  assert.ok(!text.includes("ERR_FENCED") && text.split("Another writer has continued").length === 2);
});

test("what few agents use is not in the first load", async () => {
  const { files } = await firstLoad(AGENT_IDBFS);
  const later = ["callbacks/trace", "callbacks/manager", "events/run-stream", "events/transformers", "pregel/debug-modes", "pregel/messages-mode", "pregel/tools-mode", "pregel/caching", "pregel/limits", "pregel/given", "prebuilt/approval", "prebuilt/agent-name", "prebuilt/answers", "prebuilt/structured", "runnable/work", "graph/checks", "graph/edit", "engine/codec", "run/rare-commands", "run/attempts", "run/calls", "savers/port", "savers/put", "savers/tuples"];
  assert.deepEqual(files.filter((path) => later.includes(path.replace(/^js\/|\.js$/g, ""))), []);
});

test("a tool alone, or a graph on a server, brings no engine, in one file either", async () => {
  for (const contents of ['export { tool } from "weftgraph/tools";', 'export { RemoteGraph } from "weftgraph/remote";']) {
    const { files } = await firstLoad(contents, { whole: true });
    assert.deepEqual(files.filter((path) => /^js\/(engine\/bytes|run\/|graph\/compiled)/.test(path)), []);
  }
});

for (const [name, contents, options] of [["first", AGENT_IDBFS, {}], ["whole", AGENT_IDBFS, { whole: true }]]) {
  test(`a bundle of agent, graph and IDBFS stays below its ceiling: ${name}`, async () => {
    const { length } = gzipSync((await firstLoad(contents, options)).bytes, { level: 9 });
    assert.ok(length <= CEILINGS[name], `${length} bytes, ${CEILINGS[name]} at most`);
  });
}
