// SPDX-License-Identifier: MIT
// Serves: docs/benchmarks.md (Node's Web Crypto is not loaded for a first run), random words
// wherever they come from.
// Own process: sees which modules are loaded and replaces globalThis.crypto.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mock, test } from "node:test";
import { fillRandom } from "../../js/engine/load/load-node.js";

const isFull = () => {
  const words = new Uint32Array(512);
  fillRandom(words);
  // Each is zero once in four thousand million times.
  return words.filter((word) => word === 0).length < 4 && new Set(words).size > 500;
};

test("words are random, whether the system's source can be read, fails, or ends early", () => {
  assert.ok(isFull());
  const crypto = mock.method(globalThis.crypto, "getRandomValues");
  const closed = [];
  for (const fs of [
    undefined,
    { openSync: () => assert.fail("refused") },
    { openSync: () => 7, readSync: () => 12, closeSync: (file) => closed.push(file) },
  ]) {
    const without = mock.method(process, "getBuiltinModule", () => fs);
    assert.ok(isFull());
    without.mock.restore();
  }
  assert.equal(crypto.mock.callCount(), 3);
  assert.deepEqual(closed, [7]);
});

test("a first run in Node loads no Web Crypto", {
  skip: !["linux", "darwin"].includes(process.platform),
}, () => {
  const program = `
    import { Annotation, StateGraph } from ${JSON.stringify(new URL("../../js/index.js", import.meta.url).href)};
    let asked = 0;
    const { get } = Object.getOwnPropertyDescriptor(globalThis, "crypto");
    Object.defineProperty(globalThis, "crypto", { configurable: true, get() { asked++; return get.call(globalThis); } });
    const graph = new StateGraph(Annotation.Root({ n: Annotation() })).addNode("a", () => ({ n: 1 })).addEdge("__start__", "a").compile();
    await graph.invoke({ n: 0 });
    console.log(asked);`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
    encoding: "utf8",
  });
  assert.equal(stdout.trim(), "0", stderr);
});
