// SPDX-License-Identifier: MIT
// Writes a report as a JUnit file: one suite, one test per case. Any text of a model stays text.
import { failureLines, reasonsOf, shownScore } from "./failures.js";

/** @typedef {import("./report.js").EvalReport} EvalReport */
/** @typedef {import("../types/testing/evaluate.js").EvalCaseResult} CaseResult */

const MOST_MESSAGE = 500;
/** Characters that XML 1.0 cannot have, in any form. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;
/** @type {Record<string, string>} */
const ESCAPES = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\t": "&#9;",
  "\n": "&#10;",
  "\r": "&#13;",
};

/** @param {string} text @returns {string} for an attribute */
const attribute = (text) =>
  text.replace(FORBIDDEN, "\ufffd").replace(/[&<>"\t\n\r]/g, (mark) => ESCAPES[mark]);

/** @param {string} text @returns {string} for the inside of an element */
const content = (text) =>
  text.replace(FORBIDDEN, "\ufffd").replace(/[&<>\r]/g, (mark) => ESCAPES[mark]);

/** @param {number} ms */
const seconds = (ms) => (ms / 1000).toFixed(3);

/** @param {EvalReport} report @returns {string} */
export function writeJUnit(report) {
  const { name, cases, ms, startedAt, summary } = report;
  const isError = (/** @type {CaseResult} */ one) => one.runs.some(({ error }) => error);
  const failed = cases.filter(({ status }) => status === "failed");
  const errors = failed.filter(isError).length + summary.aborted;
  const counts = `tests="${cases.length}" failures="${failed.filter((one) => !isError(one)).length}" errors="${errors}" time="${seconds(ms)}"`;
  const title = attribute(name);
  const tests = cases.map((one) => testcase(one, title, isError(one)));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${title}" ${counts}>`,
    `  <testsuite name="${title}" timestamp="${startedAt.slice(0, "yyyy-mm-ddThh:mm:ss".length)}" ${counts} skipped="${summary.skipped}">`,
    ...tests,
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

/** @param {CaseResult} result @param {string} suite escaped @param {boolean} isError */
function testcase(result, suite, isError) {
  const { name, ms, status, skipped } = result;
  const head = `    <testcase name="${attribute(name)}" classname="${suite}" time="${seconds(ms)}">`;
  const inside = [];
  if (status === "skipped") inside.push(`<skipped message="${attribute(skipped ?? "")}"/>`);
  else if (status === "aborted")
    inside.push('<error message="the evaluation was aborted" type="EVAL_ABORTED"/>');
  else if (status === "failed") inside.push(failure(result, isError ? "error" : "failure"));
  const scores = scoreLines(result);
  if (scores !== "") inside.push(`<system-out>${content(scores)}</system-out>`);
  return [head, ...inside.map((line) => `      ${line}`), "    </testcase>"].join("\n");
}

/** @param {CaseResult} result @param {"error" | "failure"} tag */
function failure(result, tag) {
  const lines = failureLines(result);
  const failed = result.runs.filter(({ pass }) => !pass);
  const type = tag === "error" ? "run" : "score";
  const first = failed.flatMap(reasonsOf)[0] ?? "";
  const message = first.length > MOST_MESSAGE ? `${first.slice(0, MOST_MESSAGE)}…` : first;
  return `<${tag} message="${attribute(message)}" type="${type}">${content(lines.join("\n"))}</${tag}>`;
}

/** @param {CaseResult} result */
function scoreLines({ scores, passed, runs }) {
  if (runs.length === 0) return "";
  const lines = Object.entries(scores).map(
    ([name, { mean, min, max }]) =>
      `${name}: mean ${shownScore(mean)}, min ${shownScore(min)}, max ${shownScore(max)}`,
  );
  return [`${passed} of ${runs.length} runs passed`, ...lines].join("\n");
}
