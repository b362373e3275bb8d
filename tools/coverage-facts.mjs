// SPDX-License-Identifier: MIT
// docs/coverage.md: each fact of tests/peer/facts.mjs with the tests that name it. `--check` only
// compares; both fail when a fact has neither a test nor a reason, or a test names a fact that
// there is not.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { facts } from "../tests/peer/facts.mjs";

const top = join(dirname(fileURLToPath(import.meta.url)), "..");
const folder = join(top, "tests/peer");
const page = join(top, "docs/coverage.md");
const CASE = /\bfact\(\s*"([^"]+)",\s*(?:"((?:[^"\\]|\\.)*)"|`([^`]*)`)/g;

/** @returns {Map<string, string[]>} fact -> titles */
export function readCases() {
  /** @type {Map<string, string[]>} */
  const cases = new Map();
  for (const file of readdirSync(folder)
    .filter((name) => name.endsWith(".test.mjs"))
    .sort()) {
    for (const [, ids, plain, template] of readFileSync(join(folder, file), "utf8").matchAll(
      CASE,
    )) {
      const title = (plain ?? template).replace(/\$\{[^}]*\}/g, "…");
      for (const id of ids.split(", "))
        cases.set(id, [...(cases.get(id) ?? []), `${title} (${file.replace(".test.mjs", "")})`]);
    }
  }
  return cases;
}

/** @param {Map<string, string[]>} cases @returns {string[]} what is wrong */
export function findGaps(cases) {
  const known = new Set(facts.map((fact) => fact.id));
  return [
    ...facts
      .filter(({ id, out }) => out === undefined && !cases.has(id))
      .map(({ id, text }) => `no test names fact ${id}: ${text}`),
    ...[...cases.keys()]
      .filter((id) => !known.has(id))
      .map((id) => `a test names fact ${id}, which is not in tests/peer/facts.mjs`),
  ];
}

/** @param {Map<string, string[]>} cases */
export function render(cases) {
  const covered = facts.filter(({ id }) => cases.has(id));
  const rows = covered.map(
    ({ id, text }) => `| ${id} | ${text} | ${/** @type {string[]} */ (cases.get(id)).join("; ")} |`,
  );
  const left = facts
    .filter(({ id }) => !cases.has(id))
    .map(({ id, text, out }) => `| ${id} | ${text} | ${out} |`);
  return [
    "# Facts of LangGraph.js and the tests that name them",
    "",
    "Made by `node tools/coverage-facts.mjs`. Every test runs one program through both packages and compares what it saw;",
    "random graphs (`tests/peer/random.test.mjs`) go through sections 4 to 13 as a whole.",
    "",
    `## Compared: ${covered.length} of ${facts.length}`,
    "",
    "| fact | what | tests |",
    "|---|---|---|",
    ...rows.map((row) => row.replaceAll("\\", "")),
    "",
    "## Not compared, and why",
    "",
    "| fact | what | why |",
    "|---|---|---|",
    ...left,
    "",
  ].join("\n");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const cases = readCases();
  const gaps = findGaps(cases);
  const text = render(cases);
  if (process.argv.includes("--check")) {
    if (readFileSync(page, "utf8") !== text)
      gaps.push("docs/coverage.md is old: node tools/coverage-facts.mjs");
  } else {
    writeFileSync(page, text);
  }
  for (const gap of gaps) console.error(gap);
  process.exitCode = gaps.length > 0 ? 1 : 0;
}
