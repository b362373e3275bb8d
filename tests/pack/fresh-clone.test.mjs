// SPDX-License-Identifier: MIT
// `make js` in a fresh clone performs the set-up it needs: with nothing built and no package
// installed, two jobs at once make all that the package needs, and a graph runs. Fetches npm
// packages and cJSON's source, so it runs in make check-long, also as PART=fresh-clone.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const top = fileURLToPath(new URL("../../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "weft-clone-"));
const clone = join(folder, "weft");
after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

/** What this make or test runner tells its own programs is nothing that a user's shell has. */
const { MAKEFLAGS: _, MAKELEVEL: __, MFLAGS: ___, NODE_TEST_CONTEXT: ____, ...shell } = process.env;
for (const name of Object.keys(shell))
  if (/^(WEFT_|BUILD$|CJSON_DIR$|NODE$|NODE_OPTIONS$)/.test(name)) delete shell[name];

/** @param {string} program @param {string[]} words @returns {string} what it printed */
function run(program, words, cwd = clone) {
  const { status, stdout, stderr, error } = spawnSync(program, words, {
    cwd,
    env: shell,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  assert.equal(status, 0, `${program} ${words.join(" ")}: ${error ?? ""}\n${stdout}\n${stderr}`);
  return stdout;
}

test("make js in a fresh clone sets up what it needs, builds, and has nothing to do a second time", {
  timeout: 3_600_000,
  skip: process.env.WEFT_LONG ? false : "slow: make check-long PART=fresh-clone",
}, () => {
  run("git", ["clone", "--quiet", "--no-hardlinks", top, clone], folder);
  for (const name of ["build", "node_modules", "js/engine/generated", "js/base/codes.js"])
    assert.ok(!existsSync(join(clone, name)), `${name} is no part of a clone`);
  assert.match(run("make", ["-j2", "js"]), /WASM .*LINK /s);
  const program = `
    import { Annotation, START, StateGraph } from "weftgraph";
    import { IdbfsSaver } from "weftgraph/savers/idbfs";
    const graph = new StateGraph(Annotation.Root({ n: Annotation() }))
      .addNode("add", ({ n }) => ({ n: n + 1 })).addEdge(START, "add").compile();
    console.log((await graph.invoke({ n: 1 })).n, typeof IdbfsSaver);`;
  const said = run(process.execPath, ["--input-type=module", "--eval", program]);
  assert.equal(said.trim(), "2 function");
  assert.equal(run("git", ["status", "--porcelain"]), "", "what is built is ignored");
  assert.doesNotMatch(run("make", ["js"]), /WASM|EMCC|LINK/);
});
