// SPDX-License-Identifier: MIT
// Registers each case of an evaluation as a test of node:test, Vitest or Jest, by shape. Does not
// depend on a test runner.
import { badArgument, checkArgument } from "../base/check-arguments.js";
import { EvalError } from "./eval-error.js";
import { Evaluation } from "./evaluate.js";
import { failureLines } from "./failures.js";

/** @typedef {import("../types/testing/evaluate.js").EvalOptions} Options */
/** @typedef {import("../types/testing/evaluate.js").TestRunner} TestRunner */
/** @typedef {import("../types/testing/evaluate.js").EvalCaseResult} CaseResult */

const CALL = "evalTests(runner, target, options)";
/** Longest time in ms that timers know. */
const LONGEST = 0x7fffffff;
/** Time in ms for what is no run and no scorer. */
const REST = 10_000;

/**
 * Registers a test per case; await it before the file ends.
 * @param {TestRunner} runner
 * @param {import("./evaluate.js").Runnable | import("./evaluate.js").EvalFunction} target
 * @param {Options} options
 * @returns {Promise<{ report: () => import("./report.js").EvalReport }>}
 */
export async function evalTests(runner, target, options) {
  const test = runner?.test;
  checkArgument(typeof test === "function", `${CALL}: runner must have test(name, fn)`);
  if (options?.overallThreshold !== undefined)
    throw badArgument(`${CALL}: each case is a test: use evaluate for an overallThreshold`);
  const evaluation = new Evaluation(target, options);
  const { timeoutMs, repeat, concurrency } = evaluation.options;
  // A run, then its scorers. Runners with a limit of their own take the last argument for it.
  const rounds = Math.ceil(repeat / concurrency) * 2;
  const limit = Math.min(rounds * timeoutMs + REST, LONGEST);
  const planned = await evaluation.plan();
  for (const one of planned) {
    const { name } = one.one;
    if (one.skipped !== undefined) {
      test.skip?.(`${name} (skipped: ${one.skipped})`, () => {});
      continue;
    }
    test(
      name,
      async () => {
        await evaluation.run(one);
        const result = evaluation.resultOf(one);
        if (!result.pass) throw failureOf(result, evaluation.options.threshold);
      },
      limit,
    );
  }
  return { report: () => evaluation.report() };
}

/** @param {CaseResult} result @param {number} threshold */
function failureOf(result, threshold) {
  const { name, passed, runs, status } = result;
  if (status === "aborted") return new EvalError("EVAL_ABORTED", "the evaluation was aborted");
  const needed = Math.ceil(threshold * runs.length - 1e-9);
  const counts = `${passed} of ${runs.length} runs passed, ${needed} needed`;
  const error = new EvalError(
    "EVAL_FAILED",
    [`case "${name}": ${counts}`, ...failureLines(result)].join("\n  "),
  );
  return Object.assign(error, { result });
}
