// SPDX-License-Identifier: MIT
// Writes a report as a table for terminals, and as Markdown. Texts of models cannot move the
// cursor, change colours or leave their cell.
import { failureLines, shownScore, shownShare } from "./failures.js";

/** @typedef {import("./report.js").EvalReport} EvalReport */
/** @typedef {import("../types/testing/evaluate.js").EvalCaseResult} CaseResult */

/** Columns of a cell, and of a reason. */
const WIDEST = 40;
const WIDEST_REASON = 300;
const GAP = "  ";
/** Control characters, and those that change the direction of text. */
const UNSAFE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;
const NARROW = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;
const WIDE =
  /\ufe0f|[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f000}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const segmenter =
  typeof Intl === "object" && "Segmenter" in Intl ? new Intl.Segmenter() : undefined;

/** @param {string} text @returns {string[]} what a terminal shows as one character each */
function charactersOf(text) {
  if (segmenter === undefined) return [...text];
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** @param {string} character @returns {number} columns of a terminal */
function widthOf(character) {
  if (NARROW.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

/** @param {string} text */
const columnsOf = (text) =>
  charactersOf(text).reduce((sum, character) => sum + widthOf(character), 0);

/** @param {string} text @returns {string} on one line, without control characters */
function plain(text) {
  return text.replace(/\s+/gu, " ").replace(UNSAFE, "\ufffd").trim();
}

/** @param {string} given @param {number} most columns */
function cut(given, most) {
  // More characters than columns never fit, unless they are marks.
  const text = plain(given.slice(0, most * 20));
  if (text.length <= most && columnsOf(text) <= most) return text;
  let kept = "";
  let columns = 0;
  for (const character of charactersOf(text)) {
    columns += widthOf(character);
    if (columns > most - 1) return `${kept}…`;
    kept += character;
  }
  return kept;
}

/** @param {EvalReport} report @returns {{ head: string[], rows: string[][] }} */
function cellsOf({ cases, scorers }) {
  const head = ["case", "status", "runs", ...scorers, "ms"];
  const rows = cases.map((one) => [
    one.name,
    one.status,
    one.status === "skipped" ? "-" : `${one.passed}/${one.runs.length}`,
    ...scorers.map((name) =>
      Object.hasOwn(one.scores, name) ? shownScore(one.scores[name].mean) : "-",
    ),
    one.runs.length === 0 ? "-" : String(Math.round(one.ms / one.runs.length)),
  ]);
  return { head, rows };
}

/** @param {EvalReport} report @returns {string} */
export function writeTable(report) {
  const { head, rows } = cellsOf(report);
  const all = [head, ...rows].map((row) => row.map((cell) => cut(cell, WIDEST)));
  const widths = head.map((_, column) => Math.max(...all.map((row) => columnsOf(row[column]))));
  const lines = all.map((row) =>
    row
      .map((cell, column) => {
        const space = " ".repeat(widths[column] - columnsOf(cell));
        return column < 2 ? cell + space : space + cell;
      })
      .join(GAP)
      .trimEnd(),
  );
  const rule = "-".repeat(widths.reduce((sum, width) => sum + width + GAP.length, -GAP.length));
  const [title, ...body] = lines;
  return [title, rule, ...body, ...reasonLines(report), "", summaryLine(report)].join("\n");
}

/** @param {EvalReport} report @returns {string[]} after an empty line, if there are any */
function reasonLines({ cases }) {
  const lines = cases.flatMap((one) => {
    const name = cut(one.name, WIDEST);
    if (one.status === "skipped")
      return [`- ${name}: skipped: ${cut(one.skipped ?? "", WIDEST_REASON)}`];
    const lines = one.status === "passed" ? [] : failureLines(one);
    return lines.map((line) => `✖ ${name}: ${cut(line, WIDEST_REASON)}`);
  });
  return lines.length === 0 ? [] : ["", ...lines];
}

/** @param {EvalReport} report */
function summaryLine({ summary, pass }) {
  const { passed, failed, skipped, aborted, runs, passedRuns, runPassRate, usage } = summary;
  const { passAtK, passPowK } = summary;
  const parts = [
    `${pass ? "passed" : "failed"}: ${passed} of ${passed + failed} cases`,
    `${passedRuns} of ${runs} runs (${shownShare(runPassRate)})`,
  ];
  const k = passAtK.length;
  if (k > 1)
    parts.push(
      `pass@${k} ${shownShare(passAtK[k - 1])}`,
      `pass^${k} ${shownShare(passPowK[k - 1])}`,
    );
  if (skipped > 0) parts.push(`${skipped} skipped`);
  if (aborted > 0) parts.push(`${aborted} not finished`);
  if (usage !== undefined) parts.push(`${usage.total_tokens} tokens`);
  return parts.join(", ");
}

/** @param {EvalReport} report @returns {string} */
export function writeMarkdown(report) {
  const { head, rows } = cellsOf(report);
  const row = (/** @type {string[]} */ cells) =>
    `| ${cells.map((cell) => escaped(cut(cell, WIDEST))).join(" | ")} |`;
  const rule = `| ${head.map((_, column) => (column < 2 ? "---" : "---:")).join(" | ")} |`;
  const reasons = reasonLines(report).slice(1);
  // A fence longer than any in the texts.
  const fence = "`".repeat(
    Math.max(2, ...reasons.flatMap((line) => (line.match(/`+/g) ?? []).map((run) => run.length))) +
      1,
  );
  return [
    `### ${escaped(plain(report.name))}`,
    "",
    row(head),
    rule,
    ...rows.map(row),
    "",
    escaped(summaryLine(report)),
    ...(reasons.length === 0 ? [] : ["", `${fence}text`, ...reasons, fence]),
    "",
  ].join("\n");
}

/** @param {string} text */
const escaped = (text) =>
  text.replace(/[\\`*_{}[\]()<>#|!~&^]/g, (mark) => (mark === "<" ? "&lt;" : `\\${mark}`));
