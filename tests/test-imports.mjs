// SPDX-License-Identifier: MIT
// Checks what the tests of JavaScript import: entries of the package by their names, modules that
// any test may use, and beside them modules of one folder of js/ at most. A test that reached into
// several layers would hold the way they are put together instead of what they do.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { init, parse } from "es-module-lexer";

const tests = dirname(fileURLToPath(import.meta.url));
const FOLDERS = ["js", "peer"];

/** Modules that any test may use, each with what for. */
const COMMON = new Map([
  ["base/codes.js", "numbers of errors and events, generated from the engine"],
  ["base/errors.js", "the error of a number"],
  ["engine/instance.js", "what the engine of this process holds, and filling it"],
  ["savers/memory/store.js", "a store to derive a slow or failing one from"],
]);

/** What tests share, each with why it needs several layers. */
const FIXTURES = new Map([
  ["js/small-graph.mjs", "runs a plan without a builder, to show the run's own requests"],
  ["js/entries.test.mjs", "the batch of entries is written by js/run/tasks and read by the engine"],
  ["js/engine.test.mjs", "each way of loading gives the same engine"],
]);

await init;

/** @param {string} path of a test @param {string} text */
function layersOf(path, text) {
  const layers = new Set();
  for (const { specifier } of parse(text, path)[0]) {
    const target = posix.join("tests", posix.dirname(path), specifier ?? "");
    if (!specifier?.startsWith(".") || !target.startsWith("js/")) continue;
    const module = target.slice("js/".length);
    if (!COMMON.has(module)) layers.add(posix.dirname(module));
  }
  return [...layers].sort();
}

/** @param {[string, string][]} sources path and text @returns {string[]} what reaches too far */
const violations = (sources) =>
  sources.flatMap(([path, text]) => {
    const layers = layersOf(path, text);
    return layers.length > 1 && !FIXTURES.has(path) ? `${path} imports ${layers.join(", ")}` : [];
  });

const { exports } = JSON.parse(readFileSync(join(tests, "../package.json"), "utf8"));
const sources = FOLDERS.flatMap((folder) =>
  readdirSync(join(tests, folder))
    .filter((name) => name.endsWith(".mjs"))
    .map((name) => [`${folder}/${name}`, readFileSync(join(tests, folder, name), "utf8")]),
);

test("tests of JavaScript import entries by name and modules of one folder at most", () => {
  assert.deepEqual(violations(sources), []);
});

test("an entry of the package is imported by its name", () => {
  const entries = new Set(JSON.stringify(exports).match(/(?<=\.\/)js\/[\w/-]+\.js/g));
  assert.deepEqual(
    sources.flatMap(([path, text]) =>
      parse(text, path)[0].flatMap(({ specifier }) => {
        const target = posix.join("tests", posix.dirname(path), specifier ?? "");
        return specifier?.startsWith(".") && entries.has(target) ? `${path}: ${target}` : [];
      }),
    ),
    [],
  );
});

test("a test that imports two layers is found, one that uses common modules is not", () => {
  const one = 'import { Slots } from "../../js/engine/slots.js";';
  const two = 'const { read } = await import("../../js/log/reader.js");';
  const common = 'import { getEngine } from "../../js/engine/instance.js";';
  assert.deepEqual(
    violations([
      ["js/far.test.mjs", one + two],
      ["js/near.test.mjs", one + common],
    ]),
    ["js/far.test.mjs imports engine, log"],
  );
});

test("each exception is still needed", () => {
  for (const path of FIXTURES.keys())
    assert.ok(layersOf(path, readFileSync(join(tests, path), "utf8")).length > 1, path);
  for (const module of COMMON.keys())
    assert.ok(
      sources.some(([, text]) => text.includes(`../../js/${module}`)),
      module,
    );
});
