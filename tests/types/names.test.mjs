// SPDX-License-Identifier: MIT
// README.md lists every entry of the package, and docs/guides/names.md every name of each, as the
// declarations have them. WRITE=1 node --test tests/types/names.test.mjs writes that page.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import ts from "typescript";
import { top } from "../js/guides.mjs";

const PAGE = join(top, "docs/guides/names.md");
const manifest = JSON.parse(readFileSync(join(top, "package.json"), "utf8"));
const nameOf = (entry) => `weftgraph${entry.slice(1)}`;
const entries = Object.keys(manifest.exports).filter((entry) => entry !== "./package.json");
const shown = [
  ...readFileSync(join(top, "README.md"), "utf8")
    .split("## Entry points")[1]
    .matchAll(/^\| `(weftgraph[^`]*)` \| (.*) \|$/gm),
].map(([, name, what]) => ({ name, what }));

test("the README lists every entry of the package once", () => {
  assert.deepEqual(shown.map(({ name }) => name).sort(), entries.map(nameOf).sort());
});

/** What each entry exports: values and types by name. */
function readNames() {
  const { options } = ts.convertCompilerOptionsFromJson(
    {
      target: "es2022",
      module: "nodenext",
      strict: true,
      noLib: true,
      types: [],
    },
    top,
  );
  const declared = entries
    .filter((entry) => typeof manifest.exports[entry] === "object")
    .map((entry) => [nameOf(entry), resolve(top, manifest.exports[entry].types)]);
  const program = ts.createProgram(
    declared.map(([, path]) => path),
    options,
  );
  const checker = program.getTypeChecker();
  const isTypeOnly = ({ declarations }) =>
    declarations?.some(
      (one) => ts.isExportSpecifier(one) && (one.isTypeOnly || one.parent.parent.isTypeOnly),
    ) === true;
  const isValue = (symbol) =>
    !isTypeOnly(symbol) &&
    ((symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol).flags &
      ts.SymbolFlags.Value) !==
      0;
  return new Map(
    declared.map(([name, path]) => {
      const symbols = checker.getExportsOfModule(
        checker.getSymbolAtLocation(program.getSourceFile(path)),
      );
      const sorted = (list) => list.map((symbol) => symbol.name).sort();
      return [
        name,
        {
          values: sorted(symbols.filter(isValue)),
          types: sorted(symbols.filter((symbol) => !isValue(symbol))),
        },
      ];
    }),
  );
}

/** The page's text. @param {Map<string, { values: string[], types: string[] }>} names */
function describe(names) {
  const list = (all) => all.map((name) => `\`${name}\``).join(", ");
  const main = JSON.stringify(names.get("weftgraph"));
  const sections = shown.flatMap(({ name, what }) => {
    const here = names.get(name);
    if (here === undefined) return [];
    if (name !== "weftgraph" && JSON.stringify(here) === main)
      return [`## \`${name}\`\n\nThe same names as \`weftgraph\`.\n`];
    const types = here.types.length > 0 ? `\n**Types**: ${list(here.types)}\n` : "";
    return [
      `## \`${name}\`\n\n${what[0].toUpperCase()}${what.slice(1)}.\n\n${list(here.values)}\n${types}`,
    ];
  });
  return `# Which name is where

Every name of the package by the entry that exports it; [the README](../../README.md#entry-points) has the entries alone. Editors show what each name is. This page is made from the declarations: \`WRITE=1 node --test tests/types/names.test.mjs\`.

${sections.join("\n")}`;
}

test("docs/guides/names.md lists every name of every entry", () => {
  const text = describe(readNames());
  if (process.env.WRITE) writeFileSync(PAGE, text);
  assert.equal(
    readFileSync(PAGE, "utf8"),
    text,
    "write it again: WRITE=1 node --test tests/types/names.test.mjs",
  );
});
