// SPDX-License-Identifier: MIT
// The JavaScript of the package and of the demo passes tsc --checkJs --strict, each public
// declaration names exactly what its module exports, and the programs beside this file
// (tests/types/*.ts) and of tests/peer/documented mean what they say to a user's compiler: to
// TypeScript 7, under WEFT_LONG (`make check-long PART=types`) to TypeScript 5 too.
import { test } from "node:test";
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import ts from "typescript";
import { COMPILERS, USED, problemsOf } from "./compilers.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const top = join(here, "../..");
const manifest = JSON.parse(readFileSync(join(top, "package.json"), "utf8"));
const entries = Object.entries(manifest.exports).filter(([, target]) => typeof target === "object");

function listFiles(folder, pattern) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return listFiles(path, pattern);
    return pattern.test(path) ? [path] : [];
  });
}

const GENERATED = /(bytes|idbfs-glue|studio\/studio)\.js$/;

test("every module of the package, and of the demo, passes tsc --checkJs --strict", () => {
  const files = listFiles(join(top, "js"), /\.(js|d\.ts)$/).filter((path) => !GENERATED.test(path));
  const demo = ts.parseJsonConfigFileContent(
    ts.readConfigFile(join(top, "web-demo/tsconfig.json"), ts.sys.readFile).config,
    ts.sys,
    join(top, "web-demo"),
  ).fileNames;
  assert.ok(files.length > 0 && demo.length > 0);
  assert.deepEqual(
    problemsOf("TypeScript 7", join(top, "build/types-of-modules"), {
      extends: "../../tsconfig.json",
      files: [...files, ...demo],
      include: [],
    }),
    [],
  );
});

/** `export type { Class }` declares no value. */
function isTypeOnly({ declarations }) {
  return (
    declarations?.some(
      (one) => ts.isExportSpecifier(one) && (one.isTypeOnly || one.parent.parent.isTypeOnly),
    ) === true
  );
}

const program = ts.createProgram(
  entries.map(([, { types }]) => join(top, types)),
  {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    strict: true,
    noLib: true,
    types: [],
  },
);
const checker = program.getTypeChecker();
/** @param {{ types: string }} target */
const exportsOf = ({ types }) =>
  checker.getExportsOfModule(
    checker.getSymbolAtLocation(program.getSourceFile(resolve(top, types))),
  );
const targetOf = (symbol) =>
  symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;

test("each public declaration names exactly what its module exports", async (t) => {
  for (const [name, target] of entries) {
    await t.test(`weftgraph${name.slice(1)}`, async () => {
      const module = await import(pathToFileURL(join(top, target.default)).href);
      const declared = exportsOf(target)
        .filter((symbol) => !isTypeOnly(symbol))
        .map((symbol) => (targetOf(symbol).flags & ts.SymbolFlags.Value ? symbol.name : ""))
        .filter(Boolean);
      assert.deepEqual(declared.sort(), Object.keys(module).sort());
    });
  }
});

test("each public declaration says so, and what it is", () => {
  const isSaid = (symbol) =>
    symbol.getDocumentationComment(checker).length > 0 || symbol.getJsDocTags(checker).length > 0;
  // A module of declarations without `export { … }` exports all that it declares.
  const isExported = (node) =>
    ts.isVariableDeclaration(node) || ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Export;
  for (const [name, target] of entries) {
    const symbols = exportsOf(target).map(targetOf);
    assert.ok(symbols.length > 0, name);
    const wrong = symbols.filter(
      (symbol) => !isSaid(symbol) || !symbol.declarations.every(isExported),
    );
    assert.deepEqual(
      wrong.map((symbol) => symbol.name),
      [],
      `weftgraph${name.slice(1)}`,
    );
  }
});

for (const compiler of USED)
  test(`programs that use the package compile, and their wrong lines do not: ${compiler}`, () => {
    const files = [here, join(here, "../peer/documented")].flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => name.endsWith(".ts"))
        .map((name) => join(folder, name)),
    );
    assert.ok(files.length > 0, "no tests/types/*.ts");
    assert.deepEqual(
      problemsOf(compiler, join(top, "build/types-of-programs", COMPILERS[compiler]), {
        extends: "../../../tsconfig.json",
        compilerOptions: { allowJs: false, checkJs: false },
        files,
        include: [],
      }),
      [],
    );
  });

test("every path that package.json names exists", () => {
  const pathsIn = (target) =>
    typeof target === "string" ? [target] : Object.values(target).flatMap(pathsIn);
  const paths = [...entries, ...Object.entries(manifest.imports)].flatMap(([, target]) =>
    pathsIn(target),
  );
  assert.deepEqual(
    paths.filter((path) => !existsSync(join(top, path))),
    [],
  );
});
