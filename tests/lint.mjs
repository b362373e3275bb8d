// SPDX-License-Identifier: MIT
// Checks the form of the sources: formatters, linters and the width of comments, which no formatter
// breaks in JavaScript. `make format` mends what a formatter can.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { clangTidy, compare, findings, root } from "./proof/analyzers.mjs";

const WIDTH = 100;
const sources = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
}).split("\n");
const named = (ending) => sources.filter((name) => ending.test(name));

/** Runs a program; what it says is the error when it fails. */
function succeed(program, words) {
  try {
    execFileSync(program, words, { cwd: root, stdio: "pipe", maxBuffer: 1 << 26 });
  } catch (error) {
    assert.fail(`${error.message}\n${error.stdout}${error.stderr}`.slice(0, 20_000));
  }
}

test("JavaScript and TypeScript are formatted, and Biome's linter finds nothing", () => {
  succeed(join(root, "node_modules/.bin/biome"), ["ci", "--error-on-warnings", "--colors=off"]);
});

test("C is formatted", () => {
  succeed("clang-format-14", ["--dry-run", "-Werror", ...named(/\.[ch]$/)]);
});

/** Comments wider than the page, as "file:line"; one word alone (an address) cannot be broken. */
function wideComments(name, text) {
  return text.split("\n").flatMap((line, at) => {
    const comment = /^\s*(?:\/\/|\/?\*+)\s*(.*)$/.exec(line)?.[1];
    const isWide = [...line].length > WIDTH && comment?.includes(" ");
    return isWide && !/^SPDX|^biome-ignore/.test(comment) ? [`${name}:${at + 1}`] : [];
  });
}

test(`comments have at most ${WIDTH} columns`, () => {
  assert.deepEqual(wideComments("a", `// ${"word ".repeat(30)}\n// ${"x".repeat(120)}`), ["a:1"]);
  const files = named(/\.(?:[cm]?js|tsx?|[ch])$/);
  assert.ok(files.length > 500);
  assert.deepEqual(
    files.flatMap((name) => wideComments(name, readFileSync(join(root, name), "utf8"))),
    [],
  );
});

test("clang-tidy finds nothing", async () => {
  // Which arguments could be confused is a matter of taste.
  const off = ["easily-swappable-parameters", "implicit-widening-of-multiplication-result"];
  const checks = `-*,bugprone-*,misc-*,-misc-no-recursion${off.map((name) => `,-bugprone-${name}`).join("")}`;
  compare("clang-tidy", await findings((file) => clangTidy(file, checks)));
});
