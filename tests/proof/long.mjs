// SPDX-License-Identifier: MIT
// `make check-long PART=T9`: one part of the programme in its long form; its figures are the last
// line. Usage: node tests/proof/long.mjs T9...
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PARTS } from "./parts.mjs";

const folder = mkdtempSync(join(tmpdir(), "weft-long-"));
const figures = join(folder, "figures");
writeFileSync(figures, "");
let failed = 0;
for (const part of process.argv.slice(2)) {
  if (!Object.hasOwn(PARTS, part))
    throw new Error(`no part ${part}; there are ${Object.keys(PARTS).join(" ")}`);
  const { c = [], files = [], make = [], env = {} } = PARTS[part];
  const run = (program, words) => {
    const { status } = spawnSync(program, words, {
      stdio: "inherit",
      env: { ...process.env, WEFT_LONG: "1", WEFT_FIGURES: figures, ...env },
    });
    if (status !== 0) failed++;
  };
  const tool = process.env.MAKE ?? "make";
  for (const target of make) run(tool, ["--no-print-directory", target]);
  for (const name of c) run(tool, ["--no-print-directory", "test-c", `TEST=${name}`]);
  if (files.length > 0)
    run(process.execPath, [
      "--test",
      "--test-reporter=spec",
      "--test-concurrency=1",
      "--test-timeout=86400000",
      ...files,
    ]);
}
const lines = readFileSync(figures, "utf8").trim().split("\n").filter(Boolean);
rmSync(folder, { recursive: true });
console.log(`${failed > 0 ? "FAILED; " : ""}${lines.length > 0 ? lines.join("; ") : "no figures"}`);
process.exit(failed === 0 ? 0 : 1);
