// SPDX-License-Identifier: MIT
// `make coverage`: lines, branches and conditions of the engine's C that its C tests, spec pages,
// hostile inputs and the simulation reach, file by file. A condition counts when it decided its
// decision by itself (MC/DC). What they do not reach is written to unreached.txt; what cannot be
// reached stands in tests/proof/unreached.json with a reason, which must not be stale. Usage: node
// tools/coverage.mjs build/coverage folder-of-clang
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [folder, clang] = process.argv.slice(2);
const native = `${folder}/native`;
const raw = `${folder}/raw`;
/**
 * Here every line and branch must be reached and every condition decide by itself, but for those
 * named.
 */
const WHOLE = [
  "src/log/fold.c",
  "src/log/frame.c",
  "src/log/recover.c",
  "src/prebuilt/plan.c",
  "src/run/task/approval.c",
  "src/run/task/ledger.c",
];
const CALM = JSON.parse(readFileSync("tests/proof/unreached.json", "utf8"));

// ---- the runs

rmSync(raw, { recursive: true, force: true });
mkdirSync(raw);
const tests = readdirSync(`${native}/tests`).filter((name) => /^test_\w+$/.test(name));
const programs = [
  ...tests.map((name) => `tests/${name}`),
  "spec/pages",
  "spec/hostile",
  "proof/simulate",
];
let runs = 0;
function run(program, words = [], options = {}) {
  const { status, stdout, stderr } = spawnSync(`${native}/${program}`, words, {
    maxBuffer: 1 << 28,
    ...options,
    env: { ...process.env, LLVM_PROFILE_FILE: `${raw}/${++runs}.profraw` },
  });
  if (status !== 0) throw new Error(`${program} fails: ${stdout}${stderr}`.slice(-2000));
}
for (const name of tests) run(`tests/${name}`);
for (const name of readdirSync("tests/spec").filter((file) => file.endsWith(".md"))) {
  run("spec/pages", [], {
    input: /```script\n([\s\S]*?)\n```/.exec(readFileSync(`tests/spec/${name}`, "utf8"))[1],
  });
}
run("spec/hostile");
run("proof/simulate", ["1", "3000"]);

const counts = `${folder}/counts`;
execFileSync(`${clang}/llvm-profdata`, [
  "merge",
  ...readdirSync(raw).map((name) => join(raw, name)),
  "-o",
  counts,
]);
const [first, ...others] = programs.map((program) => `${native}/${program}`);
const told = (...words) =>
  execFileSync(
    `${clang}/llvm-cov`,
    [
      "export",
      ...words,
      `-instr-profile=${counts}`,
      first,
      ...others.map((program) => `-object=${program}`),
    ],
    { encoding: "utf8", maxBuffer: 1 << 30, stdio: ["ignore", "pipe", "ignore"] },
  );

// ---- what they reached

const texts = new Map();
const textOf = (file) =>
  texts.get(file) ?? texts.set(file, readFileSync(file, "utf8").split("\n")).get(file);
const lineOf = (file, line) => textOf(file)[line - 1].trim();
function spanOf(file, [line, column, endLine, endColumn]) {
  const lines = textOf(file).slice(line - 1, endLine);
  lines[lines.length - 1] = lines.at(-1).slice(0, endColumn - 1);
  lines[0] = lines[0].slice(column - 1);
  return lines.map((text) => text.trim()).join(" ");
}
const own = (file) => (/\/(src\/.*\.[ch])$/.exec(file) ?? [])[1];

/**
 * Of each file: what there is, by its key, with [line, whether it is reached, its name in the
 * list].
 */
const found = { lines: new Map(), branches: new Map(), conditions: new Map() };
function note(kind, file, key, line, isReached, name) {
  const all = found[kind].get(file) ?? found[kind].set(file, new Map()).get(file);
  // What many instances share is reached when one of them reaches it.
  all.set(key, { line, isReached: isReached || (all.get(key)?.isReached ?? false), name });
}

let source;
for (const line of told("-format=lcov").split("\n")) {
  if (line.startsWith("SF:")) source = own(line);
  const [, number, count] = /^DA:(\d+),(\d+)/.exec(line) ?? [];
  if (source !== undefined && number !== undefined)
    note("lines", source, number, Number(number), count !== "0", lineOf(source, Number(number)));
}

