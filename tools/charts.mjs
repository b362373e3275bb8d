// SPDX-License-Identifier: MIT
// Writes what docs/benchmarks.md shows of tests/bench/results.json: the charts in docs/pictures and
// the table of all rows. `make bench` runs it after a full run, `make charts` by itself.
// tests/js/documents.test.mjs compares the committed files.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { box, label, line, picture } from "./svg.mjs";

const top = new URL("../", import.meta.url);
const PAGE = "docs/benchmarks.md";
const [BEGIN, END] = ["<!-- rows: written by tools/charts.mjs -->\n", "<!-- end of rows -->\n"];

/**
 * The charts: their titles, their rows by the beginnings of names, and whether a step of the scale
 * is a factor of ten.
 */
const CHARTS = {
  "speed.svg": {
    title: "Time of a step, a run or a call in Node.js (logarithmic)",
    log: true,
    rows: [
      "chain, 100 nodes",
      "chain + MemorySaver, 100 nodes",
      "loop, 1,000 steps",
      "loop, 1,000 steps + MemorySaver",
      "fan-out, 1000 Sends",
      "1,000 threads x 4 steps",
      "ReAct agent, one tool call",
      "ReAct agent, one tool call + MemorySaver",
      "ToolNode alone, 50 parallel calls",
    ],
  },
  "conversation.svg": {
    title: "Time of a step of a saved conversation, by its length (logarithmic)",
    log: true,
    rows: [
      "long run, at 10 ",
      "long run, at 100 ",
      "long run, at 1000 ",
      "one invoke per turn, at 10 ",
      "one invoke per turn, at 100 ",
      "one invoke per turn, at 1000 ",
    ],
  },
  "first-answer.svg": {
    title: "First answer of an agent, from nothing loaded",
    log: false,
    rows: [
      "Chromium, plain",
      "Chromium, slow",
      "Chromium, second visit",
      "Node, one bundle",
      "Node, installed",
      "workerd, one bundle",
    ].map((where) => `first answer of an agent in ${where}`),
  },
};

/** @param {any} row @param {string} side */
const shown = (row, side) =>
  `${row[side].toLocaleString("en-US", { maximumSignificantDigits: 3 })} ${row.unit}`;

/**
 * Two bars for each row.
 * @param {{ title: string, log: boolean, rows: string[] }} chart
 * @param {any[]} all
 */
function draw({ title, log, rows: names }, all) {
  const rows = names.map(
    (start) => all.find(({ name }) => name === start || name.startsWith(start)) ?? fail(start),
  );
  const [left, width] = [330, 430];
  const values = rows.flatMap(({ weft, langgraph }) => [weft, langgraph]);
  const [least, most] = [10 ** Math.floor(Math.log10(Math.min(...values))), Math.max(...values)];
  const long = (/** @type {number} */ value) =>
    width * (log ? Math.log10(value / least) / Math.log10(most / least) : value / most);
  const parts = [
    label(20, 28, title, { "font-weight": 600 }),
    box(left, 42, 12, 12, { fill: "#0969da" }),
    label(left + 18, 53, "Weft"),
    box(left + 70, 42, 12, 12, { fill: "#afb8c1" }),
    label(left + 88, 53, "LangGraph.js"),
  ];
  let y = 72;
  for (const row of rows) {
    parts.push(
      label(
        left - 10,
        y + 19,
        row.name.replace("first answer of an agent in ", "").replace(/, over an empty.*$/, ""),
        { "text-anchor": "end" },
      ),
    );
    for (const [at, [side, fill]] of [
      ["weft", "#0969da"],
      ["langgraph", "#afb8c1"],
    ].entries()) {
      const length = Math.max(2, long(row[side]));
      parts.push(
        box(left, y + at * 15, length, 13, { fill, rx: 2 }),
        label(left + length + 6, y + 11 + at * 15, shown(row, side), { "font-size": 11 }),
      );
    }
    y += 40;
  }
  parts.push(line(left, 66, y - 72, "#8c959f"));
  return picture(920, y + 8, title, parts);
}

/** @param {string} start @returns {never} */
function fail(start) {
  throw new Error(`tests/bench/results.json has no row "${start}"`);
}

/** @param {{ machine: string, date: string, rows: any[] }} results */
function table({ machine, date, rows }) {
  const cell = (/** @type {any} */ value) => (value === undefined ? "" : value);
  const lines = rows.map(
    (row) =>
      `| ${row.name} | ${row.unit} | ${cell(row.weft)} | ${cell(row.langgraph)} | ${cell(row.ratio)} | ${cell(row.limit)} |`,
  );
  return [
    `${machine}, ${date}.`,
    "",
    "| what | unit | Weft | LangGraph.js | ratio | limit |",
    "|---|---|---|---|---|---|",
    ...lines,
    "",
  ].join("\n");
}

/** Every file that shows results, by its path. @returns {Record<string, string>} */
export function charts() {
  const read = (/** @type {string} */ path) => readFileSync(new URL(path, top), "utf8");
  const results = JSON.parse(read("tests/bench/results.json"));
  const [before, rest] = read(PAGE).split(BEGIN);
  const drawn = Object.entries(CHARTS).map(([name, chart]) => [
    `docs/pictures/${name}`,
    draw(chart, results.rows),
  ]);
  return {
    ...Object.fromEntries(drawn),
    [PAGE]: before + BEGIN + table(results) + END + rest.split(END)[1],
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const [path, text] of Object.entries(charts())) writeFileSync(new URL(path, top), text);
