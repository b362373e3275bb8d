// SPDX-License-Identifier: MIT
// Runs the compilers that users have: TypeScript 5, which is written in JavaScript, and TypeScript
// 7, which is native and takes a fifth of its time.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { LONG } from "../proof/kit.mjs";

const top = fileURLToPath(new URL("../..", import.meta.url));
/** Its packages by name. */
export const COMPILERS = { "TypeScript 5": "typescript", "TypeScript 7": "typescript-7" };
/** Those that compile programs, where the slow one adds little to what it says of declarations. */
export const USED = LONG ? Object.keys(COMPILERS) : ["TypeScript 7"];

/**
 * Compiles a project.
 * @param {string} compiler a key of COMPILERS
 * @param {string} folder where its tsconfig.json is
 * @param {object} config written there
 * @param {string[]} [more] options of the command
 * @returns {string[]} each line that the compiler says: `file(line,column): error TScode: text`
 */
export function problemsOf(compiler, folder, config, more = []) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  const { status, stdout, stderr, error } = spawnSync(
    process.execPath,
    [
      join(top, "node_modules", COMPILERS[compiler], "bin/tsc"),
      ...["-p", folder, "--pretty", "false", ...more],
    ],
    { cwd: top, encoding: "utf8", maxBuffer: 2 ** 26 },
  );
  assert.ifError(error);
  const problems = stdout.split("\n").filter(Boolean);
  assert.equal(status === 0, problems.length === 0, `${stdout}${stderr}`);
  return problems;
}
