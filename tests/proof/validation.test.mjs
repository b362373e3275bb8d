// SPDX-License-Identifier: MIT
// T23: LangGraph's own checkpointer validation, as it is, over each of our savers that run in Node.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { LONG, figure } from "./kit.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));

test("T23: the checkpointer validation of LangGraph passes for each saver", {
  timeout: 1_200_000,
}, async (t) => {
  const folder = await fs.mkdtemp(join(tmpdir(), "weft-validation-"));
  t.after(() => fs.rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const report = join(folder, "report.json");
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const options = [
    "run",
    "--root",
    root,
    "--config",
    "tests/proof/validation.config.mjs",
    "--reporter=json",
    `--outputFile=${report}`,
  ];
  await promisify(execFile)(process.execPath, [vitest, ...options], {
    cwd: root,
    env: { ...process.env, TMPDIR: folder },
  }).catch((error) => error);
  const { testResults } = JSON.parse(await fs.readFile(report, "utf8"));
  const checks = testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = checks
    .filter(({ status }) => status === "failed")
    .map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages[0]?.split("\n")[0]}`);
  assert.deepEqual(failed, [], `T23: ${failed.length} checks failed`);
  // The one that LangGraph spares its own MemorySaver too: it keeps whole checkpoints.
  assert.equal(
    checks.filter(({ status }) => status !== "passed").length,
    1,
    "T23: what the suite skips",
  );
  const savers = new Set(checks.map(({ ancestorTitles }) => ancestorTitles.find(Boolean)));
  figure(LONG ? "T23" : "T23 in make test", {
    checks: checks.filter(({ status }) => status === "passed").length,
    savers: savers.size,
  });
});
