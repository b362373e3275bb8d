// SPDX-License-Identifier: MIT
// Scores a run with every scorer; one that throws, hangs or answers nonsense fails alone. Does not
// depend on what scorers look at.
import { checkArgument, isRecord } from "../base/check-arguments.js";
import { shownValue } from "./compare.js";
import { errorOf } from "./eval-error.js";
import { within } from "./time.js";

/** @typedef {import("../types/testing/evaluate.js").EvalRun} EvalRun */
/** @typedef {import("../types/testing/evaluate.js").Score} Score */
/** @typedef {(run: EvalRun) => unknown} Scorer */
/** @typedef {Map<string, Scorer>} Scorers */

const MOST_REASON = 10_000;
const PASS_AT = 0.5;

/**
 * @param {unknown} given functions by name, or a list of functions with names
 * @returns {Scorers}
 */
export function readScorers(given) {
  const entries = Array.isArray(given)
    ? given.map((scorer) => [scorer?.name, scorer])
    : isRecord(given)
      ? Object.entries(given)
      : given === undefined
        ? []
        : [["", undefined]];
  /** @type {Scorers} */
  const scorers = new Map();
  for (const [name, scorer] of entries) {
    checkArgument(
      typeof scorer === "function" && typeof name === "string" && name !== "",
      "evaluate(target, options): options.scorers must be functions by name, or a list of named ones",
    );
    checkArgument(
      !scorers.has(name),
      `evaluate(target, options): options.scorers has two with the name ${name}: name them, as { ${name}: scorer }`,
    );
    scorers.set(name, scorer);
  }
  return scorers;
}

/**
 * Scores a run; a run that failed gets 0 from each.
 * @param {EvalRun} run
 * @param {Scorers} scorers
 * @param {import("./evaluate.js").Options} options
 * @returns {Promise<Record<string, Score>>}
 */
export async function scoreRun(run, scorers, { timeoutMs: ms, clock, signal }) {
  /** @param {string} name @param {Scorer} scorer @returns {Promise<Score>} */
  const scoreWith = async (name, scorer) => {
    if (run.error !== undefined) return { score: 0, pass: false, reason: "the run failed" };
    try {
      const bounds = { ms, clock, signal, what: `the scorer ${name}` };
      return readScore(await within((inner) => scorer({ ...run, signal: inner }), bounds));
    } catch (thrown) {
      const error = errorOf(thrown);
      return { score: 0, pass: false, reason: cut(`the scorer failed: ${error.message}`), error };
    }
  };
  return Object.fromEntries(
    await Promise.all(
      [...scorers].map(
        async ([name, scorer]) =>
          /** @type {[string, Score]} */ ([name, await scoreWith(name, scorer)]),
      ),
    ),
  );
}

/** @param {unknown} answer of a scorer @returns {Score} */
function readScore(answer) {
  const { score: given, pass, reason } = isRecord(answer) ? answer : { score: answer };
  const score = typeof given === "boolean" ? Number(given) : given;
  checkArgument(
    typeof score === "number" && score >= 0 && score <= 1,
    `a score must be true, false or a number from 0 to 1, not ${shownValue(given)}`,
  );
  const number = /** @type {number} */ (score);
  return {
    score: number,
    pass: typeof pass === "boolean" ? pass : number >= PASS_AT,
    ...(reason === undefined || reason === null
      ? {}
      : { reason: cut(typeof reason === "string" ? reason : shownValue(reason)) }),
  };
}

/** @param {string} text */
function cut(text) {
  return text.length > MOST_REASON ? `${text.slice(0, MOST_REASON)}…` : text;
}
