// SPDX-License-Identifier: MIT
// docs/reliability.md says which test holds each promise: the tests are there, each row of the
// programme has a part that can be run long and a bug that it must notice, and each part's figures
// are committed.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { PARTS } from "./parts.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const page = readFileSync(`${root}docs/reliability.md`, "utf8");
const figures = JSON.parse(readFileSync(`${root}tests/figures.json`, "utf8"));
// `name` (room): a test file of that room, whatever stands for its end.
const nameOf = (file) => file.replace(/^.*\//, "").replace(/(\.test)?\.(mjs|c)$/, "");
const tests = readdirSync(`${root}tests`, { recursive: true }).filter((file) =>
  /(\.test\.mjs|test_\w+\.c|fuzz_\w+\.c)$/.test(file),
);
const names = new Set(tests.map(nameOf));

const isThere = (name) =>
  name.endsWith("*")
    ? [...names].some((known) => known.startsWith(name.slice(0, -1)))
    : names.has(name);

/** The rows of the table under this heading, as lists of cells. */
function rowsUnder(heading) {
  const start = page.indexOf(`\n## ${heading}`);
  assert.ok(start > 0, heading);
  const end = page.indexOf("\n## ", start + 4);
  const lines = page
    .slice(start, end < 0 ? undefined : end)
    .split("\n")
    .filter((line) => line.startsWith("| "));
  return lines.slice(1).map((line) => line.slice(2, -2).split(/ (?<!\\)\| /));
}

test("each promise names tests that are there", () => {
  const rows = rowsUnder("1. Promises");
  assert.ok(rows.length >= 12);
  for (const [promise, holders] of rows) {
    const named = [...holders.matchAll(/`([\w*-]+)`/g)].map(([, name]) => name);
    const parts = [...holders.matchAll(/\bT\d+\b/g)].map(([part]) => part);
    assert.ok(named.length + parts.length > 0, `"${promise}" names no test`);
    for (const name of named)
      assert.ok(isThere(name), `"${promise}" is held by ${name}, which is not there`);
    for (const part of parts)
      assert.ok(
        page.includes(`\n| ${part} |`),
        `"${promise}" is held by ${part}, which has no row`,
      );
  }
});

// Whatever a test is made of may plant its bug.
const sources = readdirSync(`${root}tests`, { recursive: true })
  .filter((file) => /\.(mjs|c|h)$/.test(file))
  .map((file) => readFileSync(`${root}tests/${file}`, "utf8"));

test("each row of the programme names its test, has a part, a planted bug and figures", () => {
  const rows = rowsUnder("2. The test programme");
  const numbers = rows.map(([number]) => number);
  assert.equal(
    numbers.toSorted().join(),
    Object.keys(PARTS)
      .filter((part) => /^T\d/.test(part))
      .toSorted()
      .join(),
  );
  for (const [number, what] of rows) {
    const named = [...what.matchAll(/`([a-z][\w*-]+)`/g)].map(([, name]) => name);
    assert.ok(named.some(isThere), `${number} names no test that is there`);
    assert.ok(
      Object.keys(figures).some((key) => key.split(" ")[0] === number),
      `tests/figures.json has nothing of ${number}`,
    );
    const planted = sources.some((text) =>
      new RegExp(`[bB]roken\\w*(\\(|, )"${number}"\\)|WEFT_BREAK === "${number}"`).test(text),
    );
    assert.ok(planted, `${number} has no planted bug`);
  }
});

test("what only runs long is there and belongs to a part", () => {
  const makefile = readFileSync(`${root}Makefile`, "utf8").replaceAll("\\\n", "");
  const [, list] = /^LONG := (.*)$/m.exec(makefile);
  const inParts = new Set(Object.values(PARTS).flatMap(({ files = [] }) => files));
  const folders = [...list.matchAll(/\$\(addprefix (\w+\/),([^)]*)\)/g)];
  const long = folders.flatMap(([, folder, named]) =>
    named
      .trim()
      .split(/\s+/)
      .map((name) => `tests/${folder}${name}.test.mjs`),
  );
  assert.ok(long.length > 20);
  for (const file of long) {
    assert.ok(existsSync(root + file), `${file} is not there`);
    assert.ok(inParts.has(file), `${file} is in no part`);
  }
});

test("the README repeats promises of this page only", () => {
  const readme = readFileSync(`${root}README.md`, "utf8");
  assert.match(readme, /\(docs\/reliability\.md\)/);
  // What it says of tests by name is there, too.
  for (const [, path] of readme.matchAll(/`?(tests\/[\w./-]+\.(?:mjs|c|md))`?/g))
    assert.ok(readFileSync(root + path), path);
});

test("a part that is run long ends with its figures", () => {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { status, stdout } = spawnSync(process.execPath, ["tests/proof/long.mjs", "T21"], {
    cwd: root,
    encoding: "utf8",
    env,
  });
  assert.equal(status, 0, stdout);
  assert.match(stdout.trimEnd().split("\n").at(-1), /^T21: .*\d+ threads/);
});
