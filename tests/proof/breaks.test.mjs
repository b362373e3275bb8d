// SPDX-License-Identifier: MIT
// Each part of the programme has a planted bug (WEFT_BREAK=T9) under which it must fail, naming
// itself: a test that cannot fail proves nothing. Without WEFT_LONG only those are tried that are
// found at once, and one of a part that has several: `make check-long PART=planted` tries all.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { LONG } from "./kit.mjs";
import { PARTS } from "./parts.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);

/** @param {string} planted */
async function outputOf(planted, { c = [], files = [] }) {
  const { NODE_TEST_CONTEXT: _, WEFT_LONG: __, ...rest } = process.env;
  const options = { cwd: root, env: { ...rest, WEFT_BREAK: planted }, maxBuffer: 1 << 26 };
  for (const program of c) await run(`build/native/tests/test_${program}`, [], options);
  if (files.length > 0)
    await run(process.execPath, ["--test", "--test-reporter=tap", ...files], options);
}

for (const [part, plan] of Object.entries(PARTS).filter(([, { bug = true }]) => bug)) {
  const bugs = plan.bugs?.map((bug) => `${part} ${bug}`) ?? [part];
  for (const [at, planted] of bugs.entries()) {
    test(`${planted} fails when its promise is broken`, {
      skip: LONG || (plan.quick && at === 0) ? false : "slow: make check-long PART=planted",
    }, async () => {
      const error = await outputOf(planted, plan).then(
        () => undefined,
        (failure) => failure,
      );
      assert.ok(error, `${planted} passes although its promise is broken`);
      assert.match(
        `${error.stdout}${error.stderr}`,
        new RegExp(plan.c ? "^\\d+ passed, [1-9]\\d* failed$" : `\\b${part}: `, "m"),
        `${planted} fails, but not as itself`,
      );
    });
  }
}
