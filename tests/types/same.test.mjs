// SPDX-License-Identifier: MIT
// same.ts, core.ts, docs.ts, parts.ts, calls.ts, apps.ts and the programs of tests/peer/documented
// mean to a compiler what they mean with LangGraph.js: their right lines compile and their wrong
// ones do not, here with LangGraph.js, in check.test.mjs with Weft.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { COMPILERS, problemsOf } from "./compilers.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const THEIRS = {
  weftgraph: "@langchain/langgraph",
  "weftgraph/messages": "@langchain/core/messages",
  "weftgraph/zod": "@langchain/langgraph/zod",
  "weftgraph/prebuilt": "@langchain/langgraph/prebuilt",
  "weftgraph/pregel": "@langchain/langgraph/pregel",
  "weftgraph/channels": "@langchain/langgraph/channels",
  "weftgraph/remote": "@langchain/langgraph/remote",
  "weftgraph/stream": "@langchain/langgraph/stream",
};
const DOCUMENTED = join(here, "../peer/documented");
const FILES = [
  ...["same.ts", "core.ts", "docs.ts", "parts.ts", "calls.ts", "apps.ts"].map((name) =>
    join(here, name),
  ),
  ...readdirSync(DOCUMENTED).map((name) => join(DOCUMENTED, name)),
];

test("with LangGraph.js", () => {
  const folder = join(here, "../../build/types");
  mkdirSync(folder, { recursive: true });
  try {
    for (const file of FILES) {
      const source = readFileSync(file, "utf8").replace(
        / from "(weftgraph[^"]*)"/g,
        (_, name) => ` from "${THEIRS[name]}"`,
      );
      writeFileSync(
        join(folder, basename(file)),
        source
          .replace("./expect.js", "../../tests/types/expect.js")
          .replace('"../scripted-model', '"../../tests/peer/scripted-model'),
      );
    }
    // What TypeScript 7 infers of LangGraph.js's run streams is another type.
    const only5 = ["apps.ts"];
    const names = FILES.map((file) => basename(file));
    const said = Object.keys(COMPILERS).flatMap((compiler) =>
      problemsOf(compiler, join(folder, COMPILERS[compiler]), {
        compilerOptions: {
          target: "es2022",
          lib: ["es2023", "dom", "dom.iterable"],
          module: "nodenext",
          types: ["node"],
          strict: true,
          noEmit: true,
          skipLibCheck: true,
        },
        files: names
          .filter((name) => only5.includes(name) === (compiler === "TypeScript 5"))
          .map((name) => `../${name}`),
      }),
    );
    assert.deepEqual(said, []);
  } finally {
    rmSync(folder, { recursive: true, maxRetries: 5 });
  }
});

/** Least and most type arguments. */
function parametersOf(symbol) {
  const lists = (symbol.declarations ?? []).map(({ typeParameters }) => typeParameters ?? []);
  const least = Math.min(
    ...lists.map((list) => list.filter((one) => one.default === undefined).length),
  );
  return { least, most: Math.max(...lists.map(({ length }) => length)) };
}

test("every name of LangGraph.js, types too, and all their type parameters", () => {
  const top = join(here, "../..");
  const subpathsOf = (manifest) =>
    Object.keys(JSON.parse(readFileSync(join(top, manifest), "utf8")).exports).filter(
      (path) => path !== "./package.json",
    );
  const pairs = subpathsOf("node_modules/@langchain/langgraph/package.json").map((path) => [
    `weftgraph${path.slice(1)}`,
    `@langchain/langgraph${path.slice(1)}`,
  ]);
  const text = pairs
    .flat()
    .map((name, index) => `import * as n${index} from "${name}";\nn${index};`)
    .join("\n");
  const file = join(here, "names.ts");
  const options = {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    noLib: true,
    types: [],
    noEmit: true,
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.getSourceFile = (name, target) =>
    name === file ? ts.createSourceFile(name, text, target, true) : getSourceFile(name, target);
  host.fileExists = (name) => name === file || fileExists(name);
  const program = ts.createProgram([file], options, host);
  const checker = program.getTypeChecker();
  const modules = program
    .getSourceFile(file)
    .statements.filter(ts.isImportDeclaration)
    .map(({ moduleSpecifier }) => {
      const module = checker.getSymbolAtLocation(moduleSpecifier);
      const exported = module === undefined ? [] : checker.getExportsOfModule(module);
      return new Map(
        exported.map((symbol) => [
          symbol.name,
          symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
        ]),
      );
    });
  assert.equal(modules.length, 2 * pairs.length);
  for (const [index, [name]] of pairs.entries()) {
    const [ours, theirs] = modules.slice(2 * index);
    assert.ok(theirs.size > 0);
    assert.deepEqual(
      [...theirs.keys()].filter((key) => !ours.has(key)),
      [],
      name,
    );
    const counts = (module) =>
      [...theirs.keys()].map((key) => [key, parametersOf(module.get(key))]);
    const wanted = new Map(counts(theirs));
    assert.deepEqual(
      counts(ours).filter(
        ([key, { least, most }]) => least > wanted.get(key).least || most < wanted.get(key).most,
      ),
      [],
      `${name}: type parameters`,
    );
  }
});