/**
 * Where a function's file ids lie: those of a macro at the line that uses it, and what they are
 * called there.
 */
function placesOf({ regions }) {
  const places = new Map();
  for (const region of regions) if (region[7] === 1) places.set(region[6], region);
  return (id) => {
    let place;
    for (let at = places.get(id); at !== undefined; at = places.get(at[5])) place = at;
    return place;
  };
}

for (const { functions } of JSON.parse(told()).data) {
  for (const { filenames, regions, branches, mcdc_records: decisions } of functions) {
    const file = own(filenames[0]);
    if (file === undefined) continue;
    const placeOf = placesOf({ regions });
    const where = (id, span) => {
      const place = placeOf(id);
      return place === undefined
        ? { line: span[0], text: spanOf(file, span) }
        : {
            line: place[0],
            text: `${spanOf(own(filenames[id]), span)} of ${/^\w+/.exec(spanOf(file, place))}`,
          };
    };
    for (const branch of branches) {
      const [, , , , yes, no, id] = branch;
      const { line, text } = where(id, branch);
      // A branch that the compiler folded counts nothing on both ways, and has no region of its
      // own.
      for (const [way, count] of [
        ["true", yes],
        ["false", no],
      ])
        note(
          "branches",
          file,
          `${branch.slice(0, 4)},${line},${id},${way}`,
          line,
          count > 0,
          `${lineOf(file, line)} | ${text} never ${way}`,
        );
    }
    for (const record of decisions) {
      const [, , , , id] = record;
      const { line, text } = where(id, record);
      const parts = branches.filter((branch) => branch[6] === id && isWithin(branch, record));
      record.at(-1).forEach((isReached, index) => {
        const condition =
          parts.length === record.at(-1).length
            ? spanOf(own(filenames[id]), parts.toSorted(byPlace)[index])
            : `${index + 1} of ${text}`;
        note(
          "conditions",
          file,
          `${record.slice(0, 4)},${line},${id},${index}`,
          line,
          isReached,
          `${lineOf(file, line)} | ${condition} never decides`,
        );
      });
    }
  }
}

function isWithin([line, column, endLine, endColumn], [fromLine, fromColumn, toLine, toColumn]) {
  return (
    (line > fromLine || (line === fromLine && column >= fromColumn)) &&
    (endLine < toLine || (endLine === toLine && endColumn <= toColumn))
  );
}

function byPlace([line, column], [otherLine, otherColumn]) {
  return line - otherLine || column - otherColumn;
}

// ---- what is said of it

const percent = (part, whole) => (whole === 0 ? "100.0" : ((100 * part) / whole).toFixed(1));
const total = { lines: [0, 0], branches: [0, 0], conditions: [0, 0] };
const unreached = [];
const bad = [];
const used = new Set();
for (const file of [...found.lines.keys()].toSorted()) {
  const sums = Object.entries(found).map(([kind, files]) => {
    const all = [...(files.get(file)?.values() ?? [])];
    let reached = 0;
    for (const { line, isReached, name } of all) {
      if (isReached) reached++;
      else if (CALM[file]?.[name] !== undefined) used.add(`${file}: ${name}`);
      else {
        unreached.push({ file, line, text: `${file}:${line}: ${kind}: ${name}` });
        if (WHOLE.includes(file)) bad.push(`${file}:${line}: ${name}`);
      }
    }
    total[kind][0] += reached;
    total[kind][1] += all.length;
    return `${kind} ${percent(reached, all.length).padStart(5)} %`;
  });
  console.log(`${file.padEnd(32)} ${sums.join("  ")}`);
}
for (const [file, names] of Object.entries(CALM))
  for (const name of Object.keys(names))
    if (!used.has(`${file}: ${name}`))
      bad.push(`${file}: stale in tests/proof/unreached.json: ${name}`);
writeFileSync(`${folder}/unreached.txt`, unreached.map(({ text }) => `${text}\n`).join(""));
console.log(
  Object.entries(total)
    .map(([kind, [reached, all]]) => `${reached} of ${all} ${kind} (${percent(reached, all)} %)`)
    .join(", "),
);
for (const line of bad) console.error(line);
process.exit(bad.length === 0 ? 0 : 1);
