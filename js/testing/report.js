// SPDX-License-Identifier: MIT
// Sums up the runs of an evaluation: pass rates, scores, times. Does not depend on how runs are
// made, or on the form of a table or file.
import { jsonText, withoutIds } from "./compare.js";
import { writeJUnit } from "./junit.js";
import { writeMarkdown, writeTable } from "./table.js";
import { addUsage } from "./transcript.js";

/** @typedef {import("../types/testing/evaluate.js").ScoredRun} ScoredRun */
/** @typedef {import("../types/testing/evaluate.js").EvalCaseResult} CaseResult */
/** @typedef {import("../types/testing/evaluate.js").EvalSummary} Summary */
/** @typedef {import("../types/testing/evaluate.js").ScoreSummary} ScoreSummary */
/** @typedef {import("./cases.js").Planned & { runs: ScoredRun[] }} Finished */
/**
 * `began`: ms since 1970.
 * @typedef {{ began: number, ms: number, scorers: string[], cases: Finished[] }} Results
 */

/** Shares are sums of fractions. */
const EPSILON = 1e-9;

/** The result of an evaluation. */
export class EvalReport {
  /** @param {import("./evaluate.js").Options} options @param {Results} results */
  constructor(options, { began, ms, scorers, cases }) {
    this.name = options.name;
    this.startedAt = new Date(began).toISOString();
    this.ms = ms;
    this.scorers = scorers;
    /** @type {CaseResult[]} */
    this.cases = cases.map((one) => resultOf(one, scorers, options));
    /** @type {Summary} */
    this.summary = summaryOf(this.cases, scorers, options.repeat);
    const { aborted, passRate } = this.summary;
    this.pass = aborted === 0 && passRate >= options.overallThreshold - EPSILON;
  }

  /** @returns {string} */
  toTable() {
    return writeTable(this);
  }

  /** @returns {string} */
  toMarkdown() {
    return writeMarkdown(this);
  }

  /** @returns {string} */
  toJUnit() {
    return writeJUnit(this);
  }

  toJSON() {
    const { name, startedAt, ms, pass, summary, cases } = this;
    return {
      name,
      startedAt,
      ms,
      pass,
      summary,
      cases: cases.map((one) => ({
        ...one,
        input: jsonOf(one.input),
        expected: jsonOf(one.expected),
        runs: one.runs.map((run) => ({
          ...run,
          input: undefined,
          expected: undefined,
          output: jsonOf(run.output),
          messages: jsonOf(withoutIds(run.messages)),
          toolCalls: jsonOf(run.toolCalls),
          questions: jsonOf(run.questions),
          error: run.error && told(run.error),
          scores: Object.fromEntries(
            Object.entries(run.scores).map(([name, { error, ...score }]) => [name, score]),
          ),
        })),
      })),
    };
  }
}

/** @param {unknown} value @returns {unknown} its JSON form; a text for a value without one */
function jsonOf(value) {
  if (value === undefined) return undefined;
  const text = jsonText(value);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** @param {Error & { code?: unknown }} error */
function told({ name, message, code }) {
  return { name, message, ...(typeof code === "string" ? { code } : {}) };
}

/**
 * @param {Finished} finished
 * @param {string[]} scorers
 * @param {import("./evaluate.js").Options} options
 * @returns {CaseResult}
 */
export function resultOf({ one, skipped, runs }, scorers, { repeat, threshold }) {
  const passed = runs.filter(({ pass }) => pass).length;
  const passRate = runs.length === 0 ? 0 : passed / runs.length;
  const isDone = runs.length === repeat;
  const pass = isDone && passRate >= threshold - EPSILON;
  const { name, tags = [], input, expected } = one;
  return {
    name,
    tags,
    input,
    expected,
    status: skipped !== undefined ? "skipped" : !isDone ? "aborted" : pass ? "passed" : "failed",
    skipped,
    pass,
    passed,
    passRate,
    scores: scoresOf(runs, scorers),
    ms: runs.reduce((sum, run) => sum + run.ms, 0),
    runs,
  };
}

/** @param {ScoredRun[]} runs @param {string[]} scorers @returns {Record<string, ScoreSummary>} */
function scoresOf(runs, scorers) {
  if (runs.length === 0) return {};
  return Object.fromEntries(
    scorers.map((name) => {
      const all = runs.map(({ scores }) => scores[name]);
      const numbers = all.map(({ score }) => score);
      return [
        name,
        {
          mean: meanOf(numbers),
          min: numbers.reduce((least, number) => Math.min(least, number), 1),
          max: numbers.reduce((most, number) => Math.max(most, number), 0),
          passRate: all.filter(({ pass }) => pass).length / all.length,
        },
      ];
    }),
  );
}

/** @param {number[]} numbers */
const meanOf = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

/**
 * @param {CaseResult[]} cases
 * @param {string[]} scorers
 * @param {number} repeat
 * @returns {Summary}
 */
function summaryOf(cases, scorers, repeat) {
  const count = (/** @type {CaseResult["status"]} */ status) =>
    cases.filter((one) => one.status === status).length;
  const runs = cases.flatMap((one) => one.runs);
  const [passed, failed, skipped, aborted] = [
    count("passed"),
    count("failed"),
    count("skipped"),
    count("aborted"),
  ];
  const passedRuns = runs.filter(({ pass }) => pass).length;
  const ks = Array.from({ length: repeat }, (_, index) => index + 1);
  return {
    cases: cases.length,
    passed,
    failed,
    skipped,
    aborted,
    passRate: passed + failed === 0 ? 1 : passed / (passed + failed),
    runs: runs.length,
    passedRuns,
    failedRuns: runs.filter(({ error }) => error !== undefined).length,
    runPassRate: runs.length === 0 ? 0 : passedRuns / runs.length,
    passAtK: ks.map((k) => meanOver(cases, k, (n, c) => 1 - allFrom(n, n - c, k))),
    passPowK: ks.map((k) => meanOver(cases, k, (n, c) => allFrom(n, c, k))),
    scores: scoresOf(runs, scorers),
    usage: runs.reduce(
      (sum, { usage }) => addUsage(sum, usage),
      /** @type {Summary["usage"]} */ (undefined),
    ),
  };
}

/**
 * Averages over the cases that have at least k runs.
 * @param {CaseResult[]} cases
 * @param {number} k
 * @param {(runs: number, passed: number) => number} share
 */
function meanOver(cases, k, share) {
  const known = cases.filter(({ runs }) => runs.length >= k);
  return known.length === 0 ? 0 : meanOf(known.map((one) => share(one.runs.length, one.passed)));
}

/**
 * Returns the probability that k runs drawn from n are all among c of them.
 * @param {number} n
 * @param {number} c
 * @param {number} k
 */
function allFrom(n, c, k) {
  let share = 1;
  for (let i = 0; i < k; i++) share *= Math.max(c - i, 0) / (n - i);
  return share;
}
