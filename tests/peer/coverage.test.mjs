// SPDX-License-Identifier: MIT
// Every fact has a test or a reason, and docs/coverage.md says so.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { findGaps, readCases, render } from "../../tools/coverage-facts.mjs";
import { facts } from "./facts.mjs";

test("every fact is compared or says why not", () => {
  assert.deepEqual(findGaps(readCases()), []);
});

test("a gap is found", () => {
  const cases = readCases();
  const { id } = facts.find(({ out }) => out === undefined);
  cases.delete(id);
  cases.set("99.9", ["a test of nothing"]);
  assert.equal(findGaps(cases).length, 2);
});

test("docs/coverage.md is what the tests say", () => {
  const page = readFileSync(new URL("../../docs/coverage.md", import.meta.url), "utf8");
  assert.equal(page, render(readCases()), "run node tools/coverage-facts.mjs");
});
