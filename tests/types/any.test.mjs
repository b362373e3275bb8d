// SPDX-License-Identifier: MIT
// Counts the types `any` in the comments of js/, and the uses of `Value`, the one name for what a
// user or another package gives (js/base/callable.js). Neither number rises: what the package makes
// itself has a type.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import ts from "typescript";

/** Lower them when the test says that there are fewer. */
const MOST_ANY = 48;
const MOST_VALUE = 534;

const js = join(dirname(fileURLToPath(import.meta.url)), "../../js");
/** Built from other files, or by the compiler of the engine. */
const BUILT = ["cjs", "node", "types", "engine/generated", "studio"];

/** @param {string} folder @returns {string[]} */
function modulesIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return BUILT.includes(relative(js, path)) ? [] : modulesIn(path);
    return path.endsWith(".js") ? [path] : [];
  });
}

/** How often a module's comments name each type. @param {string} text */
function countTypes(text) {
  const file = ts.createSourceFile(
    "module.js",
    text,
    ts.ScriptTarget.Latest,
    true,
    ts.ScriptKind.JS,
  );
  // One comment may belong to several nodes.
  const any = new Set();
  const value = new Set();
  const visit = (node) => {
    if (node.kind === ts.SyntaxKind.AnyKeyword) any.add(node.pos);
    if (ts.isTypeReferenceNode(node) && node.typeName.getText(file) === "Value")
      value.add(node.pos);
    node.jsDoc?.forEach(visit);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return { any: any.size, value: value.size };
}

test("a module's types are counted in each form of comment, its code and texts are not", () => {
  const text = `/** any @typedef {{ one: any, two?: any[] }} Two */
/** @param {any} value any value @returns {Promise<any>} */
export const any = (value) => /** @type {any} */ (value).any ?? "{any}"; // @type {any}
/** @type {Value} */
let kept;`;
  assert.deepEqual(countTypes(text), { any: 5, value: 1 });
});

test("`any` and `Value` in the types of js/ do not become more", (t) => {
  const counts = modulesIn(js).map((path) => countTypes(readFileSync(path, "utf8")));
  const sum = (name) => counts.reduce((total, count) => total + count[name], 0);
  t.diagnostic(`any: ${sum("any")} of ${MOST_ANY}, Value: ${sum("value")} of ${MOST_VALUE}`);
  assert.ok(sum("any") <= MOST_ANY, `${sum("any")} types are any, more than ${MOST_ANY}`);
  assert.ok(sum("value") <= MOST_VALUE, `${sum("value")} types are Value, more than ${MOST_VALUE}`);
});
