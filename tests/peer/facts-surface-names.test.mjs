// SPDX-License-Identifier: MIT
// Every public name of LangGraph.js stands under the same sub-path here, and is the same kind of
// thing. names.json is the list, made by tools/peer-names.mjs.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { kindOf, readPeer } from "../../tools/peer-names.mjs";

const list = JSON.parse(readFileSync(new URL("./names.json", import.meta.url), "utf8"));

// What is not built yet, by sub-path: exactly this is missing. A name leaves the list when it is
// there; nothing is ever added.
const LATER = {};

test("the list is that of the installed version", async () => {
  assert.deepEqual(await readPeer(), list);
});

for (const [path, names] of Object.entries(list.exports)) {
  test(`weftgraph${path.slice(1)}`, async (t) => {
    const later = LATER[path] ?? [];
    const module = await import(`weftgraph${path.slice(1)}`).catch((error) => {
      assert.equal(error.code, "ERR_PACKAGE_PATH_NOT_EXPORTED");
      return {};
    });
    const missing = Object.keys(names).filter((name) => !(name in module));
    assert.deepEqual(missing.sort(), later);
    const others = Object.keys(names).filter(
      (name) => name in module && typeof module[name] !== typeofKind(names[name]),
    );
    assert.deepEqual(others, [], "names for another kind of thing");
    if (missing.length > 0) t.diagnostic(`not there yet: ${missing.join(", ")}`);
  });
}

/** @param {string} kind */
function typeofKind(kind) {
  return kind === "class" ? "function" : kind;
}

test("weftgraph/checkpoint has the names of @langchain/langgraph-checkpoint", async () => {
  const module = await import("weftgraph/checkpoint");
  const found = Object.fromEntries(
    Object.keys(list.checkpoint).map((name) => [name, kindOf(module[name])]),
  );
  assert.deepEqual(found, list.checkpoint);
});

test("a class is told from a function", () => {
  assert.deepEqual(
    [kindOf(class {}), kindOf(() => {}), kindOf(Symbol("s")), kindOf({})],
    ["class", "function", "symbol", "object"],
  );
});
