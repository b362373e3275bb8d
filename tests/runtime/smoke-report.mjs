// SPDX-License-Identifier: MIT
// Each check of a smoke run as a subtest.
import assert from "node:assert/strict";

/** As many as the set has at least: a runner that lost some is wrong. */
const FEWEST = 49;

/**
 * @param {import("node:test").TestContext} t
 * @param {{ name: string, ok: boolean, error?: string }[]} results
 */
export async function report(t, results) {
  assert.ok(results.length >= FEWEST, `${results.length} checks`);
  for (const { name, ok, error } of results) await t.test(name, () => assert.ok(ok, error));
}
