// SPDX-License-Identifier: MIT
// Evaluations as tests of node:test and of Vitest, each run as its users run it: a test per case,
// whose failure says why.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { evalTests } from "weftgraph/testing";

const run = promisify(execFile);
const top = fileURLToPath(new URL("../..", import.meta.url));
let folder;

/** A file of tests. @param {string} runner the module that has `test` and `after` or `afterAll` */
const fileFor = (runner, last) => `import { ${last} as last, test } from "${runner}";
import { writeFileSync } from "node:fs";
import { evalTests, exact } from "weftgraph/testing";

let calls = 0;
const evals = await evalTests({ test }, (input) => {
  calls++;
  return input === "flaky" ? calls % 2 === 0 : input;
}, {
  name: "echo",
  cases: [
    { name: "same", input: 1, expected: 1 },
    { name: "other", input: 1, expected: 2 },
    { name: "dear", input: 1, skip: "costs money" },
    { name: "flaky", input: "flaky", expected: true },
  ],
  scorers: [exact()],
  repeat: 2,
  concurrency: 1,
  threshold: 0.5,
});
last(() => writeFileSync(process.env.JUNIT, evals.report().toJUnit()));
`;

before(() => {
  // Inside the checkout, whose own name is weftgraph there.
  mkdirSync(join(top, "build"), { recursive: true });
  folder = mkdtempSync(join(top, "build/evals-"));
});
after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

/** Runs a command that fails; what it printed. */
async function output(args, env) {
  const { NODE_TEST_CONTEXT: _, ...rest } = process.env;
  const made = run(process.execPath, args, { cwd: top, env: { ...rest, ...env } });
  const { code, stdout, stderr } = await made.then(
    () => assert.fail("the tests must fail"),
    (error) => error,
  );
  assert.equal(code, 1, stderr);
  return stdout;
}

/** What both write at the end. */
function checkFile(path) {
  const text = readFileSync(path, "utf8");
  assert.match(text, /<testsuite name="echo" .*tests="4" failures="1" errors="0" .*skipped="1"/);
}

test("with node --test each case is a test that fails with its reasons", async () => {
  const file = join(folder, "echo.test.mjs");
  const junit = join(folder, "node.xml");
  writeFileSync(file, fileFor("node:test", "after"));
  const tap = await output(["--test", "--test-reporter=tap", file], { JUNIT: junit });
  assert.match(tap, /^ok \d - same$/m);
  assert.match(tap, /^not ok \d - other$/m);
  assert.match(tap, /^ok \d - dear \(skipped: costs money\) # SKIP$/m);
  assert.match(tap, /^ok \d - flaky$/m);
  assert.match(
    tap,
    /case "other": 0 of 2 runs passed, 1 needed\n\s+run 1: exact \(0\.00\): expected 2, got 1/,
  );
  assert.match(tap, /^# pass 2\n# fail 1\n# cancelled 0\n# skipped 1$/m);
  checkFile(junit);
});

test("with Vitest each case is a test that fails with its reasons", async () => {
  const file = join(folder, "echo.spec.mjs");
  const [junit, report, config] = ["vitest.xml", "vitest.json", "vitest.config.mjs"].map((name) =>
    join(folder, name),
  );
  writeFileSync(file, fileFor("vitest", "afterAll"));
  writeFileSync(
    config,
    `export default { test: { include: [${JSON.stringify(file)}], cache: false } };\n`,
  );
  const vitest = join(top, "node_modules/vitest/vitest.mjs");
  await output(
    [vitest, "run", "--root", top, "--config", config, "--reporter=json", `--outputFile=${report}`],
    { JUNIT: junit },
  );
  const [{ assertionResults }] = JSON.parse(readFileSync(report, "utf8")).testResults;
  assert.deepEqual(
    assertionResults.map(({ title, status }) => [title, status]),
    [
      ["same", "passed"],
      ["other", "failed"],
      ["dear (skipped: costs money)", "skipped"],
      ["flaky", "passed"],
    ],
  );
  const [message] = assertionResults[1].failureMessages;
  assert.match(message, /EvalError: case "other": 0 of 2 runs passed, 1 needed\n\s+run 1: exact/);
  checkFile(junit);
});

test("the example runs: its cases pass, and it leaves a JUnit file", async () => {
  const copy = join(folder, "example");
  cpSync(join(top, "examples/evals"), copy, { recursive: true });
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { stdout } = await run(process.execPath, ["--test", "--test-reporter=tap"], {
    cwd: copy,
    env,
  });
  assert.match(stdout, /^# pass 2\n# fail 0$/m);
  const junit = readFileSync(join(copy, "junit.xml"), "utf8");
  assert.match(junit, /<testsuite name="orders" .*tests="2" failures="0"/);
});

test("a runner that passes its tests a time limit gets one that holds all runs and their scorers", async () => {
  const limits = [];
  const fake = (name, fn, limit) => limits.push([name, limit]);
  const options = {
    cases: [{ input: 1 }, { input: 2, skip: true }],
    timeoutMs: 1000,
    repeat: 5,
    concurrency: 2,
  };
  // Without `test.skip`, what is skipped is left out.
  const { report } = await evalTests({ test: fake }, (input) => input, options);
  assert.deepEqual(limits, [["case 1", 6 * 1000 + 10_000]]);
  assert.deepEqual(
    report().cases.map(({ status }) => status),
    ["aborted", "skipped"],
  );
  await evalTests({ test: fake }, (input) => input, { ...options, timeoutMs: Infinity });
  assert.equal(limits[1][1], 0x7fffffff);
});

test("evalTests refuses what is no runner, and a threshold over all cases", async () => {
  const cases = [{ input: 1 }];
  for (const runner of [undefined, {}, { test: 5 }])
    await assert.rejects(
      evalTests(runner, () => 1, { cases }),
      { code: "BAD_ARGUMENT", message: /runner must have test/ },
    );
  await assert.rejects(
    evalTests({ test() {} }, () => 1, { cases, overallThreshold: 1 }),
    { code: "BAD_ARGUMENT", message: /overallThreshold/ },
  );
});
