// SPDX-License-Identifier: MIT
// Runs the named suites, each as `make -j2 test-<name>`, one after the other, and those that are
// joined by a plus side by side, the output of the second held back until the first has ended;
// shows their output as it comes and ends with a table (seconds, passed, failed, skipped), the
// names of the tests that failed, the number of skipped tests and the line "N passed, N failed".
// A suite that fails, or that ran no test at all, makes the whole fail.
// Usage: node tools/suites.mjs name... name+name...
import { spawn } from "node:child_process";

const COUNTS = [
  [/^(?:ℹ|#) pass (\d+)$/, "passed"],
  [/^(?:ℹ|#) (?:fail|cancelled) (\d+)$/, "failed"],
  [/^(?:ℹ|#) skipped (\d+)$/, "skipped"],
  [/^(\d+) passed, \d+ failed$/, "passed"],
  [/^\d+ passed, (\d+) failed$/, "failed"],
];
// In the list that ends a run: where a failed test is written, and the line below it, its title.
const FAILED_AT = /^test at (.+)$/;
const TITLE = /^✖ (.+?)(?: \([\d.]+ms\))?$/;

/** Runs a suite; what it prints is given to `print`. */
function runSuite(name, print) {
  return new Promise((resolve) => {
    const started = performance.now();
    const result = { name, passed: 0, failed: 0, skipped: 0, seconds: 0, failures: [] };
    const child = spawn(
      process.env.MAKE ?? "make",
      ["--no-print-directory", "-j2", `test-${name}`],
      {
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    let rest = "";
    let place = "";
    const countLine = (line) => {
      const title = place && TITLE.exec(line);
      if (title) result.failures.push(`${name}: ${place} ${title[1]}`);
      place = FAILED_AT.exec(line)?.[1] ?? "";
      for (const [pattern, key] of COUNTS) {
        const found = pattern.exec(line);
        if (found) result[key] += Number(found[1]);
      }
    };
    child.stdout.setEncoding("utf8");
    child.stdout.on("data", (text) => {
      print(text);
      const lines = (rest + text).split("\n");
      rest = lines.pop();
      lines.forEach(countLine);
    });
    child.on("close", (code) => {
      countLine(rest);
      if (result.failed === 0 && (code !== 0 || result.passed === 0)) result.failed = 1;
      result.seconds = (performance.now() - started) / 1000;
      resolve(result);
    });
  });
}

/** Runs suites side by side and shows each whole, in their order. */
async function runTogether(names) {
  let shown = 0;
  const texts = names.map((name) => `\n==== ${name}\n`);
  const show = (at) => (process.stdout.write(texts[at]), (texts[at] = ""));
  show(shown);
  const running = names.map((name, at) =>
    runSuite(name, (text) => ((texts[at] += text), at === shown && show(at))),
  );
  const ended = [];
  for (const suite of running) {
    ended.push(await suite);
    if (++shown < names.length) show(shown);
  }
  return ended;
}

const started = performance.now();
const results = [];
for (const names of process.argv.slice(2)) results.push(...(await runTogether(names.split("+"))));
console.log("\nsuite      seconds  passed  failed  skipped");
for (const { name, seconds, passed, failed, skipped } of results) {
  console.log(
    `${name.padEnd(10)} ${seconds.toFixed(1).padStart(7)} ${String(passed).padStart(7)} ${String(failed).padStart(7)} ${String(skipped).padStart(8)}`,
  );
}
console.log(`${((performance.now() - started) / 1000).toFixed(1).padStart(18)}  in all`);
const sum = (/** @type {"passed" | "failed" | "skipped"} */ key) =>
  results.reduce((all, result) => all + result[key], 0);
for (const failure of results.flatMap(({ failures }) => failures)) console.log(`✖ ${failure}`);
const [passed, failed, skipped] = [sum("passed"), sum("failed"), sum("skipped")];
console.log(
  `\n${skipped} skipped: what takes hours or needs programs that are missing (make check-long)`,
);
// The last line is read by programs.
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed || !passed ? 1 : 0);
