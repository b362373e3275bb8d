// SPDX-License-Identifier: MIT
// `make coverage`: lines and branches of the engine's C that the C tests and the spec pages reach, file by file; those that
// they do not reach are named in build/coverage/unreached.txt. Usage: node tools/coverage.mjs build/coverage
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";

const [folder] = process.argv.slice(2);
const native = `${folder}/native`;

for (const name of readdirSync("tests/spec").filter((file) => file.endsWith(".md"))) {
  const [, script] = /```script\n([\s\S]*?)\n```/.exec(readFileSync(`tests/spec/${name}`, "utf8"));
  const { status } = spawnSync(`${native}/spec/pages`, [], { input: script });
  if (status !== 0) throw new Error(`${name} fails`);
}
spawnSync(`${native}/spec/hostile`, [], { stdio: "ignore" });

const sources = readdirSync(`${native}/src`, { recursive: true }).filter((file) => file.endsWith(".gcda"));
const total = { lines: 0, reached: 0, branches: 0, taken: 0 };
const unreached = [];
const percent = (part, whole) => (whole === 0 ? "100.0" : ((100 * part) / whole).toFixed(1));

for (const data of sources.toSorted()) {
  const { files } = JSON.parse(execFileSync("gcov", ["--json-format", "--stdout", "-b", `${native}/src/${data}`], { encoding: "utf8", maxBuffer: 1 << 28 }));
  const source = `src/${data.replace(/\.gcda$/, ".c")}`;
  const text = readFileSync(source, "utf8").split("\n");
  // A line stands once, however many functions share it.
  const lines = new Map();
  for (const line of files.find(({ file }) => file.endsWith(source)).lines) {
    const known = lines.get(line.line_number);
    lines.set(line.line_number, known === undefined || known.count < line.count ? line : known);
  }
  const sum = { lines: 0, reached: 0, branches: 0, taken: 0 };
  for (const [number, { count, branches }] of lines) {
    sum.lines++;
    sum.reached += count > 0;
    sum.branches += branches.length;
    const missed = branches.filter((branch) => branch.count === 0).length;
    sum.taken += branches.length - missed;
    if (count === 0 || missed > 0) unreached.push(`${source}:${number}: ${count === 0 ? "never" : `${missed} of ${branches.length} ways`}: ${text[number - 1].trim()}`);
  }
  for (const [what, value] of Object.entries(sum)) total[what] += value;
  console.log(`${source.padEnd(32)} lines ${percent(sum.reached, sum.lines).padStart(5)} %  branches ${percent(sum.taken, sum.branches).padStart(5)} %`);
}
writeFileSync(`${folder}/unreached.txt`, `${unreached.join("\n")}\n`);
console.log(`${total.reached} of ${total.lines} lines (${percent(total.reached, total.lines)} %), ${total.taken} of ${total.branches} branches (${percent(total.taken, total.branches)} %)`);
