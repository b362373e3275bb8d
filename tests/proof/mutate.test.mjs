// SPDX-License-Identifier: MIT
// T16, mutation: small faults are put into log recovery, the effect ledger and approval binding,
// one at a time, and the C tests and spec pages must notice. Operators are turned round, constants
// moved, conditions fixed or negated, statements left out. WEFT_MUTANTS=n tries n of each file,
// spread evenly; WEFT_FILE names one file. Those that nobody notices are printed with their lines.
// A run that is stopped, or that WEFT_SECONDS ends, goes on where it was as long as the file and
// its witnesses are the same (build/proof/T16.json).
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { LONG, figure, isBroken, keepSum, readSum, tell, timeLimit } from "./kit.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = "build/mutants";
const CC = process.env.CC ?? "cc";
const SANITIZE = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
const FLAGS = [
  "-std=c11",
  "-w",
  "-O0",
  ...SANITIZE,
  "-Isrc",
  "-isystem",
  process.env.CJSON_DIR ?? "build/cjson",
  "-ffp-contract=off",
  "-DWEFT_TEST",
];
const LEAST = 0.9;

/**
 * What is mutated, and who must notice: programs, their words, of test_run the pages that it plays.
 */
const SUBJECTS = {
  "src/prebuilt/plan.c": ["test_prebuilt", "pages"],
  "src/log/recover.c": ["test_log_fold", "test_log_record", "test_log_damage"],
  "src/log/frame.c": ["test_log_limits", "test_log_fold", "test_log_record", "test_log_damage"],
  "src/log/pack.c": ["test_log_pack", "test_log_damage", "pages"],
  "src/run/task/ledger.c": ["pages", "test_events", "test_run ledger", "simulate 1 300"],
  "src/run/task/approval.c": ["pages", "test_events", "test_run approval"],
};
// Mutants that change nothing that can be seen, by file and the mutated line's text.
const SAME = JSON.parse(readFileSync(new URL("mutants.json", import.meta.url), "utf8"));

const SWAPS = [
  [/==/g, "!="],
  [/!=/g, "=="],
  [/<=/g, "<"],
  [/>=/g, ">"],
  [/(?<![<-])<(?![<=])/g, "<="],
  [/(?<![>-])>(?![>=])/g, ">="],
  [/&&/g, "||"],
  [/\|\|/g, "&&"],
  [/ \+ /g, " - "],
  [/ - /g, " + "],
  [/\+\+/g, "--"],
];

