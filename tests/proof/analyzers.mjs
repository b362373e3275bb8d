// SPDX-License-Identifier: MIT
// Runs a static analyzer over the engine's and the border's C and compares what it finds with
// findings.json, where each accepted finding has its reason.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export const root = fileURLToPath(new URL("../..", import.meta.url));
export const run = promisify(execFile);
export const cjson = process.env.CJSON_DIR ?? "build/cjson";
const accepted = JSON.parse(readFileSync(new URL("findings.json", import.meta.url), "utf8"));

const filesOf = (folder) =>
  readdirSync(`${root}${folder}`, { recursive: true })
    .filter((name) => name.endsWith(".c"))
    .map((name) => `${folder}/${name}`);
/** The C that is analyzed. Parts of a C library are for WebAssembly alone. */
export const files = [
  ...filesOf("src"),
  ...filesOf("wasm").filter((file) => !/heap|libc/.test(file)),
].toSorted();

/**
 * Runs a program over all files, two at a time.
 * @param {(file: string) => string[]} command
 * @returns {Promise<string[]>} its warnings as "file | check | the line's text"
 */
export async function findings(command) {
  const found = [];
  const waiting = [...files];
  const work = async () => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      const [program, ...words] = command(file);
      const { stdout, stderr } = await run(program, words, { cwd: root, maxBuffer: 1 << 26 }).catch(
        (error) => error,
      );
      for (const [, path, line, check] of `${stdout}${stderr}`.matchAll(
        /^(\S+?):(\d+):\d+: (?:warning|error): .*\[([^\]]+)\]$/gm,
      )) {
        const name = path.replace(root, "");
        found.push(
          `${name} | ${check.replace(/CWE-\d+\] \[/, "")} | ${readFileSync(`${root}${name}`, "utf8").split("\n")[line - 1].trim()}`,
        );
      }
    }
  };
  await Promise.all([work(), work()]);
  return [...new Set(found)];
}

/**
 * @param {string} file
 * @param {string} checks
 * @returns {string[]} the call of clang-tidy
 */
export function clangTidy(file, checks) {
  const words = ["-std=c11", "-Isrc", "-isystem", cjson, "-Wno-everything"];
  return ["clang-tidy-14", "--quiet", `--checks=${checks}`, file, "--", ...words];
}

/**
 * Fails for a finding without a reason, and for a reason without its finding.
 * @param {string} tool a key of findings.json
 * @param {string[]} found
 * @param {string} [label] what an error begins with
 */
export function compare(tool, found, label = "") {
  const reasons = accepted[tool];
  assert.deepEqual(
    found.filter((one) => reasons[one] === undefined),
    [],
    `${label}${tool} has findings`,
  );
  assert.deepEqual(
    Object.keys(reasons).filter((one) => !found.includes(one)),
    [],
    `${label}findings.json has more than ${tool}`,
  );
}
