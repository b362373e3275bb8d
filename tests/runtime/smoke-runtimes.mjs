// SPDX-License-Identifier: MIT
// How a module is run in Node, Deno and Bun.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const bin = fileURLToPath(new URL("../../node_modules/.bin/", import.meta.url));
const RUNTIMES = {
  Node: [process.execPath, []],
  Deno: [
    join(bin, "deno"),
    ["run", "--quiet", "--no-lock", "--node-modules-dir=none", "--unstable-kv", "-A"],
  ],
  Bun: [join(bin, "bun"), ["run"]],
};

/**
 * The last line that a module prints.
 * @param {"Node" | "Deno" | "Bun"} runtime
 * @param {string} folder for what the runtime itself keeps
 * @param {string} module
 * @param {...string} words
 */
export async function runIn(runtime, folder, module, ...words) {
  const [program, options] = RUNTIMES[runtime];
  const env = { ...process.env, DENO_DIR: join(folder, "deno"), NO_COLOR: "1" };
  const { stdout } = await run(program, [...options, module, ...words], { env });
  return stdout.trim().split("\n").at(-1);
}
