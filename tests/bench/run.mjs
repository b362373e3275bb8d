// SPDX-License-Identifier: MIT
// `make bench`: the same programs through Weft and LangGraph.js in one run. Prints a table and,
// after a full run, writes tests/bench/results.json. One benchmark: make bench BENCH=chain.
import { cpus } from "node:os";
import { writeFileSync } from "node:fs";
import { libraries } from "./measure.mjs";

const names = [
  "chain",
  "loop",
  "history",
  "fanout",
  "threads",
  "react",
  "agent",
  "tokens",
  "models",
  "server",
  "schema",
  "cold",
  "first",
  "size",
  "object",
  "elsewhere",
];
const wanted = (process.env.BENCH ?? process.argv[2] ?? "").split(/[ ,]+/).filter(Boolean);
for (const name of wanted) {
  if (!names.includes(name)) throw new Error(`no benchmark ${name}; there are ${names.join(", ")}`);
}

const libs = await libraries();
const rows = [];
for (const name of wanted.length ? wanted : names) {
  const { rows: run } = await import(`./${name}.mjs`);
  for (const row of await run(libs)) {
    rows.push(row);
    const number = (value) => (value === undefined ? "" : String(value)).padStart(10);
    const spread = row.spread
      ? ` ±${Math.round(Math.max(...Object.values(row.spread)) * 50)}%`
      : "";
    console.log(
      `${row.name.padEnd(74)} ${row.unit.padEnd(14)} weft ${number(row.weft)}  langgraph ${number(row.langgraph)}` +
        ["ajv", "cfworker"]
          .map((side) => (row[side] === undefined ? "" : `  ${side} ${number(row[side])}`))
          .join("") +
        `  limit ${number(row.limit)}  ratio ${number(row.ratio)}${row.must === undefined ? "" : `  (must ${row.must})`}${spread}`,
    );
  }
}
if (!wanted.length) {
  const machine = `${cpus()[0].model}, ${cpus().length} cores, Node ${process.version}`;
  const date = new Date().toISOString().slice(0, 10);
  writeFileSync(
    new URL("./results.json", import.meta.url),
    `${JSON.stringify({ machine, date, rows }, null, 1)}\n`,
  );
}