/** All faults of one line: [what, line]. */
function faultsOf(line) {
  const code = line.replace(/\/\/.*/, "");
  if (/^\s*(#|\/\/|static const|case |default|typedef|\}|$)/.test(code) || /^\w.*[({]$/.test(code))
    return [];
  const faults = [];
  const at = (index, length, text, what) =>
    faults.push([what, line.slice(0, index) + text + line.slice(index + length)]);
  for (const [pattern, text] of SWAPS)
    for (const found of code.matchAll(pattern))
      at(found.index, found[0].length, text, `${found[0].trim()} -> ${text.trim()}`);
  for (const found of code.matchAll(/(?<![\w."])\d+(?=u?\b(?!\w|x))/g))
    at(
      found.index,
      found[0].length,
      String(Number(found[0]) === 0 ? 1 : Number(found[0]) - 1),
      `${found[0]} moved`,
    );
  const condition = /^(\s*(?:\} else )?if \()(.*)(\) \{)\s*$/.exec(code);
  if (condition)
    for (const text of ["1", "0"])
      faults.push([`if (${text})`, `${condition[1]}${text}${condition[3]}`]);
  if (
    /^\s+(?!return|weft_\w+ \*?\w+( =|;|\[)|(const |struct |static )|u?int\w* |size_t |uint8_t |span |\w+ \*?\w+;)[\w*&(].*;\s*$/.test(
      code,
    )
  )
    faults.push(["left out", ""]);
  return faults;
}

function mutantsOf(file) {
  const lines = readFileSync(join(root, file), "utf8").split("\n");
  const mutants = [];
  let comment = false;
  lines.forEach((line, number) => {
    comment ||= line.trim().startsWith("/*");
    if (!comment && lines[number - 1]?.trim().endsWith(";") !== undefined) {
      for (const [what, text] of faultsOf(line))
        mutants.push({
          file,
          what,
          number: number + 1,
          line: line.trim(),
          source: lines.with(number, text).join("\n"),
        });
    }
    if (line.includes("*/")) comment = false;
  });
  return mutants;
}

// Witnesses run in their short form: one that takes too long would seem to notice.
const { WEFT_LONG: _, ...env } = process.env;
const run = (program, words, more = {}) =>
  spawnSync(program, words, {
    cwd: root,
    env,
    encoding: "utf8",
    timeout: 60_000,
    maxBuffer: 1 << 26,
    ...more,
  });
const compile = (source, object, input) =>
  run(
    CC,
    [
      ...FLAGS,
      "-c",
      ...(input === undefined ? [source] : ["-x", "c", `-I${join(source, "..")}`, "-"]),
      "-o",
      object,
    ],
    { input },
  );

function listSources() {
  return readdirSync(join(root, "src"), { recursive: true })
    .filter((name) => name.endsWith(".c"))
    .map((name) => `src/${name}`)
    .toSorted();
}

const objectOf = (source) => `${folder}/${source.replaceAll("/", "_")}.o`;
const programs = { pages: "tests/spec/pages.c", simulate: "tests/proof/simulate.c" };
const programOf = (witness) => witness.split(" ")[0];
for (const name of Object.values(SUBJECTS).flat().map(programOf))
  programs[name] ??= `tests/c/${name}.c`;

function build() {
  mkdirSync(join(root, folder), { recursive: true });
  for (const source of [...listSources(), ...Object.values(programs)]) {
    const made = compile(source, objectOf(source));
    assert.equal(made.status, 0, `${source}: ${made.stderr}`);
  }
  const cjson = run(CC, [
    "-std=c11",
    "-w",
    "-O0",
    ...SANITIZE,
    "-DCJSON_NESTING_LIMIT=128",
    "-DCJSON_HIDE_SYMBOLS",
    "-c",
    `${process.env.CJSON_DIR ?? "build/cjson"}/cJSON.c`,
    "-o",
    `${folder}/cJSON.o`,
  ]);
  assert.equal(cjson.status, 0, cjson.stderr);
}

const pages = readdirSync(join(root, "tests/spec"))
  .filter((name) => name.endsWith(".md"))
  .map((name) => {
    const text = readFileSync(join(root, "tests/spec", name), "utf8");
    return {
      script: /```script\n([\s\S]*?)\n```/.exec(text)[1],
      log: /```log\n([\s\S]*?)```/.exec(text)[1],
    };
  });

/** Whether a witness passes with this object in place of `file`'s. */
function passes(witness, file, object) {
  const [program, ...words] = witness.split(" ");
  const linked = `${folder}/${program}`;
  const objects = listSources().map((source) => (source === file ? object : objectOf(source)));
  const made = run(CC, [
    objectOf(programs[program]),
    ...objects,
    `${folder}/cJSON.o`,
    ...SANITIZE,
    "-lm",
    "-o",
    linked,
  ]);
  assert.equal(made.status, 0, made.stderr);
  if (program === "test_run")
    return run(linked, [], { env: { ...env, WEFT_PAGES: words[0] } }).status === 0;
  if (program !== "pages") return run(linked, words).status === 0;
  return (
    run(linked, [], { input: pages.map(({ script }) => script).join("\f"), timeout: 10_000 })
      .stdout === pages.map(({ log }) => log).join("\f")
  );
}

const few = isBroken("T16") ? 3 : Number(process.env.WEFT_MUTANTS) || Infinity;
const spread = (all) =>
  all.length <= few
    ? all
    : Array.from({ length: few }, (_, i) => all[Math.floor((i * all.length) / few)]);

/** What a file's count stands on: it, and who must notice. */
function printOf(file, witnesses) {
  const hash = createHash("sha1").update(readFileSync(join(root, file)));
  for (const name of witnesses)
    hash.update(
      name === "pages"
        ? JSON.stringify(pages)
        : readFileSync(join(root, programs[programOf(name)])),
    );
  return hash.digest("hex");
}

/**
 * Tries a file's mutants from where the last run ended.
 * @returns {{ at: number, tried: number, noticed: number, left: string[] }}
 */
function tryFile(file, witnesses, sums, isOver) {
  const whole = few === Infinity;
  const print = printOf(file, witnesses);
  const sum =
    whole && sums[file]?.print === print
      ? sums[file]
      : { print, at: 0, tried: 0, noticed: 0, left: [] };
  // T16's planted bug: nobody looks.
  const looking = isBroken("T16") ? [] : witnesses;
  const object = `${folder}/mutant.o`;
  const mutants = spread(mutantsOf(file));
  for (const program of witnesses)
    assert.ok(passes(program, file, objectOf(file)), `${program} fails without a fault`);
  for (; sum.at < mutants.length && !isOver(); sum.at++) {
    const mutant = mutants[sum.at];
    if (whole) keepSum("T16", { ...sums, [file]: sum });
    if (
      SAME[file]?.[`${mutant.line} | ${mutant.what}`] !== undefined ||
      compile(file, object, mutant.source).status !== 0
    )
      continue;
    sum.tried++;
    if (looking.some((program) => !passes(program, file, object))) sum.noticed++;
    else sum.left.push(`${file}:${mutant.number}: ${mutant.what}: ${mutant.line}`);
  }
  sum.isWhole = sum.at === mutants.length;
  if (whole) keepSum("T16", Object.assign(sums, { [file]: sum }));
  return sum;
}

test("T16: faults in recovery, ledger and approval are noticed", {
  timeout: Infinity,
  skip: LONG || isBroken("T16") ? false : "slow: make check-long PART=T16",
}, () => {
  build();
  const counts = { mutants: 0, noticed: 0 };
  const sums = readSum("T16");
  const isOver = timeLimit();
  const bad = [];
  const only = process.env.WEFT_FILE;
  let whole = few === Infinity && only === undefined;
  for (const [file, witnesses] of Object.entries(SUBJECTS)) {
    if (only !== undefined && file !== only) continue;
    const { tried, noticed, left, isWhole } = tryFile(file, witnesses, sums, isOver);
    for (const line of left) console.log(line);
    console.log(
      `${file}: ${noticed} of ${tried} (${((100 * noticed) / tried).toFixed(1)} %)${isWhole ? "" : ", not all were tried"}`,
    );
    if (noticed < LEAST * tried) bad.push(`${file}: ${noticed} of ${tried} faults are noticed`);
    counts.mutants += tried;
    counts.noticed += noticed;
    whole &&= isWhole;
  }
  if (whole) figure("T16", counts);
  else tell(`T16: ${counts.noticed} of ${counts.mutants} faults tried so far are noticed`);
  assert.deepEqual(bad, [], `T16: ${bad.join("; ")}`);
});
