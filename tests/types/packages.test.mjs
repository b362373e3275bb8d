// SPDX-License-Identifier: MIT
// Packages made for LangGraph.js compile against Weft's declarations, their own declarations
// (skipLibCheck: false) too. Under WEFT_LONG: make check-long PART=types.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { LONG } from "../proof/kit.mjs";

const top = fileURLToPath(new URL("../..", import.meta.url));
const options = {
  target: ts.ScriptTarget.ES2022,
  lib: ["lib.esnext.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts", "lib.dom.asynciterable.d.ts"],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  types: ["node"],
  strict: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
};

/** Also by LangGraph.js's own: tests/types/tsconfig.json has the file. */
function compile(paths) {
  const program = ts.createProgram([join(top, "tests/types/packages.ts")], { ...options, paths });
  const problems = ts
    .getPreEmitDiagnostics(program)
    .map(
      ({ file, start, messageText }) =>
        `${file?.fileName} ${file?.getLineAndCharacterOfPosition(start).line + 1}: ${ts.flattenDiagnosticMessageText(messageText, " ").slice(0, 300)}`,
    );
  return { problems, files: program.getSourceFiles().map(({ fileName }) => fileName) };
}

test("with Weft in LangGraph.js's place", {
  skip: LONG ? false : "slow: make check-long PART=types",
}, () => {
  const entries = Object.entries(
    JSON.parse(readFileSync(join(top, "package.json"), "utf8")).exports,
  ).filter(([, { types }]) => types !== undefined);
  const paths = Object.fromEntries(
    entries.map(([path, { types }]) => [
      `@langchain/langgraph${path.slice(1)}`,
      [join(top, types)],
    ]),
  );
  const { problems, files } = compile({
    ...paths,
    "@langchain/langgraph/": paths["@langchain/langgraph"],
  });
  assert.deepEqual(problems, []);
  assert.ok(files.includes(join(top, "js/types/index.d.ts")));
  assert.deepEqual(
    files.filter((file) => file.includes("/@langchain/langgraph/")),
    [],
  );
});
