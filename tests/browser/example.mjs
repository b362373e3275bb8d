// SPDX-License-Identifier: MIT
// Installs, builds and starts copies of examples, as their READMEs say.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export const top = fileURLToPath(new URL("../../", import.meta.url));
export const readJson = async (path) => JSON.parse(await fs.readFile(path, "utf8"));
/** What was made in the folder of an example by hand. */
const MADE = ["node_modules", "dist", ".next", ".weft", "package-lock.json"];
const INSTALL_MS = 900_000;

/** @param {string} name of an example @returns {Promise<string>} the folder of a copy */
export async function copyExample(name) {
  const folder = await fs.mkdtemp(join(tmpdir(), `weft-${name}-`));
  const example = join(top, "examples", name);
  for (const file of await fs.readdir(example))
    if (!MADE.includes(file))
      await fs.cp(join(example, file), join(folder, file), { recursive: true });
  return folder;
}

/** Installs what a copy asks for, with the package as it is in this checkout, and builds it. */
export async function buildExample(folder) {
  const path = join(folder, "package.json");
  const asked = await readJson(path);
  asked.dependencies.weftgraph = `file:${top}`;
  await fs.writeFile(path, JSON.stringify(asked));
  await npm(folder, ["install", "--install-links", "--prefer-offline", "--no-audit", "--no-fund"]);
  await npm(folder, ["run", "build"]);
}

const ENV = { ...process.env, NEXT_TELEMETRY_DISABLED: "1", NO_COLOR: "1" };

/** @param {string} cwd @param {string[]} words of npm */
export async function npm(cwd, words) {
  const options = { cwd, env: { ...ENV, NODE_OPTIONS: "" }, timeout: INSTALL_MS };
  await promisify(execFile)("npm", words, options).catch(({ message, stdout, stderr }) =>
    assert.fail(`npm ${words.join(" ")}: ${message}\n${stdout}\n${stderr}`),
  );
}

/**
 * Starts a program of a copy.
 * @param {string} cwd
 * @param {string[]} words a JavaScript file and its arguments
 * @param {RegExp} ready what it says of its address, which is the first group
 * @param {Record<string, string>} [env]
 * @returns {Promise<{ origin: string, stop: () => Promise<void> }>}
 */
export async function startExample(cwd, words, ready, env = {}) {
  const child = spawn(process.execPath, words, {
    cwd,
    env: { ...ENV, NODE_OPTIONS: "", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece) => (said += piece));
  const ended = once(child, "exit");
  const isOver = ended.then(([code]) => assert.fail(`it ended with ${code}: ${said}`));
  isOver.catch(() => {});
  while (!ready.test(said)) await Promise.race([once(child.stdout, "data"), isOver]);
  return {
    origin: ready.exec(said)[1],
    async stop() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/**
 * Checks that an example names the versions that this checkout tests.
 * @param {string} name
 * @param {string[]} [own] what nothing else here has
 */
export async function checkVersions(name, own = []) {
  const { dependencies, devDependencies } = await readJson(
    join(top, "examples", name, "package.json"),
  );
  const { devDependencies: tested } = await readJson(join(top, "package.json"));
  // Of a package in two versions the newer one has a name of its own: npm:ai@7.0.173.
  const versions = new Set(
    Object.entries(tested).map(([key, version]) => version.replace(/^(?!npm:)/, `npm:${key}@`)),
  );
  for (const [key, version] of Object.entries({ ...dependencies, ...devDependencies }))
    if (key === "weftgraph") assert.equal(version, "file:../..");
    else if (!own.includes(key)) assert.ok(versions.has(`npm:${key}@${version}`), key);
}
