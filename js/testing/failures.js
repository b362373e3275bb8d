// SPDX-License-Identifier: MIT
// Puts into words why a case did not pass. Does not depend on where the words go.

/** @typedef {import("../types/testing/evaluate.js").EvalCaseResult} CaseResult */
/** @typedef {import("../types/testing/evaluate.js").ScoredRun} ScoredRun */

/** @param {ScoredRun} run @returns {string[]} one text per reason */
export function reasonsOf({ error, scores }) {
  if (error !== undefined) {
    const { code } = /** @type {{ code?: unknown }} */ (error);
    const name = typeof code === "string" ? code : error.name;
    return [`${name}: ${error.message}`];
  }
  return Object.entries(scores)
    .filter(([, { pass }]) => !pass)
    .map(([name, { score, reason }]) => `${name} (${shownScore(score)}): ${reason ?? "no reason"}`);
}

/**
 * Says why a case did not pass, one reason per line, by run.
 * @param {CaseResult} result
 * @returns {string[]}
 */
export function failureLines({ runs }) {
  return runs.flatMap((run) =>
    reasonsOf(run).map((reason) => (runs.length === 1 ? reason : `run ${run.number}: ${reason}`)),
  );
}

/** @param {number} score */
export const shownScore = (score) => score.toFixed(2);

/** @param {number} share */
export const shownShare = (share) => `${Math.round(share * 1000) / 10}%`;
